//! `duplicate-function`: two functions share a name.

use crate::diagnostic::{Diagnostic, Place, Source};
use crate::syntax::{File, Name};
use std::sync::Arc;

/// Returns diagnostics for functions of one file that share a name.
pub(crate) fn duplicates(source: &Arc<Source>, file: &File) -> Vec<Diagnostic> {
    let later = file.functions.iter().enumerate().filter_map(|(at, function)| {
        let first = file.functions[..at].iter().find(|other| other.name.text == function.name.text)?;
        let place = |name: &Name| Place { source: source.clone(), span: name.span.range() };
        Some(written_twice(&function.name.text, place(&function.name), place(&first.name)))
    });
    later.collect()
}

/// Creates the diagnostic for a function that has the same name as an earlier one.
pub(crate) fn written_twice(name: &str, later: Place, first: Place) -> Diagnostic {
    Diagnostic::error("duplicate-function", format!("the function `{name}` is defined twice"))
        .mark(later, "again here")
        .mark(first, "first here")
        .help("give one of them another name")
}

//! `duplicate-function`: two functions share a name.

use crate::diagnostic::{Diagnostic, Place, Source};
use crate::syntax::{File, Name};
use std::sync::Arc;

/// Functions of one file that share a name.
pub(crate) fn duplicates(source: &Arc<Source>, file: &File) -> Vec<Diagnostic> {
    let again = file.functions.iter().enumerate().filter_map(|(at, function)| {
        let first = file.functions[..at].iter().find(|other| other.name.text == function.name.text)?;
        let place = |name: &Name| Place { source: source.clone(), span: name.span.range() };
        Some(written_twice(&function.name.text, place(&function.name), place(&first.name)))
    });
    again.collect()
}

/// A function of the same name as an earlier one.
pub(crate) fn written_twice(name: &str, again: Place, first: Place) -> Diagnostic {
    Diagnostic::error("duplicate-function", format!("the function `{name}` is written twice"))
        .mark(again, "again here")
        .mark(first, "first here")
        .help("give one of them another name")
}

/// A function of an agent's file of the same name as one of the rules.
pub(crate) fn known_to_the_rules(name: &str, here: Place) -> Diagnostic {
    Diagnostic::error("duplicate-function", format!("the rules have a function `{name}` already"))
        .mark(here, "again here")
        .help("give it another name, or call that of the rules")
}

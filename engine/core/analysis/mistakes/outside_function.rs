//! `outside-function`: a statement outside all functions.

use super::super::program::ParsedFile;
use crate::diagnostic::{Diagnostic, Place};

/// Returns a diagnostic for the first statement of a file that is outside all functions.
pub(crate) fn outside_function(file: &ParsedFile<'_>) -> Option<Diagnostic> {
    let statement = file.tree.statements.first()?;
    let found = Diagnostic::error("outside-function", "a statement is outside of all functions")
        .mark(Place::word_at(file.source, statement.span.range().start), "never executed")
        .help("move it into a function; scripts share data through params and values in game.toml");
    Some(found)
}

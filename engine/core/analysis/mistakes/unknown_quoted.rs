//! `unknown-…`: a quoted name that does not exist in the game. Each role of a name has its own diagnostic code.

use crate::diagnostic::{Diagnostic, Place};
use crate::library::{self, NameRole};
use std::sync::Arc;

/// Creates the diagnostic for a quoted name that does not exist in the game in any of the given roles.
pub(crate) fn unknown_quoted(roles: &[NameRole], word: &str, known: &[Arc<str>], here: Place) -> Diagnostic {
    let found = library::unknown_quoted(roles, word, known.iter().map(|name| &**name));
    let marked = Diagnostic::error(found.code, found.message).mark(here, found.note);
    found.help.into_iter().fold(marked, Diagnostic::help)
}

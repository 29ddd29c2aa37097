//! `unknown-…`: a quoted name refers to nothing in the game. Each role of name has its own code.

use crate::diagnostic::{Diagnostic, Place};
use crate::library::{self, NameRole};
use std::sync::Arc;

/// Creates the diagnostic for a quoted name that refers to nothing in the game.
pub(crate) fn unknown_quoted(roles: &[NameRole], word: &str, known: &[Arc<str>], here: Place) -> Diagnostic {
    let found = library::unknown_quoted(roles, word, known.iter().map(|name| &**name));
    let marked = Diagnostic::error(found.code, found.message).mark(here, found.note);
    found.help.into_iter().fold(marked, Diagnostic::help)
}

//! Quoted names of things that do not exist. Each type of thing has its own code.

use crate::diagnostic::{Diagnostic, Place};
use crate::library::{self, NameRole};
use std::sync::Arc;

/// Diagnostic for a quoted name of something that does not exist.
pub(crate) fn unknown_quoted(roles: &[NameRole], word: &str, known: &[Arc<str>], here: Place) -> Diagnostic {
    let found = library::unknown_quoted(roles, word, known.iter().map(|name| &**name));
    let marked = Diagnostic::error(found.code, found.message).mark(here, found.note);
    found.help.into_iter().fold(marked, Diagnostic::help)
}

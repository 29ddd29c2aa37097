//! What is named in quotes and is not there: a code for each sort of thing.

use crate::diagnostic::{Diagnostic, Place};
use crate::library::{self, NameRole};
use std::sync::Arc;

/// A name in quotes of something that is not there.
pub(crate) fn unknown_quoted(roles: &[NameRole], word: &str, known: &[Arc<str>], here: Place) -> Diagnostic {
    let found = library::unknown_quoted(roles, word, known.iter().map(|name| &**name));
    let marked = Diagnostic::error(found.code, found.message).mark(here, found.note);
    found.help.into_iter().fold(marked, Diagnostic::help)
}

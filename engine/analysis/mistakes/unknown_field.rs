//! `unknown-field`: something has nothing of this name.

use super::super::types::{Tags, in_words};
use crate::diagnostic::{Diagnostic, Place};

pub(crate) fn unknown_field(name: &str, of: Tags, known: &[String], here: Place) -> Diagnostic {
    let found = Diagnostic::error("unknown-field", format!("{} has no `{name}`", in_words(of)));
    found.mark(here, "not a field, value or zone of it").suggest(name, known.iter().map(String::as_str))
}

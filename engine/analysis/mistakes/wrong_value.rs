//! `wrong-value`: an assigned value that the target does not accept.

use super::super::types::{Tags, in_words};
use crate::diagnostic::{Diagnostic, Place, sentence};

pub(crate) fn wrong_value(name: &str, takes: &str, bad: Tags, literal: Option<&str>, here: Place) -> Diagnostic {
    let what = literal.map_or_else(|| in_words(bad), |literal| format!("`{literal}`"));
    Diagnostic::from_sentence(sentence::wrong_value(name, takes, &what), here)
}

/// Diagnostic for an item added to a list value that does not accept it.
pub(crate) fn wrong_entry(name: &str, takes: &str, bad: Tags, here: Place) -> Diagnostic {
    let message = format!("each entry of `{name}` is {takes}, not {}", in_words(bad));
    Diagnostic::error("wrong-value", message).mark(here, "an entry of another type")
}

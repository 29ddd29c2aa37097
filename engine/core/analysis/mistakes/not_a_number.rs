//! `not-a-number`: a fact is named where a number is needed, but the fact is not a number.

use super::super::types::{Tags, in_words, is_or_are};
use crate::diagnostic::{Diagnostic, Place};
use crate::library::suggest_names;
use std::sync::Arc;

/// Creates the diagnostic for a fact that is not a number. `tags` are the types of the fact, and `numbers` are the facts to suggest
/// instead.
pub(crate) fn not_a_number(name: &str, tags: Tags, numbers: &[Arc<str>], here: Place) -> Diagnostic {
    let message = format!("`{name}` {} {}, not a number", is_or_are(tags), in_words(tags));
    let found = Diagnostic::error("not-a-number", message).mark(here, "needs a number of each");
    suggest_names(numbers).into_iter().fold(found, Diagnostic::help)
}

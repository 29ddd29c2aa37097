//! `unknown-word`: a value, option or field is compared with a word that is not one of its possible words.

use crate::diagnostic::{Diagnostic, Place, did_you_mean};
use crate::library::suggest_names;
use std::sync::Arc;

pub(crate) fn unknown_word(name: &str, word: &str, known: &[Arc<str>], here: Place) -> Diagnostic {
    let found =
        Diagnostic::error("unknown-word", format!("`{name}` is never `\"{word}\"`")).mark(here, "not one of its words");
    let help = did_you_mean(word, known.iter().map(|name| &**name)).or_else(|| suggest_names(known));
    help.into_iter().fold(found, Diagnostic::help)
}

/// Creates the diagnostic for a comparison of a field with a word that no component has in this field.
pub(crate) fn unprinted_word(field: &str, word: &str, known: &[Arc<str>], here: Place) -> Diagnostic {
    let found = Diagnostic::warning("unknown-word", format!("no row says `\"{word}\"` as its `{field}`"))
        .mark(here, "never so");
    let help = did_you_mean(word, known.iter().map(|name| &**name)).or_else(|| suggest_names(known));
    help.into_iter().fold(found, Diagnostic::help)
}

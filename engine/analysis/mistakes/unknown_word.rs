//! `unknown-word`: a value, or an option of the game, is never this word.

use super::unknown_quoted::listed;
use crate::diagnostic::{Diagnostic, Place, did_you_mean};
use std::sync::Arc;

pub(crate) fn unknown_word(name: &str, word: &str, known: &[Arc<str>], here: Place) -> Diagnostic {
    let found =
        Diagnostic::error("unknown-word", format!("`{name}` is never `\"{word}\"`")).mark(here, "not one of its words");
    let help = did_you_mean(word, known.iter().map(|name| &**name)).or_else(|| listed(known));
    help.into_iter().fold(found, Diagnostic::help)
}

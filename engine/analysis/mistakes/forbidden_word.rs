//! `forbidden-word`: a word of other languages stands in rules.

use crate::diagnostic::{Diagnostic, Place};

/// A word that rules do not have, with what is written for it.
pub(crate) fn forbidden_word(name: &str, here: Place, help: impl Into<String>) -> Diagnostic {
    Diagnostic::error("forbidden-word", format!("`{name}` is not a word of rules"))
        .mark(here, "not used in rules")
        .help(help)
}

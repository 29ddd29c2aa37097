//! `forbidden-word`: a keyword of another language.

use crate::diagnostic::{Diagnostic, Place};

/// Diagnostic for a keyword that rules do not have, with a help that says what to write instead.
pub(crate) fn forbidden_word(name: &str, here: Place, help: impl Into<String>) -> Diagnostic {
    Diagnostic::error("forbidden-word", format!("`{name}` is not a word of rules"))
        .mark(here, "not used in rules")
        .help(help)
}

//! `forbidden-word`: a keyword of another language.

use crate::diagnostic::{Diagnostic, Place};

/// Creates the diagnostic for a keyword that rules do not have. `help` says what to write instead.
pub(crate) fn forbidden_word(name: &str, here: Place, help: impl Into<String>) -> Diagnostic {
    Diagnostic::error("forbidden-word", format!("`{name}` is not part of the rule language"))
        .mark(here, "not used in rules")
        .help(help)
}

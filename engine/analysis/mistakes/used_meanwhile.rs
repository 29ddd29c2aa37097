//! `used-meanwhile`: a function `|…|` uses the variable that is changed while it runs.

use crate::diagnostic::{Diagnostic, Place};

/// `before` is the word that is given the variable and the function, where it does not stand behind a dot.
pub(super) fn used_meanwhile(variable: &str, before: Option<&str>, here: Place) -> Diagnostic {
    let (message, help) = match before {
        None => (
            format!("`{variable}` is changed before the dot and stands in the function `|…|`"),
            format!("write `let before = {variable};` first, and `before` in the function"),
        ),
        Some(word) => (
            format!("`{variable}` is changed by `{word}` and stands in its function `|…|`"),
            format!("write `let before = {variable};` first, and `before` in the function"),
        ),
    };
    Diagnostic::error("used-meanwhile", message).mark(here, "in use already while the function runs").help(help)
}

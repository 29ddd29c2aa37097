//! `used-meanwhile`: a function `|…|` uses the variable that it goes through.

use crate::diagnostic::{Diagnostic, Place};

/// `before` is the word that is given the variable and the function, where it does not stand behind a dot.
pub(super) fn used_meanwhile(variable: &str, before: Option<&str>, here: Place) -> Diagnostic {
    let (message, help) = match before {
        None => (
            format!("`{variable}` stands before the dot and in the function `|…|`"),
            "give what stands before the last dot to a variable first, and iterate over that".to_owned(),
        ),
        Some(word) => (
            format!("`{variable}` is changed by `{word}` and stands in its function `|…|`"),
            format!("write `let before = {variable};` first, and `before` in the function"),
        ),
    };
    Diagnostic::error("used-meanwhile", message).mark(here, "in use already while the function runs").help(help)
}

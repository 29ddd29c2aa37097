//! `shared-variable`: a `switch` gives a variable that a function `|…|` uses too.

use crate::diagnostic::{Diagnostic, Place};

pub(super) fn shared_variable(variable: &str, here: Place) -> Diagnostic {
    let message = format!("a `switch` cannot give `{variable}`, which a function `|…|` uses too");
    Diagnostic::error("shared-variable", message)
        .mark(here, "gives the variable itself")
        .help("write `if … else …` instead of the `switch`")
}

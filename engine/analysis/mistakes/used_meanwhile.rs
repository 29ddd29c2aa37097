//! `used-meanwhile`: a function `|…|` uses the variable that is changed while it runs.

use crate::diagnostic::{Diagnostic, Place};

/// `changing` is the function of the language that changes what the variable holds, and calls the other.
pub(super) fn used_meanwhile(variable: &str, changing: &str, here: Place) -> Diagnostic {
    let message =
        format!("`{changing}` changes what `{variable}` holds, and `{variable}` stands in its function `|…|`");
    Diagnostic::error("used-meanwhile", message)
        .mark(here, "in use already while the function runs")
        .help(format!("give what the function needs of `{variable}` to a variable before, and use that"))
}

//! `used-meanwhile`: a closure uses a variable while a function changes that variable.

use crate::diagnostic::{Diagnostic, Place};

/// Diagnostic for such a use. `changing` is the function of the language that changes the variable's value and calls the closure.
pub(super) fn used_meanwhile(variable: &str, changing: &str, here: Place) -> Diagnostic {
    let message =
        format!("`{changing}` changes what `{variable}` holds, and `{variable}` stands in its function `|…|`");
    Diagnostic::error("used-meanwhile", message)
        .mark(here, "in use already while the function runs")
        .help(format!("give what the function needs of `{variable}` to a variable before, and use that"))
}

//! `used-meanwhile`: a closure uses a variable that is being changed by the library function that calls the closure.

use crate::diagnostic::{Diagnostic, Place};

/// Creates the diagnostic for a closure that uses `variable` while the library function `changing`, which calls the closure, is changing
/// this variable.
pub(super) fn used_meanwhile(variable: &str, changing: &str, here: Place) -> Diagnostic {
    let message =
        format!("`{changing}` changes what `{variable}` holds, and `{variable}` stands in its function `|…|`");
    Diagnostic::error("used-meanwhile", message)
        .mark(here, "in use already while the function runs")
        .help(format!("give what the function needs of `{variable}` to a variable before, and use that"))
}

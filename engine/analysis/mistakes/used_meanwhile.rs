//! `used-meanwhile`: a function `|…|` uses the variable that it goes through.

use crate::diagnostic::{Diagnostic, Place};

pub(super) fn used_meanwhile(variable: &str, here: Place) -> Diagnostic {
    Diagnostic::error("used-meanwhile", format!("`{variable}` stands before the dot and in the function `|…|`"))
        .mark(here, "in use already while the function runs")
        .help("give what stands before the last dot to a variable first, and iterate over that")
}

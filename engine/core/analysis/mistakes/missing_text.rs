//! `missing-text`: a decision that may be passed has no text for passing, unlike the others.

use crate::diagnostic::{Diagnostic, Place};

/// Creates the diagnostic for a decision without `pass`. `here` is the place where it is asked.
pub(crate) fn missing_pass(decision: &str, here: Place) -> Diagnostic {
    Diagnostic::warning("missing-text", format!("the decision `{decision}` has no `pass`, unlike the others"))
        .mark(here, "may be passed")
        .help(format!("write `pass = \"…\"` in `[decisions.{decision}]`, the name of the option to pass"))
}

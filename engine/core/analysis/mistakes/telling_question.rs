//! `telling-question`: if `respond` asks a seat, the other players learn something about its hidden hand.

use crate::diagnostic::{Diagnostic, Place};

/// Creates the diagnostic for a call of `respond` whose options depend on the hidden hand `zone` of the asked seat.
pub(crate) fn telling_question(decision: &str, zone: &str, here: Place, read: Place) -> Diagnostic {
    let message = format!("others see who is asked `{decision}`, and so who holds an answer in the hidden `{zone}`");
    Diagnostic::warning("telling-question", message)
        .mark(read, format!("depends on the hidden `{zone}`"))
        .mark(here, "asks only those who have an answer")
        .help(format!("write `always = true` in `[decisions.{decision}]`, so that everybody is asked"))
}

/// Creates the diagnostic for a call of `respond` that asks only the seats that were selected by their hidden hand `zone`.
pub(crate) fn telling_selection(decision: &str, zone: &str, here: Place, read: Place) -> Diagnostic {
    let message = format!("others see who is asked `{decision}`, and so what the hidden `{zone}` of a seat holds");
    Diagnostic::warning("telling-question", message)
        .mark(read, format!("depends on the hidden `{zone}`"))
        .mark(here, "asks only the selected seats")
        .help(format!(
            "pass all seats that may answer: with `always = true` in `[decisions.{decision}]`, those without an answer can only pass"
        ))
}

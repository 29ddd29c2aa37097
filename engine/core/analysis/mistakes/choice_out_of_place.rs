//! `choice-out-of-place`: a read-only function asks a decision.

use crate::diagnostic::{self, Diagnostic, Place};

/// Help text for an agent's file that does more than read the table.
pub(super) const AGENT_HELP: &str = "take it out: an agent's file looks at the table, and returns a number";

/// Creates the diagnostic for a read-only function that asks a decision. `asked` is the place of the question.
pub(super) fn choice_out_of_place(asked: Place) -> Diagnostic {
    diagnostic::choice_out_of_place().at(asked)
}

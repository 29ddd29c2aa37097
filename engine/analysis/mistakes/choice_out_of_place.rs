//! `choice-out-of-place`: a read-only function asks a decision.

use crate::diagnostic::{self, Diagnostic, Place};

/// Help for an agent's file that does more than read.
pub(super) const AGENT_HELP: &str = "take it out: an agent's file looks at the table, and returns a number";

pub(super) fn choice_out_of_place(asked: Place) -> Diagnostic {
    Diagnostic::from_sentence(diagnostic::choice_out_of_place(), asked)
}

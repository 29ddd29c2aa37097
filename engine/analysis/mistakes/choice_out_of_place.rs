//! `choice-out-of-place`: a read-only function asks a seat.

use crate::diagnostic::{self, Diagnostic, Place};

/// What to do where an agent's file does more than look.
pub(super) const AGENT_HELP: &str = "take it out: an agent's file looks at the table, and returns a number";

pub(super) fn choice_out_of_place(asked: Place) -> Diagnostic {
    Diagnostic::said(diagnostic::choice_out_of_place(), asked)
}

//! `choice-out-of-place`: a function that may only look at the table asks a seat.

use crate::diagnostic::{Diagnostic, Place};

/// What to do where an agent's file does more than look.
pub(super) const AGENT_HELP: &str = "take it out: an agent's file looks at the table, and returns a number";

pub(super) fn choice_out_of_place(asked: Place, of_agent: bool) -> Diagnostic {
    let found = Diagnostic::error("choice-out-of-place", "no decision can be asked here").mark(asked, "asks a seat");
    found.help(if of_agent {
        AGENT_HELP
    } else {
        "ask in a step of a phase; `until`, `when`, `order`, `score`, `rank` and invariants only look"
    })
}

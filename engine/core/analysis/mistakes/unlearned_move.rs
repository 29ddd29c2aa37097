//! `unlearned-move`: all pieces of a hidden hand that pass a test are moved, but no seat learns that the remaining
//! pieces fail the test.

use crate::diagnostic::{Diagnostic, Place};

/// Reports a move of all matching pieces out of the hidden hand `zone`.
pub(crate) fn unlearned_move(zone: &str, here: Place) -> Diagnostic {
    let message = format!("everybody sees that nothing left in `{zone}` matches, but no seat learns it");
    Diagnostic::warning("unlearned-move", message)
        .mark(here, "moves all that match")
        .help(format!("add `seats.learn(seat.{zone}, |piece| …)` after the move, so that agents use it"))
}

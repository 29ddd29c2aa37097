//! `unlearned-move`: all matching pieces are moved out of a hidden hand, but no seat learns that the remaining pieces do not match.

use crate::diagnostic::{Diagnostic, Place};

/// Creates the diagnostic for a move of all matching pieces out of the hidden hand `zone`.
pub(crate) fn unlearned_move(zone: &str, here: Place) -> Diagnostic {
    let message = format!("everybody sees that nothing left in `{zone}` matches, but no seat learns it");
    Diagnostic::warning("unlearned-move", message)
        .mark(here, "moves all that match")
        .help(format!("add `seats.learn(seat.{zone}, |piece| …)` after the move, so that agents use it"))
}

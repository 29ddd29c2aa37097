//! `unlearned-move`: all pieces of a hidden hand go that pass a test, and nobody learns that the others do not pass it.

use crate::diagnostic::{Diagnostic, Place};

/// A move of all matching pieces out of a hidden hand, whose zone is given.
pub(crate) fn unlearned_move(zone: &str, here: Place) -> Diagnostic {
    let message = format!("everybody sees that nothing left in `{zone}` matches, but no seat learns it");
    Diagnostic::warning("unlearned-move", message)
        .mark(here, "moves all that match")
        .help(format!("let the seats learn it, with `seats.learn(seat.{zone}, |piece| …)`; agents go by it then"))
}

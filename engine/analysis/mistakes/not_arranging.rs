//! `not-arranging`: a function that sets up positions in plays stands in rules.

use crate::diagnostic::{Diagnostic, Place};

pub(crate) fn not_arranging(name: &str, here: Place) -> Diagnostic {
    Diagnostic::error("not-arranging", format!("`{name}` is a word for `arrange` in plays, not for rules"))
        .mark(here, "not in the arrange of a play")
        .help("move a piece with `move_to`, or draw it from its pile")
}

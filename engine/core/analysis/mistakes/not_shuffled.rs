//! `not-shuffled`: cards are dealt to hidden hands from a deck that is never shuffled.

use crate::diagnostic::{Diagnostic, Place};

/// Creates the diagnostic for a deal from `deck` to the hidden `hand`.
pub(crate) fn not_shuffled(deck: &str, hand: &str, here: Place) -> Diagnostic {
    Diagnostic::warning(
        "not-shuffled",
        format!("`{deck}` is never shuffled, so the same cards are dealt in every game"),
    )
    .mark(here, format!("deals to the hidden `{hand}`"))
    .help(format!("write `{deck}.shuffle();` before"))
}

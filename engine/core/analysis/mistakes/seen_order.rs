//! `seen-order`: a seat can see the order of a shuffled pile.

use crate::diagnostic::{Diagnostic, Place};

/// Creates the diagnostic for a shuffled pile whose order a player can see. `here` is the place of the shuffle, if it is known.
pub(crate) fn seen_order(pile: &str, here: Option<Place>) -> Diagnostic {
    let message = format!("`{pile}` is shuffled, and a player sees where something in it lies then");
    let found = Diagnostic::warning("seen-order", message);
    let found = match here {
        Some(place) => found.mark(place, "hides nothing"),
        None => found,
    };
    found.help("turn the pieces down before, as with `turn_down` or `move_to(…, \"down\")`, or write `face = \"down\"` at the zone")
}

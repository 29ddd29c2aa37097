//! `laid-by-chance`: two pieces in force set the same quantity, and chance decides which of them counts.

use crate::diagnostic::{Diagnostic, Place};

/// Creates the diagnostic for two components that set a quantity to different values. The pieces were laid together, in an order that
/// nobody chose. `here` is the place of a query of the quantity, if it is known.
pub(crate) fn laid_by_chance(what: &str, components: [&str; 2], here: Option<Place>) -> Diagnostic {
    let [one, other] = components;
    let message = format!("chance decides whether `{one}` or `{other}` sets `{what}`");
    let found = Diagnostic::warning("laid-by-chance", message);
    let found = match here {
        Some(place) => found.mark(place, "takes the one laid last, and both were laid together"),
        None => found,
    };
    found.help("let a player choose the order, or write `add` or `multiply` instead of `set`")
}

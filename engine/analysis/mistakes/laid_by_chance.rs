//! `laid-by-chance`: cards that set the same quantity, laid in an order that nobody chose.

use crate::diagnostic::Diagnostic;

/// Diagnostic for two cards in force that set a quantity to different values.
pub(crate) fn laid_by_chance(what: &str, cards: [&str; 2], zone: &str) -> Diagnostic {
    let [one, other] = cards;
    let message =
        format!("chance decides whether `{one}` or `{other}` sets `{what}`: they were laid in `{zone}` together");
    Diagnostic::warning("laid-by-chance", message).help(
        "the card laid last decides: let a player choose the order, or write `add` or `multiply` in place of `set`",
    )
}

//! Error message for calls of order-dependent functions on a bag.

use super::well_known::{MOVE_UNDER, SHUFFLE};

/// Returns the headline and the help of the error for calling an order-dependent function on a bag, which has no order.
pub fn unordered_bag_message(bag: &str, word: &str) -> (String, String) {
    let help = match word {
        SHUFFLE => "remove it: draws from a bag are random".to_owned(),
        MOVE_UNDER => "write `move_to`".to_owned(),
        _ => format!("draw at random with `{bag}.draw(…)`, or select a piece, as `{bag}.find(…)`"),
    };
    (format!("`{bag}` is a bag, which has no order and no `{word}`"), help)
}

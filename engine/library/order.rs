//! What goes by the order of a zone, which a bag has not.

use super::recognized::{MOVE_UNDER, SHUFFLE};

/// What is said of a function that goes by order, asked of a bag; and what to write instead.
pub fn without_order(bag: &str, word: &str) -> (String, String) {
    let help = match word {
        SHUFFLE => "take it out: every draw from a bag is at random".to_owned(),
        MOVE_UNDER => "write `move_to`".to_owned(),
        _ => format!("draw at random with `{bag}.draw(…)`, or name what is meant, as `{bag}.find(…)`"),
    };
    (format!("`{bag}` is a bag, which has no order: no `{word}`"), help)
}

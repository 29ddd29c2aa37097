//! Functions and properties of the library that other parts recognize by their names in rules: each is declared under the name that
//! stands here.

/// Gives the seat on turn another turn.
pub(crate) const AGAIN: &str = "again";

/// The lowest piece of a place.
pub(crate) const BOTTOM: &str = "bottom";

/// Asks a seat, which may decline.
pub(crate) const CHOOSE_OR_PASS: &str = "choose_or_pass";

/// Whether something is among others: what `in` asks.
pub(crate) const CONTAINS: &str = "contains";

/// Takes a seat out of the game.
pub(crate) const ELIMINATE: &str = "eliminate";

/// Stops with a message where something does not hold.
pub(crate) const ENSURE: &str = "ensure";

/// The first of several things, or `()` of none.
pub(crate) const FIRST: &str = "first";

/// Whether there is none.
pub(crate) const IS_EMPTY: &str = "is_empty";

/// The last of several things, or `()` of none.
pub(crate) const LAST: &str = "last";

/// Moves pieces below what lies there.
pub(crate) const MOVE_UNDER: &str = "move_under";

/// Gives the next turn to a seat.
pub(crate) const NEXT_TURN: &str = "next_turn";

/// Lists what lies in a zone or on a space.
pub(crate) const PIECES: &str = "pieces";

/// Lists what lies in all zones of a seat.
pub(crate) const PIECES_OF: &str = "pieces_of";

/// Draws a random number; with the number of sides alone it tells everybody.
pub(crate) const ROLL: &str = "roll";

/// Announces a declared text.
pub(crate) const SAY: &str = "say";

/// Makes a seat the first one.
pub(crate) const SET_FIRST: &str = "set_first";

/// Puts a pile in random order.
pub(crate) const SHUFFLE: &str = "shuffle";

/// Counts something under a name.
pub(crate) const TALLY: &str = "tally";

/// The uppermost piece of a place.
pub(crate) const TOP: &str = "top";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::registry;

    #[test]
    fn what_is_recognized_is_declared() {
        let all = [
            AGAIN,
            BOTTOM,
            CHOOSE_OR_PASS,
            CONTAINS,
            ELIMINATE,
            ENSURE,
            FIRST,
            IS_EMPTY,
            LAST,
            MOVE_UNDER,
            NEXT_TURN,
            PIECES,
            PIECES_OF,
            ROLL,
            SAY,
            SET_FIRST,
            SHUFFLE,
            TALLY,
            TOP,
        ];
        for name in all {
            assert!(registry().entries.iter().any(|entry| entry.name == name), "{name}");
        }
    }
}

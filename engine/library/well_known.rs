//! Names of library functions that other parts of the engine treat specially when they occur in rules.

/// Gives the active seat another turn.
pub(crate) const AGAIN: &str = "again";

/// Bottom piece of a stack.
pub(crate) const BOTTOM: &str = "bottom";

/// Asks a seat that may decline.
pub(crate) const CHOOSE_OR_PASS: &str = "choose_or_pass";

/// Membership test, as with `in`.
pub(crate) const CONTAINS: &str = "contains";

/// Removes a seat from the game.
pub(crate) const ELIMINATE: &str = "eliminate";

/// Stops with a message if a condition is false.
pub(crate) const ENSURE: &str = "ensure";

/// First element, or `()` if there is none.
pub(crate) const FIRST: &str = "first";

/// Whether a collection has no elements.
pub(crate) const IS_EMPTY: &str = "is_empty";

/// Last element, or `()` if there is none.
pub(crate) const LAST: &str = "last";

/// Lets seats learn a condition on pieces.
pub(crate) const LEARN: &str = "learn";

/// Moves pieces on top of those that are already there.
pub(crate) const MOVE_TO: &str = "move_to";

/// Moves pieces below those that are already there.
pub(crate) const MOVE_UNDER: &str = "move_under";

/// Makes public the kind that all pieces of a zone have.
pub(crate) const NARROW: &str = "narrow";

/// Gives the next turn to a seat.
pub(crate) const NEXT_TURN: &str = "next_turn";

/// Pieces in a zone or on a space.
pub(crate) const PIECES: &str = "pieces";

/// Pieces in all zones of a seat.
pub(crate) const PIECES_OF: &str = "pieces_of";

/// Lets seats respond to an action.
pub(crate) const RESPOND: &str = "respond";

/// Random number. With only the number of sides as its argument, the result is public.
pub(crate) const ROLL: &str = "roll";

/// Announces a declared text.
pub(crate) const SAY: &str = "say";

/// Makes a seat the first player.
pub(crate) const SET_FIRST: &str = "set_first";

/// Shuffles a pile.
pub(crate) const SHUFFLE: &str = "shuffle";

/// Adds to a named counter.
pub(crate) const TALLY: &str = "tally";

/// Top piece of a stack.
pub(crate) const TOP: &str = "top";

/// The elements of a collection whose fact satisfies a condition.
pub(crate) const WHERE: &str = "where";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::registry;

    #[test]
    fn well_known_names_are_registered() {
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
            LEARN,
            MOVE_TO,
            MOVE_UNDER,
            NARROW,
            NEXT_TURN,
            PIECES,
            PIECES_OF,
            ROLL,
            SAY,
            SET_FIRST,
            SHUFFLE,
            TALLY,
            TOP,
            WHERE,
        ];
        for name in all {
            assert!(registry().entries.iter().any(|entry| entry.name == name), "{name}");
        }
    }
}

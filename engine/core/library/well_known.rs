//! Names of library functions that other parts of the engine treat specially when they occur in rules.

/// Function that gives the active seat another turn.
pub(crate) const AGAIN: &str = "again";

/// Function that returns a quantity as altered by the pieces in force.
pub(crate) const ALTERED: &str = "altered";

/// Property for the bottom piece of a stack.
pub(crate) const BOTTOM: &str = "bottom";

/// Function that asks a seat that may decline.
pub(crate) const CHOOSE_OR_PASS: &str = "choose_or_pass";

/// Function for membership tests, as with `in`.
pub(crate) const CONTAINS: &str = "contains";

/// Function that counts the elements of a collection.
pub(crate) const COUNT: &str = "count";

/// Function that draws pieces from a pile.
pub(crate) const DRAW: &str = "draw";

/// Function that draws pieces from a pile, as many as there are.
pub(crate) const DRAW_UP_TO: &str = "draw_up_to";

/// Function that removes a seat from the game.
pub(crate) const ELIMINATE: &str = "eliminate";

/// Function that stops with a message if a condition is false.
pub(crate) const ENSURE: &str = "ensure";

/// Property for the first element, or `()` if there is none.
pub(crate) const FIRST: &str = "first";

/// Function that tells whether a collection has no elements.
pub(crate) const IS_EMPTY: &str = "is_empty";

/// Property for the last element, or `()` if there is none.
pub(crate) const LAST: &str = "last";

/// Function that lets seats learn a condition that pieces satisfy.
pub(crate) const LEARN: &str = "learn";

/// Function that moves pieces on top of those already there.
pub(crate) const MOVE_TO: &str = "move_to";

/// Function that moves pieces below those already there.
pub(crate) const MOVE_UNDER: &str = "move_under";

/// Function that tells all seats that every piece in a zone belongs to a certain kind or component.
pub(crate) const NARROW: &str = "narrow";

/// Function that gives the next turn to a seat.
pub(crate) const NEXT_TURN: &str = "next_turn";

/// Property for the pieces in a zone or on a space.
pub(crate) const PIECES: &str = "pieces";

/// Function that returns the pieces in all zones of a seat.
pub(crate) const PIECES_OF: &str = "pieces_of";

/// Function that lets seats respond to an action.
pub(crate) const RESPOND: &str = "respond";

/// Function that rolls a random number. If the number of sides is the only argument, the result is public.
pub(crate) const ROLL: &str = "roll";

/// Function that makes a declared announcement.
pub(crate) const SAY: &str = "say";

/// Function that makes a seat the first player.
pub(crate) const SET_FIRST: &str = "set_first";

/// Function that shuffles a pile.
pub(crate) const SHUFFLE: &str = "shuffle";

/// Function that adds to a named counter.
pub const TALLY: &str = "tally";

/// Property for the top piece of a stack.
pub(crate) const TOP: &str = "top";

/// Function that returns the elements of a collection whose fact satisfies a condition.
pub(crate) const WHERE: &str = "where";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::registry;

    #[test]
    fn well_known_names_are_registered() {
        let all = [
            AGAIN,
            ALTERED,
            BOTTOM,
            CHOOSE_OR_PASS,
            CONTAINS,
            DRAW,
            DRAW_UP_TO,
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

//! Functions of the library that other parts recognize by their names in rules: each is declared under the name that stands here.

/// Stops with a message where something does not hold.
pub(crate) const ENSURE: &str = "ensure";

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

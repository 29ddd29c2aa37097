//! A word as the game's files write it.

use crate::diagnostic::Place;

/// Where a word is written, as a key or in quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The first place.
    pub place: Place,
    /// How often in all.
    pub times: usize,
}

//! Occurrences of words in a game's files.

use crate::diagnostic::Place;

/// Occurrences of a word, as a key or as a quoted string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The first occurrence.
    pub place: Place,
    /// Number of occurrences.
    pub times: usize,
}

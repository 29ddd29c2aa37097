//! What was rejected, and why that held.

use crate::diagnostic::Place;

/// A `reject` that held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// Where it stands.
    pub place: Option<Place>,
    /// What was rejected, as it is written.
    pub line: String,
    /// Why it cannot be chosen.
    pub why: String,
}

//! Rejected options.

use crate::diagnostic::Place;

/// A `reject` statement that succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// Place of the statement.
    pub place: Option<Place>,
    /// Text of the statement.
    pub line: String,
    /// Reason why the option is not offered.
    pub why: String,
}

//! Numbers on the table that nobody sets.

use super::{NamedFunction, Owner, Text};
use std::sync::Arc;

/// A number that a function of the rules works out whenever somebody looks at the table: what a share is worth, how many points
/// a seat has so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derived {
    /// The word for it in files and messages.
    pub id: Arc<str>,
    /// What people call it.
    pub name: Text,
    /// What has it: the game, each seat or each component of a kind.
    pub owner: Owner,
    /// The function, given what has it, or nothing where the game has.
    pub named: NamedFunction,
}

//! Numbers on the table that nobody sets.

use super::{FamilyId, NamedFunction, Owner, Text};
use std::sync::Arc;

/// A number that a function of the rules calculates whenever a viewer looks at the table: what a share is worth, how many points
/// a seat has so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derived {
    /// The word for it in files and messages.
    pub id: Arc<str>,
    /// What people call it.
    pub name: Text,
    /// What has it: the game, each seat, each component of a kind or each piece.
    pub owner: Owner,
    /// The zones in which a piece has it; all but the box where none is named.
    pub on: Vec<FamilyId>,
    /// The function, given what has it, or nothing where the game has.
    pub named: NamedFunction,
}

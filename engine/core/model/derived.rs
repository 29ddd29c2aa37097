//! Derived numbers: shown on the table, but computed by rules instead of set.

use super::{FamilyId, NamedFunction, Owner, Text};
use std::sync::Arc;

/// A number that a rule function computes whenever a viewer looks at the table, such as the value of a share or a seat's points so
/// far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derived {
    /// Identifier in files and messages.
    pub id: Arc<str>,
    /// Display name.
    pub name: Text,
    /// Type of the owners of the number: the game, the seats, the components of a kind, or pieces.
    pub owner: Owner,
    /// Zones in which a piece has the number. If empty, pieces have it in all zones except the box.
    pub on: Vec<FamilyId>,
    /// The function. It takes the owner as its argument, or no argument if the game is the owner.
    pub named: NamedFunction,
}

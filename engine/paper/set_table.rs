//! Snapshots of a game for its rulebook: the table after the setup, and an example of play.

use crate::model::{ComponentId, KindId, Model, Seat, SpaceId, ValueId};
use std::sync::Arc;

/// The table after the setup, as the first player sees it.
#[derive(Debug, Clone)]
pub struct SetTable {
    /// Model of the game for the number of players at this table.
    pub model: Arc<Model>,
    /// Whether the table shows the end of the setup. If there is no setup, or it has loops or decisions, or it fails, the table shows the
    /// first decision of the game instead.
    pub is_after_setup: bool,
    /// Pieces on each space, from bottom to top. Indexed by space.
    pub spaces: Vec<Vec<SetPiece>>,
    /// Markers that values put on spaces.
    pub markers: Vec<Marker>,
    /// Numeric values of the first player.
    pub values: Vec<(ValueId, i64)>,
}

/// A piece on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetPiece {
    /// Component on the face of the piece, and its owner if it has one. `None` if the first player does not see the face.
    pub face: Option<(ComponentId, Option<Seat>)>,
    /// Kind whose back the piece shows if its face is hidden.
    pub back: KindId,
    /// Whether the piece lies face up.
    pub is_up: bool,
}

/// A marker that a value puts on a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marker {
    /// Space on which the marker lies.
    pub space: SpaceId,
    /// Owner of the value.
    pub of: MarkerOf,
}

/// Owner of a value that puts a marker on a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkerOf {
    /// The game.
    Game,
    /// A seat.
    Seat(Seat),
    /// A component.
    Component(ComponentId),
}

/// A part of the log of a game, as an example of play.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Example {
    /// Number of players of the game.
    pub players: u8,
    /// Log lines. Lines about rounds are not indented, lines about phases are indented by two spaces, and other lines by at least four.
    pub lines: Vec<String>,
}

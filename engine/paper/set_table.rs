//! Snapshots of a game for its rulebook: the table after the setup, and an example of play.

use crate::model::{ComponentId, KindId, Model, Seat, SpaceId, ValueId};
use std::sync::Arc;

/// The table after the setup, as the first player sees it.
#[derive(Debug, Clone)]
pub struct SetTable {
    /// The model of this number of players.
    pub model: Arc<Model>,
    /// Whether the table shows the end of the setup; otherwise it shows the first decision, because the setup asks questions.
    pub is_after_setup: bool,
    /// Pieces on each space, by space, from the bottom up.
    pub spaces: Vec<Vec<SetPiece>>,
    /// Markers that values put on spaces.
    pub markers: Vec<Marker>,
    /// Values of the first player that are numbers.
    pub values: Vec<(ValueId, i64)>,
}

/// A piece on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetPiece {
    /// Its face, if the first player sees it.
    pub face: Option<(ComponentId, Option<Seat>)>,
    /// The kind whose back it shows otherwise.
    pub back: KindId,
    /// Whether it lies face up.
    pub is_up: bool,
}

/// A marker that a value puts on a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marker {
    /// The space.
    pub space: SpaceId,
    /// The seat or component whose value it is.
    pub of: MarkerOf,
}

/// Owner of a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkerOf {
    /// The game.
    Game,
    /// A seat.
    Seat(Seat),
    /// A component.
    Component(ComponentId),
}

/// A part of a game as an example.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Example {
    /// Number of players of the game.
    pub players: u8,
    /// Lines of the log. Those of rounds are not indented, those of phases by two spaces, others by four.
    pub lines: Vec<String>,
}

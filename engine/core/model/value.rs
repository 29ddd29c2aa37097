//! Values: declared facts that change during play.

use super::{FaceDownVisibility, FamilyId, KindId, Text};
use std::sync::Arc;

/// The kind of thing that has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The game as a whole.
    Game,
    /// Each seat.
    Seat,
    /// Each component of the given kind.
    Component(KindId),
    /// Each piece; of the given kind, if any.
    Piece(Option<KindId>),
    /// Each space of the given zone.
    Space(FamilyId),
    /// Each pair: each member of the first party has a table with an entry for each member of the second.
    Pair(Party, Party),
}

/// One side of a table of values for pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Party {
    /// Each seat.
    Seat,
    /// Each component of a kind.
    Component(KindId),
}

/// Type of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueType {
    /// An integer.
    Number,
    /// A Boolean.
    Flag,
    /// One of these words.
    Word(Vec<Arc<str>>),
    /// A seat, or nothing.
    Seat,
    /// A component, of the given kind if any, or nothing.
    Component(Option<KindId>),
    /// A space, of the given zone if any, or nothing.
    Space(Option<FamilyId>),
    /// A piece that everybody who sees the value can follow, or nothing.
    Piece,
}

/// The period after which a value is reset to its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResetPeriod {
    /// Until the game ends.
    Game,
    /// Until the round ends.
    Round,
    /// Until the phase ends.
    Phase,
    /// Until the turn of the seat ends, including all its steps. Outside of turns, until the step ends.
    Turn,
}

/// Means of keeping a value when the game is played on paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnPaper {
    /// With money: notes of usual denominations, or the pieces of a kind.
    Money(Option<KindId>),
    /// With a marker on a track.
    Track,
    /// Written down.
    Written,
    /// Not at all.
    Nothing,
}

/// A declared value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// Identifier in files and scripts.
    pub id: Arc<str>,
    /// Display name.
    pub name: Text,
    /// The kind of thing that has the value.
    pub owner: Owner,
    /// Type of the value; of a list, type of each entry.
    pub kind: ValueType,
    /// Maximum number of entries, if the value is a list. `None` for single values.
    pub most: Option<u16>,
    /// Initial content of a slot (see [`Value::NOTHING`]). Spaces are given by their position in their zone.
    pub start: i64,
    /// Smallest allowed number.
    pub min: Option<i64>,
    /// Largest allowed number.
    pub max: Option<i64>,
    /// Whether a number is clamped to its bounds. If not, exceeding a bound is a fault.
    pub stops: bool,
    /// Period after which the value is reset.
    pub lasts: ResetPeriod,
    /// Zones in which a piece keeps the value; it is reset when the piece leaves them. Empty for all zones.
    pub on: Vec<FamilyId>,
    /// Visibility of the value.
    pub seen_by: FaceDownVisibility,
    /// Whether the log omits changes of the value.
    pub is_quiet: bool,
    /// Whether the value is shown to people. This does not restrict knowledge: agents receive the value, and rules may read it.
    pub is_shown: bool,
    /// Means of keeping the value on paper, if the author declares one.
    pub on_paper: Option<OnPaper>,
    /// Field that identifies a space to people, for values that are spaces. `None` for the space's label.
    pub reads: Option<Arc<str>>,
    /// First slot on the table. The slots of all holders are consecutive.
    pub slot: usize,
    /// Total number of slots.
    pub slots: usize,
    /// Number of slots for each holder: 1 for a single value; for a list, its length followed by its entries.
    pub width: usize,
}

impl Value {
    /// Returns whether everybody sees the value.
    pub fn is_public(&self) -> bool {
        self.seen_by == FaceDownVisibility::Everybody
    }

    /// Returns whether the value is a single number.
    pub fn is_number(&self) -> bool {
        self.kind == ValueType::Number && self.most.is_none()
    }

    /// Returns whether a raw slot alone cannot show the value, because it is a list or a piece.
    pub fn is_held(&self) -> bool {
        self.most.is_some() || self.kind == ValueType::Piece
    }

    /// Slot content for "nothing".
    pub const NOTHING: i64 = i64::MIN;
}

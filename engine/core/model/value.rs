//! Values: declared variables that change during play.

use super::{FaceDownVisibility, FamilyId, KindId, Text};
use std::sync::Arc;

/// Type of the owners of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The game as a whole.
    Game,
    /// Each seat.
    Seat,
    /// Each component of the given kind.
    Component(KindId),
    /// Each piece, or each piece of the given kind.
    Piece(Option<KindId>),
    /// Each space of the given zone.
    Space(FamilyId),
    /// Each pair of members of two parties. Each member of the first party has a table with an entry for each member of the second.
    Pair(Party, Party),
}

/// One of the two dimensions of a table of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Party {
    /// Each seat.
    Seat,
    /// Each component of the given kind.
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
    /// A component, or nothing. If a kind is given, the component is of this kind.
    Component(Option<KindId>),
    /// A space, or nothing. If a zone is given, the space is in this zone.
    Space(Option<FamilyId>),
    /// A piece, or nothing. Everybody who sees the value must be able to keep track of the piece.
    Piece,
}

/// Period after which a value is reset to its initial content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResetPeriod {
    /// The whole game.
    Game,
    /// A round.
    Round,
    /// A phase.
    Phase,
    /// A seat's turn, including all its steps. Outside turns, a single step.
    Turn,
}

/// Means of recording a value when the game is played on paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnPaper {
    /// Money: notes of usual denominations, or the pieces of a kind.
    Money(Option<KindId>),
    /// A marker on a track.
    Track,
    /// A written note.
    Written,
    /// No record.
    Nothing,
}

/// A declared value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// Identifier in files and scripts.
    pub id: Arc<str>,
    /// Display name.
    pub name: Text,
    /// Type of the owners of the value.
    pub owner: Owner,
    /// Type of the value, or of each entry if the value is a list.
    pub kind: ValueType,
    /// Maximum number of entries, if the value is a list. `None` for single values.
    pub most: Option<u16>,
    /// Initial content of a slot (see [`Value::NOTHING`]). A space is given by its position in its zone.
    pub start: i64,
    /// Smallest allowed number.
    pub min: Option<i64>,
    /// Largest allowed number.
    pub max: Option<i64>,
    /// Whether a number is clamped to its bounds. If not, exceeding a bound is a fault.
    pub stops: bool,
    /// Period after which the value is reset.
    pub lasts: ResetPeriod,
    /// Zones in which a piece keeps the value. When the piece leaves these zones, the value is reset. Empty if the piece keeps the value in
    /// all zones.
    pub on: Vec<FamilyId>,
    /// Visibility of the value.
    pub seen_by: FaceDownVisibility,
    /// Whether the log omits changes of the value.
    pub is_quiet: bool,
    /// Whether the value is shown to people. This does not restrict knowledge: agents receive the value, and rules may read it.
    pub is_shown: bool,
    /// Means of recording the value on paper, if the author declares one.
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

    /// Returns whether the value is a list or a piece. The raw content of a single slot does not suffice to show such a value.
    pub fn is_held(&self) -> bool {
        self.most.is_some() || self.kind == ValueType::Piece
    }

    /// Slot content for "nothing".
    pub const NOTHING: i64 = i64::MIN;
}

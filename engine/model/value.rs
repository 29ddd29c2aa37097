//! Declared facts that change during play.

use super::{FamilyId, KindId, Seen, Text};
use std::sync::Arc;

/// What a value belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The game as a whole.
    Game,
    /// Each seat.
    Seat,
    /// Each component of a kind.
    Component(KindId),
    /// Each piece (of a kind, if one is named).
    Piece(Option<KindId>),
    /// Each space of a zone.
    Space(FamilyId),
    /// Each pair of two such things: the first has a table, with an entry for each of the others.
    Pair(Party, Party),
}

/// What stands on one side of a table of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Party {
    /// Each seat.
    Seat,
    /// Each component of a kind.
    Component(KindId),
}

/// What a value may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueType {
    /// A whole number.
    Number,
    /// Yes or no.
    Flag,
    /// One of these words.
    Word(Vec<Arc<str>>),
    /// A seat, or nothing yet.
    Seat,
    /// A component (of the kind, if one is named), or nothing yet.
    Component(Option<KindId>),
    /// A space (of the zone, if one is named), or nothing yet.
    Space(Option<FamilyId>),
    /// A piece, or nothing yet: one that all who see the value can follow.
    Piece,
}

/// How long a value keeps what it was set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lasts {
    /// Until the game ends.
    Game,
    /// Until the round ends.
    Round,
    /// Until the phase ends.
    Phase,
    /// Until the turn of a seat ends, with all its steps; outside of turns, until the step ends.
    Turn,
}

/// A declared value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The word for it in files and scripts.
    pub id: Arc<str>,
    /// What people call it.
    pub name: Text,
    /// What has it.
    pub owner: Owner,
    /// What it may be, or each entry of it where it is a list.
    pub kind: ValueType,
    /// The most entries it may have, where it is a list.
    pub most: Option<u16>,
    /// What it is at the start, as the table stores it (see [`Value::NOTHING`]). A space is given by its position in its zone.
    pub start: i64,
    /// The smallest number allowed.
    pub min: Option<i64>,
    /// The largest number allowed.
    pub max: Option<i64>,
    /// Whether a number stays at a bound instead of being at fault beyond it.
    pub stops: bool,
    /// How long it lasts.
    pub lasts: Lasts,
    /// The zones a piece keeps the value in; it returns to its start elsewhere. Empty for everywhere.
    pub on: Vec<FamilyId>,
    /// Who sees it.
    pub seen_by: Seen,
    /// Whether its changes are bookkeeping, which nobody sees in the log.
    pub is_quiet: bool,
    /// Whether people see it on the table. Who may know it is another matter: programs get it, and rules go by it.
    pub is_shown: bool,
    /// The field of a space by which people read a value that is a space; its label otherwise.
    pub reads: Option<Arc<str>>,
    /// Its first slot on the table; the slots of all its holders follow each other.
    pub slot: usize,
    /// How many slots it has.
    pub slots: usize,
    /// How many of them each holder has: one, or of a list how long it is and then its entries.
    pub width: usize,
}

impl Value {
    /// Whether everybody sees it.
    pub fn is_public(&self) -> bool {
        self.seen_by == Seen::Everybody
    }

    /// Whether it is one number for each holder, and no list.
    pub fn is_number(&self) -> bool {
        self.kind == ValueType::Number && self.most.is_none()
    }

    /// Whether it holds more than the number of a slot says to everybody: several entries, or a piece.
    pub fn is_held(&self) -> bool {
        self.most.is_some() || self.kind == ValueType::Piece
    }

    /// What the table stores for "nothing yet".
    pub const NOTHING: i64 = i64::MIN;
}

//! Structured statements about the table. Every narration, in any language, makes exactly these statements.

use crate::model::{ComponentId, Seat, SpaceId, ValueId, ZoneId};
use crate::table::Holder;

/// The visible face of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Face {
    /// The printed component.
    pub component: ComponentId,
    /// Owner of the piece, shown by its color.
    pub owner: Option<Seat>,
    /// Number of clockwise turns, or index of the face that a die shows; `None` if the reader does not know it.
    pub turned: Option<u8>,
}

/// Pieces with the same face that moved from one space to another, or are in one space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lot {
    /// Their face; `None` if the reader does not know it.
    pub face: Option<Face>,
    /// Number of pieces.
    pub count: usize,
    /// The space where they were.
    pub from: SpaceId,
    /// The space where they are.
    pub to: SpaceId,
}

/// A statement about the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Pieces moved from one zone to another.
    Moved(Vec<Lot>),
    /// A piece moved as the sentence about the answer says. Either no other piece has its face, or the reader does not
    /// know its face.
    Carried {
        /// Its face.
        face: Option<Face>,
        /// Where it was. If the reader does not know the piece, only the answering seat is given.
        from: SpaceId,
        /// Where it is.
        to: SpaceId,
    },
    /// A value is now the thing that the sentence about the answer names.
    Kept {
        /// The value.
        value: ValueId,
        /// Its owner.
        holder: Holder,
        /// Its content.
        now: i64,
    },
    /// Pieces were turned over or shown.
    Shown(Vec<Lot>),
    /// A piece was turned, or a die was rolled.
    Turned {
        /// Its face afterwards.
        face: Option<Face>,
        /// The space where it is.
        space: SpaceId,
    },
    /// A value changed one or more times.
    Set {
        /// The value.
        value: ValueId,
        /// Its owner.
        holder: Holder,
        /// All contents, from the initial to the final one.
        course: Vec<i64>,
    },
    /// The content of a value that is a list or a piece.
    Held {
        /// The value.
        value: ValueId,
        /// Its owner.
        holder: Holder,
        /// Its entries, in the form that the table stores.
        entries: Vec<i64>,
    },
    /// All pieces of a zone moved into another one and were shuffled.
    Refilled {
        /// The zone that was refilled.
        zone: ZoneId,
        /// The zone where the pieces were.
        from: ZoneId,
    },
    /// A seat was eliminated.
    Eliminated(Seat),
    /// A space was shuffled.
    Shuffled(SpaceId),
    /// A number was drawn.
    Drawn(i64),
}

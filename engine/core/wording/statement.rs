//! Structured statements about the table. Narrations in all languages make the same statements.

use crate::model::{ComponentId, Seat, SpaceId, ValueId, ZoneId};
use crate::table::Holder;

/// The visible face of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Face {
    /// The printed component.
    pub component: ComponentId,
    /// Owner of the piece, shown by its color.
    pub owner: Option<Seat>,
    /// Number of clockwise turns, or index of the visible face of a die; `None` if the reader does not know it.
    pub turned: Option<u8>,
}

/// Pieces with the same face that moved from one space to another, or are in one space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lot {
    /// Face of the pieces; `None` if the reader does not know it.
    pub face: Option<Face>,
    /// Number of pieces.
    pub count: usize,
    /// Space where the pieces were.
    pub from: SpaceId,
    /// Space where the pieces are now.
    pub to: SpaceId,
}

/// A statement about the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Pieces moved. Each [`Lot`] has its own source and destination.
    Moved(Vec<Lot>),
    /// A piece moved as described by the sentence about the answer. Either no other piece has its face, or the reader does not know its
    /// face.
    Carried {
        /// Face of the piece; `None` if the reader does not know it.
        face: Option<Face>,
        /// Space where the piece was. If the reader does not know the piece, the sentence only implies that the space belongs to the
        /// answering seat.
        from: SpaceId,
        /// Space where the piece is now.
        to: SpaceId,
    },
    /// A value was set to the object that the sentence about the answer names.
    Kept {
        /// The value that was set.
        value: ValueId,
        /// Owner of the value.
        holder: Holder,
        /// Content of the value.
        now: i64,
    },
    /// Pieces were turned over or shown.
    Shown(Vec<Lot>),
    /// A piece was turned, or a die was rolled.
    Turned {
        /// Face of the piece after it was turned; `None` if the reader does not know it.
        face: Option<Face>,
        /// Space where the piece is.
        space: SpaceId,
    },
    /// A value changed one or more times.
    Set {
        /// The value that changed.
        value: ValueId,
        /// Owner of the value.
        holder: Holder,
        /// All contents of the value, from the first to the last.
        course: Vec<i64>,
    },
    /// The content of a value that holds a list or a piece.
    Held {
        /// The value.
        value: ValueId,
        /// Owner of the value.
        holder: Holder,
        /// Entries of the value, in the format that the table stores.
        entries: Vec<i64>,
    },
    /// All pieces of a zone were moved into another zone and shuffled.
    Refilled {
        /// The zone that was refilled.
        zone: ZoneId,
        /// Zone where the pieces were.
        from: ZoneId,
    },
    /// A seat was eliminated.
    Eliminated(Seat),
    /// The pieces on a space were shuffled.
    Shuffled(SpaceId),
    /// A number was drawn.
    Drawn(i64),
}

//! What a narration says of the table, as data: what every language prints, and no more.

use crate::model::{ComponentId, Seat, SpaceId, ValueId, ZoneId};
use crate::table::Holder;

/// What is seen of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Face {
    /// What is printed on it.
    pub component: ComponentId,
    /// Whose color it has.
    pub owner: Option<Seat>,
    /// How often it is turned clockwise, or which face a die shows; nothing where the reader does not know it.
    pub turned: Option<u8>,
}

/// Pieces of one face that went from one space to one space, or lie in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lot {
    /// What is seen of them; nothing where the reader does not know them.
    pub face: Option<Face>,
    /// How many.
    pub count: usize,
    /// Where they were.
    pub from: SpaceId,
    /// Where they are.
    pub to: SpaceId,
}

/// One thing that a narration says of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Pieces went from one zone to another.
    Moved(Vec<Lot>),
    /// A piece went where the answer just told says: the only one that has this face, or one that the reader does not know.
    Carried {
        /// What is seen of it.
        face: Option<Face>,
        /// Where it was; for a piece that the reader does not know, printed as the name of the seat that answered.
        from: SpaceId,
        /// Where it is.
        to: SpaceId,
    },
    /// A value is what the answer just told names.
    Kept {
        /// Which value.
        value: ValueId,
        /// Whose.
        holder: Holder,
        /// What it is.
        now: i64,
    },
    /// Pieces were turned over or shown.
    Shown(Vec<Lot>),
    /// A piece was turned, or a die thrown.
    Turned {
        /// What is seen of it now.
        face: Option<Face>,
        /// Where it lies.
        space: SpaceId,
    },
    /// A value went through these numbers.
    Set {
        /// Which value.
        value: ValueId,
        /// Whose.
        holder: Holder,
        /// From what it was to what it is.
        course: Vec<i64>,
    },
    /// A value that is a list, or a piece, is this.
    Held {
        /// Which value.
        value: ValueId,
        /// Whose.
        holder: Holder,
        /// Its entries, as the table stores them.
        entries: Vec<i64>,
    },
    /// All pieces of one zone went into another and were shuffled.
    Refilled {
        /// The zone that was empty.
        zone: ZoneId,
        /// Where they were.
        from: ZoneId,
    },
    /// A seat was taken out of the game.
    Eliminated(Seat),
    /// A space was shuffled.
    Shuffled(SpaceId),
    /// A number was drawn.
    Drawn(i64),
}

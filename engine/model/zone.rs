//! Declared places for pieces.

use super::{ComponentId, FamilyId, FieldType, FieldValue, KindId, Seat, SpaceId, Text, ZoneId};
use indexmap::IndexMap;
use std::fmt;
use std::sync::Arc;

/// The name of the zone every game has, for what no other zone starts with.
pub const BOX: &str = "box";

/// How the pieces of a zone lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One ordered stack.
    Pile,
    /// One heap without order.
    Hand,
    /// A hand that nobody sees into.
    Bag,
    /// Spaces in a line.
    Row,
    /// Spaces in a line whose ends meet.
    Ring,
    /// Squares in columns and rows.
    Grid,
    /// Hexagons in axial coordinates: a column and a row, and six neighbors.
    Hex(Tops),
}

/// How hexagons stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tops {
    /// With a corner up: beside each other along rows.
    Pointy,
    /// With an edge up: below each other along columns.
    Flat,
}

impl Shape {
    /// Whether its spaces have a column and a row: squares or hexagons.
    pub const fn is_grid(self) -> bool {
        matches!(self, Self::Grid | Self::Hex(_))
    }

    /// How its hexagons stand, if it has hexagons.
    pub const fn tops(self) -> Option<Tops> {
        if let Self::Hex(tops) = self { Some(tops) } else { None }
    }

    /// Whether order within the zone carries no meaning, so that a seat that does not see in loses track of single pieces.
    pub const fn is_unordered(self) -> bool {
        matches!(self, Self::Hand | Self::Bag)
    }

    /// Whether the zone is a single stack rather than several spaces.
    pub const fn is_single(self) -> bool {
        matches!(self, Self::Pile | Self::Hand | Self::Bag)
    }
}

/// Who sees the face-down pieces of a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// No seat.
    Nobody,
    /// The seat the zone belongs to.
    Owner,
    /// The team that the zone belongs to, or that the seat is of to which it belongs.
    Team,
    /// Every seat.
    Everybody,
}

impl Seen {
    /// The words for these in files.
    pub const WORDS: [(&'static str, Self); 4] = [
        (Self::Owner.word(), Self::Owner),
        (Self::Team.word(), Self::Team),
        (Self::Everybody.word(), Self::Everybody),
        (Self::Nobody.word(), Self::Nobody),
    ];

    /// The word used in files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Team => "team",
            Self::Everybody => "everybody",
            Self::Nobody => "nobody",
        }
    }
}

impl Family {
    /// Whether every seat has just one of it.
    pub fn is_one_a_seat(&self) -> bool {
        self.per == [Per::Seat] && self.copies.is_none()
    }

    /// Whether pieces are drawn from it at random: a bag has no order, and the box is looked through.
    pub fn is_bag(&self) -> bool {
        self.shape == Shape::Bag && *self.id != *BOX
    }
}

/// One of the axes along which a family of zones is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Per {
    /// One zone for each seat.
    Seat,
    /// One zone for each component of a kind.
    Kind(KindId),
}

/// What a space, a copy or a cell is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Label {
    /// A number.
    Number(i64),
    /// A word.
    Word(Arc<str>),
    /// Column and row.
    Cell(i16, i16),
}

/// As it is written in scripts, plays and logs: `3`, `left`, `4,2`.
impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
            Self::Cell(column, row) => write!(f, "{column},{row}"),
        }
    }
}

/// Where a family of zones is reached, what may lie there and who sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key of its own in a game's files")]
pub struct Family {
    /// The word for it in files and scripts.
    pub id: Arc<str>,
    /// What people call it.
    pub name: Text,
    /// How pieces lie.
    pub shape: Shape,
    /// The axes it is repeated along, in order, before copies.
    pub per: Vec<Per>,
    /// The labels of its copies, if it has copies: one zone for each.
    pub copies: Option<Vec<Label>>,
    /// Whether pieces arrive face up when the script does not say.
    pub face_up: bool,
    /// Who sees face-down pieces.
    pub seen_by: Seen,
    /// Whether of face-up pieces only the one on top is seen.
    pub shows_top: bool,
    /// Whether its pieces have a word in what others do.
    pub in_force: bool,
    /// Whether what happens on it is left out of the log.
    pub is_quiet: bool,
    /// Whether people see it on the table. Who may know what lies there is another matter: programs get it.
    pub is_shown: bool,
    /// The kinds and components put here when the box is opened.
    pub starts_with: Vec<Content>,
    /// The kinds and components that may ever lie here; empty for all.
    pub accepts: Vec<Content>,
    /// The zone that is shuffled into this one when a draw finds it empty.
    pub refill: Option<FamilyId>,
    /// The zone whose spaces this one repeats.
    pub over: Option<FamilyId>,
    /// Columns of a grid (1 otherwise); of hexagons from the first to the last that any of them is in.
    pub columns: u16,
    /// Rows of a grid (1 otherwise); of hexagons likewise.
    pub rows: u16,
    /// What is printed on its spaces: the fields, with their types.
    pub printed: IndexMap<Arc<str>, FieldType>,
    /// The field by which people read its spaces, where that is not their label.
    pub reads: Option<Arc<str>>,
    /// The zones of this family, consecutive, the last axis running fastest.
    pub zones: std::ops::Range<u16>,
}

/// A kind or a single component, where a zone says what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Every component of a kind.
    Kind(KindId),
    /// One component.
    Component(ComponentId),
}

/// One zone on the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    /// The declaration it comes from.
    pub family: FamilyId,
    /// Whose it is.
    pub seat: Option<Seat>,
    /// The component it stands for, where it is one per component.
    pub of: Option<ComponentId>,
    /// Those of further kinds that it stands for, where it is one for each pair, in the order of its axes.
    pub others: Vec<ComponentId>,
    /// Which copy it is, from 0.
    pub copy: Option<u16>,
    /// Its spaces, consecutive; a grid's run row by row.
    pub spaces: std::ops::Range<u16>,
    /// The name it has in scripts and logs, as `lots[2]` or `Ann.hand` with the seat left out: `hand`.
    pub path: Arc<str>,
}

impl Zone {
    /// The first space, which is the only one of a pile, hand or bag.
    pub const fn space(&self) -> SpaceId {
        SpaceId(self.spaces.start)
    }

    /// The components it stands for, one of each kind along which its declaration is repeated.
    pub fn components(&self) -> impl Iterator<Item = ComponentId> + '_ {
        self.of.into_iter().chain(self.others.iter().copied())
    }
}

/// One space of one zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    /// The zone it is in.
    pub zone: ZoneId,
    /// Its label; a single stack has the label 1.
    pub label: Label,
    /// Its printed fields.
    pub fields: IndexMap<Arc<str>, FieldValue>,
}

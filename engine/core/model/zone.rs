//! Zones: declared places for pieces.

use super::{
    ComponentId, FamilyId, FieldType, FieldValue, HexOrientation, KindId, Seat, SpaceId, Tessellation, Text, ZoneId,
};
use indexmap::IndexMap;
use std::fmt;
use std::sync::Arc;

/// Name of the zone that every game has. Pieces that start in no other zone start there.
pub const BOX: &str = "box";

/// Default tessellation of hexagons.
const POINTY: Tessellation = Tessellation::Hex(HexOrientation::Pointy);

/// Arrangement of the pieces in a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One ordered stack.
    Pile,
    /// One unordered group.
    Hand,
    /// An unordered group that nobody can look into.
    Bag,
    /// A line of spaces.
    Row,
    /// A closed line of spaces.
    Ring,
    /// Spaces with a column and a row.
    Grid(Tessellation),
}

impl Shape {
    /// Keywords for the shapes in a game's files. The key `tops` sets the orientation of hexagons.
    pub const WORDS: [(&'static str, Self); 7] = [
        (Self::Pile.word(), Self::Pile),
        (Self::Hand.word(), Self::Hand),
        (Self::Bag.word(), Self::Bag),
        (Self::Row.word(), Self::Row),
        (Self::Ring.word(), Self::Ring),
        (Self::Grid(Tessellation::Square).word(), Self::Grid(Tessellation::Square)),
        (Self::Grid(POINTY).word(), Self::Grid(POINTY)),
    ];

    /// Returns the keyword for the shape in a game's files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pile => "pile",
            Self::Hand => "hand",
            Self::Bag => "bag",
            Self::Row => "row",
            Self::Ring => "ring",
            Self::Grid(Tessellation::Square) => "grid",
            Self::Grid(Tessellation::Hex(_)) => "hex",
        }
    }

    /// Returns whether the spaces have a column and a row, as squares and hexagons do.
    pub const fn is_grid(self) -> bool {
        matches!(self, Self::Grid(_))
    }

    /// Returns the tessellation of the spaces. Shapes other than grids are treated as a row of squares.
    pub const fn tessellation(self) -> Tessellation {
        match self {
            Self::Grid(tessellation) => tessellation,
            Self::Pile | Self::Hand | Self::Bag | Self::Row | Self::Ring => Tessellation::Square,
        }
    }

    /// Returns whether the order of the pieces in the zone is meaningless. A seat that cannot see into such a zone loses track of the
    /// individual pieces.
    pub const fn is_unordered(self) -> bool {
        matches!(self, Self::Hand | Self::Bag)
    }

    /// Returns whether the zone is a single stack or group rather than several spaces.
    pub const fn is_single(self) -> bool {
        matches!(self, Self::Pile | Self::Hand | Self::Bag)
    }
}

/// Appearance of a grid of squares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum GridLook {
    /// Spaces are squares.
    #[default]
    Squares,
    /// Spaces are the crossings of lines, as in Go.
    Crossings,
}

impl GridLook {
    /// Keywords for the variants in a game's files.
    pub const WORDS: [(&'static str, Self); 2] = [("squares", Self::Squares), ("crossings", Self::Crossings)];
}

/// Edge of a grid at which the first seat sits. The seats of the second half sit at the opposite edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstSeat {
    /// At the last row.
    South,
    /// At the first row.
    North,
}

impl FirstSeat {
    /// Keywords for the variants in a game's files.
    pub const WORDS: [(&'static str, Self); 2] = [("south", Self::South), ("north", Self::North)];

    /// Returns whether a seat sits at the first row.
    pub const fn is_at_north(self, seat: Seat, seats: u8) -> bool {
        let is_opposite = 2 * seat.0 >= seats;
        match self {
            Self::South => is_opposite,
            Self::North => !is_opposite,
        }
    }
}

/// Seats that see the face-down pieces of a zone, or that see a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaceDownVisibility {
    /// No seat.
    Nobody,
    /// The seat that the zone or the value belongs to.
    Owner,
    /// The team that the zone or the value belongs to, or the team of the seat that it belongs to.
    Team,
    /// Every seat.
    Everybody,
}

impl FaceDownVisibility {
    /// Keywords for the variants in a game's files.
    pub const WORDS: [(&'static str, Self); 4] = [
        (Self::Owner.word(), Self::Owner),
        (Self::Team.word(), Self::Team),
        (Self::Everybody.word(), Self::Everybody),
        (Self::Nobody.word(), Self::Nobody),
    ];

    /// Returns the keyword for the variant in a game's files.
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
    /// Returns whether each seat has exactly one zone of this family.
    pub fn is_one_per_seat(&self) -> bool {
        self.per == [Per::Seat] && self.copies.is_none()
    }

    /// Returns whether pieces are drawn from the zone at random. The box has the shape of a bag, but rules pick pieces from it by name.
    pub fn is_bag(&self) -> bool {
        self.shape == Shape::Bag && *self.id != *BOX
    }
}

/// An axis along which a family of zones is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Per {
    /// One zone for each seat.
    Seat,
    /// One zone for each component of a kind.
    Kind(KindId),
}

/// Label of a space, a copy of a zone or a grid cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Label {
    /// A number.
    Number(i64),
    /// A word.
    Word(Arc<str>),
    /// Column and row.
    Cell(i16, i16),
}

/// Formats the label as in scripts, playscripts and logs: `3`, `left`, `4,2`.
impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
            Self::Cell(column, row) => write!(f, "{column},{row}"),
        }
    }
}

/// A declared zone, or a family of similar zones with one declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key of its own in a game's files")]
pub struct Family {
    /// Identifier in files and scripts.
    pub id: Arc<str>,
    /// Display name.
    pub name: Text,
    /// Arrangement of the pieces.
    pub shape: Shape,
    /// Axes along which the zone is repeated, in order. Copies, if any, are a further axis after these.
    pub per: Vec<Per>,
    /// Labels of the copies, if the zone has copies. Each copy is a zone.
    pub copies: Option<Vec<Label>>,
    /// Whether pieces arrive face up unless the script says otherwise.
    pub face_up: bool,
    /// Visibility of face-down pieces.
    pub seen_by: FaceDownVisibility,
    /// Whether only the top piece of a face-up stack is visible.
    pub shows_top: bool,
    /// Whether the modifiers and triggers of pieces apply while the pieces lie here.
    pub in_force: bool,
    /// Whether the log omits what happens in this zone.
    pub is_quiet: bool,
    /// Whether the zone is shown to people. This does not restrict knowledge: agents receive its contents.
    pub is_shown: bool,
    /// Kinds and components that start here.
    pub starts_with: Vec<Content>,
    /// Kinds and components whose pieces may lie here. Empty if there is no restriction.
    pub accepts: Vec<Content>,
    /// Zone whose pieces are shuffled into this zone if this zone is empty when a piece is to be drawn from it.
    pub refill: Option<FamilyId>,
    /// Zone that this zone lies over as a layer, if any. Each space of this zone lies over the corresponding space of that zone.
    pub over: Option<FamilyId>,
    /// Number of columns of a grid; 1 for other shapes. On hexagons, counted from the first to the last column in use.
    pub columns: u16,
    /// Number of rows of a grid; 1 for other shapes. On hexagons, counted from the first to the last row in use.
    pub rows: u16,
    /// Appearance, if the zone is a grid of squares.
    pub look: GridLook,
    /// Edge at which the first seat sits, if the zone is a grid that each seat sees from its own side.
    pub first_seat: Option<FirstSeat>,
    /// Printed fields of the spaces, with their types.
    pub printed: IndexMap<Arc<str>, FieldType>,
    /// Printed field whose value identifies a space to people, instead of the label.
    pub reads: Option<Arc<str>>,
    /// Ids of the zones of this family. The last axis varies fastest.
    pub zones: std::ops::Range<u16>,
}

/// A kind or a single component in a zone's list of contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Every component of a kind.
    Kind(KindId),
    /// One component.
    Component(ComponentId),
}

/// A zone on the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    /// The zone's declaration.
    pub family: FamilyId,
    /// The seat that the zone belongs to, if it is repeated for each seat.
    pub seat: Option<Seat>,
    /// The component that the zone belongs to, if it is repeated for each component of a kind.
    pub of: Option<ComponentId>,
    /// Components of further kinds, in the order of the axes, if the zone is repeated for combinations of components.
    pub others: Vec<ComponentId>,
    /// Index of the copy, counted from 0.
    pub copy: Option<u16>,
    /// Ids of the zone's spaces. The spaces of a grid are in row-major order.
    pub spaces: std::ops::Range<u16>,
    /// Name in scripts and logs without the seat: `lots[2]`, or `hand` for `Ann.hand`.
    pub path: Arc<str>,
}

impl Zone {
    /// Returns the first space, which is the only one of a pile, hand or bag.
    pub const fn space(&self) -> SpaceId {
        SpaceId(self.spaces.start)
    }

    /// Iterates over the components that the zone belongs to, one for each kind along which its family is repeated.
    pub fn components(&self) -> impl Iterator<Item = ComponentId> + '_ {
        self.of.into_iter().chain(self.others.iter().copied())
    }
}

/// A space in a zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    /// The zone that the space is part of.
    pub zone: ZoneId,
    /// Label of the space. The only space of a pile, hand or bag has the label 1.
    pub label: Label,
    /// Printed fields of the space.
    pub fields: IndexMap<Arc<str>, FieldValue>,
}

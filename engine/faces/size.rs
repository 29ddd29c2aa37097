//! How large components are on paper, and what sort of face they have.

use super::printed::says_something;
use crate::model::{Component, ComponentId, Kind, KindId, Model};
use crate::wording::Tiling;

/// How large something is on paper, in millimeters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    /// From left to right.
    pub width: u16,
    /// From top to bottom.
    pub height: u16,
}

/// What sort of thing a component is on paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardShape {
    /// Something with room for words.
    Card,
    /// Something small with a name.
    Token,
    /// A piece of several squares.
    Tile,
    /// The sides of a die in a row.
    Die,
}

/// The size of a card where nothing else is said: that of a game of poker.
const CARD: Size = Size { width: 63, height: 88 };

/// The size of a token where nothing else is said.
const TOKEN: Size = Size { width: 24, height: 24 };

/// The side of one square of a tile, and of a die.
const SQUARE: u16 = 20;
const DIE: u16 = 16;

/// What is less wide than this is a token.
const LEAST_CARD: u16 = 38;

impl Size {
    /// The class of what has this size.
    pub(super) fn class(self) -> String {
        format!("s{}x{}", self.width, self.height)
    }

    /// The rule for what has this size: as on paper, where nothing else says how wide it is, and never another shape.
    pub(super) fn rule(self) -> String {
        let Self { width, height } = self;
        format!(".face.{} {{ width: {width}mm; aspect-ratio: {width} / {height}; }}\n", self.class())
    }

    /// The size of a component of a kind whose cards and tokens have a size.
    fn of_component(model: &Model, id: ComponentId, of_kind: Self) -> Self {
        let component = model.component(id);
        let said = said(model, component.kind);
        let sides = component.faces.len() as u16;
        match CardShape::of_component(component, of_kind) {
            CardShape::Die => Self {
                width: said.map_or(DIE, |size| size.width) * sides,
                height: said.map_or(DIE, |size| size.height),
            },
            CardShape::Tile => said.unwrap_or_else(|| tile(model, component)),
            CardShape::Card | CardShape::Token => of_kind,
        }
    }

    /// The size of the back of a kind, and of all its components that are cards or tokens.
    pub(super) fn of_kind(model: &Model, kind: KindId) -> Self {
        let of = &model.kinds[kind.index()];
        let first = of.components.first().map(|id| model.component(*id));
        if let Some(size) = said(model, kind) {
            return size;
        }
        match first.filter(|component| !component.cells.is_empty()) {
            Some(component) => tile(model, component),
            None if is_card(model, of) => CARD,
            None => TOKEN,
        }
    }
}

/// The sizes of all kinds of a game: to find one, all components of the kind are looked at.
#[derive(Debug)]
pub(super) struct Sizes(Vec<Size>);

impl Sizes {
    pub(super) fn new(model: &Model) -> Self {
        Self((0..model.kinds.len()).map(|kind| Size::of_kind(model, KindId::at(kind))).collect())
    }

    /// The size of the back of a kind.
    pub(super) fn of_kind(&self, kind: KindId) -> Size {
        self.0[kind.index()]
    }

    /// The size of a component.
    pub(super) fn of(&self, model: &Model, id: ComponentId) -> Size {
        Size::of_component(model, id, self.of_kind(model.component(id).kind))
    }

    /// The sort of thing that a component is.
    pub(super) fn shape(&self, model: &Model, id: ComponentId) -> CardShape {
        let component = model.component(id);
        CardShape::of_component(component, self.of_kind(component.kind))
    }
}

impl CardShape {
    /// What sort of thing a component is.
    pub fn of(model: &Model, id: ComponentId) -> Self {
        let component = model.component(id);
        Self::of_component(component, Size::of_kind(model, component.kind))
    }

    fn of_component(component: &Component, of_kind: Size) -> Self {
        if !component.faces.is_empty() {
            Self::Die
        } else if !component.cells.is_empty() {
            Self::Tile
        } else {
            Self::of_size(of_kind)
        }
    }

    /// What sort of thing has a size.
    pub(super) const fn of_size(size: Size) -> Self {
        if size.width < LEAST_CARD || size.height < LEAST_CARD { Self::Token } else { Self::Card }
    }
}

/// The size that is said for a kind, or for another one with the same back: what cannot be told apart is as large.
fn said(model: &Model, kind: KindId) -> Option<Size> {
    let of = &model.kinds[kind.index()];
    let mut alike = model.kinds.iter().filter(|other| other.back == of.back);
    let (width, height) = of.size.or_else(|| alike.find_map(|other| other.size))?;
    Some(Size { width, height })
}

/// How large a tile is: from one edge of its cells to the one opposite, each as long as a square is wide.
fn tile(model: &Model, component: &Component) -> Size {
    let tiling = Tiling { tops: model.cells.tops, side: i32::from(SQUARE) };
    let places: Vec<(i16, i16)> = component.cells.iter().map(|cell| (cell.x.into(), cell.y.into())).collect();
    let ((left, top), (right, bottom)) = tiling.bounds(&places);
    let (wide, high) = tiling.extent_from_center();
    Size { width: (right - left + 2 * wide) as u16, height: (bottom - top + 2 * high) as u16 }
}

/// Whether there is something to read on the components of a kind, or on others with the same back.
fn is_card(model: &Model, kind: &Kind) -> bool {
    let says = |id: &ComponentId| {
        let component = model.component(*id);
        !component.alters.is_empty() || component.fields.values().any(says_something)
    };
    let (mut number, mut is_read) = (0, false);
    for other in model.kinds.iter().filter(|other| other.back == kind.back) {
        number += 1;
        is_read |= other.components.iter().any(says);
    }
    is_read || number > 1
}

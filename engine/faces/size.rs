//! Sizes and shapes of components on paper.

use super::printed::says_something;
use crate::model::{Component, ComponentId, Kind, KindId, Model};
use crate::wording::Tiling;

/// Size on paper in millimeters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    /// Horizontal length.
    pub width: u16,
    /// Vertical length.
    pub height: u16,
}

/// Type of a component on paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardShape {
    /// A component that is large enough for text.
    Card,
    /// A small component, with room for little more than a name.
    Token,
    /// A component that consists of cells.
    Tile,
    /// The faces of a die in a row.
    Die,
}

/// Default size of cards: poker size.
const CARD: Size = Size { width: 63, height: 88 };

/// Default size of tokens.
const TOKEN: Size = Size { width: 24, height: 24 };

/// Side length of a tile's cells, and of a die's faces, in millimeters.
const SQUARE: u16 = 20;
const DIE: u16 = 16;

/// Minimum width and height of a card, in millimeters. Smaller components are tokens.
const LEAST_CARD: u16 = 38;

impl Size {
    /// Returns the CSS class for the size.
    pub(super) fn class(self) -> String {
        format!("s{}x{}", self.width, self.height)
    }

    /// Returns the CSS rule for the size: the width on paper, which other rules may override, and a fixed aspect ratio.
    pub(super) fn rule(self) -> String {
        let Self { width, height } = self;
        format!(".face.{} {{ width: {width}mm; aspect-ratio: {width} / {height}; }}\n", self.class())
    }

    /// Returns the size of a component. `of_kind` is the size of the kind's cards and tokens.
    fn of_component(model: &Model, id: ComponentId, of_kind: Self) -> Self {
        let component = model.component(id);
        let declared = declared_size(model, component.kind);
        let sides = component.faces.len() as u16;
        match CardShape::of_component(component, of_kind) {
            CardShape::Die => Self {
                width: declared.map_or(DIE, |size| size.width) * sides,
                height: declared.map_or(DIE, |size| size.height),
            },
            CardShape::Tile => declared.unwrap_or_else(|| tile_size(model, component)),
            CardShape::Card | CardShape::Token => of_kind,
        }
    }

    /// Returns the size of a kind's back, and of its components that are cards or tokens.
    pub(super) fn of_kind(model: &Model, kind: KindId) -> Self {
        let declared_kind = &model.kinds[kind.index()];
        let first = declared_kind.components.first().map(|id| model.component(*id));
        if let Some(size) = declared_size(model, kind) {
            return size;
        }
        match first.filter(|component| !component.cells.is_empty()) {
            Some(component) => tile_size(model, component),
            None if is_card(model, declared_kind) => CARD,
            None => TOKEN,
        }
    }
}

/// Sizes of all kinds. They are computed once, because each requires examining all components of the kind.
#[derive(Debug)]
pub(super) struct Sizes(Vec<Size>);

impl Sizes {
    pub(super) fn new(model: &Model) -> Self {
        Self((0..model.kinds.len()).map(|kind| Size::of_kind(model, KindId::at(kind))).collect())
    }

    /// Returns the size of a kind's back.
    pub(super) fn back_size(&self, kind: KindId) -> Size {
        self.0[kind.index()]
    }

    /// Returns the size of a component.
    pub(super) fn component_size(&self, model: &Model, id: ComponentId) -> Size {
        Size::of_component(model, id, self.back_size(model.component(id).kind))
    }

    /// Returns the type of a component.
    pub(super) fn shape(&self, model: &Model, id: ComponentId) -> CardShape {
        let component = model.component(id);
        CardShape::of_component(component, self.back_size(component.kind))
    }
}

impl CardShape {
    /// Returns the type of a component.
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

    /// Returns the type of a component of this size that is neither a tile nor a die.
    pub(super) const fn of_size(size: Size) -> Self {
        if size.width < LEAST_CARD || size.height < LEAST_CARD { Self::Token } else { Self::Card }
    }
}

/// Returns the size declared for a kind. If there is none, returns the size of another kind with the same back, since equal backs must have
/// equal sizes.
fn declared_size(model: &Model, kind: KindId) -> Option<Size> {
    let declared_kind = &model.kinds[kind.index()];
    let mut alike = model.kinds.iter().filter(|other| other.back == declared_kind.back);
    let (width, height) = declared_kind.size.or_else(|| alike.find_map(|other| other.size))?;
    Some(Size { width, height })
}

/// Returns the size of a tile: the bounding box of its cells.
fn tile_size(model: &Model, component: &Component) -> Size {
    let tiling = Tiling { tessellation: model.cells.tessellation, side: i32::from(SQUARE) };
    let places: Vec<(i16, i16)> = component.cells.iter().map(|cell| (cell.x.into(), cell.y.into())).collect();
    let ((left, top), (right, bottom)) = tiling.bounds(&places);
    let (wide, high) = tiling.extent_from_center();
    Size { width: (right - left + 2 * wide) as u16, height: (bottom - top + 2 * high) as u16 }
}

/// Returns whether a kind consists of cards: it shares its back with another kind, or a component with this back has effects or printed
/// fields.
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

//! Contents of the box: kinds, components and their printed fields.

use super::{Cell, ComponentId, FieldId, FieldType, FieldValue, KindId, Text};
use crate::diagnostic::Place;
use indexmap::IndexMap;
use std::sync::Arc;

/// A class of components with the same fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// Identifier in files and scripts.
    pub id: Arc<str>,
    /// Display name.
    pub name: Text,
    /// Back of the kind's pieces. Face-down pieces of kinds with the same back look alike.
    pub back: Arc<str>,
    /// Width and height of the kind's pieces on paper in millimeters, if the author set them.
    pub size: Option<(u16, u16)>,
    /// Fields of the kind's components, with their types.
    pub fields: IndexMap<FieldId, FieldType>,
    /// Components of the kind, in the order of the files.
    pub components: Vec<ComponentId>,
}

/// A component: a row of a component list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// Identifier in files, scripts and playscripts.
    pub id: Arc<str>,
    /// Display name.
    pub name: Text,
    /// The kind that the component belongs to.
    pub kind: KindId,
    /// Number of pieces in the box; per seat if [`Component::each_seat`] is set.
    pub count: u16,
    /// Whether every seat has its own `count` pieces in its own color.
    pub each_seat: bool,
    /// Printed fields. The kind decides which fields exist.
    pub fields: IndexMap<FieldId, FieldValue>,
    /// Faces of a die, in order. Empty for components that are not dice.
    pub faces: Vec<FieldValue>,
    /// Cells that a piece of the component covers on a grid, unrotated, row by row. Empty for components that lie on one space.
    pub cells: Vec<Cell>,
    /// Modifiers that apply while a piece of the component lies in a zone that has [`in_force`](super::Family::in_force) set.
    pub alters: Vec<Alteration>,
}

/// A modifier of a quantity that rules read with `altered`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alteration {
    /// The quantity that is modified, as declared under `[altered]`.
    pub what: Arc<str>,
    /// Conditions on the facts of a query. Each consists of a fact and its accepted values. Empty if the modifier applies to every query.
    pub only: Vec<(Arc<str>, Vec<FieldValue>)>,
    /// Places in the files that name the facts in `only`.
    pub places: Vec<Place>,
    /// Replacement for the base value.
    pub set: Option<FieldValue>,
    /// Factor applied after `set`.
    pub multiply: i64,
    /// Summand applied after `multiply`.
    pub add: i64,
}

/// A rule function named by a field: `play = "flood"`, called as `card.play(seat)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFunction {
    /// Name of the field.
    pub field: Arc<str>,
    /// Name of the function.
    pub function: Arc<str>,
    /// Place of the function's name in the files.
    pub place: Place,
}

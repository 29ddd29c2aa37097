//! What is in the box: kinds, components and their printed fields.

use super::{Cell, ComponentId, FieldId, FieldType, FieldValue, KindId, Text};
use crate::diagnostic::Place;
use indexmap::IndexMap;
use std::sync::Arc;

/// A class of components that share their fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// The word for it in files and scripts.
    pub id: Arc<str>,
    /// What people call it.
    pub name: Text,
    /// What its pieces look like from behind: kinds with the same back cannot be told apart face down.
    pub back: Arc<str>,
    /// How wide and high its pieces are on paper, in millimeters, where that is said.
    pub size: Option<(u16, u16)>,
    /// The fields each of its components has, with their types.
    pub fields: IndexMap<FieldId, FieldType>,
    /// Its components, in the order of the files.
    pub components: Vec<ComponentId>,
}

/// A row of the component list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// The word for it in files, scripts and plays.
    pub id: Arc<str>,
    /// What people call it.
    pub name: Text,
    /// The kind it belongs to.
    pub kind: KindId,
    /// How many pieces of it are in the box (for each seat, if [`Component::each_seat`]).
    pub count: u16,
    /// Whether every seat has its own `count` pieces, in its own color.
    pub each_seat: bool,
    /// Its printed fields; kinds decide which ones there are.
    pub fields: IndexMap<FieldId, FieldValue>,
    /// The faces of a die, in order; empty for what is not thrown.
    pub faces: Vec<FieldValue>,
    /// The squares it takes up on a grid, unturned, row by row; empty for what lies on one space.
    pub cells: Vec<Cell>,
    /// What it changes of what rules ask for, while a piece of it lies where it is in force.
    pub alters: Vec<Alteration>,
}

/// A change to what rules ask for with `altered`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alteration {
    /// What it changes, as `[altered]` declares it.
    pub what: Arc<str>,
    /// The facts of a question it is for, each with what the fact may be; none for every question.
    pub only: Vec<(Arc<str>, Vec<FieldValue>)>,
    /// Where each of these facts is named.
    pub places: Vec<Place>,
    /// What is there instead.
    pub set: Option<FieldValue>,
    /// What it is multiplied by.
    pub multiply: i64,
    /// What is added after that.
    pub add: i64,
}

/// A function of the rules that a field names: `play = "flood"`, called as `card.play(seat)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFunction {
    /// The field.
    pub field: Arc<str>,
    /// The function.
    pub function: Arc<str>,
    /// Where the name stands.
    pub place: Place,
}

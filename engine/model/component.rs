//! What is in the box: kinds, components and their printed fields.

use super::{Cell, ComponentId, FieldId, KindId, Text};
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
    /// What is added.
    pub add: i64,
}

/// The type of a field, of an entry of a list, or of a part of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldType {
    /// A whole number.
    Number,
    /// Yes or no.
    Flag,
    /// A word without meaning to the engine.
    Word,
    /// Another component, of the kind if one is named.
    Component(Option<KindId>),
    /// A function of the rules, by its name.
    Function,
    /// Any number of entries of one type.
    List(Box<FieldType>),
    /// Named parts, each with its own type.
    Record(IndexMap<Arc<str>, FieldType>),
    /// Nothing is known of it: every row leaves it out, or every list is empty.
    Unknown,
}

/// A printed fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// Nothing is printed there.
    Nothing,
    /// A whole number.
    Number(i64),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Word(Arc<str>),
    /// Another component.
    Component(ComponentId),
    /// A function of the rules, by its name.
    Function(Arc<str>),
    /// Several facts of one type, in order.
    List(Vec<FieldValue>),
    /// Named parts.
    Record(IndexMap<Arc<str>, FieldValue>),
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

impl FieldType {
    /// Adds the names under which it names functions, where it has the name that is given.
    pub(super) fn function_fields(&self, name: &Arc<str>, found: &mut Vec<Arc<str>>) {
        match self {
            Self::Function if !found.contains(name) => found.push(name.clone()),
            Self::List(inner) => inner.function_fields(name, found),
            Self::Record(parts) => parts.iter().for_each(|(name, of)| of.function_fields(name, found)),
            _ => {}
        }
    }
}

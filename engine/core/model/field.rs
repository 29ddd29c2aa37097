//! Printed fields of components and spaces, and their types.

use super::{ComponentId, KindId};
use indexmap::IndexMap;
use std::sync::Arc;

/// Type of a field, a list entry or a part of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldType {
    /// An integer.
    Number,
    /// A Boolean.
    Flag,
    /// A word that has no meaning to the engine.
    Word,
    /// Another component. It belongs to the given kind, if any.
    Component(Option<KindId>),
    /// A rule function, by name.
    Function,
    /// Any number of entries of one type.
    List(Box<FieldType>),
    /// Named parts, each with its own type.
    Record(IndexMap<Arc<str>, FieldType>),
    /// Unknown type: no row sets the field, or all lists are empty.
    Unknown,
}

/// A printed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// No value: the row omits the field.
    Nothing,
    /// An integer.
    Number(i64),
    /// A Boolean.
    Flag(bool),
    /// A word.
    Word(Arc<str>),
    /// Another component.
    Component(ComponentId),
    /// A rule function, by name.
    Function(Arc<str>),
    /// Several values of one type, in order.
    List(Vec<FieldValue>),
    /// Named parts.
    Record(IndexMap<Arc<str>, FieldValue>),
}

impl FieldType {
    /// Adds to `found` the names of the fields and record parts that hold rule functions. `name` is the name of the field itself.
    pub(super) fn function_fields(&self, name: &Arc<str>, found: &mut Vec<Arc<str>>) {
        match self {
            Self::Function if !found.contains(name) => found.push(name.clone()),
            Self::List(inner) => inner.function_fields(name, found),
            Self::Record(parts) => parts.iter().for_each(|(name, part)| part.function_fields(name, found)),
            _ => {}
        }
    }
}

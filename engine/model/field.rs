//! What is printed on components and spaces: fields, and their types.

use super::{ComponentId, KindId};
use indexmap::IndexMap;
use std::sync::Arc;

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

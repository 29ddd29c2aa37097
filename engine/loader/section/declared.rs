//! What is known of names while the rest is read.

use crate::diagnostic::Place;
use crate::loader::document::node::KeyedNode;
use crate::model::{ComponentId, Content, FamilyId, FieldValue, Label};
use indexmap::IndexMap;
use std::sync::Arc;

/// Kinds by name, in the order of their ids, with the place of the name.
pub(in crate::loader) type KindNames = IndexMap<Arc<str>, Place>;

/// What a zone says it starts with.
#[derive(Debug, Clone)]
pub(in crate::loader) struct Start {
    /// The zone.
    pub(in crate::loader) family: FamilyId,
    /// The kind or component.
    pub(in crate::loader) content: Content,
    /// Where it says so.
    pub(in crate::loader) place: Place,
}

/// A zone by its name.
pub(in crate::loader) struct Declared<'a> {
    /// Where the name is written.
    pub(in crate::loader) place: Place,
    /// What is written about it; nothing for the box.
    pub(in crate::loader) entry: Option<&'a KeyedNode>,
    /// Its spaces, once they are read.
    pub(in crate::loader) spaces: Vec<NewSpace>,
    /// The spaces of the zone of each component, where these differ.
    pub(in crate::loader) spaces_of: SpacesOf,
}

/// Spaces by the component whose zone has them.
pub(in crate::loader) type SpacesOf = IndexMap<ComponentId, Vec<NewSpace>>;

/// A space of a zone, before it lies on the table.
#[derive(Debug, Clone)]
pub(in crate::loader) struct NewSpace {
    /// What it is called.
    pub(in crate::loader) label: Label,
    /// Its printed fields.
    pub(in crate::loader) fields: IndexMap<Arc<str>, FieldValue>,
}

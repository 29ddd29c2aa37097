//! Declared names and zones, as far as they are known while other sections are read.

use crate::diagnostic::Place;
use crate::loader::document::node::KeyedNode;
use crate::model::{ComponentId, Content, FamilyId, FieldValue, Label};
use indexmap::IndexMap;
use std::sync::Arc;

/// Places of the names of kinds, by name, in the order of their ids.
pub(in crate::loader) type KindNames = IndexMap<Arc<str>, Place>;

/// The initial contents of a zone.
#[derive(Debug, Clone)]
pub(in crate::loader) struct Start {
    /// The zone.
    pub(in crate::loader) family: FamilyId,
    /// The kind or component.
    pub(in crate::loader) content: Content,
    /// Place of the declaration.
    pub(in crate::loader) place: Place,
}

/// A declared zone.
pub(in crate::loader) struct Declared<'a> {
    /// Place of its name.
    pub(in crate::loader) place: Place,
    /// Its declaration; `None` for the box.
    pub(in crate::loader) entry: Option<&'a KeyedNode>,
    /// Its spaces; empty until they are read.
    pub(in crate::loader) spaces: Vec<NewSpace>,
    /// The spaces of the zone of each component, if they differ by component.
    pub(in crate::loader) spaces_of: SpacesOf,
}

/// Spaces by the component whose zone contains them.
pub(in crate::loader) type SpacesOf = IndexMap<ComponentId, Vec<NewSpace>>;

/// A space of a zone, before the table is laid out.
#[derive(Debug, Clone)]
pub(in crate::loader) struct NewSpace {
    /// Its label.
    pub(in crate::loader) label: Label,
    /// Its printed fields.
    pub(in crate::loader) fields: IndexMap<Arc<str>, FieldValue>,
}

//! Declared names and zones that are needed while other sections are read.

use crate::diagnostic::Place;
use crate::loader::document::node::KeyedNode;
use crate::model::{ComponentId, Content, FamilyId, FieldValue, Label};
use indexmap::IndexMap;
use std::sync::Arc;

/// Names of the kinds in the order of their ids, each with the place of its declaration or first use.
pub(in crate::loader) type KindNames = IndexMap<Arc<str>, Place>;

/// Kind or component that a zone contains at the start.
#[derive(Debug, Clone)]
pub(in crate::loader) struct Start {
    /// Zone that holds the pieces at the start.
    pub(in crate::loader) family: FamilyId,
    /// Kind or component of the pieces.
    pub(in crate::loader) content: Content,
    /// Place of the declaration.
    pub(in crate::loader) place: Place,
}

/// A declared zone.
pub(in crate::loader) struct Declared<'a> {
    /// Place of the zone's name.
    pub(in crate::loader) place: Place,
    /// Declaration of the zone; `None` for the box.
    pub(in crate::loader) entry: Option<&'a KeyedNode>,
    /// Spaces of the zone; empty until they are read.
    pub(in crate::loader) spaces: Vec<NewSpace>,
    /// Spaces of each component's zone, if they differ by component.
    pub(in crate::loader) spaces_of: SpacesOf,
}

/// Spaces, keyed by the component whose zone contains them.
pub(in crate::loader) type SpacesOf = IndexMap<ComponentId, Vec<NewSpace>>;

/// A space of a zone, before the table is laid out.
#[derive(Debug, Clone)]
pub(in crate::loader) struct NewSpace {
    /// Label of the space.
    pub(in crate::loader) label: Label,
    /// Printed fields of the space.
    pub(in crate::loader) fields: IndexMap<Arc<str>, FieldValue>,
}

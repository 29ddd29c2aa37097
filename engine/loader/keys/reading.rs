//! Reads the keys of a table according to its specification.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{KeyedNode, Node, Table};
use crate::loader::keys::form::{KeySpec, TableSpec};
use crate::loader::keys::key::{DisplayText, Key, ReadValue};
use crate::loader::mistake::{misplaced_key, wrong_type};
use crate::loader::report::Report;
use crate::loader::section::draft::text_of_id;
use crate::model::Text;

/// Reader of one table, which it checks against a specification.
#[derive(Debug)]
pub(in crate::loader) struct Fields<'a> {
    /// Report that receives the diagnostics.
    pub(in crate::loader) report: &'a Report,
    /// Name of the table for messages.
    pub(in crate::loader) name: &'a str,
    /// Place of the table's name.
    pub(in crate::loader) place: &'a Place,
    table: &'a Table,
    spec: &'static TableSpec,
    /// Whether keys outside the specification are allowed.
    is_open: bool,
}

impl<'a> Fields<'a> {
    /// Creates a reader for the table of `entry`. Reports a value that is not a table, and unknown keys.
    pub(in crate::loader) fn from_entry(
        report: &'a Report,
        name: &'a str,
        entry: &'a KeyedNode,
        spec: &'static TableSpec,
    ) -> Option<Self> {
        Self::from_node(report, name, &entry.key, &entry.node, spec)
    }

    /// Creates a reader for the table `node`, which is called `name` at `place`. Reports a value that is not a table, and unknown keys.
    pub(in crate::loader) fn from_node(
        report: &'a Report,
        name: &'a str,
        place: &'a Place,
        node: &'a Node,
        spec: &'static TableSpec,
    ) -> Option<Self> {
        let fields = Self::open(report, name, place, node, spec)?;
        for (key, entry) in fields.table.iter().filter(|(key, _)| !spec.has(key)) {
            report.add(spec.unknown_key(key, &entry.key));
        }
        Some(Self { is_open: false, ..fields })
    }

    /// Like [`Fields::from_node`], but allows keys outside the specification.
    pub(in crate::loader) fn open(
        report: &'a Report,
        name: &'a str,
        place: &'a Place,
        node: &'a Node,
        spec: &'static TableSpec,
    ) -> Option<Self> {
        let Some(table) = node.table() else {
            report.add(wrong_type(name, "a table", node));
            return None;
        };
        Some(Self { report, name, place, table, spec, is_open: true })
    }

    /// Returns the entry of a key, if present.
    pub(in crate::loader) fn entry(&self, key: &KeySpec) -> Option<&'a KeyedNode> {
        debug_assert!(self.spec.has(key.name), "{} is not listed for {}", key.name, self.spec.many);
        self.table.get(key.name)
    }

    /// Returns the value of a key, if present.
    pub(in crate::loader) fn get(&self, key: &KeySpec) -> Option<&'a Node> {
        self.entry(key).map(|entry| &entry.node)
    }

    /// Returns the value of a required key. If the key is missing, reports it, unless a misspelled version of it has been reported.
    pub(in crate::loader) fn require(&self, key: &KeySpec) -> Option<&'a Node> {
        let found = self.get(key);
        if found.is_none() && !self.is_misspelled(key) {
            self.report.add(missing_key(self.spec, self.name, key.name, self.place));
        }
        found
    }

    /// Returns whether `key` is missing because it was misspelled. The misspelled key has been reported as unknown.
    pub(in crate::loader) fn is_misspelled(&self, key: &KeySpec) -> bool {
        let is_meant = |written: &str| !self.spec.has(written) && self.spec.likely_key(written) == Some(key.name);
        !self.is_open && self.table.keys().any(|written| is_meant(written))
    }

    /// Reads the value of a key, if present. Reports a value of another type.
    pub(in crate::loader) fn read<T: ReadValue>(&self, key: &Key<T>) -> Option<T::Value<'a>> {
        self.read_as(key, &key.value_type)
    }

    /// Reads the value of a key whose type depends on other keys. Reports a value of another type.
    pub(in crate::loader) fn read_as<T: ReadValue>(&self, key: &KeySpec, value_type: &T) -> Option<T::Value<'a>> {
        value_type.read(key.name, self.get(key)?, self.report)
    }

    /// Reads a text in one or several languages. If the key is missing, returns `id` in readable form.
    pub(in crate::loader) fn text_or_id(&self, key: &Key<DisplayText>, id: &str) -> Text {
        self.read(key).unwrap_or_else(|| text_of_id(id))
    }

    /// Reports each of `keys` that is present. `why` is the message.
    pub(in crate::loader) fn refuse(&self, keys: &[&KeySpec], why: &str) {
        for key in keys {
            if let Some(entry) = self.entry(key) {
                self.report.add(misplaced_key(key.name, &entry.key, why));
            }
        }
    }
}

fn missing_key(spec: &TableSpec, name: &str, key: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("missing-key", format!("{} needs `{key}`", spec.one))
        .mark(place.clone(), format!("`{name}` has no `{key}`"))
}

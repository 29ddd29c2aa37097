//! Reads the keys of a table according to its specification.

use crate::diagnostic::{Diagnostic, Place, nearest};
use crate::loader::document::node::{Data, KeyedNode, Node, PROVENANCE, Table};
use crate::loader::keys::form::TableSpec;
use crate::loader::mistake::{unknown_word, wrong_type};
use crate::loader::report::Report;
use std::sync::Arc;

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
    pub(in crate::loader) fn read(
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
            report.add(unknown_key(spec, key, &entry.key));
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
    pub(in crate::loader) fn entry(&self, key: &'static str) -> Option<&'a KeyedNode> {
        debug_assert!(self.spec.has(key), "{key} is not listed for {}", self.spec.many);
        self.table.get(key)
    }

    /// Returns the value of a key, if present.
    pub(in crate::loader) fn get(&self, key: &'static str) -> Option<&'a Node> {
        self.entry(key).map(|entry| &entry.node)
    }

    /// Returns the value of a required key. If the key is missing, reports it, unless a misspelled version of it has been reported.
    pub(in crate::loader) fn require(&self, key: &'static str) -> Option<&'a Node> {
        let found = self.get(key);
        if found.is_none() && !self.is_misspelled(key) {
            self.report.add(missing_key(self.spec, self.name, key, self.place));
        }
        found
    }

    /// Returns whether `key` is missing because it was misspelled. The misspelled key has been reported as unknown.
    pub(in crate::loader) fn is_misspelled(&self, key: &str) -> bool {
        !self.is_open
            && self
                .table
                .keys()
                .any(|key_in_file| !self.spec.has(key_in_file) && self.spec.likely_key(key_in_file) == Some(key))
    }

    /// Returns the string value of a key with its place, if present. Reports a value of another type.
    pub(in crate::loader) fn word(&self, key: &'static str) -> Option<(&'a Arc<str>, &'a Place)> {
        let node = self.get(key)?;
        let text = node.text();
        if text.is_none() {
            self.report.add(wrong_type(key, "a word", node));
        }
        Some((text?, &node.place))
    }

    /// Returns the boolean value of a key, if present. Reports a value of another type.
    pub(in crate::loader) fn flag(&self, key: &'static str) -> Option<bool> {
        let node = self.get(key)?;
        if let Data::Flag(flag) = node.data {
            return Some(flag);
        }
        self.report.add(wrong_type(key, "`true` or `false`", node));
        None
    }

    /// Converts the word at `key` to its meaning in `words`. Returns `None` if the key is missing. Reports a word that is not in `words`.
    pub(in crate::loader) fn one_of<T: Copy>(&self, key: &'static str, words: &[(&'static str, T)]) -> Option<T> {
        let (word, place) = self.word(key)?;
        let found = words.iter().find(|(known, _)| *known == &**word).map(|(_, meaning)| *meaning);
        if found.is_none() {
            self.report.add(unknown_word(key, word, place, words.iter().map(|(known, _)| *known)));
        }
        found
    }

    /// Reports each of `keys` that is present. `why` is the message.
    pub(in crate::loader) fn refuse(&self, keys: &[&'static str], why: &str) {
        for key in keys {
            if let Some(entry) = self.entry(key) {
                self.report.add(crate::loader::mistake::misplaced_key(key, &entry.key, why));
            }
        }
    }
}

impl TableSpec {
    /// Returns whether the specification allows `key`.
    pub(in crate::loader) fn has(&self, key: &str) -> bool {
        key == PROVENANCE || self.names().any(|name| name == key)
    }

    /// Returns the allowed key that the author most likely meant by the unknown `key`.
    pub(in crate::loader) fn likely_key(&self, key: &str) -> Option<&'static str> {
        let wanted = || {
            let tried = nearest(key, self.also.iter().map(|(tried, _)| *tried))?;
            self.also.iter().find(|(known, _)| *known == tried).map(|(_, wanted)| *wanted)
        };
        nearest(key, self.names()).or_else(wanted)
    }
}

/// Creates the diagnostic for a key that the specification of its table does not allow.
pub(in crate::loader) fn unknown_key(spec: &TableSpec, key: &str, place: &Place) -> Diagnostic {
    let found = Diagnostic::error("unknown-key", format!("{} have no key `{key}`", spec.many))
        .mark(place.clone(), format!("not a key of {}", spec.one));
    match spec.likely_key(key) {
        Some(word) => found.help(format!("did you mean `{word}`?")),
        None => found,
    }
}

fn missing_key(spec: &TableSpec, name: &str, key: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("missing-key", format!("{} needs `{key}`", spec.one))
        .mark(place.clone(), format!("`{name}` has no `{key}`"))
}

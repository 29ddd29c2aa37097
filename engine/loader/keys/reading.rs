//! Reading a table whose keys are known beforehand.

use crate::diagnostic::{Diagnostic, Place, nearest};
use crate::loader::document::node::{Data, KeyedNode, Node, PROVENANCE, Table};
use crate::loader::keys::form::TableSpec;
use crate::loader::mistake::{unknown_word, wrong_type};
use crate::loader::report::Report;
use std::sync::Arc;

/// A table being read. Unknown keys are reported when reading begins.
#[derive(Debug)]
pub(in crate::loader) struct Fields<'a> {
    /// Where mistakes go.
    pub(in crate::loader) report: &'a Report,
    /// The name the table has.
    pub(in crate::loader) name: &'a str,
    /// Where that name is written.
    pub(in crate::loader) place: &'a Place,
    table: &'a Table,
    spec: &'static TableSpec,
    /// Whether it may have other keys, which are not reported.
    is_open: bool,
}

impl<'a> Fields<'a> {
    /// Begins to read the table of an entry, if it is one.
    pub(in crate::loader) fn read(
        report: &'a Report,
        name: &'a str,
        entry: &'a KeyedNode,
        spec: &'static TableSpec,
    ) -> Option<Self> {
        Self::of(report, name, &entry.key, &entry.node, spec)
    }

    /// Begins to read a table that is called `name` at a place.
    pub(in crate::loader) fn of(
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

    /// The same for a table that may have other keys too.
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

    /// The entry of a key, if it is there.
    pub(in crate::loader) fn entry(&self, key: &'static str) -> Option<&'a KeyedNode> {
        debug_assert!(self.spec.has(key), "{key} is not listed for {}", self.spec.many);
        self.table.get(key)
    }

    /// What is written for a key, if it is there.
    pub(in crate::loader) fn get(&self, key: &'static str) -> Option<&'a Node> {
        self.entry(key).map(|entry| &entry.node)
    }

    /// What is written for a key that must be there.
    pub(in crate::loader) fn need(&self, key: &'static str) -> Option<&'a Node> {
        let found = self.get(key);
        if found.is_none() && !self.is_misspelled(key) {
            self.report.add(missing_key(self.spec, self.name, key, self.place));
        }
        found
    }

    /// Whether an unknown key was reported as this one.
    pub(in crate::loader) fn is_misspelled(&self, key: &str) -> bool {
        !self.is_open
            && self.table.keys().any(|written| !self.spec.has(written) && self.spec.meant(written) == Some(key))
    }

    /// A word, if the key is there and has one.
    pub(in crate::loader) fn word(&self, key: &'static str) -> Option<(&'a Arc<str>, &'a Place)> {
        let node = self.get(key)?;
        let text = node.text();
        if text.is_none() {
            self.report.add(wrong_type(key, "a word", node));
        }
        Some((text?, &node.place))
    }

    /// Yes or no, if the key is there and says so.
    pub(in crate::loader) fn flag(&self, key: &'static str) -> Option<bool> {
        let node = self.get(key)?;
        if let Data::Flag(flag) = node.data {
            return Some(flag);
        }
        self.report.add(wrong_type(key, "`true` or `false`", node));
        None
    }

    /// What a word of a short list stands for, if the key is there.
    pub(in crate::loader) fn one_of<T: Copy>(&self, key: &'static str, words: &[(&'static str, T)]) -> Option<T> {
        let (word, place) = self.word(key)?;
        let found = words.iter().find(|(known, _)| *known == &**word).map(|(_, meaning)| *meaning);
        if found.is_none() {
            self.report.add(unknown_word(key, word, place, words.iter().map(|(known, _)| *known)));
        }
        found
    }

    /// Reports each of these keys that is there.
    pub(in crate::loader) fn refuse(&self, keys: &[&'static str], why: &str) {
        for key in keys {
            if let Some(entry) = self.entry(key) {
                self.report.add(crate::loader::mistake::misplaced_key(key, &entry.key, why));
            }
        }
    }
}

impl TableSpec {
    /// Whether a table of this sort may have a key.
    pub(in crate::loader) fn has(&self, key: &str) -> bool {
        key == PROVENANCE || self.names().any(|name| name == key)
    }

    /// The key that was most likely meant by one that a table of this sort does not have.
    pub(in crate::loader) fn meant(&self, key: &str) -> Option<&'static str> {
        let wanted = || {
            let tried = nearest(key, self.also.iter().map(|(tried, _)| *tried))?;
            self.also.iter().find(|(known, _)| *known == tried).map(|(_, wanted)| *wanted)
        };
        nearest(key, self.names()).or_else(wanted)
    }
}

/// A key that its table does not have.
pub(in crate::loader) fn unknown_key(spec: &TableSpec, key: &str, place: &Place) -> Diagnostic {
    let found = Diagnostic::error("unknown-key", format!("{} have no key `{key}`", spec.many))
        .mark(place.clone(), format!("not a key of {}", spec.one));
    match spec.meant(key) {
        Some(word) => found.help(format!("did you mean `{word}`?")),
        None => found,
    }
}

fn missing_key(spec: &TableSpec, name: &str, key: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("missing-key", format!("{} needs `{key}`", spec.one))
        .mark(place.clone(), format!("`{name}` has no `{key}`"))
}

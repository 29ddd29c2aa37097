//! Fingerprint of a game's data. It does not depend on how the data is distributed over files.

use crate::loader::document::node::{Data, Node, PROVENANCE, Table};
use crate::loader::document::tree::Tree;
use std::sync::Arc;

impl Tree {
    /// Adds the data to a hash: all sections, and the rows of each kind in their order. Leaves out the format version and provenances,
    /// which do not affect play.
    pub(in crate::loader) fn add_to(&self, hasher: &mut blake3::Hasher) {
        hasher.update(b"t");
        for (key, entry) in &self.root {
            add_text(hasher, key);
            match &entry.node.data {
                Data::Table(identity) if &**key == "game" => add_table(hasher, identity, &[PROVENANCE, "format"]),
                _ => add_node(hasher, &entry.node),
            }
        }
        hasher.update(b".");
        let mut kinds: Vec<&Arc<str>> = self.rows.iter().map(|row| &row.kind).collect();
        kinds.sort();
        kinds.dedup();
        for kind in kinds {
            add_text(hasher, kind);
            for row in self.rows.iter().filter(|row| row.kind == *kind) {
                add_node(hasher, &sorted(&row.node));
            }
            hasher.update(b".");
        }
    }
}

/// Adds a string to a hash. The string is preceded by its length, so that adjacent strings cannot be confused.
pub(in crate::loader) fn add_text(hasher: &mut blake3::Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

fn add_number(hasher: &mut blake3::Hasher, tag: u8, number: i64) {
    hasher.update(&[tag]);
    hasher.update(&number.to_le_bytes());
}

fn add_node(hasher: &mut blake3::Hasher, node: &Node) {
    match &node.data {
        Data::Table(table) => add_table(hasher, table, &[PROVENANCE]),
        Data::List(list) => {
            add_number(hasher, b'l', list.len() as i64);
            for node in list {
                add_node(hasher, node);
            }
        }
        Data::Number(number) => add_number(hasher, b'n', *number),
        Data::Fraction(millionths) => add_number(hasher, b'f', *millionths),
        Data::Flag(flag) => add_number(hasher, b'b', i64::from(*flag)),
        Data::Text(text) => {
            // Each type has its own tag, so that the string "1" and the number 1 have different hashes.
            hasher.update(b"w");
            add_text(hasher, text);
        }
    }
}

/// Adds a table to a hash, except for the keys in `unplayed`, which do not affect play.
fn add_table(hasher: &mut blake3::Hasher, table: &Table, unplayed: &[&str]) {
    hasher.update(b"t");
    for (key, entry) in table.iter().filter(|(key, _)| !unplayed.contains(&&***key)) {
        add_text(hasher, key);
        add_node(hasher, &entry.node);
    }
    hasher.update(b".");
}

/// Returns a row with sorted keys. In spreadsheets, the order of keys is the order of columns, which has no meaning.
fn sorted(node: &Node) -> Node {
    let mut node = node.clone();
    sort_keys(&mut node);
    node
}

fn sort_keys(node: &mut Node) {
    match &mut node.data {
        Data::Table(table) => {
            table.sort_unstable_keys();
            table.values_mut().for_each(|entry| sort_keys(&mut entry.node));
        }
        Data::List(list) => list.iter_mut().for_each(sort_keys),
        _ => {}
    }
}

//! What a game's data says, as a number: however it is written, in whichever files.

use crate::loader::document::node::{Data, Node, PROVENANCE, Table};
use crate::loader::document::tree::Tree;
use std::sync::Arc;

impl Tree {
    /// Adds what is played of the data to a hash: the sections as they stand, but for the format they are written in, and the rows of
    /// each kind in their order.
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

/// Adds a text with its length, so that texts in a row do not run together.
pub(in crate::loader) fn add_text(hasher: &mut blake3::Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

fn add_number(hasher: &mut blake3::Hasher, sort: u8, number: i64) {
    hasher.update(&[sort]);
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
            hasher.update(b"w");
            add_text(hasher, text);
        }
    }
}

/// A table without some keys that are not played, such as what it says of its origin.
fn add_table(hasher: &mut blake3::Hasher, table: &Table, unplayed: &[&str]) {
    hasher.update(b"t");
    for (key, entry) in table.iter().filter(|(key, _)| !unplayed.contains(&&***key)) {
        add_text(hasher, key);
        add_node(hasher, &entry.node);
    }
    hasher.update(b".");
}

/// A row with its keys in order: spreadsheets have them in the order of their columns.
fn sorted(node: &Node) -> Node {
    let mut node = node.clone();
    sort(&mut node);
    node
}

fn sort(node: &mut Node) {
    match &mut node.data {
        Data::Table(table) => {
            table.sort_unstable_keys();
            table.values_mut().for_each(|entry| sort(&mut entry.node));
        }
        Data::List(list) => list.iter_mut().for_each(sort),
        _ => {}
    }
}

//! Memory budget of a game's data: what the files of a folder become is counted before it is allocated.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{Data, KeyedNode, Node, Table};
use crate::loader::report::Report;
use crate::model::FieldValue;
use std::cell::Cell;
use std::sync::Arc;

/// Bytes that all data of a game may have in memory.
pub(in crate::loader) const MOST_BYTES: usize = 64 << 20;

/// Bytes of an entry of a table: the key, the value, and the slots of the index. An estimate that is the same on every machine.
pub(in crate::loader) const ENTRY: usize = 160;

/// Bytes of an entry of a list.
pub(in crate::loader) const ITEM: usize = 96;

/// Bytes of a text beside its characters.
pub(in crate::loader) const TEXT: usize = 32;

/// Bytes that may still be allocated for the data of one game.
#[derive(Debug)]
pub(in crate::loader) struct Budget {
    left: Cell<usize>,
    is_reported: Cell<bool>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: Cell::new(MOST_BYTES), is_reported: Cell::new(false) }
    }
}

impl Budget {
    /// Charges bytes before they are allocated. Returns whether there was room.
    ///
    /// The first charge beyond the budget is reported at `place`; nothing fits from then on.
    pub(in crate::loader) fn charge(&self, bytes: usize, place: &dyn Fn() -> Place, report: &Report) -> bool {
        if let Some(left) = self.left.get().checked_sub(bytes) {
            self.left.set(left);
            return true;
        }
        self.left.set(0);
        if !self.is_reported.replace(true) {
            report.add(too_large(place()));
        }
        false
    }
}

/// Bytes of a printed value and everything in it. Words are shared between copies, so that their characters do not count.
pub(in crate::loader) fn size_of_value(value: &FieldValue) -> usize {
    match value {
        FieldValue::List(list) => ITEM + list.iter().map(size_of_value).sum::<usize>(),
        FieldValue::Record(parts) => {
            ITEM + parts.values().map(|part| ENTRY - ITEM + size_of_value(part)).sum::<usize>()
        }
        _ => ITEM,
    }
}

/// Bytes of a value and everything in it. Texts are shared between copies, so that their characters do not count.
pub(in crate::loader) fn size_of_node(node: &Node) -> usize {
    match &node.data {
        Data::Table(table) => ITEM + size_of_table(table),
        Data::List(list) => ITEM + list.iter().map(size_of_node).sum::<usize>(),
        _ => ITEM,
    }
}

/// Bytes of the entries of a table.
pub(in crate::loader) fn size_of_table(table: &Table) -> usize {
    let entry = |(_, entry): (&Arc<str>, &KeyedNode)| ENTRY - ITEM + size_of_node(&entry.node);
    table.iter().map(entry).sum()
}

fn too_large(place: Place) -> Diagnostic {
    let most = MOST_BYTES >> 20;
    Diagnostic::error("too-large", format!("the data of the game takes up more than {most} MB once it is written out"))
        .mark(place, "here it becomes too much")
        .help("write fewer rows or shorter texts: repeated cells, `each` and defaults count as often as they are repeated")
}

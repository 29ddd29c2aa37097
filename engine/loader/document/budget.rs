//! Memory budget for a game's data. The size of parsed data is charged before it is allocated, because small files can expand to much
//! larger data.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{Data, KeyedNode, Node, Table};
use crate::loader::report::Report;
use crate::model::FieldValue;
use std::cell::Cell;
use std::sync::Arc;

/// Maximum size of a game's data in memory, in bytes. A check takes up to ten times as much for copies of trees, models and layouts.
pub(in crate::loader) const MAX_DATA_BYTES: usize = 16 << 20;

/// Size in bytes of a table entry: the key, the value, and the slots of the index. This estimate is the same on every machine.
pub(in crate::loader) const ENTRY: usize = 160;

/// Size of a list entry or of any other single value, in bytes.
pub(in crate::loader) const ITEM: usize = 96;

/// Overhead of a string in bytes, in addition to its characters.
pub(in crate::loader) const TEXT: usize = 32;

/// Number of bytes that may still be allocated for the data of one game.
#[derive(Debug)]
pub(in crate::loader) struct Budget {
    left: Cell<usize>,
    is_reported: Cell<bool>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: Cell::new(MAX_DATA_BYTES), is_reported: Cell::new(false) }
    }
}

impl Budget {
    /// Returns whether a charge has exceeded the budget.
    pub(in crate::loader) fn is_exceeded(&self) -> bool {
        self.is_reported.get()
    }

    /// Charges bytes before they are allocated. Returns whether they fit.
    ///
    /// Reports the first charge beyond the budget at `place`. After that, every charge of at least one byte fails.
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

/// Returns the size of a field value in bytes, including nested values. Characters are not counted, because copies share them.
pub(in crate::loader) fn size_of_value(value: &FieldValue) -> usize {
    match value {
        FieldValue::List(list) => ITEM + list.iter().map(size_of_value).sum::<usize>(),
        FieldValue::Record(parts) => {
            ITEM + parts.values().map(|part| ENTRY - ITEM + size_of_value(part)).sum::<usize>()
        }
        _ => ITEM,
    }
}

/// Returns the size of a node in bytes, including nested nodes. Characters are not counted, because copies share them.
pub(in crate::loader) fn size_of_node(node: &Node) -> usize {
    match &node.data {
        Data::Table(table) => ITEM + size_of_table(table),
        Data::List(list) => ITEM + list.iter().map(size_of_node).sum::<usize>(),
        _ => ITEM,
    }
}

/// Returns the size of a table's entries in bytes.
pub(in crate::loader) fn size_of_table(table: &Table) -> usize {
    let entry = |(_, entry): (&Arc<str>, &KeyedNode)| ENTRY - ITEM + size_of_node(&entry.node);
    table.iter().map(entry).sum()
}

fn too_large(place: Place) -> Diagnostic {
    let most = MAX_DATA_BYTES >> 20;
    Diagnostic::error("too-large", format!("the data of the game takes up more than {most} MB when expanded"))
        .mark(place, "the limit is exceeded here")
        .help("write fewer rows or shorter texts: repeated cells, `each` and defaults count as often as they are repeated")
}

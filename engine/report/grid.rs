//! Tables that can be sorted and searched on a page.

use super::heading::Heading;
use super::number::{estimate_text, grouped, value};
use crate::simulation::{Estimate, MeasureKind};
use serde::Serialize;

/// A cell with its sort key.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) sort: Option<f64>,
}

/// A table that can be sorted.
#[derive(Debug, Clone, Serialize)]
pub(super) struct SortableTable {
    pub(super) title: String,
    pub(super) about: &'static str,
    /// Name of the tab that shows the table; empty on pages without tabs.
    pub(super) tab: &'static str,
    pub(super) text: String,
    /// Whether the table is collapsed at first.
    pub(super) is_folded: bool,
    pub(super) heads: Vec<Heading>,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl SortableTable {
    /// Creates a table without rows.
    pub(super) fn new(title: &str, about: &'static str, heads: impl IntoIterator<Item = Heading>) -> Self {
        let heads = heads.into_iter().collect();
        Self { title: title.to_owned(), about, tab: "", text: String::new(), is_folded: false, heads, rows: Vec::new() }
    }

    /// Assigns the table to a tab.
    pub(super) fn with_tab(mut self, tab: &'static str) -> Self {
        self.tab = tab;
        self
    }
}

/// Creates a cell with text.
pub(super) fn word(text: impl Into<String>) -> Cell {
    Cell { text: text.into(), sort: None }
}

/// Creates a cell with a count.
pub(super) fn count(number: u64) -> Cell {
    Cell { text: grouped(number as i64), sort: Some(number as f64) }
}

/// Creates a cell with a figure, without the confidence interval.
pub(super) fn figure(estimate: &Estimate, sort: MeasureKind) -> Cell {
    Cell { text: value(estimate, sort), sort: Some(estimate.value) }
}

/// Creates a cell with a figure and its confidence interval; empty for `None`.
pub(super) fn maybe(estimate: Option<&Estimate>, sort: MeasureKind) -> Cell {
    estimate
        .map_or_else(|| word(""), |estimate| Cell { text: estimate_text(estimate, sort), sort: Some(estimate.value) })
}

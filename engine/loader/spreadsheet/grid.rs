//! The cells of a sheet, each with its place.

use crate::diagnostic::{Diagnostic, Place, Source};
use std::ops::Range;
use std::sync::Arc;

/// Limits of a sheet: rows, columns, and cells that something stands in.
#[cfg(feature = "workbooks")]
pub(super) const MOST_ROWS: usize = 10_000;
pub(super) const MOST_COLUMNS: usize = 512;
pub(super) const MOST_CELLS: usize = 250_000;

/// A sheet: rows of cells, as they stand.
#[derive(Debug)]
pub(in crate::loader) struct Grid {
    /// The text that places of cells lie in.
    pub(in crate::loader) source: Arc<Source>,
    /// The rows; not all need be as long.
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A cell.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    /// What it says.
    pub(super) text: String,
    /// Where, in the text of its sheet.
    pub(super) span: Range<usize>,
    /// What it holds that no cell of a game may.
    pub(super) stray: Option<Stray>,
}

/// What spreadsheets keep in cells beside texts, numbers and flags. In CSV files all is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "workbooks"), allow(dead_code, reason = "only workbooks know dates"))]
pub(super) enum Stray {
    /// A date, a time, a duration.
    Date,
    /// The result of a formula that cannot be computed.
    Failure,
    /// A text in quotes that are not closed.
    Open,
}

impl Grid {
    /// The place of a cell.
    pub(super) fn place(&self, cell: &Cell) -> Place {
        Place { source: self.source.clone(), span: cell.span.clone() }
    }

    /// Where the cells stand in the text of the sheet, row by row.
    pub(in crate::loader) fn spans(&self) -> Vec<Vec<Range<usize>>> {
        self.rows.iter().map(|row| row.iter().map(|cell| cell.span.clone()).collect()).collect()
    }

    /// The sheet as a whole: its first cell.
    pub(super) fn beginning(&self) -> Place {
        let first = self.rows.first().and_then(|row| row.first());
        first.map_or(Place { source: self.source.clone(), span: 0..0 }, |cell| self.place(cell))
    }
}

impl Cell {
    /// Whether nothing stands in it.
    pub(super) fn is_empty(&self) -> bool {
        self.stray.is_none() && self.text.trim().is_empty()
    }
}

impl Stray {
    /// What is said of it.
    pub(super) fn mistake(self, cell: &Cell, place: Place) -> Diagnostic {
        match self {
            Self::Date => Diagnostic::error("bad-cell", "there are no dates in a game's files")
                .mark(place, "a date or a time")
                .help("format the cell as text, and write it again"),
            Self::Failure => {
                Diagnostic::error("bad-cell", format!("the formula of this cell results in `{}`", cell.text.trim()))
                    .mark(place, "not computed")
                    .help("fix the formula, or write its result")
            }
            Self::Open => Diagnostic::error("bad-cell", "a text in quotes is not closed")
                .mark(place, "begins here")
                .help("close it with `\"`; a quote within a text in quotes is written twice"),
        }
    }
}

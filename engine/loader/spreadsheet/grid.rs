//! The cells of a sheet, with their places.

use crate::diagnostic::{Diagnostic, Place, Source};
use std::ops::Range;
use std::sync::Arc;

/// Maximum number of rows of a sheet.
#[cfg(feature = "workbooks")]
pub(super) const MAX_ROWS: usize = 10_000;
/// Maximum number of columns of a sheet.
pub(super) const MAX_COLUMNS: usize = 512;
/// Maximum number of cells of a sheet that are not empty.
pub(super) const MAX_CELLS: usize = 250_000;

/// A sheet: rows of cells, before they are parsed.
#[derive(Debug)]
pub(in crate::loader) struct Grid {
    /// Text of the sheet, to which the places of cells refer.
    pub(in crate::loader) source: Arc<Source>,
    /// Rows, possibly of different lengths.
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A cell of a sheet.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    /// Content of the cell.
    pub(super) text: String,
    /// Span of the cell in the text of the sheet.
    pub(super) span: Range<usize>,
    /// Reason why the content of the cell is not allowed, if it is not.
    pub(super) stray: Option<StrayCell>,
}

/// Cell content that is not allowed in games. Only `Open` can occur in CSV files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "workbooks"), allow(dead_code, reason = "only workbooks know dates"))]
pub(super) enum StrayCell {
    /// A date, a time, or a duration.
    Date,
    /// The result of a failed formula.
    Failure,
    /// Quoted content without a closing quote.
    Open,
}

impl Grid {
    /// Returns the place of a cell.
    pub(super) fn place(&self, cell: &Cell) -> Place {
        Place { source: self.source.clone(), span: cell.span.clone() }
    }

    /// Returns the spans of the cells in the text of the sheet, row by row.
    pub(in crate::loader) fn spans(&self) -> Vec<Vec<Range<usize>>> {
        self.rows.iter().map(|row| row.iter().map(|cell| cell.span.clone()).collect()).collect()
    }

    /// Returns the place of the first cell, for mistakes in the sheet as a whole.
    pub(super) fn beginning(&self) -> Place {
        let first = self.rows.first().and_then(|row| row.first());
        first.map_or(Place { source: self.source.clone(), span: 0..0 }, |cell| self.place(cell))
    }
}

impl Cell {
    /// Returns whether the cell is blank.
    pub(super) fn is_empty(&self) -> bool {
        self.stray.is_none() && self.text.trim().is_empty()
    }
}

impl StrayCell {
    /// Creates the diagnostic for a cell with this content.
    pub(super) fn mistake(self, cell: &Cell, place: Place) -> Diagnostic {
        match self {
            Self::Date => Diagnostic::error("bad-cell", "dates are not supported in a game's files")
                .mark(place, "a date or a time")
                .help("format the cell as text, and write it again"),
            Self::Failure => {
                Diagnostic::error("bad-cell", format!("the formula of this cell results in `{}`", cell.text.trim()))
                    .mark(place, "not computed")
                    .help("fix the formula, or write its result")
            }
            Self::Open => Diagnostic::error("bad-cell", "unterminated quote")
                .mark(place, "begins here")
                .help("close it with `\"`; a quote within a text in quotes is written twice"),
        }
    }
}

//! Cells of pieces that cover several spaces of a grid.

use super::{FieldType, FieldValue, Tessellation, Text};
use indexmap::IndexMap;
use std::sync::Arc;

/// A square or hexagon of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// Columns east of the space at which the piece lies. Negative on hexagons only.
    pub x: i8,
    /// Rows south of the space at which the piece lies.
    pub y: i8,
    /// Index into [`CellSheet::prints`].
    pub print: u16,
}

/// A distinct design of a cell: its symbol, marks and fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellPrint {
    /// Notation in files: the symbol and the marks of the cell, such as `R!`.
    pub text: Arc<str>,
    /// Field values, in the order of [`CellSheet::fields`].
    pub fields: Vec<FieldValue>,
    /// Color, such as `#e8a33d`, if the author set one.
    pub color: Option<Arc<str>>,
}

/// A symbol in the notation of cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellSymbol {
    /// The symbol: one character.
    pub written: Arc<str>,
    /// Display name.
    pub name: Text,
    /// Color of cells with this symbol, if the author set one.
    pub color: Option<Arc<str>>,
}

/// Declarations about cells: symbols, fields and all distinct designs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CellSheet {
    /// The symbols, in the order of the file.
    pub symbols: Vec<CellSymbol>,
    /// Fields of cells, with their types.
    pub fields: IndexMap<Arc<str>, FieldType>,
    /// All distinct designs of cells.
    pub prints: Vec<CellPrint>,
    /// Tessellation of the grids on which pieces with cells lie.
    pub tessellation: Tessellation,
}

impl CellSheet {
    /// Returns the index of a field.
    pub fn find_field(&self, name: &str) -> Option<usize> {
        self.fields.get_index_of(name)
    }

    /// Formats cells in the notation of the files, one string for each row: `["R! C", "C R"]`.
    pub fn rows(&self, cells: &[Cell]) -> Vec<String> {
        let width = cells.iter().map(|cell| cell.x + 1).max().unwrap_or_default();
        let height = cells.iter().map(|cell| cell.y + 1).max().unwrap_or_default();
        let text = |x, y| {
            let cell = cells.iter().find(|cell| (cell.x, cell.y) == (x, y));
            cell.map_or(".", |cell| &self.prints[cell.print as usize].text)
        };
        (0..height).map(|y| (0..width).map(|x| text(x, y)).collect::<Vec<_>>().join(" ")).collect()
    }
}

impl CellSheet {
    /// Returns the number of rotation steps in a full turn: 6 on hexagons, 4 on squares.
    pub const fn turns(&self) -> u8 {
        match self.tessellation {
            Tessellation::Square => 4,
            Tessellation::Hex(_) => 6,
        }
    }

    /// Returns the cells after `turns` clockwise rotation steps, row by row. On squares, coordinates are relative to the north-west corner
    /// of the bounding rectangle; on hexagons, to the first cell of the first row.
    pub fn turned(&self, cells: &[Cell], turns: u8) -> Vec<Cell> {
        let mut cells = cells.to_vec();
        for _ in 0..turns % self.turns() {
            let rows = cells.iter().map(|cell| cell.y).max().unwrap_or_default();
            for cell in &mut cells {
                (cell.x, cell.y) = match self.tessellation {
                    // A quarter turn. Adding `rows` moves the cells back into the bounding rectangle.
                    Tessellation::Square => (rows - cell.y, cell.x),
                    // A sixth of a turn in axial coordinates.
                    Tessellation::Hex(_) => (-cell.y, cell.x + cell.y),
                };
            }
        }
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        let (x, y) = match (self.tessellation, cells.first()) {
            (Tessellation::Hex(_), Some(first)) => (first.x, first.y),
            (Tessellation::Square, _) | (Tessellation::Hex(_), None) => (0, 0),
        };
        for cell in &mut cells {
            (cell.x, cell.y) = (cell.x - x, cell.y - y);
        }
        cells
    }
}

//! The squares of pieces that take up several spaces.

use super::{FieldType, FieldValue, Text, Tops};
use indexmap::IndexMap;
use std::sync::Arc;

/// One square or hexagon of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// Columns to the east of the space where the component lies; below 0 on hexagons alone.
    pub x: i8,
    /// Rows to the south of it.
    pub y: i8,
    /// What is printed on it: a position in [`CellSheet::prints`].
    pub print: u16,
}

/// What may be printed on a square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellPrint {
    /// How it is written: its symbol and its marks, as `R!`.
    pub text: Arc<str>,
    /// Its fields, in the order of [`CellSheet::fields`].
    pub fields: Vec<FieldValue>,
    /// What it is painted with, as `#e8a33d`, if that is said.
    pub color: Option<Arc<str>>,
}

/// A symbol that squares are written with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellSymbol {
    /// One character.
    pub written: Arc<str>,
    /// What people call it.
    pub name: Text,
    /// What a square with it is painted with, if that is said.
    pub color: Option<Arc<str>>,
}

/// All that squares of pieces say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CellSheet {
    /// The symbols, in the order of the file.
    pub symbols: Vec<CellSymbol>,
    /// The fields of squares, with their types.
    pub fields: IndexMap<Arc<str>, FieldType>,
    /// Every different square there is.
    pub prints: Vec<CellPrint>,
    /// How the hexagons stand that pieces with cells lie on; nothing where they lie on squares.
    pub tops: Option<Tops>,
}

impl CellSheet {
    /// The position of a field.
    pub fn find_field(&self, name: &str) -> Option<usize> {
        self.fields.get_index_of(name)
    }

    /// Squares as files write them, row by row: `["R! C", "C R"]`.
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
    /// How often a piece is turned until it lies as before.
    pub const fn turns(&self) -> u8 {
        if self.tops.is_some() { 6 } else { 4 }
    }

    /// The cells of a piece that is turned clockwise so many times, row by row. Squares count from the north-west corner of the
    /// rectangle around them, hexagons from the first cell of the first row.
    pub fn turned(&self, cells: &[Cell], turns: u8) -> Vec<Cell> {
        let mut cells = cells.to_vec();
        for _ in 0..turns % self.turns() {
            let rows = cells.iter().map(|cell| cell.y).max().unwrap_or_default();
            for cell in &mut cells {
                (cell.x, cell.y) =
                    if self.tops.is_some() { (-cell.y, cell.x + cell.y) } else { (rows - cell.y, cell.x) };
            }
        }
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        if let Some(Cell { x, y, .. }) = cells.first().copied().filter(|_| self.tops.is_some()) {
            for cell in &mut cells {
                (cell.x, cell.y) = (cell.x - x, cell.y - y);
            }
        }
        cells
    }
}

//! The squares of pieces that take up several spaces.

use super::{FieldType, FieldValue, Text};
use indexmap::IndexMap;
use std::sync::Arc;

/// One square of a component, as it lies unturned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// Columns to the east of the component's first column.
    pub x: u8,
    /// Rows to the south of its first row.
    pub y: u8,
    /// What is printed on it: a position in [`CellSheet::prints`].
    pub print: u16,
}

/// What may be printed on a square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellPrint {
    /// How it is written: its sign and its marks, as `R!`.
    pub text: Arc<str>,
    /// Its fields, in the order of [`CellSheet::fields`].
    pub fields: Vec<FieldValue>,
    /// What it is painted with, as `#e8a33d`, if that is said.
    pub color: Option<Arc<str>>,
}

/// A sign that squares are written with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellSign {
    /// The sign: one character.
    pub sign: Arc<str>,
    /// What people call it.
    pub name: Text,
    /// What a square with it is painted with, if that is said.
    pub color: Option<Arc<str>>,
}

/// All that squares of pieces say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CellSheet {
    /// The signs, in the order of the file.
    pub signs: Vec<CellSign>,
    /// The fields of squares, with their types.
    pub fields: IndexMap<Arc<str>, FieldType>,
    /// Every different square there is.
    pub prints: Vec<CellPrint>,
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

/// The squares of a piece that is turned clockwise so many times, row by row.
pub fn turned_cells(cells: &[Cell], turns: u8) -> Vec<Cell> {
    let mut cells = cells.to_vec();
    for _ in 0..turns % 4 {
        let rows = cells.iter().map(|cell| cell.y).max().unwrap_or_default();
        for cell in &mut cells {
            (cell.x, cell.y) = (rows - cell.y, cell.x);
        }
    }
    cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
    cells
}

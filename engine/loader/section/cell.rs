//! Reads pieces that cover several spaces: the symbols of their cells, and the rows of symbols of each component.

use crate::diagnostic::{Diagnostic, Place};
use crate::loader::document::node::{KeyedNode, Node};
use crate::loader::keys::form::{Form, TableSpec};
use crate::loader::keys::key::{DisplayText, Key, Word, declare_table};
use crate::loader::keys::reading::Fields;
use crate::loader::mistake::{too_many, unknown, wrong_type};
use crate::loader::name::check_field_name;
use crate::loader::section::draft::Draft;
use crate::model::{Cell, CellPrint, CellSymbol, FieldType, FieldValue};
use indexmap::IndexMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of columns, and of rows, of one piece.
const MAX_ACROSS: usize = 16;

/// Maximum number of cells of one piece.
const MAX_CELLS: usize = 64;

/// Maximum number of different cells in a game.
const MAX_PRINTS: usize = 1024;

/// Symbol for a gap in a piece.
const HOLE: &str = ".";

declare_table! {
    /// Keys of a symbol; all other keys are fields.
    pub(in crate::loader) const SYMBOL: TableSpec = TableSpec::new("a symbol of cells", "symbols of cells")
        .with_others(&Form::Anything);

    const NAME: Key<DisplayText> = Key::text("name", "display name");
    const COLOR: Key<Word> = Key::word("color", "color: `#` and six hexadecimal digits", Form::Word);
}

/// The rows of symbols of a component.
pub(super) const CELLS: Key =
    Key::new("cells", "cells of a piece that covers several spaces, one text per row", Form::Some(&Form::Word));

/// A symbol with its declaration.
struct Symbol<'a> {
    written: &'a Arc<str>,
    entry: &'a KeyedNode,
}

/// A row of the cells of a component.
struct Row<'a> {
    node: &'a Node,
    text: &'a str,
}

impl<'a> Row<'a> {
    fn new(node: &'a Node) -> Option<Self> {
        node.text().map(|text| Self { node, text })
    }

    fn cells(&self) -> impl Iterator<Item = &'a str> {
        self.text.split_whitespace()
    }

    /// Returns the place of the cell in the column `x`, or that of the row if the file writes the row in another way, for example with
    /// escapes.
    fn place_of(&self, x: usize) -> Place {
        let place = &self.node.place;
        let within = self.cells().take(x + 1).try_fold(0..0, |before, cell| {
            let start = before.end + self.text[before.end..].find(cell)?;
            Some(start..start + cell.len())
        });
        let row = place.source.text[place.span.clone()].find(self.text);
        match row.zip(within) {
            Some((row, cell)) => {
                let start = place.span.start + row;
                Place { span: start + cell.start..start + cell.end, ..place.clone() }
            }
            None => place.clone(),
        }
    }
}

impl<'a> Draft<'a> {
    /// Reads the section `cells`, and the cells of all components with cells.
    pub(in crate::loader) fn read_cells(&mut self) {
        let tree = self.tree;
        let section = self.section("cells");
        let symbols: Vec<Symbol<'a>> = section.into_iter().map(|(written, entry)| Symbol { written, entry }).collect();
        for symbol in &symbols {
            if let Some(read) = self.symbol(symbol) {
                self.cells.symbols.push(read);
            }
        }
        self.cells.fields = self.cell_fields(&symbols);
        for row in &tree.rows {
            let Some(node) = row.node.table().and_then(|table| CELLS.value_in(table)) else { continue };
            let cells = self.footprint(row.id().map_or("", |id| id), node, &symbols);
            if let Some(at) = row.id().and_then(|id| self.component_id(id)) {
                self.components[at.index()].cells = cells;
            }
        }
    }

    fn symbol(&self, symbol: &Symbol<'a>) -> Option<CellSymbol> {
        if symbol.written.chars().count() != 1
            || symbol.written.chars().any(char::is_whitespace)
            || &**symbol.written == HOLE
        {
            self.mistake(bad_symbol(symbol.written, &symbol.entry.key));
        }
        let fields = Fields::open(self.report, symbol.written, &symbol.entry.key, &symbol.entry.node, &SYMBOL)?;
        let color = fields.read(&COLOR).filter(|(color, place)| self.is_color(color, place));
        Some(CellSymbol {
            written: symbol.written.clone(),
            name: fields.text_or_id(&NAME, symbol.written),
            color: color.map(|(color, _)| color.clone()),
        })
    }

    fn is_color(&self, color: &str, place: &Place) -> bool {
        let is_color =
            color.len() == 7 && color.starts_with('#') && color[1..].bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_color {
            self.mistake(bad_color(color, place));
        }
        is_color
    }

    fn cell_fields(&self, symbols: &[Symbol<'a>]) -> IndexMap<Arc<str>, FieldType> {
        let mut columns: IndexMap<Arc<str>, Vec<&'a Node>> = IndexMap::new();
        for table in symbols.iter().filter_map(|symbol| symbol.entry.node.table()) {
            for (name, entry) in table.iter().filter(|(name, _)| !is_own(name)) {
                if !columns.contains_key(name) {
                    check_field_name(name, &entry.key, self.report);
                }
                columns.entry(name.clone()).or_default().push(&entry.node);
            }
        }
        columns.into_iter().map(|(name, samples)| (name.clone(), self.infer_type(&name, &samples))).collect()
    }

    /// Reads the cells of the component `id`.
    fn footprint(&mut self, id: &str, node: &'a Node, symbols: &[Symbol<'a>]) -> Vec<Cell> {
        let rows = |list: &'a [Node]| -> Vec<Row<'a>> { list.iter().filter_map(Row::new).collect() };
        let rows: Option<Vec<Row<'a>>> = node.list().map(rows);
        let count = node.list().map_or(0, <[Node]>::len);
        let Some(rows) = rows.filter(|rows| rows.len() == count && !rows.is_empty()) else {
            self.mistake(wrong_type(CELLS.name, "a list of rows, each a text of squares with spaces between", node));
            return Vec::new();
        };
        let mut cells = Vec::new();
        for (y, row) in rows.iter().enumerate() {
            for (x, text) in row.cells().enumerate().filter(|(_, text)| *text != HOLE) {
                if x >= MAX_ACROSS || y >= MAX_ACROSS {
                    self.mistake(too_many("columns or rows of one piece", x.max(y) + 1, MAX_ACROSS, Some(&node.place)));
                    return Vec::new();
                }
                let Some(print) = self.cell_print(text, symbols, &row.place_of(x)) else { return Vec::new() };
                cells.push(Cell { x: x as i8, y: y as i8, print });
            }
        }
        self.check_rows(id, &rows);
        self.check_footprint(&cells, node);
        cells
    }

    /// Reports the first row whose length differs from that of most rows.
    fn check_rows(&self, id: &str, rows: &[Row<'_>]) {
        let mut lengths: BTreeMap<usize, usize> = BTreeMap::new();
        for row in rows {
            *lengths.entry(row.cells().count()).or_default() += 1;
        }
        let is_usual = |row: &Row<'_>| lengths[&row.cells().count()] == lengths.values().copied().max().unwrap_or(0);
        let usual = rows.iter().position(is_usual).map(|at| (at, rows[at].cells().count()));
        let Some((usual, length)) = usual else { return };
        if let Some((at, row)) = rows.iter().enumerate().find(|(_, row)| row.cells().count() != length) {
            self.mistake(uneven_rows(id, (at, row.cells().count()), (usual, length), &row.node.place));
        }
    }

    /// Reports a piece with too many cells, and a piece whose first column or first row is empty.
    fn check_footprint(&self, cells: &[Cell], node: &Node) {
        let starts = cells.iter().any(|cell| cell.x == 0) && cells.iter().any(|cell| cell.y == 0);
        if cells.len() > MAX_CELLS {
            self.mistake(too_many("cells of one piece", cells.len(), MAX_CELLS, Some(&node.place)));
        }
        if !starts {
            self.mistake(empty_edge(&node.place));
        }
    }

    /// Returns the index of the distinct cell written as `text`, and adds the cell if it is new. Returns `None` and reports a mistake if
    /// the cell cannot be added.
    fn cell_print(&mut self, text: &str, symbols: &[Symbol<'a>], place: &Place) -> Option<u16> {
        if let Some(known) = self.cells.prints.iter().position(|print| *print.text == *text) {
            return Some(known as u16);
        }
        if self.cells.prints.len() == MAX_PRINTS {
            self.mistake(too_many("different squares", MAX_PRINTS + 1, MAX_PRINTS, Some(place)));
            return None;
        }
        let mut used = Vec::new();
        for symbol in text.chars().map(|symbol| symbol.to_string()) {
            let Some(found) = symbols.iter().find(|known| **known.written == *symbol) else {
                let known = symbols.iter().map(|known| &**known.written);
                self.mistake(with_declaration_help(unknown("unknown-symbol", "symbol", &symbol, place, known)));
                return None;
            };
            if used.iter().any(|known: &&Symbol<'a>| known.written == found.written) {
                self.mistake(symbol_twice(&symbol, text, place));
                return None;
            }
            used.push(found);
        }
        let fields = self.cells.fields.iter().map(|(name, field_type)| self.printed(name, field_type, &used)).collect();
        let color = used.iter().rev().find_map(|symbol| {
            self.cells
                .symbols
                .iter()
                .find(|known| known.written == *symbol.written)
                .and_then(|known| known.color.clone())
        });
        self.cells.prints.push(CellPrint { text: text.into(), fields, color });
        Some(self.cells.prints.len() as u16 - 1)
    }

    /// Returns the value of a field in a cell. If several symbols have the field, the last one wins. A flag that no symbol sets is `false`.
    fn printed(&self, name: &Arc<str>, field_type: &FieldType, used: &[&Symbol<'a>]) -> FieldValue {
        let said = used.iter().rev().find_map(|symbol| symbol.entry.node.table()?.get(name));
        match said {
            Some(entry) => self.field_value(name, &entry.node, field_type),
            None if *field_type == FieldType::Flag => FieldValue::Flag(false),
            None => FieldValue::Nothing,
        }
    }
}

fn is_own(name: &str) -> bool {
    SYMBOL.has(name)
}

fn bad_symbol(symbol: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("bad-symbol", format!("`{symbol}` cannot be a symbol of cells"))
        .mark(place.clone(), "not a single character")
        .help("write one letter or mark; `.` stands for no cell")
}

fn symbol_twice(symbol: &str, text: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("symbol-twice", format!("the cell `{text}` has the symbol `{symbol}` twice"))
        .mark(place.clone(), "one symbol is enough")
        .help(format!("write it once, or a space between two cells: `{symbol} {symbol}`"))
}

/// Creates the diagnostic for a row of a piece that is longer or shorter than a usual row. Each row is given by its index and its number of
/// cells.
fn uneven_rows(id: &str, row: (usize, usize), usual: (usize, usize), place: &Place) -> Diagnostic {
    let counted = |count: usize| if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") };
    let message = format!(
        "row {} of the cells of `{id}` has {}, but row {} has {}",
        row.0 + 1,
        counted(row.1),
        usual.0 + 1,
        usual.1
    );
    Diagnostic::warning("uneven-pattern", message)
        .mark(place.clone(), counted(row.1))
        .help(format!("write {} with spaces between them, and `.` for a gap", counted(usual.1)))
}

fn bad_color(color: &str, place: &Place) -> Diagnostic {
    Diagnostic::error("bad-color", format!("`{color}` is not a color"))
        .mark(place.clone(), "not a color")
        .help("write `#` and six hexadecimal digits, as `#e8a33d`")
}

fn with_declaration_help(found: Diagnostic) -> Diagnostic {
    if found.help.is_some() { found } else { found.help("declare it under `[cells]`") }
}

fn empty_edge(place: &Place) -> Diagnostic {
    Diagnostic::error("empty-edge", "the first column or the first row of a piece has no cell")
        .mark(place.clone(), "begins with an empty column or row")
        .help("remove the empty column or row")
}

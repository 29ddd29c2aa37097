//! Converts a sheet to component rows. The first row of the sheet contains the keys.

use super::cell::read;
use super::grid::{Cell, Grid};
use crate::diagnostic::{Diagnostic, Place, Role};
use crate::loader::document::budget::{Budget, ENTRY};
use crate::loader::document::node::{Data, KeyedNode, Node, Table};
use crate::loader::document::tree::Row;
use crate::loader::report::Report;
use crate::loader::section::draft::unknown_language;
use crate::model::Language;
use std::sync::Arc;

/// Prefix of the names of sheets, columns and files that contain notes. Notes are not read.
pub(super) const NOTE_PREFIX: char = '#';

/// Kind and overlay of the rows of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::loader) struct Target {
    /// Name of the kind.
    pub(in crate::loader) kind: Arc<str>,
    /// Path of the overlay; `None` for the base game.
    pub(in crate::loader) overlay: Option<String>,
}

/// Returns the kind and the overlay of the rows of a sheet. `sheet` is the name of the sheet if the file is a workbook.
///
/// A sheet or CSV file `fruit` contains rows of the kind `fruit`. `dry.fruit` contains rows of the overlay `overlays/dry.toml`, as does the
/// sheet `fruit` of the workbook `overlays/dry.xlsx`.
pub(in crate::loader) fn target(path: &str, sheet: Option<&str>) -> Target {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let (overlay, kind) = match sheet.unwrap_or(stem).rsplit_once('.') {
        Some((overlay, kind)) => (Some(overlay), kind),
        None => (None, sheet.unwrap_or(stem)),
    };
    let own = (Role::of(path) == Some(Role::Overlay)).then_some(stem).filter(|_| sheet.is_some());
    let overlay = own.or(overlay).map(|name| Role::Overlay.path(name));
    Target { kind: kind.into(), overlay }
}

/// A column with a heading. The heading is split into `keys`, the path to which cells of the column are written.
struct Column {
    name: String,
    keys: Vec<Arc<str>>,
    place: Place,
}

impl Grid {
    /// Returns the rows of the sheet as component rows of `kind`. Reports mistakes, and leaves out rows with mistakes.
    pub(in crate::loader) fn rows_of(&self, kind: &Arc<str>, budget: &Budget, report: &Report) -> Vec<Row> {
        let mut rows = self.rows.iter().skip_while(|row| row.iter().all(Cell::is_empty));
        let Some(heading) = rows.next() else { return Vec::new() };
        let columns = self.columns(heading, report);
        let kind_place = heading.iter().find(|cell| !cell.is_empty()).map_or(self.beginning(), |cell| self.place(cell));
        let row = |cells: &Vec<Cell>| {
            let node = self.row(cells, &columns, budget, report)?;
            Some(Row { kind: kind.clone(), kind_place: kind_place.clone(), node })
        };
        let mut found = Vec::new();
        for cells in rows {
            if report.is_full() {
                break;
            }
            found.extend(row(cells));
        }
        found
    }

    /// Parses the column headings. Reports invalid headings, whose columns are then treated as notes.
    fn columns(&self, heading: &[Cell], report: &Report) -> Vec<Heading> {
        let mut columns: Vec<Heading> = Vec::new();
        for cell in heading {
            let (name, place) = (cell.text.trim(), self.place(cell));
            if let Some(stray) = cell.stray {
                report.add(stray.mistake(cell, place));
                columns.push(Heading::Note);
            } else if name.is_empty() {
                columns.push(Heading::Nameless);
            } else if name.starts_with(NOTE_PREFIX) {
                columns.push(Heading::Note);
            } else if name.split('.').any(|key| key.trim().is_empty()) {
                report.add(bad_heading(name, place));
                columns.push(Heading::Note);
            } else if let Some(first) = columns.iter().filter_map(Heading::column).find(|known| known.name == name) {
                report.add(duplicate_column(name, place, first.place.clone()));
                columns.push(Heading::Note);
            } else if let Some(tag) = name.strip_prefix("name.").filter(|tag| !is_language(tag.trim())) {
                let tag = tag.trim();
                let start = place.span.end.saturating_sub(tag.len()).max(place.span.start);
                report.add(unknown_language(tag, &Place { span: start..place.span.end, ..place }));
                columns.push(Heading::Note);
            } else {
                let keys = name.split('.').map(|key| key.trim().into()).collect();
                columns.push(Heading::Column(Column { name: name.to_owned(), keys, place }));
            }
        }
        columns
    }

    fn row(&self, cells: &[Cell], columns: &[Heading], budget: &Budget, report: &Report) -> Option<Node> {
        let mut table = Table::new();
        let mut first: Option<Place> = None;
        let mut is_valid = true;
        for (at, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let column = match columns.get(at) {
                Some(Heading::Column(column)) => column,
                Some(Heading::Note) => continue,
                None => {
                    report.add(surplus_cell(self.place(cell), columns.len()));
                    is_valid = false;
                    break;
                }
                Some(Heading::Nameless) => {
                    report.add(column_without_heading(self.place(cell)));
                    is_valid = false;
                    continue;
                }
            };
            first.get_or_insert_with(|| self.place(cell));
            let size = column.keys.len() * ENTRY + cell.text.len();
            if !budget.charge(size, &|| self.place(cell), report) {
                return None;
            }
            match read(cell, self, budget, report) {
                Some(node) => is_valid &= insert(&mut table, &column.keys, column, node, report),
                None => is_valid = false,
            }
        }
        let place = first?;
        is_valid.then_some(Node { place, data: Data::Table(table) })
    }
}

/// Heading of a column.
enum Heading {
    Column(Column),
    /// A column that is not read: notes, or a column whose heading has been reported.
    Note,
    /// No heading. All cells below must be empty.
    Nameless,
}

impl Heading {
    fn column(&self) -> Option<&Column> {
        match self {
            Self::Column(column) => Some(column),
            Self::Note | Self::Nameless => None,
        }
    }
}

/// Writes the value of a cell to the path of its column. Returns `false` and reports a mistake if the row already has a value at this path.
fn insert(table: &mut Table, keys: &[Arc<str>], column: &Column, node: Node, report: &Report) -> bool {
    let (key, rest) = keys.split_first().expect("a column has a name");
    let place = &column.place;
    if rest.is_empty() {
        if let Some(known) = table.get_mut(key) {
            let is_text = node.text().is_some() && known.node.table().is_some_and(is_by_language);
            match &mut known.node.data {
                Data::Table(texts) if is_text && !texts.contains_key(ENGLISH) => {
                    texts.insert(ENGLISH.into(), KeyedNode { key: place.clone(), node });
                    return true;
                }
                _ => {
                    report.add(conflicting_cells(column, node.place, known.node.place.clone()));
                    return false;
                }
            }
        }
        table.insert(key.clone(), KeyedNode { key: place.clone(), node });
        return true;
    }
    let entry = table.entry(key.clone()).or_insert_with(|| KeyedNode {
        key: place.clone(),
        node: Node { place: node.place.clone(), data: Data::Table(Table::new()) },
    });
    // A column `name` next to a column `name.zh-Hant` contains the English text.
    let is_translation =
        entry.node.text().is_some() && rest.len() == 1 && is_language(&rest[0]) && &*rest[0] != ENGLISH;
    if is_translation {
        let plain = entry.node.clone();
        let texts = Table::from([(ENGLISH.into(), KeyedNode { key: entry.key.clone(), node: plain })]);
        entry.node.data = Data::Table(texts);
    }
    if let Data::Table(inner) = &mut entry.node.data {
        return insert(inner, rest, column, node, report);
    }
    report.add(conflicting_cells(column, node.place, entry.node.place.clone()));
    false
}

/// Language tag of text in columns whose heading has no language tag.
pub(super) const ENGLISH: &str = Language::English.tag();

/// Returns whether a word is the tag of a supported language.
pub(super) fn is_language(tag: &str) -> bool {
    Language::ALL.iter().any(|language| language.tag() == tag)
}

/// Returns whether a table is not empty, all its keys are language tags, and all its values are strings.
pub(super) fn is_by_language(table: &Table) -> bool {
    !table.is_empty() && table.iter().all(|(tag, entry)| is_language(tag) && entry.node.text().is_some())
}

fn column_without_heading(place: Place) -> Diagnostic {
    Diagnostic::error("bad-sheet", "this column has no heading")
        .mark(place, "its cell in the first row is empty")
        .help("name the column in the first row; columns whose name begins with `#` are ignored")
}

fn surplus_cell(place: Place, columns: usize) -> Diagnostic {
    Diagnostic::error("bad-sheet", format!("this row has more cells than the {columns} columns of the first row"))
        .mark(place, "beyond the last column")
        .help("remove a cell, or put a cell that contains a comma in quotes: `\"a, b\"`")
}

fn bad_heading(name: &str, place: Place) -> Diagnostic {
    Diagnostic::error("bad-sheet", format!("`{name}` cannot be the name of a column"))
        .mark(place, "nothing before or after a dot")
        .help("write a key, as `cost`, or several with dots between them, as `name.zh-Hant`")
}

fn duplicate_column(name: &str, place: Place, first: Place) -> Diagnostic {
    Diagnostic::error("duplicate-key", format!("two columns are called `{name}`"))
        .mark(place, "the second time")
        .mark(first, "the first time")
        .help("give one of the two another name")
}

fn conflicting_cells(column: &Column, place: Place, first: Place) -> Diagnostic {
    let key = &column.keys[0];
    Diagnostic::error("duplicate-key", format!("two cells of this row set `{key}`"))
        .mark(place, "the second time")
        .mark(first, "the first time")
        .help("empty one of the two")
}

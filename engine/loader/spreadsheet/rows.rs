//! Rows of components from the cells of a sheet: the first row names their keys.

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

/// What the name of a sheet, a column or a file begins with that is not read.
pub(super) const ASIDE: char = '#';

/// What the rows of a sheet are of, and in which overlay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::loader) struct Target {
    /// The kind.
    pub(in crate::loader) kind: Arc<str>,
    /// The overlay that they lie in, by its path.
    pub(in crate::loader) overlay: Option<String>,
}

/// What a sheet is for: the path of its file, and its own name where the file has several. `fruit` has the rows of a kind,
/// `dry.fruit` what the overlay `overlays/dry.toml` says of them; so has the sheet `fruit` of `overlays/dry.xlsx`.
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

/// A column: the keys that lead to what its cells say, and where they are written.
struct Column {
    name: String,
    keys: Vec<Arc<str>>,
    place: Place,
}

impl Grid {
    /// The rows of a kind. Mistakes are reported, and rows without what they are about left out.
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

    /// What each column is; nothing for those that are not read.
    fn columns(&self, heading: &[Cell], report: &Report) -> Vec<Heading> {
        let mut columns: Vec<Heading> = Vec::new();
        for cell in heading {
            let (name, place) = (cell.text.trim(), self.place(cell));
            if let Some(stray) = cell.stray {
                report.add(stray.mistake(cell, place));
                columns.push(Heading::Aside);
            } else if name.is_empty() {
                columns.push(Heading::Nameless);
            } else if name.starts_with(ASIDE) {
                columns.push(Heading::Aside);
            } else if name.split('.').any(|key| key.trim().is_empty()) {
                report.add(bad_heading(name, place));
                columns.push(Heading::Aside);
            } else if let Some(first) = columns.iter().filter_map(Heading::column).find(|known| known.name == name) {
                report.add(column_twice(name, place, first.place.clone()));
                columns.push(Heading::Aside);
            } else if let Some(tag) = name.strip_prefix("name.").filter(|tag| !is_language(tag.trim())) {
                let tag = tag.trim();
                let start = place.span.end.saturating_sub(tag.len()).max(place.span.start);
                report.add(unknown_language(tag, &Place { span: start..place.span.end, ..place }));
                columns.push(Heading::Aside);
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
        let mut is_well = true;
        for (at, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let column = match columns.get(at) {
                Some(Heading::Column(column)) => column,
                Some(Heading::Aside) => continue,
                Some(Heading::Nameless) | None => {
                    report.add(nameless(self.place(cell)));
                    is_well = false;
                    continue;
                }
            };
            first.get_or_insert_with(|| self.place(cell));
            let size = column.keys.len() * ENTRY + cell.text.len();
            if !budget.charge(size, &|| self.place(cell), report) {
                return None;
            }
            match read(cell, self, budget, report) {
                Some(node) => is_well &= insert(&mut table, &column.keys, column, node, report),
                None => is_well = false,
            }
        }
        let place = first?;
        is_well.then_some(Node { place, data: Data::Table(table) })
    }
}

/// The first cell of a column.
enum Heading {
    Column(Column),
    /// Not read.
    Aside,
    /// Nothing may stand below it.
    Nameless,
}

impl Heading {
    fn column(&self) -> Option<&Column> {
        match self {
            Self::Column(column) => Some(column),
            Self::Aside | Self::Nameless => None,
        }
    }
}

/// Puts what a cell says where its column leads to; whether there is room for it.
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
                    report.add(said_twice(column, node.place, known.node.place.clone()));
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
    // `name` beside `name.zh-Hant` is the English text.
    let is_beside_text =
        entry.node.text().is_some() && rest.len() == 1 && is_language(&rest[0]) && &*rest[0] != ENGLISH;
    if is_beside_text {
        let plain = entry.node.clone();
        let texts = Table::from([(ENGLISH.into(), KeyedNode { key: entry.key.clone(), node: plain })]);
        entry.node.data = Data::Table(texts);
    }
    if let Data::Table(inner) = &mut entry.node.data {
        return insert(inner, rest, column, node, report);
    }
    report.add(said_twice(column, node.place, entry.node.place.clone()));
    false
}

/// The language of a text that does not say which it is in.
pub(super) const ENGLISH: &str = Language::English.tag();

pub(super) fn is_language(tag: &str) -> bool {
    Language::ALL.iter().any(|language| language.tag() == tag)
}

/// Whether a table has nothing but texts by language.
pub(super) fn is_by_language(table: &Table) -> bool {
    !table.is_empty() && table.iter().all(|(tag, entry)| is_language(tag) && entry.node.text().is_some())
}

fn nameless(place: Place) -> Diagnostic {
    Diagnostic::error("bad-sheet", "nothing says what this column is")
        .mark(place, "the first row is empty above it")
        .help("name the column in the first row; a name that begins with `#` makes it one of notes")
}

fn bad_heading(name: &str, place: Place) -> Diagnostic {
    Diagnostic::error("bad-sheet", format!("`{name}` cannot be the name of a column"))
        .mark(place, "nothing stands before or behind a dot")
        .help("write a key, as `cost`, or several with dots between them, as `name.zh-Hant`")
}

fn column_twice(name: &str, place: Place, first: Place) -> Diagnostic {
    Diagnostic::error("duplicate-key", format!("two columns are called `{name}`"))
        .mark(place, "the second time")
        .mark(first, "the first time")
        .help("give one of the two another name")
}

fn said_twice(column: &Column, place: Place, first: Place) -> Diagnostic {
    let key = &column.keys[0];
    Diagnostic::error("duplicate-key", format!("two cells of this row say what `{key}` is"))
        .mark(place, "the second time")
        .mark(first, "the first time")
        .help("empty one of the two")
}

//! Converts component rows to spreadsheets: columns, and the cells of each row.

use super::cell::escape_text;
use super::rows::{ENGLISH, is_by_language};
use crate::diagnostic::Role;
use crate::loader::document::node::{Data, KeyedNode, Node, Table};
use crate::loader::document::tree::Tree;
use indexmap::IndexMap;
use std::sync::Arc;

/// A spreadsheet to be exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenSheet {
    /// Name of the sheet: a kind, or `overlay.kind`.
    pub name: String,
    /// Column headings.
    pub columns: Vec<String>,
    /// Rows, with a cell for each column.
    pub rows: Vec<Vec<CellContent>>,
    /// Paths of the files from which the rows were read.
    pub files: Vec<String>,
}

/// Content of an exported cell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum CellContent {
    /// An empty cell.
    #[default]
    Nothing,
    /// An integer.
    Number(i64),
    /// A boolean.
    Flag(bool),
    /// Text, without the `'` that a cell may need.
    Text(String),
    /// A list or a table in TOML.
    Toml(String),
}

impl CellContent {
    /// Returns the content as text, for file formats such as CSV that have only text cells.
    pub fn text(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Text(text) => escape_text(text),
            Self::Toml(text) => text.clone(),
        }
    }
}

/// Returns the sheets of a game: one for each kind of the base game, followed by those of the overlays.
pub(in crate::loader) fn sheets(base: &Tree, overlays: &IndexMap<String, Tree>) -> Vec<WrittenSheet> {
    let mut sheets = sheets_of_tree(base, None, &[]);
    let order: Vec<String> = sheets.iter().map(|sheet| sheet.name.clone()).collect();
    for (path, overlay) in overlays {
        sheets.extend(sheets_of_tree(overlay, Some(Role::Overlay.name(path)), &order));
    }
    sheets
}

/// Returns the sheets of one tree. `overlay` is the name of the overlay if the tree belongs to one. The kinds in `order` come first.
fn sheets_of_tree(tree: &Tree, overlay: Option<&str>, order: &[String]) -> Vec<WrittenSheet> {
    let mut tree = tree.clone();
    tree.order_rows();
    let mut kinds: Vec<Arc<str>> = tree.rows.iter().map(|row| row.kind.clone()).collect();
    kinds.dedup();
    kinds.sort_by_key(|kind| order.iter().position(|known| **known == **kind).unwrap_or(usize::MAX));
    let sheet = |kind: Arc<str>| {
        let name = overlay.map_or_else(|| kind.to_string(), |overlay| format!("{overlay}.{kind}"));
        let rows: Vec<_> = tree.rows.iter().filter(|row| row.kind == kind).collect();
        let mut files: Vec<String> = rows.iter().map(|row| row.node.place.source.file().to_owned()).collect();
        files.dedup();
        let cells: Vec<IndexMap<String, CellContent>> =
            rows.iter().filter_map(|row| row.node.table().map(cells)).collect();
        let columns = columns(&cells);
        let row = |cells: &IndexMap<String, CellContent>| {
            columns.iter().map(|column| cells.get(column).cloned().unwrap_or_default()).collect()
        };
        WrittenSheet { name, rows: cells.iter().map(row).collect(), columns, files }
    };
    kinds.into_iter().map(sheet).collect()
}

/// Returns the columns of the rows in the order of their first occurrence. Columns with the same first key are adjacent.
fn columns(rows: &[IndexMap<String, CellContent>]) -> Vec<String> {
    let mut columns: Vec<String> = Vec::new();
    let root = |column: &str| column.split('.').next().unwrap_or_default().to_owned();
    for column in rows.iter().flat_map(IndexMap::keys) {
        if !columns.contains(column) {
            let beside = columns.iter().rposition(|known| root(known) == root(column));
            columns.insert(beside.map_or(columns.len(), |at| at + 1), column.clone());
        }
    }
    columns
}

fn cells(row: &Table) -> IndexMap<String, CellContent> {
    let mut cells = IndexMap::new();
    for (key, entry) in row {
        add_cells(&mut cells, key.to_string(), &entry.node);
    }
    cells
}

/// Adds the cell of a value. If the value is a table whose keys can be part of a column heading, adds a cell for each entry.
fn add_cells(cells: &mut IndexMap<String, CellContent>, column: String, node: &Node) {
    let filled = match &node.data {
        Data::Table(table) if has_columns(table) => {
            let is_text = table.len() > 1 && is_by_language(table);
            for (key, entry) in table {
                let is_plain = is_text && &**key == ENGLISH;
                add_cells(cells, if is_plain { column.clone() } else { format!("{column}.{key}") }, &entry.node);
            }
            return;
        }
        Data::Table(_) | Data::List(_) => CellContent::Toml(to_toml(node)),
        Data::Number(number) => CellContent::Number(*number),
        Data::Fraction(_) => CellContent::Nothing,
        Data::Flag(flag) => CellContent::Flag(*flag),
        Data::Text(text) => CellContent::Text(text.to_string()),
    };
    cells.insert(column, filled);
}

/// Returns whether the keys of a table can be part of a column heading.
fn has_columns(table: &Table) -> bool {
    let is_plain = |key: &Arc<str>| {
        !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'))
    };
    !table.is_empty() && table.keys().all(is_plain)
}

/// Formats a value as TOML on one line, without sorting the keys.
fn to_toml(node: &Node) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let is_bare =
        |key: &str| !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    match &node.data {
        Data::Table(table) if table.is_empty() => "{}".to_owned(),
        Data::Table(table) => {
            let entry = |(key, entry): (&Arc<str>, &KeyedNode)| {
                let key = if is_bare(key) { key.to_string() } else { quoted(key) };
                format!("{key} = {}", to_toml(&entry.node))
            };
            format!("{{ {} }}", table.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        Data::List(list) => format!("[{}]", list.iter().map(to_toml).collect::<Vec<_>>().join(", ")),
        Data::Number(number) => number.to_string(),
        Data::Flag(flag) => flag.to_string(),
        // Inline tables could not contain line breaks before TOML 1.1, so multi-line strings are escaped.
        Data::Text(text) => escape_lines(text).unwrap_or_else(|| quoted(text)),
        Data::Fraction(_) => String::new(),
    }
}

/// Returns `text` as an escaped TOML string if it contains line breaks, otherwise `None`.
fn escape_lines(text: &str) -> Option<String> {
    let escaped = || {
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r")
    };
    text.contains(['\n', '\r']).then(|| format!("\"{}\"", escaped()))
}

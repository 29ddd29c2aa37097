//! The rows of a game's kinds as sheets: in which columns what stands.

use super::cell::written;
use super::rows::{ENGLISH, is_by_language};
use crate::diagnostic::Role;
use crate::loader::document::node::{Data, KeyedNode, Node, Table};
use crate::loader::document::tree::Tree;
use indexmap::IndexMap;
use std::sync::Arc;

/// A sheet, to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenSheet {
    /// What it is called: a kind, or an overlay and a kind with a dot between them.
    pub name: String,
    /// What its columns are called.
    pub columns: Vec<String>,
    /// Its rows: a cell for each column.
    pub rows: Vec<Vec<Filled>>,
    /// The files that the rows stood in.
    pub files: Vec<String>,
}

/// What stands in a cell that is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Filled {
    /// Nothing.
    #[default]
    Nothing,
    /// A whole number.
    Number(i64),
    /// Yes or no.
    Flag(bool),
    /// A text, as it is.
    Text(String),
    /// A list or a table, as TOML writes it.
    Toml(String),
}

impl Filled {
    /// As it is written in a cell that may hold nothing but text.
    pub fn text(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Text(text) => written(text),
            Self::Toml(text) => text.clone(),
        }
    }
}

/// The sheets of a game, those of what overlays change behind those of all kinds.
pub(in crate::loader) fn sheets(base: &Tree, overlays: &IndexMap<String, Tree>) -> Vec<WrittenSheet> {
    let mut sheets = of_tree(base, None, &[]);
    let order: Vec<String> = sheets.iter().map(|sheet| sheet.name.clone()).collect();
    for (path, overlay) in overlays {
        sheets.extend(of_tree(overlay, Some(Role::Overlay.name(path)), &order));
    }
    sheets
}

fn of_tree(tree: &Tree, overlay: Option<&str>, order: &[String]) -> Vec<WrittenSheet> {
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
        let cells: Vec<IndexMap<String, Filled>> = rows.iter().filter_map(|row| row.node.table().map(cells)).collect();
        let columns = columns(&cells);
        let row = |cells: &IndexMap<String, Filled>| {
            columns.iter().map(|column| cells.get(column).cloned().unwrap_or_default()).collect()
        };
        WrittenSheet { name, rows: cells.iter().map(row).collect(), columns, files }
    };
    kinds.into_iter().map(sheet).collect()
}

/// The columns of rows in the order in which they come up, those of one key beside each other.
fn columns(rows: &[IndexMap<String, Filled>]) -> Vec<String> {
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

fn cells(row: &Table) -> IndexMap<String, Filled> {
    let mut cells = IndexMap::new();
    for (key, entry) in row {
        add(&mut cells, key.to_string(), &entry.node);
    }
    cells
}

fn add(cells: &mut IndexMap<String, Filled>, column: String, node: &Node) {
    let filled = match &node.data {
        Data::Table(table) if has_columns(table) => {
            let is_text = table.len() > 1 && is_by_language(table);
            for (key, entry) in table {
                let is_plain = is_text && &**key == ENGLISH;
                add(cells, if is_plain { column.clone() } else { format!("{column}.{key}") }, &entry.node);
            }
            return;
        }
        Data::Table(_) | Data::List(_) => Filled::Toml(toml_of(node)),
        Data::Number(number) => Filled::Number(*number),
        Data::Fraction(_) => Filled::Nothing,
        Data::Flag(flag) => Filled::Flag(*flag),
        Data::Text(text) => Filled::Text(text.to_string()),
    };
    cells.insert(column, filled);
}

/// Whether the keys of a table can be parts of the name of a column.
fn has_columns(table: &Table) -> bool {
    let is_plain = |key: &Arc<str>| {
        !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'))
    };
    !table.is_empty() && table.keys().all(is_plain)
}

/// A value as TOML writes it in one line, with the keys of tables in their order.
fn toml_of(node: &Node) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let is_bare =
        |key: &str| !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    match &node.data {
        Data::Table(table) if table.is_empty() => "{}".to_owned(),
        Data::Table(table) => {
            let entry = |(key, entry): (&Arc<str>, &KeyedNode)| {
                let key = if is_bare(key) { key.to_string() } else { quoted(key) };
                format!("{key} = {}", toml_of(&entry.node))
            };
            format!("{{ {} }}", table.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        Data::List(list) => format!("[{}]", list.iter().map(toml_of).collect::<Vec<_>>().join(", ")),
        Data::Number(number) => number.to_string(),
        Data::Flag(flag) => flag.to_string(),
        // In one line, as tables in braces were long held to.
        Data::Text(text) => one_line(text).unwrap_or_else(|| quoted(text)),
        Data::Fraction(_) => String::new(),
    }
}

/// A text in quotes without a line break, where it has one.
fn one_line(text: &str) -> Option<String> {
    let escaped = || {
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r")
    };
    text.contains(['\n', '\r']).then(|| format!("\"{}\"", escaped()))
}

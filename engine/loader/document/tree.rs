//! The merged data of all files of a game, before it is interpreted.

use crate::diagnostic::{self, Diagnostic, Place, Role, Source};
use crate::loader::document::budget::{size_of_node, size_of_table};
use crate::loader::document::node::{Data, KeyedNode, Node, PROVENANCE, Table, entries_without_provenance};
use crate::loader::keys::form::TableSpec;
use crate::loader::mistake::{too_many, wrong_type};
use crate::loader::report::Report;
use indexmap::{IndexMap, IndexSet};
use std::sync::Arc;

/// Maximum number of entries in a section.
pub(in crate::loader) const MAX_ENTRIES: usize = 2048;

/// Maximum number of component rows in a tree.
pub(super) const MAX_ROWS: usize = 8192;

/// The data of all files by section. The component rows of all files are in one list.
#[derive(Debug, Clone, Default)]
pub(in crate::loader) struct Tree {
    /// The sections.
    pub(in crate::loader) root: Table,
    /// The component rows, in the order of the files.
    pub(in crate::loader) rows: Vec<Row>,
    /// Provenance declared at the top of a file, by path: `game`, or `kinds.NAME` for each kind with rows in the file.
    pub(super) origins: IndexMap<String, Arc<str>>,
    /// Correct names of sections that were probably misspelled.
    pub(super) suggested_sections: Vec<&'static str>,
    /// The source of `game.toml`, once it has been added.
    pub(super) game: Option<Arc<Source>>,
    /// Places of entries that overlays add under names close to existing ones, each with the existing name.
    pub(in crate::loader) likely_typos: Vec<(Place, Arc<str>)>,
}

/// A component row.
#[derive(Debug, Clone)]
pub(in crate::loader) struct Row {
    /// Name of the component's kind.
    pub(in crate::loader) kind: Arc<str>,
    /// Place of the kind's name.
    pub(in crate::loader) kind_place: Place,
    /// TOML table that defines the row.
    pub(in crate::loader) node: Node,
}

impl Row {
    /// Returns the id of the component, if the row has one.
    pub(in crate::loader) fn id(&self) -> Option<&Arc<str>> {
        self.node.text_in("id")
    }

    /// Returns the place of the id. Returns the place of the whole row if the row has no id.
    pub(in crate::loader) fn place(&self) -> &Place {
        self.node.table().and_then(|table| table.get("id")).map_or(&self.node.place, |entry| &entry.node.place)
    }
}

impl Tree {
    /// Returns the beginning of `game.toml`, for diagnostics about missing entries.
    pub(in crate::loader) fn beginning(&self) -> Place {
        let empty_source = || Arc::new(Source { path: diagnostic::GAME.to_owned(), text: String::new() });
        Place::at(&self.game.clone().unwrap_or_else(empty_source), 1, 1)
    }

    /// Returns whether `section` is missing because its name was misspelled. The misspelled name has been reported.
    pub(in crate::loader) fn is_misspelled(&self, section: &str) -> bool {
        self.suggested_sections.contains(&section)
    }

    /// Adds a section. Merges its entries if the tree already has the section. Reports a section that is not a table, and names that are
    /// declared twice.
    pub(super) fn add_section(&mut self, key: Arc<str>, entry: KeyedNode, report: &Report) {
        if entry.node.table().is_none() {
            report.add(wrong_type(&key, "a table", &entry.node));
            return;
        }
        let Some(known) = self.root.get_mut(&key) else {
            self.root.insert(key, entry);
            self.split_patterns();
            return;
        };
        // Only `kinds` and `cells` can occur in several files.
        let (Data::Table(known), Data::Table(more)) = (&mut known.node.data, entry.node.data) else { return };
        for (name, entry) in more.into_iter().filter(|(name, _)| &**name != PROVENANCE) {
            match known.get(&name) {
                Some(first) => report.add(declared_twice(
                    if &*key == "cells" { "the symbol" } else { "the kind" },
                    &name,
                    &entry.key,
                    &first.key,
                )),
                None => drop(known.insert(name, entry)),
            }
        }
    }

    /// Adds the tables of a list as rows of a kind. Does nothing if the entry is not a list.
    pub(super) fn add_rows(&mut self, kind: &Arc<str>, entry: KeyedNode, report: &Report) {
        let Data::List(rows) = entry.node.data else { return };
        let row = |node| Row { kind: kind.clone(), kind_place: entry.key.clone(), node };
        self.add_rows_of(rows.into_iter().map(row).collect(), report);
    }

    /// Adds the rows of one kind. Reports and drops rows in excess of [`MAX_ROWS`].
    pub(in crate::loader) fn add_rows_of(&mut self, rows: Vec<Row>, report: &Report) {
        let room = MAX_ROWS.saturating_sub(self.rows.len());
        if let Some(first) = rows.first().filter(|_| rows.len() > room) {
            report.add(too_many("rows of components", self.rows.len() + rows.len(), MAX_ROWS, Some(&first.kind_place)));
        }
        self.rows.extend(rows.into_iter().take(room));
    }

    /// Returns the entries of a section without its provenance, at most [`MAX_ENTRIES`].
    pub(in crate::loader) fn section(&self, name: &str) -> impl Iterator<Item = (&Arc<str>, &KeyedNode)> + use<'_> {
        let table = self.root.get(name).and_then(|entry| entry.node.table());
        table.into_iter().flat_map(entries_without_provenance).take(MAX_ENTRIES)
    }

    /// Reports sections with too many entries, including the subsections of `values`.
    pub(in crate::loader) fn check_sizes(&self, report: &Report) {
        for (name, entry) in self.root.iter().chain(self.section("values")) {
            let number = entry.node.table().map_or(0, Table::len);
            if number > MAX_ENTRIES {
                report.add(too_many(&format!("entries in `{name}`"), number, MAX_ENTRIES, Some(&entry.key)));
            }
        }
    }

    /// Returns the provenance of every table that has one, by the dotted path of the table.
    pub(in crate::loader) fn provenances(&self, report: &Report) -> IndexMap<String, Arc<str>> {
        let mut found = self.origins.clone();
        for (name, entry) in &self.root {
            find_provenances(&mut name.to_string(), &entry.node, report, &mut found);
        }
        for (row, id) in self.rows.iter().filter_map(|row| Some((row, row.id()?))) {
            find_provenances(&mut format!("{}.{id}", row.kind), &row.node, report, &mut found);
        }
        found
    }

    /// Sorts the rows by kind. Kinds come in the order of their declarations, followed by undeclared kinds sorted by name. As a result, the
    /// distribution of rows over files does not affect play.
    pub(in crate::loader) fn order_rows(&mut self) {
        let kinds = self.root.get("kinds").and_then(|entry| entry.node.table());
        let place = |kind: &Arc<str>| kinds.and_then(|kinds| kinds.get_index_of(kind)).unwrap_or(usize::MAX);
        self.rows.sort_by(|a, b| (place(&a.kind), &a.kind).cmp(&(place(&b.kind), &b.kind)));
    }

    /// Returns the names of all kinds: those that are declared, and those that rows use.
    pub(in crate::loader) fn kind_names(&self) -> IndexSet<&Arc<str>> {
        let declared = self.section("kinds").map(|(name, _)| name);
        declared.chain(self.rows.iter().map(|row| &row.kind)).collect()
    }

    /// Returns the estimated size of the tree in bytes.
    pub(in crate::loader) fn size(&self) -> usize {
        size_of_table(&self.root) + self.rows.iter().map(|row| size_of_node(&row.node)).sum::<usize>()
    }

    /// Returns whether a kind is declared or used by rows.
    pub(in crate::loader) fn has_kind(&self, name: &str) -> bool {
        self.rows.iter().any(|row| *row.kind == *name) || self.section("kinds").any(|(kind, _)| **kind == *name)
    }
}

/// Collects the provenance of a table and its nested tables. The function extends `path` for nested tables and restores it before it
/// returns.
fn find_provenances(path: &mut String, node: &Node, report: &Report, found: &mut IndexMap<String, Arc<str>>) {
    let ends = path.len();
    if let Some(table) = node.table() {
        if let Some(entry) = table.get(PROVENANCE) {
            match entry.node.text() {
                Some(text) => drop(found.insert(path.clone(), text.clone())),
                None => report.add(wrong_type(PROVENANCE, "a sentence", &entry.node)),
            }
        }
        for (key, entry) in table {
            path.extend([".", key]);
            find_provenances(path, &entry.node, report, found);
            path.truncate(ends);
        }
    }
    for (at, node) in node.list().unwrap_or_default().iter().enumerate() {
        // Only tables can have a provenance. Lists are visited because they may contain tables.
        if node.table().is_some() || node.list().is_some() {
            path.extend([".", (at + 1).to_string().as_str()]);
            find_provenances(path, node, report, found);
            path.truncate(ends);
        }
    }
}

/// Returns whether a node is a list of tables, which is the form of component rows.
pub(super) fn is_rows(node: &Node) -> bool {
    node.list().is_some_and(|list| list.iter().all(|row| row.table().is_some()))
}

/// Creates the diagnostic for a name that is declared twice. `what` is the noun with its article.
pub(in crate::loader) fn declared_twice(what: &str, name: &str, second: &Place, first: &Place) -> Diagnostic {
    Diagnostic::error("duplicate-id", format!("{what} `{name}` is declared twice"))
        .mark(second.clone(), "the second time")
        .mark(first.clone(), "the first time")
}

/// Creates the diagnostic for a top-level key that is not a section of its file. `takes_rows` tells whether component rows are allowed in
/// the file.
pub(super) fn not_a_section(
    source: &Arc<Source>,
    sort: &TableSpec,
    key: &str,
    entry: &KeyedNode,
    takes_rows: bool,
) -> Diagnostic {
    let found = sort.unknown_key(key, &entry.key);
    if found.help.is_some() {
        return found;
    }
    if is_rows(&entry.node) && !takes_rows {
        return found.help("put rows of components into a file `components/….toml`");
    }
    if takes_rows && entry.node.table().is_some() && source.role() == Some(Role::Components) {
        return found.help(format!("write `[[{key}]]` for a row of the kind `{key}`"));
    }
    if key == "game" {
        return found.help("declare this in `game.toml`: an overlay only changes components and data");
    }
    if key == "options" {
        return found.help("declare options in `game.toml`: overlays are selected by them");
    }
    found
}

//! The data of all files of a game put together, before anything in it is understood.

use crate::diagnostic::{self, Diagnostic, Place, Role, Source};
use crate::loader::document::budget::{size_of_node, size_of_table};
use crate::loader::document::node::{Data, KeyedNode, Node, PROVENANCE, Table, own_entries};
use crate::loader::keys::form::TableSpec;
use crate::loader::keys::reading::unknown_key;
use crate::loader::mistake::{too_many, wrong_type};
use crate::loader::report::Report;
use indexmap::{IndexMap, IndexSet};
use std::sync::Arc;

/// The most entries of one section.
pub(in crate::loader) const MOST_ENTRIES: usize = 2048;

/// The most rows in one tree.
pub(super) const MOST_ROWS: usize = 8192;

/// Everything that is written, by section, with the component rows of all files in one list.
#[derive(Debug, Clone, Default)]
pub(in crate::loader) struct Tree {
    /// The sections.
    pub(in crate::loader) root: Table,
    /// The rows of components, in the order of the files.
    pub(in crate::loader) rows: Vec<Row>,
    /// What files say of their own origin: of the game, or of the kinds a file has rows of.
    pub(super) origins: IndexMap<String, Arc<str>>,
    /// The sections that were most likely meant by others.
    pub(super) meant: Vec<&'static str>,
    /// `game.toml`, once it has been added.
    pub(super) game: Option<Arc<Source>>,
    /// What overlays added that is called nearly like something that was there: where, and what that is called.
    pub(in crate::loader) newcomers: Vec<(Place, Arc<str>)>,
}

/// A row of the component list.
#[derive(Debug, Clone)]
pub(in crate::loader) struct Row {
    /// The kind it belongs to.
    pub(in crate::loader) kind: Arc<str>,
    /// Where that is written.
    pub(in crate::loader) kind_place: Place,
    /// The row.
    pub(in crate::loader) node: Node,
}

impl Row {
    /// The id the row gives itself, if it does.
    pub(in crate::loader) fn id(&self) -> Option<&Arc<str>> {
        self.node.text_in("id")
    }

    /// Where its id is written, or the row that has none.
    pub(in crate::loader) fn place(&self) -> &Place {
        self.node.table().and_then(|table| table.get("id")).map_or(&self.node.place, |entry| &entry.node.place)
    }
}

impl Tree {
    /// The beginning of `game.toml`, for what is missing in it.
    pub(in crate::loader) fn beginning(&self) -> Place {
        let nothing = || Arc::new(Source { path: diagnostic::GAME.to_owned(), text: String::new() });
        Place::at(&self.game.clone().unwrap_or_else(nothing), 1, 1)
    }

    /// Whether another section was reported as this one.
    pub(in crate::loader) fn is_misspelled(&self, section: &str) -> bool {
        self.meant.contains(&section)
    }

    pub(super) fn add_section(&mut self, key: Arc<str>, entry: KeyedNode, report: &Report) {
        if entry.node.table().is_none() {
            report.add(wrong_type(&key, "a table", &entry.node));
            return;
        }
        let Some(known) = self.root.get_mut(&key) else {
            self.root.insert(key, entry);
            self.take_patterns_apart();
            return;
        };
        // Only `kinds` and `cells` stand in several files.
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

    pub(super) fn add_rows(&mut self, kind: &Arc<str>, entry: KeyedNode, report: &Report) {
        let Data::List(rows) = entry.node.data else { return };
        let row = |node| Row { kind: kind.clone(), kind_place: entry.key.clone(), node };
        self.add_rows_of(rows.into_iter().map(row).collect(), report);
    }

    /// Adds rows of one kind.
    pub(in crate::loader) fn add_rows_of(&mut self, rows: Vec<Row>, report: &Report) {
        let room = MOST_ROWS.saturating_sub(self.rows.len());
        if let Some(first) = rows.first().filter(|_| rows.len() > room) {
            report.add(too_many(
                "rows of components",
                self.rows.len() + rows.len(),
                MOST_ROWS,
                Some(&first.kind_place),
            ));
        }
        self.rows.extend(rows.into_iter().take(room));
    }

    /// The entries of a section, without its provenance; no more than [`MOST_ENTRIES`].
    pub(in crate::loader) fn section(&self, name: &str) -> impl Iterator<Item = (&Arc<str>, &KeyedNode)> + use<'_> {
        let table = self.root.get(name).and_then(|entry| entry.node.table());
        table.into_iter().flat_map(own_entries).take(MOST_ENTRIES)
    }

    /// Reports sections that have too many entries, and values that belong to one thing.
    pub(in crate::loader) fn check_sizes(&self, report: &Report) {
        for (name, entry) in self.root.iter().chain(self.section("values")) {
            let number = entry.node.table().map_or(0, Table::len);
            if number > MOST_ENTRIES {
                report.add(too_many(&format!("entries in `{name}`"), number, MOST_ENTRIES, Some(&entry.key)));
            }
        }
    }

    /// What every table says of its origin, by the dotted path of the table.
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

    /// Puts the rows of a kind together, and the kinds in the order in which they are declared; those that are not, by name behind
    /// them. So it does not matter in which files rows lie, and in what order kinds stand there.
    pub(in crate::loader) fn order_rows(&mut self) {
        let kinds = self.root.get("kinds").and_then(|entry| entry.node.table());
        let place = |kind: &Arc<str>| kinds.and_then(|kinds| kinds.get_index_of(kind)).unwrap_or(usize::MAX);
        self.rows.sort_by(|a, b| (place(&a.kind), &a.kind).cmp(&(place(&b.kind), &b.kind)));
    }

    /// The names of the kinds, declared or used by rows.
    pub(in crate::loader) fn kind_names(&self) -> IndexSet<&Arc<str>> {
        let declared = self.section("kinds").map(|(name, _)| name);
        declared.chain(self.rows.iter().map(|row| &row.kind)).collect()
    }

    /// Bytes that it takes, estimated.
    pub(in crate::loader) fn size(&self) -> usize {
        size_of_table(&self.root) + self.rows.iter().map(|row| size_of_node(&row.node)).sum::<usize>()
    }

    /// Whether there is a kind with a name.
    pub(in crate::loader) fn has_kind(&self, name: &str) -> bool {
        self.rows.iter().any(|row| *row.kind == *name) || self.section("kinds").any(|(kind, _)| **kind == *name)
    }
}

/// What a table and the tables in it say of their origin; the path is as before when this is done.
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
        // Nothing else has a path of its own that could be found.
        if node.table().is_some() || node.list().is_some() {
            path.extend([".", (at + 1).to_string().as_str()]);
            find_provenances(path, node, report, found);
            path.truncate(ends);
        }
    }
}

pub(super) fn is_rows(node: &Node) -> bool {
    node.list().is_some_and(|list| list.iter().all(|row| row.table().is_some()))
}

/// Two things of a sort have the same name.
pub(in crate::loader) fn declared_twice(what: &str, name: &str, second: &Place, first: &Place) -> Diagnostic {
    Diagnostic::error("duplicate-id", format!("{what} `{name}` is declared twice"))
        .mark(second.clone(), "the second time")
        .mark(first.clone(), "the first time")
}

pub(super) fn not_a_section(
    source: &Arc<Source>,
    sort: &TableSpec,
    key: &str,
    entry: &KeyedNode,
    takes_rows: bool,
) -> Diagnostic {
    let found = unknown_key(sort, key, &entry.key);
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
        return found.help("say what the game is in `game.toml`: an overlay changes what it is played with");
    }
    if key == "options" {
        return found.help("declare options in `game.toml`: an overlay is chosen by them");
    }
    found
}

//! Merges overlays into a game's data, before the data is interpreted.

use crate::diagnostic::{Place, nearest};
use crate::loader::document::node::{Data, KeyedNode, Node, Table, is_by_players, is_count};
use crate::loader::document::tree::{Row, Tree};
use crate::loader::mistake::unknown;
use crate::loader::report::Report;
use std::sync::Arc;

impl Tree {
    /// Merges an overlay into this tree. Tables are merged by key and rows by id; lists and plain values are replaced. A row with a `count`
    /// of 0 leaves the component without pieces. The component itself stays declared, because rules, playscripts and other rows may name
    /// it.
    pub(in crate::loader) fn merge_overlay(&mut self, overlay: &Self, report: &Report) {
        self.record_likely_typos(overlay);
        self.merge_kinds(overlay);
        for row in &overlay.rows {
            self.merge_row(row, report);
        }
        for (key, entry) in &overlay.root {
            merge_entry(&mut self.root, key, entry, &[]);
        }
    }

    /// Records entries that an overlay adds under names close to existing ones, because these names are probably misspelled.
    fn record_likely_typos(&mut self, overlay: &Self) {
        let mut found = Vec::new();
        for (section, entry) in &overlay.root {
            let (Some(known), Some(more)) = (self.root.get(section).and_then(table_of), table_of(entry)) else {
                continue;
            };
            found.extend(likely_typos(known, more));
            for (owner, entry) in more.iter().filter(|_| &**section == "values") {
                if let (Some(known), Some(more)) = (known.get(owner).and_then(table_of), table_of(entry)) {
                    found.extend(likely_typos(known, more));
                }
            }
        }
        for row in &overlay.rows {
            let known = || self.rows.iter().filter(|base| base.kind == row.kind).filter_map(|base| base.id());
            let Some(id) = row.id().filter(|id| known().all(|other| other != *id)) else { continue };
            found.extend(nearest(id, known().map(|id| &**id)).map(|meant| (row.place().clone(), meant.into())));
        }
        self.likely_typos.extend(found);
    }

    /// Merges the declarations of kinds. This must happen before rows are merged, so that rows of the overlay can belong to the new kinds.
    fn merge_kinds(&mut self, overlay: &Self) {
        if let Some(kinds) = overlay.root.get("kinds") {
            merge_entry(&mut self.root, "kinds", kinds, &[]);
        }
    }

    /// Merges a row into the row with the same kind and id, or adds the row if there is none. Reports a row of an unknown kind, and a row
    /// that removes an unknown component.
    fn merge_row(&mut self, row: &Row, report: &Report) {
        if !self.has_kind(&row.kind) {
            let kinds = self.kind_names();
            report.add(unknown("unknown-kind", "kind", &row.kind, &row.kind_place, kinds.iter().map(|kind| &***kind)));
            return;
        }
        let known = self.rows.iter().position(|base| base.kind == row.kind && base.id() == row.id());
        match known {
            Some(at) => merge_node(&mut self.rows[at].node, &row.node, &[]),
            // A removal of an unknown component would have no effect, so its id is probably misspelled.
            None if is_removal(&row.node) => self.report_absent(row, report),
            None => self.rows.push(row.clone()),
        }
    }

    fn report_absent(&self, row: &Row, report: &Report) {
        let Some(id) = row.id() else { return };
        let known = self.rows.iter().filter(|base| base.kind == row.kind).filter_map(Row::id);
        report.add(unknown("unknown-component", &row.kind, id, row.place(), known.map(|id| &**id)));
    }
}

fn table_of(entry: &KeyedNode) -> Option<&Table> {
    entry.node.table()
}

/// Iterates over the entries of `more` that are missing in `known`, but whose names resemble a name in `known`. Each item is the place of
/// the entry and the name that it resembles.
fn likely_typos(known: &Table, more: &Table) -> impl Iterator<Item = (Place, Arc<str>)> {
    let new = more.iter().filter(|(name, _)| !known.contains_key(*name));
    new.filter_map(|(name, entry)| {
        let meant = nearest(name, known.keys().map(|name| &**name))?;
        Some((entry.key.clone(), meant.into()))
    })
}

/// Returns whether a row only sets `count = 0`. Such a row removes the pieces of an existing component, and must not add a component.
fn is_removal(row: &Node) -> bool {
    row.table().is_some_and(|table| {
        let is_none = table.get("count").and_then(|entry| entry.node.number()) == Some(0);
        is_none && table.keys().all(|key| matches!(&**key, "id" | "count"))
    })
}

fn merge_entry(base: &mut Table, key: &str, entry: &KeyedNode, path: &[&str]) {
    match base.get_mut(key) {
        None => drop(base.insert(key.into(), entry.clone())),
        Some(known) => {
            let path: Vec<&str> = path.iter().copied().chain([key]).collect();
            merge_node(&mut known.node, &entry.node, &path);
        }
    }
}

/// Merges one node over another. `path` is the path of both nodes. A plain value for a param replaces only the param's value and keeps its
/// description.
pub(in crate::loader) fn merge_node(base: &mut Node, over: &Node, path: &[&str]) {
    let is_param = matches!(path, ["params", _]);
    match (&mut base.data, &over.data) {
        (Data::Table(known), Data::Table(more)) => {
            if is_param {
                remove_replaced_value(known, more);
            }
            for (key, entry) in more {
                merge_entry(known, key, entry, path);
            }
        }
        (Data::Table(known), _) if is_param => set_value(known, over),
        _ => *base = over.clone(),
    }
}

/// Removes the base value of a param if the overlay replaces the value. A param has either a plain value or values by number of players,
/// never both.
fn remove_replaced_value(known: &mut Table, more: &Table) {
    if is_by_players(more) {
        known.shift_remove("value");
    }
    if more.contains_key("value") {
        known.retain(|key, _| !is_count(key));
    }
}

/// Sets a param that is described by a table to a plain value, and keeps its description.
fn set_value(known: &mut Table, over: &Node) {
    known.retain(|key, _| !is_count(key) && &**key != "value");
    known.insert("value".into(), KeyedNode { key: over.place.clone(), node: over.clone() });
}

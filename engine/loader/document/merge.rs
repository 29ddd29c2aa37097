//! Laying changed data over a game's data, before any of it is understood.

use crate::diagnostic::{Place, nearest};
use crate::loader::document::node::{Data, KeyedNode, Node, Table, is_by_players, is_count};
use crate::loader::document::tree::{Row, Tree};
use crate::loader::mistake::unknown;
use crate::loader::report::Report;
use std::sync::Arc;

impl Tree {
    /// Lays an overlay over this: tables by key, rows of components by id, lists and plain values replaced. A row with
    /// `count = 0` takes the pieces out of the box; the component keeps its name, as rules, plays and other rows name it.
    pub(in crate::loader) fn lay_over(&mut self, overlay: &Self, report: &Report) {
        self.note_newcomers(overlay);
        self.lay_kinds_first(overlay);
        for row in &overlay.rows {
            self.lay_row(row, report);
        }
        for (key, entry) in &overlay.root {
            lay_entry(&mut self.root, key, entry, &[]);
        }
    }

    /// Notes what an overlay adds that is called nearly like something there is.
    fn note_newcomers(&mut self, overlay: &Self) {
        let mut found = Vec::new();
        for (section, entry) in &overlay.root {
            let (Some(known), Some(more)) = (self.root.get(section).and_then(inside), inside(entry)) else { continue };
            found.extend(newcomers(known, more));
            for (owner, entry) in more.iter().filter(|_| &**section == "values") {
                if let (Some(known), Some(more)) = (known.get(owner).and_then(inside), inside(entry)) {
                    found.extend(newcomers(known, more));
                }
            }
        }
        for row in &overlay.rows {
            let known = || self.rows.iter().filter(|base| base.kind == row.kind).filter_map(|base| base.id());
            let Some(id) = row.id().filter(|id| known().all(|other| other != *id)) else { continue };
            found.extend(nearest(id, known().map(|id| &**id)).map(|meant| (row.place().clone(), meant.into())));
        }
        self.newcomers.extend(found);
    }

    /// Kinds the overlay declares are known to its rows.
    fn lay_kinds_first(&mut self, overlay: &Self) {
        if let Some(kinds) = overlay.root.get("kinds") {
            lay_entry(&mut self.root, "kinds", kinds, &[]);
        }
    }

    fn lay_row(&mut self, row: &Row, report: &Report) {
        if !self.has_kind(&row.kind) {
            let kinds = self.kind_names();
            report.add(unknown("unknown-kind", "kind", &row.kind, &row.kind_place, kinds.iter().map(|kind| &***kind)));
            return;
        }
        let known = self.rows.iter().position(|base| base.kind == row.kind && base.id() == row.id());
        match known {
            Some(at) => lay_node(&mut self.rows[at].node, &row.node, &[]),
            None if only_takes_out(&row.node) => self.report_absent(row, report),
            None => self.rows.push(row.clone()),
        }
    }

    fn report_absent(&self, row: &Row, report: &Report) {
        let Some(id) = row.id() else { return };
        let known = self.rows.iter().filter(|base| base.kind == row.kind).filter_map(Row::id);
        report.add(unknown("unknown-component", &row.kind, id, row.place(), known.map(|id| &**id)));
    }
}

fn inside(entry: &KeyedNode) -> Option<&Table> {
    entry.node.table()
}

/// What a table adds to another that is called nearly like something in that one: where, and what that is called.
fn newcomers(known: &Table, more: &Table) -> impl Iterator<Item = (Place, Arc<str>)> {
    let new = more.iter().filter(|(name, _)| !known.contains_key(*name));
    new.filter_map(|(name, entry)| {
        let meant = nearest(name, known.keys().map(|name| &**name))?;
        Some((entry.key.clone(), meant.into()))
    })
}

/// Whether a row of changed data says nothing but that there are none: of what is not there it means something else.
fn only_takes_out(row: &Node) -> bool {
    row.table().is_some_and(|table| {
        let is_none = table.get("count").and_then(|entry| entry.node.number()) == Some(0);
        is_none && table.keys().all(|key| matches!(&**key, "id" | "count"))
    })
}

fn lay_entry(base: &mut Table, key: &str, entry: &KeyedNode, path: &[&str]) {
    match base.get_mut(key) {
        None => drop(base.insert(key.into(), entry.clone())),
        Some(known) => {
            let path: Vec<&str> = path.iter().copied().chain([key]).collect();
            lay_node(&mut known.node, &entry.node, &path);
        }
    }
}

/// Lays one node over another; `path` says where they are, so that a param keeps what is written about it.
pub(in crate::loader) fn lay_node(base: &mut Node, over: &Node, path: &[&str]) {
    let is_param = matches!(path, ["params", _]);
    match (&mut base.data, &over.data) {
        (Data::Table(known), Data::Table(more)) => {
            if is_param {
                make_room(known, more);
            }
            for (key, entry) in more {
                lay_entry(known, key, entry, path);
            }
        }
        (Data::Table(known), _) if is_param => set_value(known, over),
        _ => *base = over.clone(),
    }
}

/// A table by number of players and a plain value of a param exclude each other: what comes later stands.
fn make_room(known: &mut Table, more: &Table) {
    if is_by_players(more) {
        known.shift_remove("value");
    }
    if more.contains_key("value") {
        known.retain(|key, _| !is_count(key));
    }
}

/// A plain value for a param that is a table: it replaces the numbers and leaves the rest.
fn set_value(known: &mut Table, over: &Node) {
    known.retain(|key, _| !is_count(key) && &**key != "value");
    known.insert("value".into(), KeyedNode { key: over.place.clone(), node: over.clone() });
}

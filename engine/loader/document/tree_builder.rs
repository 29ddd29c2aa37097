//! Builds a tree from files: distributes the top-level keys of each file to sections and rows.

use crate::diagnostic::{Role, Source};
use crate::loader::document::node::{Data, Node, PROVENANCE};
use crate::loader::document::tree::{Tree, is_rows, not_a_section};
use crate::loader::keys::form::TableSpec;
use crate::loader::keys::sections::{COMPONENTS, GAME, OVERLAY};
use crate::loader::mistake::wrong_type;
use crate::loader::report::Report;
use std::sync::Arc;

impl Tree {
    /// Creates the tree of an overlay.
    pub(in crate::loader) fn overlay(source: &Arc<Source>, node: Node, report: &Report) -> Self {
        let mut tree = Self::default();
        tree.add(source, node, &OVERLAY, report);
        tree
    }

    /// Adds `game.toml`.
    pub(in crate::loader) fn add_game(&mut self, source: &Arc<Source>, node: Node, report: &Report) {
        self.game = Some(source.clone());
        self.add(source, node, &GAME, report);
    }

    /// Adds a component file.
    pub(in crate::loader) fn add_components(&mut self, source: &Arc<Source>, node: Node, report: &Report) {
        self.add(source, node, &COMPONENTS, report);
    }

    fn add(&mut self, source: &Arc<Source>, node: Node, sort: &'static TableSpec, report: &Report) {
        let provenance = node.text_in(PROVENANCE).cloned();
        let takes_rows = source.role() != Some(Role::Game);
        if let Some(provenance) = provenance.as_ref().filter(|_| !takes_rows) {
            self.origins.insert("game".to_owned(), provenance.clone());
        }
        let Data::Table(table) = node.data else { return };
        for (key, entry) in table {
            if &*key == PROVENANCE {
                if entry.node.text().is_none() {
                    report.add(wrong_type(PROVENANCE, "a sentence", &entry.node));
                }
            } else if sort.has(&key) {
                self.add_section(key, entry, report);
            } else if is_rows(&entry.node) && takes_rows {
                if let Some(provenance) = &provenance {
                    self.origins.insert(format!("kinds.{key}"), provenance.clone());
                }
                self.add_rows(&key, entry, report);
            } else {
                self.suggested_sections.extend(sort.likely_key(&key));
                report.add(not_a_section(source, sort, &key, &entry, takes_rows));
            }
        }
    }
}

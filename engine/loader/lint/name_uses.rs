//! Determines, for the words in a game's data, which names they declare and which names they may refer to.
//!
//! The keys of the format determine this: a word in `round` can only be a phase, and a step of the flow only a function. A word in a field
//! can be anything, because rules may use it as any name.

use crate::diagnostic::Place;
use crate::loader::document::node::{Data, KeyedNode, Node, entries_without_provenance};
use crate::loader::document::tree::Tree;
use crate::loader::keys::form::{Form, KeySpec, NameSet, TableSpec};
use crate::loader::keys::sections::GAME;
use crate::loader::lint::mentions::mentions;
use crate::loader::section::component::ROW;
use crate::loader::section::identity::IDENTITY;
use crate::model::{Mention, NameCategories, NameCategory};
use indexmap::IndexMap;
use std::sync::Arc;

const AMOUNT: NameCategories = NameCategories::of(&[NameCategory::Param, NameCategory::Option]);

/// Returns every word of [`mentions`], with the categories in which it is declared and in which it is used.
pub(in crate::loader) fn mentions_with_uses(tree: &Tree) -> IndexMap<Arc<str>, Mention> {
    let mut walk = UseWalk { found: mentions(tree), named_keys: NameCategories::NONE };
    for section in GAME.keys {
        walk.declare(tree, section.name);
        if section.name == "words" {
            continue;
        }
        if let Some(entry) = tree.root.get(section.name) {
            walk.named_keys = if section.name == "expected" { NameCategories::ALL } else { NameCategories::NONE };
            walk.form(&section.form, &entry.node);
        }
    }
    for row in &tree.rows {
        walk.declare_name(&row.kind, &row.kind_place, NameCategory::Kind);
        if let Some(id) = row.id() {
            walk.declare_name(id, row.place(), NameCategory::Component);
        }
        walk.table(&ROW, &row.node);
    }
    walk.found
}

struct UseWalk {
    found: IndexMap<Arc<str>, Mention>,
    /// Categories to which the author's own keys of the next table may refer.
    named_keys: NameCategories,
}

impl UseWalk {
    /// Adds the names that a section declares.
    fn declare(&mut self, tree: &Tree, section: &str) {
        let category = match section {
            "params" => NameCategory::Param,
            "options" => NameCategory::Option,
            "kinds" => NameCategory::Kind,
            "zones" => NameCategory::Zone,
            "decisions" => NameCategory::Decision,
            "phases" => NameCategory::Phase,
            "endings" => NameCategory::Ending,
            "says" => NameCategory::Announcement,
            "altered" => NameCategory::Alteration,
            "teams" => NameCategory::Component,
            "values" => NameCategory::Value,
            _ => return,
        };
        for (name, entry) in tree.section(section) {
            if category == NameCategory::Value {
                for (name, entry) in entry.node.table().into_iter().flat_map(entries_without_provenance) {
                    self.declare_name(name, &entry.key, category);
                }
                continue;
            }
            self.declare_name(name, &entry.key, category);
            // An option with an overlay is used even if nothing else names it.
            if entry.node.table().is_some_and(|table| table.contains_key("overlay")) {
                self.add(name, NameCategories::of(&[category]));
            }
        }
    }

    fn declare_name(&mut self, name: &Arc<str>, place: &Place, category: NameCategory) {
        if let Some(mention) = self.found.get_mut(name)
            && mention.declaration(category).is_none()
        {
            mention.declared.push((category, place.clone()));
        }
    }

    /// Adds a use of a word.
    fn add(&mut self, word: &str, categories: NameCategories) {
        if let Some(mention) = self.found.get_mut(word) {
            mention.uses = mention.uses.union(categories);
        }
    }

    fn add_text(&mut self, node: &Node, categories: NameCategories) {
        if let Data::Text(text) = &node.data {
            self.add(text, categories);
        }
    }

    /// Adds a use for each string in a value without a fixed form and for each of its keys.
    fn anything(&mut self, node: &Node, categories: NameCategories) {
        match &node.data {
            Data::Table(table) => {
                for (key, entry) in table {
                    self.add(key, categories);
                    self.anything(&entry.node, categories);
                }
            }
            Data::List(list) => list.iter().for_each(|one| self.anything(one, categories)),
            _ => self.add_text(node, categories),
        }
    }

    /// Visits the entries of a table.
    fn table(&mut self, spec: &'static TableSpec, node: &Node) {
        for (name, entry) in node.table().into_iter().flat_map(entries_without_provenance) {
            if let Some(key) = spec.keys.iter().find(|key| *key.name == **name) {
                self.value(spec, key, entry);
            } else {
                self.add(name, NameCategories::of(&[NameCategory::Value]));
                self.anything(&entry.node, NameCategories::ALL);
            }
        }
    }

    /// Visits the value of a key of the format.
    fn value(&mut self, spec: &TableSpec, key: &'static KeySpec, entry: &KeyedNode) {
        let is_own_id = key.name == "id" && (spec.one == ROW.one || spec.one == IDENTITY.one);
        if is_own_id {
            return;
        }
        let is_of_fields = matches!(key.name, "parts" | "printed" | "fields");
        self.named_keys = if is_of_fields { NameCategories::NONE } else { NameCategories::ALL };
        self.form(&key.form, &entry.node);
    }

    /// Visits a value that should have the form `form`.
    fn form(&mut self, form: &'static Form, node: &Node) {
        match form {
            Form::Anything | Form::Targets(_) => self.anything(node, NameCategories::ALL),
            Form::Word => self.add_text(node, NameCategories::ALL),
            Form::Name(names) => self.add_text(node, categories_of(*names)),
            Form::WordOrName(_, names) => {
                names.iter().for_each(|names| self.add_text(node, categories_of(*names)));
            }
            Form::Amount => self.anything(node, AMOUNT),
            Form::FieldType => self.anything(node, NameCategories::of(&[NameCategory::Kind])),
            Form::List(inner) | Form::Some(inner) | Form::Pair(inner) => match node.list() {
                Some(list) => list.iter().for_each(|node| self.form(inner, node)),
                None => self.form(inner, node),
            },
            Form::AnyOf(forms) => {
                let keys = self.named_keys;
                for form in *forms {
                    self.named_keys = keys;
                    self.form(form, node);
                }
            }
            Form::ByPlayers(inner) => self.by_players(inner, &[], node),
            Form::ByPlayersBeside(inner, keys) => self.by_players(inner, keys, node),
            Form::Table(spec) => self.table(spec, node),
            Form::Named(inner) | Form::NamedForScripts(inner) => {
                let keys = self.named_keys;
                for (name, entry) in node.table().into_iter().flat_map(entries_without_provenance) {
                    self.add(name, keys);
                    self.named_keys = NameCategories::ALL;
                    self.form(inner, &entry.node);
                }
            }
            Form::Values(inner) => {
                for (owner, entry) in node.table().into_iter().flat_map(entries_without_provenance) {
                    self.add(owner, NameCategories::of(&[NameCategory::Kind]));
                    self.named_keys = NameCategories::NONE;
                    self.form(inner, &entry.node);
                }
            }
            Form::Text
            | Form::OneOf(_)
            | Form::Function
            | Form::Integer
            | Form::Between(..)
            | Form::Number
            | Form::Flag
            | Form::Steps => {}
        }
    }

    /// Visits a value that may differ by number of players.
    fn by_players(&mut self, inner: &'static Form, keys: &'static [KeySpec], node: &Node) {
        let named_keys = self.named_keys;
        for (name, entry) in node.table().into_iter().flat_map(entries_without_provenance) {
            let form = keys.iter().find(|key| *key.name == **name).map_or(inner, |key| &key.form);
            self.form(form, &entry.node);
        }
        self.named_keys = named_keys;
        self.form(inner, node);
    }
}

fn categories_of(names: NameSet) -> NameCategories {
    match names {
        NameSet::Kinds => NameCategories::of(&[NameCategory::Kind]),
        NameSet::Zones => NameCategories::of(&[NameCategory::Zone]),
        NameSet::Contents => NameCategories::of(&[NameCategory::Kind, NameCategory::Component]),
        NameSet::Carried => NameCategories::of(&[NameCategory::Value, NameCategory::Zone]),
        NameSet::Section("options") => NameCategories::of(&[NameCategory::Option]),
        NameSet::Section("phases") => NameCategories::of(&[NameCategory::Phase]),
        NameSet::Section("endings") => NameCategories::of(&[NameCategory::Ending]),
        NameSet::Section("decisions") => NameCategories::of(&[NameCategory::Decision]),
        // Cards that alter something do not use it: a rule has to ask for the alteration.
        NameSet::Section("altered") => NameCategories::NONE,
        NameSet::Section(_) => NameCategories::ALL,
    }
}

//! The words that a game's data writes: keys, and words in quotes that are not for people to read.

use crate::diagnostic::Place;
use crate::loader::document::node::{Data, Node, PROVENANCE, Table};
use crate::loader::document::tree::Tree;
use crate::loader::keys::form::Form;
use crate::loader::keys::sections::GAME;
use crate::loader::section::component::ROW;
use crate::loader::section::flow::STEP;
use crate::model::Mention;
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use std::sync::{Arc, LazyLock};

/// Keys whose texts are for people.
static FOR_PEOPLE: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    let mut found = FxHashSet::from_iter([PROVENANCE]);
    for spec in [&GAME, &ROW, &STEP] {
        spec.each_key(&mut |key| {
            if matches!(key.form, Form::Text) {
                found.insert(key.name);
            }
        });
    }
    found
});

/// Whether a section has a text for people behind each of its names.
fn is_of_texts(section: &str) -> bool {
    GAME.keys.iter().any(|key| key.name == section && matches!(key.form, Form::Named(Form::Text)))
}

/// Every word by its first place.
pub(in crate::loader) fn mentions(tree: &Tree) -> IndexMap<Arc<str>, Mention> {
    let mut found = IndexMap::new();
    for name in tree.root.keys().filter(|name| &***name != "words") {
        for (key, entry) in tree.section(name) {
            add(&mut found, key, &entry.key);
            if !is_of_texts(name) && !FOR_PEOPLE.contains(&**key) {
                walk(&mut found, &entry.node);
            }
            // What brings an overlay is of use.
            if entry.node.table().is_some_and(|table| table.contains_key("overlay")) {
                add(&mut found, key, &entry.key);
            }
        }
    }
    for row in &tree.rows {
        add(&mut found, &row.kind, &row.kind_place);
        walk(&mut found, &row.node);
    }
    found
}

fn walk(found: &mut IndexMap<Arc<str>, Mention>, node: &Node) {
    match &node.data {
        Data::Table(table) => walk_table(found, table),
        Data::List(list) => list.iter().for_each(|one| walk(found, one)),
        Data::Text(text) => add(found, text, &node.place),
        Data::Number(_) | Data::Fraction(_) | Data::Flag(_) => {}
    }
}

fn walk_table(found: &mut IndexMap<Arc<str>, Mention>, table: &Table) {
    for (key, entry) in table {
        add(found, key, &entry.key);
        if !FOR_PEOPLE.contains(&**key) {
            walk(found, &entry.node);
        }
    }
}

fn add(found: &mut IndexMap<Arc<str>, Mention>, word: &Arc<str>, place: &Place) {
    match found.get_mut(word) {
        Some(mention) => mention.times += 1,
        None => drop(found.insert(word.clone(), Mention { place: place.clone(), times: 1 })),
    }
}

//! Collects the words in a game's data: keys, and strings that are not display texts.

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

/// Keys whose values are display texts, and the key `provenance`.
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

/// Returns whether each entry of a section is a display text.
fn is_text_section(section: &str) -> bool {
    GAME.keys.iter().any(|key| key.name == section && matches!(key.form, Form::Named(Form::Text)))
}

/// Returns every key, and every string that is not a display text, with its first place and its number of occurrences. Skips the section
/// `words`.
pub(in crate::loader) fn mentions(tree: &Tree) -> IndexMap<Arc<str>, Mention> {
    let mut found = IndexMap::new();
    for name in tree.root.keys().filter(|name| &***name != "words") {
        for (key, entry) in tree.section(name) {
            add_word(&mut found, key, &entry.key);
            if !is_text_section(name) && !FOR_PEOPLE.contains(&**key) {
                add_node_words(&mut found, &entry.node);
            }
            // An entry with an overlay is used even if nothing else names it, so its name is counted twice.
            if entry.node.table().is_some_and(|table| table.contains_key("overlay")) {
                add_word(&mut found, key, &entry.key);
            }
        }
    }
    for row in &tree.rows {
        add_word(&mut found, &row.kind, &row.kind_place);
        add_node_words(&mut found, &row.node);
    }
    found
}

fn add_node_words(found: &mut IndexMap<Arc<str>, Mention>, node: &Node) {
    match &node.data {
        Data::Table(table) => add_table_words(found, table),
        Data::List(list) => list.iter().for_each(|one| add_node_words(found, one)),
        Data::Text(text) => add_word(found, text, &node.place),
        Data::Number(_) | Data::Fraction(_) | Data::Flag(_) => {}
    }
}

fn add_table_words(found: &mut IndexMap<Arc<str>, Mention>, table: &Table) {
    for (key, entry) in table {
        add_word(found, key, &entry.key);
        if !FOR_PEOPLE.contains(&**key) {
            add_node_words(found, &entry.node);
        }
    }
}

fn add_word(found: &mut IndexMap<Arc<str>, Mention>, word: &Arc<str>, place: &Place) {
    match found.get_mut(word) {
        Some(mention) => mention.times += 1,
        None => drop(found.insert(word.clone(), Mention::new(place.clone()))),
    }
}

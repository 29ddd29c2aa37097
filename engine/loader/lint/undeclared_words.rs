//! Collects the free words of a game's data: words that authors can use without declaring them. Free words occur in fields and cells,
//! params, backs, conditions of `alters`, labels of copies and spaces, values of options, and the answers of decisions. The names of kinds
//! and fields count as free words as well.

use crate::diagnostic::Place;
use crate::loader::document::node::{Data, KeyedNode, Node, PROVENANCE};
use crate::loader::document::tree::Tree;
use crate::loader::keys::form::{KeySpec, TableSpec};
use crate::loader::section::alteration::{ALTERATION, ALTERS, WHAT};
use crate::loader::section::cell::SYMBOL;
use crate::loader::section::component::ROW;
use crate::loader::section::decision::{PARTS, TELLS};
use crate::loader::section::field::DEFAULT;
use crate::loader::section::kind;
use crate::loader::section::option::OPTION;
use crate::loader::section::param::PARAM;
use crate::loader::section::zone_shape::ZONE;
use std::sync::Arc;

/// Answers to a yes/no question. Rules never write these answers as words.
const CONFIRMED: [&str; 2] = ["yes", "no"];

/// A free word.
pub(in crate::loader) struct Word {
    /// Text of the word.
    pub(in crate::loader) text: Arc<str>,
    /// Place of the word.
    pub(in crate::loader) place: Place,
    /// Role of the word.
    pub(in crate::loader) sort: Usage,
    /// Whether the word is a key or a value in a condition of `alters`, and is therefore compared with other words.
    pub(in crate::loader) is_compared: bool,
}

/// The role of a free word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::loader) enum Usage {
    /// The name of a kind, of a field, or of a part of an answer.
    Name,
    /// The value of a field.
    Value,
    /// The back of a kind, which may consist of several words.
    Back,
    /// An answer that has a sentence in `tells`.
    Answer,
}

fn name(text: &Arc<str>, place: &Place) -> Word {
    Word { text: text.clone(), place: place.clone(), sort: Usage::Name, is_compared: false }
}

/// Returns all free words with their places.
pub(in crate::loader) fn words(tree: &Tree) -> Vec<Word> {
    let mut found = Vec::new();
    for row in &tree.rows {
        found.push(name(&row.kind, &row.kind_place));
        add_row(&mut found, &row.node);
    }
    for (kind, entry) in tree.section("kinds") {
        found.push(name(kind, &entry.key));
        let fields = inner(entry, &kind::FIELDS);
        add_keys(&mut found, fields);
        for (_, field) in fields.and_then(Node::table).into_iter().flatten() {
            if let Some(word) = inner(field, &DEFAULT) {
                add_words(&mut found, word);
            }
        }
        if let Some(back) = inner(entry, &kind::BACK)
            && let Some(text) = back.text()
        {
            found.push(Word { text: text.clone(), place: back.place.clone(), sort: Usage::Back, is_compared: false });
        }
    }
    for (_, entry) in tree.section("cells") {
        add_free(&mut found, &entry.node, &SYMBOL);
    }
    for (_, entry) in tree.section("params") {
        add_free(&mut found, &entry.node, &PARAM);
    }
    for (_, entry) in tree.section("zones") {
        ZONE.with_own_words().filter_map(|key| inner(entry, key)).for_each(|labels| add_labels(&mut found, labels));
    }
    for (_, entry) in tree.section("decisions") {
        add_keys(&mut found, inner(entry, &PARTS));
        let sentences = inner(entry, &TELLS).and_then(Node::table).into_iter().flatten();
        for (answer, sentence) in sentences.filter(|(answer, _)| !CONFIRMED.contains(&&***answer)) {
            found.push(Word {
                text: answer.clone(),
                place: sentence.key.clone(),
                sort: Usage::Answer,
                is_compared: false,
            });
        }
    }
    for (_, entry) in tree.section("options") {
        OPTION.with_own_words().filter_map(|key| inner(entry, key)).for_each(|values| add_words(&mut found, values));
    }
    found
}

fn inner<'a>(entry: &'a KeyedNode, key: &KeySpec) -> Option<&'a Node> {
    key.value_in(entry.node.table()?)
}

/// Adds the names of the author's fields in a component row, and the free words in its values.
fn add_row(found: &mut Vec<Word>, row: &Node) {
    for (key, entry) in row.table().into_iter().flatten() {
        if !ROW.has(key) {
            found.push(name(key, &entry.key));
        }
        if **key == *ALTERS.name {
            add_alters(found, &entry.node);
        } else if is_free(&ROW, key) {
            add_words(found, &entry.node);
        }
    }
}

/// Returns whether the value of a key contains words invented by the author. The values of other keys are display texts, or are checked
/// where they are read.
fn is_free(spec: &TableSpec, key: &str) -> bool {
    !spec.has(key) || spec.with_own_words().any(|own| own.name == key)
}

/// Adds the keys of a table that [`is_free`] accepts, and all words in their values. If `node` is not a table, adds its words.
fn add_free(found: &mut Vec<Word>, node: &Node, spec: &TableSpec) {
    let Some(table) = node.table() else { return add_words(found, node) };
    for (key, entry) in table.iter().filter(|(key, _)| is_free(spec, key)) {
        found.push(name(key, &entry.key));
        add_words(found, &entry.node);
    }
}

/// Adds all keys and words of a value without a fixed form.
fn add_words(found: &mut Vec<Word>, node: &Node) {
    match &node.data {
        Data::Table(table) => {
            for (key, entry) in table {
                found.push(name(key, &entry.key));
                add_words(found, &entry.node);
            }
        }
        Data::List(list) => list.iter().for_each(|one| add_words(found, one)),
        Data::Text(text) => {
            found.push(Word { text: text.clone(), place: node.place.clone(), sort: Usage::Value, is_compared: false });
        }
        Data::Number(_) | Data::Fraction(_) | Data::Flag(_) => {}
    }
}

/// Adds the words of a row's `alters`. Every key that is not part of the format is a condition.
fn add_alters(found: &mut Vec<Word>, node: &Node) {
    let entries = node.list().unwrap_or_default().iter().filter_map(Node::table).flatten();
    for (key, entry) in entries.filter(|(key, _)| ![WHAT.name, PROVENANCE].contains(&&***key)) {
        let before = found.len();
        add_words(found, &entry.node);
        if !ALTERATION.has(key) {
            found.push(name(key, &entry.key));
            found[before..].iter_mut().for_each(|word| word.is_compared = true);
        }
    }
}

/// Adds the keys of a table, but not its values.
fn add_keys(found: &mut Vec<Word>, node: Option<&Node>) {
    let table = node.and_then(Node::table);
    found.extend(table.into_iter().flatten().map(|(key, entry)| name(key, &entry.key)));
}

/// Adds the labels in a list, or in a table of lists together with the table's keys. A single word is skipped, because it refers to a
/// declared name.
fn add_labels(found: &mut Vec<Word>, node: &Node) {
    match &node.data {
        Data::List(_) => add_words(found, node),
        Data::Table(table) => {
            add_keys(found, Some(node));
            table.values().for_each(|entry| add_labels(found, &entry.node));
        }
        _ => {}
    }
}

/// Returns every string in the data, and the names of kinds and of entries in `words`, to which strings may refer.
pub(in crate::loader) fn strings(tree: &Tree) -> Vec<Arc<str>> {
    let mut found: Vec<Arc<str>> = tree.section("words").map(|(word, _)| word.clone()).collect();
    for row in &tree.rows {
        found.push(row.kind.clone());
        add_texts(&mut found, &row.node);
    }
    tree.root.values().for_each(|entry| add_texts(&mut found, &entry.node));
    found
}

/// Adds every string in a node.
fn add_texts(found: &mut Vec<Arc<str>>, node: &Node) {
    match &node.data {
        Data::Table(table) => table.values().for_each(|entry| add_texts(found, &entry.node)),
        Data::List(list) => list.iter().for_each(|one| add_texts(found, one)),
        Data::Text(text) => found.push(text.clone()),
        Data::Number(_) | Data::Fraction(_) | Data::Flag(_) => {}
    }
}

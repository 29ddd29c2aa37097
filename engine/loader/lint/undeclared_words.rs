//! The free words of a game's data: those that nobody declares and the engine does not know. They are words of fields and
//! cells, labels of copies and spaces, values of options, parts of answers, and the names of kinds and of fields themselves.

use crate::diagnostic::Place;
use crate::loader::document::node::{Data, KeyedNode, Node, PROVENANCE};
use crate::loader::document::tree::Tree;
use crate::loader::keys::form::TableSpec;
use crate::loader::section::alteration::ALTERATION;
use crate::loader::section::cell::SYMBOL;
use crate::loader::section::component::ROW;
use crate::loader::section::option::OPTION;
use crate::loader::section::param::PARAM;
use crate::loader::section::zone_shape::ZONE;
use std::sync::Arc;

/// The answers of a confirmation, which no rule writes as words.
const CONFIRMED: [&str; 2] = ["yes", "no"];

/// A free word.
pub(in crate::loader) struct Word {
    /// The word.
    pub(in crate::loader) text: Arc<str>,
    /// Where it stands.
    pub(in crate::loader) place: Place,
    /// What it is.
    pub(in crate::loader) sort: Usage,
    /// Whether it is a condition, or a name of one: what is said elsewhere is compared with it.
    pub(in crate::loader) is_compared: bool,
}

/// What a free word is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::loader) enum Usage {
    /// The name of a kind, a field or a part.
    Name,
    /// What a field says.
    Said,
    /// What the backs of a kind show, in any number of words.
    Back,
    /// The answer that a sentence tells.
    Answer,
}

fn name(text: &Arc<str>, place: &Place) -> Word {
    Word { text: text.clone(), place: place.clone(), sort: Usage::Name, is_compared: false }
}

/// Every free word with its place.
pub(in crate::loader) fn words(tree: &Tree) -> Vec<Word> {
    let mut found = Vec::new();
    for row in &tree.rows {
        found.push(name(&row.kind, &row.kind_place));
        add_row(&mut found, &row.node);
    }
    for (kind, entry) in tree.section("kinds") {
        found.push(name(kind, &entry.key));
        let fields = inner(entry, "fields");
        add_keys(&mut found, fields);
        for (_, field) in fields.and_then(Node::table).into_iter().flatten() {
            if let Some(word) = inner(field, "default") {
                add(&mut found, word);
            }
        }
        if let Some(back) = inner(entry, "back")
            && let Some(text) = back.text()
        {
            found.push(Word { text: text.clone(), place: back.place.clone(), sort: Usage::Back, is_compared: false });
        }
    }
    for (_, entry) in tree.section("cells") {
        add_own(&mut found, &entry.node, &SYMBOL);
    }
    for (_, entry) in tree.section("params") {
        add_own(&mut found, &entry.node, &PARAM);
    }
    for (_, entry) in tree.section("zones") {
        ZONE.with_own_words().filter_map(|key| inner(entry, key)).for_each(|labels| add_labels(&mut found, labels));
    }
    for (_, entry) in tree.section("decisions") {
        add_keys(&mut found, inner(entry, "parts"));
        let sentences = inner(entry, "tells").and_then(Node::table).into_iter().flatten();
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
        OPTION.with_own_words().filter_map(|key| inner(entry, key)).for_each(|values| add(&mut found, values));
    }
    found
}

fn inner<'a>(entry: &'a KeyedNode, key: &str) -> Option<&'a Node> {
    entry.node.table()?.get(key).map(|entry| &entry.node)
}

/// The keys and words of a row of components.
fn add_row(found: &mut Vec<Word>, row: &Node) {
    for (key, entry) in row.table().into_iter().flatten() {
        if !ROW.has(key) {
            found.push(name(key, &entry.key));
        }
        match &**key {
            "alters" => add_alters(found, &entry.node),
            key if is_free(&ROW, key) => add(found, &entry.node),
            _ => {}
        }
    }
}

/// Whether words of the author's own stand behind a key: those behind others are for people, or checked where they are read.
fn is_free(spec: &TableSpec, key: &str) -> bool {
    !spec.has(key) || spec.with_own_words().any(|name| name == key)
}

/// The keys and words of a table that are the author's own.
fn add_own(found: &mut Vec<Word>, node: &Node, spec: &TableSpec) {
    let Some(table) = node.table() else { return add(found, node) };
    for (key, entry) in table.iter().filter(|(key, _)| is_free(spec, key)) {
        found.push(name(key, &entry.key));
        add(found, &entry.node);
    }
}

/// The keys and words of what a designer may write as he likes.
fn add(found: &mut Vec<Word>, node: &Node) {
    match &node.data {
        Data::Table(table) => {
            for (key, entry) in table {
                found.push(name(key, &entry.key));
                add(found, &entry.node);
            }
        }
        Data::List(list) => list.iter().for_each(|one| add(found, one)),
        Data::Text(text) => {
            found.push(Word { text: text.clone(), place: node.place.clone(), sort: Usage::Said, is_compared: false });
        }
        Data::Number(_) | Data::Fraction(_) | Data::Flag(_) => {}
    }
}

/// What a row alters; whatever else such an entry says is a condition.
fn add_alters(found: &mut Vec<Word>, node: &Node) {
    let entries = node.list().unwrap_or_default().iter().filter_map(Node::table).flatten();
    for (key, entry) in entries.filter(|(key, _)| !matches!(&***key, "what" | PROVENANCE)) {
        let before = found.len();
        add(found, &entry.node);
        if !ALTERATION.has(key) {
            found.push(name(key, &entry.key));
            found[before..].iter_mut().for_each(|word| word.is_compared = true);
        }
    }
}

/// The names that a table gives, and not what they are.
fn add_keys(found: &mut Vec<Word>, node: Option<&Node>) {
    let table = node.and_then(Node::table);
    found.extend(table.into_iter().flatten().map(|(key, entry)| name(key, &entry.key)));
}

/// Labels in a list, or lists by number of players; a word that stands alone names something that is declared.
fn add_labels(found: &mut Vec<Word>, node: &Node) {
    match &node.data {
        Data::List(_) => add(found, node),
        Data::Table(table) => {
            add_keys(found, Some(node));
            table.values().for_each(|entry| add_labels(found, &entry.node));
        }
        _ => {}
    }
}

/// Every word in quotes, and what is named as such a word is: kinds, and the words that people have other words for.
pub(in crate::loader) fn said(tree: &Tree) -> Vec<Arc<str>> {
    let mut found: Vec<Arc<str>> = tree.section("words").map(|(word, _)| word.clone()).collect();
    for row in &tree.rows {
        found.push(row.kind.clone());
        add_texts(&mut found, &row.node);
    }
    tree.root.values().for_each(|entry| add_texts(&mut found, &entry.node));
    found
}

fn add_texts(found: &mut Vec<Arc<str>>, node: &Node) {
    match &node.data {
        Data::Table(table) => table.values().for_each(|entry| add_texts(found, &entry.node)),
        Data::List(list) => list.iter().for_each(|one| add_texts(found, one)),
        Data::Text(text) => found.push(text.clone()),
        Data::Number(_) | Data::Fraction(_) | Data::Flag(_) => {}
    }
}

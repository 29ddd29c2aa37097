//! Data as it was written: every key and every value knows its place.

use crate::diagnostic::Place;
use indexmap::IndexMap;
use std::sync::Arc;

/// Something written in a file, and where.
#[derive(Debug, Clone)]
pub(in crate::loader) struct Node {
    /// Where it is written.
    pub(in crate::loader) place: Place,
    /// What is written there.
    pub(in crate::loader) data: Data,
}

/// What is written.
#[derive(Debug, Clone)]
pub(in crate::loader) enum Data {
    /// Named entries.
    Table(Table),
    /// Several things in order.
    List(Vec<Node>),
    /// A whole number.
    Number(i64),
    /// A number with a fraction, in millionths: only where figures of many games are spoken of.
    Fraction(i64),
    /// Yes or no.
    Flag(bool),
    /// A word or a sentence.
    Text(Arc<str>),
}

/// Named entries in the order of the file.
pub(in crate::loader) type Table = IndexMap<Arc<str>, KeyedNode>;

/// One entry of a table.
#[derive(Debug, Clone)]
pub(in crate::loader) struct KeyedNode {
    /// Where its key is written.
    pub(in crate::loader) key: Place,
    /// What it is.
    pub(in crate::loader) node: Node,
}

impl Node {
    /// The entries, if it is a table.
    pub(in crate::loader) fn table(&self) -> Option<&Table> {
        match &self.data {
            Data::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The things in it, if it is a list.
    pub(in crate::loader) fn list(&self) -> Option<&[Node]> {
        match &self.data {
            Data::List(list) => Some(list),
            _ => None,
        }
    }

    /// The word, if it is one.
    pub(in crate::loader) fn text(&self) -> Option<&Arc<str>> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub(in crate::loader) fn number(&self) -> Option<i64> {
        match self.data {
            Data::Number(number) => Some(number),
            _ => None,
        }
    }

    /// A text in an entry, if it is a table that has it.
    pub(in crate::loader) fn text_in(&self, key: &str) -> Option<&Arc<str>> {
        self.table()?.get(key)?.node.text()
    }

    /// The texts of a sentence for people: one for each language, or one for all.
    pub(in crate::loader) fn by_language(&self) -> Vec<&Self> {
        self.table().map_or_else(|| vec![self], |table| texts_of(table).collect())
    }

    /// What it is, in a message.
    pub(in crate::loader) fn sort(&self) -> &'static str {
        match self.data {
            Data::Table(_) => "a table",
            Data::List(_) => "a list",
            Data::Number(_) => "a number",
            Data::Fraction(_) => "a number with a fraction",
            Data::Flag(_) => "`true` or `false`",
            Data::Text(_) => "a word",
        }
    }
}

/// The key that may stand in every table: where its figures are from.
pub(in crate::loader) const PROVENANCE: &str = "provenance";

/// The entries of a table, but for where they are from.
pub(in crate::loader) fn own_entries(table: &Table) -> impl Iterator<Item = (&Arc<str>, &KeyedNode)> {
    table.iter().filter(|(key, _)| &***key != PROVENANCE)
}

/// What stands behind the keys of a table, where that is from left out: of a text by language, what it says in each.
pub(in crate::loader) fn texts_of(table: &Table) -> impl Iterator<Item = &Node> {
    own_entries(table).map(|(_, entry)| &entry.node)
}

/// Whether a key of a table is a number of players.
pub(in crate::loader) fn is_count(key: &str) -> bool {
    !key.is_empty() && key.len() <= 3 && key.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a table says something for each number of players.
pub(in crate::loader) fn is_by_players(table: &Table) -> bool {
    table.keys().any(|key| is_count(key))
}

/// What a param is said to be: in its `value`, or in the first of its columns by number of players.
pub(in crate::loader) fn plain(node: &Node) -> &Node {
    let Some(table) = node.table() else { return node };
    let column = || table.iter().find(|(key, _)| is_count(key)).map(|(_, entry)| entry);
    table.get("value").or_else(column).map_or(node, |entry| plain(&entry.node))
}

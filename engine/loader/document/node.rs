//! Data nodes: parsed data in which every key and value carries its place.

use crate::diagnostic::Place;
use indexmap::IndexMap;
use std::sync::Arc;

/// A value with its place.
#[derive(Debug, Clone)]
pub(in crate::loader) struct Node {
    /// Place of the value.
    pub(in crate::loader) place: Place,
    /// The value.
    pub(in crate::loader) data: Data,
}

/// Type and content of a value.
#[derive(Debug, Clone)]
pub(in crate::loader) enum Data {
    /// A table of named entries.
    Table(Table),
    /// A list.
    List(Vec<Node>),
    /// An integer.
    Number(i64),
    /// A decimal fraction in millionths. Allowed only in `targets`, which compare with averages over many games.
    Fraction(i64),
    /// A boolean.
    Flag(bool),
    /// A string.
    Text(Arc<str>),
}

/// Table entries in the order of the file.
pub(in crate::loader) type Table = IndexMap<Arc<str>, KeyedNode>;

/// An entry of a table.
#[derive(Debug, Clone)]
pub(in crate::loader) struct KeyedNode {
    /// Place of the key.
    pub(in crate::loader) key: Place,
    /// Value of the entry.
    pub(in crate::loader) node: Node,
}

impl Node {
    /// Returns the entries if this is a table.
    pub(in crate::loader) fn table(&self) -> Option<&Table> {
        match &self.data {
            Data::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Returns the items if this is a list.
    pub(in crate::loader) fn list(&self) -> Option<&[Node]> {
        match &self.data {
            Data::List(list) => Some(list),
            _ => None,
        }
    }

    /// Returns the string if this is a string.
    pub(in crate::loader) fn text(&self) -> Option<&Arc<str>> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number if this is an integer.
    pub(in crate::loader) fn number(&self) -> Option<i64> {
        match self.data {
            Data::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the string at `key` if this is a table that has one.
    pub(in crate::loader) fn text_in(&self, key: &str) -> Option<&Arc<str>> {
        self.table()?.get(key)?.node.text()
    }

    /// Returns the nodes of a localized text: one node for each language, or a single node for all languages.
    pub(in crate::loader) fn by_language(&self) -> Vec<&Self> {
        self.table().map_or_else(|| vec![self], |table| translations(table).collect())
    }

    /// Returns a noun phrase for the type of the value, for messages.
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

/// Key that is allowed in every table: the source of the table's numbers, such as a page of the rulebook.
pub(in crate::loader) const PROVENANCE: &str = "provenance";

/// Returns the entries of a table without its provenance.
pub(in crate::loader) fn entries_without_provenance(table: &Table) -> impl Iterator<Item = (&Arc<str>, &KeyedNode)> {
    table.iter().filter(|(key, _)| &***key != PROVENANCE)
}

/// Returns the values of a table without its provenance. If the table is a localized text, these are the translations.
pub(in crate::loader) fn translations(table: &Table) -> impl Iterator<Item = &Node> {
    entries_without_provenance(table).map(|(_, entry)| &entry.node)
}

/// Returns whether a key is a number of players.
pub(in crate::loader) fn is_count(key: &str) -> bool {
    !key.is_empty() && key.len() <= 3 && key.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a table has values by number of players.
pub(in crate::loader) fn is_by_players(table: &Table) -> bool {
    table.keys().any(|key| is_count(key))
}

/// Returns the value of a param: its `value`, or the first of its values by number of players. Returns plain params unchanged.
pub(in crate::loader) fn param_value(node: &Node) -> &Node {
    let Some(table) = node.table() else { return node };
    let column = || table.iter().find(|(key, _)| is_count(key)).map(|(_, entry)| entry);
    table.get("value").or_else(column).map_or(node, |entry| param_value(&entry.node))
}

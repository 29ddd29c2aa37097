//! Functions, properties and operators of the rules language, indexed by name.

use super::types::{Tags, accepted};
use crate::decision::Type as Tag;
use crate::library::topics::collections::relation_names;
use crate::library::{Entry, Form, NameRole, Pattern, registry};
use crate::syntax::{Expr, ExprKind, Name};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// Index of the functions, properties and operators of the rules language by name.
#[derive(Debug, Default)]
pub struct Language {
    functions: FxHashMap<&'static str, Vec<&'static Entry>>,
    properties: FxHashMap<&'static str, Vec<&'static Entry>>,
    facts: FxHashMap<&'static str, Vec<&'static Entry>>,
    operators: FxHashMap<&'static str, Vec<&'static Entry>>,
    indices: Vec<&'static Entry>,
    names: Vec<&'static Entry>,
    /// Names of the functions in the order of the reference.
    ordered: Vec<&'static str>,
    /// Names of the relations that compare facts.
    relations: Vec<&'static str>,
    /// Names of the parts of all maps that library functions return.
    parts: FxHashSet<&'static str>,
}

impl PartialEq for Language {
    /// Compares by identity, because usually only one instance exists.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Language {
    /// Returns the shared index of the whole library.
    pub fn standard() -> &'static Self {
        static STANDARD: LazyLock<Language> = LazyLock::new(|| Language::new(&registry().entries, relation_names()));
        &STANDARD
    }

    /// Creates an index of library entries. `relations` are the names of the relations that compare facts.
    pub(crate) fn new(entries: &'static [Entry], relations: impl Iterator<Item = &'static str>) -> Self {
        let mut language = Self { relations: relations.collect(), ..Self::default() };
        for entry in entries {
            language.parts.extend(entry.returns.parts());
            let name = entry.name.as_str();
            match entry.form {
                Form::Function => {
                    language.ordered.push(name);
                    language.functions.entry(name).or_default().push(entry);
                }
                Form::Property if entry.is_fact => language.facts.entry(name).or_default().push(entry),
                Form::Property => language.properties.entry(name).or_default().push(entry),
                Form::Operator => language.operators.entry(name).or_default().push(entry),
                Form::Index => language.indices.push(entry),
                Form::Name => language.names.push(entry),
                Form::Setter => {}
            }
        }
        language
    }

    /// Returns the entry of the built-in fact `name` that values of the type `owner` have, if there is one.
    pub(crate) fn fact(&self, owner: Tag, name: &str) -> Option<&'static Entry> {
        self.facts.get(name)?.iter().copied().find(|entry| entry.types[0] == owner)
    }

    /// Returns the entries of the names that exist in every game.
    pub fn names(&self) -> &[&'static Entry] {
        &self.names
    }

    /// Returns the entry of `name`, if this name exists in every game.
    pub fn name(&self, name: &str) -> Option<&'static Entry> {
        self.names.iter().copied().find(|entry| entry.name == name)
    }

    /// Returns the forms of the index operator, `[…]`.
    pub(crate) fn indices(&self) -> &[&'static Entry] {
        &self.indices
    }

    /// Returns the forms of an operator that take `operands` operands.
    pub(crate) fn operators(&self, symbol: &str, operands: usize) -> impl Iterator<Item = &'static Entry> + use<'_> {
        let all = self.operators.get(symbol).map_or(&[][..], Vec::as_slice).iter().copied();
        all.filter(move |entry| entry.types.len() == operands)
    }

    /// Returns the tags that the forms of an operator accept for the operand at index `at`.
    pub(crate) fn operand(&self, symbol: &str, operands: usize, at: usize) -> Tags {
        self.operators(symbol, operands).fold(Tags::NONE, |tags, entry| tags.or(accepted(&entry.takes[at])))
    }

    /// Returns the names of the relations that compare facts, such as those used in queries.
    pub(crate) fn relations(&self) -> &[&'static str] {
        &self.relations
    }

    /// Returns whether some type of value has a built-in fact, property or part of this name.
    pub(crate) fn has_property(&self, name: &str) -> bool {
        self.facts.contains_key(name) || self.properties.contains_key(name) || self.parts.contains(name)
    }

    /// Returns whether some library function returns a map with a part of this name.
    pub(crate) fn is_part(&self, name: &str) -> bool {
        self.parts.contains(name)
    }

    /// Returns the names of the built-in facts and properties of values with the type `owner`.
    pub(crate) fn property_names(&self, owner: Tag) -> impl Iterator<Item = &'static str> {
        let all = self.facts.iter().chain(&self.properties);
        all.filter(move |(_, entries)| entries.iter().any(|entry| entry.types[0] == owner)).map(|(name, _)| *name)
    }

    /// Returns the names of all functions in the order of the reference.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.ordered.iter().copied()
    }

    /// Returns all forms of the library function `name`. Empty if there is none.
    pub fn functions(&self, name: &str) -> &[&'static Entry] {
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the field whose functions a call triggers: the string literal that is the first argument of a function that triggers events.
    /// Returns `None` for other calls.
    pub(crate) fn event<'t>(&self, name: &Name, arguments: &'t [Expr]) -> Option<&'t str> {
        let ExprKind::Text(field) = &arguments.first()?.kind else { return None };
        let triggers = |word: &&Entry| word.takes.first() == Some(&Pattern::Name(NameRole::Event));
        self.functions(&name.text).iter().any(triggers).then_some(&**field)
    }

    /// Like [`Language::event`], but for a known function and its arguments.
    pub(crate) fn event_named<'t>(word: &Entry, arguments: &[&'t Expr]) -> Option<&'t str> {
        let is_event = word.takes.first() == Some(&Pattern::Name(NameRole::Event));
        match &arguments.first().filter(|_| is_event)?.kind {
            ExprKind::Text(field) => Some(&**field),
            _ => None,
        }
    }

    /// Returns the entries of all properties called `name`.
    pub(crate) fn properties(&self, name: &str) -> &[&'static Entry] {
        self.properties.get(name).map_or(&[], Vec::as_slice)
    }
}

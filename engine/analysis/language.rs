//! The table of the language, by name.

use super::types::{Tags, accepted};
use crate::decision::Type as Tag;
use crate::library::topics::collections::relation_names;
use crate::library::{Entry, Form, NameRole, Pattern, registry};
use crate::syntax::{Expr, ExprKind, Name};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// The table of the language, by name.
#[derive(Debug, Default)]
pub(crate) struct Language {
    functions: FxHashMap<&'static str, Vec<&'static Entry>>,
    properties: FxHashMap<&'static str, Vec<&'static Entry>>,
    facts: FxHashMap<&'static str, Vec<&'static Entry>>,
    operators: FxHashMap<&'static str, Vec<&'static Entry>>,
    indices: Vec<&'static Entry>,
    names: Vec<&'static Entry>,
    /// The functions in the order of the reference.
    ordered: Vec<&'static str>,
    /// How it compares facts.
    relations: Vec<&'static str>,
    /// The parts of maps that functions result in.
    parts: FxHashSet<&'static str>,
}

impl PartialEq for Language {
    /// There is one.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Language {
    /// Every function of the library.
    pub(crate) fn whole() -> &'static Self {
        static WHOLE: LazyLock<Language> = LazyLock::new(|| Language::new(&registry().entries, relation_names()));
        &WHOLE
    }

    /// The registry of some functions, and how facts are compared.
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

    /// What every thing of a type has under a name.
    pub(crate) fn fact(&self, of: Tag, name: &str) -> Option<&'static Entry> {
        self.facts.get(name)?.iter().copied().find(|entry| entry.types[0] == of)
    }

    /// What stands alone in every game.
    pub(crate) fn names(&self) -> &[&'static Entry] {
        &self.names
    }

    /// What stands alone in every game under a name.
    pub(crate) fn name(&self, name: &str) -> Option<&'static Entry> {
        self.names.iter().copied().find(|entry| entry.name == name)
    }

    /// What stands in square brackets.
    pub(crate) fn indices(&self) -> &[&'static Entry] {
        &self.indices
    }

    /// What an operator takes of so many operands, and results in.
    pub(crate) fn operators(&self, symbol: &str, operands: usize) -> impl Iterator<Item = &'static Entry> + use<'_> {
        let all = self.operators.get(symbol).map_or(&[][..], Vec::as_slice).iter().copied();
        all.filter(move |entry| entry.types.len() == operands)
    }

    /// The types of an operand at a position, in whatever form of the operator.
    pub(crate) fn operand(&self, symbol: &str, operands: usize, at: usize) -> Tags {
        self.operators(symbol, operands).fold(Tags::NONE, |tags, entry| tags.or(accepted(&entry.takes[at])))
    }

    /// How facts are compared.
    pub(crate) fn relations(&self) -> &[&'static str] {
        &self.relations
    }

    /// Whether something has something of this name behind a dot in every game, or a function results in a map with it.
    pub(crate) fn has_property(&self, name: &str) -> bool {
        self.facts.contains_key(name) || self.properties.contains_key(name) || self.parts.contains(name)
    }

    /// Whether a function results in a map with a part of this name.
    pub(crate) fn is_part(&self, name: &str) -> bool {
        self.parts.contains(name)
    }

    /// What stands behind the dot of a type in every game.
    pub(crate) fn property_names(&self, of: Tag) -> impl Iterator<Item = &'static str> {
        let all = self.facts.iter().chain(&self.properties);
        all.filter(move |(_, entries)| entries.iter().any(|entry| entry.types[0] == of)).map(|(name, _)| *name)
    }

    /// The names of all functions, in the order of the reference.
    pub(crate) fn function_names(&self) -> impl Iterator<Item = &str> {
        self.ordered.iter().copied()
    }

    /// The functions of a name.
    pub(crate) fn functions(&self, name: &str) -> &[&'static Entry] {
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    /// The field that names what a call triggers, if it triggers anything that is named in quotes.
    pub(crate) fn event<'t>(&self, name: &Name, arguments: &'t [Expr]) -> Option<&'t str> {
        let ExprKind::Text(field) = &arguments.first()?.kind else { return None };
        let triggers = |word: &&Entry| word.takes.first() == Some(&Pattern::Name(NameRole::Event));
        self.functions(&name.text).iter().any(triggers).then_some(&**field)
    }

    /// The same of a function of the language and what it is given.
    pub(crate) fn event_named<'t>(word: &Entry, written: &[&'t Expr]) -> Option<&'t str> {
        let is_event = word.takes.first() == Some(&Pattern::Name(NameRole::Event));
        match &written.first().filter(|_| is_event)?.kind {
            ExprKind::Text(field) => Some(&**field),
            _ => None,
        }
    }

    /// The properties of a name.
    pub(crate) fn properties(&self, name: &str) -> &[&'static Entry] {
        self.properties.get(name).map_or(&[], Vec::as_slice)
    }
}

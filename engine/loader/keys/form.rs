//! Specifications of the tables in a game's TOML files: the keys, their meanings, and the values that they take. The reader, the language
//! server, the JSON Schema and the reference page all use these specifications.

use crate::diagnostic::{Diagnostic, Place, nearest};
use crate::loader::document::node::{Node, PROVENANCE, Table};
use std::fmt::Debug;

/// Specification of the values that a key in a game's files may have.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) enum Form {
    /// Any TOML value.
    Anything,
    /// A localized text: one string for all languages, or a table with one string per language.
    Text,
    /// Any string, such as a word, a sentence or a path.
    Word,
    /// One of a fixed list of words.
    OneOf(&'static dyn WordList),
    /// A name that the game declares.
    Name(NameSet),
    /// A word from a fixed list, or a name that the game declares.
    WordOrName(&'static dyn WordList, &'static [NameSet]),
    /// The name of a rule function.
    Function,
    /// An integer.
    Integer,
    /// An integer in an inclusive range.
    Between(i64, i64),
    /// A number that may have a fraction.
    Number,
    /// `true` or `false`.
    Flag,
    /// A number, the name of a param or of an option, or a table with one of these for each number of players.
    Amount,
    /// A step of the flow, or a list of steps in order of execution.
    Steps,
    /// The type of a field.
    FieldType,
    /// A list, possibly empty.
    List(&'static Self),
    /// A list of at least one entry.
    Some(&'static Self),
    /// A list of exactly two entries.
    Pair(&'static Self),
    /// One of several forms.
    AnyOf(&'static [Self]),
    /// One value for all numbers of players, or a table with a value for each number of players.
    ByPlayers(&'static Self),
    /// Like [`Form::ByPlayers`], but the table may also have the given keys.
    ByPlayersBeside(&'static Self, &'static [KeySpec]),
    /// A table with the keys of a specification.
    Table(&'static TableSpec),
    /// A table whose keys are names chosen by the author.
    Named(&'static Self),
    /// Like [`Form::Named`], but the names must be valid identifiers in scripts.
    NamedForScripts(&'static Self),
    /// Declarations of values, grouped by their owner: the game, seats, kinds and so on.
    Values(&'static Self),
    /// Targets for statistics measured over many games.
    Targets(&'static Self),
}

impl Form {
    /// Visits the keys of all tables within this form. Does not visit the keys of steps, which have their own specification.
    pub(in crate::loader) fn each_key(&self, visit: &mut dyn FnMut(&'static KeySpec)) {
        match self {
            Self::Table(spec) => spec.each_key(visit),
            Self::AnyOf(forms) => forms.iter().for_each(|form| form.each_key(visit)),
            Self::ByPlayersBeside(inner, beside) => {
                inner.each_key(visit);
                beside.iter().for_each(visit);
            }
            Self::List(inner)
            | Self::Some(inner)
            | Self::Pair(inner)
            | Self::ByPlayers(inner)
            | Self::Named(inner)
            | Self::NamedForScripts(inner)
            | Self::Values(inner)
            | Self::Targets(inner) => inner.each_key(visit),
            _ => {}
        }
    }
}

/// A set of names that a game declares.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) enum NameSet {
    /// Kinds of components.
    Kinds,
    /// Zones.
    Zones,
    /// Kinds and components.
    Contents,
    /// Values and zones, which a campaign can carry over to the next game.
    Carried,
    /// Names declared in one section. The field is the name of the section.
    Section(&'static str),
}

/// Specification of a key of a table.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) struct KeySpec {
    /// Name of the key.
    pub(in crate::loader) name: &'static str,
    /// One sentence about the meaning of the key.
    pub(in crate::loader) about: &'static str,
    /// Form of the key's value.
    pub(in crate::loader) form: Form,
    /// Whether the value contains words that the author invents without declaring them.
    pub(in crate::loader) has_own_words: bool,
}

impl KeySpec {
    /// Returns the value of the key in a table, if present.
    pub(in crate::loader) fn value_in<'n>(&self, table: &'n Table) -> Option<&'n Node> {
        table.get(self.name).map(|entry| &entry.node)
    }
}

/// Keys that a table must have.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) enum Needs {
    /// Keys that are required wherever the table occurs.
    Always(&'static [&'static KeySpec]),
    /// Keys that are required in the base game. Overlays may omit them, because an overlay contains only its changes.
    InBaseGame(&'static [&'static KeySpec]),
}

/// Keys of a table, and the nouns for the table in messages.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) struct TableSpec {
    /// Noun for a single table with its article, such as "a zone".
    pub(in crate::loader) one: &'static str,
    /// Plural noun, such as "zones".
    pub(in crate::loader) many: &'static str,
    /// The allowed keys. `provenance` is additionally allowed in every table.
    pub(in crate::loader) keys: &'static [KeySpec],
    /// Keys that authors often write by mistake, each with the correct key.
    pub(in crate::loader) also: &'static [(&'static str, &'static KeySpec)],
    /// The required keys.
    pub(in crate::loader) needs: Needs,
    /// Form of the values of all other keys; `None` if no other keys are allowed.
    pub(in crate::loader) others: Option<&'static Form>,
}

impl TableSpec {
    /// Specification of a table that has no keys of its own.
    pub(in crate::loader) const PLAIN: Self = Self::new("", "");

    /// Creates a specification without keys. `one` and `many` are the nouns for a table.
    pub(in crate::loader) const fn new(one: &'static str, many: &'static str) -> Self {
        Self { one, many, keys: &[], also: &[], needs: Needs::Always(&[]), others: None }
    }

    pub(in crate::loader) const fn also(self, also: &'static [(&'static str, &'static KeySpec)]) -> Self {
        Self { also, ..self }
    }

    pub(in crate::loader) const fn needs(self, needs: Needs) -> Self {
        Self { needs, ..self }
    }

    pub(in crate::loader) const fn with_others(self, form: &'static Form) -> Self {
        Self { others: Some(form), ..self }
    }

    /// Returns the names of the keys.
    pub(in crate::loader) fn names<'a>(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.keys.iter().map(|key| key.name)
    }

    /// Visits the keys of the table and, recursively, those of the tables within it.
    pub(in crate::loader) fn each_key(&self, visit: &mut dyn FnMut(&'static KeySpec)) {
        for key in self.keys {
            visit(key);
            key.form.each_key(visit);
        }
    }

    /// Returns the keys whose values contain words invented by the author.
    pub(in crate::loader) fn with_own_words(&self) -> impl Iterator<Item = &'static KeySpec> + use<> {
        self.keys.iter().filter(|key| key.has_own_words)
    }

    /// Returns whether the specification allows `key`.
    pub(in crate::loader) fn has(&self, key: &str) -> bool {
        key == PROVENANCE || self.names().any(|name| name == key)
    }

    /// Returns the allowed key that the author most likely meant by the unknown `key`.
    pub(in crate::loader) fn likely_key(&self, key: &str) -> Option<&'static str> {
        let wanted = || {
            let tried = nearest(key, self.also.iter().map(|(tried, _)| *tried))?;
            self.also.iter().find(|(known, _)| *known == tried).map(|(_, wanted)| wanted.name)
        };
        nearest(key, self.names()).or_else(wanted)
    }

    /// Creates the diagnostic for a key that the specification of its table does not allow.
    pub(in crate::loader) fn unknown_key(&self, key: &str, place: &Place) -> Diagnostic {
        let found = Diagnostic::error("unknown-key", format!("{} have no key `{key}`", self.many))
            .mark(place.clone(), format!("not a key of {}", self.one));
        match self.likely_key(key) {
            Some(word) => found.help(format!("did you mean `{word}`?")),
            None => found,
        }
    }
}

/// A fixed list of words. In some lists, each word is paired with its meaning.
pub(in crate::loader) trait WordList: Debug + Sync {
    /// Returns the words without their meanings.
    fn words(&self) -> Vec<&'static str>;
}

impl<const N: usize> WordList for [&'static str; N] {
    fn words(&self) -> Vec<&'static str> {
        self.to_vec()
    }
}

impl<T: Debug + Sync, const N: usize> WordList for [(&'static str, T); N] {
    fn words(&self) -> Vec<&'static str> {
        self.iter().map(|(word, _)| *word).collect()
    }
}

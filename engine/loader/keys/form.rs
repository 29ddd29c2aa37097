//! Specifications of the tables in a game's TOML files: the keys, their meanings, and the values that they take. The reader, the language
//! server, the JSON Schema and the reference page all use these specifications.

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
    ByPlayersBeside(&'static Self, &'static [Key]),
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
    pub(in crate::loader) fn each_key(&self, visit: &mut dyn FnMut(&'static Key)) {
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

/// A key of a table.
#[derive(Debug)]
pub(in crate::loader) struct Key {
    /// Name of the key.
    pub(in crate::loader) name: &'static str,
    /// One sentence about the meaning of the key.
    pub(in crate::loader) about: &'static str,
    /// Form of the key's value.
    pub(in crate::loader) form: Form,
    /// Whether the value contains words that the author invents without declaring them.
    pub(in crate::loader) has_own_words: bool,
}

/// The key `shown`, which zones and values share.
pub(in crate::loader) const SHOWN: Key =
    Key::new("shown", "whether it is shown on the table; programs always receive it", Form::Flag);

impl Key {
    /// Creates a key whose value contains only numbers, declared names, built-in words, or localized texts.
    pub(in crate::loader) const fn new(name: &'static str, about: &'static str, form: Form) -> Self {
        Self { name, about, form, has_own_words: false }
    }

    /// Creates a key whose value contains words invented by the author.
    pub(in crate::loader) const fn of_own_words(name: &'static str, about: &'static str, form: Form) -> Self {
        Self { name, about, form, has_own_words: true }
    }
}

/// Keys that a table must have.
#[derive(Debug)]
pub(in crate::loader) enum Needs {
    /// Keys that are required wherever the table occurs.
    Always(&'static [&'static str]),
    /// Keys that are required in the base game. Overlays may omit them, because an overlay contains only its changes.
    InBaseGame(&'static [&'static str]),
}

/// Keys of a table, and the nouns for the table in messages.
#[derive(Debug)]
pub(in crate::loader) struct TableSpec {
    /// Noun for a single table with its article, such as "a zone".
    pub(in crate::loader) one: &'static str,
    /// Plural noun, such as "zones".
    pub(in crate::loader) many: &'static str,
    /// The allowed keys. `provenance` is additionally allowed in every table.
    pub(in crate::loader) keys: &'static [Key],
    /// Keys that authors often write by mistake, each with the correct key.
    pub(in crate::loader) also: &'static [(&'static str, &'static str)],
    /// The required keys.
    pub(in crate::loader) needs: Needs,
    /// Form of the values of all other keys; `None` if no other keys are allowed.
    pub(in crate::loader) others: Option<&'static Form>,
}

impl TableSpec {
    /// Empty specification, which provides the defaults for other specifications.
    pub(in crate::loader) const PLAIN: Self =
        Self { one: "", many: "", keys: &[], also: &[], needs: Needs::Always(&[]), others: None };

    /// Returns the names of the keys.
    pub(in crate::loader) fn names<'a>(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.keys.iter().map(|key| key.name)
    }

    /// Visits the keys of the table and, recursively, those of the tables within it.
    pub(in crate::loader) fn each_key(&self, visit: &mut dyn FnMut(&'static Key)) {
        for key in self.keys {
            visit(key);
            key.form.each_key(visit);
        }
    }

    /// Returns the names of the keys whose values contain words invented by the author.
    pub(in crate::loader) fn with_own_words<'a>(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.keys.iter().filter(|key| key.has_own_words).map(|key| key.name)
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

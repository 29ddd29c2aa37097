//! What a table of a game's files may have: its keys, what each says, and how it is written. Reading, the language server and
//! the page of keys go by it.

/// How something is written in a game's files.
#[derive(Debug)]
pub(in crate::loader) enum Form {
    /// Whatever TOML has.
    Anything,
    /// What people read: a text for all languages, or one for each.
    Text,
    /// A word, a sentence, a path.
    Word,
    /// One of some words.
    OneOf(fn() -> Vec<&'static str>),
    /// A name of the game.
    Name(NamesOf),
    /// One of some words, or a name of the game.
    WordOrName(fn() -> Vec<&'static str>, &'static [NamesOf]),
    /// A whole number.
    Integer,
    /// A whole number from one to another.
    Between(i64, i64),
    /// A number that may have a fraction.
    Number,
    /// Yes or no.
    Flag,
    /// A number, the name of a param or of an option, or one of these by number of players.
    Amount,
    /// What happens, in order.
    Steps,
    /// The type of a field.
    FieldType,
    /// A list.
    List(&'static Self),
    /// A list of at least one entry.
    Some(&'static Self),
    /// A list of two.
    Pair(&'static Self),
    /// In one of several ways.
    AnyOf(&'static [Self]),
    /// The same for every number of players, or in columns.
    ByPlayers(&'static Self),
    /// The same with keys beside the columns.
    ByPlayersBeside(&'static Self, &'static [Key]),
    /// A table with the keys of a specification.
    Table(&'static TableSpec),
    /// A table of names that the author gives.
    Named(&'static Self),
    /// The same, with names as scripts write them.
    NamedForScripts(&'static Self),
    /// Facts that change during play, by whose they are.
    Values(&'static Self),
    /// Figures of many games.
    Targets(&'static Self),
}

impl Form {
    /// Visits the keys of all tables that something may be written as; the steps of a phase have a specification of their own.
    pub(in crate::loader) fn each_key(&self, visit: &mut dyn FnMut(&'static Key)) {
        match self {
            Self::Table(spec) => spec.each_key(visit),
            Self::AnyOf(forms) => forms.iter().for_each(|form| form.each_key(visit)),
            Self::ByPlayersBeside(of, beside) => {
                of.each_key(visit);
                beside.iter().for_each(visit);
            }
            Self::List(of)
            | Self::Some(of)
            | Self::Pair(of)
            | Self::ByPlayers(of)
            | Self::Named(of)
            | Self::NamedForScripts(of)
            | Self::Values(of)
            | Self::Targets(of) => of.each_key(visit),
            _ => {}
        }
    }
}

/// Which names of a game.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) enum NamesOf {
    /// Kinds of components.
    Kinds,
    /// Zones.
    Zones,
    /// Kinds and components.
    Contents,
    /// Values and zones.
    Carried,
    /// Whatever a section declares.
    Section(&'static str),
}

/// A key of a table.
#[derive(Debug)]
pub(in crate::loader) struct Key {
    /// How it is written.
    pub(in crate::loader) name: &'static str,
    /// What it says, in a sentence.
    pub(in crate::loader) about: &'static str,
    /// What may stand behind it.
    pub(in crate::loader) form: Form,
    /// Whether words behind it are the author's own, which nobody declares.
    pub(in crate::loader) has_own_words: bool,
}

/// What zones and values have alike.
pub(in crate::loader) const SHOWN: Key =
    Key::new("shown", "whether people see it on the table; programs get it all the same", Form::Flag);

impl Key {
    /// A key behind which stand numbers, names, words that are declared or built in, or texts for people.
    pub(in crate::loader) const fn new(name: &'static str, about: &'static str, form: Form) -> Self {
        Self { name, about, form, has_own_words: false }
    }

    /// A key behind which stand words of the author's own.
    pub(in crate::loader) const fn of_own_words(name: &'static str, about: &'static str, form: Form) -> Self {
        Self { name, about, form, has_own_words: true }
    }
}

/// Which keys must stand in a table.
#[derive(Debug)]
pub(in crate::loader) enum Needs {
    /// These, wherever it is written.
    Always(&'static [&'static str]),
    /// These, where it is written whole: an overlay writes what it changes.
    Whole(&'static [&'static str]),
}

/// What a table may have, and how messages call it.
#[derive(Debug)]
pub(in crate::loader) struct TableSpec {
    /// One of them: "a zone".
    pub(in crate::loader) one: &'static str,
    /// Several: "zones".
    pub(in crate::loader) many: &'static str,
    /// The keys; `provenance` may stand in every table.
    pub(in crate::loader) keys: &'static [Key],
    /// Keys people try, with the one they want.
    pub(in crate::loader) also: &'static [(&'static str, &'static str)],
    /// Those without which it says nothing.
    pub(in crate::loader) needs: Needs,
    /// What stands behind other keys, if there may be any.
    pub(in crate::loader) others: Option<&'static Form>,
}

impl TableSpec {
    /// What most tables are: closed, and nothing must stand in them.
    pub(in crate::loader) const PLAIN: Self =
        Self { one: "", many: "", keys: &[], also: &[], needs: Needs::Always(&[]), others: None };

    /// The names of its keys.
    pub(in crate::loader) fn names<'a>(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.keys.iter().map(|key| key.name)
    }

    /// Visits its keys, and those of tables in it.
    pub(in crate::loader) fn each_key(&self, visit: &mut dyn FnMut(&'static Key)) {
        for key in self.keys {
            visit(key);
            key.form.each_key(visit);
        }
    }

    /// The names of those keys behind which stand words of the author's own.
    pub(in crate::loader) fn with_own_words<'a>(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.keys.iter().filter(|key| key.has_own_words).map(|key| key.name)
    }
}

/// The words of a list that says what each stands for.
pub(in crate::loader) fn words<T>(list: &[(&'static str, T)]) -> Vec<&'static str> {
    list.iter().map(|(word, _)| *word).collect()
}

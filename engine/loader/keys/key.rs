//! Keys with the type of their value. The type determines the form of the value, which the schema, the reference page and completion use,
//! and also the code that reads the value.

use crate::diagnostic::Place;
use crate::loader::document::node::{Data, Node};
use crate::loader::keys::form::{Form, KeySpec};
use crate::loader::mistake::{unknown_word, word_twice, wrong_type};
use crate::loader::name::check_function_name;
use crate::loader::report::Report;
use crate::loader::section::draft::text;
use crate::model::Text;
use std::fmt::Debug;
use std::ops::Deref;
use std::sync::Arc;

/// A key of a table, with the type of its value.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) struct Key<T = Custom> {
    /// Name, meaning and form of the key.
    pub(in crate::loader) spec: KeySpec,
    /// Type of the value.
    pub(in crate::loader) value_type: T,
}

/// Declares the specification of a table, and a constant for each of its keys, which the whole loader can use.
macro_rules! declare_table {
    (
        $(#[$meta:meta])* $visibility:vis const $table:ident: TableSpec = $spec:expr;
        $(const $name:ident: $type:ty = $key:expr;)+
    ) => {
        $(#[$meta])* $visibility const $table: TableSpec = TableSpec { keys: &[$($name.spec),+], ..$spec };
        $(pub(in crate::loader) const $name: $type = $key;)+
    };
}
pub(in crate::loader) use declare_table;

impl<T> Deref for Key<T> {
    type Target = KeySpec;

    fn deref(&self) -> &KeySpec {
        &self.spec
    }
}

impl<T: Copy> Key<T> {
    const fn typed(name: &'static str, about: &'static str, form: Form, value_type: T) -> Self {
        Self { spec: KeySpec { name, about, form, has_own_words: false }, value_type }
    }

    /// Marks the value as containing words that the author invents without declaring them.
    pub(in crate::loader) const fn with_own_words(self) -> Self {
        Self { spec: KeySpec { has_own_words: true, ..self.spec }, value_type: self.value_type }
    }
}

/// A value that the code of its section reads.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) struct Custom;

impl Key {
    pub(in crate::loader) const fn new(name: &'static str, about: &'static str, form: Form) -> Self {
        Self::typed(name, about, form, Custom)
    }
}

/// A type of values that [`Fields::read`](super::reading::Fields::read) can read.
pub(in crate::loader) trait ReadValue {
    /// Value without its node.
    type Value<'a>;

    /// Reads the value of the key `name`. Returns `None` and reports a mistake if the value has another type.
    fn read<'a>(&self, name: &str, node: &'a Node, report: &Report) -> Option<Self::Value<'a>>;
}

/// A boolean.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) struct Flag;

impl Key<Flag> {
    pub(in crate::loader) const fn flag(name: &'static str, about: &'static str) -> Self {
        Self::typed(name, about, Form::Flag, Flag)
    }
}

/// The key `shown`, which zones and values share.
pub(in crate::loader) const SHOWN: Key<Flag> =
    Key::flag("shown", "whether it is shown on the table; programs always receive it");

impl ReadValue for Flag {
    type Value<'a> = bool;

    fn read(&self, name: &str, node: &Node, report: &Report) -> Option<bool> {
        if let Data::Flag(flag) = node.data {
            return Some(flag);
        }
        report.add(wrong_type(name, "`true` or `false`", node));
        None
    }
}

/// Any string, which is read with its place.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) struct Word;

impl Key<Word> {
    /// Creates a key for a word or name of the given form. Reading the key does not look up names.
    pub(in crate::loader) const fn word(name: &'static str, about: &'static str, form: Form) -> Self {
        assert!(matches!(form, Form::Word | Form::Name(_) | Form::WordOrName(..)), "the value is read as a word");
        Self::typed(name, about, form, Word)
    }
}

impl ReadValue for Word {
    type Value<'a> = (&'a Arc<str>, &'a Place);

    fn read<'a>(&self, name: &str, node: &'a Node, report: &Report) -> Option<Self::Value<'a>> {
        let text = node.text();
        if text.is_none() {
            report.add(wrong_type(name, "a word", node));
        }
        Some((text?, &node.place))
    }
}

/// The name of a rule function, which is read with its place.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) struct Function;

impl Key<Function> {
    pub(in crate::loader) const fn function(name: &'static str, about: &'static str) -> Self {
        Self::typed(name, about, Form::Function, Function)
    }
}

impl ReadValue for Function {
    type Value<'a> = (&'a Arc<str>, &'a Place);

    fn read<'a>(&self, name: &str, node: &'a Node, report: &Report) -> Option<Self::Value<'a>> {
        let (function, place) = Word.read(name, node, report)?;
        check_function_name(function, place, report);
        Some((function, place))
    }
}

/// A word from a list, which is read as its meaning.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) struct OneOf<T: 'static>(pub(in crate::loader) &'static [(&'static str, T)]);

impl<T: Copy + Debug + Sync + 'static> Key<OneOf<T>> {
    pub(in crate::loader) const fn one_of<const N: usize>(
        name: &'static str,
        about: &'static str,
        words: &'static [(&'static str, T); N],
    ) -> Self {
        Self::typed(name, about, Form::OneOf(words), OneOf(words))
    }
}

impl<T: Copy + 'static> ReadValue for OneOf<T> {
    type Value<'a> = T;

    fn read(&self, name: &str, node: &Node, report: &Report) -> Option<T> {
        let (word, place) = Word.read(name, node, report)?;
        let found = self.0.iter().find(|(known, _)| *known == &**word).map(|(_, meaning)| *meaning);
        if found.is_none() {
            report.add(unknown_word(name, word, place, self.0.iter().map(|(known, _)| *known)));
        }
        found
    }
}

/// A text for people in one or several languages.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) struct DisplayText;

impl Key<DisplayText> {
    pub(in crate::loader) const fn text(name: &'static str, about: &'static str) -> Self {
        Self::typed(name, about, Form::Text, DisplayText)
    }
}

impl ReadValue for DisplayText {
    type Value<'a> = Text;

    fn read(&self, name: &str, node: &Node, report: &Report) -> Option<Text> {
        Some(text(report, name, node))
    }
}

/// A list of words or names, which are read with their places but not looked up. The field is the plural noun for messages.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) struct NameList(&'static str);

impl Key<NameList> {
    /// Creates a key for a list of words or names of the form `entry`. `plural` is the noun for them.
    pub(in crate::loader) const fn list(
        name: &'static str,
        about: &'static str,
        entry: &'static Form,
        plural: &'static str,
    ) -> Self {
        assert!(matches!(entry, Form::OneOf(_) | Form::Name(_)), "the entries are read as words");
        Self::typed(name, about, Form::List(entry), NameList(plural))
    }
}

impl ReadValue for NameList {
    type Value<'a> = Vec<(&'a Arc<str>, &'a Place)>;

    fn read<'a>(&self, name: &str, node: &'a Node, report: &Report) -> Option<Self::Value<'a>> {
        let expect = |is_expected: bool, node: &Node| {
            if !is_expected {
                report.add(wrong_type(name, &format!("a list of {}", self.0), node));
            }
        };
        expect(node.list().is_some(), node);
        let word = |node: &'a Node| {
            expect(node.text().is_some(), node);
            Some((node.text()?, &node.place))
        };
        Some(node.list()?.iter().filter_map(word).collect())
    }
}

/// A list of at least one word that the author invents. Reading the list reports duplicates.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) struct Words;

impl Key<Words> {
    pub(in crate::loader) const fn words(name: &'static str, about: &'static str) -> Self {
        Self::typed(name, about, Form::Some(&Form::Word), Words)
    }
}

impl ReadValue for Words {
    type Value<'a> = Vec<Arc<str>>;

    fn read(&self, name: &str, node: &Node, report: &Report) -> Option<Vec<Arc<str>>> {
        let Some(list) = node.list().filter(|list| !list.is_empty()) else {
            report.add(wrong_type(name, "a list of at least one word", node));
            return None;
        };
        let mut words: Vec<Arc<str>> = Vec::new();
        for entry in list {
            match entry.text() {
                None => report.add(wrong_type(name, "a list of words", entry)),
                Some(word) if words.contains(word) => report.add(word_twice(name, word, &entry.place)),
                Some(word) => words.push(word.clone()),
            }
        }
        (!words.is_empty()).then_some(words)
    }
}

/// An amount in an inclusive range. [`Draft::read_amount`](crate::loader::section::draft::Draft::read_amount) reads it, because an amount
/// can refer to a param.
#[derive(Debug, Clone, Copy)]
pub(in crate::loader) struct Amount(pub(in crate::loader) i64, pub(in crate::loader) i64);

impl Key<Amount> {
    pub(in crate::loader) const fn amount(name: &'static str, about: &'static str) -> Self {
        Self::amount_within(name, about, i64::MIN, i64::MAX)
    }

    pub(in crate::loader) const fn amount_within(name: &'static str, about: &'static str, from: i64, to: i64) -> Self {
        Self::typed(name, about, Form::Amount, Amount(from, to))
    }
}

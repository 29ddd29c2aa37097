//! The engine's own words and punctuation, with one file for each language. All other texts come from the game.
//!
//! To add a language, add a file and name it in two lists in this module: `mod` and `languages!`.

mod catalog;
mod en;
mod zh_hant;

pub(crate) use catalog::Log;
pub use catalog::{Book, Flow, Info, Paper, Phrases, Prompt, Story, Web, Why};

use std::fmt::{Display, Write as _};

/// Definition of a language.
struct LanguageDefinition {
    /// Language tag in files and on the command line (BCP 47).
    tag: &'static str,
    /// Separator for joining lines. Empty in Chinese, which does not separate words with spaces.
    between_lines: &'static str,
    /// Possessive phrases, selected by the owner's name.
    possessive: Forms<str>,
    /// Phrases for the position of a piece in a pile, selected by the position.
    from_below: Forms<usize>,
    phrases: Phrases,
}

/// A phrase with several forms. `which` selects a form by the inserted value.
struct Forms<T: ?Sized> {
    texts: &'static [&'static str],
    which: fn(&T) -> usize,
}

impl<T: ?Sized> Forms<T> {
    fn select(&self, thing: &T) -> &'static str {
        self.texts[(self.which)(thing)]
    }
}

/// Declares the languages, each with its file.
macro_rules! languages {
    ($($(#[$about:meta])* $Language:ident = $file:ident,)*) => {
        /// A language that the engine supports.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
        pub enum Language {
            $($(#[$about])* $Language,)*
        }

        /// The definitions, in the order of [`Language::ALL`].
        static DEFINITIONS: [LanguageDefinition; Language::ALL.len()] = [$($file::DEFINITION),*];

        impl Language {
            /// All languages, in the order in which people can choose them.
            pub const ALL: [Self; [$(stringify!($Language)),*].len()] = [$(Self::$Language),*];
        }
    };
}

languages! {
    /// English, which is also used if a translation is missing.
    #[default]
    English = en,
    /// Traditional Chinese.
    TraditionalChinese = zh_hant,
}

impl Language {
    /// Returns the language tag in files and on the command line (BCP 47).
    pub const fn tag(self) -> &'static str {
        DEFINITIONS[self as usize].tag
    }

    /// Returns the separator for joining lines.
    pub fn between_lines(self) -> &'static str {
        DEFINITIONS[self as usize].between_lines
    }

    /// Returns a possessive phrase for `what` and its owner, such as "Ann's hand".
    pub(crate) fn possessive(self, owner: &str, what: &str) -> String {
        filled(DEFINITIONS[self as usize].possessive.select(owner), &[("owner", &owner), ("what", &what)])
    }

    /// Describes the position of a piece in a pile, counted from the bottom.
    pub(crate) fn nth_from_below(self, number: usize) -> String {
        filled(DEFINITIONS[self as usize].from_below.select(&number), &[("number", &number)])
    }

    /// Iterates over all forms of the phrases that have several forms.
    pub(crate) fn forms(self) -> impl Iterator<Item = &'static str> {
        let LanguageDefinition { possessive, from_below, .. } = &DEFINITIONS[self as usize];
        possessive.texts.iter().chain(from_below.texts).copied()
    }

    /// Returns the language whose BCP 47 tag is `tag`, ignoring case. Returns `None` if the language is not supported.
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(tag))
    }
}

impl Phrases {
    /// Returns the phrases of a language.
    pub fn for_language(language: Language) -> &'static Self {
        &DEFINITIONS[language as usize].phrases
    }
}

/// Fills the placeholders of a phrase: `{name}`, or `{name:upper}` and `{name:lower}` to change the case of the first letter.
///
/// # Panics
/// Panics if a placeholder has no value in `given`, or if the phrase has a `{` without a `}`.
pub fn filled(phrase: &str, given: &[(&str, &dyn Display)]) -> String {
    let mut text = String::new();
    let mut rest = phrase;
    while let Some((before, after)) = rest.split_once('{') {
        let (room, after) = after.split_once('}').expect("a room has an end");
        let (name, case) = room.split_once(':').unwrap_or((room, ""));
        let (_, thing) = given.iter().find(|(known, _)| *known == name).expect("there is something for each room");
        text.push_str(before);
        match case {
            "" => write!(text, "{thing}").expect("a text takes everything"),
            _ => text.push_str(&with_initial(&thing.to_string(), case)),
        }
        rest = after;
    }
    text + rest
}

/// Changes the first letter of `text` to upper case if `case` is "upper", otherwise to lower case.
fn with_initial(text: &str, case: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), case) {
        (Some(first), "upper") => first.to_uppercase().chain(letters).collect(),
        (Some(first), _) => first.to_lowercase().chain(letters).collect(),
        (None, _) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, Phrases, filled};
    use std::collections::BTreeSet;

    /// Returns the names of the placeholders in a phrase.
    fn rooms(phrase: &str) -> BTreeSet<&str> {
        let rooms = phrase.split('{').skip(1).map(|rest| rest.split_once('}').expect("a room has an end").0);
        rooms.map(|room| room.split(':').next().unwrap_or_default()).collect()
    }

    #[test]
    fn all_languages_have_the_same_placeholders() {
        let english = Phrases::for_language(Language::English).all();
        for language in Language::ALL {
            for ((section, name, ours), (.., theirs)) in english.iter().zip(Phrases::for_language(language).all()) {
                assert_eq!(rooms(ours), rooms(theirs), "`{section}.{name}` in `{}`", language.tag());
                assert!(!theirs.is_empty(), "`{section}.{name}` in `{}`", language.tag());
            }
        }
    }

    #[test]
    fn forms_are_selected_by_the_inserted_value() {
        let said = |owner| Language::English.possessive(owner, "hand");
        assert_eq!(["Ann", "Hans"].map(said), ["Ann's hand", "Hans' hand"]);
        let numbers = [1, 2, 3, 4, 11, 12, 13, 21, 112, 103].map(|number| Language::English.nth_from_below(number));
        let ordinals = ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th", "103rd"];
        assert_eq!(numbers, ordinals.map(|ordinal| format!("{ordinal} from below")));
        for language in Language::ALL {
            let of = |form: &&str| {
                rooms(form) == BTreeSet::from(["owner", "what"]) || rooms(form) == BTreeSet::from(["number"])
            };
            assert!(language.forms().all(|form| of(&form)), "{}", language.tag());
        }
    }

    #[test]
    fn inserted_values_are_not_filled_again() {
        assert_eq!(
            filled("{what:upper} {number}, {what:lower}", &[("number", &2), ("what", &"Éé{x}")]),
            "Éé{x} 2, éé{x}"
        );
        assert_eq!(filled("nothing", &[("number", &2)]), "nothing");
    }
}

//! The engine's own words and punctuation, each language in a file of its own; all other words are the game's.
//!
//! Another language is one more file, and the two lines here that name it.

mod catalog;
mod en;
mod zh_hant;

#[cfg(feature = "web")]
pub(crate) use catalog::Web;
#[cfg(feature = "system")]
pub(crate) use catalog::{Flow, Info, Prompt, Story, Why};
pub(crate) use catalog::{Log, Phrases};

use std::fmt::{Display, Write as _};

/// What there is to a language.
struct Spoken {
    /// The tag used in files and on the command line (BCP 47).
    tag: &'static str,
    /// What stands between lines of a text that are put together: Chinese has no blanks.
    between_lines: &'static str,
    /// What an owner has, by the owner's name.
    possessive: Forms<str>,
    /// Where a piece lies in a pile, by its number.
    from_below: Forms<usize>,
    phrases: Phrases,
}

/// A phrase that has several forms, by what it is filled with.
struct Forms<T: ?Sized> {
    texts: &'static [&'static str],
    which: fn(&T) -> usize,
}

impl<T: ?Sized> Forms<T> {
    fn of(&self, thing: &T) -> &'static str {
        self.texts[(self.which)(thing)]
    }
}

/// Declares the languages, each with the file that says all about it.
macro_rules! languages {
    ($($(#[$about:meta])* $Language:ident = $file:ident,)*) => {
        /// A language a game's texts may be written in.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
        pub enum Language {
            $($(#[$about])* $Language,)*
        }

        /// The languages in the order of [`Language::ALL`].
        static SPOKEN: [Spoken; Language::ALL.len()] = [$($file::SPOKEN),*];

        impl Language {
            /// Every language, in the order they are listed to people.
            pub const ALL: [Self; [$(stringify!($Language)),*].len()] = [$(Self::$Language),*];
        }
    };
}

languages! {
    /// English, and what is printed where a translation is missing.
    #[default]
    English = en,
    /// Traditional Chinese.
    TraditionalChinese = zh_hant,
}

impl Language {
    /// The tag used in files and on the command line (BCP 47).
    pub const fn tag(self) -> &'static str {
        SPOKEN[self as usize].tag
    }

    /// What stands between lines of a text that are put together.
    pub(crate) fn between_lines(self) -> &'static str {
        SPOKEN[self as usize].between_lines
    }

    /// What a player or a thing has.
    pub(crate) fn possessive(self, owner: &str, what: &str) -> String {
        filled(SPOKEN[self as usize].possessive.of(owner), &[("owner", &owner), ("what", &what)])
    }

    /// Where a piece lies in a pile, counted from below.
    pub(crate) fn nth_from_below(self, number: usize) -> String {
        filled(SPOKEN[self as usize].from_below.of(&number), &[("number", &number)])
    }

    /// The phrases that go by what they are filled with, in all their forms.
    pub(crate) fn forms(self) -> impl Iterator<Item = &'static str> {
        let Spoken { possessive, from_below, .. } = &SPOKEN[self as usize];
        possessive.texts.iter().chain(from_below.texts).copied()
    }

    /// The language of a tag, if it is one of ours.
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(tag))
    }
}

impl Phrases {
    /// How the engine speaks a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        &SPOKEN[language as usize].phrases
    }
}

/// A phrase with something in each of its rooms: `{name}` as it is, `{name:upper}` and `{name:lower}` with its first letter so.
pub(crate) fn filled(phrase: &str, given: &[(&str, &dyn Display)]) -> String {
    let mut text = String::new();
    let mut rest = phrase;
    while let Some((before, after)) = rest.split_once('{') {
        let (room, after) = after.split_once('}').expect("a room has an end");
        let (name, case) = room.split_once(':').unwrap_or((room, ""));
        let (_, thing) = given.iter().find(|(known, _)| *known == name).expect("there is something for each room");
        text.push_str(before);
        match case {
            "" => write!(text, "{thing}").expect("a text takes everything"),
            _ => text.push_str(&begun(&thing.to_string(), case)),
        }
        rest = after;
    }
    text + rest
}

/// A text whose first letter is upper or lower case.
fn begun(text: &str, case: &str) -> String {
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

    /// The names of a phrase's rooms.
    fn rooms(phrase: &str) -> BTreeSet<&str> {
        let rooms = phrase.split('{').skip(1).map(|rest| rest.split_once('}').expect("a room has an end").0);
        rooms.map(|room| room.split(':').next().unwrap_or_default()).collect()
    }

    #[test]
    fn every_language_has_the_same_rooms() {
        let english = Phrases::of(Language::English).all();
        for language in Language::ALL {
            for ((section, name, ours), (.., theirs)) in english.iter().zip(Phrases::of(language).all()) {
                assert_eq!(rooms(ours), rooms(theirs), "`{section}.{name}` in `{}`", language.tag());
                assert!(!theirs.is_empty(), "`{section}.{name}` in `{}`", language.tag());
            }
        }
    }

    #[test]
    fn phrases_have_the_form_that_goes_with_what_they_are_filled_with() {
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
    fn rooms_are_filled_with_what_is_given_and_that_is_not_read_again() {
        assert_eq!(
            filled("{what:upper} {number}, {what:lower}", &[("number", &2), ("what", &"Éé{x}")]),
            "Éé{x} 2, éé{x}"
        );
        assert_eq!(filled("nothing", &[("number", &2)]), "nothing");
    }
}

//! Names and sentences in several languages.

use std::sync::Arc;

/// A language a game's texts may be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Language {
    /// English, and what is printed where a translation is missing.
    #[default]
    English,
    /// Traditional Chinese.
    TraditionalChinese,
}

impl Language {
    /// Every language, in the order they are listed to people.
    pub const ALL: [Self; 2] = [Self::English, Self::TraditionalChinese];

    /// The tag used in files and on the command line (BCP 47).
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::TraditionalChinese => "zh-Hant",
        }
    }

    /// The language of a tag, if it is one of ours.
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(tag))
    }
}

/// One text in the languages its author gave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    words: [Option<Arc<str>>; Language::ALL.len()],
}

impl Text {
    /// A text in English alone.
    pub fn plain(english: &str) -> Self {
        Self::default().with(Language::English, english)
    }

    /// A text in every language.
    pub(crate) fn in_each(words: impl Fn(Language) -> &'static str) -> Self {
        Self { words: Language::ALL.map(|language| Some(words(language).into())) }
    }

    /// The same text with one language added or replaced.
    #[must_use]
    pub fn with(mut self, language: Language, words: &str) -> Self {
        self.words[language as usize] = Some(words.into());
        self
    }

    /// The words in a language, or in English, or in whatever language there is.
    pub fn get(&self, language: Language) -> &str {
        self.words[language as usize]
            .as_ref()
            .or(self.words[Language::English as usize].as_ref())
            .or(self.words.iter().flatten().next())
            .map_or("", |words| words)
    }

    /// Whether the author wrote this language.
    pub fn has(&self, language: Language) -> bool {
        self.words[language as usize].is_some()
    }
}

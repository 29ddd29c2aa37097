//! Texts: names and sentences in several languages.

use crate::phrases::Language;
use std::sync::Arc;

/// Returns the text of a comment in `language`, falling back to English.
///
/// A line that begins with a language tag, such as `zh-Hant: …`, starts the text in that language. Lines before the first tag are English.
pub fn text_in_language(lines: &[&str], language: Language) -> String {
    let mut said: [Vec<&str>; Language::ALL.len()] = Default::default();
    let mut now = Language::English;
    for line in lines {
        let (language, line) = split_language_tag(line).unwrap_or((now, line.trim()));
        now = language;
        said[now as usize].push(line);
    }
    let joined = |language: Language| said[language as usize].join(language.between_lines());
    Some(joined(language)).filter(|said| !said.is_empty()).unwrap_or_else(|| joined(Language::English))
}

/// Splits a comment line at its language tag. Returns the language and the rest, or `None` if the line does not begin with a tag.
pub fn split_language_tag(line: &str) -> Option<(Language, &str)> {
    let (tag, rest) = line.split_once(':')?;
    let language = Language::ALL.into_iter().find(|language| language.tag() == tag.trim())?;
    Some((language, rest.trim()))
}

/// Maximum length of a rulebook reference, which precedes the colon of a comment, in characters.
const MAX_SECTION_LENGTH: usize = 60;

/// Splits a comment that begins with a reference to the rulebook, such as `Prices 6.2: a step up …`. Returns the chapter, here `Prices`,
/// and the sentence after the colon. Returns `None` and the whole comment if there is no such reference.
pub fn split_section(text: &str) -> (Option<&str>, &str) {
    let Some((at, colon)) = text.char_indices().find(|(_, letter)| matches!(letter, ':' | '\u{ff1a}')) else {
        return (None, text);
    };
    let (head, rest) = (&text[..at], text[at + colon.len_utf8()..].trim_start());
    let is_number = |word: &str| {
        let word = word.trim_end_matches([',', '\u{3001}', ')', '\u{ff09}']);
        let digits = word.strip_prefix(|letter: char| letter.is_ascii_uppercase()).unwrap_or(word);
        // A letter may follow the number, as in `4.5a`.
        let digits = digits.strip_suffix(|letter: char| letter.is_ascii_lowercase()).unwrap_or(digits);
        digits.starts_with(|letter: char| letter.is_ascii_digit())
            && digits.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
    };
    let Some(number) = head.split_whitespace().find(|word| is_number(word)) else { return (None, text) };
    let before = &head[..head.find(number).unwrap_or_default()];
    let topic = before.split(['(', '\u{ff08}']).next().unwrap_or_default().trim();
    if topic.is_empty() || rest.is_empty() || head.chars().count() > MAX_SECTION_LENGTH {
        (None, text)
    } else {
        (Some(topic), rest)
    }
}

/// Returns the text with its first letter capitalized.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A text in one or more languages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    words: [Option<Arc<str>>; Language::ALL.len()],
}

impl Text {
    /// Creates a text in English only.
    pub fn plain(english: &str) -> Self {
        Self::default().with(Language::English, english)
    }

    /// Creates a text in every language. `words` returns the text for a language.
    pub fn in_every_language(words: impl Fn(Language) -> &'static str) -> Self {
        Self { words: Language::ALL.map(|language| Some(words(language).into())) }
    }

    /// Adds or replaces the text in one language.
    #[must_use]
    pub fn with(mut self, language: Language, words: &str) -> Self {
        self.words[language as usize] = Some(words.into());
        self
    }

    /// Returns the text in `language`, or else in English, or else in any language. Empty if there is no text at all.
    pub fn get(&self, language: Language) -> &str {
        self.words[language as usize]
            .as_ref()
            .or(self.words[Language::English as usize].as_ref())
            .or(self.words.iter().flatten().next())
            .map_or("", |words| words)
    }

    /// Returns whether there is a text in `language`.
    pub fn has(&self, language: Language) -> bool {
        self.words[language as usize].is_some()
    }
}

/// Iterates over the names of the placeholders `{name}` in a text, including placeholders with plural forms, such as `{name|one|several}`.
pub fn rooms(text: &str) -> impl Iterator<Item = &str> {
    let placeholders = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    placeholders.map(|(room, _)| room.split_once('|').map_or(room, |(name, _)| name))
}

/// Fills the placeholders called `name`. Replaces `{name}` with `words`, and `{name|one|several}` with the form for `count`. Replaces
/// `{name|s}` with `s`, or with nothing if `count` is 1.
pub(crate) fn filled(text: &str, name: &str, words: &str, count: i64) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, (room, after))) =
        rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        filled.push_str(before);
        let mut parts = room.splitn(3, '|');
        if parts.next() == Some(name) {
            filled.push_str(match (parts.next(), parts.next()) {
                (None, _) => words,
                (Some(one), Some(several)) => {
                    if count == 1 {
                        one
                    } else {
                        several
                    }
                }
                (Some(several), None) => {
                    if count == 1 {
                        ""
                    } else {
                        several
                    }
                }
            });
        } else {
            // Another placeholder, which a later call fills.
            filled.extend(["{", room, "}"]);
        }
        rest = after;
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::{filled, rooms, split_section};

    #[test]
    fn plural_forms_depend_on_the_count() {
        let draws =
            |count: i64| filled("{seat} draws {n} {n|card|cards}, {n} coin{n|s}", "n", &count.to_string(), count);
        assert_eq!(draws(1), "{seat} draws 1 card, 1 coin");
        assert_eq!(draws(0), "{seat} draws 0 cards, 0 coins");
        assert_eq!(rooms("{seat} draws {n|card|cards}").collect::<Vec<_>>(), ["seat", "n"]);
    }

    #[test]
    fn an_unmatched_brace_is_text() {
        assert_eq!(filled("{n} of {n", "n", "3", 3), "3 of {n");
    }

    #[test]
    fn a_chapter_has_a_number_before_the_colon() {
        for (text, topic, said) in [
            ("Prices 6.2: a step up.", Some("Prices"), "a step up."),
            ("Splits 6.2.1 and bankruptcy 6.2.2: all cards.", Some("Splits"), "all cards."),
            ("股價 6.2：上升到下一格。", Some("股價"), "上升到下一格。"),
            ("Reshuffle (ruling 24): a deck.", Some("Reshuffle"), "a deck."),
            ("重洗（裁定 24）：用完的牌庫。", Some("重洗"), "用完的牌庫。"),
            ("Turn T1: one tile.", Some("Turn"), "one tile."),
            ("Hands 4.5a: the limit.", Some("Hands"), "the limit."),
            ("Fruit count: one by one.", None, "Fruit count: one by one."),
            ("I7: a check.", None, "I7: a check."),
            ("7: a check.", None, "7: a check."),
            ("No colon", None, "No colon"),
        ] {
            assert_eq!(split_section(text), (topic, said), "{text}");
        }
    }
}

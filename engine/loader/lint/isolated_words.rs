//! Finds words that occur only once in a game and are probably misspelled.
//!
//! Declared names are checked where they are read. All other words are free: words in fields, labels, values of options, quoted words in
//! scripts, and keys in `#{…}`. A misspelled free word is still a valid word, so it causes no error. It is reported only if it occurs
//! nowhere else in the data and the scripts. In addition, it must be one typo away from a word that occurs elsewhere, or be compared with a
//! value, either in a script or as a condition of an alteration. Quoted numbers and the answers in `tells` are reported whenever they occur
//! nowhere else. Scripts are only split into tokens here, not parsed.

use crate::diagnostic::{Diagnostic, Place, Source, is_one_slip_from};
use crate::library::TALLY;
use crate::loader::document::tree::Tree;
use crate::loader::lint::mentions::mentions;
use crate::loader::lint::undeclared_words::{self, Usage};
use crate::loader::section::component::ROW;
use crate::model::Mention;
use crate::syntax::{Lexeme, is_reserved, lexemes, words_within};
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Tokens that mark a comparison if they directly precede a quoted word.
const COMPARED_BEFORE: [Lexeme<'_>; 2] = [Lexeme::Symbol("=="), Lexeme::Symbol("!=")];
const COMPARED_AFTER: [Lexeme<'_>; 5] =
    [Lexeme::Symbol("=="), Lexeme::Symbol("!="), Lexeme::Symbol("=>"), Lexeme::Word("in"), Lexeme::Symbol("!in")];

/// Maximum number of word pairs to compare. In larger games, no isolated words are reported.
const MAX_PAIRS: usize = 20_000_000;

/// Minimum length in bytes of the longer word in a pair that is compared. Shorter words are often one typo apart by chance.
const MIN_LENGTH: usize = 3;

/// A free word in a script: a quoted word, or a key in `#{…}`, such as the name of a score part.
struct QuotedWord {
    word: String,
    place: Place,
    is_part: bool,
    is_compared: bool,
    /// Whether the word is the name of a `tally`. These names are freely chosen, so they are only compared with the names of other tallies.
    is_tally: bool,
}

/// All words of a game.
#[derive(Default)]
struct Words {
    data: IndexMap<Arc<str>, Mention>,
    /// Number of times that a word occurs in the conditions of `alters`, as a key or as a value.
    conditions: FxHashMap<Arc<str>, usize>,
    /// Strings in the data, and the names of kinds and of entries in the section `words`.
    values: Vec<Arc<str>>,
    /// Words that have an entry in the section `words`.
    named: FxHashSet<Arc<str>>,
    /// Number of times that scripts use a word, quoted or as a name.
    said: FxHashMap<String, usize>,
    quoted: Vec<QuotedWord>,
}

/// Returns warnings for isolated words in the data, including overlays, and in the scripts. Also returns warnings for unused entries of the
/// section `words`. `is_known` returns whether the engine knows a word.
pub(in crate::loader) fn check<'a>(
    trees: impl Iterator<Item = &'a Tree> + Clone,
    scripts: impl Iterator<Item = &'a Arc<Source>>,
    is_known: impl Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let mut words = Words::default();
    for (word, mention) in trees.clone().flat_map(mentions) {
        let times = mention.times;
        words.data.entry(word).and_modify(|known| known.times += times).or_insert(mention);
    }
    scripts.for_each(|source| words.read(source));
    let mut found: Vec<Diagnostic> = Vec::new();
    for (name, entry) in trees.clone().flat_map(|tree| tree.section("words")) {
        if words.count(name) == 0 {
            found.push(unused(&words, name, &entry.key));
        }
        words.named.insert(name.clone());
    }
    words.values = trees.clone().flat_map(undeclared_words::strings).collect();
    let in_data: Vec<undeclared_words::Word> = trees.flat_map(undeclared_words::words).collect();
    let others = words.values.len() + words.quoted.len() + words.data.len() + words.said.len();
    if (in_data.len() + words.quoted.len()).saturating_mul(others) > MAX_PAIRS {
        return found;
    }
    for word in in_data.iter().filter(|word| word.is_compared) {
        *words.conditions.entry(word.text.clone()).or_default() += 1;
    }
    found.extend(in_data.iter().filter_map(|word| words.isolated_in_data(word)));
    found.extend(in_data.iter().filter_map(|word| isolated_back(word, &in_data)));
    let in_scripts = words.quoted.iter().filter_map(|quoted| Some((quoted, words.isolated_in_scripts(quoted)?)));
    found.extend(
        in_scripts.filter(|(quoted, _)| is_number(&quoted.word) || !is_known(&quoted.word)).map(|(_, found)| found),
    );
    found
}

impl Words {
    /// Collects the words of a script. Comments are skipped.
    fn read(&mut self, source: &Arc<Source>) {
        let said = lexemes(&source.text);
        for (at, (what, span)) in said.iter().enumerate() {
            let place = Place { source: source.clone(), span: span.range() };
            match what {
                Lexeme::Word(word) => {
                    self.count_word(word);
                    // A name before `:` is a key in `#{…}`, such as the name of a score part.
                    if matches!(said.get(at + 1), Some((Lexeme::Symbol(":"), _))) {
                        let word = (*word).to_owned();
                        self.quoted.push(QuotedWord {
                            word,
                            place,
                            is_part: true,
                            is_compared: false,
                            is_tally: false,
                        });
                    }
                }
                Lexeme::Quoted(text) if is_word(text) || is_number(text) => {
                    // A quoted keyword is an ordinary word of the game.
                    *self.said.entry(text.clone()).or_default() += 1;
                    let (before, behind) = (&said[..at], &said[at + 1..]);
                    let is_compared = before.last().is_some_and(|(what, _)| COMPARED_BEFORE.contains(what))
                        || behind.first().is_some_and(|(what, _)| COMPARED_AFTER.contains(what));
                    let is_tally = matches!(before, [.., (Lexeme::Word(TALLY), _), (Lexeme::Symbol("("), _)]);
                    self.quoted.push(QuotedWord { word: text.clone(), place, is_part: false, is_compared, is_tally });
                }
                Lexeme::Quoted(text) | Lexeme::Template(text) => {
                    words_within(text).for_each(|word| self.count_word(word));
                }
                Lexeme::Symbol(_) => {}
            }
        }
    }

    fn count_word(&mut self, word: &str) {
        if is_reserved(word) {
            return;
        }
        *self.said.entry(word.to_owned()).or_default() += 1;
    }

    /// Returns a warning about a word in the data, if it is isolated.
    fn isolated_in_data(&self, word: &undeclared_words::Word) -> Option<Diagnostic> {
        if word.sort == Usage::Value && is_number(&word.text) {
            return self.isolated_number(&word.text, &word.place);
        }
        // Two conditions with the same word do not confirm each other: the word must also occur somewhere as a value.
        let own = if word.is_compared { self.conditions[&word.text] } else { 1 };
        // A word with an entry in the section `words` was written on purpose.
        if self.count(&word.text) > own || !is_word(&word.text) || self.named.contains(&word.text) && !word.is_compared
        {
            return None;
        }
        let is_meant = |near: &str| self.count(near) > 1 || self.said.contains_key(near) || self.named.contains(near);
        let near = if matches!(word.sort, Usage::Value | Usage::Back) {
            // A quoted word cannot be a misspelled name of a function or a field.
            let quoted = self.quoted.iter().map(|quoted| &*quoted.word);
            nearest(&word.text, self.values.iter().map(|word| &**word).chain(quoted), is_meant)
        } else {
            self.similar_word(&word.text, |near| !is_plural_of(near, &word.text) && is_meant(near))
        };
        let found = isolated_word(&word.text, &word.place);
        match near {
            Some(near) => Some(found.help(format!("did you mean `{near}`?"))),
            None if word.is_compared => Some(found.help("write the word that the rules use, or remove it")),
            None if word.sort == Usage::Answer => {
                Some(found.help("use a part of the answer or a word that can be chosen"))
            }
            None => None,
        }
    }

    /// Returns a warning about a quoted number that occurs only once. Quoted numbers are words, such as the ranks of cards. A single quoted
    /// number was probably meant as a number.
    fn isolated_number(&self, number: &str, place: &Place) -> Option<Diagnostic> {
        let in_data = self.values.iter().filter(|value| ***value == *number).count();
        let in_scripts = self.quoted.iter().filter(|quoted| quoted.word == number).count();
        let found = || {
            Diagnostic::warning(
                "quoted-number",
                format!("`\"{number}\"` is a text that occurs nowhere else in the game"),
            )
            .mark(place.clone(), "a number in quotes")
            .help(format!("write `{number}`"))
        };
        (in_data + in_scripts == 1).then(found)
    }

    /// Returns a warning about a quoted word in a script, if it is isolated.
    fn isolated_in_scripts(&self, quoted: &QuotedWord) -> Option<Diagnostic> {
        // Whether a compared number should be in quotes is left to the type checker, which knows what the number is compared with.
        if is_number(&quoted.word) && quoted.is_compared {
            return None;
        }
        if is_number(&quoted.word) {
            return self.isolated_number(&quoted.word, &quoted.place);
        }
        if self.count(&quoted.word) > 1 || self.named.contains(&*quoted.word) && !quoted.is_compared {
            return None;
        }
        if quoted.is_tally {
            let others = self.quoted.iter().filter(|other| other.is_tally).map(|other| &*other.word);
            let near = nearest(&quoted.word, others, |near| self.count(near) > 1)?;
            return Some(isolated_word(&quoted.word, &quoted.place).help(format!("did you mean `\"{near}\"`?")));
        }
        // The name of a score part is often the plural of another word, so a plural is not a typo here.
        let near = self.similar_word(&quoted.word, |near| {
            let is_other = quoted.is_part && is_plural_of(near, &quoted.word);
            !is_other && (self.count(near) > 1 || self.data.contains_key(near) || self.named.contains(near))
        });
        let found = isolated_word(&quoted.word, &quoted.place);
        match near {
            Some(near) if quoted.is_part => Some(found.help(format!("did you mean `{near}`?"))),
            Some(near) => Some(found.help(format!("did you mean `\"{near}\"`?"))),
            None => quoted
                .is_compared
                .then(|| found.help("compare with a word that occurs in the game, or remove the comparison")),
        }
    }

    /// Returns how often a word occurs in the game.
    fn count(&self, word: &str) -> usize {
        self.data.get(word).map_or(0, |mention| mention.times) + self.said.get(word).copied().unwrap_or(0)
    }

    /// Returns a word of the game that is one typo away from `word` and accepted by `is_meant`. The keys of component rows count as words
    /// of the game and are always accepted.
    fn similar_word(&self, word: &str, is_meant: impl Fn(&str) -> bool) -> Option<&str> {
        let own = self.data.keys().map(|word| &**word).chain(self.said.keys().map(String::as_str));
        let is_meant = |near: &str| is_meant(near) || ROW.names().any(|name| name == near);
        nearest(word, own.chain(ROW.names()), is_meant)
    }
}

/// Returns a warning about a back that consists of several words, if no other kind has this back, but another kind has a back that is one
/// typo away.
fn isolated_back(back: &undeclared_words::Word, all: &[undeclared_words::Word]) -> Option<Diagnostic> {
    if back.sort != Usage::Back || is_word(&back.text) {
        return None;
    }
    let mut others = all.iter().filter(|other| other.sort == Usage::Back && !std::ptr::eq(*other, back));
    if others.clone().any(|other| other.text == back.text) {
        return None;
    }
    let near = others.find(|other| is_one_slip_from(&back.text, &other.text))?;
    Some(isolated_word(&back.text, &back.place).help(format!("did you mean `{}`?", near.text)))
}

/// Returns a word that is one typo away from `word` and accepted by `is_meant`. If there are several, returns the first in alphabetical
/// order.
fn nearest<'w>(word: &str, all: impl Iterator<Item = &'w str>, is_meant: impl Fn(&str) -> bool) -> Option<&'w str> {
    let near = all.filter(|other| word.len().max(other.len()) >= MIN_LENGTH && is_one_slip_from(word, other));
    near.filter(|other| is_meant(other)).min()
}

/// Returns whether two words differ only in a plural "s".
fn is_plural_of(one: &str, other: &str) -> bool {
    one.strip_suffix('s') == Some(other) || other.strip_suffix('s') == Some(one)
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(|c| is_part(c) || c == '-')
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn isolated_word(word: &str, place: &Place) -> Diagnostic {
    Diagnostic::warning("lone-word", format!("the word `{word}` occurs nowhere else in the game"))
        .mark(place.clone(), "nothing has this name")
}

fn unused(words: &Words, word: &str, place: &Place) -> Diagnostic {
    let found = Diagnostic::warning("unused", format!("nothing uses the word `{word}`"))
        .mark(place.clone(), "not used in the data or in scripts");
    match words.similar_word(word, |_| true) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found.help("take it out"),
    }
}

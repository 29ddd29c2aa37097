//! Words that stand alone: a word that nobody declares means something only where another place of the game says it too.
//!
//! What is declared is looked up where it is read. A word of a field, a label, a value of an option, a word in quotes in a
//! script or the name of a part in `#{…}` is free: misspelled, it is merely another word. Such a word is reported if it stands nowhere else in any file,
//! and either differs by one slip from a word that does, or is compared with: in a script, or as a condition of what a row
//! alters. Of scripts the loader knows no more than their words.

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

/// What stands beside a word in quotes that is compared with something.
const COMPARED_BEFORE: [Lexeme<'_>; 2] = [Lexeme::Symbol("=="), Lexeme::Symbol("!=")];
const COMPARED_BEHIND: [Lexeme<'_>; 5] =
    [Lexeme::Symbol("=="), Lexeme::Symbol("!="), Lexeme::Symbol("=>"), Lexeme::Word("in"), Lexeme::Symbol("!in")];

/// Pairs of words that are held against each other; where there are more, no word is said to stand alone.
const MOST_PAIRS: usize = 20_000_000;

/// Words shorter than this are all alike.
const SHORTEST: usize = 3;

/// A word of a script that nobody declares: in quotes, or the name of a part in `#{…}`.
struct Quoted {
    word: String,
    place: Place,
    is_part: bool,
    is_compared: bool,
    /// Whether it names what `tally` counts: any name does, and only another tally's can have been meant.
    is_tally: bool,
}

/// Every word of a game.
#[derive(Default)]
struct Words {
    data: IndexMap<Arc<str>, Mention>,
    /// How often the data says a word as a condition, or as the name of one.
    conditions: FxHashMap<Arc<str>, usize>,
    /// What the data says in quotes.
    values: Vec<Arc<str>>,
    /// What the section `words` has texts for.
    named: FxHashSet<Arc<str>>,
    /// How often scripts say a word, in quotes or as a name.
    said: FxHashMap<String, usize>,
    quoted: Vec<Quoted>,
}

/// Looks at every word of the data, of overlays too, and of the scripts. `is_known` tells the words of the engine.
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
        if words.times(name) == 0 {
            found.push(unused(&words, name, &entry.key));
        }
        words.named.insert(name.clone());
    }
    words.values = trees.clone().flat_map(undeclared_words::said).collect();
    let in_data: Vec<undeclared_words::Word> = trees.flat_map(undeclared_words::words).collect();
    let others = words.values.len() + words.quoted.len() + words.data.len() + words.said.len();
    if (in_data.len() + words.quoted.len()).saturating_mul(others) > MOST_PAIRS {
        return found;
    }
    for word in in_data.iter().filter(|word| word.is_compared) {
        *words.conditions.entry(word.text.clone()).or_default() += 1;
    }
    found.extend(in_data.iter().filter_map(|word| words.lone_in_data(word)));
    found.extend(in_data.iter().filter_map(|word| lone_back(word, &in_data)));
    let in_scripts = words.quoted.iter().filter_map(|quoted| Some((quoted, words.lone_in_scripts(quoted)?)));
    found.extend(
        in_scripts.filter(|(quoted, _)| is_number(&quoted.word) || !is_known(&quoted.word)).map(|(_, found)| found),
    );
    found
}

impl Words {
    /// Reads the words of a script; comments are left out.
    fn read(&mut self, source: &Arc<Source>) {
        let said = lexemes(&source.text);
        for (at, (what, span)) in said.iter().enumerate() {
            let place = Place { source: source.clone(), span: span.range() };
            match what {
                Lexeme::Word(word) => {
                    self.say(word);
                    // Before a `:` a name is that of a part.
                    if matches!(said.get(at + 1), Some((Lexeme::Symbol(":"), _))) {
                        let word = (*word).to_owned();
                        self.quoted.push(Quoted { word, place, is_part: true, is_compared: false, is_tally: false });
                    }
                }
                Lexeme::Quoted(text) if is_word(text) || is_number(text) => {
                    // In quotes a word of the language is one of the game.
                    *self.said.entry(text.clone()).or_default() += 1;
                    let (before, behind) = (&said[..at], &said[at + 1..]);
                    let is_compared = before.last().is_some_and(|(what, _)| COMPARED_BEFORE.contains(what))
                        || behind.first().is_some_and(|(what, _)| COMPARED_BEHIND.contains(what));
                    let is_tally = matches!(before, [.., (Lexeme::Word(TALLY), _), (Lexeme::Symbol("("), _)]);
                    self.quoted.push(Quoted { word: text.clone(), place, is_part: false, is_compared, is_tally });
                }
                Lexeme::Quoted(text) | Lexeme::Template(text) => words_within(text).for_each(|word| self.say(word)),
                Lexeme::Symbol(_) => {}
            }
        }
    }

    fn say(&mut self, word: &str) {
        if is_reserved(word) {
            return;
        }
        *self.said.entry(word.to_owned()).or_default() += 1;
    }

    fn lone_in_data(&self, word: &undeclared_words::Word) -> Option<Diagnostic> {
        if word.sort == Usage::Said && is_number(&word.text) {
            return self.lone_number(&word.text, &word.place);
        }
        // Conditions that say the same do not meet each other.
        let own = if word.is_compared { self.conditions[&word.text] } else { 1 };
        // A word that has a text for people was written on purpose.
        if self.times(&word.text) > own || !is_word(&word.text) || self.named.contains(&word.text) && !word.is_compared
        {
            return None;
        }
        let is_meant = |near: &str| self.times(near) > 1 || self.said.contains_key(near) || self.named.contains(near);
        let near = if matches!(word.sort, Usage::Said | Usage::Back) {
            // What is said in quotes is never meant to be the name of a function or a field.
            let quoted = self.quoted.iter().map(|quoted| &*quoted.word);
            nearest(&word.text, self.values.iter().map(|word| &**word).chain(quoted), is_meant)
        } else {
            self.near(&word.text, |near| !is_plural_of(near, &word.text) && is_meant(near))
        };
        let found = stands_alone(&word.text, &word.place);
        match near {
            Some(near) => Some(found.help(format!("did you mean `{near}`?"))),
            None if word.is_compared => Some(found.help("write what the rules ask with, or leave it out")),
            None if word.sort == Usage::Answer => {
                Some(found.help("name a part of the answer, or a word that is chosen"))
            }
            None => None,
        }
    }

    /// A number in quotes is a word, as for the ranks of cards; said once, it is a slip.
    fn lone_number(&self, number: &str, place: &Place) -> Option<Diagnostic> {
        let in_data = self.values.iter().filter(|value| ***value == *number).count();
        let in_scripts = self.quoted.iter().filter(|quoted| quoted.word == number).count();
        let found = || {
            Diagnostic::warning(
                "quoted-number",
                format!("`\"{number}\"` is a text, and stands nowhere else in the game"),
            )
            .mark(place.clone(), "a number in quotes")
            .help(format!("write `{number}`"))
        };
        (in_data + in_scripts == 1).then(found)
    }

    fn lone_in_scripts(&self, quoted: &Quoted) -> Option<Diagnostic> {
        // What a number in quotes is compared with, types know: a text may be meant.
        if is_number(&quoted.word) && quoted.is_compared {
            return None;
        }
        if is_number(&quoted.word) {
            return self.lone_number(&quoted.word, &quoted.place);
        }
        if self.times(&quoted.word) > 1 || self.named.contains(&*quoted.word) && !quoted.is_compared {
            return None;
        }
        if quoted.is_tally {
            let others = self.quoted.iter().filter(|other| other.is_tally).map(|other| &*other.word);
            let near = nearest(&quoted.word, others, |near| self.times(near) > 1)?;
            return Some(stands_alone(&quoted.word, &quoted.place).help(format!("did you mean `\"{near}\"`?")));
        }
        // A part of a score is often the plural of something.
        let near = self.near(&quoted.word, |near| {
            let is_other = quoted.is_part && is_plural_of(near, &quoted.word);
            !is_other && (self.times(near) > 1 || self.data.contains_key(near) || self.named.contains(near))
        });
        let found = stands_alone(&quoted.word, &quoted.place);
        match near {
            Some(near) if quoted.is_part => Some(found.help(format!("did you mean `{near}`?"))),
            Some(near) => Some(found.help(format!("did you mean `\"{near}\"`?"))),
            None => {
                quoted.is_compared.then(|| found.help("compare with a word that is given somewhere, or leave it out"))
            }
        }
    }

    /// How often a word stands in the game.
    fn times(&self, word: &str) -> usize {
        self.data.get(word).map_or(0, |mention| mention.times) + self.said.get(word).copied().unwrap_or(0)
    }

    /// A word of the game one slip away.
    fn near(&self, word: &str, is_meant: impl Fn(&str) -> bool) -> Option<&str> {
        let own = self.data.keys().map(|word| &**word).chain(self.said.keys().map(String::as_str));
        let is_meant = |near: &str| is_meant(near) || ROW.names().any(|name| name == near);
        nearest(word, own.chain(ROW.names()), is_meant)
    }
}

/// A back of several words that one kind alone has, and another nearly.
fn lone_back(back: &undeclared_words::Word, all: &[undeclared_words::Word]) -> Option<Diagnostic> {
    if back.sort != Usage::Back || is_word(&back.text) {
        return None;
    }
    let mut others = all.iter().filter(|other| other.sort == Usage::Back && !std::ptr::eq(*other, back));
    if others.clone().any(|other| other.text == back.text) {
        return None;
    }
    let near = others.find(|other| is_one_slip_from(&back.text, &other.text))?;
    Some(stands_alone(&back.text, &back.place).help(format!("did you mean `{}`?", near.text)))
}

/// The word one slip away that is meant: of several the first by the alphabet.
fn nearest<'w>(word: &str, all: impl Iterator<Item = &'w str>, is_meant: impl Fn(&str) -> bool) -> Option<&'w str> {
    let near = all.filter(|other| word.len().max(other.len()) >= SHORTEST && is_one_slip_from(word, other));
    near.filter(|other| is_meant(other)).min()
}

/// Whether two words differ in the plural alone.
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

fn stands_alone(word: &str, place: &Place) -> Diagnostic {
    Diagnostic::warning("lone-word", format!("the word `{word}` stands nowhere else in the game"))
        .mark(place.clone(), "nothing else is called so")
}

fn unused(words: &Words, word: &str, place: &Place) -> Diagnostic {
    let found = Diagnostic::warning("unused", format!("nothing uses the word `{word}`"))
        .mark(place.clone(), "named neither in the data nor in a script");
    match words.near(word, |_| true) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found.help("take it out"),
    }
}

//! Whether the words of an answer that must not be offered are words of the game: one that is in none of its files is offered
//! nowhere, and shows nothing.

use super::play::Statement;
use super::runner::{Checked, fail, with_help};
use crate::diagnostic::did_you_mean;
use crate::model::{Model, Seat};
use crate::session::{Pass, Setup};
use rustc_hash::FxHashSet;

/// Refuses an answer with a word that no option of the decision can have.
///
/// # Errors
/// When a part has a name that the decision declares no part by, and when a word is in no file of the game.
pub(super) fn known(statement: &Statement, decision: &str, answer: &str, model: &Model, setup: &Setup) -> Checked {
    let Some(asked) = model.find_decision(decision).map(|id| &model.decisions[id.index()]) else { return Ok(()) };
    let known = Vocabulary::of(model, setup);
    for word in answer.split_whitespace() {
        let (part, value) = word.split_once('=').map_or((None, word), |(part, value)| (Some(part), value));
        if let Some(part) = part
            && !asked.parts.iter().any(|(name, _)| **name == *part)
            && (!asked.parts.is_empty() || !known.has(part))
        {
            let message = format!("no option of `{decision}` has a part `{part}`");
            let parts = asked.parts.iter().map(|(name, _)| &**name);
            let help = did_you_mean(part, parts.chain(known.words.iter().copied().filter(|_| asked.parts.is_empty())));
            return Err(with_help(fail(statement, "unknown-word", message, "would be offered nowhere"), help));
        }
        if let Some(stray) = pieces(value).find(|word| !known.has(word)) {
            let message = format!("`{stray}` is no word of the game: `{answer}` is offered nowhere");
            let help = did_you_mean(stray, known.words.iter().copied());
            return Err(with_help(fail(statement, "unknown-word", message, "this would always hold"), help));
        }
    }
    Ok(())
}

/// Every word that an option may be written with.
struct Vocabulary<'a> {
    words: FxHashSet<&'a str>,
}

impl<'a> Vocabulary<'a> {
    fn of(model: &'a Model, setup: &'a Setup) -> Self {
        let mut words: FxHashSet<&str> =
            ["yes", "no", "nothing", Pass::Done.word(), Pass::Pass.word()].into_iter().collect();
        for model in model.elsewhere.iter().map(|other| &**other).chain([model]) {
            words.extend(model.mentions.keys().flat_map(|word| pieces(word)));
            words.extend(model.components.iter().flat_map(|component| pieces(&component.id)));
        }
        let code = |line: &'a str| line.split("//").next().unwrap_or_default();
        words.extend(model.scripts.iter().flat_map(|source| source.text.lines()).flat_map(|line| pieces(code(line))));
        words.extend((0..model.seats).flat_map(|seat| pieces(setup.name(Seat(seat)))));
        Self { words }
    }

    /// Whether a word is known, or is a number, or one of several that are told apart by a number.
    fn has(&self, word: &str) -> bool {
        let is_number = |text: &str| text.bytes().all(|letter| letter.is_ascii_digit());
        let numbered = word.rsplit_once(['_', '-', '#']).filter(|(_, number)| is_number(number));
        is_number(word) || self.words.contains(word) || numbered.is_some_and(|(word, _)| self.words.contains(word))
    }
}

/// The words and numbers in a text.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).filter(|piece| !piece.is_empty())
}

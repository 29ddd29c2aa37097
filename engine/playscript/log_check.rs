//! Checks whether a string could occur in the log. Expecting an impossible string to be absent would prove nothing.

use super::errors::{CheckResult, fail, with_help};
use super::play::PlayStatement;
use super::runner::Runner;
use crate::diagnostic::did_you_mean;
use crate::model::Seat;
use crate::session::texts_of_rules;

impl Runner<'_> {
    /// Checks that a log of the game could contain `text`.
    ///
    /// # Errors
    /// Fails if a line of the log since the last choice contains `text` with different capitals, spaces, hyphens or underscores, or if a
    /// word of `text` that does not begin with a digit occurs in none of the game's texts.
    pub(super) fn check_could_be_logged(&self, statement: &PlayStatement, seat: Seat, text: &str) -> CheckResult {
        let lines = self.wording().for_seat(seat).narrate(self.session().events().since(self.seen));
        if let Some(line) =
            lines.iter().find(|line| !line.contains(text) && normalized(line).contains(&normalized(text)))
        {
            let found =
                fail(statement, "log", format!("`{text}` is worded differently in the log"), "would always hold");
            return Err(with_help(found, Some(format!("the line is `{}`", line.trim()))));
        }
        let written = texts_of_rules(self.session().model());
        let texts: Vec<String> = self.wording().texts(&written).iter().map(|text| text.to_lowercase()).collect();
        let is_known = |word: &&str| {
            let word = word.to_lowercase();
            word.starts_with(|letter: char| letter.is_ascii_digit()) || texts.iter().any(|text| text.contains(&word))
        };
        let Some(stray) = words(text).find(|word| !is_known(word)) else { return Ok(()) };
        let known: Vec<&str> = texts.iter().flat_map(|text| words(text)).collect();
        let message = format!("`{stray}` is in no text of the game, so it never appears in the log");
        let found = fail(statement, "unknown-word", message, "this would always hold");
        Err(with_help(found, did_you_mean(&stray.to_lowercase(), known)))
    }
}

/// Converts `text` to lower case, and replaces each run of whitespace, `_` and `-` with a single space.
fn normalized(text: &str) -> String {
    let apart = |letter: char| letter.is_whitespace() || matches!(letter, '_' | '-');
    text.split(apart).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Iterates over the words and numbers in `text`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

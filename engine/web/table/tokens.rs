//! Tokens of forms: each names what its form is about, and is never used for anything else.
//!
//! A token begins with a number drawn when the table was opened, so that earlier pages are refused. Then it counts how often the
//! table was changed other than by answers, and how often other rules were adopted. Answers are counted for each seat by
//! itself: a number of all answers would tell a seat that others have answered while all are asked together.

use crate::desk::refusal::Refusal;
use crate::model::Seat;
use crate::web::links;

/// Counters that tokens are made of.
pub(super) struct Tokens {
    /// Drawn when the table is opened.
    opening: u64,
    /// Counts undone choices, adopted rules, games of a campaign and seats given away.
    changes: u64,
    /// Counts the rules that were adopted, games of a campaign among them.
    rules: u64,
    /// Counts requests to take back a choice.
    requests: u64,
    /// Counts edits of the game's files.
    edits: u64,
    /// The seat that is asked, and how many questions it has answered.
    asked: Option<(Seat, u64)>,
    /// Counts picks of the open question, and those that were taken back.
    picks: u64,
}

impl Tokens {
    /// Creates the counters of a table that is opened.
    pub(super) fn new() -> Result<Self, Refusal> {
        let opening = links::seed()?;
        Ok(Self { opening, changes: 0, rules: 0, requests: 0, edits: 0, asked: None, picks: 0 })
    }

    /// Returns how often other rules were adopted.
    pub(super) const fn rules(&self) -> u64 {
        self.rules
    }

    /// Records that the table has changed other than by an answer.
    pub(super) const fn table_changes(&mut self) {
        self.changes += 1;
    }

    /// Records that other rules are adopted.
    pub(super) const fn rules_change(&mut self) {
        self.rules += 1;
        self.table_changes();
    }

    /// Records that a seat asks to take back a choice.
    pub(super) const fn request_begins(&mut self) {
        self.requests += 1;
    }

    /// Records that files of the game were saved.
    pub(super) const fn files_change(&mut self) {
        self.edits += 1;
    }

    /// Records that something was picked, or that a pick was taken back.
    pub(super) const fn pick_changes(&mut self) {
        self.picks += 1;
    }

    /// Records who is asked, and how many questions that seat has answered. Picks of the same question go on counting.
    pub(super) fn question_changes(&mut self, asked: Option<(Seat, u64)>) {
        if self.asked == asked {
            self.picks += 1;
        } else {
            (self.asked, self.picks) = (asked, 0);
        }
    }

    fn token(&self, what: &str, number: u64) -> String {
        format!("{:016x}.{}.{}.{what}{number}", self.opening, self.changes, self.rules)
    }

    /// Returns the token of the open question, with the picks so far.
    pub(super) fn question(&self) -> String {
        let Some((seat, answers)) = self.asked else { return String::new() };
        format!("{}.{}", self.token(&format!("q{seat}.", seat = seat.0), answers), self.picks)
    }

    /// Returns the token of a request to take back the last of a number of answers.
    pub(super) fn undo(&self, answers: u64) -> String {
        self.token("u", answers)
    }

    /// Returns the token of the request that the others are to agree to.
    pub(super) fn request(&self) -> String {
        self.token("r", self.requests)
    }

    /// Returns the token of the host's decision about rules that a choice does not hold under.
    pub(super) fn edit(&self) -> String {
        self.token("e", self.edits)
    }

    /// Returns the token of changes to the table as a whole: seats that are given away, the next game of a campaign.
    pub(super) fn table(&self) -> String {
        self.token("t", 0)
    }
}

//! Tokens of forms: each names what its form is about, and is never used for anything else.
//!
//! A token begins with a number drawn when the table was opened, so that pages of before are refused. Then it counts how often
//! the table was changed otherwise than by answers, and how often other rules were adopted. Answers are counted for each seat by
//! itself: a number of all answers would tell a seat that others have answered while all are asked together.

use super::host::Host;
use crate::model::Seat;
use crate::web::links;

/// Counters that tokens are made of.
pub(super) struct Tokens {
    /// Drawn when the table is opened.
    opening: u64,
    /// Counts undone choices, adopted rules, games of a campaign and seats given away.
    changes: u64,
    /// Counts requests to take back a choice.
    requests: u64,
    /// Counts edits of the game's files.
    edits: u64,
    /// The open question without its picks.
    question: String,
    /// Counts picks of the open question, and those that were taken back.
    picks: u64,
}

impl Tokens {
    /// Counters of a table that is opened.
    pub(super) fn new() -> Result<Self, crate::desk::refusal::Refusal> {
        let opening = links::seed()?;
        Ok(Self { opening, changes: 0, requests: 0, edits: 0, question: String::new(), picks: 0 })
    }

    /// The table has changed otherwise than by an answer.
    pub(super) const fn table_changes(&mut self) {
        self.changes += 1;
    }

    /// A seat asks to take back a choice.
    pub(super) const fn request_begins(&mut self) {
        self.requests += 1;
    }

    /// Files of the game were saved.
    pub(super) const fn files_change(&mut self) {
        self.edits += 1;
    }

    /// Something was picked, or taken back.
    pub(super) const fn pick_changes(&mut self) {
        self.picks += 1;
    }
}

impl Host {
    fn token(&self, what: &str, number: u64) -> String {
        let Tokens { opening, changes, .. } = self.tokens;
        format!("{opening:016x}.{changes}.{}.{what}{number}", self.rules)
    }

    fn answers_of(&self, seat: Seat) -> u64 {
        self.table.asked().iter().filter(|asked| **asked == seat).count() as u64
    }

    fn question_base(&self) -> String {
        let seat = self.table.session().decision().map(|decision| decision.seat);
        seat.map_or_else(String::new, |seat| self.token("q", self.answers_of(seat)))
    }

    /// Begins the picks of a new question; those of the same one go on counting.
    pub(super) fn count_question(&mut self) {
        let question = self.question_base();
        if question == self.tokens.question {
            self.tokens.picks += 1;
        } else {
            (self.tokens.question, self.tokens.picks) = (question, 0);
        }
    }

    /// Token of the open question, with the picks so far.
    pub(super) fn question_token(&self) -> String {
        format!("{}.{}", self.question_base(), self.tokens.picks)
    }

    /// Token of the wish to take back a seat's last choice.
    pub(super) fn undo_token(&self, seat: Seat) -> String {
        self.token("u", self.answers_of(seat))
    }

    /// Token of the request to take back a choice that others are to agree to.
    pub(super) fn request_token(&self) -> String {
        self.token("r", self.tokens.requests)
    }

    /// Token of the host's decision on rules by which a choice does not hold.
    pub(super) fn rules_token(&self) -> String {
        self.token("e", self.tokens.edits)
    }

    /// Token of what is done to the table as a whole: seats that are given away, the next game of a campaign.
    pub(super) fn table_token(&self) -> String {
        self.token("t", 0)
    }
}

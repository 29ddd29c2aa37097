//! Tokens of forms. A token identifies the state of the table for which a form was made. The form is refused in any other state.
//!
//! A token begins with a number drawn when the table was opened, so that pages of an earlier opening are refused. It is followed by the
//! number of changes to the table other than answers, and the number of times that other rules were adopted or another game was started.
//! Answers are counted per seat. A total would tell a seat that others have answered while all of them are asked together.

use crate::desk::refusal::Refusal;
use crate::model::Seat;
use crate::web::links;
use std::collections::BTreeMap;

/// Counters that tokens are made of.
pub(super) struct Tokens {
    /// Random number that is drawn when the table is opened.
    opening: u64,
    /// Number of undone choices, adopted rules, further games and reassigned seats.
    changes: u64,
    /// Number of times that other rules were adopted or another game was started.
    rules: u64,
    /// Number of requests to take back a choice.
    requests: u64,
    /// Number of edits of the game's files.
    edits: u64,
    /// Counters of the open question of each seat that is asked.
    asked: BTreeMap<Seat, Asked>,
    /// Number of held answers that each seat has taken back.
    withdrawn: BTreeMap<Seat, u64>,
}

/// Counters of the open question of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Asked {
    /// Number of answers that the seat has given, including answers that are held back.
    answers: u64,
    /// Number of changes to the picks of the open question: picks made, picks taken back, and times that the question was asked anew.
    picks: u64,
}

impl Tokens {
    /// Creates the counters for a newly opened table. Fails if no random number can be drawn.
    pub(super) fn new() -> Result<Self, Refusal> {
        let opening = links::seed()?;
        Ok(Self {
            opening,
            changes: 0,
            rules: 0,
            requests: 0,
            edits: 0,
            asked: BTreeMap::new(),
            withdrawn: BTreeMap::new(),
        })
    }

    /// Returns how many times other rules were adopted or another game was started.
    pub(super) const fn rules(&self) -> u64 {
        self.rules
    }

    /// Records that the table has changed other than by an answer.
    pub(super) const fn record_table_change(&mut self) {
        self.changes += 1;
    }

    /// Records that other rules were adopted or another game was started.
    pub(super) const fn record_rules_change(&mut self) {
        self.rules += 1;
        self.record_table_change();
    }

    /// Records that a seat asks to take back a choice.
    pub(super) const fn record_request(&mut self) {
        self.requests += 1;
    }

    /// Records that files of the game were saved.
    pub(super) const fn record_files_change(&mut self) {
        self.edits += 1;
    }

    /// Records that a seat has picked something, or has taken a pick back.
    pub(super) fn pick_changes(&mut self, seat: Seat) {
        if let Some(asked) = self.asked.get_mut(&seat) {
            asked.picks += 1;
        }
    }

    /// Records that a seat has taken back an answer that nobody else knows of.
    pub(super) fn answer_is_withdrawn(&mut self, seat: Seat) {
        *self.withdrawn.entry(seat).or_default() += 1;
    }

    /// Records which seats are asked. Each entry contains the seat, the number of answers that the seat has given, and whether its question
    /// is asked anew. If the number of answers has not changed, [`Asked::picks`] is kept, and a question that is asked anew adds 1 to it.
    pub(super) fn record_questions(&mut self, asked: &[(Seat, u64, bool)]) {
        let before = std::mem::take(&mut self.asked);
        for (seat, answers, is_new) in asked {
            let picks = match before.get(seat).filter(|known| known.answers == *answers) {
                Some(known) => known.picks + u64::from(*is_new),
                None => 0,
            };
            self.asked.insert(*seat, Asked { answers: *answers, picks });
        }
    }

    fn token(&self, what: &str, number: u64) -> String {
        format!("{:016x}.{}.{}.{what}{number}", self.opening, self.changes, self.rules)
    }

    /// Returns the token of a seat's open question and of the picks made so far.
    pub(super) fn question(&self, seat: Seat) -> String {
        let Some(Asked { answers, picks }) = self.asked.get(&seat) else { return String::new() };
        format!("{}.{picks}", self.token(&format!("q{}.{}.", seat.0, self.withdrawn_by(seat)), *answers))
    }

    /// Returns the token of the form with which a seat takes back its last answer. `answers` is the number of answers that the seat has
    /// given.
    pub(super) fn undo(&self, seat: Seat, answers: u64) -> String {
        self.token(&format!("u{}.", self.withdrawn_by(seat)), answers)
    }

    fn withdrawn_by(&self, seat: Seat) -> u64 {
        self.withdrawn.get(&seat).copied().unwrap_or_default()
    }

    /// Returns the token of the open request to take back a choice, for the forms with which others agree or refuse.
    pub(super) fn request(&self) -> String {
        self.token("r", self.requests)
    }

    /// Returns the token of the form with which the host decides about new rules under which a choice is not valid.
    pub(super) fn edit(&self) -> String {
        self.token("e", self.edits)
    }

    /// Returns the token of forms that change the whole table: they reassign a seat or start another game.
    pub(super) fn table(&self) -> String {
        self.token("t", 0)
    }
}

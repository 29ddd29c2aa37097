//! Games that failed, gathered by what went wrong where.

use crate::diagnostic::Diagnostic;
use serde::{Deserialize, Serialize};

/// Faults of one sort at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultGroup {
    /// The stable word for this sort of mistake.
    pub code: String,
    /// What the first of them says.
    pub message: String,
    /// Where it happened, as `path:line:column`; nothing for what has no place.
    pub place: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
    /// Which game the first of them happened in, from 0.
    pub game: u64,
    /// The seed of that game.
    pub seed: u64,
    /// The position of every answer of that game among its options, up to the fault.
    pub answers: Vec<u64>,
    /// How many games had it.
    pub count: u64,
    /// The first of them; nothing after the figures have been read from a file.
    #[serde(skip)]
    pub first: Option<Diagnostic>,
}

impl FaultGroup {
    /// A fault that happened once.
    pub(super) fn new(diagnostic: &Diagnostic, (game, seed): (u64, u64), answers: &[u64]) -> Self {
        Self {
            code: diagnostic.code.to_owned(),
            message: diagnostic.message.clone(),
            place: place(diagnostic),
            help: diagnostic.help.clone(),
            game,
            seed,
            answers: answers.to_vec(),
            count: 1,
            first: Some(diagnostic.clone()),
        }
    }

    /// Puts it among the groups there are, with those of its sort.
    pub(super) fn gather(self, groups: &mut Vec<Self>) {
        match groups.iter_mut().find(|group| group.is_like(&self)) {
            Some(group) => group.join(self),
            None => groups.push(self),
        }
    }

    /// Whether another fault is of the same sort; of questions without an answer, whether the agents say the same of both, but
    /// for the numbers.
    fn is_like(&self, other: &Self) -> bool {
        let says_why = self.place.is_none() || self.code == "no-answer";
        let same = self.code == other.code && self.place == other.place;
        same && (!says_why || without_numbers(&self.message).eq(without_numbers(&other.message)))
    }

    /// Counts another group of the same sort in; what is reported is the earliest game.
    fn join(&mut self, other: Self) {
        let count = self.count + other.count;
        if other.game < self.game {
            *self = other;
        }
        self.count = count;
    }
}

fn without_numbers(message: &str) -> impl Iterator<Item = char> {
    message.chars().filter(|letter| !letter.is_ascii_digit())
}

fn place(diagnostic: &Diagnostic) -> Option<String> {
    let place = &diagnostic.marks.first()?.place;
    Some(place.shown())
}

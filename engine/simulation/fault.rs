//! Faults of games, grouped by kind and place.

use crate::diagnostic::Diagnostic;
use serde::{Deserialize, Serialize};

/// Faults of one kind at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultGroup {
    /// Diagnostic code.
    pub code: String,
    /// Headline of the first fault.
    pub message: String,
    /// Place as `path:line:column`; `None` for a fault without a place.
    pub place: Option<String>,
    /// Help of the first fault.
    pub help: Option<String>,
    /// Number of the first game with the fault, from 0.
    pub game: u64,
    /// Seed of the first game with the fault.
    pub seed: u64,
    /// Indices of the options that were chosen in the first game with the fault, up to the fault.
    pub answers: Vec<u64>,
    /// Number of games with the fault.
    pub count: u64,
    /// Diagnostic of the first fault; `None` if the figures were read from a file.
    #[serde(skip)]
    pub first: Option<Diagnostic>,
}

impl FaultGroup {
    /// Creates a group with a single fault.
    pub(super) fn new(diagnostic: &Diagnostic, game: u64, seed: u64, answers: &[u64]) -> Self {
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

    /// Adds this group to a list of groups, merging it with a similar one.
    pub(super) fn add_to(self, groups: &mut Vec<Self>) {
        match groups.iter_mut().find(|group| group.is_similar(&self)) {
            Some(group) => group.absorb(self),
            None => groups.push(self),
        }
    }

    /// Returns whether another group has the same code and place. For faults without a place, and for agents that give
    /// no answer, the messages must also be the same except for digits.
    fn is_similar(&self, other: &Self) -> bool {
        let says_why = self.place.is_none() || self.code == "no-answer";
        let same = self.code == other.code && self.place == other.place;
        same && (!says_why || without_numbers(&self.message).eq(without_numbers(&other.message)))
    }

    /// Merges a similar group. Keeps the details of the group with the earlier first game.
    fn absorb(&mut self, other: Self) {
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

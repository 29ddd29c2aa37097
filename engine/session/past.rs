//! Steps that are over, with what was chosen in them, as far as it is looked back at what that tells.

use super::checkpoint::Checkpoint;
use crate::decision::Given;
use crate::library::State;
use crate::model::Seat;
use crate::table::{Chance, Table};
use std::collections::VecDeque;
use std::sync::Arc;

/// So many steps are kept in which something was chosen.
const STEPS: usize = 16;

/// So many choices of others are looked at, the youngest first.
const CHOICES: usize = 14;

/// A step that is over, or has come to the decision that is open.
#[derive(Clone)]
pub(super) struct PastStep {
    pub(super) before: Arc<Checkpoint>,
    pub(super) given: Arc<[Given]>,
}

/// The steps that led to the one that is under way, the oldest first, since anything was shuffled or lost track of.
///
/// Which piece is which from then on no seat knows, and what a seat that imagines goes by must not hang on it.
#[derive(Clone, Default)]
pub(super) struct Past(VecDeque<PastStep>);

impl Past {
    /// A step is over, and the next is about to begin.
    pub(super) fn keep(&mut self, step: &Arc<Checkpoint>, state: &State) {
        match PastStep::new(step, state) {
            None => self.0.clear(),
            Some(step) if step.given.iter().all(|given| given.choice.is_none()) => {}
            Some(step) => {
                if self.0.len() == STEPS {
                    self.0.pop_front();
                }
                self.0.push_back(step);
            }
        }
    }

    /// The same in a world that a seat imagines, with this table.
    pub(super) fn in_world(&self, table: &Table, seat: Seat, chance: &mut Chance) -> Self {
        let there = |step: &PastStep| {
            let table = step.before.table.as_in_world(table, seat, chance);
            PastStep { before: Arc::new(Checkpoint { table, call: step.before.call.clone() }), ..step.clone() }
        };
        Self(self.0.iter().map(there).collect())
    }

    /// The steps in which others chose something that a seat was notified of, the youngest first, with the one that is under way.
    pub(super) fn public_answers(&self, open: Option<&PastStep>, seat: Seat) -> Vec<(PastStep, usize)> {
        let is_wanted = |(_, given): &(usize, &Given)| given.seat != seat && given.is_public && given.choice.is_some();
        let of_step = |step: PastStep| -> Vec<(PastStep, usize)> {
            step.given.iter().enumerate().rev().filter(is_wanted).map(|(at, _)| (step.clone(), at)).collect()
        };
        // Where that happened in the step under way, what came before it is not looked at either.
        let before = self.0.iter().rev().filter(|_| open.is_some()).cloned();
        open.cloned().into_iter().chain(before).flat_map(of_step).take(CHOICES).collect()
    }
}

impl PastStep {
    /// A step with its answers up to now, but for those given at the same time; nothing where anything was shuffled in it, or lost track of.
    pub(super) fn new(before: &Arc<Checkpoint>, state: &State) -> Option<Self> {
        state.table.has_stayed(&before.table).then(|| Self {
            before: before.clone(),
            given: state.answers.given.iter().filter(|given| !given.pending).cloned().collect(),
        })
    }
}

//! Earlier steps and the choices made in them. [`Imagination::look_back`](super::Imagination::look_back) infers from
//! them what others know.

use super::checkpoint::Checkpoint;
use crate::decision::{ENTRY_BYTES, StepAnswer};
use crate::library::State;
use crate::model::Seat;
use crate::table::{Chance, Table};
use std::collections::VecDeque;
use std::sync::Arc;

/// Maximum number of steps kept.
const STEPS: usize = 16;

/// Maximum number of bytes in the tables of these steps together. The latest step is always kept.
const MAX_TABLE_BYTES: usize = 32 << 20;

/// Maximum number of choices of others that are used, starting with the latest.
const CHOICES: usize = 14;

/// A step that is over, or the one that waits at the open decision.
#[derive(Clone)]
pub(super) struct PastStep {
    pub(super) before: Arc<Checkpoint>,
    pub(super) given: Arc<[StepAnswer]>,
}

/// Earlier steps in which choices were made, oldest first; at most the latest [`STEPS`]. All of them took place after the last shuffle, and
/// after the last time that any seat lost track of a piece.
///
/// After a shuffle no seat knows which piece is which, so the inference must not use earlier steps.
#[derive(Clone, Default)]
pub(super) struct PastSteps(VecDeque<PastStep>);

impl PastSteps {
    /// Keeps a step that is over. A step without choices is not kept. If anything was shuffled during the step, or any seat lost track of a
    /// piece, drops all steps instead.
    pub(super) fn keep(&mut self, step: &Arc<Checkpoint>, state: &State) {
        match PastStep::new(step, state) {
            None => self.0.clear(),
            Some(step) if step.given.iter().all(|given| given.choice.is_none()) => {}
            Some(step) => {
                if self.0.len() == STEPS {
                    self.0.pop_front();
                }
                self.0.push_back(step);
                let mut bytes: usize = self.0.iter().map(PastStep::size).sum();
                while bytes > MAX_TABLE_BYTES && self.0.len() > 1 {
                    bytes -= self.0.pop_front().as_ref().map_or(0, PastStep::size);
                }
            }
        }
    }

    /// Estimates the number of bytes of the steps that are not also among `earlier`.
    pub(super) fn bytes_since(&self, earlier: Option<&Self>) -> usize {
        let earlier = earlier.into_iter().flat_map(|earlier| &earlier.0);
        let is_new = |step: &&PastStep| !earlier.clone().any(|other| Arc::ptr_eq(&other.before, &step.before));
        self.0.iter().filter(is_new).map(PastStep::size).sum()
    }

    /// Returns these steps with the faces of an imagined world. `table` is the table of the world, and `seat` the seat
    /// that imagines it.
    pub(super) fn in_world(&self, table: &Table, seat: Seat, chance: &mut Chance) -> Self {
        let there = |step: &PastStep| {
            let table = step.before.table.as_in_world(table, seat, chance);
            PastStep { before: Arc::new(Checkpoint { table, call: step.before.call.clone() }), ..step.clone() }
        };
        Self(self.0.iter().map(there).collect())
    }

    /// Returns the latest [`CHOICES`] public choices of other seats, latest first. Each consists of a step and the index of the answer in
    /// the step.
    pub(super) fn public_answers(&self, open: Option<&PastStep>, seat: Seat) -> Vec<(PastStep, usize)> {
        let is_wanted =
            |(_, given): &(usize, &StepAnswer)| given.seat != seat && given.is_public && given.choice.is_some();
        let of_step = |step: PastStep| -> Vec<(PastStep, usize)> {
            step.given.iter().enumerate().rev().filter(is_wanted).map(|(at, _)| (step.clone(), at)).collect()
        };
        // If anything was shuffled or any seat lost track of a piece in the step under way, `open` is `None`. Earlier steps are then not
        // used either.
        let before = self.0.iter().rev().filter(|_| open.is_some()).cloned();
        open.cloned().into_iter().chain(before).flat_map(of_step).take(CHOICES).collect()
    }
}

impl PastStep {
    /// Estimates the number of bytes that the step takes. The choices are counted in the log.
    fn size(&self) -> usize {
        self.before.table.size() + self.given.len() * ENTRY_BYTES
    }

    /// Copies a step with its answers, except pending ones. Returns `None` if anything was shuffled, or any seat lost
    /// track of a piece, during the step.
    pub(super) fn new(before: &Arc<Checkpoint>, state: &State) -> Option<Self> {
        state.table.has_stayed(&before.table).then(|| Self {
            before: before.clone(),
            given: state.answers.given.iter().filter(|given| !given.pending).cloned().collect(),
        })
    }
}

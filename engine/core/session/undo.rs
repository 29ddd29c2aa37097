//! Undo: a session keeps copies of itself. Where possible, the copies share memory with the session.

use super::checkpoint::Checkpoint;
use super::opening::Rest;
use super::past::PastSteps;
use super::status::{ChooseError, Progress, Session};
use crate::decision::Log;
use crate::library::State;
use std::sync::Arc;

/// Initial number of answers between copies. It is doubled whenever copies are dropped. A larger number makes undo slower, a smaller number
/// takes more memory.
const ANSWERS_PER_COPY: usize = 8;

/// Maximum size of all copies in bytes. If the copies take more, every second copy is dropped, which makes undo slower. If that is not
/// enough, the oldest copies are dropped too, and undo reaches back less far.
const MAX_BYTES: usize = 32 << 20;

/// Maximum size of the copies in bytes after some were dropped. Dropping takes time that is proportional to the number of copies, so it must
/// make room for many new ones.
const MAX_BYTES_AFTER_DROP: usize = MAX_BYTES / 4 * 3;

/// Number of copies that are kept whatever their size.
const MIN_COPIES: usize = 2;

/// The copies that a session keeps of itself.
#[derive(Clone)]
pub(super) struct KeptCopies {
    copies: Log<Arc<Snapshot>>,
    /// Estimated number of bytes that all copies take.
    bytes: usize,
    /// Current number of answers between copies.
    every: usize,
    /// Whether the session has been changed by something other than an answer since the last copy.
    is_stale: bool,
}

impl Default for KeptCopies {
    fn default() -> Self {
        Self { copies: Log::default(), bytes: 0, every: ANSWERS_PER_COPY, is_stale: false }
    }
}

/// A copy of a session.
struct Snapshot {
    answers: usize,
    /// Estimated number of bytes of everything that this copy shares with no other copy.
    own_bytes: usize,
    /// Whether replaying answers from the previous copy cannot reproduce this state. Such a copy is kept when every second copy is dropped.
    is_beginning: bool,
    state: State,
    progress: Progress,
    checkpoint: Option<Arc<Checkpoint>>,
    past: Option<Arc<PastSteps>>,
    rest: Option<Rest>,
}

impl KeptCopies {
    fn is_due(&self, answers: usize) -> bool {
        self.is_stale || self.copies.last().is_none_or(|last| answers >= last.answers + self.every)
    }

    /// Keeps a copy. Drops other copies if all copies together take too much memory.
    fn keep(&mut self, copy: Snapshot) {
        self.is_stale = false;
        self.bytes += copy.bytes_since(self.copies.last().map(|last| &**last));
        self.copies.push(Arc::new(copy));
        if self.bytes <= MAX_BYTES || self.copies.len() <= MIN_COPIES {
            return;
        }
        let mut kept = self.copies.to_vec();
        let mut bytes = bytes_of_each(&kept);
        while self.bytes > MAX_BYTES {
            let (before, last) = (kept.len(), kept.len() - 1);
            let is_kept =
                |(at, copy): &(usize, Arc<Snapshot>)| *at == last || at.is_multiple_of(2) || copy.is_beginning;
            kept = kept.into_iter().enumerate().filter(is_kept).map(|(_, copy)| copy).collect();
            if kept.len() == before {
                break;
            }
            self.every = self.every.saturating_mul(2);
            bytes = bytes_of_each(&kept);
            self.bytes = bytes.iter().sum();
        }
        // If the copies still take too much, because most were made after changes other than answers, the oldest are dropped. Undo then
        // reaches back less far.
        let mut dropped = 0;
        while self.bytes > MAX_BYTES_AFTER_DROP && kept.len() - dropped > MIN_COPIES {
            // The next copy is now the first, so nothing that it has is shared with an earlier one.
            let first = kept[dropped + 1].bytes_since(None);
            self.bytes = self.bytes - bytes[dropped] - bytes[dropped + 1] + first;
            bytes[dropped + 1] = first;
            dropped += 1;
        }
        kept.drain(..dropped);
        self.copies = kept.into_iter().collect();
    }

    /// Returns the last copy with at most `answers` answers, and drops all later copies.
    fn back_to(&mut self, answers: usize) -> Option<Arc<Snapshot>> {
        while let Some(last) = self.copies.last().filter(|last| last.answers > answers).cloned() {
            self.copies.pop();
            self.bytes = self.bytes.saturating_sub(last.bytes_since(self.copies.last().map(|last| &**last)));
        }
        self.copies.last().cloned()
    }
}

/// Estimates the number of bytes that each copy takes in addition to the copy before it.
fn bytes_of_each(copies: &[Arc<Snapshot>]) -> Vec<usize> {
    let before = |at: usize| at.checked_sub(1).map(|before| &*copies[before]);
    copies.iter().enumerate().map(|(at, copy)| copy.bytes_since(before(at))).collect()
}

impl Snapshot {
    /// Estimates the number of bytes that this copy takes in addition to an earlier one.
    fn bytes_since(&self, earlier: Option<&Self>) -> usize {
        let learned = self.state.table.learned_bytes_since(earlier.map(|earlier| &earlier.state.table));
        let earlier_past = earlier.and_then(|earlier| earlier.past.as_deref());
        let past = self.past.as_ref().map_or(0, |past| past.bytes_since(earlier_past));
        self.own_bytes + learned + past
    }
}

impl Session {
    /// Prepares for a change that is not an answer. Replaying answers does not repeat the change, so a copy must be kept after it. Also
    /// discards the earlier steps.
    pub(super) fn changes(&mut self) {
        if let Some(past) = &mut self.past {
            *past = Arc::default();
        }
        if let Some(kept) = &mut self.kept {
            kept.is_stale = true;
        }
    }

    /// Keeps a copy of the session if one is due.
    pub(super) fn keep(&mut self) {
        let answers = self.answers().len();
        if !self.kept.as_ref().is_some_and(|kept| kept.is_due(answers)) {
            return;
        }
        let is_beginning = self.kept.as_ref().is_some_and(|kept| kept.is_stale || kept.copies.is_empty());
        // The checkpoint of the step under way is counted as a table of its own, although copies made in the same step share it.
        let step = if let Progress::Waiting(step) = &self.progress { step.size() } else { 0 };
        let own_bytes = 2 * self.state.table.size() + self.state.triggers.size() + self.state.tallies.size() + step;
        let copy = Snapshot {
            answers,
            own_bytes,
            is_beginning,
            state: self.state.fork(self.state.table.clone()),
            progress: self.progress.clone(),
            checkpoint: self.checkpoint.clone(),
            past: self.past.clone(),
            rest: self.rest,
        };
        if let Some(kept) = &mut self.kept {
            kept.keep(copy);
        }
    }

    /// Drops all copies and events, and stops recording events. From now on, no answer can be taken back.
    pub fn keep_no_way_back(&mut self) {
        self.kept = None;
        self.forget_events();
    }

    /// Drops everything that is not needed to continue the game: copies, events, and the data for imagining other worlds. Forks become
    /// cheaper. From now on, no answer can be taken back and no world imagined.
    pub fn keep_nothing(&mut self) {
        self.keep_no_way_back();
        (self.past, self.checkpoint) = (None, None);
        self.is_playout = true;
        self.state.answers.is_playout = true;
    }

    /// Takes back the last answer.
    ///
    /// # Errors
    /// Returns an error if there is no answer, if the copies do not reach back that far, or if the session keeps no copies, as in an
    /// imagined world.
    pub fn undo(&mut self) -> Result<(), ChooseError> {
        let before = self.answers().len().checked_sub(1);
        self.undo_to(before.ok_or(if self.kept.is_some() {
            ChooseError::NothingToUndo
        } else {
            ChooseError::Imagined
        })?)
    }

    /// Takes back all answers after the first `answers`, and everything that was arranged or carried out since.
    ///
    /// # Errors
    /// Returns an error if there are fewer answers, if the copies do not reach back that far, or if the session keeps no copies, as in an
    /// imagined world.
    ///
    /// # Panics
    /// Does not panic: the same choices always lead to the same game.
    pub fn undo_to(&mut self, answers: usize) -> Result<(), ChooseError> {
        let kept = self.kept.as_mut().ok_or(ChooseError::Imagined)?;
        if answers > self.state.answers.positions.len() {
            return Err(ChooseError::NothingToUndo);
        }
        if kept.copies.iter().next().is_some_and(|first| first.answers > answers) {
            return Err(ChooseError::NothingToUndo);
        }
        let Some(copy) = kept.back_to(answers) else {
            // A copy is kept before the first answer. Without copies, there is nothing to take back.
            return Ok(());
        };
        let again: Vec<u64> = self.answers().since(copy.answers).take(answers - copy.answers).copied().collect();
        self.rest = copy.rest;
        self.checkpoint.clone_from(&copy.checkpoint);
        self.past.clone_from(&copy.past);
        self.progress = copy.progress.clone();
        let is_noting = self.state.journal.is_kept;
        self.state = copy.state.fork(copy.state.table.clone());
        if !is_noting {
            self.forget_events();
        }
        for at in again {
            self.choose(at as usize).expect("a game answers the same choices in the same way");
        }
        Ok(())
    }
}

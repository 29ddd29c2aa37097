//! The state of a game that persists from step to step.

use super::journal::Journal;
use super::permissions::Permissions;
use super::tallies::Tallies;
use super::triggers::Triggers;
use crate::decision::{AnswerLog, EventKind, Observer};
use crate::model::{Alteration, PieceId, ResetPeriod};
use crate::table::{SeatSet, Table};

/// A game in progress.
pub struct State {
    /// The table, including the random number generator.
    pub table: Table,
    /// The record of the game.
    pub journal: Journal,
    /// Answers given so far.
    pub answers: AnswerLog,
    /// Actions currently permitted to the rules.
    pub permissions: Permissions,
    /// Counters for statistics.
    pub tallies: Tallies,
    /// Triggered functions that are still to run.
    pub triggers: Triggers,
    /// Number of steps since a seat was last asked.
    pub steps_unasked: u32,
    /// Modifiers applied so far, each with its piece, in order of application. Collected only while a cost is computed; otherwise `None`.
    pub(crate) altering: Option<Vec<(PieceId, Alteration)>>,
}

impl State {
    /// Creates the state of a new game with an empty record.
    pub fn new(table: Table) -> Self {
        Self {
            table,
            journal: Journal::default(),
            answers: AnswerLog::default(),
            permissions: Permissions::default(),
            tallies: Tallies::default(),
            triggers: Triggers::default(),
            steps_unasked: 0,
            altering: None,
        }
    }

    /// Returns an independent copy that has the given table and no observer.
    #[must_use]
    pub fn fork(&self, table: Table) -> Self {
        Self {
            table,
            journal: Journal { observed: None, ..self.journal.clone() },
            answers: self.answers.clone(),
            permissions: self.permissions.clone(),
            tallies: self.tallies.clone(),
            triggers: self.triggers.clone(),
            steps_unasked: self.steps_unasked,
            altering: None,
        }
    }

    /// Resets the state that belongs to a single step.
    pub(crate) fn begin_step(&mut self) {
        self.answers.given.clear();
        self.triggers.clear();
        self.table.forget_reads();
        self.table.forget_last_known();
        self.permissions.together = None;
        self.permissions.rounds_together = 0;
        self.permissions.may_change = true;
    }

    /// Returns whether events are recorded: recording is on, and the step is not being replayed.
    pub fn is_noting(&self) -> bool {
        self.journal.is_kept && !self.answers.is_rerunning()
    }

    /// Records an event for everybody.
    pub fn note(&mut self, what: impl FnOnce(&Table) -> EventKind) {
        let everybody = self.table.layout().everybody;
        self.note_to(everybody, what);
    }

    /// Records an event for some seats.
    pub fn note_to(&mut self, to: SeatSet, what: impl FnOnce(&Table) -> EventKind) {
        // The size is counted even if nothing is recorded, so that every run reaches the limit at the same point.
        self.journal.count(0);
        if self.is_noting() {
            self.journal.note(to, what(&self.table));
        }
    }

    /// Calls the observer, if there is one and the step is not being replayed.
    pub fn observe(&self, show: impl FnOnce(&mut dyn Observer)) {
        if let Some(observed) = &self.journal.observed
            && !self.answers.is_rerunning()
        {
            show(&mut *observed.observer());
        }
    }

    /// Makes the answers of a simultaneous decision public, after all seats have answered.
    pub(crate) fn publish(&mut self) {
        let everybody = self.table.layout().everybody;
        for at in self.journal.pending.drain(..) {
            if let Some(event) = self.journal.events.get_mut(at) {
                event.audience = everybody;
            }
        }
        // Events after this marker are not attributed to the last answer.
        self.note(|_| EventKind::Step);
    }

    /// Resets values that last only for a turn, a phase or a round.
    pub fn expire(&mut self, span: ResetPeriod) {
        self.table.expire(span);
    }
}

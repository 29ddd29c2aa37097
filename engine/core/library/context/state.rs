//! The state of a game that persists from step to step.

use super::journal::Journal;
use super::permissions::Permissions;
use super::running_effects::RunningEffects;
use super::tallies::Tallies;
use super::triggers::Triggers;
use crate::decision::{AnswerLog, Appearance, EventKind, Observer, look};
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
    /// Effects of pieces that are being carried out.
    pub(crate) effects: RunningEffects,
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
            effects: RunningEffects::default(),
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
            effects: self.effects.clone(),
            steps_unasked: self.steps_unasked,
            altering: None,
        }
    }

    /// Resets the state that belongs to a single step.
    pub(crate) fn begin_step(&mut self) {
        // A fault leaves effects open.
        while !self.effects.is_empty() {
            self.end_effect();
        }
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

    /// Records an event for some seats. Before the first event of an effect, records which piece has the effect.
    pub fn note_to(&mut self, to: SeatSet, what: impl FnOnce(&Table) -> EventKind) {
        self.note_effects();
        self.record(to, what);
    }

    /// Records that the events before this one and those after it belong to different sentences of the log.
    pub(crate) fn note_step(&mut self) {
        self.record(self.table.layout().everybody, |_| EventKind::Step);
    }

    /// Begins the effect of a piece, or of something else that names functions (`None`).
    pub(crate) fn begin_effect(&mut self, piece: Option<PieceId>) {
        let piece = piece.map(|piece| (piece, self.table.space_of(piece)));
        self.effects.begin(piece);
    }

    /// Records that a piece was triggered, and begins its effect.
    pub(crate) fn begin_triggered(&mut self, piece: PieceId) {
        // A seat that does not know the triggering card must not learn it from the log. It may infer it only from the effects.
        let knowers = self.table.without_recording_reads(|table| table.knowers(piece));
        self.note_to(knowers, |table| EventKind::Triggered { look: look(table, piece) });
        self.effects.begin_noted(knowers);
    }

    /// Ends the effect that was begun last.
    pub(crate) fn end_effect(&mut self) {
        if let Some(knowers) = self.effects.end() {
            self.record(knowers, |_| EventKind::EffectEnded);
        }
    }

    /// Records the calls of pieces' functions that have not been recorded yet.
    fn note_effects(&mut self) {
        // The events of a trial are discarded.
        if self.permissions.trials > 0 {
            return;
        }
        while let Some((piece, space)) = self.effects.next_unnoted() {
            let knowers = self.table.without_recording_reads(|table| table.knowers(piece));
            self.record(knowers, |table| EventKind::Called { look: Appearance { space, ..look(table, piece) } });
            self.effects.set_noted(knowers);
        }
    }

    fn record(&mut self, to: SeatSet, what: impl FnOnce(&Table) -> EventKind) {
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
        self.note_step();
    }

    /// Resets values that last only for a turn, a phase or a round.
    pub fn expire(&mut self, span: ResetPeriod) {
        self.table.expire(span);
    }
}

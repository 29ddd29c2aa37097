//! A game in progress, as rules work on it: what a session keeps from one step to the next.

use super::journal::Journal;
use super::permissions::Permissions;
use super::tallies::Tallies;
use super::triggers::Triggers;
use crate::decision::{AnswerLog, EventKind, Observer};
use crate::model::{Alteration, Lasts, PieceId};
use crate::table::{SeatSet, Table};

/// A game in progress.
pub struct State {
    /// The table, with its chance.
    pub table: Table,
    /// What is noted.
    pub journal: Journal,
    /// The answers given.
    pub answers: AnswerLog,
    /// What rules may do now.
    pub permissions: Permissions,
    /// What the rules count for statistics.
    pub tallies: Tallies,
    /// What has been triggered in the step and is still to be carried out.
    pub triggers: Triggers,
    /// How many steps have run since a seat was last asked.
    pub steps_unasked: u32,
    /// While it is asked what something costs: the pieces that altered a part of it, in order, with what they did.
    pub(crate) altering: Option<Vec<(PieceId, Alteration)>>,
}

impl State {
    /// A game that begins, of which nothing is noted.
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

    /// A copy on its own, that nobody observes, at a table like this one's or another.
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

    /// A step begins.
    pub(crate) fn step_begins(&mut self) {
        self.answers.given.clear();
        self.triggers.clear();
        self.table.forget_reads();
        self.table.forget_last_known();
        self.permissions.together = None;
        self.permissions.togethers = 0;
        self.permissions.may_change = true;
    }

    /// Whether what happens is noted, and counts.
    pub fn is_noting(&self) -> bool {
        self.journal.is_kept && !self.answers.is_rerunning()
    }

    /// Notes an event for everybody.
    pub fn note(&mut self, what: impl FnOnce(&Table) -> EventKind) {
        let everybody = self.table.layout().everybody;
        self.note_to(everybody, what);
    }

    /// Notes an event for some seats.
    pub fn note_to(&mut self, to: SeatSet, what: impl FnOnce(&Table) -> EventKind) {
        self.journal.count(0);
        if self.is_noting() {
            self.journal.note(to, what(&self.table));
        }
    }

    /// Shows the observer of the game something, whether it is noted or not.
    pub fn observe(&self, show: impl FnOnce(&mut dyn Observer)) {
        if let Some(observed) = &self.journal.observed
            && !self.answers.is_rerunning()
        {
            show(&mut *observed.observer());
        }
    }

    /// Lets everybody learn of the answers given together, now that all have answered.
    pub(crate) fn publish(&mut self) {
        let everybody = self.table.layout().everybody;
        for at in self.journal.pending.drain(..) {
            if let Some(event) = self.journal.events.get_mut(at) {
                event.to = everybody;
            }
        }
        // What follows is no answer's doing alone.
        self.note(|_| EventKind::Step);
    }

    /// Ends what lasts only for a turn, a phase or a round.
    pub fn expire(&mut self, span: Lasts) {
        self.table.expire(span);
    }
}

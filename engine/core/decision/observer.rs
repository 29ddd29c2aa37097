//! Interface for observing a game while it is played.

use super::decision::Decision;
use crate::model::{ComponentId, DecisionId, PhaseId, SayId, Seat, SpaceId};
use crate::table::{Position, Table};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Observer of everything that happens in a game. An observer sees hidden information, never makes a decision, and changes nothing.
pub trait Observer: Send {
    /// Called when a seat has chosen the option at position `at`. Not called if there was only one option.
    fn chose(&mut self, table: &Table, decision: &Decision, at: usize);

    /// Called when a decision has been answered, by a seat or because there was only one option. `offered` is the number of options.
    fn answered(&mut self, decision: DecisionId, offered: usize) {
        let _ = (decision, offered);
    }

    /// Called when a piece has moved between two spaces, with its component and its owner.
    fn moved(&mut self, component: ComponentId, owner: Option<Seat>, from: SpaceId, to: SpaceId) {
        let _ = (component, owner, from, to);
    }

    /// Called when a round begins. `first` is the seat that goes first.
    fn round_begins(&mut self, round: i64, first: Seat) {
        let _ = (round, first);
    }

    /// Called when seats begin to take turns in the given order.
    fn turns_begin(&mut self, order: &[Seat]) {
        let _ = order;
    }

    /// Called when a phase begins.
    fn phase_begins(&mut self, phase: PhaseId) {
        let _ = phase;
    }

    /// Called when the rules have announced a text.
    fn said(&mut self, say: SayId) {
        let _ = say;
    }

    /// Called when a function of the rules begins.
    fn step_begins(&mut self, function: &Arc<str>);

    /// Called when a seat's turn ends, either with its last step or because the game ends.
    fn turn_ends(&mut self);

    /// Called when a round has ended. In games with a single round that have a standing function, called after each step instead.
    ///
    /// `standings` has a number for each seat, larger is better; `None` if the rules do not provide standings.
    fn rests(&mut self, table: &Table, standings: Option<&[i64]>);
}

/// An observer attached to a game, with the state that determines when the observer is shown the table.
#[derive(Clone)]
pub struct ObserverHandle {
    observer: Arc<Mutex<dyn Observer>>,
    round: i64,
    finishing: bool,
    every_step: bool,
}

impl ObserverHandle {
    /// Attaches an observer to a new game. If `every_step` is set, the observer is shown the table after every step, not only after rounds.
    pub fn new(observer: Arc<Mutex<dyn Observer>>, every_step: bool) -> Self {
        Self { observer, round: 0, finishing: false, every_step }
    }

    /// Locks the observer, even if another thread panicked while holding the lock.
    pub fn observer(&self) -> MutexGuard<'_, dyn Observer + 'static> {
        self.observer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether the observer is to be shown the table at `position`, which is between two steps. Stores the position for the next
    /// call.
    pub fn advance(&mut self, position: &Position) -> bool {
        let before = (self.round, self.finishing);
        (self.round, self.finishing) = (position.round, position.finishing);
        let is_under_way = before.0 > 0 && !before.1;
        is_under_way && (self.every_step || before != (self.round, self.finishing))
    }
}

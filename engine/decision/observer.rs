//! Interface for observing a game while it is played.

use super::decision::Decision;
use crate::model::{ComponentId, DecisionId, PhaseId, SayId, Seat, SpaceId};
use crate::table::{Position, Table};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Receives everything that happens in a game. An observer sees hidden information, is never asked anything and changes nothing.
pub trait Observer: Send {
    /// A seat chose the option at position `at`. Called only if there were several options.
    fn chose(&mut self, table: &Table, decision: &Decision, at: usize);

    /// A decision was answered, by a seat or because there was only one option. `offered` is the number of options.
    fn answered(&mut self, decision: DecisionId, offered: usize) {
        let _ = (decision, offered);
    }

    /// A piece with a component and an owner moved between two spaces.
    fn moved(&mut self, component: ComponentId, owner: Option<Seat>, from: SpaceId, to: SpaceId) {
        let _ = (component, owner, from, to);
    }

    /// A round begins; `first` is the seat that goes first.
    fn round_begins(&mut self, round: i64, first: Seat) {
        let _ = (round, first);
    }

    /// Seats begin to take turns in the given order.
    fn turns_begin(&mut self, order: &[Seat]) {
        let _ = order;
    }

    /// A phase begins.
    fn phase_begins(&mut self, phase: PhaseId) {
        let _ = phase;
    }

    /// The rules announced a text.
    fn said(&mut self, say: SayId) {
        let _ = say;
    }

    /// A function of the rules begins.
    fn step_begins(&mut self, function: &Arc<str>);

    /// A seat's turn ends, either with its last step or because the game ends.
    fn turn_ends(&mut self);

    /// A round has ended. In games with a single round that have a standing function, called after each step instead.
    ///
    /// `standings` has a number for each seat, larger is better; `None` if the rules do not provide standings.
    fn rests(&mut self, table: &Table, standings: Option<&[i64]>);
}

/// An observer attached to a game, with the state needed to decide when to show it the table.
#[derive(Clone)]
pub struct ObserverHandle {
    observer: Arc<Mutex<dyn Observer>>,
    round: i64,
    finishing: bool,
    every_step: bool,
}

impl ObserverHandle {
    /// Attaches an observer to a new game. If `every_step` is set, it is shown the table after every step, not only after rounds.
    pub fn new(observer: Arc<Mutex<dyn Observer>>, every_step: bool) -> Self {
        Self { observer, round: 0, finishing: false, every_step }
    }

    /// Locks the observer. A panic in another thread is ignored.
    pub fn observer(&self) -> MutexGuard<'_, dyn Observer + 'static> {
        self.observer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether to show the table now, between two steps, and remembers the position.
    pub fn advance(&mut self, position: &Position) -> bool {
        let before = (self.round, self.finishing);
        (self.round, self.finishing) = (position.round, position.finishing);
        let is_under_way = before.0 > 0 && !before.1;
        is_under_way && (self.every_step || before != (self.round, self.finishing))
    }
}

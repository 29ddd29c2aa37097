//! An observer receives all that happens in a game while it is played.

use super::decision::Decision;
use crate::model::{ComponentId, DecisionId, PhaseId, SayId, Seat, SpaceId};
use crate::table::{Position, Table};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Receives all that happens in a game: it sees everything, is asked nothing and changes nothing.
pub trait Observer: Send {
    /// A seat chose the option at a position, among several.
    fn chose(&mut self, table: &Table, decision: &Decision, at: usize);

    /// An answer stands, whether a seat was asked or had no choice: among so many options.
    fn answered(&mut self, decision: DecisionId, offered: usize) {
        let _ = (decision, offered);
    }

    /// A piece has come from one space to another: its component, and whose color it has.
    fn moved(&mut self, component: ComponentId, owner: Option<Seat>, from: SpaceId, to: SpaceId) {
        let _ = (component, owner, from, to);
    }

    /// A round begins, with the seat that goes first in it.
    fn round_begins(&mut self, round: i64, first: Seat) {
        let _ = (round, first);
    }

    /// Seats begin to take turns, in this order.
    fn turns_begin(&mut self, order: &[Seat]) {
        let _ = order;
    }

    /// A phase begins.
    fn phase_begins(&mut self, phase: PhaseId) {
        let _ = phase;
    }

    /// A text of the rules is announced.
    fn said(&mut self, say: SayId) {
        let _ = say;
    }

    /// A function of the rules begins.
    fn step_begins(&mut self, function: &Arc<str>);

    /// A seat's turn is over, with its last step or with the game.
    fn turn_ends(&mut self);

    /// A round is over, or a step of a game that has only one round and says how seats stand: the table, and how well every
    /// seat stands (larger is better) where the rules can tell.
    fn rests(&mut self, table: &Table, standings: Option<&[i64]>);
}

/// An observer at a game, and what it has been shown.
#[derive(Clone)]
pub struct Observed {
    observer: Arc<Mutex<dyn Observer>>,
    round: i64,
    finishing: bool,
    every_step: bool,
}

impl Observed {
    /// An observer of a game that begins; whether it is shown the table after every step too.
    pub fn new(observer: Arc<Mutex<dyn Observer>>, every_step: bool) -> Self {
        Self { observer, round: 0, finishing: false, every_step }
    }

    /// The observer, for as long as something is shown.
    pub fn observer(&self) -> MutexGuard<'_, dyn Observer + 'static> {
        self.observer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the table is shown now, between two steps.
    pub fn looks(&mut self, position: &Position) -> bool {
        let before = (self.round, self.finishing);
        (self.round, self.finishing) = (position.round, position.finishing);
        let is_under_way = before.0 > 0 && !before.1;
        is_under_way && (self.every_step || before != (self.round, self.finishing))
    }
}

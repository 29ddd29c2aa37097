//! Wrapper that stops an agent when its game is cancelled.

use crate::model::Seat;
use crate::session::{GameOver, Halt, NoAnswer, Observation, Player};
use crate::table::Chance;

/// Player that delegates to another player until the game is cancelled.
pub struct Interruptible {
    inner: Box<dyn Player>,
    halt: Halt,
}

impl Interruptible {
    /// Wraps `inner`, which also gets the halt signal so that it can stop while thinking.
    pub fn new(mut inner: Box<dyn Player>, halt: Halt) -> Self {
        inner.heeds(&halt);
        Self { inner, halt }
    }
}

// `heeds` is not forwarded: the inner player got its halt signal in `new`.
impl Player for Interruptible {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        self.halt.check()?;
        self.inner.choose(observation)
    }

    fn taken_up(&mut self, answered: usize) {
        self.inner.taken_up(answered);
    }

    fn chance(&mut self) -> Option<&mut Chance> {
        self.inner.chance()
    }

    fn imagines(&self) -> bool {
        self.inner.imagines()
    }

    fn looks_back(&self) -> bool {
        self.inner.looks_back()
    }

    fn hears(&self) -> bool {
        self.inner.hears()
    }

    fn over(&mut self, over: &GameOver<'_>, seat: Seat) {
        self.inner.over(over, seat);
    }
}

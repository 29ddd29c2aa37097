//! A player that chooses until the games are given up.

use crate::model::Seat;
use crate::session::{GameOver, Halt, NoAnswer, Observation, Player};

/// Chooses as another does, until the games are given up.
pub struct Interruptible {
    inner: Box<dyn Player>,
    halt: Halt,
}

impl Interruptible {
    /// Until then this one chooses.
    pub fn new(mut inner: Box<dyn Player>, halt: Halt) -> Self {
        inner.heeds(&halt);
        Self { inner, halt }
    }
}

impl Player for Interruptible {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        self.halt.check()?;
        self.inner.choose(observation)
    }

    fn taken_up(&mut self, answered: usize) {
        self.inner.taken_up(answered);
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

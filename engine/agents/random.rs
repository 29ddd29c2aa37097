//! Agent that chooses uniformly at random.

use crate::session::{NoAnswer, Observation, Player};
use crate::table::Chance;

/// Agent that chooses uniformly among the complete answers to a decision.
#[derive(Debug, Clone)]
pub struct Random {
    chance: Chance,
}

impl Random {
    /// Creates the agent. Its random numbers depend only on `seed` and `stream`.
    pub fn new(seed: u64, stream: &str) -> Self {
        Self { chance: Chance::new(seed, stream) }
    }
}

impl Player for Random {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        Ok(observation.decision().draw(&mut self.chance))
    }

    fn chance(&mut self) -> Option<&mut Chance> {
        Some(&mut self.chance)
    }
}

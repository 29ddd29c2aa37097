//! Draws uniformly among the complete answers of a decision.

use crate::session::{NoAnswer, Observation, Player};
use crate::table::Chance;

/// Draws uniformly among the complete answers of a decision.
#[derive(Debug, Clone)]
pub struct Random {
    chance: Chance,
}

impl Random {
    /// A player whose random numbers depend on a seed and a name alone.
    pub fn new(seed: u64, stream: &str) -> Self {
        Self { chance: Chance::new(seed, stream) }
    }
}

impl Player for Random {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        Ok(observation.decision().draw(&mut self.chance))
    }
}

//! Takes any option, each as likely.

use crate::session::{NoAnswer, Observation, Player};
use crate::table::Chance;

/// Takes any option, each as likely.
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
        let count =
            u32::try_from(observation.decision().count()).map_err(|_| "too many options to draw from".to_owned())?;
        Ok(self.chance.below(count) as usize)
    }
}

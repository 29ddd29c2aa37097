//! Whoever chooses: a player that takes options by lot, and one that takes the first.
//!
//! An agent is given a view and a decision, never the table.

use crate::session::{Decision, Player};
use crate::table::{Chance, View};

/// Takes any option, each as likely.
#[derive(Debug, Clone)]
pub struct Random {
    chance: Chance,
}

impl Random {
    /// A player whose lots depend on a seed and a name alone.
    pub fn new(seed: u64, stream: &str) -> Self {
        Self { chance: Chance::new(seed, stream) }
    }
}

impl Player for Random {
    fn choose(&mut self, _view: &View<'_>, decision: &Decision) -> Result<usize, String> {
        let count = u32::try_from(decision.count()).map_err(|_| "too many options to draw from".to_owned())?;
        Ok(self.chance.below(count) as usize)
    }
}

/// Takes the first option, always.
#[derive(Debug, Clone, Copy, Default)]
pub struct First;

impl Player for First {
    fn choose(&mut self, _view: &View<'_>, _decision: &Decision) -> Result<usize, String> {
        Ok(0)
    }
}

/// The names of the agents there are.
pub const NAMES: [&str; 2] = ["random", "first"];

/// The agent with a name, for a seat of a game with a seed.
pub fn named(name: &str, seed: u64, seat: usize) -> Option<Box<dyn Player>> {
    match name {
        "random" => Some(Box::new(Random::new(seed, &format!("agent {seat}")))),
        "first" => Some(Box::new(First)),
        _ => None,
    }
}

//! Agent that always takes the first option.

use crate::session::{NoAnswer, Observation, Player};

/// Agent that always takes the first option.
#[derive(Debug, Clone, Copy, Default)]
pub struct FirstOption;

impl Player for FirstOption {
    fn choose(&mut self, _observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        Ok(0)
    }
}

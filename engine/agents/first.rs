//! Takes the first option, always.

use crate::session::{NoAnswer, Observation, Player};

/// Takes the first option, always.
#[derive(Debug, Clone, Copy, Default)]
pub struct FirstOption;

impl Player for FirstOption {
    fn choose(&mut self, _observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        Ok(0)
    }
}

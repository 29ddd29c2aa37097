//! Takes the first option, always.

use crate::session::{NoAnswer, Outlook, Player};

/// Takes the first option, always.
#[derive(Debug, Clone, Copy, Default)]
pub struct First;

impl Player for First {
    fn choose(&mut self, _outlook: &Outlook<'_>) -> Result<usize, NoAnswer> {
        Ok(0)
    }
}

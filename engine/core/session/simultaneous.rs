//! Questions of one `together` call, asked in any order.
//!
//! A session runs such a call seat by seat, as the rules do. Nothing changes during the call, and no seat learns another seat's answer
//! before the call ends. The question to a later seat therefore does not depend on the answers of earlier seats. [`Session::ask_ahead`]
//! finds the question in a fork in which the earlier seats choose arbitrary options.

use super::status::Session;
use crate::model::Seat;
use std::sync::Arc;

/// Maximum number of arbitrary answers given for earlier seats. A seat that picks several items is asked once for each pick.
const MAX_STAND_INS: usize = 256;

impl Session {
    /// Returns whether the open decision belongs to a `together` call.
    pub fn is_asking_together(&self) -> bool {
        self.decision().is_some() && self.state.permissions.open_round().is_some()
    }

    /// Returns whether a fork of this session waits within the same `together` call.
    pub fn is_in_same_call(&self, fork: &Self) -> bool {
        // Every step has its own checkpoint, which the forks of a session share. Within a step, `together` calls are identified by their
        // count.
        let is_same_step = match (&self.checkpoint, &fork.checkpoint) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        };
        is_same_step
            && self.is_asking_together()
            && fork.is_asking_together()
            && self.state.permissions.open_round() == fork.state.permissions.open_round()
    }

    /// Returns a fork that waits for a seat of the open `together` call. In the fork, the seats asked before this seat have chosen
    /// arbitrary options.
    ///
    /// The fork must be used only to show the seat its own question. Returns `None` outside such a call, if the call does not ask the seat
    /// or already has the seat's answer, or if the earlier seats need too many answers.
    #[must_use]
    pub fn ask_ahead(&self, seat: Seat) -> Option<Self> {
        let mut fork = self.fork();
        for _ in 0..MAX_STAND_INS {
            if !self.is_in_same_call(&fork) {
                return None;
            }
            let decision = fork.decision()?;
            if decision.seat == seat {
                return Some(fork);
            }
            // The pass is the last option. It ends a decision with several picks immediately.
            let at = if decision.pass.is_some() { decision.count() - 1 } else { 0 };
            fork.choose(at).ok()?;
        }
        None
    }
}

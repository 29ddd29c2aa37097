//! Permissions: what running rules may do.

use super::fault::{Answer, Fault};
use crate::diagnostic::{
    change_at_once, change_while_asking, change_while_reading, choice_in_a_closure, choice_in_a_trial,
    choice_out_of_place, draw_in_a_trial, end_in_a_trial,
};
use crate::model::{PieceId, Seat, SpaceId};
use crate::table::{End, SeatSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A move that has not been carried out yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Move {
    /// The piece.
    pub piece: PieceId,
    /// Destination of the piece.
    pub to: SpaceId,
    /// End of the stack at the destination.
    pub end: End,
    /// Whether the piece arrives face up; `None` if the zone decides.
    pub up: Option<bool>,
}

/// Actions permitted to running rules, such as asking a seat.
#[derive(Debug, Clone)]
pub struct Permissions {
    /// Whether a seat may be asked.
    pub(crate) may_ask: bool,
    /// Whether the game may be changed.
    pub(crate) may_change: bool,
    /// Seats in an open simultaneous decision, during which nothing may change.
    pub(crate) together: Option<SeatSet>,
    /// Number of simultaneous decisions in this step so far.
    pub(crate) rounds_together: u32,
    /// Moves collected so far, while simultaneous moves are collected.
    pub(crate) at_once: Option<Vec<Move>>,
    /// Pieces placed so far, while a position is set up by hand and pieces may be taken from anywhere.
    pub(crate) arranged: Option<Vec<(PieceId, &'static str)>>,
    /// Number of trials in which the current code is nested.
    pub(crate) trials: u8,
    /// Restriction of the run to what a seat knows.
    pub(crate) only_known: Option<OnlyKnown>,
}

/// Restriction of a run to what a seat knows. The run fails when it reads something that the seat does not know.
#[derive(Debug, Clone)]
pub(crate) struct OnlyKnown {
    /// The seat.
    pub seat: Seat,
    /// Number of such reads that are still allowed. Trials share it with the code that runs them.
    allowed: Arc<AtomicU32>,
}

impl OnlyKnown {
    /// Creates a restriction that allows a number of reads before the run fails.
    pub(crate) fn new(seat: Seat, allowed: u32) -> Self {
        Self { seat, allowed: Arc::new(allowed.into()) }
    }

    /// Returns the number of reads that are still allowed.
    pub(crate) fn allowed(&self) -> u32 {
        self.allowed.load(Ordering::Relaxed)
    }

    /// Uses up one of the reads that are allowed. Returns whether there was one.
    pub(crate) fn allow_one(&self) -> bool {
        // A run has a single thread.
        let left = self.allowed().checked_sub(1);
        left.inspect(|left| self.allowed.store(*left, Ordering::Relaxed)).is_some()
    }
}

impl Default for Permissions {
    fn default() -> Self {
        Self {
            may_ask: true,
            may_change: true,
            together: None,
            rounds_together: 0,
            at_once: None,
            arranged: None,
            trials: 0,
            only_known: None,
        }
    }
}

impl Permissions {
    /// Returns the permissions of code that only reads.
    pub(crate) fn read_only() -> Self {
        Self { may_ask: false, may_change: false, ..Self::default() }
    }

    /// Returns the number of the open simultaneous decision within the step, if there is an open one.
    pub fn open_round(&self) -> Option<u32> {
        self.together.map(|_| self.rounds_together)
    }

    /// Checks that the game may be changed.
    pub(crate) fn check_may_change(&self) -> Answer<()> {
        if self.may_change { Ok(()) } else { Err(self.refusal().into()) }
    }

    /// Checks that a seat may be asked.
    pub(crate) fn check_may_ask(&self) -> Answer<()> {
        if self.may_ask {
            return Ok(());
        }
        Err(if self.trials > 0 {
            choice_in_a_trial()
        } else if self.at_once.is_some() {
            choice_in_a_closure()
        } else {
            let help = "ask in a step of a phase; `until`, `when`, `order`, `score` and `rank` only look";
            choice_out_of_place().help(help)
        }
        .into())
    }

    /// Checks that random numbers may be drawn. Trials may not draw, because a trial's result must not depend on an unknown outcome.
    pub(crate) fn check_may_draw(&self) -> Answer<()> {
        if self.trials == 0 { Ok(()) } else { Err(draw_in_a_trial().into()) }
    }

    /// Checks that the game may be ended, which is not allowed in a trial.
    pub(crate) fn check_may_end(&self) -> Answer<()> {
        if self.trials == 0 { Ok(()) } else { Err(end_in_a_trial().into()) }
    }

    #[cold]
    fn refusal(&self) -> Fault {
        if self.together.is_some() {
            change_while_asking()
        } else if self.at_once.is_some() {
            change_at_once()
        } else {
            change_while_reading()
        }
    }
}

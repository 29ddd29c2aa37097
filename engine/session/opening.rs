//! Other ways to begin a session than the rules' own setup, for scripted games.

use crate::diagnostic::Source;
use crate::model::{Op, PhaseId, Seat};
use crate::table::{Fixed, Position};
use std::sync::Arc;

/// Options for the beginning of a session.
#[derive(Debug, Clone, Default)]
pub struct Opening {
    /// Where play begins.
    pub start: Start,
    /// Random results that are fixed instead of drawn.
    pub fixed: Fixed,
    /// Script fragments that arrange the position, in order, if play begins at a phase or nowhere.
    pub arrange: Vec<Arc<Source>>,
    /// Where play rests if no decision is open there.
    pub rest: Option<Rest>,
}

/// Part of the flow at whose end play rests if it opened no decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// A phase.
    Phase(PhaseId),
    /// This round or a later one.
    Round(i64),
}

impl Rest {
    /// Whether an instruction leaves this part of the flow.
    pub(super) fn is_left_by(self, op: &Op, position: &Position) -> bool {
        match self {
            Self::Phase(phase) => matches!(op, Op::PhaseEnds) && position.phase == Some(phase),
            Self::Round(round) => matches!(op, Op::RoundEnds { .. }) && position.round >= round,
        }
    }
}

/// Where play begins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Start {
    /// With the rules' own setup.
    #[default]
    Setup,
    /// At a phase. Without setup, zones have their initial contents, and nobody knows what is hidden.
    Phase {
        /// Which phase.
        phase: PhaseId,
        /// The number of the round.
        round: i64,
        /// The seat whose turn comes first, if it is not the first seat.
        seat: Option<Seat>,
        /// Whether the rules' own setup runs before.
        after_setup: bool,
    },
    /// Outside the flow. Only [`Session::carry_out`](super::Session::carry_out) changes anything.
    Nowhere,
}

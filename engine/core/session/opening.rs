//! Ways to begin a session other than with the rules' own setup, for playscripts.

use crate::diagnostic::Source;
use crate::model::{Op, PhaseId, Seat};
use crate::table::{Fixed, Position};
use std::sync::Arc;

/// Settings for the beginning of a session.
#[derive(Debug, Clone, Default)]
pub struct Opening {
    /// Starting point of play.
    pub start: Start,
    /// Random results that are predetermined instead of drawn.
    pub fixed: Fixed,
    /// Script fragments that arrange the position, in order. Used only if play begins at a phase or outside the flow.
    pub arrange: Vec<Arc<Source>>,
    /// Part of the flow at whose end play rests, unless a decision is opened first.
    pub rest: Option<Rest>,
}

/// Part of the flow at whose end play rests, unless a decision is opened first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// A phase.
    Phase(PhaseId),
    /// A round with at least this number.
    Round(i64),
}

impl Rest {
    /// Returns whether an instruction is the end of this part of the flow.
    pub(super) fn is_left_by(self, op: &Op, position: &Position) -> bool {
        match self {
            Self::Phase(phase) => matches!(op, Op::PhaseEnds) && position.phase == Some(phase),
            Self::Round(round) => matches!(op, Op::RoundEnds { .. }) && position.round >= round,
        }
    }
}

/// Starting point of play.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Start {
    /// The rules' own setup.
    #[default]
    Setup,
    /// A phase. If the setup does not run, zones have their initial contents, and nobody knows what is hidden.
    Phase {
        /// The phase.
        phase: PhaseId,
        /// The number of the round.
        round: i64,
        /// The seat whose turn comes first, if not the first seat.
        seat: Option<Seat>,
        /// Whether the rules' own setup runs first.
        after_setup: bool,
    },
    /// Outside the flow. Steps run only through [`Session::carry_out`](super::Session::carry_out).
    Nowhere,
}

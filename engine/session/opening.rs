//! Beginning a session otherwise than from the opened box by the rules' own setup: for scripted games.

use crate::diagnostic::Source;
use crate::model::{Op, PhaseId, Seat};
use crate::table::{Fixed, Position};
use std::sync::Arc;

/// How a session is begun.
#[derive(Debug, Clone, Default)]
pub struct Opening {
    /// Where play begins.
    pub start: Start,
    /// Results of chance that are given instead of drawn.
    pub fixed: Fixed,
    /// What changes the position where play begins at a phase or nowhere, one text after the other.
    pub arrange: Vec<Arc<Source>>,
    /// Where play rests, if nothing is asked there.
    pub rest: Option<Rest>,
}

/// What play does not leave without a decision: where it asks nothing, play rests at its end, before anything else begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// A phase.
    Phase(PhaseId),
    /// A round, or a later one.
    Round(i64),
}

impl Rest {
    /// Whether an instruction leaves what play is not to leave.
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
    /// At a phase. Without setup every zone is as it starts, what is hidden being known to nobody.
    Phase {
        /// Which phase.
        phase: PhaseId,
        /// The number of the round.
        round: i64,
        /// The seat whose turn comes first, if it is not the first seat's.
        seat: Option<Seat>,
        /// Whether the rules' own setup is played before.
        after_setup: bool,
    },
    /// Outside the flow: only [`Session::carry_out`](super::Session::carry_out) does anything.
    Nowhere,
}

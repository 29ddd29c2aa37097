//! Beginning a session otherwise than from the opened box by the rules' own setup: for scripted games.

use crate::diagnostic::Source;
use crate::model::{PhaseId, Seat};
use crate::table::Fixed;
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

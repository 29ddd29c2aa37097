//! Where the flow of a game stands: plain data, part of the table.

use crate::model::{EndingId, PhaseId, Seat};
use smallvec::SmallVec;

/// A loop of the flow that is under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The seats it goes round; empty for a loop without seats.
    pub order: SmallVec<[Seat; 8]>,
    /// Which of them is on turn.
    pub at: u8,
    /// The instruction after the loop.
    pub end: u16,
}

/// Where the flow stands, and what belongs to every game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The next instruction.
    pub op: u16,
    /// The loops under way, innermost last.
    pub loops: SmallVec<[Loop; 2]>,
    /// The phase under way.
    pub phase: Option<PhaseId>,
    /// The instruction after the phase under way.
    pub phase_end: u16,
    /// The number of the round, from 1; 0 before the first.
    pub round: i64,
    /// The seat that begins.
    pub first: Seat,
    /// The seat whose turn it is.
    pub active: Option<Seat>,
    /// Whether the script asked for another turn of the same seat.
    pub again: bool,
    /// The seat the script gave the next turn.
    pub next_turn: Option<Seat>,
    /// The seat with which the next loop begins, where play was begun in its middle.
    pub enter_with: Option<Seat>,
    /// Whether the running round is the last one.
    pub last_round: bool,
    /// How the game ends, once that is decided.
    pub ending: Option<EndingId>,
    /// Whether the finishing part has begun.
    pub finishing: bool,
}

impl Default for Position {
    fn default() -> Self {
        Self {
            op: 0,
            loops: SmallVec::new(),
            phase: None,
            phase_end: 0,
            round: 0,
            first: Seat(0),
            active: None,
            again: false,
            next_turn: None,
            enter_with: None,
            last_round: false,
            ending: None,
            finishing: false,
        }
    }
}

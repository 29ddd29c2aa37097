//! Position in the flow of a game: plain data, part of the table.

use crate::model::{EndingId, PhaseId, Seat};
use crate::table::SeatSet;
use crate::table::seat_set::only;
use smallvec::SmallVec;

/// A running loop of the flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// Seats that take turns in the loop; empty for a loop without seats.
    pub order: SmallVec<[Seat; 8]>,
    /// Index in `order` of the seat whose turn it is.
    pub at: u8,
    /// Whether the seats keep taking turns until the rules end the loop.
    pub is_endless: bool,
    /// Number of extra turns that the current seat takes before any other seat.
    pub again: u16,
    /// Indices in `order` of the seats that were granted later turns, in the order in which they take these turns.
    pub given: SmallVec<[u8; 4]>,
}

impl Loop {
    /// Creates a loop in which the seat at index `at` of `order` takes the first turn.
    pub fn new(order: SmallVec<[Seat; 8]>, at: u8, is_endless: bool) -> Self {
        Self { order, at, is_endless, again: 0, given: SmallVec::new() }
    }

    /// Returns the seat whose turn it is; `None` in a loop without seats.
    pub fn seat(&self) -> Option<Seat> {
        self.order.get(usize::from(self.at)).copied()
    }
}

/// Position in the flow, and facts that every game has, such as the number of the round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// Index of the next instruction.
    pub op: u16,
    /// Running loops, innermost last.
    pub loops: SmallVec<[Loop; 2]>,
    /// Running phase.
    pub phase: Option<PhaseId>,
    /// Index of the first instruction after the running phase.
    pub phase_end: u16,
    /// Number of the round, from 1; 0 before the first.
    pub round: i64,
    /// First player of the round.
    pub first: Seat,
    /// Seat whose turn it is.
    pub active: Option<Seat>,
    /// Seat with which the next loop begins. Set if play starts in the middle of a loop.
    pub enter_with: Option<Seat>,
    /// Seats that have been eliminated.
    pub eliminated: SeatSet,
    /// Whether the current round is the last one.
    pub last_round: bool,
    /// Ending of the game, once it is decided.
    pub ending: Option<EndingId>,
    /// Whether the final part of the flow has begun.
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
            enter_with: None,
            eliminated: 0,
            last_round: false,
            ending: None,
            finishing: false,
        }
    }
}

impl Position {
    /// Returns whether a seat has not been eliminated.
    pub fn is_in_play(&self, seat: Seat) -> bool {
        self.eliminated & only(seat) == 0
    }

    /// Eliminates a seat and removes the extra turns that it was granted. If it was the first seat, the next seat of
    /// `in_turn` that is still in play becomes the first seat.
    pub fn eliminate(&mut self, seat: Seat, in_turn: impl IntoIterator<Item = Seat>) {
        self.eliminated |= only(seat);
        for turns in &mut self.loops {
            let is_out = |at: &u8| turns.order[usize::from(*at)] == seat;
            turns.given.retain(|at| !is_out(at));
            if turns.seat() == Some(seat) {
                turns.again = 0;
            }
        }
        if self.first == seat {
            let next = in_turn.into_iter().find(|other| self.is_in_play(*other));
            self.first = next.unwrap_or(seat);
        }
    }
}

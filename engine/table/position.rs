//! Where the flow of a game stands: plain data, part of the table.

use crate::model::{EndingId, PhaseId, Seat};
use crate::table::SeatSet;
use crate::table::seat_set::only;
use smallvec::SmallVec;

/// A loop of the flow that is under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The seats it goes round; empty for a loop without seats.
    pub order: SmallVec<[Seat; 8]>,
    /// Which of them is on turn.
    pub at: u8,
    /// Whether the seats take turns round and round, until the rules say that it is over.
    pub is_endless: bool,
    /// Number of further turns that the seat on turn takes before anybody else.
    pub again: u16,
    /// Positions in `order` of the seats that were given the turns after that, in the order in which they take them.
    pub given: SmallVec<[u8; 4]>,
}

impl Loop {
    /// Begins a loop with the turn of one of its seats.
    pub fn new(order: SmallVec<[Seat; 8]>, at: u8, is_endless: bool) -> Self {
        Self { order, at, is_endless, again: 0, given: SmallVec::new() }
    }

    /// Returns the seat on turn; `None` in a loop without seats.
    pub fn seat(&self) -> Option<Seat> {
        self.order.get(usize::from(self.at)).copied()
    }
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
    /// The seat with which the next loop begins, where play was begun in its middle.
    pub enter_with: Option<Seat>,
    /// The seats that have been eliminated.
    pub eliminated: SeatSet,
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
            enter_with: None,
            eliminated: 0,
            last_round: false,
            ending: None,
            finishing: false,
        }
    }
}

impl Position {
    /// Whether a seat has not been eliminated.
    pub fn is_in_play(&self, seat: Seat) -> bool {
        self.eliminated & only(seat) == 0
    }

    /// Takes a seat out of the game, with the turns that it was given. The first seat is then the next one in play, of `in_turn`.
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

//! The order in which script functions are called.

use super::{DecisionId, EndingId, Lasts, Text};
use crate::diagnostic::Place;
use std::sync::Arc;

/// A named part of the round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// The word for it in files.
    pub id: Arc<str>,
    /// What people call it.
    pub name: Text,
}

/// A call of a script function by the flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowCall {
    /// The function's name.
    pub function: Arc<str>,
    /// Whether it is given the seat whose turn it is.
    pub takes_seat: bool,
}

/// One instruction of the flow. The whole flow is a list of these, so that where it stands is one number and a few counters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Calls a script function: one step.
    Call(FlowCall),
    /// Begin to go round the seats once, in order; jump past the end if there is no seat.
    EachSeat {
        /// The function that returns the order, if the phase has its own.
        order: Option<Arc<str>>,
        /// The instruction after the loop.
        end: u16,
    },
    /// The next seat of the innermost loop, or on to the next instruction.
    NextSeat {
        /// The first instruction of the loop's body.
        body: u16,
    },
    /// Begin to take turns round and round.
    Turns {
        /// The function that returns the order, if the phase has its own.
        order: Option<Arc<str>>,
    },
    /// Leave the innermost loop if a function says so.
    Until {
        /// The function asked; none never leaves.
        function: Option<Arc<str>>,
        /// The instruction after the loop.
        end: u16,
    },
    /// Pass the turn (or keep it, after `again()`), and repeat the loop.
    NextTurn {
        /// The loop's `Until`.
        body: u16,
    },
    /// Begin a loop without seats.
    Run,
    /// Repeat the loop.
    Repeat {
        /// The loop's `Until`.
        body: u16,
    },
    /// A phase begins, unless a function says it does not take place.
    PhaseBegins {
        /// Which phase.
        phase: super::PhaseId,
        /// The function asked.
        when: Option<Arc<str>>,
        /// The instruction after the phase.
        end: u16,
    },
    /// The phase ends.
    PhaseEnds,
    /// A round begins: the number goes up by one.
    RoundBegins,
    /// The round ends; the next one begins unless it was the last.
    RoundEnds {
        /// The instruction `RoundBegins`.
        begin: u16,
    },
    /// The last part begins: no decision on how to end is left.
    FinishBegins,
    /// The game is over.
    Over,
}

/// Where the game's files name a function that the flow calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// What is called, and what it is given.
    pub call: FlowCall,
    /// Whether it is a step; others are asked for an order, or yes or no, and only look.
    pub is_step: bool,
    /// The turns that it is part of, if it is a step.
    pub turns: Turns,
    /// Where its name is written.
    pub place: Place,
}

/// The turns that a step is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Turns {
    /// None: no seat is on turn.
    #[default]
    None,
    /// Each seat has one turn: `each_seat`.
    Once,
    /// Seats take turns until the rules say that it is over: `turns`, or within them.
    Endless,
}

/// In which order what was triggered is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TriggerOrder {
    /// What was triggered first.
    #[default]
    FirstIn,
    /// What was triggered last.
    LastIn,
    /// What waits for the seat on turn, or for the first one outside of turns, then for the next in turn order.
    TurnOrder,
}

/// The compiled flow of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    /// The instructions; play begins at the first one.
    pub ops: Vec<Op>,
    /// Where the finishing part begins.
    pub finish: u16,
    /// How many rounds there are, if that is fixed.
    pub rounds: Option<i64>,
    /// The function that says after a round whether it was the last one.
    pub rounds_until: Option<Arc<str>>,
    /// Every function the flow calls, in the order of the places where they are named.
    pub named: Vec<Named>,
    /// Where the flow is written.
    pub place: Option<Place>,
    /// How the first seat is found.
    pub first: First,
    /// The ending of a game that runs to the end of its flow.
    pub ending: EndingId,
    /// In which order what was triggered is carried out.
    pub triggers: TriggerOrder,
    /// The decision by which a seat chooses what of its own is carried out next, where it does.
    pub trigger_choice: Option<DecisionId>,
}

impl Flow {
    /// The words for the order in which what was triggered is carried out.
    pub const TRIGGERS: [(&'static str, TriggerOrder); 3] = [
        ("first_in", TriggerOrder::FirstIn),
        ("last_in", TriggerOrder::LastIn),
        ("turn_order", TriggerOrder::TurnOrder),
    ];

    /// Where a function the flow calls is named.
    pub fn place_of(&self, function: &str) -> Option<&Place> {
        self.named.iter().find(|named| *named.call.function == *function).map(|named| &named.place)
    }
}

/// How the seat that begins is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum First {
    /// The first place at the table.
    FirstSeat,
    /// Any seat, by chance.
    Random,
    /// The seat an option names; any seat, by chance, when it names none.
    Option(Arc<str>),
}

/// A named way in which a game finishes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// The word for it in scripts and plays.
    pub id: Arc<str>,
    /// What people call it.
    pub name: Text,
    /// Who has won then.
    pub winners: Winners,
}

/// The function of the rules that says what score a seat has at the end.
pub const SCORE: &str = "score";

/// The function of the rules that says by what seats are ranked at the end, where that is not the score alone.
pub const RANK: &str = "rank";

/// The function of the rules that says how well a seat stands in the middle of a game.
pub const STANDING_OF: &str = "standing";

/// The functions of the rules that say who is ahead, each given a seat, or in a game of teams a team.
pub const SCORING: [&str; 3] = [SCORE, RANK, STANDING_OF];

/// Who has won when a game has ended in some way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Winners {
    /// The seat or team that is ahead of all others.
    #[default]
    Best,
    /// All together, against the game.
    Everybody,
    /// The game has won.
    Nobody,
}

impl Winners {
    /// The words for these in files.
    pub const WORDS: [(&'static str, Self); 3] =
        [("best", Self::Best), ("everybody", Self::Everybody), ("nobody", Self::Nobody)];
}

impl Lasts {
    /// The word used in files, if it is one of the shorter spans.
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Self::Game => None,
            Self::Round => Some("round"),
            Self::Phase => Some("phase"),
            Self::Turn => Some("turn"),
        }
    }
}

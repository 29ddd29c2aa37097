//! The order of play, compiled to instructions that call rule functions.

use super::{DecisionId, EndingId, ResetPeriod, Text};
use crate::diagnostic::Place;
use std::sync::Arc;

/// A named section of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// Identifier in files.
    pub id: Arc<str>,
    /// Display name.
    pub name: Text,
}

/// A call of a rule function by the flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowCall {
    /// Name of the function.
    pub function: Arc<str>,
    /// Whether the active seat is passed as the argument.
    pub takes_seat: bool,
}

/// An instruction of the flow.
///
/// The flow is a flat list of instructions, so the progress of a game is one index and a few loop counters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Calls a rule function. This is one step of the game.
    Call(FlowCall),
    /// Starts a loop that visits each seat once, in order. Jumps to `end` if there is no seat.
    EachSeat {
        /// Function that returns the order of seats, if the phase declares one.
        order: Option<Arc<str>>,
        /// Index of the instruction after the loop.
        end: u16,
    },
    /// Advances the innermost loop to the next seat, or leaves it after the last one.
    NextSeat {
        /// Index of the first instruction of the loop's body.
        body: u16,
    },
    /// Starts a loop of turns that goes around the table until the rules end it.
    Turns {
        /// Function that returns the order of seats, if the phase declares one.
        order: Option<Arc<str>>,
    },
    /// Leaves the innermost loop if the function returns true.
    Until {
        /// The condition. If there is none, this instruction never ends the loop.
        function: Option<Arc<str>>,
        /// Index of the instruction after the loop.
        end: u16,
    },
    /// Passes the turn, or keeps it after `again()`, and repeats the loop.
    NextTurn {
        /// Index of the loop's `Until`.
        body: u16,
    },
    /// Starts a loop without turns.
    Run,
    /// Repeats the innermost loop.
    Repeat {
        /// Index of the loop's `Until`.
        body: u16,
    },
    /// Starts a phase, or skips it if the function returns false.
    PhaseBegins {
        /// The declared phase.
        phase: super::PhaseId,
        /// The condition. The phase always takes place if there is none.
        when: Option<Arc<str>>,
        /// Index of the instruction after the phase.
        end: u16,
    },
    /// Ends the phase.
    PhaseEnds,
    /// Starts a round and increments the round number.
    RoundBegins,
    /// Ends the round. Starts another one unless this was the last.
    RoundEnds {
        /// Index of `RoundBegins`.
        begin: u16,
    },
    /// Starts the finishing section, during which the rules can no longer end the game early.
    FinishBegins,
    /// Ends the game.
    Over,
}

/// A rule function that the flow calls, with the place where the game's files name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowFunctionName {
    /// The function, and whether it takes the active seat.
    pub call: FlowCall,
    /// Whether the function is a step. Other functions return an order or a Boolean and must not change the game.
    pub is_step: bool,
    /// Kind of turns that the step belongs to, if it is a step.
    pub turns: Turns,
    /// Place of the function's name in the files.
    pub place: Place,
}

/// Kind of turns that a step belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Turns {
    /// No seat has the turn.
    #[default]
    None,
    /// Each seat has one turn: `each_seat`.
    Once,
    /// Seats take turns until the rules end the loop: `turns`, and loops inside it.
    Endless,
}

/// Order in which triggered functions run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TriggerOrder {
    /// First in, first out.
    #[default]
    FirstIn,
    /// Last in, first out.
    LastIn,
    /// Grouped by seat: first the functions of the active seat, or of the first seat outside of turns, then those of the other seats in
    /// turn order.
    TurnOrder,
}

/// The compiled flow of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    /// The instructions. Play starts at index 0.
    pub ops: Vec<Op>,
    /// Index of the instruction that starts the finishing section.
    pub finish: u16,
    /// Number of rounds, if it is fixed.
    pub rounds: Option<i64>,
    /// Function that is called after each round and returns whether it was the last round.
    pub rounds_until: Option<Arc<str>>,
    /// All functions that the flow calls, in the order of the places that name them.
    pub named: Vec<FlowFunctionName>,
    /// Place of the flow in the files.
    pub place: Option<Place>,
    /// Method of choosing the first seat.
    pub first: First,
    /// Ending that applies when the flow runs to its end.
    pub ending: EndingId,
    /// Order in which triggered functions run.
    pub triggers: TriggerOrder,
    /// Decision by which a seat orders its own triggered functions, if the rules let seats do so.
    pub trigger_choice: Option<DecisionId>,
}

impl Flow {
    /// Keywords for the trigger orders in a game's files.
    pub const TRIGGERS: [(&'static str, TriggerOrder); 3] = [
        ("first_in", TriggerOrder::FirstIn),
        ("last_in", TriggerOrder::LastIn),
        ("turn_order", TriggerOrder::TurnOrder),
    ];

    /// Returns the place where the files name a function, if the flow calls it.
    pub fn place_of(&self, function: &str) -> Option<&Place> {
        self.named.iter().find(|named| *named.call.function == *function).map(|named| &named.place)
    }
}

/// Method of choosing the first seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum First {
    /// The first seat at the table.
    FirstSeat,
    /// A random seat.
    Random,
    /// The seat chosen with an option; a random seat if the option is not set.
    Option(Arc<str>),
}

/// A named way in which a game can end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// Identifier in scripts and playscripts.
    pub id: Arc<str>,
    /// Display name.
    pub name: Text,
    /// Winners of a game with this ending.
    pub winners: Winners,
}

/// Name of the rule function that returns a seat's score.
pub const SCORE: &str = "score";

/// Name of the rule function that returns the values by which seats are ranked, if scores alone do not rank them.
pub const RANK: &str = "rank";

/// Name of the rule function that rates a seat's position in the middle of a game.
pub const STANDING_FUNCTION: &str = "standing";

/// Names of the rule functions that rank players. Each function takes a seat, or a team in games with teams.
pub const SCORING: [&str; 3] = [SCORE, RANK, STANDING_FUNCTION];

/// Winners of a game with a certain ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Winners {
    /// The best-ranked seat or team.
    #[default]
    Best,
    /// All players together, against the game.
    Everybody,
    /// Nobody: the game beats the players.
    Nobody,
}

impl Winners {
    /// Keywords for the variants in a game's files.
    pub const WORDS: [(&'static str, Self); 3] =
        [("best", Self::Best), ("everybody", Self::Everybody), ("nobody", Self::Nobody)];
}

impl ResetPeriod {
    /// Returns the keyword for the period in a game's files, or `None` for the whole game, which is the default.
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Self::Game => None,
            Self::Round => Some("round"),
            Self::Phase => Some("phase"),
            Self::Turn => Some("turn"),
        }
    }
}

//! The functions that the engine calls by their names.

/// The functions of the rules that say who is ahead, each given a seat.
pub const SCORING: [&str; 3] = ["score", "rank", "standing"];

/// How the names of invariants begin: functions of the rules that say what must hold.
pub const INVARIANT: &str = "invariant_";

/// How the name of a function of an agent's file begins that rates the options of a decision: `fn rate_bid(seat, option)`.
pub const RATE: &str = "rate_";

/// How the name of a function of an agent's file begins that works out once what all ratings of a decision go by:
/// `fn consider_bid(seat)`, whose result `fn rate_bid(seat, option, considered)` is given.
pub const CONSIDER: &str = "consider_";

/// The function of an agent's file that says what a position is worth to a seat.
pub const ESTIMATE: &str = "estimate";

/// The most things that a function named by a field takes, what names it counted.
pub const MOST_TAKEN: usize = 8;

/// Whether an agent's file is asked for a function of that name.
pub fn is_asked_of_agents(name: &str) -> bool {
    name.starts_with(RATE) || name.starts_with(CONSIDER) || name == ESTIMATE
}

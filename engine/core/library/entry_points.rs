//! Names of functions that the engine calls in rules and agent scripts.
//!
//! These names are frozen. If a new version of the engine called a function with another name, it would change the meaning of games that
//! already define such a function. New entry points are therefore declared in the game's files, like `costs = "…"` and `automa = "…"` of a
//! decision.

use crate::decision::Value;
use crate::model::{ComponentId, Model, RANK, SCORE, STANDING_FUNCTION, Seat};

/// Names or prefixes of the functions that the engine calls in rules.
pub const CALLED_IN_RULES: [&str; 4] = [INVARIANT, RANK, SCORE, STANDING_FUNCTION];

/// Names or prefixes of the functions that the engine calls in agent scripts.
pub const CALLED_IN_AGENTS: [&str; 4] = [CONSIDER, ESTIMATE, RATE, TIES];

/// Prefix of invariants: rule functions that return a condition that must always be true.
pub const INVARIANT: &str = "invariant_";

/// Prefix of functions in agent scripts that rate the options of a decision: `fn rate_bid(seat, option)`.
pub const RATE: &str = "rate_";

/// Prefix of functions in agent scripts that compute something once for all ratings of a decision. The result of `fn
/// consider_bid(seat)` is passed to `fn rate_bid(seat, option, considered)`.
pub const CONSIDER: &str = "consider_";

/// Name of the function in agent scripts that determines the choice among equally good options. It returns `"first"` or
/// `"random"`.
pub const TIES: &str = "ties";

/// Name of the function in agent scripts that rates a position for a seat, or for a team in games with teams.
pub const ESTIMATE: &str = "estimate";

/// Maximum number of arguments of a function named by a field. The owner of the field counts as an argument.
pub const MAX_FIELD_ARGUMENTS: usize = 8;

/// Returns whether agent scripts may define a function with this name for the engine to call.
pub fn is_agent_function(name: &str) -> bool {
    name.starts_with(RATE) || name.starts_with(CONSIDER) || name == ESTIMATE || name == TIES
}

/// A participant in the ranking: a seat, or a team in games with teams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scored {
    /// A seat.
    Seat(Seat),
    /// A team.
    Team(ComponentId),
}

impl Scored {
    /// Converts the participant to an argument of a rule function.
    pub fn to_value(self) -> Value {
        match self {
            Self::Seat(seat) => seat.into(),
            Self::Team(team) => team.into(),
        }
    }
}

/// Calls `ask` for each seat, in order. In games with teams, calls it once for each team, and uses the result for all seats of the team.
///
/// # Errors
/// Returns the first error.
pub fn evaluate_per_seat<T: Clone, E>(model: &Model, mut ask: impl FnMut(Scored) -> Result<T, E>) -> Result<Vec<T>, E> {
    let mut of_teams: Vec<(ComponentId, T)> = Vec::new();
    let mut found = Vec::with_capacity(usize::from(model.seats));
    for seat in model.all_seats() {
        let Some(team) = model.team_of(seat).map(|team| team.component) else {
            found.push(ask(Scored::Seat(seat))?);
            continue;
        };
        if let Some((_, known)) = of_teams.iter().find(|(known, _)| *known == team) {
            found.push(known.clone());
            continue;
        }
        let new = ask(Scored::Team(team))?;
        of_teams.push((team, new.clone()));
        found.push(new);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SCORING;

    #[test]
    fn the_engine_calls_no_other_functions_by_name() {
        // Do not add names here: they would break games that already define functions with these names. Declare new entry points in the
        // game's files instead.
        assert_eq!(CALLED_IN_RULES, ["invariant_", "rank", "score", "standing"]);
        assert_eq!(CALLED_IN_AGENTS, ["consider_", "estimate", "rate_", "ties"]);
        assert!(SCORING.iter().all(|name| CALLED_IN_RULES.contains(name)));
        assert!(CALLED_IN_AGENTS.iter().all(|name| is_agent_function(name)));
    }
}

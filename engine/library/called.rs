//! The functions that the engine calls by their names, and for whom it asks who is ahead.

use crate::decision::Value;
use crate::model::{ComponentId, Model, Seat};

/// How the names of invariants begin: functions of the rules that say what must hold.
pub const INVARIANT: &str = "invariant_";

/// How the name of a function of an agent's file begins that rates the options of a decision: `fn rate_bid(seat, option)`.
pub const RATE: &str = "rate_";

/// How the name of a function of an agent's file begins that calculates once what all ratings of a decision go by:
/// `fn consider_bid(seat)`, whose result `fn rate_bid(seat, option, considered)` is given.
pub const CONSIDER: &str = "consider_";

/// The function of an agent's file that says which of equally good options is taken: `"first"`, or `"random"`.
pub const TIES: &str = "ties";

/// The function of an agent's file that says what a position is worth to a seat, or in a game of teams
/// to a team.
pub const ESTIMATE: &str = "estimate";

/// The most things that a function named by a field takes, what names it counted.
pub const MOST_TAKEN: usize = 8;

/// Whether an agent's file is asked for a function of that name.
pub fn is_asked_of_agents(name: &str) -> bool {
    name.starts_with(RATE) || name.starts_with(CONSIDER) || name == ESTIMATE || name == TIES
}

/// Who is ahead or behind: a seat, or in a game of teams a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scored {
    /// A seat.
    Seat(Seat),
    /// A team.
    Team(ComponentId),
}

impl Scored {
    /// As rules are given it.
    pub fn to_value(self) -> Value {
        match self {
            Self::Seat(seat) => seat.into(),
            Self::Team(team) => team.into(),
        }
    }
}

/// What is asked for every seat, in order; for a team it is asked once, and all its seats have it.
///
/// # Errors
/// The first that is met.
pub fn of_each_seat<T: Clone, E>(model: &Model, mut ask: impl FnMut(Scored) -> Result<T, E>) -> Result<Vec<T>, E> {
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

//! Seats that play together and win together.

use super::{ComponentId, Model, Seat};

/// The name of the kind that teams are of.
pub const TEAM: &str = "team";

/// A team that has seats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    /// The component that stands for it.
    pub component: ComponentId,
    /// Its seats, in order; at least one.
    pub seats: Vec<Seat>,
}

impl Model {
    /// The team of a seat, in a game of teams.
    pub fn team_of(&self, seat: Seat) -> Option<&Team> {
        self.teams.iter().find(|team| team.seats.contains(&seat))
    }

    /// The team that a component stands for.
    pub fn team(&self, component: ComponentId) -> Option<&Team> {
        self.teams.iter().find(|team| team.component == component)
    }

    /// Those who win and lose as one: the seats of each team, or each seat alone.
    pub fn sides(&self) -> Vec<Vec<Seat>> {
        if self.teams.is_empty() {
            return self.all_seats().map(|seat| vec![seat]).collect();
        }
        self.teams.iter().map(|team| team.seats.clone()).collect()
    }

    /// For each seat, the position of its side in [`Model::sides`].
    pub fn side_of_each(&self) -> Vec<usize> {
        let sides = self.sides();
        // A model with mistakes may leave a seat out.
        let side = |seat: Seat| sides.iter().position(|side| side.contains(&seat)).unwrap_or(0);
        self.all_seats().map(side).collect()
    }
}

//! Who wins and loses together in a game.

use super::{ComponentId, Model, Seat, Team, Zone};

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

impl Zone {
    /// The team it stands for.
    pub fn team(&self, model: &Model) -> Option<ComponentId> {
        self.components().find(|of| model.team(*of).is_some())
    }
}

//! Sides: the seats or teams that win and lose together.

use super::{ComponentId, Model, Seat, Team, Winners, Zone};

impl Model {
    /// Returns whether the game has endings, and each ending is won by everybody or by nobody. The players then play against the game.
    pub fn is_cooperative(&self) -> bool {
        !self.endings.is_empty() && self.endings.iter().all(|ending| ending.winners != Winners::Best)
    }

    /// Returns the team of a seat; `None` in games without teams.
    pub fn team_of(&self, seat: Seat) -> Option<&Team> {
        self.teams.iter().find(|team| team.seats.contains(&seat))
    }

    /// Returns the team that a component represents.
    pub fn team(&self, component: ComponentId) -> Option<&Team> {
        self.teams.iter().find(|team| team.component == component)
    }

    /// Returns the groups of seats that win and lose together: the teams, or each seat alone in games without teams.
    pub fn sides(&self) -> Vec<Vec<Seat>> {
        if self.teams.is_empty() {
            return self.all_seats().map(|seat| vec![seat]).collect();
        }
        self.teams.iter().map(|team| team.seats.clone()).collect()
    }

    /// Returns the index of each seat's side in [`Model::sides`].
    pub fn side_indices(&self) -> Vec<usize> {
        let sides = self.sides();
        // An invalid model may leave a seat without a team.
        let side = |seat: Seat| sides.iter().position(|side| side.contains(&seat)).unwrap_or(0);
        self.all_seats().map(side).collect()
    }
}

impl Zone {
    /// Returns the component that represents the zone's team, if the zone belongs to a team.
    pub fn team(&self, model: &Model) -> Option<ComponentId> {
        self.components().find(|of| model.team(*of).is_some())
    }
}

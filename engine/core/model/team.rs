//! Teams: seats that play and win together.

use super::{ComponentId, Seat};

/// Id of the kind whose components are teams.
pub const TEAM: &str = "team";

/// A team with at least one seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    /// The component that represents the team.
    pub component: ComponentId,
    /// Seats of the team, in order.
    pub seats: Vec<Seat>,
}

//! Seats that play together and win together.

use super::{ComponentId, Seat};

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

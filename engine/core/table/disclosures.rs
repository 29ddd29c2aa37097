//! Counts how often seats learn hidden faces. Undo uses the counts to decide whether taking back an answer gives
//! anybody an advantage.

use super::SeatSet;
use crate::model::SpaceId;

/// All disclosures of a game so far. Only public facts are recorded: that seats learned a face, but not which face.
#[derive(Debug, Clone, Default)]
pub(super) struct Disclosures {
    /// Number of disclosures of any kind, including conditions that seats have learned.
    pub(super) count: u64,
    /// Disclosures of faces that some other seat knew already, grouped by space and by the seats that learned them.
    pub(super) known: Vec<Disclosure>,
}

/// Disclosures to the same seats, on the same space, of faces that another seat already knew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disclosure {
    /// Space on which the pieces lay when their faces were shown.
    pub space: SpaceId,
    /// Seats that saw the faces.
    pub seats: SeatSet,
    /// Number of faces.
    pub count: u64,
}

impl Disclosures {
    /// Counts a disclosure of a face that another seat already knew.
    pub(super) fn add(&mut self, space: SpaceId, seats: SeatSet) {
        match self.known.iter_mut().find(|entry| (entry.space, entry.seats) == (space, seats)) {
            Some(entry) => entry.count += 1,
            None => self.known.push(Disclosure { space, seats, count: 1 }),
        }
    }
}

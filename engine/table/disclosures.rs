//! Counts what seats have come to know of hidden faces, so that it can be told whether an answer can be taken back without harm.

use super::SeatSet;
use crate::model::SpaceId;

/// All disclosures of a game so far. Who comes to know a face is public; which face it is plays no part here.
#[derive(Debug, Clone, Default)]
pub(super) struct Disclosures {
    /// How many disclosures there were of any kind.
    pub(super) count: u64,
    /// Disclosures of faces that some other seat knew already, summed up by place and by the seats that learned them.
    pub(super) known: Vec<Disclosure>,
}

/// Faces that were shown to seats, and that another seat knew already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disclosure {
    /// Where the pieces lay when they were seen.
    pub space: SpaceId,
    /// The seats that saw them.
    pub seats: SeatSet,
    /// How often that happened.
    pub count: u64,
}

impl Disclosures {
    /// Counts a disclosure of a face that some other seat knew already.
    pub(super) fn add(&mut self, space: SpaceId, seats: SeatSet) {
        match self.known.iter_mut().find(|entry| (entry.space, entry.seats) == (space, seats)) {
            Some(entry) => entry.count += 1,
            None => self.known.push(Disclosure { space, seats, count: 1 }),
        }
    }
}

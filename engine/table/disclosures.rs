//! Counts what seats have come to know of hidden faces, so that it can be told whether an answer can be taken back without harm.

use super::{SeatSet, Table};
use crate::model::SpaceId;
use std::sync::Arc;

/// All disclosures of a game so far. Who comes to know a face is public; which face it is plays no part here.
#[derive(Debug, Clone, Default)]
pub(super) struct Disclosures {
    /// How many disclosures there were of any kind.
    count: u64,
    /// Disclosures of faces that some other seat knew already, summed up by place and by the seats that learned them.
    known: Vec<Disclosure>,
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
    fn add(&mut self, space: SpaceId, seats: SeatSet) {
        match self.known.iter_mut().find(|entry| (entry.space, entry.seats) == (space, seats)) {
            Some(entry) => entry.count += 1,
            None => self.known.push(Disclosure { space, seats, count: 1 }),
        }
    }
}

impl Table {
    /// From here on disclosures are counted. A table that is only played on, or imagined, does without.
    pub(crate) fn count_disclosures(&mut self) {
        self.disclosures.get_or_insert_default();
    }

    /// Counts that seats come to know a face that `before` knew already.
    pub(in crate::table) fn note_disclosed(&mut self, space: SpaceId, seats: SeatSet, before: SeatSet) {
        let Some(disclosures) = &mut self.disclosures else { return };
        let disclosures = Arc::make_mut(disclosures);
        disclosures.count += 1;
        if before != 0 {
            disclosures.add(space, seats);
        }
    }

    /// Counts something that cannot be undone without being dealt again, such as a condition that seats have learned.
    pub(crate) fn note_disclosure(&mut self) {
        if let Some(disclosures) = &mut self.disclosures {
            Arc::make_mut(disclosures).count += 1;
        }
    }

    /// Whether anything was disclosed, or left to chance, since this game stood as an earlier table does.
    pub(crate) fn has_disclosed_since(&self, earlier: &Self) -> bool {
        let count = |table: &Self| table.disclosures.as_ref().map(|disclosures| disclosures.count);
        count(self) != count(earlier) || self.chance != earlier.chance
    }

    /// The faces that seats have seen since an earlier table, and that some other seat knew before.
    pub(crate) fn known_faces_shown_since(&self, earlier: &Self) -> Vec<Disclosure> {
        let known =
            |table: &Self| table.disclosures.as_ref().map_or(Vec::new(), |disclosures| disclosures.known.clone());
        let before = known(earlier);
        let count_before = |entry: &Disclosure| {
            before
                .iter()
                .find(|known| (known.space, known.seats) == (entry.space, entry.seats))
                .map_or(0, |known| known.count)
        };
        known(self).into_iter().filter(|entry| entry.count > count_before(entry)).collect()
    }
}

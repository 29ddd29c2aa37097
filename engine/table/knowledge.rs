//! What each seat knows of the faces of pieces.

use super::{SeatSet, Table};
use crate::model::{PieceId, SpaceId, ZoneId};

/// The mixes of a table.
#[derive(Debug, Clone, Default)]
pub(super) struct Mixes;

impl Mixes {
    pub(super) const NONE: u16 = u16::MAX;
}

impl Table {
    /// The seats that see a piece where it lies now.
    pub fn watchers(&self, piece: PieceId) -> SeatSet {
        let entry = &self.pieces[piece.index()];
        let traits = self.layout.traits_of(self.layout.zone_of(entry.at));
        if entry.up && (!traits.shows_top || entry.above == super::NONE) {
            self.layout.everybody
        } else {
            traits.seers
        }
    }

    pub(super) fn see(&mut self, piece: PieceId, seats: SeatSet) {
        self.pieces[piece.index()].known |= seats;
    }

    pub(super) fn uncover(&mut self, space: SpaceId) {
        if let Some(top) = self.top(space) {
            self.see(top, self.watchers(top));
        }
    }

    pub(super) fn arrive(&mut self, piece: PieceId, _zone: ZoneId) {
        self.see(piece, self.watchers(piece));
    }

    pub(super) fn mix(&mut self, handles: &[PieceId]) {
        for handle in handles {
            self.pieces[handle.index()].known = 0;
        }
    }
}

//! Reconstruction of earlier tables for an imagined world.

use crate::model::Seat;
use crate::table::{Chance, Layout, Table};

impl Table {
    /// Returns whether all pieces have kept their faces since `checkpoint`, the last checkpoint: nothing was shuffled, and nobody has lost
    /// track of a piece.
    pub(crate) fn has_stayed(&self, checkpoint: &Self) -> bool {
        !self.is_shuffled && self.mixes.mix_count() == checkpoint.mixes.mix_count()
    }

    /// Returns this earlier table with the faces of an imagined world. Requires that all pieces have kept their faces in between (see
    /// [`has_stayed`](Self::has_stayed)). Values that the seat did not see are drawn again, and dice that it did not see are rolled again.
    /// The random number generator of this table is kept, so that the next step runs as it did.
    pub(crate) fn as_in_world(&self, world: &Self, seat: Seat, chance: &mut Chance) -> Self {
        let mut earlier = self.clone();
        for (piece, there) in earlier.pieces.iter_mut().zip(&world.pieces) {
            piece.face.identity = there.face.identity;
        }
        earlier.replace_inputs();
        earlier.widen_narrowed();
        earlier.redraw_values(self, seat, chance);
        earlier.throw_unseen(self, Layout::only(seat), chance);
        earlier.chance = self.chance.clone();
        earlier
    }
}

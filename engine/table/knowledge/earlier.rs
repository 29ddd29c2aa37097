//! An earlier table, as it was in a world in which other faces lie now.

use crate::model::Seat;
use crate::table::{Chance, Layout, Table};

impl Table {
    /// Whether every piece has stayed what it was since a checkpoint, the last one: nothing was shuffled, and nobody has lost track of anything.
    pub(crate) fn has_stayed(&self, checkpoint: &Self) -> bool {
        !self.is_shuffled && self.mixes.made() == checkpoint.mixes.made()
    }

    /// This table as it was in a world that a seat imagines, whose table is given, where every piece [has stayed](Self::has_stayed) since: it
    /// has the face that it has there. Values and dice that the seat did not see are drawn anew. Its randomness is that of this table, so that
    /// what happened next happens there.
    pub(crate) fn as_in_world(&self, world: &Self, seat: Seat, chance: &mut Chance) -> Self {
        let mut earlier = self.clone();
        for (piece, there) in earlier.pieces.iter_mut().zip(&world.pieces) {
            piece.face.print = there.face.print;
        }
        earlier.replace_inputs();
        earlier.widen_narrowed();
        earlier.redraw_values(self, seat, chance);
        earlier.throw_unseen(self, Layout::only(seat), chance);
        earlier.chance = self.chance.clone();
        earlier
    }
}

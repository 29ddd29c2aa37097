//! What lay where at an earlier checkpoint, in a world in which other faces lie now.

use crate::model::{PieceId, Seat};
use crate::table::{Chance, Layout, Print, Table};

/// The place at the last checkpoint of what lies at each place now; nothing where nothing was shuffled since.
#[derive(Debug, Clone)]
pub(crate) struct Origins(Option<Box<[u16]>>);

impl Origins {
    /// Whether everything lies at its place.
    pub(crate) const fn is_nothing_moved(&self) -> bool {
        self.0.is_none()
    }
}

/// The face at each place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prints(Vec<Print>);

impl Prints {
    /// The faces on a table before something was shuffled, of which a seat knew some; `after` is the table afterwards.
    ///
    /// Of what the seat has lost track of by that, nobody says how it was shuffled: it lay where the seat saw it lie, and what is dealt
    /// to its place now lay at another among which it was shuffled.
    #[must_use]
    pub(crate) fn before(mut self, shuffled: &Origins, (table, after): (&Table, &Table), seat: Seat) -> Self {
        let Some(origins) = &shuffled.0 else { return self };
        let now = self.0.clone();
        for (face, &origin) in now.into_iter().zip(origins) {
            self.0[usize::from(origin)] = face;
        }
        let is_known = |at: usize| table.knowers(PieceId::at(at)) & Layout::only(seat) != 0;
        for at in (0..self.0.len()).filter(|at| is_known(*at)) {
            let seen = table.pieces[at].face.print;
            if self.0[at] == seen {
                continue;
            }
            let lies = |other: &usize| {
                self.0[*other] == seen && !(is_known(*other) && table.pieces[*other].face.print == seen)
            };
            let is_beside = |other: &usize| after.pieces[*other].at == after.pieces[at].at;
            let others = || (0..self.0.len()).filter(lies);
            if let Some(other) = others().find(is_beside).or_else(|| others().next()) {
                self.0.swap(at, other);
            }
        }
        self
    }
}

impl Table {
    /// Where what lies here lay at the last checkpoint.
    pub(crate) fn origins(&self) -> Origins {
        Origins(self.is_shuffled.then(|| self.pieces.iter().map(|piece| piece.face.origin).collect()))
    }

    /// The face at each place.
    pub(crate) fn prints(&self) -> Prints {
        Prints(self.pieces.iter().map(|piece| piece.face.print).collect())
    }

    /// This table, an earlier one, as it was in a world that a seat imagines: with the faces that lay there, and with values and dice that the
    /// seat did not see drawn anew. Its randomness is that of this table, so that what happened next happens there.
    pub(crate) fn with_prints(&self, prints: &Prints, seat: Seat, chance: &mut Chance) -> Self {
        let mut world = self.clone();
        for (piece, face) in world.pieces.iter_mut().zip(&prints.0) {
            piece.face.print = *face;
        }
        world.replace_inputs();
        world.widen_narrowed();
        world.redraw_values(self, seat, chance);
        world.throw_unseen(self, seat, chance);
        world.chance = self.chance.clone();
        world
    }
}

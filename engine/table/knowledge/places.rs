//! Places of a table without their hidden faces.

use crate::model::{PieceId, SpaceId};
use crate::table::knowledge::mix::Mixes;
use crate::table::{FaceIdentity, Table};

/// A table of which nothing can be asked that tells one hidden face from another. A [`Deal`](super::imagine::Deal) holds this and not the
/// table, so that no world can depend on a face that the seat does not know.
#[derive(Clone, Copy)]
pub(in crate::table) struct Places<'a>(&'a Table);

impl<'a> Places<'a> {
    pub(in crate::table) const fn new(table: &'a Table) -> Self {
        Self(table)
    }

    /// The space a piece lies on.
    pub(in crate::table) fn space_of(self, piece: PieceId) -> SpaceId {
        self.0.space_of(piece)
    }

    /// The face of a piece that is in no mix: everybody knows it.
    pub(in crate::table) fn open_face(self, piece: PieceId) -> FaceIdentity {
        debug_assert_eq!(self.0.pieces[piece.index()].mix, Mixes::NONE, "what is in a mix may be hidden");
        self.0.print(piece)
    }

    /// Whether a face may be on a piece where it lies, for all that is public besides mixes.
    pub(in crate::table) fn may_have(self, piece: PieceId, print: FaceIdentity) -> bool {
        self.0.may_have(piece, print)
    }

    /// Whether two pieces lie so that each may have the faces that the other may.
    pub(in crate::table) fn may_be_alike(self, one: PieceId, other: PieceId) -> bool {
        self.0.may_be_alike(one, other)
    }

    /// Whether two pieces lie in one hand or bag where nothing but their faces tells them apart.
    pub(in crate::table) fn lie_alike(self, one: PieceId, other: PieceId) -> bool {
        let space = self.space_of(one);
        space == self.space_of(other)
            && self.0.layout.traits_of(self.0.layout.zone_of(space)).unordered
            && self.0.may_have_alike(one, other)
    }

    /// The tag of a special input of a mix, by its position.
    pub(in crate::table) fn tag_of(self, mix: u16, at: usize) -> u32 {
        self.0.mixes.get(mix).special[at].tag
    }
}

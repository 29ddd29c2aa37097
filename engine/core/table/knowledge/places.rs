//! Access to the places of a table without its hidden faces.

use crate::model::{PieceId, SpaceId};
use crate::table::knowledge::mix::Mixes;
use crate::table::{FaceIdentity, Table};

/// A table without access to its hidden faces. A [`Deal`](super::imagine::Deal) holds this instead of the table, so that no world can
/// depend on a face that the seat does not know.
#[derive(Clone, Copy)]
pub(in crate::table) struct Places<'a>(&'a Table);

impl<'a> Places<'a> {
    pub(in crate::table) const fn new(table: &'a Table) -> Self {
        Self(table)
    }

    /// Returns the space that a piece is on.
    pub(in crate::table) fn space_of(self, piece: PieceId) -> SpaceId {
        self.0.space_of(piece)
    }

    /// Returns the face of a piece that is in no mix. Everybody knows this face.
    pub(in crate::table) fn open_face(self, piece: PieceId) -> FaceIdentity {
        debug_assert_eq!(self.0.pieces[piece.index()].mix, Mixes::NONE, "what is in a mix may be hidden");
        self.0.identity(piece)
    }

    /// Returns whether a piece may have a face at its place, judged by public facts other than mixes.
    pub(in crate::table) fn may_have(self, piece: PieceId, identity: FaceIdentity) -> bool {
        self.0.may_have(piece, identity)
    }

    /// Returns whether two pieces certainly have the same possible faces at their places, judged by public facts other than mixes. Always
    /// false in games with pieces that cover several spaces.
    pub(in crate::table) fn may_be_alike(self, one: PieceId, other: PieceId) -> bool {
        self.0.may_be_alike(one, other)
    }

    /// Returns whether two pieces are in the same hand or bag and can be distinguished only by their faces.
    pub(in crate::table) fn are_interchangeable(self, one: PieceId, other: PieceId) -> bool {
        let space = self.space_of(one);
        space == self.space_of(other)
            && self.0.layout.traits_of(self.0.layout.zone_of(space)).unordered
            && self.0.may_have_alike(one, other)
    }

    /// Returns the tag of a special input of a mix, by its index.
    pub(in crate::table) fn tag_of(self, mix: u16, at: usize) -> u32 {
        self.0.mixes.get(mix).special[at].tag
    }
}

//! Snapshot of what is visible on a grid, for drawing.

use crate::model::{ComponentId, FieldValue, Label, PieceId, Seat, SpaceId, ZoneId};
use crate::table::{SeatSet, Table};

/// Snapshot of everything that is visible on a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The grid.
    pub zone: ZoneId,
    /// Spaces with printed contents, row by row. Empty if the grid has no field that is shown instead of labels.
    pub printed: Vec<PicturedSpace>,
    /// Spaces covered by a visible square of a piece, row by row.
    pub cells: Vec<PicturedCell>,
    /// Pieces that are drawn as a whole, row by row: the pieces in zones above the grid and, if the grid has a field that is shown instead
    /// of labels, its own pieces without squares.
    pub standing: Vec<PlacedPiece>,
}

/// A space of a board with printed contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PicturedSpace {
    /// Column and row, as labeled.
    pub at: (i16, i16),
    /// The space.
    pub space: SpaceId,
}

/// A space covered by a square of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PicturedCell {
    /// Column and row, as labeled.
    pub at: (i16, i16),
    /// Piece that the square belongs to. The squares of a piece are drawn together.
    pub piece: PieceId,
    /// Kind of the square; `None` if the piece lies face down.
    pub print: Option<u16>,
}

/// A piece on a grid that is drawn as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedPiece {
    /// Column and row, as labeled.
    pub at: (i16, i16),
    /// Component of the piece.
    pub component: ComponentId,
    /// Seat that owns the piece and determines its color.
    pub owner: Option<Seat>,
    /// Number of clockwise turns, or index of the face that a die shows.
    pub turned: u8,
    /// Seats that know the value of `turned`.
    pub turn_known: SeatSet,
    /// Seats that know the face of the piece.
    pub known: SeatSet,
    /// Zone that the piece lies in.
    pub zone: ZoneId,
}

impl Table {
    /// Returns an upper bound for the number of entries in the pictures of all grids.
    pub(crate) fn picture_size(&self) -> usize {
        let model = self.model();
        let grids = model.families.iter().filter(|family| family.over.is_none() && family.shape.is_grid());
        let zones = grids.flat_map(|family| family.zones.clone());
        let spaces: usize = zones.map(|zone| model.zones[usize::from(zone)].spaces.len()).sum();
        // A space may have both printed contents and a square on it.
        if spaces == 0 { 0 } else { 2 * spaces + model.pieces.len() }
    }

    /// Returns a picture of every grid that has printed contents or squares of pieces.
    pub fn pictures(&self) -> Vec<Picture> {
        let is_grid = |zone: &ZoneId| {
            let family = self.model().family_of(*zone);
            family.over.is_none() && family.shape.is_grid() && (self.layout.is_ground(*zone) || family.reads.is_some())
        };
        let zones = (0..self.model().zones.len()).map(ZoneId::at).filter(is_grid);
        let is_seen = |picture: &Picture| !picture.printed.is_empty() || !picture.cells.is_empty();
        zones.map(|zone| self.picture(zone)).filter(is_seen).collect()
    }

    fn picture(&self, zone: ZoneId) -> Picture {
        let field = self.model().family_of(zone).reads.as_ref();
        // The field that is shown to people may be empty on spaces whose other fields are not.
        let is_printed = |space: &SpaceId| {
            let says = |printed: &FieldValue| !matches!(printed, FieldValue::Nothing | FieldValue::Flag(false));
            field.is_some() && self.model().space(*space).fields.values().any(says)
        };
        let printed = self.spaces(zone).filter(is_printed);
        let printed = printed.filter_map(|space| Some(PicturedSpace { at: self.cell_label(space)?, space })).collect();
        let cells = self.spaces(zone).filter(|space| self.layout.ground_space(*space) == *space).filter_map(|space| {
            Some(PicturedCell {
                at: self.cell_label(space)?,
                piece: self.visible_piece(space)?,
                print: self.print_at(space),
            })
        });
        let is_plain = |piece: &PieceId| self.model().component(self.component(*piece)).cells.is_empty();
        let own = self.pieces(zone).filter(is_plain).filter_map(|piece| self.placed_piece(piece));
        let mut standing: Vec<PlacedPiece> = if field.is_some() { own.collect() } else { Vec::new() };
        for over in (0..self.model().zones.len()).map(ZoneId::at).filter(|over| *over != zone) {
            let first = self.model().zone(over).space();
            if self.model().family_of(over).over.is_some()
                && self.layout.zone_of(self.layout.ground_space(first)) == zone
            {
                standing.extend(self.pieces(over).filter_map(|piece| self.placed_piece(piece)));
            }
        }
        standing.sort_by_key(|standing| (standing.at.1, standing.at.0));
        Picture { zone, printed, cells: cells.collect(), standing }
    }

    fn placed_piece(&self, piece: PieceId) -> Option<PlacedPiece> {
        Some(PlacedPiece {
            at: self.cell_label(self.space_of(piece))?,
            component: self.component(piece),
            owner: self.owner(piece),
            turned: self.turned(piece),
            turn_known: self.turn_knowers(piece),
            known: self.knowers(piece),
            zone: self.zone_of(piece),
        })
    }

    fn cell_label(&self, space: SpaceId) -> Option<(i16, i16)> {
        if let Label::Cell(column, row) = self.model().space(space).label { Some((column, row)) } else { None }
    }
}

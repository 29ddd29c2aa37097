//! A grid as it lies at a moment, to be shown to people.

use crate::model::{ComponentId, FieldValue, Label, PieceId, Seat, SpaceId, ZoneId};
use crate::table::{SeatSet, Table};

/// What is seen of a grid, and what stands on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The grid.
    pub zone: ZoneId,
    /// The spaces on which something is printed by which people read them, row by row.
    pub printed: Vec<PicturedSpace>,
    /// The spaces on which a cell is seen, row by row.
    pub cells: Vec<PicturedCell>,
    /// What lies in zones over the grid, or on the grid without cells of its own, in the order of its spaces.
    pub standing: Vec<PlacedPiece>,
}

/// A space of a board on which something is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PicturedSpace {
    /// Its column and its row, as they are labeled.
    pub at: (i16, i16),
    /// The space.
    pub space: SpaceId,
}

/// A space on which a cell is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PicturedCell {
    /// Its column and its row, as they are labeled.
    pub at: (i16, i16),
    /// The piece it belongs to: cells of one piece are drawn together.
    pub piece: PieceId,
    /// What is printed on it, if it lies face up.
    pub print: Option<u16>,
}

/// A piece that stands on a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedPiece {
    /// The column and the row.
    pub at: (i16, i16),
    /// What it is.
    pub component: ComponentId,
    /// Whose color it has.
    pub owner: Option<Seat>,
    /// How often it is turned, or which face a die shows.
    pub turned: u8,
    /// Who knows how it is turned.
    pub turn_known: SeatSet,
    /// Who can tell.
    pub known: SeatSet,
    /// The zone it lies in, over the grid.
    pub zone: ZoneId,
}

impl Table {
    /// Entries that pictures of all grids have at most: their spaces, and the pieces on the table.
    pub(crate) fn picture_size(&self) -> usize {
        let model = self.model();
        let grids = model.families.iter().filter(|family| family.over.is_none() && family.shape.is_grid());
        let zones = grids.flat_map(|family| family.zones.clone());
        let spaces: usize = zones.map(|zone| model.zones[usize::from(zone)].spaces.len()).sum();
        // A space may be printed, and have a square on it.
        if spaces == 0 { 0 } else { 2 * spaces + model.pieces.len() }
    }

    /// A picture of every grid that is printed, or on which pieces with cells lie.
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
        // The field by which people read spaces may say nothing where others do.
        let is_printed = |space: &SpaceId| {
            let says = |printed: &FieldValue| !matches!(printed, FieldValue::Nothing | FieldValue::Flag(false));
            field.is_some() && self.model().space(*space).fields.values().any(says)
        };
        let printed = self.spaces(zone).filter(is_printed);
        let printed = printed.filter_map(|space| Some(PicturedSpace { at: self.labeled(space)?, space })).collect();
        let cells = self.spaces(zone).filter(|space| self.layout.ground_space(*space) == *space).filter_map(|space| {
            Some(PicturedCell { at: self.labeled(space)?, piece: self.shows(space)?, print: self.print_at(space) })
        });
        let is_plain = |piece: &PieceId| self.model().component(self.component(*piece)).cells.is_empty();
        let own = self.pieces(zone).filter(is_plain).filter_map(|piece| self.standing(piece));
        let mut standing: Vec<PlacedPiece> = if field.is_some() { own.collect() } else { Vec::new() };
        for over in (0..self.model().zones.len()).map(ZoneId::at).filter(|over| *over != zone) {
            let first = self.model().zone(over).space();
            if self.model().family_of(over).over.is_some()
                && self.layout.zone_of(self.layout.ground_space(first)) == zone
            {
                standing.extend(self.pieces(over).filter_map(|piece| self.standing(piece)));
            }
        }
        standing.sort_by_key(|standing| (standing.at.1, standing.at.0));
        Picture { zone, printed, cells: cells.collect(), standing }
    }

    fn standing(&self, piece: PieceId) -> Option<PlacedPiece> {
        Some(PlacedPiece {
            at: self.labeled(self.space_of(piece))?,
            component: self.component(piece),
            owner: self.owner(piece),
            turned: self.turned(piece),
            turn_known: self.turn_knowers(piece),
            known: self.knowers(piece),
            zone: self.zone_of(piece),
        })
    }

    fn labeled(&self, space: SpaceId) -> Option<(i16, i16)> {
        if let Label::Cell(column, row) = self.model().space(space).label { Some((column, row)) } else { None }
    }
}

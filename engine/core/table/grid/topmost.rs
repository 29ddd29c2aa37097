//! Pieces that cover several spaces of a grid: their layers, and the visible square of each space. On hexagonal grids, each "square" is a
//! hexagon.
//!
//! Each of these pieces is located in one space, its anchor: the north-west corner of the bounding box of its squares, or the first of its
//! hexagons. Overlapping pieces have different layers. The topmost square of a space is the visible one.

use crate::model::{Cell, CellPrint, ComponentId, FieldValue, Model, PieceId, SpaceId, ZoneId};
use crate::table::{End, Layout, NONE, Piece, Table, TableError};
use smallvec::SmallVec;

/// Squares of all components in all rotations, and codes for their contents. Computed once per game.
#[derive(Debug, Default)]
pub(in crate::table) struct CellTraits {
    /// Squares of each component, for each rotation.
    turned: Vec<Vec<Vec<Cell>>>,
    /// Code of each kind of square, for each field. Equal contents have the same code; an empty field has code 0.
    codes: Vec<Vec<u16>>,
    /// Number in each field of each kind of square; 0 if the field is not a number.
    numbers: Vec<Vec<i32>>,
}

impl CellTraits {
    /// Computes the rotated squares of all components, and the codes and numbers of all fields.
    pub(in crate::table) fn new(model: &Model) -> Self {
        let turned = model.components.iter().map(|component| {
            (0..model.cells.turns()).map(|turns| model.cells.turned(&component.cells, turns)).collect()
        });
        let fields = 0..model.cells.fields.len();
        Self {
            turned: turned.collect(),
            codes: fields.clone().map(|field| codes(&model.cells.prints, field)).collect(),
            numbers: fields
                .map(|field| model.cells.prints.iter().map(|print| number(&print.fields[field])).collect())
                .collect(),
        }
    }

    /// Returns the squares of a component in a rotation.
    #[inline]
    pub(in crate::table) fn cells(&self, component: ComponentId, turned: u8) -> &[Cell] {
        let turned_so = &self.turned[component.index()];
        &turned_so[turned as usize % turned_so.len()]
    }

    /// Returns the codes of a field, indexed by kind of square.
    pub(in crate::table) fn codes(&self, field: usize) -> &[u16] {
        &self.codes[field]
    }

    /// Returns the numbers in a field, indexed by kind of square.
    pub(in crate::table) fn numbers(&self, field: usize) -> &[i32] {
        &self.numbers[field]
    }
}

fn codes(prints: &[CellPrint], field: usize) -> Vec<u16> {
    let mut known: Vec<&FieldValue> = vec![&FieldValue::Nothing];
    let mut found = Vec::with_capacity(prints.len());
    for value in prints.iter().map(|print| &print.fields[field]) {
        let at = known.iter().position(|other| *other == value);
        found.push(at.unwrap_or(known.len()) as u16);
        if at.is_none() {
            known.push(value);
        }
    }
    found
}

fn number(value: &FieldValue) -> i32 {
    match value {
        FieldValue::Number(number) => i32::try_from(*number).unwrap_or(0),
        _ => 0,
    }
}

/// Topmost square of a space: the piece, and the index of the square in the piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::table) struct Top {
    piece: u16,
    cell: u8,
}

impl Top {
    /// Marker for spaces without a square.
    pub(in crate::table) const NOTHING: Self = Self { piece: NONE, cell: 0 };
}

impl Layout {
    /// Returns whether pieces that cover several spaces can lie in a zone.
    pub(in crate::table) fn is_ground(&self, zone: ZoneId) -> bool {
        !self.model.cells.prints.is_empty() && self.traits_of(zone).shape.is_grid()
    }

    /// Returns the spaces that a component would cover, each with the index of the square there. Squares beyond the
    /// edge are left out.
    pub(in crate::table) fn squares(
        &self,
        component: ComponentId,
        anchor: SpaceId,
        turned: u8,
    ) -> SmallVec<[(SpaceId, u8); 8]> {
        let cells = self.cells.cells(component, turned).iter().enumerate();
        let at = |(index, cell): (usize, &Cell)| {
            Some((self.offset(anchor, i16::from(cell.x), i16::from(cell.y))?, index as u8))
        };
        cells.filter_map(at).collect()
    }
}

impl Table {
    /// Iterates in order over the spaces of a grid that are covered by squares of pieces. `zone` must not lie over another zone.
    pub(in crate::table) fn covered_spaces_of(&self, zone: ZoneId) -> impl Iterator<Item = SpaceId> + '_ {
        let spaces = if self.tops.is_empty() { 0..0 } else { self.layout.spaces_of(zone) };
        self.covered.iter_in(spaces)
    }

    /// Returns the piece whose square is visible on a space of a grid, or of a zone above the grid.
    pub fn visible_piece(&self, space: SpaceId) -> Option<PieceId> {
        let top = self.tops.get(self.layout.ground_space(space).index())?;
        crate::table::piece(top.piece)
    }

    /// Returns the kind of the visible square of a space, and records the read. Returns `None` if the space has no square, or if the
    /// square's piece lies face down.
    pub fn print_at(&self, space: SpaceId) -> Option<u16> {
        self.visible_square(self.layout.ground_space(space)).map(|(print, _)| print)
    }

    /// Returns the kind of the visible square of a space of a grid, and the sequence number of the placement of its piece.
    /// Records the read. `None` if there is no square, or if its piece lies face down.
    #[inline]
    pub(in crate::table) fn visible_square(&self, space: SpaceId) -> Option<(u16, u16)> {
        let top = *self.tops.get(space.index())?;
        let piece = crate::table::piece(top.piece)?;
        self.note_read(piece);
        let entry = &self.pieces[piece.index()];
        let cells = self.layout.cells.cells(entry.face.identity.component, entry.turned);
        cells.get(usize::from(top.cell)).filter(|_| entry.up).map(|cell| (cell.print, entry.laid))
    }

    /// Returns a field of the visible square of a space.
    pub fn cell_field(&self, space: SpaceId, field: usize) -> Option<&FieldValue> {
        let print = self.print_at(space)?;
        Some(&self.model().cells.prints[print as usize].fields[field])
    }

    /// Returns whether a space is empty: no piece lies on it, and no square covers it.
    pub fn is_bare(&self, space: SpaceId) -> bool {
        !self.occupied.contains(space) && (self.tops.is_empty() || !self.covered.contains(space))
    }

    /// Iterates over the empty spaces of a zone, in order.
    pub fn bare_spaces(&self, zone: ZoneId) -> impl Iterator<Item = SpaceId> + '_ {
        let has_squares = !self.tops.is_empty();
        let gaps = self.occupied.gaps_in(self.layout.spaces_of(zone));
        gaps.filter(move |space| !(has_squares && self.covered.contains(*space)))
    }

    /// Returns the spaces that a piece covers, row by row. On a grid, these are the spaces of its squares. Elsewhere, it is only the space
    /// that the piece is on.
    pub fn covered_spaces(&self, piece: PieceId) -> SmallVec<[SpaceId; 8]> {
        let anchor = self.space_of(piece);
        let squares = self.squares_of(piece);
        if squares.is_empty() {
            SmallVec::from_slice(&[anchor])
        } else {
            squares.into_iter().map(|(at, _)| at).collect()
        }
    }

    /// Returns the layer of a piece. On the same grid, a higher layer lies above a lower one.
    pub fn layer(&self, piece: PieceId) -> i16 {
        self.pieces[piece.index()].layer
    }

    /// Returns the sequence number of a piece among the pieces on its grid, in the order in which they were placed.
    pub(in crate::table) fn placement_number(&self, piece: PieceId) -> u16 {
        self.pieces[piece.index()].laid
    }

    /// Lays a piece on a space of a grid in a rotation, above or below everything that lies there.
    ///
    /// # Errors
    /// Returns [`TableError::NotAccepted`], or [`TableError::OffGrid`] if a square would lie beyond the edge.
    pub fn lay(&mut self, piece: PieceId, to: SpaceId, turned: u8, end: End) -> Result<(), TableError> {
        self.check_inside(piece, to, turned)?;
        self.move_turned(piece, to, end, None, Some(turned % self.model().cells.turns()))?;
        self.lose_track_of(piece);
        Ok(())
    }

    /// Checks that no square of a piece would lie beyond the edge of a grid.
    pub(in crate::table) fn check_inside(&self, piece: PieceId, to: SpaceId, turned: u8) -> Result<(), TableError> {
        let (zone, component) = (self.layout.zone_of(to), self.identity(piece).component);
        if !self.layout.is_ground(zone) {
            return Ok(());
        }
        let cells = self.layout.cells.cells(component, turned).len();
        if self.layout.squares(component, to, turned).len() == cells {
            return Ok(());
        }
        let model = self.model();
        Err(TableError::OffGrid {
            zone: model.zone(zone).path.to_string(),
            component: model.component(component).id.to_string(),
            space: model.space(to).label.to_string(),
        })
    }

    /// Returns whether a piece would cover the same spaces if it were another component.
    pub(in crate::table) fn has_footprint_of(&self, piece: PieceId, other: ComponentId) -> bool {
        let entry = &self.pieces[piece.index()];
        let place = |cell: &Cell| (cell.x, cell.y);
        let cells = &self.layout.cells;
        let own = cells.cells(entry.face.identity.component, entry.turned).iter().map(place);
        !self.layout.is_ground(self.layout.zone_of(entry.at))
            || own.eq(cells.cells(other, entry.turned).iter().map(place))
    }

    /// Returns the spaces that a piece covers on a grid, each with the index of the square there. Empty if the piece is not on a grid.
    fn squares_of(&self, piece: PieceId) -> SmallVec<[(SpaceId, u8); 8]> {
        if self.tops.is_empty() {
            return SmallVec::new();
        }
        let entry = &self.pieces[piece.index()];
        if !self.layout.is_ground(self.layout.zone_of(entry.at)) {
            return SmallVec::new();
        }
        self.layout.squares(entry.face.identity.component, entry.at, entry.turned)
    }

    /// Returns the spaces covered by the squares of a piece; empty if the piece is not on a grid. Needed before the piece moves, to update
    /// the spaces that it uncovers.
    pub(in crate::table) fn footprint(&self, piece: PieceId) -> SmallVec<[SpaceId; 8]> {
        if self.tops.is_empty() {
            return SmallVec::new();
        }
        self.squares_of(piece).into_iter().map(|(space, _)| space).collect()
    }

    /// Returns whether at least one square of a piece lies on a grid.
    fn has_squares(&self, piece: PieceId) -> bool {
        let Piece { at, turned, face, .. } = self.pieces[piece.index()];
        let on_grid = |cell: &Cell| self.layout.offset(at, i16::from(cell.x), i16::from(cell.y)).is_some();
        self.layout.is_ground(self.layout.zone_of(at))
            && self.layout.cells.cells(face.identity.component, turned).iter().any(on_grid)
    }

    /// Assigns a layer to a piece that has arrived on a space, above or below everything on its grid. Updates the topmost squares.
    pub(in crate::table) fn assign_layer(&mut self, piece: PieceId, end: End) {
        let (mut top, mut bottom, mut laid) = (0, 0, 0);
        let is_ground = self.has_squares(piece);
        if is_ground {
            for other in self.pieces(self.zone_of(piece)).filter(|other| *other != piece && self.has_squares(*other)) {
                let entry = &self.pieces[other.index()];
                top = top.max(entry.layer + 1);
                bottom = bottom.min(entry.layer - 1);
                laid = laid.max(entry.laid + 1);
            }
        }
        let entry = &mut self.pieces[piece.index()];
        entry.layer = if end == End::Top { top } else { bottom };
        entry.laid = laid;
        match end {
            _ if !is_ground => {}
            // Nothing lies above the piece, so the other pieces need not be examined.
            End::Top => {
                for (space, cell) in self.squares_of(piece) {
                    self.tops[space.index()] = Top { piece: piece.0, cell };
                    self.covered.insert(space);
                }
            }
            End::Bottom => self.update_tops(&self.footprint(piece)),
        }
    }

    /// Recomputes the topmost squares of some spaces of one grid.
    pub(in crate::table) fn update_tops(&mut self, spaces: &[SpaceId]) {
        let Some(first) = spaces.first() else { return };
        for space in spaces {
            self.tops[space.index()] = Top::NOTHING;
            self.covered.remove(*space);
        }
        let pieces: SmallVec<[PieceId; 64]> = self.pieces(self.layout.zone_of(*first)).collect();
        for piece in pieces {
            for (space, cell) in self.squares_of(piece) {
                let top = self.tops[space.index()];
                let is_higher =
                    crate::table::piece(top.piece).is_none_or(|other| self.layer(other) < self.layer(piece));
                if is_higher && spaces.contains(&space) {
                    self.tops[space.index()] = Top { piece: piece.0, cell };
                    self.covered.insert(space);
                }
            }
        }
    }

    /// Returns all spaces of the zone that `space` is in; empty if pieces that cover several spaces cannot lie there.
    pub(in crate::table) fn spaces_of_grid(&self, space: SpaceId) -> Vec<SpaceId> {
        let zone = self.layout.zone_of(space);
        if self.layout.is_ground(zone) { self.spaces(zone).collect() } else { Vec::new() }
    }

    /// Calls `fact` for each square of a piece on a grid. Its arguments are the piece, the rank of the piece in the order of placement, the
    /// space, and the number of squares below. These facts describe layers and ages independently of their absolute numbers, as the
    /// fingerprint requires.
    pub(in crate::table) fn for_each_layer_fact(&self, mut fact: impl FnMut(PieceId, u64, SpaceId, u64)) {
        if self.tops.is_empty() {
            return;
        }
        for zone in (0..self.model().zones.len()).map(ZoneId::at).filter(|zone| self.layout.is_ground(*zone)) {
            let lie = |piece: &PieceId| !self.squares_of(*piece).is_empty();
            let mut pieces: Vec<PieceId> = self.pieces(zone).filter(lie).collect();
            pieces.sort_unstable_by_key(|piece| self.placement_number(*piece));
            let order: Vec<(PieceId, u64)> = pieces.into_iter().zip(0..).collect();
            let mut layers = order.clone();
            layers.sort_unstable_by_key(|(piece, _)| self.layer(*piece));
            let start = self.model().zone(zone).spaces.start;
            let mut heights = vec![0_u64; self.model().zone(zone).spaces.len()];
            for (piece, rank) in layers {
                for (space, _) in self.squares_of(piece) {
                    let height = &mut heights[(space.0 - start) as usize];
                    fact(piece, rank, space, *height);
                    *height += 1;
                }
            }
        }
    }
}

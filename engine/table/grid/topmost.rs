//! Pieces that take up several spaces of a grid: where they lie, above or below each other, and what a space shows.
//!
//! Such a piece is in one space, its anchor: the north-west corner of the rectangle around its squares, or the first of its hexagons. Whatever overlaps
//! is told apart by layers; what is seen of a space is its topmost square.

use crate::model::{Cell, CellPrint, ComponentId, FieldValue, Model, PieceId, SpaceId, ZoneId};
use crate::table::{End, Layout, NONE, Table, TableError};
use smallvec::SmallVec;

/// The squares of every component in every turn, and what they say as numbers: calculated once for a game.
#[derive(Debug, Default)]
pub(in crate::table) struct CellTraits {
    /// The squares of each component, by how often it is turned.
    turned: Vec<Vec<Vec<Cell>>>,
    /// For each field and each different square a number that is the same where the field is; 0 where it says nothing.
    codes: Vec<Vec<u16>>,
    /// For each field and each different square its number; 0 where it is none.
    numbers: Vec<Vec<i32>>,
}

impl CellTraits {
    /// The squares of a model's components.
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

    /// The squares of a component that is turned so often.
    pub(in crate::table) fn cells(&self, component: ComponentId, turned: u8) -> &[Cell] {
        let turned_so = &self.turned[component.index()];
        &turned_so[turned as usize % turned_so.len()]
    }

    /// For each different square a number that is the same where the field is.
    pub(in crate::table) fn codes(&self, field: usize) -> &[u16] {
        &self.codes[field]
    }

    /// For each different square the number of a field.
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

/// The topmost square of a space: of which piece, and which of its squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::table) struct Top {
    piece: u16,
    cell: u8,
}

impl Top {
    /// Nothing lies there.
    pub(in crate::table) const NOTHING: Self = Self { piece: NONE, cell: 0 };
}

impl Layout {
    /// Whether pieces with several squares lie flat in a zone.
    pub(in crate::table) fn is_ground(&self, zone: ZoneId) -> bool {
        !self.model.cells.prints.is_empty() && self.traits_of(zone).shape.is_grid()
    }

    /// The spaces that a component would take up with its anchor on a space, turned so often; fewer where the grid ends.
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
    /// The piece whose square is seen on a space of a grid, or of a zone that lies over it.
    pub fn shows(&self, space: SpaceId) -> Option<PieceId> {
        let top = self.tops.get(self.layout.ground_space(space).index())?;
        crate::table::piece(top.piece)
    }

    /// What is printed on the square that is seen on a space; nothing where none lies, or one face down.
    pub fn print_at(&self, space: SpaceId) -> Option<u16> {
        let top = *self.tops.get(self.layout.ground_space(space).index())?;
        let piece = crate::table::piece(top.piece)?;
        self.note_read(piece);
        let entry = &self.pieces[piece.index()];
        let cells = self.layout.cells.cells(entry.face.print.component, entry.turned);
        cells.get(top.cell as usize).filter(|_| entry.up).map(|cell| cell.print)
    }

    /// A field of the square that is seen on a space.
    pub fn cell_field(&self, space: SpaceId, field: usize) -> Option<&FieldValue> {
        let print = self.print_at(space)?;
        Some(&self.model().cells.prints[print as usize].fields[field])
    }

    /// Whether nothing lies on a space: no piece, and no square of one.
    pub fn is_bare(&self, space: SpaceId) -> bool {
        self.height(space) == 0 && self.tops.get(space.index()).is_none_or(|top| *top == Top::NOTHING)
    }

    /// The spaces that a piece takes up where it lies, row by row: on a grid those of its squares.
    pub fn taken_up(&self, piece: PieceId) -> SmallVec<[SpaceId; 8]> {
        let anchor = self.space_of(piece);
        let squares = self.squares_of(piece);
        if squares.is_empty() {
            SmallVec::from_slice(&[anchor])
        } else {
            squares.into_iter().map(|(at, _)| at).collect()
        }
    }

    /// How far above other pieces of its grid a piece lies.
    pub fn layer(&self, piece: PieceId) -> i16 {
        self.pieces[piece.index()].layer
    }

    /// When a piece came onto its grid, counted over the pieces that lie there.
    pub(in crate::table) fn laid(&self, piece: PieceId) -> u16 {
        self.pieces[piece.index()].laid
    }

    /// Lays a piece on a space of a grid, turned so often, above or below what lies there.
    ///
    /// # Errors
    /// [`TableError::NotAccepted`], or [`TableError::OffGrid`] where a square would lie beyond the edge.
    pub fn lay(&mut self, piece: PieceId, to: SpaceId, turned: u8, end: End) -> Result<(), TableError> {
        self.check_inside(piece, to, turned)?;
        self.move_turned(piece, to, end, None, Some(turned % self.model().cells.turns()))?;
        self.lose_track_of(piece);
        Ok(())
    }

    /// Refuses a place where a piece would lie beyond the edge of a grid.
    pub(in crate::table) fn check_inside(&self, piece: PieceId, to: SpaceId, turned: u8) -> Result<(), TableError> {
        let (zone, component) = (self.layout.zone_of(to), self.print(piece).component);
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

    /// Whether a piece would take up the same spaces if it were another component.
    pub(in crate::table) fn takes_up_alike(&self, piece: PieceId, other: ComponentId) -> bool {
        let entry = &self.pieces[piece.index()];
        let place = |cell: &Cell| (cell.x, cell.y);
        let cells = &self.layout.cells;
        let own = cells.cells(entry.face.print.component, entry.turned).iter().map(place);
        !self.layout.is_ground(self.layout.zone_of(entry.at))
            || own.eq(cells.cells(other, entry.turned).iter().map(place))
    }

    /// The squares of a piece where it lies, if it lies on a grid.
    fn squares_of(&self, piece: PieceId) -> SmallVec<[(SpaceId, u8); 8]> {
        if self.tops.is_empty() {
            return SmallVec::new();
        }
        let entry = &self.pieces[piece.index()];
        if !self.layout.is_ground(self.layout.zone_of(entry.at)) {
            return SmallVec::new();
        }
        self.layout.squares(entry.face.print.component, entry.at, entry.turned)
    }

    /// Before a piece leaves a space: where its squares lie.
    pub(in crate::table) fn lifted(&self, piece: PieceId) -> SmallVec<[SpaceId; 8]> {
        if self.tops.is_empty() {
            return SmallVec::new();
        }
        self.squares_of(piece).into_iter().map(|(space, _)| space).collect()
    }

    /// After a piece has come to a space: its squares lie above or below all that lies there.
    pub(in crate::table) fn laid_down(&mut self, piece: PieceId, end: End) {
        let zone = self.zone_of(piece);
        let (mut top, mut bottom, mut laid) = (0, 0, 0);
        let is_ground = self.layout.is_ground(zone) && !self.squares_of(piece).is_empty();
        if is_ground {
            for other in self.pieces(zone).filter(|other| *other != piece && !self.squares_of(*other).is_empty()) {
                let entry = &self.pieces[other.index()];
                top = top.max(entry.layer + 1);
                bottom = bottom.min(entry.layer - 1);
                laid = laid.max(entry.laid + 1);
            }
        }
        let entry = &mut self.pieces[piece.index()];
        entry.layer = if end == End::Top { top } else { bottom };
        entry.laid = laid;
        if is_ground {
            self.show_again(&self.lifted(piece));
        }
    }

    /// Computes again which squares are seen on some spaces of a grid.
    pub(in crate::table) fn show_again(&mut self, spaces: &[SpaceId]) {
        let Some(first) = spaces.first() else { return };
        for space in spaces {
            self.tops[space.index()] = Top::NOTHING;
        }
        let pieces: SmallVec<[PieceId; 64]> = self.pieces(self.layout.zone_of(*first)).collect();
        for piece in pieces {
            for (space, cell) in self.squares_of(piece) {
                let top = self.tops[space.index()];
                let is_higher =
                    crate::table::piece(top.piece).is_none_or(|other| self.layer(other) < self.layer(piece));
                if is_higher && spaces.contains(&space) {
                    self.tops[space.index()] = Top { piece: piece.0, cell };
                }
            }
        }
    }

    /// Every space of the grid a space is in; none where no squares lie.
    pub(in crate::table) fn spaces_of_ground(&self, space: SpaceId) -> Vec<SpaceId> {
        let zone = self.layout.zone_of(space);
        if self.layout.is_ground(zone) { self.spaces(zone).collect() } else { Vec::new() }
    }

    /// How the pieces that take up spaces lie above each other and in which order they came: for each its place in that
    /// order, and how many squares lie below each of its own.
    pub(in crate::table) fn lie_facts(&self, mut fact: impl FnMut(PieceId, u64, SpaceId, u64)) {
        if self.tops.is_empty() {
            return;
        }
        for zone in (0..self.model().zones.len()).map(ZoneId::at).filter(|zone| self.layout.is_ground(*zone)) {
            let lie = |piece: &PieceId| !self.squares_of(*piece).is_empty();
            let mut pieces: Vec<PieceId> = self.pieces(zone).filter(lie).collect();
            pieces.sort_unstable_by_key(|piece| self.laid(*piece));
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

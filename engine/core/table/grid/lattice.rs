//! Cells of a grid, with a border around them.

use crate::model::SpaceId;
use crate::table::grid::ranked_bits::insert;
use smallvec::SmallVec;

/// Mapping from a grid's spaces to the cells of a rectangle with a border. Thanks to the border, every space has all its neighbors, so
/// bounds need not be checked. Computed once per zone.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::table) struct Lattice {
    start: u16,
    pub(in crate::table) columns: usize,
    pub(in crate::table) rows: usize,
    /// Differences between the index of a cell and the indices of its neighbors.
    beside: SmallVec<[u16; 6]>,
    /// Cell of each space, indexed by the position of the space in the zone.
    cells: Vec<u16>,
    /// Index of each cell's space in the zone; [`NO_SPACE`] for cells without a space.
    numbers: Vec<u16>,
    /// The cells with a space, as a bitmap.
    inside: Vec<u64>,
}

/// Marker for cells without a space.
const NO_SPACE: u16 = u16::MAX;

impl Lattice {
    /// Creates the lattice of a zone. `start` is the zone's first space, and `cells` contains the column and row of each space. `steps` are
    /// the differences in column and row between neighbors.
    pub(in crate::table) fn new(
        start: u16,
        columns: usize,
        rows: usize,
        steps: impl Iterator<Item = (i32, i32)>,
        cells: impl Iterator<Item = (usize, usize)>,
    ) -> Self {
        let width = columns + 2;
        let cells: Vec<u16> = cells.map(|(x, y)| ((y + 1) * width + x + 1) as u16).collect();
        let places = width * (rows + 2);
        let (mut numbers, mut inside) = (vec![NO_SPACE; places], vec![0; places.div_ceil(u64::BITS as usize)]);
        for (number, at) in cells.iter().enumerate() {
            numbers[usize::from(*at)] = number as u16;
            insert(&mut inside, usize::from(*at));
        }
        let beside = steps.map(|(dx, dy)| (dy * width as i32 + dx) as u16).collect();
        Self { start, columns, rows, beside, cells, numbers, inside }
    }

    /// Returns the number of cells in a row, including the border.
    pub(in crate::table) const fn width(&self) -> usize {
        self.columns + 2
    }

    /// Returns the number of cells, including the border.
    pub(in crate::table) const fn places(&self) -> usize {
        self.width() * (self.rows + 2)
    }

    /// Returns the cells with a space, as a bitmap.
    pub(in crate::table) fn inside(&self) -> &[u64] {
        &self.inside
    }

    /// Returns the space at index `number` in the zone.
    pub(in crate::table) const fn space_by_number(&self, number: u16) -> SpaceId {
        SpaceId(self.start + number)
    }

    /// Returns the cell of the space at index `number` in the zone.
    pub(in crate::table) fn cell_by_number(&self, number: u16) -> u16 {
        self.cells[usize::from(number)]
    }

    /// Returns the index that the space at a cell has in the zone; `None` on the border and at cells without a hexagon.
    pub(in crate::table) fn number_at(&self, at: u16) -> Option<u16> {
        self.numbers.get(usize::from(at)).copied().filter(|number| *number != NO_SPACE)
    }

    /// Returns the cell of a space. For spaces of other grids, returns cell 0, which is on the border.
    pub(in crate::table) fn at(&self, space: SpaceId) -> u16 {
        self.cells.get(usize::from(space.0.wrapping_sub(self.start))).copied().unwrap_or_default()
    }

    /// Returns the space at a cell.
    ///
    /// # Panics
    /// Panics if there is no space at the cell.
    pub(in crate::table) fn space(&self, at: u16) -> SpaceId {
        self.space_if_any(at).expect("a space lies at the cell")
    }

    /// Returns the space at a cell; `None` on the border and at cells without a hexagon.
    pub(in crate::table) fn space_if_any(&self, at: u16) -> Option<SpaceId> {
        self.number_at(at).map(|number| self.space_by_number(number))
    }

    /// Iterates over the neighbors of a cell: four, or six on hexagons.
    pub(in crate::table) fn beside(&self, at: u16) -> impl Iterator<Item = u16> + '_ {
        self.beside.iter().map(move |by| at.wrapping_add(*by))
    }
}

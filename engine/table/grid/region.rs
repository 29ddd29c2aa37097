//! Connected regions of squares with equal contents on a grid, and breadth-first search over spaces.

use crate::model::{SpaceId, ZoneId};
use crate::table::grid::geometry::{Direction, Plan};
use crate::table::{Layout, Table};
use smallvec::SmallVec;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;

/// Maps a grid's spaces to cells of a rectangle with a border. Every space then has all its neighbors, so that bounds
/// need not be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::table) struct Lattice {
    start: u16,
    count: u16,
    pub(in crate::table) columns: usize,
    pub(in crate::table) rows: usize,
    /// Differences of the indices of neighboring cells.
    beside: SmallVec<[u16; 6]>,
    /// Coordinates of the hexagons, if the grid consists of hexagons.
    plan: Option<Arc<Plan>>,
}

/// One field of the visible squares of a grid, indexed by cell of the lattice; 0 on the border.
#[derive(Debug, Clone)]
pub(in crate::table) struct FieldGrid {
    pub(in crate::table) lattice: Lattice,
    /// Code of the field on each space; 0 if the field is empty there.
    pub(in crate::table) codes: Vec<u16>,
    /// Weight of each space.
    pub(in crate::table) weights: Vec<i32>,
    /// Sequence number of the placement of the visible piece. Smaller numbers are older.
    pub(in crate::table) ages: Vec<u16>,
}

/// Search for a connected region. Reused for later searches to save allocations.
#[derive(Debug, Default)]
pub(in crate::table) struct RegionSearch {
    seen: Vec<u32>,
    epoch: u32,
    /// Cells found so far.
    pub(in crate::table) found: Vec<u16>,
}

impl Lattice {
    /// Indexes the spaces of a zone.
    pub(in crate::table) fn new(layout: &Layout, zone: ZoneId) -> Self {
        let traits = layout.traits_of(zone);
        let (columns, rows) = (traits.columns.max(1) as usize, traits.rows.max(1) as usize);
        let width = columns as i32 + 2;
        let neighbors = Direction::to_neighbors(traits.shape.tops());
        Self {
            start: layout.model.zone(zone).space().0,
            count: layout.model.zone(zone).spaces.len() as u16,
            columns,
            rows,
            beside: neighbors.map(|d| (i32::from(d.dy) * width + i32::from(d.dx)) as u16).collect(),
            plan: layout.plan(zone).cloned(),
        }
    }

    /// Indexes the spaces of a grid: the zone itself, or the grid that it lies over.
    pub(in crate::table) fn for_ground(layout: &Layout, zone: ZoneId) -> Self {
        Self::new(layout, layout.zone_of(layout.ground_space(layout.model.zone(zone).space())))
    }

    /// Returns the number of cells in a row, including the border.
    pub(in crate::table) const fn width(&self) -> usize {
        self.columns + 2
    }

    /// Returns the number of cells, including the border.
    pub(in crate::table) const fn places(&self) -> usize {
        self.width() * (self.rows + 2)
    }

    /// Iterates over all spaces.
    pub(in crate::table) fn ids(&self) -> impl Iterator<Item = SpaceId> + use<> {
        (self.start..self.start + self.count).map(SpaceId)
    }

    /// Returns the indices within the zone of all spaces, or of a single one if `only` is given.
    pub(in crate::table) fn indices(&self, only: Option<SpaceId>) -> Range<usize> {
        only.map_or(0..usize::from(self.count), |space| {
            let number = usize::from(space.0 - self.start);
            number..number + 1
        })
    }

    /// Returns a space and its cell, by its index in the zone.
    pub(in crate::table) fn space_and_cell(&self, number: usize) -> (SpaceId, u16) {
        let space = SpaceId(self.start + number as u16);
        (space, self.at(space))
    }

    /// Returns the cell of a space. For spaces of other grids, returns cell 0, which is on the border.
    pub(in crate::table) fn at(&self, space: SpaceId) -> u16 {
        let index = space.0.wrapping_sub(self.start);
        if index >= self.count {
            return 0;
        }
        let (x, y) = self.cell(index as usize);
        ((y + 1) * self.width() + x + 1) as u16
    }

    /// Returns the column and row of a space, by its index in the zone.
    pub(in crate::table) fn cell(&self, index: usize) -> (usize, usize) {
        match self.plan.as_ref().and_then(|plan| plan.cell(index)) {
            Some((x, y)) => (x as usize, y as usize),
            None => (index % self.columns, index / self.columns),
        }
    }

    /// Returns whether there is a space at a column and row within the bounding box.
    pub(in crate::table) fn has(&self, x: i16, y: i16) -> bool {
        self.plan.as_ref().is_none_or(|plan| plan.number(x, y).is_some())
    }

    /// Returns the space at a cell, which must not lie on the border.
    pub(in crate::table) fn space(&self, at: u16) -> SpaceId {
        let (x, y) = (at as usize % self.width() - 1, at as usize / self.width() - 1);
        let number = self.plan.as_ref().and_then(|plan| plan.number(x as i16, y as i16));
        SpaceId(self.start + number.unwrap_or((y * self.columns + x) as u16))
    }

    /// Returns the space at a cell; `None` on the border and at cells without a hexagon.
    pub(in crate::table) fn space_if_any(&self, at: u16) -> Option<SpaceId> {
        let (x, y) = (usize::from(at) % self.width(), usize::from(at) / self.width());
        let is_inside = (1..=self.columns).contains(&x) && (1..=self.rows).contains(&y);
        (is_inside && self.has(x as i16 - 1, y as i16 - 1)).then(|| self.space(at))
    }

    /// Iterates over the neighbors of a cell: four, or six on hexagons.
    pub(in crate::table) fn beside(&self, at: u16) -> impl Iterator<Item = u16> + '_ {
        self.beside.iter().map(move |by| at.wrapping_add(*by))
    }
}

impl FieldGrid {
    /// Reads the grid that a zone is or lies over. `field` defines regions. `weight` is the field that has the weights;
    /// with `None`, each weight is 1.
    pub(in crate::table) fn new(table: &Table, zone: ZoneId, field: usize, weight: Option<usize>) -> Self {
        let layout = table.layout();
        let lattice = Lattice::for_ground(layout, zone);
        let places = lattice.places();
        let (mut codes_at, mut weights, mut ages) = (vec![0; places], vec![0; places], vec![0; places]);
        let codes = layout.cells.codes(field);
        let numbers = weight.map(|weight| layout.cells.numbers(weight));
        for space in lattice.ids() {
            let Some(print) = table.print_at(space) else { continue };
            let at = usize::from(lattice.at(space));
            codes_at[at] = codes[print as usize];
            weights[at] = numbers.map_or(1, |numbers| numbers[print as usize]);
            ages[at] = table.shows(space).map_or(0, |piece| table.placement_number(piece));
        }
        Self { lattice, codes: codes_at, weights, ages }
    }

    /// Returns the cell of a space of this grid or of a zone above it.
    pub(in crate::table) fn at(&self, layout: &Layout, space: SpaceId) -> u16 {
        self.lattice.at(layout.ground_space(space))
    }

    /// Finds the region of a cell and returns the total weight of the region. A cell without content has an empty
    /// region.
    pub(in crate::table) fn gather(&self, from: u16, search: &mut RegionSearch) -> i64 {
        search.gather(&self.lattice, from, |at| self.codes[at as usize]);
        search.found.iter().map(|at| i64::from(self.weights[*at as usize])).sum()
    }

    /// Returns the spaces that a search found, beginning with those that have been visible longest.
    pub(in crate::table) fn oldest_first(&self, search: &RegionSearch) -> Vec<SpaceId> {
        let mut found = search.found.clone();
        found.sort_unstable_by_key(|at| (self.ages[*at as usize], *at));
        found.into_iter().map(|at| self.lattice.space(at)).collect()
    }
}

impl RegionSearch {
    /// Finds the cells that are connected with a cell and have the same code. Finds none if the code is 0.
    pub(in crate::table) fn gather(&mut self, lattice: &Lattice, from: u16, code_at: impl Fn(u16) -> u16) {
        self.begin(lattice.places());
        let code = code_at(from);
        if code == 0 {
            return;
        }
        self.add(from);
        let mut next = 0;
        while let Some(&at) = self.found.get(next) {
            next += 1;
            for beside in lattice.beside(at).filter(|beside| code_at(*beside) == code) {
                self.add(beside);
            }
        }
    }

    /// Clears the result.
    pub(in crate::table) fn begin(&mut self, size: usize) {
        self.seen.resize(size, 0);
        self.epoch += 1;
        self.found.clear();
    }

    /// Adds a cell unless it was added already.
    pub(in crate::table) fn add(&mut self, at: u16) {
        if self.seen[at as usize] != self.epoch {
            self.seen[at as usize] = self.epoch;
            self.found.push(at);
        }
    }

    /// Returns whether a cell was found.
    pub(in crate::table) fn has(&self, at: u16) -> bool {
        self.seen[at as usize] == self.epoch
    }
}

impl Table {
    /// Returns the region of a space: the connected spaces with the same content in a field, including the space itself. Empty if the field
    /// is empty.
    ///
    /// The space that has been visible longest comes first. It identifies the region: as long as it stays visible, the
    /// region may grow in any way. If regions join, the space that has been visible longest identifies the joined
    /// region.
    pub fn region(&self, space: SpaceId, field: usize) -> Vec<SpaceId> {
        let ground = FieldGrid::new(self, self.layout.zone_of(space), field, None);
        let mut search = RegionSearch::default();
        ground.gather(ground.at(&self.layout, space), &mut search);
        ground.oldest_first(&search)
    }

    /// Returns the identifying space of each region of a grid, in the order of the grid.
    pub fn regions(&self, zone: ZoneId, field: usize) -> Vec<SpaceId> {
        let ground = FieldGrid::new(self, zone, field, None);
        let mut search = RegionSearch::default();
        let mut done = vec![false; ground.codes.len()];
        let mut found = Vec::new();
        for at in 0..ground.codes.len() as u16 {
            if ground.codes[at as usize] == 0 || done[at as usize] {
                continue;
            }
            ground.gather(at, &mut search);
            search.found.iter().for_each(|at| done[*at as usize] = true);
            found.extend(ground.oldest_first(&search).first());
        }
        found.sort_unstable();
        found
    }

    /// Returns the spaces that can be reached from `from` in 1 to `steps` steps over the spaces in `over`, nearest
    /// first, with their distances.
    pub fn reached(&self, from: &[SpaceId], steps: usize, over: &[SpaceId]) -> Vec<(SpaceId, usize)> {
        let mut closed = vec![true; self.model().spaces.len()];
        for space in over {
            closed[space.index()] = false;
        }
        let beside = |at| Ok::<_, Infallible>(self.layout.neighbors(at, false));
        let Ok(found) = nearest_first(from, steps, closed, SpaceId::index, beside);
        found
    }
}

/// Returns everything that can be reached from `from` in 1 to `steps` steps, nearest first, with the distances
/// (breadth-first search). Nodes whose index is set in `closed` are left out.
///
/// # Errors
/// Returns the first error of `beside`.
pub(crate) fn nearest_first<T: Copy, B: IntoIterator<Item = T>, E>(
    from: &[T],
    steps: usize,
    mut closed: Vec<bool>,
    index: impl Fn(T) -> usize,
    mut beside: impl FnMut(T) -> Result<B, E>,
) -> Result<Vec<(T, usize)>, E> {
    for one in from {
        closed[index(*one)] = true;
    }
    let mut found: Vec<(T, usize)> = from.iter().map(|one| (*one, 0)).collect();
    let mut next = 0;
    while let Some(&(at, distance)) = found.get(next) {
        next += 1;
        if distance == steps {
            break;
        }
        for one in beside(at)? {
            if !std::mem::replace(&mut closed[index(one)], true) {
                found.push((one, distance + 1));
            }
        }
    }
    found.drain(..from.len());
    Ok(found)
}

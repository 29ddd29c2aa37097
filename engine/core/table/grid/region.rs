//! Connected regions of squares with equal contents on a grid, and breadth-first search over spaces.

use crate::model::{SpaceId, ZoneId};
use crate::table::grid::lattice::Lattice;
use crate::table::{Layout, Table};
use std::convert::Infallible;
use std::sync::Arc;

/// Codes, weights and ages of the visible squares of a grid, indexed by cell of the lattice. The codes stand for the contents of one field.
/// Cells on the border have only zeros.
#[derive(Debug, Clone)]
pub(in crate::table) struct FieldGrid {
    pub(in crate::table) lattice: Arc<Lattice>,
    /// Code of the field at each cell; 0 if the field is empty or no square is visible.
    pub(in crate::table) codes: Vec<u16>,
    /// Weight of each cell.
    pub(in crate::table) weights: Vec<i32>,
    /// Sequence number of the placement of the visible piece at each cell. Smaller numbers are older.
    pub(in crate::table) ages: Vec<u16>,
}

/// State of a search for a connected region. Reused for later searches to save allocations.
#[derive(Debug, Default)]
pub(in crate::table) struct RegionSearch {
    seen: Vec<u32>,
    epoch: u32,
    /// Cells found so far.
    pub(in crate::table) found: Vec<u16>,
}

impl FieldGrid {
    /// Reads the grid of a zone: the zone itself, or the grid below it. `field` is the field that defines regions. `weight` is the field
    /// with the weights; if it is `None`, each weight is 1.
    pub(in crate::table) fn new(table: &Table, zone: ZoneId, field: usize, weight: Option<usize>) -> Self {
        let layout = table.layout();
        let ground = layout.ground_zone(zone);
        let lattice = layout.lattice(ground).clone();
        let places = lattice.places();
        let (mut codes_at, mut weights, mut ages) = (vec![0; places], vec![0; places], vec![0; places]);
        let codes = layout.cells.codes(field);
        let numbers = weight.map(|weight| layout.cells.numbers(weight));
        for space in table.covered_spaces_of(ground) {
            let Some((print, age)) = table.visible_square(space) else { continue };
            let at = usize::from(lattice.at(space));
            codes_at[at] = codes[print as usize];
            weights[at] = numbers.map_or(1, |numbers| numbers[print as usize]);
            ages[at] = age;
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

    /// Returns the spaces that a search found, from the one that has been visible longest to the newest.
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

    /// Starts a new search over `size` cells.
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

/// Returns the nodes that can be reached from `from` in 1 to `steps` steps, nearest first, with their distances (breadth-first search).
/// Nodes whose index is set in `closed` are neither returned nor crossed.
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

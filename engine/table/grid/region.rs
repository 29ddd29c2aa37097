//! Connected regions of a grid by what its squares say, and ways over its spaces.

use crate::model::{SpaceId, ZoneId};
use crate::table::grid::geometry::{Direction, Plan};
use crate::table::{Layout, Table};
use smallvec::SmallVec;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;

/// The spaces of a grid, counted with a border around, so that the neighbors of each are there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::table) struct Lattice {
    start: u16,
    count: u16,
    pub(in crate::table) columns: usize,
    pub(in crate::table) rows: usize,
    /// What leads from a place to those beside it.
    beside: SmallVec<[u16; 6]>,
    /// Where its hexagons lie, if it has hexagons.
    plan: Option<Arc<Plan>>,
}

/// A grid as one field of its squares tells it: one number for each place of its lattice, 0 on the border.
#[derive(Debug, Clone)]
pub(in crate::table) struct Ground {
    pub(in crate::table) lattice: Lattice,
    /// What the field is on each space; 0 where nothing is.
    pub(in crate::table) codes: Vec<u16>,
    /// How much each space counts.
    pub(in crate::table) weights: Vec<i32>,
    /// When the piece that is seen came.
    pub(in crate::table) ages: Vec<u16>,
}

/// A connected part of a grid, gathered space by space. It is kept from one search to the next.
#[derive(Debug, Default)]
pub(in crate::table) struct RegionSearch {
    seen: Vec<u32>,
    epoch: u32,
    /// The spaces found, with the border counted.
    pub(in crate::table) found: Vec<u16>,
}

impl Lattice {
    /// The spaces of a zone.
    pub(in crate::table) fn new(layout: &Layout, zone: ZoneId) -> Self {
        let traits = layout.traits_of(zone);
        let (columns, rows) = (traits.columns.max(1) as usize, traits.rows.max(1) as usize);
        let width = columns as i32 + 2;
        let beside = Direction::to_neighbors(traits.shape.tops());
        Self {
            start: layout.model.zone(zone).space().0,
            count: layout.model.zone(zone).spaces.len() as u16,
            columns,
            rows,
            beside: beside.map(|d| (i32::from(d.dy) * width + i32::from(d.dx)) as u16).collect(),
            plan: layout.plan(zone).cloned(),
        }
    }

    /// Those of the grid that a zone is or lies over.
    pub(in crate::table) fn of_ground(layout: &Layout, zone: ZoneId) -> Self {
        Self::new(layout, layout.zone_of(layout.ground_space(layout.model.zone(zone).space())))
    }

    /// From one row to the next.
    pub(in crate::table) const fn width(&self) -> usize {
        self.columns + 2
    }

    /// How many places there are, the border counted.
    pub(in crate::table) const fn places(&self) -> usize {
        self.width() * (self.rows + 2)
    }

    /// Every space.
    pub(in crate::table) fn ids(&self) -> impl Iterator<Item = SpaceId> + use<> {
        (self.start..self.start + self.count).map(SpaceId)
    }

    /// The numbers of its spaces, or of one of them.
    pub(in crate::table) fn numbers(&self, only: Option<SpaceId>) -> Range<usize> {
        only.map_or(0..usize::from(self.count), |space| {
            let number = usize::from(space.0 - self.start);
            number..number + 1
        })
    }

    /// A space with its place, by its number.
    pub(in crate::table) fn numbered(&self, number: usize) -> (SpaceId, u16) {
        let space = SpaceId(self.start + number as u16);
        (space, self.at(space))
    }

    /// The place of a space; the first one of the border for a space of another grid.
    pub(in crate::table) fn at(&self, space: SpaceId) -> u16 {
        let index = space.0.wrapping_sub(self.start);
        if index >= self.count {
            return 0;
        }
        let (x, y) = self.cell(index as usize);
        ((y + 1) * self.width() + x + 1) as u16
    }

    /// The column and the row of a space, by its number in the zone.
    pub(in crate::table) fn cell(&self, index: usize) -> (usize, usize) {
        match self.plan.as_ref().and_then(|plan| plan.cell(index)) {
            Some((x, y)) => (x as usize, y as usize),
            None => (index % self.columns, index / self.columns),
        }
    }

    /// Whether there is a space in a column and a row within the grid.
    pub(in crate::table) fn has(&self, x: i16, y: i16) -> bool {
        self.plan.as_ref().is_none_or(|plan| plan.number(x, y).is_some())
    }

    /// The space at a place.
    pub(in crate::table) fn space(&self, at: u16) -> SpaceId {
        let (x, y) = (at as usize % self.width() - 1, at as usize / self.width() - 1);
        let number = self.plan.as_ref().and_then(|plan| plan.number(x as i16, y as i16));
        SpaceId(self.start + number.unwrap_or((y * self.columns + x) as u16))
    }

    /// The space at a place, where there is one: none on the border.
    pub(in crate::table) fn space_if_any(&self, at: u16) -> Option<SpaceId> {
        let (x, y) = (usize::from(at) % self.width(), usize::from(at) / self.width());
        let is_inside = (1..=self.columns).contains(&x) && (1..=self.rows).contains(&y);
        (is_inside && self.has(x as i16 - 1, y as i16 - 1)).then(|| self.space(at))
    }

    /// The places beside a place: four, or of hexagons six.
    pub(in crate::table) fn beside(&self, at: u16) -> impl Iterator<Item = u16> + '_ {
        self.beside.iter().map(move |by| at.wrapping_add(*by))
    }
}

impl Ground {
    /// The grid a space lies on or over, by a field; each space counts the number of another field, or 1.
    pub(in crate::table) fn new(table: &Table, zone: ZoneId, field: usize, weight: Option<usize>) -> Self {
        let layout = table.layout();
        let lattice = Lattice::of_ground(layout, zone);
        let places = lattice.places();
        let (mut codes_at, mut weights, mut ages) = (vec![0; places], vec![0; places], vec![0; places]);
        let codes = layout.cells.codes(field);
        let numbers = weight.map(|weight| layout.cells.numbers(weight));
        for space in lattice.ids() {
            let Some(print) = table.print_at(space) else { continue };
            let at = usize::from(lattice.at(space));
            codes_at[at] = codes[print as usize];
            weights[at] = numbers.map_or(1, |numbers| numbers[print as usize]);
            ages[at] = table.shows(space).map_or(0, |piece| table.laid(piece));
        }
        Self { lattice, codes: codes_at, weights, ages }
    }

    /// Where a space stands, of this grid or of a zone that lies over it.
    pub(in crate::table) fn at(&self, layout: &Layout, space: SpaceId) -> u16 {
        self.lattice.at(layout.ground_space(space))
    }

    /// Gathers the region a place is in; returns what it counts in all. Nothing is a region where nothing is printed.
    pub(in crate::table) fn gather(&self, from: u16, search: &mut RegionSearch) -> i64 {
        search.gather(&self.lattice, from, |at| self.codes[at as usize]);
        search.found.iter().map(|at| i64::from(self.weights[*at as usize])).sum()
    }

    /// The spaces a search found, those first that have been seen longest.
    pub(in crate::table) fn oldest_first(&self, search: &RegionSearch) -> Vec<SpaceId> {
        let mut found = search.found.clone();
        found.sort_unstable_by_key(|at| (self.ages[*at as usize], *at));
        found.into_iter().map(|at| self.lattice.space(at)).collect()
    }
}

impl RegionSearch {
    /// Gathers the places that hang together with a place and have its code; none where that is 0.
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

    /// Forgets what was found.
    pub(in crate::table) fn begin(&mut self, size: usize) {
        self.seen.resize(size, 0);
        self.epoch += 1;
        self.found.clear();
    }

    /// Notes a place, once.
    pub(in crate::table) fn add(&mut self, at: u16) {
        if self.seen[at as usize] != self.epoch {
            self.seen[at as usize] = self.epoch;
            self.found.push(at);
        }
    }

    /// Whether a place was found.
    pub(in crate::table) fn has(&self, at: u16) -> bool {
        self.seen[at as usize] == self.epoch
    }
}

impl Table {
    /// The spaces connected with a space by squares that say the same in a field, the space itself included; none where it
    /// says nothing. The space that has been seen longest comes first: it stands for the region as long as it is seen, however
    /// the region grows; of regions that join, the older one's does.
    pub fn region(&self, space: SpaceId, field: usize) -> Vec<SpaceId> {
        let ground = Ground::new(self, self.layout.zone_of(space), field, None);
        let mut search = RegionSearch::default();
        ground.gather(ground.at(&self.layout, space), &mut search);
        ground.oldest_first(&search)
    }

    /// The spaces that stand for the regions of a grid, one for each, in the order of the grid.
    pub fn regions(&self, zone: ZoneId, field: usize) -> Vec<SpaceId> {
        let ground = Ground::new(self, zone, field, None);
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

    /// The spaces that can be reached from some spaces in at least one and at most so many steps to neighbors, over some
    /// spaces only; nearest first, each with its distance.
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

/// All that is reached from some things in at least one and at most so many steps, nearest first, each with its distance; none
/// that is `closed`, by `index`.
///
/// # Errors
/// The first that `beside` returns.
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

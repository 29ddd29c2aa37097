//! Connected regions of a grid by what its squares say, and ways over its spaces.

use crate::model::{SpaceId, ZoneId};
use crate::table::{Layout, Table};
use std::convert::Infallible;

/// The spaces of a grid, counted with a border around, so that the four neighbors of each are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::table) struct Lattice {
    start: u16,
    pub(in crate::table) columns: usize,
    pub(in crate::table) rows: usize,
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
pub(in crate::table) struct Search {
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
        Self { start: layout.model.zone(zone).space().0, columns, rows }
    }

    /// From one row to the next.
    pub(in crate::table) const fn width(&self) -> usize {
        self.columns + 2
    }

    /// How many places there are, the border counted.
    pub(in crate::table) const fn places(&self) -> usize {
        self.width() * (self.rows + 2)
    }

    /// Every space with its place.
    pub(in crate::table) fn spaces(self) -> impl Iterator<Item = (SpaceId, u16)> {
        (self.start..self.start + (self.columns * self.rows) as u16).map(move |id| (SpaceId(id), self.at(SpaceId(id))))
    }

    /// The place of a space; the first one of the border for a space of another grid.
    pub(in crate::table) const fn at(&self, space: SpaceId) -> u16 {
        let index = space.0.wrapping_sub(self.start) as usize;
        if index >= self.columns * self.rows {
            return 0;
        }
        ((index / self.columns + 1) * self.width() + index % self.columns + 1) as u16
    }

    /// The space at a place.
    pub(in crate::table) const fn space(&self, at: u16) -> SpaceId {
        let (x, y) = (at as usize % self.width() - 1, at as usize / self.width() - 1);
        SpaceId(self.start + (y * self.columns + x) as u16)
    }

    /// The four places beside a place.
    pub(in crate::table) const fn beside(&self, at: u16) -> [u16; 4] {
        let width = self.width() as u16;
        [at - width, at + 1, at + width, at - 1]
    }
}

impl Ground {
    /// The grid a space lies on or over, by a field; each space counts the number of another field, or 1.
    pub(in crate::table) fn new(table: &Table, zone: ZoneId, field: usize, weight: Option<usize>) -> Self {
        let layout = table.layout();
        let lattice = Lattice::new(layout, layout.zone_of(layout.ground_space(layout.model.zone(zone).space())));
        let places = lattice.places();
        let mut ground = Self { lattice, codes: vec![0; places], weights: vec![0; places], ages: vec![0; places] };
        let codes = layout.cells.codes(field);
        let numbers = weight.map(|weight| layout.cells.numbers(weight));
        for (space, at) in lattice.spaces() {
            let Some(print) = table.print_at(space) else { continue };
            let at = at as usize;
            ground.codes[at] = codes[print as usize];
            ground.weights[at] = numbers.map_or(1, |numbers| numbers[print as usize]);
            ground.ages[at] = table.shows(space).map_or(0, |piece| table.laid(piece));
        }
        ground
    }

    /// Where a space stands, of this grid or of a zone that lies over it.
    pub(in crate::table) fn at(&self, layout: &Layout, space: SpaceId) -> u16 {
        self.lattice.at(layout.ground_space(space))
    }

    /// Gathers the region a place is in; gives what it counts in all. Nothing is a region where nothing is printed.
    pub(in crate::table) fn gather(&self, from: u16, search: &mut Search) -> i64 {
        search.begin(self.codes.len());
        let code = self.codes[from as usize];
        if code == 0 {
            return 0;
        }
        search.add(from);
        let (mut next, mut weight) = (0, 0);
        while let Some(&at) = search.found.get(next) {
            next += 1;
            weight += i64::from(self.weights[at as usize]);
            for beside in self.lattice.beside(at) {
                if self.codes[beside as usize] == code {
                    search.add(beside);
                }
            }
        }
        weight
    }

    /// The spaces a search found, those first that have been seen longest.
    pub(in crate::table) fn oldest_first(&self, search: &Search) -> Vec<SpaceId> {
        let mut found = search.found.clone();
        found.sort_unstable_by_key(|at| (self.ages[*at as usize], *at));
        found.into_iter().map(|at| self.lattice.space(at)).collect()
    }
}

impl Search {
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
        let mut search = Search::default();
        ground.gather(ground.at(&self.layout, space), &mut search);
        ground.oldest_first(&search)
    }

    /// The spaces that stand for the regions of a grid, one for each, in the order of the grid.
    pub fn regions(&self, zone: ZoneId, field: usize) -> Vec<SpaceId> {
        let ground = Ground::new(self, zone, field, None);
        let mut search = Search::default();
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
/// The first that `beside` gives.
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

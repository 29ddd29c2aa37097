//! How the spaces of a row, a ring or a grid lie to each other.

use crate::model::{Seat, Shape, SpaceId, ZoneId};
use crate::table::{Layout, Table};

/// A direction on a grid; `e` and `w` also on rows and rings. North is up, where row numbers are smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direction {
    /// Columns eastward.
    pub dx: i16,
    /// Rows southward.
    pub dy: i16,
}

/// The names of the eight directions, clockwise from north.
const COMPASS: [(&str, i16, i16); 8] =
    [("n", 0, -1), ("ne", 1, -1), ("e", 1, 0), ("se", 1, 1), ("s", 0, 1), ("sw", -1, 1), ("w", -1, 0), ("nw", -1, -1)];

/// The spaces around one, row by row, and itself left out.
pub(in crate::table) type Steps = [Option<SpaceId>; 9];

impl Direction {
    /// The direction with a name: a point of the compass in lower case.
    pub fn named(name: &str) -> Option<Self> {
        COMPASS.iter().find(|(known, ..)| *known == name).map(|&(_, dx, dy)| Self { dx, dy })
    }

    /// Every name, clockwise from north.
    pub fn names() -> impl Iterator<Item = &'static str> {
        COMPASS.iter().map(|(name, ..)| *name)
    }

    /// All eight, clockwise from north.
    pub fn all() -> impl Iterator<Item = Self> {
        COMPASS.iter().map(|&(_, dx, dy)| Self { dx, dy })
    }

    /// Its place among the spaces around one, row by row.
    pub(in crate::table) const fn number(self) -> usize {
        ((self.dy + 1) * 3 + self.dx + 1) as usize
    }

    /// The four that run along rows and columns.
    pub fn orthogonal() -> impl Iterator<Item = Self> {
        Self::all().filter(|d| d.dx == 0 || d.dy == 0)
    }
}

impl Layout {
    /// The column and row of a space within its zone, from 0; a row or ring has one row.
    pub fn cell(&self, space: SpaceId) -> (i16, i16) {
        let zone = self.zone_of(space);
        let at = (space.0 - self.model.zone(zone).spaces.start) as i16;
        let columns = self.traits_of(zone).columns.max(1);
        (at % columns, at / columns)
    }

    /// The space so many columns and rows away, if there is one; a ring goes round.
    pub fn offset(&self, space: SpaceId, dx: i16, dy: i16) -> Option<SpaceId> {
        let zone = self.zone_of(space);
        let traits = self.traits_of(zone);
        let (mut column, row) = self.cell(space);
        column += dx;
        if traits.shape == Shape::Ring {
            column = column.rem_euclid(traits.columns);
        }
        let row = row + dy;
        let inside = (0..traits.columns).contains(&column) && (0..traits.rows).contains(&row);
        inside.then(|| SpaceId(self.model.zone(zone).spaces.start + (row * traits.columns + column) as u16))
    }

    /// The space so many further on along a row or ring (back, below 0), if there is one; a ring goes round.
    pub fn along(&self, space: SpaceId, count: i64) -> Option<SpaceId> {
        let traits = self.traits_of(self.zone_of(space));
        let columns = i64::from(traits.columns.max(1));
        let count = if traits.shape == Shape::Ring { count % columns } else { count.clamp(-columns, columns) };
        self.offset(space, count as i16, 0)
    }

    /// The spaces beside a space.
    pub(in crate::table) fn steps_from(&self, space: SpaceId) -> Steps {
        let mut steps = Steps::default();
        for direction in Direction::all() {
            steps[direction.number()] = self.offset(space, direction.dx, direction.dy);
        }
        steps
    }

    /// The spaces in a direction, nearest first, up to the edge; on a ring once round, the space itself left out.
    pub fn ray(&self, space: SpaceId, direction: Direction) -> impl Iterator<Item = SpaceId> + '_ {
        std::iter::successors(self.step(space, direction), move |&at| self.step(at, direction))
            .take_while(move |&at| at != space)
    }

    /// The spaces beside a space: along rows and columns, and across corners too if asked.
    pub fn neighbors(&self, space: SpaceId, corners: bool) -> impl Iterator<Item = SpaceId> + '_ {
        let ring_of_two = self.traits_of(self.zone_of(space)).columns == 2;
        Direction::all()
            .filter(move |d| corners || d.dx == 0 || d.dy == 0)
            .filter_map(move |d| self.step(space, d))
            .filter(move |&near| near != space)
            .enumerate()
            .filter(move |(at, near)| !(ring_of_two && *at > 0 && self.cell(*near).1 == 0 && self.is_ring(*near)))
            .map(|(_, near)| near)
    }

    fn is_ring(&self, space: SpaceId) -> bool {
        self.traits_of(self.zone_of(space)).shape == Shape::Ring
    }
}

impl Table {
    /// How many spaces in one straight line through a space have a top piece of the same owner: the longest such line.
    pub fn longest_line(&self, space: SpaceId) -> usize {
        let Some(owner) = self.top_owner(space) else { return 0 };
        let axes = [(1, 0), (0, 1), (1, 1), (1, -1)];
        let longest = axes.into_iter().map(|(dx, dy)| {
            1 + self.run(space, owner, Direction { dx, dy }) + self.run(space, owner, Direction { dx: -dx, dy: -dy })
        });
        longest.max().unwrap_or(1)
    }

    /// The empty spaces of a zone behind which, in a direction, something lies or the edge is.
    pub fn resting(&self, zone: ZoneId, direction: Direction) -> impl Iterator<Item = SpaceId> + '_ {
        let spaces = self.model().zone(zone).spaces.clone();
        let whole = usize::from(spaces.start)..usize::from(spaces.end);
        let here = self.stacks[whole.clone()].iter().zip(self.layout.steps(whole));
        spaces.zip(here).filter_map(move |(space, (stack, steps))| {
            let rests = |next: SpaceId| self.stacks[next.index()].height > 0;
            (stack.height == 0 && steps[direction.number()].is_none_or(rests)).then_some(SpaceId(space))
        })
    }

    fn run(&self, space: SpaceId, owner: Seat, direction: Direction) -> usize {
        self.layout.ray(space, direction).take_while(|&at| self.top_owner(at) == Some(owner)).count()
    }

    /// Whose piece lies on top of a space.
    pub fn top_owner(&self, space: SpaceId) -> Option<Seat> {
        self.top(space).and_then(|piece| self.owner(piece))
    }
}

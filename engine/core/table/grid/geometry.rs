//! Geometry of rows, rings and grids: neighbors, directions, lines.

use crate::model::{HexOrientation, Label, Model, Seat, Shape, SpaceId, Tessellation, ZoneId};
use crate::table::{Layout, Table};

/// A direction on a grid. Rows and rings have only `e` and `w`. North is up, toward smaller row numbers.
///
/// On hexagons, a step follows one of three axes. It changes only the column, only the row, or both: one of them increases while the other
/// decreases.
///
/// A direction is the same offset at every space of a zone; lines, rotations and neighbors depend on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direction {
    /// Number of columns to the east; negative to the west.
    pub dx: i16,
    /// Number of rows to the south; negative to the north.
    pub dy: i16,
}

/// Names and offsets of directions, clockwise from north.
type Compass = &'static [(&'static str, i16, i16)];

/// Directions on squares.
const SQUARE: Compass =
    &[("n", 0, -1), ("ne", 1, -1), ("e", 1, 0), ("se", 1, 1), ("s", 0, 1), ("sw", -1, 1), ("w", -1, 0), ("nw", -1, -1)];

/// Directions on hexagons with a corner at the top.
const POINTY: Compass = &[("ne", 1, -1), ("e", 1, 0), ("se", 0, 1), ("sw", -1, 1), ("w", -1, 0), ("nw", 0, -1)];

/// Directions on hexagons with a side at the top.
const FLAT: Compass = &[("n", 0, -1), ("ne", 1, -1), ("se", 1, 0), ("s", 0, 1), ("sw", -1, 1), ("nw", -1, 0)];

/// The neighbors of a space, row by row, indexed by [`Direction::number`]. The middle entry is empty.
pub(in crate::table) type Steps = [Option<SpaceId>; 9];

/// Neighbors of all spaces in one list. `ends` contains the end of each space's range in this list.
#[derive(Debug, Default)]
pub(in crate::table) struct Adjacency {
    ends: Vec<u32>,
    spaces: Vec<SpaceId>,
}

impl Adjacency {
    /// Lists the neighbors of all spaces. If `corners` is set, includes the neighbors across corners.
    pub(in crate::table) fn new(layout: &Layout, corners: bool) -> Self {
        let mut found = Self::default();
        for space in (0..layout.model.spaces.len()).map(SpaceId::at) {
            found.spaces.extend(layout.neighbors_from(space, corners));
            found.ends.push(found.spaces.len() as u32);
        }
        found
    }

    /// Returns the neighbors of a space.
    #[inline]
    fn of(&self, space: SpaceId) -> &[SpaceId] {
        let start = if space.0 == 0 { 0 } else { self.ends[space.index() - 1] };
        &self.spaces[start as usize..self.ends[space.index()] as usize]
    }
}

/// Coordinates of the hexagons of a zone within their bounding box.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::table) struct Plan {
    columns: i16,
    rows: i16,
    /// Column and row of each space, from 0.
    cells: Vec<(i16, i16)>,
    /// Index of the space at each column and row, in row-major order. `None` where there is no hexagon.
    numbers: Vec<Option<u16>>,
}

impl Plan {
    /// Computes the coordinates of a zone's hexagons.
    pub(in crate::table) fn new(model: &Model, zone: ZoneId) -> Self {
        let (family, (left, top)) = (model.family_of(zone), corner(model, zone));
        let cells: Vec<(i16, i16)> = labels(model, zone).map(|(column, row)| (column - left, row - top)).collect();
        let (columns, rows) = (family.columns as i16, family.rows as i16);
        let mut numbers = vec![None; family.columns as usize * family.rows as usize];
        for (number, (column, row)) in cells.iter().enumerate() {
            numbers[*row as usize * columns as usize + *column as usize] = Some(number as u16);
        }
        Self { columns, rows, cells, numbers }
    }

    /// Returns the index of the space at a column and row.
    pub(in crate::table) fn number(&self, column: i16, row: i16) -> Option<u16> {
        let inside = (0..self.columns).contains(&column) && (0..self.rows).contains(&row);
        if inside { self.numbers[row as usize * self.columns as usize + column as usize] } else { None }
    }
}

/// Iterates over the columns and rows in the labels of a zone's spaces. Other labels count as column 0, row 0.
fn labels(model: &Model, zone: ZoneId) -> impl Iterator<Item = (i16, i16)> {
    model.zone(zone).spaces.clone().map(|space| match model.space(SpaceId(space)).label {
        Label::Cell(column, row) => (column, row),
        _ => (0, 0),
    })
}

/// Returns the smallest column and the smallest row in the labels of a zone's spaces.
pub(in crate::table) fn corner(model: &Model, zone: ZoneId) -> (i16, i16) {
    let least = |of: fn((i16, i16)) -> i16| labels(model, zone).map(of).min().unwrap_or_default();
    (least(|at| at.0), least(|at| at.1))
}

impl Direction {
    const fn compass(tessellation: Tessellation) -> Compass {
        match tessellation {
            Tessellation::Square => SQUARE,
            Tessellation::Hex(HexOrientation::Pointy) => POINTY,
            Tessellation::Hex(HexOrientation::Flat) => FLAT,
        }
    }

    /// Parses the name of a direction on a tessellation, such as `ne`.
    pub fn named(name: &str, tessellation: Tessellation) -> Option<Self> {
        // Names have at most two bytes. Comparing these one by one is faster than a general string comparison.
        let is_named = |known: &str| known.len() == name.len() && known.bytes().eq(name.bytes());
        Self::compass(tessellation).iter().find(|(known, ..)| is_named(known)).map(|&(_, dx, dy)| Self { dx, dy })
    }

    /// Iterates over the names of all directions on a tessellation, clockwise from north.
    pub fn names(tessellation: Tessellation) -> impl Iterator<Item = &'static str> {
        Self::compass(tessellation).iter().map(|(name, ..)| *name)
    }

    /// Returns the names of the directions of all tessellations, each once.
    pub fn all_names() -> Vec<&'static str> {
        let mut names = Vec::new();
        for name in Tessellation::ALL.into_iter().flat_map(Self::names) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Iterates over all directions on a tessellation, clockwise from north.
    pub fn all(tessellation: Tessellation) -> impl Iterator<Item = Self> {
        Self::compass(tessellation).iter().map(|&(_, dx, dy)| Self { dx, dy })
    }

    /// Iterates over the directions that cross an edge of a space, clockwise from north.
    pub(crate) fn to_neighbors(tessellation: Tessellation) -> impl Iterator<Item = Self> {
        Self::all(tessellation).filter(move |direction| direction.crosses_edge(tessellation))
    }

    /// Returns whether a step crosses an edge of a space, and not only a corner.
    const fn crosses_edge(self, tessellation: Tessellation) -> bool {
        match tessellation {
            Tessellation::Square => self.dx == 0 || self.dy == 0,
            Tessellation::Hex(_) => true,
        }
    }

    /// Returns the index of the direction in [`Steps`].
    #[inline]
    pub(in crate::table) const fn number(self) -> usize {
        ((self.dy + 1) * 3 + self.dx + 1) as usize
    }
}

impl Layout {
    /// Returns the column and row of a space within its zone, from 0. Rows and rings have a single row.
    pub fn cell(&self, space: SpaceId) -> (i16, i16) {
        let zone = self.zone_of(space);
        let at = (space.0 - self.model.zone(zone).spaces.start) as i16;
        if let Some(plan) = self.plan(zone) {
            return plan.cells[at as usize];
        }
        let columns = self.traits_of(zone).columns.max(1);
        (at % columns, at / columns)
    }

    /// Returns the space at an offset in columns and rows; `None` beyond the edge. Rings wrap around.
    pub fn offset(&self, space: SpaceId, dx: i16, dy: i16) -> Option<SpaceId> {
        let zone = self.zone_of(space);
        let (column, row) = self.cell(space);
        self.space_in(zone, column + dx, row + dy)
    }

    /// Returns the space of a zone at a column and row, from 0. Rings wrap around.
    fn space_in(&self, zone: ZoneId, mut column: i16, row: i16) -> Option<SpaceId> {
        let (traits, start) = (self.traits_of(zone), self.model.zone(zone).spaces.start);
        if let Some(plan) = self.plan(zone) {
            return plan.number(column, row).map(|number| SpaceId(start + number));
        }
        if traits.shape == Shape::Ring {
            column = column.rem_euclid(traits.columns);
        }
        let inside = (0..traits.columns).contains(&column) && (0..traits.rows).contains(&row);
        inside.then(|| SpaceId(start + (row * traits.columns + column) as u16))
    }

    /// Returns the shape of a space's zone.
    #[inline]
    pub fn shape_at(&self, space: SpaceId) -> Shape {
        self.traits_of(self.zone_of(space)).shape
    }

    /// Returns the space `count` steps further along a row or ring; `None` beyond the end of a row. A negative count goes backward. Rings
    /// wrap around.
    pub fn along(&self, space: SpaceId, count: i64) -> Option<SpaceId> {
        let traits = self.traits_of(self.zone_of(space));
        let columns = i64::from(traits.columns.max(1));
        let count = if traits.shape == Shape::Ring { count % columns } else { count.clamp(-columns, columns) };
        self.offset(space, count as i16, 0)
    }

    /// Returns the neighbors of a space, by direction.
    pub(in crate::table) fn steps_from(&self, space: SpaceId) -> Steps {
        let mut steps = Steps::default();
        for direction in Direction::all(self.shape_at(space).tessellation()) {
            steps[direction.number()] = self.offset(space, direction.dx, direction.dy);
        }
        steps
    }

    /// Iterates over the spaces in a direction, nearest first, up to the edge. On a ring, goes around once and ends
    /// before the space itself.
    pub fn ray(&self, space: SpaceId, direction: Direction) -> impl Iterator<Item = SpaceId> + '_ {
        std::iter::successors(self.step(space, direction), move |&at| self.step(at, direction))
            .take_while(move |&at| at != space)
    }

    /// Iterates over the neighbors of a space, clockwise from north. If `corners` is set, includes the neighbors across corners, which
    /// hexagons do not have.
    #[inline]
    pub fn neighbors(&self, space: SpaceId, corners: bool) -> impl Iterator<Item = SpaceId> + '_ {
        self.adjacency[usize::from(corners)].of(space).iter().copied()
    }

    /// Computes the [`neighbors`](Self::neighbors) of a space from its [`Steps`].
    fn neighbors_from(&self, space: SpaceId, corners: bool) -> impl Iterator<Item = SpaceId> + '_ {
        let tessellation = self.shape_at(space).tessellation();
        // On a ring of two spaces, east and west lead to the same neighbor, which must be listed only once.
        let ring_of_two = self.traits_of(self.zone_of(space)).columns == 2;
        Direction::all(tessellation)
            .filter(move |direction| corners || direction.crosses_edge(tessellation))
            .filter_map(move |direction| self.step(space, direction))
            .filter(move |&near| near != space)
            .enumerate()
            .filter(move |(at, near)| !(ring_of_two && *at > 0 && self.cell(*near).1 == 0 && self.is_ring(*near)))
            .map(|(_, near)| near)
    }

    /// Returns the space whose label is this column and row; `None` if the zone has no such space.
    pub fn space_at(&self, zone: ZoneId, column: i64, row: i64) -> Option<SpaceId> {
        let is_labeled = |space: &SpaceId| match self.model.space(*space).label {
            Label::Cell(own_column, own_row) => (i64::from(own_column), i64::from(own_row)) == (column, row),
            _ => false,
        };
        let (left, top) = self.traits_of(zone).corner;
        let offset = |at: i64, first: i16| i16::try_from(at.checked_sub(first.into())?).ok();
        self.space_in(zone, offset(column, left)?, offset(row, top)?).filter(is_labeled)
    }

    /// Returns the spaces on the straight line between two spaces, one for each step, nearest to `from` first. The two ends are not
    /// included. Steps that are off the board are left out.
    ///
    /// The result is in the zone of `from`, even if `to` is above or below it. `None` if the spaces are not on the same grid. If the line
    /// passes exactly between two spaces, the choice is the same in both directions; if one of the two is off the board, the other is
    /// chosen. On hexagons, points are spaced evenly along the line and rounded (Amit Patel, "Hexagonal Grids").
    pub fn between(&self, from: SpaceId, to: SpaceId) -> Option<Vec<SpaceId>> {
        let zone = self.zone_of(from);
        let shape = self.shape_at(from);
        let to = self.counterpart(to, zone).filter(|_| shape.is_grid())?;
        let (a, b) = (self.cell(from), self.cell(to));
        let (dx, dy) = (i64::from(b.0 - a.0), i64::from(b.1 - a.1));
        let straight = dx.abs().max(dy.abs());
        let count = match shape.tessellation() {
            Tessellation::Square => straight,
            Tessellation::Hex(_) => straight.max((dx + dy).abs()),
        };
        let point = |step: i64, side: i64| {
            // Fixed-point numbers with `count * SUBDIVISIONS` units per space. The offsets `more` keep every point away
            // from the edges between spaces.
            let unit = count * SUBDIVISIONS;
            let along = |from: i64, by: i64, more: i64| (from * count + by * step) * SUBDIVISIONS + side * more;
            let (x, y) = (along(a.0.into(), dx, 1), along(a.1.into(), dy, 2));
            match shape.tessellation() {
                Tessellation::Square => (rounded(x, unit), rounded(y, unit)),
                Tessellation::Hex(_) => nearest_hexagon([x, y, along(i64::from(-a.0 - a.1), -dx - dy, -3)], unit),
            }
        };
        let space = |(x, y): (i64, i64)| self.space_in(zone, x as i16, y as i16);
        let inner = (1..count).filter_map(|step| [1, -1].into_iter().find_map(|side| space(point(step, side))));
        Some(inner.collect())
    }

    fn is_ring(&self, space: SpaceId) -> bool {
        self.traits_of(self.zone_of(space)).shape == Shape::Ring
    }
}

/// Fixed-point resolution of lines. Points are moved away from edges by a few of these units.
const SUBDIVISIONS: i64 = 1_000;

/// Rounds the fraction `part / unit` to the nearest integer.
const fn rounded(part: i64, unit: i64) -> i64 {
    (2 * part + unit).div_euclid(2 * unit)
}

/// Rounds a point to a hexagon. The three cube coordinates sum to 0, so the one with the largest rounding error is
/// computed from the other two.
fn nearest_hexagon(point: [i64; 3], unit: i64) -> (i64, i64) {
    let [x, y, z] = point.map(|part| rounded(part, unit));
    let [far_x, far_y, far_z] =
        [(point[0], x), (point[1], y), (point[2], z)].map(|(part, at)| (part - at * unit).abs());
    if far_x > far_y && far_x > far_z {
        (-y - z, y)
    } else if far_y > far_z {
        (x, -x - z)
    } else {
        (x, y)
    }
}

impl Table {
    /// Returns the length of the longest straight line through `space` on which all top pieces have the same owner; 0 if the top piece of
    /// `space` has no owner.
    pub fn longest_line(&self, space: SpaceId) -> usize {
        let Some(owner) = self.top_owner(space) else { return 0 };
        // One direction of each axis is enough, since the opposite direction is counted together with it.
        let axes = Direction::all(self.layout.shape_at(space).tessellation()).filter(|d| (d.dx, d.dy) > (0, 0));
        let longest = axes.map(|Direction { dx, dy }| {
            1 + self.run_length(space, owner, Direction { dx, dy })
                + self.run_length(space, owner, Direction { dx: -dx, dy: -dy })
        });
        // Around a ring, both directions lead to the same pieces.
        let spaces = self.layout.spaces_of(self.layout.zone_of(space)).len();
        longest.max().unwrap_or(1).min(spaces)
    }

    /// Iterates over those empty spaces of a zone from which a step in `direction` leads to an occupied space or beyond the edge.
    pub fn resting_spaces(&self, zone: ZoneId, direction: Direction) -> impl Iterator<Item = SpaceId> + '_ {
        let rests = |next: SpaceId| self.occupied.contains(next);
        let gaps = self.occupied.gaps_in(self.layout.spaces_of(zone));
        gaps.filter(move |space| self.layout.step(*space, direction).is_none_or(rests))
    }

    fn run_length(&self, space: SpaceId, owner: Seat, direction: Direction) -> usize {
        self.layout.ray(space, direction).take_while(|&at| self.top_owner(at) == Some(owner)).count()
    }

    /// Returns the owner of the top piece of a space.
    pub fn top_owner(&self, space: SpaceId) -> Option<Seat> {
        self.top(space).and_then(|piece| self.owner(piece))
    }
}

//! How the spaces of a row, a ring or a grid lie to each other.

use crate::model::{Label, Model, Seat, Shape, SpaceId, Tops, ZoneId};
use crate::table::{Layout, Table};

/// A direction on a grid; `e` and `w` also on rows and rings. North is up, where row numbers are smaller. A step on hexagons leads
/// along their two axes, columns and rows, or along the third, a column further and a row back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direction {
    /// Columns eastward.
    pub dx: i16,
    /// Rows southward.
    pub dy: i16,
}

/// The names of directions, clockwise from north.
type Compass = &'static [(&'static str, i16, i16)];

const SQUARE: Compass =
    &[("n", 0, -1), ("ne", 1, -1), ("e", 1, 0), ("se", 1, 1), ("s", 0, 1), ("sw", -1, 1), ("w", -1, 0), ("nw", -1, -1)];

const POINTY: Compass = &[("ne", 1, -1), ("e", 1, 0), ("se", 0, 1), ("sw", -1, 1), ("w", -1, 0), ("nw", 0, -1)];

const FLAT: Compass = &[("n", 0, -1), ("ne", 1, -1), ("se", 1, 0), ("s", 0, 1), ("sw", -1, 1), ("nw", -1, 0)];

/// The spaces around one, row by row, and itself left out.
pub(in crate::table) type Steps = [Option<SpaceId>; 9];

/// Where the hexagons of a zone lie within the columns and rows around them.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::table) struct Plan {
    columns: i16,
    rows: i16,
    /// The column and the row of each space of the zone, from 0.
    cells: Vec<(i16, i16)>,
    /// The number of the space in each column and row, row by row.
    numbers: Vec<Option<u16>>,
}

impl Plan {
    /// Of a zone of hexagons.
    pub(in crate::table) fn new(model: &Model, zone: ZoneId) -> Self {
        let (family, spaces) = (model.family_of(zone), model.zone(zone).spaces.clone());
        let label = |space: u16| match model.space(SpaceId(space)).label {
            Label::Cell(column, row) => (column, row),
            _ => (0, 0),
        };
        let least = |of: fn((i16, i16)) -> i16| spaces.clone().map(|space| of(label(space))).min().unwrap_or_default();
        let (left, top) = (least(|at| at.0), least(|at| at.1));
        let cells: Vec<(i16, i16)> = spaces.map(label).map(|(column, row)| (column - left, row - top)).collect();
        let (columns, rows) = (family.columns as i16, family.rows as i16);
        let mut numbers = vec![None; family.columns as usize * family.rows as usize];
        for (number, (column, row)) in cells.iter().enumerate() {
            numbers[*row as usize * columns as usize + *column as usize] = Some(number as u16);
        }
        Self { columns, rows, cells, numbers }
    }

    /// The column and the row of a space, by its number in the zone.
    pub(in crate::table) fn cell(&self, number: usize) -> Option<(i16, i16)> {
        self.cells.get(number).copied()
    }

    /// The number of the space in a column and a row.
    pub(in crate::table) fn number(&self, column: i16, row: i16) -> Option<u16> {
        let inside = (0..self.columns).contains(&column) && (0..self.rows).contains(&row);
        if inside { self.numbers[row as usize * self.columns as usize + column as usize] } else { None }
    }
}

impl Direction {
    fn compass(shape: Shape) -> Compass {
        match shape.tops() {
            None => SQUARE,
            Some(Tops::Pointy) => POINTY,
            Some(Tops::Flat) => FLAT,
        }
    }

    /// The direction with a name in a zone of a shape: a point of the compass in lower case.
    pub fn named(name: &str, shape: Shape) -> Option<Self> {
        Self::compass(shape).iter().find(|(known, ..)| *known == name).map(|&(_, dx, dy)| Self { dx, dy })
    }

    /// Every name in a zone of a shape, clockwise from north.
    pub fn names(shape: Shape) -> impl Iterator<Item = &'static str> {
        Self::compass(shape).iter().map(|(name, ..)| *name)
    }

    /// All of a zone of a shape, clockwise from north.
    pub fn all(shape: Shape) -> impl Iterator<Item = Self> {
        Self::compass(shape).iter().map(|&(_, dx, dy)| Self { dx, dy })
    }

    /// Those that lead to neighbors, clockwise from north: across the edges of squares, and of hexagons.
    pub(crate) fn to_neighbors(tops: Option<Tops>) -> impl Iterator<Item = Self> {
        let all = Self::all(tops.map_or(Shape::Grid, Shape::Hex));
        all.filter(move |d| tops.is_some() || d.dx == 0 || d.dy == 0)
    }

    /// Its place among the spaces around one, row by row.
    pub(in crate::table) const fn number(self) -> usize {
        ((self.dy + 1) * 3 + self.dx + 1) as usize
    }
}

impl Layout {
    /// The column and row of a space within its zone, from 0; a row or ring has one row.
    pub fn cell(&self, space: SpaceId) -> (i16, i16) {
        let zone = self.zone_of(space);
        let at = (space.0 - self.model.zone(zone).spaces.start) as i16;
        if let Some(plan) = self.plan(zone) {
            return plan.cells[at as usize];
        }
        let columns = self.traits_of(zone).columns.max(1);
        (at % columns, at / columns)
    }

    /// The space so many columns and rows away, if there is one; a ring goes round.
    pub fn offset(&self, space: SpaceId, dx: i16, dy: i16) -> Option<SpaceId> {
        let zone = self.zone_of(space);
        let (column, row) = self.cell(space);
        self.space_in(zone, column + dx, row + dy)
    }

    /// The space of a zone in a column and a row, counted from 0, if there is one; a ring goes round.
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

    /// The shape of the zone a space is in.
    pub fn shape_at(&self, space: SpaceId) -> Shape {
        self.traits_of(self.zone_of(space)).shape
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
        for direction in Direction::all(self.shape_at(space)) {
            steps[direction.number()] = self.offset(space, direction.dx, direction.dy);
        }
        steps
    }

    /// The spaces in a direction, nearest first, up to the edge; on a ring once round, the space itself left out.
    pub fn ray(&self, space: SpaceId, direction: Direction) -> impl Iterator<Item = SpaceId> + '_ {
        std::iter::successors(self.step(space, direction), move |&at| self.step(at, direction))
            .take_while(move |&at| at != space)
    }

    /// The spaces beside a space: along rows and columns, and across corners too if asked. Hexagons have no others across corners.
    pub fn neighbors(&self, space: SpaceId, corners: bool) -> impl Iterator<Item = SpaceId> + '_ {
        let shape = self.shape_at(space);
        let ring_of_two = self.traits_of(self.zone_of(space)).columns == 2;
        Direction::all(shape)
            .filter(move |d| corners || shape.tops().is_some() || d.dx == 0 || d.dy == 0)
            .filter_map(move |d| self.step(space, d))
            .filter(move |&near| near != space)
            .enumerate()
            .filter(move |(at, near)| !(ring_of_two && *at > 0 && self.cell(*near).1 == 0 && self.is_ring(*near)))
            .map(|(_, near)| near)
    }

    /// The spaces on the straight line from the middle of a space to the middle of another, one for each step, nearest first, both left
    /// out; in the zone of the first, where the other lies above or below it. None where both do not lie on one grid. Where the line runs
    /// between two spaces, it is the same one in both directions: where one of them is off the board, the other. (Hexagons: the nearest
    /// to points evenly along the line, as Amit Patel describes.)
    pub fn between(&self, from: SpaceId, to: SpaceId) -> Option<Vec<SpaceId>> {
        let zone = self.zone_of(from);
        let shape = self.shape_at(from);
        let to = self.counterpart(to, zone).filter(|_| shape.is_grid())?;
        let (a, b) = (self.cell(from), self.cell(to));
        let third = |(x, y): (i16, i16)| i64::from(-x - y);
        let (dx, dy) = (i64::from(b.0 - a.0), i64::from(b.1 - a.1));
        let is_hex = shape.tops().is_some();
        let count = dx.abs().max(dy.abs()).max(if is_hex { (dx + dy).abs() } else { 0 });
        let point = |step: i64, side: i64| {
            // Whole numbers, so many to a space, with a little more in one direction, so that nothing lies on an edge.
            let whole = count * FINE;
            let along = |from: i64, by: i64, more: i64| (from * count + by * step) * FINE + side * more;
            let (x, y) = (along(a.0.into(), dx, 1), along(a.1.into(), dy, 2));
            if is_hex {
                nearest_hexagon([x, y, along(third(a), -dx - dy, -3)], whole)
            } else {
                (nearest(x, whole), nearest(y, whole))
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

/// How finely lines are told apart.
const FINE: i64 = 1_000;

/// The whole number next to a fraction.
const fn nearest(part: i64, whole: i64) -> i64 {
    (2 * part + whole).div_euclid(2 * whole)
}

/// The hexagon that a point lies in, by three coordinates that make up 0: the one that is furthest from a whole number follows from
/// the others.
fn nearest_hexagon(point: [i64; 3], whole: i64) -> (i64, i64) {
    let [x, y, z] = point.map(|part| nearest(part, whole));
    let [far_x, far_y, far_z] =
        [(point[0], x), (point[1], y), (point[2], z)].map(|(part, at)| (part - at * whole).abs());
    if far_x > far_y && far_x > far_z {
        (-y - z, y)
    } else if far_y > far_z {
        (x, -x - z)
    } else {
        (x, y)
    }
}

impl Table {
    /// How many spaces in one straight line through a space have a top piece of the same owner: the longest such line.
    pub fn longest_line(&self, space: SpaceId) -> usize {
        let Some(owner) = self.top_owner(space) else { return 0 };
        // Half of the directions: their opposites are the other half.
        let axes = Direction::all(self.layout.shape_at(space)).filter(|d| (d.dx, d.dy) > (0, 0));
        let longest = axes.map(|Direction { dx, dy }| {
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

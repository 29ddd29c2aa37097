//! Geometry of square and hexagonal grids, in drawings and in text.

use super::svg::{Element, Svg};
use crate::model::{HexOrientation, Tessellation};
use crate::table::Direction;
use std::fmt::Write as _;

/// An edge of a space: the offset in columns and rows to the neighbor on the other side of the edge, and the end points
/// of the edge.
pub(crate) type Edge = ((i16, i16), (i32, i32), (i32, i32));

/// Number of a column or row, and where it is written in a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AxisLabel {
    /// Position of the text: the middle of its baseline.
    pub position: (i32, i32),
    /// Whether the label belongs to a column rather than a row.
    pub is_column: bool,
    /// The column or row.
    pub number: i16,
}

/// Width of the row numbers to the left of a map, in characters.
const LABEL_WIDTH: usize = 6;

/// Function that returns the column or the row of a space.
type Coordinate = fn((i16, i16)) -> i16;

/// Geometry of the spaces in a drawing. All spaces have the same size.
#[derive(Debug, Clone, Copy)]
pub struct Tiling {
    /// Tessellation of the spaces.
    pub tessellation: Tessellation,
    /// Distance between opposite edges of a space.
    pub side: i32,
}

impl Tiling {
    /// Returns the fraction `thousandths / 1000` of the side length.
    const fn part(self, thousandths: i32) -> i32 {
        self.side * thousandths / 1000
    }

    /// Returns the center of the space in a column and row, relative to the center of the space in column 0 and row 0.
    pub fn middle(self, (column, row): (i16, i16)) -> (i32, i32) {
        let (column, row) = (i32::from(column), i32::from(row));
        match self.tessellation {
            Tessellation::Square => (column * self.side, row * self.side),
            Tessellation::Hex(HexOrientation::Pointy) => ((2 * column + row) * self.side / 2, self.part(866 * row)),
            Tessellation::Hex(HexOrientation::Flat) => (self.part(866 * column), (2 * row + column) * self.side / 2),
        }
    }

    /// Returns half the width and half the height of a space.
    pub fn extent_from_center(self) -> (i32, i32) {
        let corners = self.corners();
        (
            corners.iter().map(|at| at.0).max().unwrap_or_default(),
            corners.iter().map(|at| at.1).max().unwrap_or_default(),
        )
    }

    /// Returns the corners of a space relative to its center, clockwise. The edge from a corner to the next one leads to the neighbor with
    /// the same index in [`neighbor_offsets`](Self::neighbor_offsets).
    pub(crate) fn corners(self) -> Vec<(i32, i32)> {
        let (half, far, near) = (self.side / 2, self.part(577), self.part(289));
        match self.tessellation {
            Tessellation::Square => vec![(-half, -half), (half, -half), (half, half), (-half, half)],
            Tessellation::Hex(HexOrientation::Pointy) => {
                vec![(0, -far), (half, -near), (half, near), (0, far), (-half, near), (-half, -near)]
            }
            Tessellation::Hex(HexOrientation::Flat) => {
                vec![(-near, -half), (near, -half), (far, 0), (near, half), (-near, half), (-far, 0)]
            }
        }
    }

    /// Returns the offset in columns and rows to the neighbor across each edge. The edges are in the order of [`corners`](Self::corners).
    pub(crate) fn neighbor_offsets(self) -> impl Iterator<Item = (i16, i16)> + use<> {
        Direction::to_neighbors(self.tessellation).map(|direction| (direction.dx, direction.dy))
    }

    /// Starts the SVG element for the space whose center is at `(x, y)`.
    pub fn space(self, (x, y): (i32, i32), svg: &mut Svg) -> Element<'_> {
        match self.tessellation {
            Tessellation::Square => {
                let side = self.side;
                svg.rect((x - side / 2, y - side / 2), (side, side))
            }
            Tessellation::Hex(_) => svg.polygon(self.corners().into_iter().map(|(dx, dy)| (x + dx, y + dy))),
        }
    }

    /// Returns the edges of the space whose center is at `(x, y)`.
    pub(crate) fn edges(self, (x, y): (i32, i32)) -> Vec<Edge> {
        let corners = self.corners();
        let ends = corners.iter().zip(corners.iter().cycle().skip(1));
        let at = |(dx, dy): (i32, i32)| (x + dx, y + dy);
        self.neighbor_offsets().zip(ends).map(|(offset, (from, to))| (offset, at(*from), at(*to))).collect()
    }

    /// Returns the minimum and maximum coordinates of the centers of the given spaces.
    pub fn bounds(self, places: &[(i16, i16)]) -> ((i32, i32), (i32, i32)) {
        let middles = || places.iter().map(|at| self.middle(*at));
        let (xs, ys) = (|| middles().map(|at| at.0), || middles().map(|at| at.1));
        let least = (xs().min().unwrap_or_default(), ys().min().unwrap_or_default());
        (least, (xs().max().unwrap_or_default(), ys().max().unwrap_or_default()))
    }

    /// Returns the labels of the columns and rows. Column numbers are above the grid, and row numbers are `gap`
    /// units to the left of the grid. Rows of flat hexagons and columns of pointy hexagons are slanted, so each of their numbers is beside
    /// the first space of its row or column instead.
    pub fn axis_labels(self, places: &[(i16, i16)], gap: i32) -> Vec<AxisLabel> {
        let ((left, top), _) = self.bounds(places);
        let (mut columns, mut rows): (Vec<(i16, i16)>, Vec<(i16, i16)>) = (Vec::new(), Vec::new());
        for &(column, row) in places {
            match columns.iter_mut().find(|(known, _)| *known == column) {
                Some((_, first)) => *first = row.min(*first),
                None => columns.push((column, row)),
            }
            match rows.iter_mut().find(|(_, known)| *known == row) {
                Some((first, _)) => *first = column.min(*first),
                None => rows.push((column, row)),
            }
        }
        let column_head = |(column, row): (i16, i16)| {
            let (x, y) = self.middle((column, row - 1));
            let at = match self.tessellation {
                Tessellation::Hex(HexOrientation::Pointy) => (x + self.side / 8, y + self.side / 5 + 4),
                Tessellation::Square | Tessellation::Hex(HexOrientation::Flat) => (x, top - self.side / 2 - 6),
            };
            AxisLabel { position: at, is_column: true, number: column }
        };
        let row_head = |(column, row): (i16, i16)| {
            let (x, y) = self.middle((column - 1, row));
            let at = match self.tessellation {
                Tessellation::Hex(HexOrientation::Flat) => (x + self.side / 5, y + self.side / 8 + 4),
                Tessellation::Square | Tessellation::Hex(HexOrientation::Pointy) => (left - self.side / 2 - gap, y + 4),
            };
            AxisLabel { position: at, is_column: false, number: row }
        };
        columns.into_iter().map(column_head).chain(rows.into_iter().map(row_head)).collect()
    }
}

/// Draws hexagons as text. `width` is the number of characters for each hexagon. A row of pointy hexagons is a line that is shifted by half
/// a hexagon from the line above. A line of flat hexagons contains every second column.
pub(crate) fn hexagon_lines(orientation: HexOrientation, spaces: &[((i16, i16), String)], width: usize) -> Vec<String> {
    let half = width.div_ceil(2);
    // Returns the line of a space, and its distance from the left margin in half spaces.
    let position = |(column, row): (i16, i16)| match orientation {
        HexOrientation::Pointy => (row, 2 * column + row),
        HexOrientation::Flat => (2 * row + column, 2 * column),
    };
    let places: Vec<(i16, i16)> = spaces.iter().map(|(at, _)| *at).collect();
    let first = |fixed: Coordinate, value: i16, other: Coordinate| {
        let all = places.iter().filter(|at| fixed(**at) == value);
        all.map(|at| other(*at)).min().unwrap_or_default()
    };
    let (column_of, row_of): (Coordinate, Coordinate) = (|at| at.0, |at| at.1);
    let mut columns: Vec<i16> = places.iter().map(|at| at.0).collect();
    let mut rows: Vec<i16> = places.iter().map(|at| at.1).collect();
    for numbers in [&mut columns, &mut rows] {
        numbers.sort_unstable();
        numbers.dedup();
    }
    let top = places.iter().map(|at| position(*at).0).min().unwrap_or_default();
    let mut labels: Vec<(i16, i16, String)> = Vec::new();
    for (at, text) in spaces {
        let (line, x) = position(*at);
        labels.push((line, x, text.clone()));
    }
    for column in &columns {
        let (line, x) = position((*column, first(column_of, *column, row_of) - 1));
        labels.push((if orientation == HexOrientation::Pointy { line } else { top - 2 }, x, column.to_string()));
    }
    for row in rows.iter().filter(|_| orientation == HexOrientation::Flat) {
        let (line, x) = position((first(row_of, *row, column_of) - 1, *row));
        labels.push((line, x, row.to_string()));
    }
    labels.sort_by_key(|(line, x, _)| (*line, *x));
    let left = labels.iter().map(|(_, x, _)| *x).min().unwrap_or_default();
    let mut lines = Vec::new();
    let last = labels.iter().map(|(line, ..)| *line).max().unwrap_or_default();
    let begin = labels.iter().map(|(line, ..)| *line).min().unwrap_or_default();
    for number in begin..=last {
        let is_row = orientation == HexOrientation::Pointy && rows.contains(&number);
        let mut line = if is_row { format!("{number:>4}  ") } else { " ".repeat(LABEL_WIDTH) };
        for (_, x, text) in labels.iter().filter(|(line, ..)| *line == number) {
            let at = LABEL_WIDTH + (x - left) as usize * half;
            let _ = write!(line, "{}{text}", " ".repeat(at.saturating_sub(line.chars().count())));
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// Like `hexagon_lines`, but splits the drawing into parts, one below another, if the lines would be longer than `room` characters.
pub fn hexagon_parts(
    orientation: HexOrientation,
    spaces: &[((i16, i16), String)],
    width: usize,
    room: usize,
) -> Vec<String> {
    let across = |(column, row): (i16, i16)| match orientation {
        HexOrientation::Pointy => 2 * column + row,
        HexOrientation::Flat => 2 * column,
    };
    let left = spaces.iter().map(|(at, _)| across(*at)).min().unwrap_or_default();
    // The numbers of rows and columns take up to two additional half spaces.
    let halves = (room.saturating_sub(LABEL_WIDTH) / width.div_ceil(2)).saturating_sub(2).max(4) as i16;
    let part_of = |at: (i16, i16)| (across(at) - left) / halves;
    let last = spaces.iter().map(|(at, _)| part_of(*at)).max().unwrap_or_default();
    let mut lines = Vec::new();
    for part in 0..=last {
        let within: Vec<((i16, i16), String)> = spaces.iter().filter(|(at, _)| part_of(*at) == part).cloned().collect();
        lines.extend(hexagon_lines(orientation, &within, width));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Tiling, hexagon_lines, hexagon_parts};
    use crate::model::{HexOrientation, Tessellation};

    #[test]
    fn neighbors_share_an_edge() {
        for tessellation in Tessellation::ALL {
            let tiling = Tiling { tessellation, side: 1000 };
            for (offset, from, to) in tiling.edges((0, 0)) {
                let middle = tiling.middle(offset);
                let is_shared = |(_, a, b): &((i16, i16), (i32, i32), (i32, i32))| {
                    let near =
                        |one: (i32, i32), other: (i32, i32)| one.0.abs_diff(other.0) + one.1.abs_diff(other.1) < 10;
                    near(*a, to) && near(*b, from)
                };
                assert_eq!(
                    tiling.edges(middle).iter().filter(|edge| is_shared(edge)).count(),
                    1,
                    "{tessellation:?} {offset:?}"
                );
            }
        }
    }

    #[test]
    fn lines_of_hexagons_are_shifted() {
        let spaces: Vec<((i16, i16), String)> =
            [(0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1)].map(|at| (at, "*".to_owned())).to_vec();
        let pointy = hexagon_lines(HexOrientation::Pointy, &spaces, 4);
        assert_eq!(pointy, ["        0   1", "  -1  -1  *   *", "   0    *   *   *", "   1      *   *"]);
        let flat = hexagon_lines(HexOrientation::Flat, &spaces, 4);
        let lines = [
            "          -1  0   1",
            "          -1",
            "      0       *",
            "          *       *",
            "      1       *",
            "          *       *",
            "              *",
        ];
        assert_eq!(flat, lines);
    }

    #[test]
    fn wide_maps_are_drawn_in_parts() {
        for orientation in [HexOrientation::Pointy, HexOrientation::Flat] {
            let spaces: Vec<((i16, i16), String)> =
                (0..40).flat_map(|column| (0..3).map(move |row| ((column, row), "ab".to_owned()))).collect();
            let lines = hexagon_parts(orientation, &spaces, 6, 60);
            assert!(lines.iter().all(|line| line.chars().count() <= 60), "{}", lines.join("\n"));
            assert_eq!(lines.iter().map(|line| line.matches("ab").count()).sum::<usize>(), spaces.len());
            assert_eq!(hexagon_parts(orientation, &spaces[..12], 6, 60), hexagon_lines(orientation, &spaces[..12], 6));
        }
    }
}

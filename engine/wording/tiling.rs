//! Where the spaces of a grid stand in a drawing and in lines of text: squares or hexagons.

use crate::model::Tops;
use crate::table::Direction;
use std::fmt::Write as _;

/// An edge of a space: the columns and rows that lead across it, and its ends.
pub(crate) type Edge = ((i16, i16), (i32, i32), (i32, i32));

/// The column or the row of a place.
type Coordinate = fn((i16, i16)) -> i16;

/// Spaces of one size in a drawing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tiling {
    /// How hexagons stand; nothing for squares.
    pub(crate) tops: Option<Tops>,
    /// From one edge to the one opposite.
    pub(crate) side: i32,
}

impl Tiling {
    /// So much in thousandths of a side.
    const fn part(self, thousandths: i32) -> i32 {
        self.side * thousandths / 1000
    }

    /// The middle of the space in a column and a row, seen from that of the space in column 0 and row 0.
    pub(crate) fn middle(self, (column, row): (i16, i16)) -> (i32, i32) {
        let (column, row) = (i32::from(column), i32::from(row));
        match self.tops {
            None => (column * self.side, row * self.side),
            Some(Tops::Pointy) => ((2 * column + row) * self.side / 2, self.part(866 * row)),
            Some(Tops::Flat) => (self.part(866 * column), (2 * row + column) * self.side / 2),
        }
    }

    #[cfg(feature = "system")]
    /// How far a space reaches from its middle, to the east and to the south.
    pub(crate) fn reach(self) -> (i32, i32) {
        let corners = self.corners();
        (
            corners.iter().map(|at| at.0).max().unwrap_or_default(),
            corners.iter().map(|at| at.1).max().unwrap_or_default(),
        )
    }

    /// The corners of a space around its middle, clockwise: from each to the next runs the edge to one of `beside`.
    pub(crate) fn corners(self) -> Vec<(i32, i32)> {
        let (half, far, near) = (self.side / 2, self.part(577), self.part(289));
        match self.tops {
            None => vec![(-half, -half), (half, -half), (half, half), (-half, half)],
            Some(Tops::Pointy) => {
                vec![(0, -far), (half, -near), (half, near), (0, far), (-half, near), (-half, -near)]
            }
            Some(Tops::Flat) => {
                vec![(-near, -half), (near, -half), (far, 0), (near, half), (-near, half), (-far, 0)]
            }
        }
    }

    /// The columns and rows that lead across each edge, in their order.
    pub(crate) fn beside(self) -> impl Iterator<Item = (i16, i16)> + use<> {
        Direction::to_neighbors(self.tops).map(|direction| (direction.dx, direction.dy))
    }

    /// A space as an element of SVG, with other attributes.
    pub(crate) fn element(self, (x, y): (i32, i32), attributes: &str) -> String {
        if self.tops.is_none() {
            let side = self.side;
            let (x, y) = (x - side / 2, y - side / 2);
            return format!("<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" {attributes}/>");
        }
        let points: Vec<String> = self.corners().iter().map(|(dx, dy)| format!("{},{}", x + dx, y + dy)).collect();
        format!("<polygon points=\"{}\" {attributes}/>", points.join(" "))
    }

    /// The edges of a space, each with the columns and rows that lead across it and its ends.
    pub(crate) fn edges(self, (x, y): (i32, i32)) -> Vec<Edge> {
        let corners = self.corners();
        let ends = corners.iter().zip(corners.iter().cycle().skip(1));
        let at = |(dx, dy): (i32, i32)| (x + dx, y + dy);
        self.beside().zip(ends).map(|(beside, (from, to))| (beside, at(*from), at(*to))).collect()
    }

    /// The least and the largest of the middles of some spaces.
    pub(crate) fn bounds(self, places: &[(i16, i16)]) -> ((i32, i32), (i32, i32)) {
        let middles = || places.iter().map(|at| self.middle(*at));
        let (xs, ys) = (|| middles().map(|at| at.0), || middles().map(|at| at.1));
        let least = (xs().min().unwrap_or_default(), ys().min().unwrap_or_default());
        (least, (xs().max().unwrap_or_default(), ys().max().unwrap_or_default()))
    }

    /// The numbers of the columns and rows of some spaces, each with where it is written: beside the first space of a row, with a gap,
    /// and above the first of a column. Rows of hexagons with an edge up slant, and so do columns of those with a corner up: each has its
    /// number where it begins, and the others at the border of the whole.
    pub(crate) fn heads(self, places: &[(i16, i16)], gap: i32) -> Vec<((i32, i32), i16)> {
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
            let at = match self.tops {
                Some(Tops::Pointy) => (x + self.side / 8, y + self.side / 5 + 4),
                _ => (x, top - self.side / 2 - 6),
            };
            (at, column)
        };
        let row_head = |(column, row): (i16, i16)| {
            let (x, y) = self.middle((column - 1, row));
            let at = match self.tops {
                Some(Tops::Flat) => (x + self.side / 5, y + self.side / 8 + 4),
                _ => (left - self.side / 2 - gap, y + 4),
            };
            (at, row)
        };
        columns.into_iter().map(column_head).chain(rows.into_iter().map(row_head)).collect()
    }
}

/// Hexagons in lines of text, what is written on each in so many characters, with the numbers of columns and rows. Rows of hexagons
/// with a corner up are lines, each half a hexagon further than the one above; of hexagons with an edge up a line has every second column.
pub(crate) fn hexagons_in_lines(tops: Tops, spaces: &[((i16, i16), String)], width: usize) -> Vec<String> {
    let half = width.div_ceil(2);
    // Where a space stands: its line, and how many halves of a space from the left.
    let stand = |(column, row): (i16, i16)| match tops {
        Tops::Pointy => (row, 2 * column + row),
        Tops::Flat => (2 * row + column, 2 * column),
    };
    let places: Vec<(i16, i16)> = spaces.iter().map(|(at, _)| *at).collect();
    let first = |of: Coordinate, by: i16, other: Coordinate| {
        let all = places.iter().filter(|at| of(**at) == by);
        all.map(|at| other(*at)).min().unwrap_or_default()
    };
    let (column_of, row_of): (Coordinate, Coordinate) = (|at| at.0, |at| at.1);
    let mut columns: Vec<i16> = places.iter().map(|at| at.0).collect();
    let mut rows: Vec<i16> = places.iter().map(|at| at.1).collect();
    for numbers in [&mut columns, &mut rows] {
        numbers.sort_unstable();
        numbers.dedup();
    }
    let top = places.iter().map(|at| stand(*at).0).min().unwrap_or_default();
    let mut written: Vec<(i16, i16, String)> = Vec::new();
    for (at, text) in spaces {
        let (line, x) = stand(*at);
        written.push((line, x, text.clone()));
    }
    for column in &columns {
        let (line, x) = stand((*column, first(column_of, *column, row_of) - 1));
        written.push((if tops == Tops::Pointy { line } else { top - 2 }, x, column.to_string()));
    }
    for row in rows.iter().filter(|_| tops == Tops::Flat) {
        let (line, x) = stand((first(row_of, *row, column_of) - 1, *row));
        written.push((line, x, row.to_string()));
    }
    written.sort_by_key(|(line, x, _)| (*line, *x));
    let left = written.iter().map(|(_, x, _)| *x).min().unwrap_or_default();
    let mut lines = Vec::new();
    let last = written.iter().map(|(line, ..)| *line).max().unwrap_or_default();
    let begin = written.iter().map(|(line, ..)| *line).min().unwrap_or_default();
    for number in begin..=last {
        let is_row = tops == Tops::Pointy && rows.contains(&number);
        let mut line = if is_row { format!("{number:>4}  ") } else { " ".repeat(6) };
        for (_, x, text) in written.iter().filter(|(line, ..)| *line == number) {
            let at = 6 + (x - left) as usize * half;
            let _ = write!(line, "{}{text}", " ".repeat(at.saturating_sub(line.chars().count())));
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Tiling, hexagons_in_lines};
    use crate::model::Tops;

    #[test]
    fn the_edge_to_a_neighbor_is_shared_with_it() {
        for tops in [None, Some(Tops::Pointy), Some(Tops::Flat)] {
            let tiling = Tiling { tops, side: 1000 };
            for (beside, from, to) in tiling.edges((0, 0)) {
                let middle = tiling.middle(beside);
                let is_shared = |(_, a, b): &((i16, i16), (i32, i32), (i32, i32))| {
                    let near =
                        |one: (i32, i32), other: (i32, i32)| one.0.abs_diff(other.0) + one.1.abs_diff(other.1) < 10;
                    near(*a, to) && near(*b, from)
                };
                assert_eq!(
                    tiling.edges(middle).iter().filter(|edge| is_shared(edge)).count(),
                    1,
                    "{tops:?} {beside:?}"
                );
            }
        }
    }

    #[test]
    fn hexagons_stand_between_those_of_the_line_above() {
        let spaces: Vec<((i16, i16), String)> =
            [(0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1)].map(|at| (at, "*".to_owned())).to_vec();
        let pointy = hexagons_in_lines(Tops::Pointy, &spaces, 4);
        assert_eq!(pointy, ["        0   1", "  -1  -1  *   *", "   0    *   *   *", "   1      *   *"]);
        let flat = hexagons_in_lines(Tops::Flat, &spaces, 4);
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
}

//! Places labels on a drawing by cost. Each label takes its cheapest spot. Every area that a label covers becomes more expensive for the
//! labels after it.

use super::svg::{Element, Svg};

/// Cost per unit of a label's area that is already covered.
const COVERED: i64 = 5;

/// Cost per unit of length of a line that runs under a label.
const CROSSED: i64 = 9;

/// A rectangular area of a drawing.
#[allow(missing_docs, reason = "the fields are named after the edges")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rect {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Rect {
    /// Returns the rectangle with the given center and size.
    pub const fn around((x, y): (i32, i32), (width, height): (i32, i32)) -> Self {
        Self { left: x - width / 2, top: y - height / 2, right: x + width - width / 2, bottom: y + height - height / 2 }
    }

    /// Returns the smallest rectangle that contains both rectangles.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Returns the center of the area.
    pub const fn center(self) -> (i32, i32) {
        (i32::midpoint(self.left, self.right), i32::midpoint(self.top, self.bottom))
    }

    /// Starts the rectangle as an SVG element.
    pub fn draw(self, svg: &mut Svg) -> Element<'_> {
        svg.rect((self.left, self.top), (self.right - self.left, self.bottom - self.top))
    }

    fn overlap(self, other: Self) -> i64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        if width > 0 && height > 0 { i64::from(width) * i64::from(height) } else { 0 }
    }

    /// Returns the length of the part of a line that is within the area (Liang and Barsky's clipping).
    fn overlap_with_line(self, from: (i32, i32), to: (i32, i32)) -> i64 {
        const WHOLE: i64 = 1_000;
        let (dx, dy) = (i64::from(to.0 - from.0), i64::from(to.1 - from.1));
        let (mut enters, mut leaves) = (0, WHOLE);
        let sides = [
            (-dx, i64::from(from.0 - self.left)),
            (dx, i64::from(self.right - from.0)),
            (-dy, i64::from(from.1 - self.top)),
            (dy, i64::from(self.bottom - from.1)),
        ];
        for (slope, room) in sides {
            match slope {
                0 if room < 0 => return 0,
                0 => {}
                slope if slope < 0 => enters = enters.max(room * WHOLE / slope),
                slope => leaves = leaves.min(room * WHOLE / slope),
            }
        }
        if enters >= leaves { 0 } else { (dx * dx + dy * dy).isqrt() * (leaves - enters) / WHOLE }
    }
}

/// The areas and lines that have been placed so far.
#[derive(Debug, Default)]
pub struct LabelPlacer {
    taken: Vec<Rect>,
    lines: Vec<((i32, i32), (i32, i32))>,
}

impl LabelPlacer {
    /// Adds an area that labels avoid.
    pub fn take(&mut self, area: Rect) {
        self.taken.push(area);
    }

    /// Adds a line that labels avoid.
    pub fn draw_line(&mut self, from: (i32, i32), to: (i32, i32)) {
        self.lines.push((from, to));
    }

    /// Places a label on its cheapest spot. Each spot comes with its own cost, which is 0 for the preferred spot. The areas and lines that
    /// the label would cover there add to this cost. Among equally cheap spots, the first one is taken. Returns `None` if there are no
    /// spots.
    pub fn place(&mut self, spots: impl IntoIterator<Item = (Rect, i64)>) -> Option<Rect> {
        let cost = |(area, own): &(Rect, i64)| {
            let covered: i64 = self.taken.iter().map(|other| area.overlap(*other)).sum();
            let crossed: i64 = self.lines.iter().map(|(from, to)| area.overlap_with_line(*from, *to)).sum();
            own + covered * COVERED + crossed * CROSSED
        };
        let (area, _) = spots.into_iter().min_by_key(cost)?;
        self.taken.push(area);
        Some(area)
    }
}

#[cfg(test)]
mod tests {
    use super::{LabelPlacer, Rect};

    #[test]
    fn labels_avoid_earlier_labels_and_lines() {
        let mut placer = LabelPlacer::default();
        let [first, second, third] = [0, 40, 80].map(|x| Rect { left: x, top: 0, right: x + 30, bottom: 10 });
        let spots = [(first, 0), (second, 10), (third, 20)];
        assert_eq!(placer.place(spots), Some(first));
        assert_eq!(placer.place(spots), Some(second));
        placer.draw_line((75, -5), (115, 15));
        let below = Rect { left: 80, top: 30, right: 110, bottom: 40 };
        assert_eq!(placer.place([(third, 0), (below, 50)]), Some(below));
        assert_eq!(placer.place([]), None);
    }

    #[test]
    fn the_part_of_a_line_within_an_area_is_measured() {
        let area = Rect { left: 0, top: 0, right: 10, bottom: 10 };
        assert_eq!(area.overlap_with_line((-10, 5), (20, 5)), 9);
        assert_eq!(area.overlap_with_line((2, 2), (2, 8)), 6);
        assert_eq!(area.overlap_with_line((-5, -5), (-5, 20)), 0);
        assert_eq!(area.overlap_with_line((20, 0), (30, 10)), 0);
    }
}

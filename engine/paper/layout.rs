//! Layout of a sheet: a centered grid of pieces with their bleed, and the crop marks around it.

use crate::faces::Size;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Paper format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paper {
    /// 210 × 297 mm.
    #[default]
    A4,
    /// 8.5 × 11 inches (215.9 × 279.4 mm).
    Letter,
}

/// Length in tenths of a millimeter, the finest unit of a layout.
pub(super) type Tenths = u32;

/// Distances between the pieces on a sheet, in tenths of a millimeter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spacing {
    /// Width by which the image of a piece extends beyond its cut line on each side.
    pub bleed: u32,
    /// Distance between two neighboring pieces.
    pub gutter: u32,
}

impl Spacing {
    /// No bleed and no gutter: neighboring pieces share their edge, so that one cut separates them.
    pub const NONE: Self = Self { bleed: 0, gutter: 0 };

    /// Creates the spacing for a bleed, with a gutter that has room for the bleed of both neighbors.
    pub const fn with_bleed(bleed: u32) -> Self {
        Self { bleed, gutter: 2 * bleed }
    }

    /// Returns whether neighboring pieces share an edge, so that one cut separates them.
    pub(super) const fn shares_edges(self) -> bool {
        self.gutter == 0
    }
}

impl Default for Spacing {
    /// Returns a spacing with 3 mm of bleed, which most card printers require.
    fn default() -> Self {
        Self::with_bleed(30)
    }
}

/// Minimum margin. Printers leave a margin of up to 6.35 mm (a quarter of an inch) blank, and crop marks need some room.
const MARGIN: Tenths = 70;

/// Margin at the top and bottom that leaves room for the footer. Large pieces have [`MARGIN`] instead, because otherwise fewer of them
/// would fit.
const WIDE_MARGIN: Tenths = 125;
/// Minimum height of a large piece.
const LARGE_PIECE: Tenths = 600;

/// Length of crop marks.
const MARK_LENGTH: Tenths = 30;
/// Distance of crop marks from the pieces and their bleed.
const MARK_DISTANCE: Tenths = 10;

impl Paper {
    /// Returns width and height in tenths of a millimeter.
    pub(super) const fn size(self) -> (Tenths, Tenths) {
        match self {
            Self::A4 => (2100, 2970),
            Self::Letter => (2159, 2794),
        }
    }

    /// Returns width and height in millimeters, formatted for CSS.
    pub(super) fn millimeters(self) -> (String, String) {
        let (width, height) = self.size();
        (tenths(width), tenths(height))
    }

    /// Returns the width and height of the area within the margins.
    pub(super) const fn room(self) -> (Tenths, Tenths) {
        let (width, height) = self.size();
        (width - 2 * MARGIN, height - 2 * MARGIN)
    }
}

/// Formats a length as a number of millimeters for CSS.
pub(super) fn tenths(length: Tenths) -> String {
    if length.is_multiple_of(10) { (length / 10).to_string() } else { format!("{}.{}", length / 10, length % 10) }
}

/// A rectangle on a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: Tenths,
    pub(super) top: Tenths,
    pub(super) width: Tenths,
    pub(super) height: Tenths,
}

impl Area {
    /// Returns the position and size as CSS declarations.
    pub(super) fn style(self) -> String {
        let [left, top, width, height] = [self.left, self.top, self.width, self.height].map(tenths);
        format!("left:{left}mm;top:{top}mm;width:{width}mm;height:{height}mm")
    }

    /// Returns the area enlarged on all sides by a border of this width. The result is cut off at the top and left edges of the sheet.
    pub(super) const fn with_border(self, by: Tenths) -> Self {
        let (left, top) = (self.left.saturating_sub(by), self.top.saturating_sub(by));
        Self { left, top, width: self.left + self.width + by - left, height: self.top + self.height + by - top }
    }
}

/// Grid of pieces of one size on a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SheetGrid {
    columns: u32,
    rows: u32,
    left: Tenths,
    top: Tenths,
    side: (Tenths, Tenths),
    is_turned: bool,
    spacing: Spacing,
}

/// Position of a piece on a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    /// Area of the piece after cutting.
    pub(super) area: Area,
    /// Whether the piece lies on its side. Its top is then to the left on the front of a sheet, and to the right on the back.
    pub(super) is_turned: bool,
}

impl SheetGrid {
    /// Creates a grid with as many pieces as fit. Turns the pieces on their side if over a fifth more of them fit that way. If no piece
    /// fits, the grid has a single position.
    pub(super) fn new(paper: Paper, size: Size, spacing: Spacing) -> Self {
        let side = (u32::from(size.width) * 10, u32::from(size.height) * 10);
        let [upright, turned] = [(side, false), ((side.1, side.0), true)]
            .map(|(side, is_turned)| Self::of_side(paper, side, is_turned, spacing));
        // If only a few more pieces fit, turning them is not worthwhile.
        if turned.number() * 5 > upright.number() * 6 {
            turned
        } else if upright.number() == 0 {
            Self { columns: 1, rows: 1, ..upright }.centered(paper)
        } else {
            upright
        }
    }

    fn of_side(paper: Paper, side: (Tenths, Tenths), is_turned: bool, spacing: Spacing) -> Self {
        let ((width, height), gutter) = (paper.size(), spacing.gutter);
        let margin = if side.1 >= LARGE_PIECE { MARGIN } else { WIDE_MARGIN };
        let fitting = |room: Tenths, side: Tenths| (room + gutter) / (side + gutter);
        let (columns, rows) = (fitting(width - 2 * MARGIN, side.0), fitting(height - 2 * margin, side.1));
        Self { columns, rows, left: 0, top: 0, side, is_turned, spacing }.centered(paper)
    }

    fn centered(self, paper: Paper) -> Self {
        let gutter = self.spacing.gutter;
        let used = |count: u32, side: Tenths| (count * (side + gutter)).saturating_sub(gutter);
        let middle = |whole: Tenths, part: Tenths| whole.saturating_sub(part) / 2;
        let (width, height) = paper.size();
        let (left, top) =
            (middle(width, used(self.columns, self.side.0)), middle(height, used(self.rows, self.side.1)));
        Self { left, top, ..self }
    }

    /// Returns the number of positions on a sheet.
    pub(super) const fn number(&self) -> usize {
        (self.columns * self.rows) as usize
    }

    /// Iterates over the positions, row by row.
    pub(super) fn slots(self) -> impl Iterator<Item = Slot> {
        let ((width, height), gutter) = (self.side, self.spacing.gutter);
        let at = move |row, column| Slot {
            area: Area {
                left: self.left + column * (width + gutter),
                top: self.top + row * (height + gutter),
                width,
                height,
            },
            is_turned: self.is_turned,
        };
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| at(row, column)))
    }

    /// Returns whether there is room for a footer below the grid.
    pub(super) fn has_foot(&self, paper: Paper) -> bool {
        let bottom = self.slots().map(|slot| slot.area.top + slot.area.height).max().unwrap_or_default();
        bottom + WIDE_MARGIN <= paper.size().1
    }
}

impl Slot {
    /// Returns the position on the back of the sheet that lies behind this one if the sheet is turned over its long edge.
    pub(super) const fn mirrored(&self, paper: Paper) -> Self {
        let (width, _) = paper.size();
        let left = (width - self.area.left).saturating_sub(self.area.width);
        Self { area: Area { left, ..self.area }, ..*self }
    }
}

/// Returns the x coordinates and the y coordinates of the edges of all slots.
fn cuts(slots: &[Slot]) -> (BTreeSet<Tenths>, BTreeSet<Tenths>) {
    let across = slots.iter().flat_map(|slot| [slot.area.left, slot.area.left + slot.area.width]);
    let down = slots.iter().flat_map(|slot| [slot.area.top, slot.area.top + slot.area.height]);
    (across.collect(), down.collect())
}

/// Renders the crop marks for the occupied slots.
pub(super) fn marks(slots: &[Slot], spacing: Spacing) -> String {
    let (across, down) = cuts(slots);
    let (Some(left), Some(right), Some(top), Some(bottom)) = (across.first(), across.last(), down.first(), down.last())
    else {
        return String::new();
    };
    let away = spacing.bleed + MARK_DISTANCE;
    let mut marks = String::new();
    for &cut in &across {
        line(&mut marks, "cut", cut, top.saturating_sub(away + MARK_LENGTH), MARK_LENGTH, true);
        line(&mut marks, "cut", cut, bottom + away, MARK_LENGTH, true);
    }
    for &cut in &down {
        line(&mut marks, "cut", left.saturating_sub(away + MARK_LENGTH), cut, MARK_LENGTH, false);
        line(&mut marks, "cut", right + away, cut, MARK_LENGTH, false);
    }
    marks
}

/// Renders hairlines along the edges that neighboring occupied slots share. Without them, faces without a border would run into each other.
pub(super) fn dividing_lines(slots: &[Slot]) -> String {
    let mut lines = String::new();
    for slot in slots {
        let Area { left, top, width, height } = slot.area;
        let touches = |x: Tenths, y: Tenths| slots.iter().any(|other| (other.area.left, other.area.top) == (x, y));
        if touches(left + width, top) {
            line(&mut lines, "edge", left + width, top, height, true);
        }
        if touches(left, top + height) {
            line(&mut lines, "edge", left, top + height, width, false);
        }
    }
    lines
}

/// Appends a line of 0.2 mm (`cut`) or 0.1 mm (`edge`) to `lines`. Its middle lies on the given coordinate.
fn line(lines: &mut String, class: &str, left: Tenths, top: Tenths, length: Tenths, is_down: bool) {
    let (thick, half) = if class == "cut" { ("0.2mm", "0.1mm") } else { ("0.1mm", "0.05mm") };
    let centered = |length: Tenths| format!("calc({}mm - {half})", tenths(length));
    let (long, left, top) = if is_down {
        (format!("width:{thick};height:{}mm", tenths(length)), centered(left), format!("{}mm", tenths(top)))
    } else {
        (format!("width:{}mm;height:{thick}", tenths(length)), format!("{}mm", tenths(left)), centered(top))
    };
    let _ = writeln!(lines, "<i class=\"{class}\" style=\"left:{left};top:{top};{long}\"></i>");
}

#[cfg(test)]
mod tests {
    use super::{Area, Paper, SheetGrid, Slot, Spacing, dividing_lines, marks};
    use crate::faces::Size;

    const CARD: Size = Size { width: 63, height: 88 };

    fn slots(paper: Paper, spacing: Spacing) -> Vec<Slot> {
        SheetGrid::new(paper, CARD, spacing).slots().collect()
    }

    #[test]
    fn nine_poker_cards_without_bleed_fit_on_a_sheet() {
        for paper in [Paper::A4, Paper::Letter] {
            let slots = slots(paper, Spacing::NONE);
            assert_eq!(slots.len(), 9);
            assert!(slots.iter().all(|slot| (slot.area.width, slot.area.height) == (630, 880) && !slot.is_turned));
            let (width, height) = paper.size();
            let (first, last) = (slots[0].area, slots[8].area);
            assert!(first.left.abs_diff(width - (last.left + 630)) <= 1);
            assert!(first.top.abs_diff(height - (last.top + 880)) <= 1);
        }
        let first = slots(Paper::A4, Spacing::NONE)[0].area;
        assert_eq!(first.style(), "left:10.5mm;top:16.5mm;width:63mm;height:88mm");
        assert_eq!(first.with_border(30).style(), "left:7.5mm;top:13.5mm;width:69mm;height:94mm");
        let corner = Area { left: 10, top: 20, width: 100, height: 100 };
        assert_eq!(corner.with_border(30), Area { left: 0, top: 0, width: 140, height: 150 });
    }

    #[test]
    fn eight_poker_cards_with_bleed_fit_on_their_side() {
        let slots = slots(Paper::A4, Spacing::default());
        assert_eq!(slots.len(), 8);
        assert!(slots.iter().all(|slot| slot.is_turned && (slot.area.width, slot.area.height) == (880, 630)));
        let gap = slots[1].area.left - (slots[0].area.left + 880);
        assert_eq!((gap, slots[2].area.top - (slots[0].area.top + 630)), (60, 60));
    }

    #[test]
    fn backs_are_behind_their_fronts() {
        let a4 = slots(Paper::A4, Spacing::NONE);
        assert_eq!(a4[0].mirrored(Paper::A4), a4[2]);
        assert_eq!(a4[4].mirrored(Paper::A4), a4[4]);
        let letter = slots(Paper::Letter, Spacing::NONE);
        assert!(letter[3].mirrored(Paper::Letter).area.left.abs_diff(letter[5].area.left) <= 1);
    }

    #[test]
    fn only_occupied_positions_have_crop_marks_and_lines_between_them() {
        let slots = slots(Paper::A4, Spacing::NONE);
        let number = |slots: &[Slot]| marks(slots, Spacing::NONE).lines().count();
        assert_eq!((number(&slots), number(&slots[..4])), (16, 14));
        assert_eq!((number(&slots[..1]), number(&[])), (8, 0));
        let lines = |slots: &[Slot]| dividing_lines(slots).lines().count();
        assert_eq!((lines(&slots), lines(&slots[..4]), lines(&slots[..1])), (12, 3, 0));
        // On the reverse side, the marks belong to the mirrored slots.
        let back = slots[0].mirrored(Paper::A4);
        let marks = marks(&[back], Spacing::NONE);
        assert!(marks.contains("left:calc(136.5mm - 0.1mm)") && !marks.contains("calc(10.5mm"));
    }

    #[test]
    fn a_piece_larger_than_a_sheet_has_its_own() {
        let number = |width, height| SheetGrid::new(Paper::A4, Size { width, height }, Spacing::NONE).number();
        assert_eq!((number(400, 400), number(280, 100), number(20, 20)), (1, 1, 9 * 13));
    }
}

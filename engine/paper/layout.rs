//! Layout of a sheet: a centered grid without gaps, so that each cut separates two pieces.

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
type Tenths = u32;

/// Minimum margin. Printers omit up to 5 mm, and crop marks need some room.
const MARGIN: Tenths = 70;

/// Margin at the top and bottom that leaves room for the footer. Not used for large pieces that would not fit otherwise.
const WIDE_MARGIN: Tenths = 125;
const LARGE_PIECE: Tenths = 600;

/// Length of crop marks, and their distance from the pieces.
const MARK_LENGTH: Tenths = 40;
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

    /// Returns the printable area.
    pub(super) const fn room(self) -> (Tenths, Tenths) {
        let (width, height) = self.size();
        (width - 2 * MARGIN, height - 2 * MARGIN)
    }
}

/// Formats a length in millimeters for CSS.
pub(super) fn tenths(length: Tenths) -> String {
    if length.is_multiple_of(10) { (length / 10).to_string() } else { format!("{}.{}", length / 10, length % 10) }
}

/// Grid of pieces of one size on a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SheetGrid {
    columns: u32,
    rows: u32,
    left: Tenths,
    top: Tenths,
    side: (Tenths, Tenths),
}

/// Position of a piece on a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    left: Tenths,
    top: Tenths,
    side: (Tenths, Tenths),
}

impl SheetGrid {
    /// Creates a grid with as many pieces as fit. If a piece is larger than the sheet, the grid has only this one.
    pub(super) fn new(paper: Paper, size: Size) -> Self {
        let side = (u32::from(size.width) * 10, u32::from(size.height) * 10);
        let room = paper.room();
        let (width, height) = paper.size();
        let rows = (height - 2 * WIDE_MARGIN) / side.1;
        let rows = if side.1 >= LARGE_PIECE { room.1 / side.1 } else { rows };
        let (columns, rows) = ((room.0 / side.0).max(1), rows.max(1));
        let middle = |whole: Tenths, part: Tenths| whole.saturating_sub(part) / 2;
        Self { columns, rows, left: middle(width, columns * side.0), top: middle(height, rows * side.1), side }
    }

    /// Returns the number of pieces on a sheet.
    pub(super) const fn number(&self) -> usize {
        (self.columns * self.rows) as usize
    }

    /// Iterates over the positions, row by row.
    pub(super) fn slots(self) -> impl Iterator<Item = Slot> {
        let at = move |row, column| Slot {
            left: self.left + column * self.side.0,
            top: self.top + row * self.side.1,
            side: self.side,
        };
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| at(row, column)))
    }

    /// Returns whether there is room for a footer.
    pub(super) fn has_foot(&self, paper: Paper) -> bool {
        self.top + self.rows * self.side.1 + WIDE_MARGIN <= paper.size().1
    }
}

/// Renders the crop marks for occupied positions.
pub(super) fn marks(slots: &[Slot]) -> String {
    let ends = |start: &dyn Fn(&Slot) -> Tenths, side: &dyn Fn(&Slot) -> Tenths| -> BTreeSet<Tenths> {
        slots.iter().flat_map(|slot| [start(slot), start(slot) + side(slot)]).collect()
    };
    let (across, down) = (ends(&|slot| slot.left, &|slot| slot.side.0), ends(&|slot| slot.top, &|slot| slot.side.1));
    let (Some(left), Some(right), Some(top), Some(bottom)) = (across.first(), across.last(), down.first(), down.last())
    else {
        return String::new();
    };
    let mut marks = String::new();
    let mut mark = |left: Tenths, top: Tenths, is_down: bool| {
        let (wide, high) =
            if is_down { ("0.2", tenths(MARK_LENGTH)) } else { (&*tenths(MARK_LENGTH), "0.2".to_owned()) };
        let back = |length: Tenths| format!("calc({}mm - 0.1mm)", tenths(length));
        let (left, top) = if is_down {
            (back(left), format!("{}mm", tenths(top)))
        } else {
            (format!("{}mm", tenths(left)), back(top))
        };
        let _ = writeln!(marks, "<i class=\"cut\" style=\"left:{left};top:{top};width:{wide}mm;height:{high}mm\"></i>");
    };
    for &cut in &across {
        mark(cut, top.saturating_sub(MARK_DISTANCE + MARK_LENGTH), true);
        mark(cut, bottom + MARK_DISTANCE, true);
    }
    for &cut in &down {
        mark(left.saturating_sub(MARK_DISTANCE + MARK_LENGTH), cut, false);
        mark(right + MARK_DISTANCE, cut, false);
    }
    marks
}

impl Slot {
    /// Returns the position behind this one after turning the sheet over its long edge.
    pub(super) const fn mirrored(&self, paper: Paper) -> Self {
        let (width, _) = paper.size();
        Self { left: (width - self.left).saturating_sub(self.side.0), ..*self }
    }

    /// Returns the position as CSS declarations.
    pub(super) fn style(&self) -> String {
        let [left, top, wide, high] = [self.left, self.top, self.side.0, self.side.1].map(tenths);
        format!("left:{left}mm;top:{top}mm;width:{wide}mm;height:{high}mm")
    }
}

#[cfg(test)]
mod tests {
    use super::{Paper, SheetGrid, Slot, marks};
    use crate::faces::Size;

    const CARD: Size = Size { width: 63, height: 88 };

    #[test]
    fn nine_poker_cards_fit_on_a_sheet() {
        for paper in [Paper::A4, Paper::Letter] {
            let grid = SheetGrid::new(paper, CARD);
            assert_eq!(grid.number(), 9);
            let slots: Vec<Slot> = grid.slots().collect();
            assert!(slots.iter().all(|slot| slot.side == (630, 880)));
            let (width, height) = paper.size();
            let (first, last) = (slots[0], slots[8]);
            assert!(first.left.abs_diff(width - (last.left + 630)) <= 1);
            assert!(first.top.abs_diff(height - (last.top + 880)) <= 1);
        }
        assert_eq!(
            SheetGrid::new(Paper::A4, CARD).slots().next().unwrap().style(),
            "left:10.5mm;top:16.5mm;width:63mm;height:88mm"
        );
    }

    #[test]
    fn backs_are_behind_their_fronts() {
        let slots: Vec<Slot> = SheetGrid::new(Paper::A4, CARD).slots().collect();
        assert_eq!(slots[0].mirrored(Paper::A4), slots[2]);
        assert_eq!(slots[4].mirrored(Paper::A4), slots[4]);
        let letter: Vec<Slot> = SheetGrid::new(Paper::Letter, CARD).slots().collect();
        assert!(letter[3].mirrored(Paper::Letter).left.abs_diff(letter[5].left) <= 1);
    }

    #[test]
    fn only_occupied_positions_have_crop_marks() {
        let slots: Vec<Slot> = SheetGrid::new(Paper::A4, CARD).slots().collect();
        let number = |slots: &[Slot]| marks(slots).lines().count();
        assert_eq!((number(&slots), number(&slots[..4])), (16, 14));
        assert_eq!((number(&slots[..1]), number(&[])), (8, 0));
        // On the reverse side, the marks belong to the mirrored positions.
        let back = slots[0].mirrored(Paper::A4);
        assert!(marks(&[back]).contains("left:calc(136.5mm - 0.1mm)") && !marks(&[back]).contains("calc(10.5mm"));
    }

    #[test]
    fn a_piece_larger_than_a_sheet_has_its_own() {
        assert_eq!(SheetGrid::new(Paper::A4, Size { width: 400, height: 400 }).number(), 1);
        assert_eq!(SheetGrid::new(Paper::A4, Size { width: 20, height: 20 }).number(), 9 * 13);
    }
}

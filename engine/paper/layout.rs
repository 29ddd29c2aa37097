//! Where things lie on a sheet: in columns and rows side by side, in the middle, so that one cut parts two of them.

use crate::faces::Size;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What lies in the printer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paper {
    /// 210 by 297 millimeters.
    #[default]
    A4,
    /// 8.5 by 11 inches: 215.9 by 279.4 millimeters.
    Letter,
}

/// A length in tenths of a millimeter: nothing on a sheet is finer.
type Tenths = u32;

/// What stays free on each side of a sheet: printers leave out up to 5 mm, and the marks need some room.
const MARGIN: Tenths = 70;

/// What stays free above and below, so that there is room for what the sheet is called, unless large things find no room then.
const WIDE_MARGIN: Tenths = 125;
const LARGE: Tenths = 600;

/// How long a mark is, and how far it stays from what is cut.
const MARK: Tenths = 40;
const AWAY: Tenths = 10;

impl Paper {
    /// How wide and high a sheet is, in tenths of a millimeter.
    pub(super) const fn size(self) -> (Tenths, Tenths) {
        match self {
            Self::A4 => (2100, 2970),
            Self::Letter => (2159, 2794),
        }
    }

    /// The same as stylesheets write it.
    pub(super) fn millimeters(self) -> (String, String) {
        let (width, height) = self.size();
        (tenths(width), tenths(height))
    }

    /// What of a sheet can be printed on.
    pub(super) const fn room(self) -> (Tenths, Tenths) {
        let (width, height) = self.size();
        (width - 2 * MARGIN, height - 2 * MARGIN)
    }
}

/// A length as stylesheets write it.
pub(super) fn tenths(length: Tenths) -> String {
    if length.is_multiple_of(10) { (length / 10).to_string() } else { format!("{}.{}", length / 10, length % 10) }
}

/// Columns and rows of things of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SheetGrid {
    columns: u32,
    rows: u32,
    left: Tenths,
    top: Tenths,
    side: (Tenths, Tenths),
}

/// A place on a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    left: Tenths,
    top: Tenths,
    side: (Tenths, Tenths),
}

impl SheetGrid {
    /// As many things as fit; one, from the upper left, where none does.
    pub(super) fn new(paper: Paper, size: Size) -> Self {
        let side = (u32::from(size.width) * 10, u32::from(size.height) * 10);
        let room = paper.room();
        let (width, height) = paper.size();
        let rows = (height - 2 * WIDE_MARGIN) / side.1;
        let rows = if side.1 >= LARGE { room.1 / side.1 } else { rows };
        let (columns, rows) = ((room.0 / side.0).max(1), rows.max(1));
        let middle = |whole: Tenths, part: Tenths| whole.saturating_sub(part) / 2;
        Self { columns, rows, left: middle(width, columns * side.0), top: middle(height, rows * side.1), side }
    }

    /// How many things lie on a sheet.
    pub(super) const fn number(&self) -> usize {
        (self.columns * self.rows) as usize
    }

    /// Their places, row by row.
    pub(super) fn slots(self) -> impl Iterator<Item = Slot> {
        let at = move |row, column| Slot {
            left: self.left + column * self.side.0,
            top: self.top + row * self.side.1,
            side: self.side,
        };
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| at(row, column)))
    }

    /// Whether there is room below for what the sheet is called.
    pub(super) fn has_foot(&self, paper: Paper) -> bool {
        self.top + self.rows * self.side.1 + WIDE_MARGIN <= paper.size().1
    }
}

/// Marks outside of what is cut, at every cut that something lies at.
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
        let (wide, high) = if is_down { ("0.2", tenths(MARK)) } else { (&*tenths(MARK), "0.2".to_owned()) };
        let back = |length: Tenths| format!("calc({}mm - 0.1mm)", tenths(length));
        let (left, top) = if is_down {
            (back(left), format!("{}mm", tenths(top)))
        } else {
            (format!("{}mm", tenths(left)), back(top))
        };
        let _ = writeln!(marks, "<i class=\"cut\" style=\"left:{left};top:{top};width:{wide}mm;height:{high}mm\"></i>");
    };
    for &cut in &across {
        mark(cut, top.saturating_sub(AWAY + MARK), true);
        mark(cut, bottom + AWAY, true);
    }
    for &cut in &down {
        mark(left.saturating_sub(AWAY + MARK), cut, false);
        mark(right + AWAY, cut, false);
    }
    marks
}

impl Slot {
    /// The place behind it, once the sheet is turned over its long edge.
    pub(super) const fn mirrored(&self, paper: Paper) -> Self {
        let (width, _) = paper.size();
        Self { left: (width - self.left).saturating_sub(self.side.0), ..*self }
    }

    /// As stylesheets write it.
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
    fn nine_cards_lie_on_a_sheet_in_the_middle_and_as_large_as_they_are() {
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
    fn a_back_lies_behind_its_front() {
        let slots: Vec<Slot> = SheetGrid::new(Paper::A4, CARD).slots().collect();
        assert_eq!(slots[0].mirrored(Paper::A4), slots[2]);
        assert_eq!(slots[4].mirrored(Paper::A4), slots[4]);
        let letter: Vec<Slot> = SheetGrid::new(Paper::Letter, CARD).slots().collect();
        assert!(letter[3].mirrored(Paper::Letter).left.abs_diff(letter[5].left) <= 1);
    }

    #[test]
    fn cuts_are_marked_where_something_lies() {
        let slots: Vec<Slot> = SheetGrid::new(Paper::A4, CARD).slots().collect();
        let number = |slots: &[Slot]| marks(slots).lines().count();
        assert_eq!((number(&slots), number(&slots[..4])), (16, 14));
        assert_eq!((number(&slots[..1]), number(&[])), (8, 0));
        // On the other side the marks are where the backs lie.
        let back = slots[0].mirrored(Paper::A4);
        assert!(marks(&[back]).contains("left:calc(136.5mm - 0.1mm)") && !marks(&[back]).contains("calc(10.5mm"));
    }

    #[test]
    fn what_is_larger_than_a_sheet_has_one_of_its_own() {
        assert_eq!(SheetGrid::new(Paper::A4, Size { width: 400, height: 400 }).number(), 1);
        assert_eq!(SheetGrid::new(Paper::A4, Size { width: 20, height: 20 }).number(), 9 * 13);
    }
}

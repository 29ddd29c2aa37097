//! Arrangement of the table on the screen: areas of the board and of the mats, as the author declares them.

use super::{FamilyId, KindId, Seat, ValueId};
use std::sync::Arc;

/// Colors of seats, in seating order unless an author chooses others.
pub const SEAT_COLORS: [&str; 8] = ["red", "blue", "yellow", "black", "teal", "white", "violet", "orange"];

/// Arrangement of a table. Anything that it does not mention is placed automatically.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableAreas {
    /// The board that everybody sees.
    pub shared: Option<AreaGrid>,
    /// Name of the file with the drawn board, if it is not the default file.
    pub board: Option<Arc<str>>,
    /// The mat of the viewer's own seat.
    pub mat: Option<AreaGrid>,
    /// Values and zones shown for the other seats, in order.
    pub rival: Option<Vec<AreaItem>>,
    /// Colors of the first seats, as indices into [`SEAT_COLORS`], without duplicates.
    pub colors: Vec<usize>,
}

/// Areas in rows and columns. Each area is a rectangle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AreaGrid {
    /// Rows of equal length. Each cell contains the index of its area, or `None` if it is empty.
    pub rows: Vec<Vec<Option<usize>>>,
    /// The areas, in order of first appearance.
    pub areas: Vec<Area>,
}

/// A named rectangle of the grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Area {
    /// Name of the area in the game's files.
    pub name: Arc<str>,
    /// Items shown in the area: one item, or the items of a group.
    pub items: Vec<AreaItem>,
}

/// An item that is shown in an area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AreaItem {
    /// All zones of a declaration.
    Zone(FamilyId),
    /// A value.
    Value(ValueId),
    /// A derived number, by its index.
    Derived(usize),
    /// The map whose places are the components of a kind.
    Map(KindId),
}

impl AreaGrid {
    /// Iterates over the items of all areas.
    pub fn items(&self) -> impl Iterator<Item = AreaItem> + '_ {
        self.areas.iter().flat_map(|area| area.items.iter().copied())
    }

    /// Returns the index of the area that shows an item.
    pub fn area_of(&self, item: AreaItem) -> Option<usize> {
        self.areas.iter().position(|area| area.items.contains(&item))
    }
}

impl TableAreas {
    /// Returns the color of a seat as an index into [`SEAT_COLORS`]. Seats without a chosen color get the remaining colors in order.
    pub fn color_of(&self, seat: Seat) -> usize {
        let others = (0..SEAT_COLORS.len()).filter(|color| !self.colors.contains(color));
        let all: Vec<usize> = self.colors.iter().copied().chain(others).collect();
        all[seat.index() % all.len()]
    }

    /// Returns whether an item is shown on the board, on the mat or for the other seats.
    pub fn places(&self, item: AreaItem) -> bool {
        let grids = [&self.shared, &self.mat].into_iter().flatten();
        { grids }.any(|grid| grid.area_of(item).is_some())
            || self.rival.as_ref().is_some_and(|items| items.contains(&item))
    }
}

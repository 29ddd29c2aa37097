//! Previews of options that place a piece of several squares: the spaces that the squares would cover.

use super::dom_ids;
use crate::model::{CellPrint, Label, SpaceId};
use crate::session::{Choice, placement_of};
use crate::table::{RelativePosition, View};
use crate::wording::{DEFAULT_COLOR, contrasting_ink};
use serde::Serialize;

/// Text and colors printed on a square of a tile.
#[derive(Debug, Serialize)]
pub(super) struct SquarePrint {
    text: String,
    fill: String,
    ink: &'static str,
}

impl SquarePrint {
    pub(super) fn new(print: &CellPrint) -> Self {
        let fill = print.color.as_deref().unwrap_or(DEFAULT_COLOR);
        Self { text: print.text.to_string(), fill: fill.to_owned(), ink: contrasting_ink(fill) }
    }
}

/// Returns the spaces that the squares of the placed piece would visibly cover, each with the index of the square's [`SquarePrint`]: for
/// example `s12.0 s13.4`.
///
/// Returns an empty string if the option places no piece, or if the viewer does not know the piece.
pub(super) fn of_choice(view: &View<'_>, choice: &Choice) -> String {
    let model = view.model();
    let Some(placement) = placement_of(choice) else { return String::new() };
    let Some((component, _)) = view.referenced_piece(i64::from(placement.piece.0)).seen.face else {
        return String::new();
    };
    let Label::Cell(column, row) = model.space(placement.to).label else { return String::new() };
    let spaces = || model.zone(model.space(placement.to).zone).spaces.clone().map(SpaceId);
    let cells = model.cells.turned(&model.component(component).cells, placement.turned);
    let seen = cells.into_iter().filter_map(|cell| {
        let label = Label::Cell(column + i16::from(cell.x), row + i16::from(cell.y));
        let space = spaces().find(|space| model.space(*space).label == label)?;
        let is_covered = placement.way == RelativePosition::Under && view.cell(space).is_some();
        (!is_covered).then(|| format!("{}.{}", dom_ids::of_space(space), cell.print))
    });
    seen.collect::<Vec<_>>().join(" ")
}

//! Sizes of the pieces that a zone accepts.

use super::layout::Tenths;
use crate::faces::Faces;
use crate::model::{ComponentId, Family, Model, Tessellation, ZoneId};

/// Minimum length in millimeters of both sides of a card. Spaces of zones that accept everything need not be large enough for cards.
const CARD: u16 = 38;

/// Returns the sizes of the pieces that a zone accepts. For a tile of square cells, returns the size of one cell.
pub(super) fn accepted_sizes<'m>(
    model: &'m Model,
    faces: &'m Faces,
    family: &'m Family,
) -> impl Iterator<Item = (Tenths, Tenths)> + 'm {
    let zone = ZoneId(family.zones.start);
    let accepted = (0..model.components.len()).map(ComponentId::at).filter(move |id| model.accepts(zone, *id));
    // A zone that accepts everything need not hold components without pieces. Dice are folded into cubes that are smaller than any space.
    let is_placed =
        |id: &ComponentId| !is_folded(model, *id) && (!family.accepts.is_empty() || model.component(*id).count > 0);
    let accepted = accepted.filter(is_placed);
    accepted.map(move |id| {
        let (size, cells) = (faces.front(id, None).size, &model.component(id).cells);
        let columns = cells.iter().map(|cell| i32::from(cell.x)).max().unwrap_or_default() + 1;
        let rows = cells.iter().map(|cell| i32::from(cell.y)).max().unwrap_or_default() + 1;
        let (columns, rows) = match model.cells.tessellation {
            Tessellation::Square => (columns.max(1), rows.max(1)),
            // The cells of hexagonal tiles are not aligned with the sides of the tile.
            Tessellation::Hex(_) => (1, 1),
        };
        (Tenths::from(size.width) * 10 / columns as u32, Tenths::from(size.height) * 10 / rows as u32)
    })
}

/// Returns whether a piece of this size counts as a card.
pub(super) const fn is_card((width, height): (Tenths, Tenths)) -> bool {
    let side = if width < height { width } else { height };
    side >= CARD as Tenths * 10
}

/// Returns whether a component is a die that is folded instead of cut out.
pub(super) fn is_folded(model: &Model, id: ComponentId) -> bool {
    !model.component(id).faces.is_empty()
}

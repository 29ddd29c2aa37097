//! Boards and mats that the author has drawn. They have the size that the drawing states, or otherwise a size at which the pieces fit on
//! their places.

use super::canvas::{Canvas, HEAD, heading, room};
use super::layout::{Tenths, tenths};
use super::order::Order;
use super::piece_sizes::{accepted_sizes, is_card};
use crate::faces::{DrawnBoard, Faces, SpotTarget};
use crate::model::{Family, Model, Seat, ZoneId};

/// Largest width and height of a drawing that does not state its size: the longer side of A1.
const LARGEST: Tenths = 8_410;

/// Largest width and height of a drawing that states its size. Even a large board is hardly longer than a meter.
const LARGEST_STATED: Tenths = 15_000;

/// Returns whether the author's drawings have a place for each zone of a family: on the board, or on the mat of the player who owns the
/// zone.
pub(super) fn is_drawn(model: &Model, faces: &Faces, family: &Family) -> bool {
    let is_drawn = |zone: u16| {
        let seat = model.zones[usize::from(zone)].seat;
        let on_board = faces.board().is_some_and(|board| board.has_zone(model, ZoneId(zone)));
        on_board || seat.and_then(|seat| faces.mat(seat)).is_some_and(|mat| mat.has_zone(model, ZoneId(zone)))
    };
    !family.zones.is_empty() && family.zones.clone().all(is_drawn)
}

/// Returns the board that the author has drawn, or `None` if there is none.
pub(super) fn board(model: &Model, faces: &Faces, title: &str, order: &Order) -> Option<Canvas> {
    Some(canvas(model, faces, faces.board()?, ("board", title), order))
}

/// Returns the mat that the author has drawn for `seat`, or `None` if there is none. `title` names the player.
pub(super) fn mat(model: &Model, faces: &Faces, seat: Seat, title: &str, order: &Order) -> Option<Canvas> {
    Some(canvas(model, faces, faces.mat(seat)?, (&format!("drawn-mat-{}", seat.number()), title), order))
}

fn canvas(model: &Model, faces: &Faces, drawn: &DrawnBoard, (name, title): (&str, &str), order: &Order) -> Canvas {
    let (width, height) = size(model, faces, drawn, order);
    let html = format!(
        "{}<div class=\"drawing\" style=\"top:{}mm;width:{}mm;height:{}mm\">{}</div>\n",
        heading(title),
        tenths(HEAD),
        tenths(width),
        tenths(height),
        drawn.html
    );
    Canvas {
        name: name.to_owned(),
        title: title.to_owned(),
        html,
        size: (width, HEAD + height),
        picture: Some(drawn.picture),
    }
}

/// Returns the size of a drawing on paper. This is the size that the drawing states, up to [`LARGEST_STATED`]. Otherwise, the drawing fills
/// a sheet, or is larger if its places would be too small for the pieces, up to [`LARGEST`].
fn size(model: &Model, faces: &Faces, drawn: &DrawnBoard, order: &Order) -> (Tenths, Tenths) {
    let (across, down) = drawn.size;
    let height = |width: Tenths| (i64::from(width) * down / across.max(1)).max(1) as Tenths;
    let widest = |longest: Tenths| if down > across { longest_width(longest, drawn.size) } else { longest };
    let width = drawn.paper_width.map_or_else(
        || {
            let (wide, high) = room(order.paper);
            let on_sheet = |(wide, high): (Tenths, Tenths)| wide.min(longest_width(high - HEAD, drawn.size));
            let least = on_sheet((wide, high)).max(on_sheet((high, wide)));
            least.max(width_for_pieces(model, faces, drawn)).min(widest(LARGEST))
        },
        |width| width.min(widest(LARGEST_STATED)),
    );
    (width, height(width))
}

/// Returns the width of a drawing with a given height.
const fn longest_width(height: Tenths, (across, down): (i64, i64)) -> Tenths {
    let width = height as i64 * across / if down < 1 { 1 } else { down };
    if width < 1 { 1 } else { width as Tenths }
}

/// Returns the smallest width of a drawing at which each place is at least as large as the largest piece that it accepts. Cards are ignored
/// for spaces of rows, rings and grids that accept everything. The width is at most [`LARGEST`].
fn width_for_pieces(model: &Model, faces: &Faces, drawn: &DrawnBoard) -> Tenths {
    let (across, down) = drawn.size;
    let mut least = 0;
    for spot in &drawn.spots {
        let SpotTarget::Space(space) = spot.target else { continue };
        let family = model.family_of(model.space(space).zone);
        let pieces = accepted_sizes(model, faces, family)
            // Spaces of rows, rings and grids that accept everything need not be as large as a card.
            .filter(|size| !is_card(*size) || !family.accepts.is_empty() || family.shape.is_single());
        let (width, height) = pieces.fold((0, 0), |all, one| (all.0.max(one.0), all.1.max(one.1)));
        let (part, part_down) = spot.size();
        let for_width = i64::from(width) * 10_000 / part.max(1);
        let for_height = i64::from(height) * 10_000 / part_down.max(1) * across / down.max(1);
        least = least.max(for_width).max(for_height);
    }
    least.clamp(0, i64::from(LARGEST)) as Tenths
}

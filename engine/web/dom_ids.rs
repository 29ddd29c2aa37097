//! Identifiers, called marks, that link options to elements of the page.
//!
//! An option lists the marks of everything that it names. Each drawn element has its own marks in `data-k`. The mark of a piece reveals no
//! more than the viewer sees of the piece.

use crate::model::{ComponentId, Seat, SpaceId, ZoneId};
use crate::session::Choice;
use crate::table::{ReferencedPiece, View, VisiblePiece};

/// Returns the mark of a zone.
pub(super) fn of_zone(zone: ZoneId) -> String {
    format!("z{}", zone.0)
}

/// Returns the mark of a space.
pub(super) fn of_space(space: SpaceId) -> String {
    format!("s{}", space.0)
}

/// Returns the mark of a component.
pub(super) fn of_component(component: ComponentId) -> String {
    format!("c{}", component.0)
}

/// Returns the mark of a seat.
pub(super) fn of_seat(seat: Seat) -> String {
    format!("t{}", seat.0)
}

/// Returns the mark of a piece. It is made from the piece's face if the viewer sees the face, otherwise from the piece's index in the
/// space. Without an order, all hidden pieces of the space share a mark.
pub(super) fn of_piece(space: SpaceId, seen: &VisiblePiece<'_>, place: Option<usize>) -> String {
    match (seen.face, place) {
        (Some((component, owner)), _) => {
            let owner = owner.map_or(String::new(), |owner| owner.0.to_string());
            format!("p{}.{}.{owner}", space.0, component.0)
        }
        (None, Some(place)) => format!("p{}.h{place}", space.0),
        (None, None) => of_hidden(space),
    }
}

/// Returns the mark shared by all hidden pieces of a space without an order.
pub(super) fn of_hidden(space: SpaceId) -> String {
    format!("p{}.h", space.0)
}

/// Returns the marks of everything that an option names.
pub(super) fn of_choice(view: &View<'_>, choice: &Choice) -> Vec<String> {
    let mut marks = Vec::new();
    for leaf in choice.leaves() {
        match leaf {
            Choice::Zone(zone) => marks.push(of_zone(*zone)),
            Choice::Space(space) => marks.push(of_space(*space)),
            Choice::Component(component) => marks.push(of_component(*component)),
            Choice::Seat(seat) => marks.push(of_seat(*seat)),
            Choice::Piece(piece) => {
                let ReferencedPiece { seen, space, place } = view.referenced_piece(i64::from(piece.0));
                marks.push(of_piece(space, &seen, place));
            }
            _ => {}
        }
    }
    marks.dedup();
    marks
}

//! Conversion between placements and choices with named parts.

use super::choice::Choice;
use crate::table::{Placement, RelativePosition};
use arcstr::{ArcStr, literal};

/// Converts a choice with the parts `PLACEMENT_PARTS` to a placement. Returns `None` for any other choice.
pub fn placement_of(choice: &Choice) -> Option<Placement> {
    let part = |name| choice.part(name);
    match (part("piece")?, part("to")?, part("turned")?, part("way")?) {
        (Choice::Piece(piece), Choice::Space(to), Choice::Number(turned), Choice::Word(way)) => Some(Placement {
            piece: *piece,
            to: *to,
            turned: u8::try_from(*turned).ok()?,
            way: RelativePosition::from_word(way)?,
        }),
        _ => None,
    }
}

/// Names of the parts of a placement, sorted.
pub(crate) const PLACEMENT_PARTS: [&str; 4] = ["piece", "to", "turned", "way"];

/// Returns `PLACEMENT_PARTS` as shared strings.
pub fn placement_names() -> [ArcStr; 4] {
    [literal!("piece"), literal!("to"), literal!("turned"), literal!("way")]
}

/// Returns the word for the relative position `way`, as in scripts.
pub fn way_word(way: RelativePosition) -> ArcStr {
    match way {
        RelativePosition::Beside => literal!("beside"),
        RelativePosition::Over => literal!("over"),
        RelativePosition::Under => literal!("under"),
    }
}

/// Converts a placement to a choice with named parts.
pub(crate) fn placement_parts(placement: Placement) -> Choice {
    let values = [
        Choice::Piece(placement.piece),
        Choice::Space(placement.to),
        Choice::Number(i64::from(placement.turned)),
        Choice::Word(way_word(placement.way)),
    ];
    Choice::Parts(placement_names().into_iter().zip(values).collect())
}

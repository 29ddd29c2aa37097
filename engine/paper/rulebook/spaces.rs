//! Texts on spaces.

use crate::model::{Model, SpaceId};
use crate::wording::Wording;

/// Returns the text on a space: its printed figure, or its label if it has none.
pub(super) fn space_text(model: &Model, wording: &Wording, space: SpaceId) -> String {
    let figure = wording.figure(space);
    if figure.is_empty() { wording.label(&model.space(space).label) } else { figure }
}

/// Returns whether the texts on spaces are just the numbers 1, 2, 3 and so on.
pub(super) fn is_numbered(texts: &[String]) -> bool {
    texts.iter().enumerate().all(|(at, text)| *text == (at + 1).to_string())
}

//! Names and kinds of the figures that have targets, by their ids.

use crate::model::Target;
use crate::simulation::{DEFINITIONS, MeasureKind};

/// Returns the name of a figure by its id, for people.
pub fn figure_name(word: &str) -> String {
    let (id, qualifier) = word.split_once('.').map_or((word, None), |(id, qualifier)| (id, Some(qualifier)));
    let known = DEFINITIONS.iter().find(|known| known.id == id).map_or(id, |known| known.name);
    qualifier.map_or_else(|| known.to_owned(), |qualifier| format!("{known} {}", qualifier.replace(['_', '.'], " ")))
}

/// Returns whether a figure is a share or an amount.
pub fn figure_kind(word: &str) -> MeasureKind {
    if Target::is_share(word) { MeasureKind::Share } else { MeasureKind::Amount }
}

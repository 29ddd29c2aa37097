//! Names and kinds of figures, looked up by the ids that targets use.

use crate::model::Target;
use crate::simulation::{DEFINITIONS, MeasureKind};

/// Returns the display name of the figure whose id is `word`.
pub fn figure_name(word: &str) -> String {
    let (id, qualifier) = word.split_once('.').map_or((word, None), |(id, qualifier)| (id, Some(qualifier)));
    let known = DEFINITIONS.iter().find(|known| known.id == id).map_or(id, |known| known.name);
    qualifier.map_or_else(|| known.to_owned(), |qualifier| format!("{known} {}", qualifier.replace(['_', '.'], " ")))
}

/// Returns the kind of the figure whose id is `word`: share or amount.
pub fn figure_kind(word: &str) -> MeasureKind {
    if Target::is_share(word) { MeasureKind::Share } else { MeasureKind::Amount }
}

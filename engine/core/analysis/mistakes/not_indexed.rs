//! `not-indexed`: an index access that is not possible.

use super::super::types::{Tags, in_words};
use crate::decision::{Type as Tag, index_help};
use crate::diagnostic::{Diagnostic, Place, sentence};

/// Creates the diagnostic for an index access on a type without an index operator, or with an index of the wrong type.
pub(crate) fn not_indexed(tags: Tags, bad: Tags, index: Tags, here: Place) -> Diagnostic {
    if bad.has(Tag::Nothing) {
        return super::nothing_here("[…]", tags, here);
    }
    let is_open = index.is_empty() || index.has(Tag::Any);
    let by = if is_open { "with `[…]`".to_owned() } else { format!("by {}", in_words(index)) };
    let help = index_help(&bad.iter().collect::<Vec<Tag>>(), &index.iter().collect::<Vec<Tag>>());
    sentence::not_indexed(&in_words(bad), &by, help).at(here)
}

/// Creates the diagnostic for an assignment to an entry of a type whose entries cannot be set.
pub(crate) fn not_set(tags: Tags, bad: Tags, here: Place) -> Diagnostic {
    if bad.has(Tag::Nothing) {
        return super::nothing_here("[…]", tags, here);
    }
    sentence::not_set(&in_words(bad)).at(here)
}

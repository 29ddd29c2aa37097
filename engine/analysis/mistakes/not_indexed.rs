//! `not-indexed`: what stands in square brackets does not fit what stands before them.

use super::super::types::{Tags, in_words};
use crate::decision::{Type as Tag, index_help};
use crate::diagnostic::{Diagnostic, Place, sentence};

/// Something is looked into by brackets, of which some has nothing in there.
pub(crate) fn not_indexed((is, of): (Tags, Tags), index: Tags, here: Place) -> Diagnostic {
    if of.has(Tag::Nothing) {
        return super::nothing_here("[…]", is, here);
    }
    let is_open = index.is_empty() || index.has(Tag::Any);
    let by = if is_open { "with `[…]`".to_owned() } else { format!("by {}", in_words(index)) };
    let help = index_help(&of.iter().collect::<Vec<Tag>>(), &index.iter().collect::<Vec<Tag>>());
    Diagnostic::said(sentence::not_indexed(&in_words(of), &by, help), here)
}

/// An entry is set of what has none that can be.
pub(crate) fn not_set((is, of): (Tags, Tags), here: Place) -> Diagnostic {
    if of.has(Tag::Nothing) {
        return super::nothing_here("[…]", is, here);
    }
    Diagnostic::said(sentence::not_set(&in_words(of)), here)
}

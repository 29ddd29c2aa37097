//! `not-indexed`: what stands in square brackets does not fit what stands before them.

use super::super::types::{Tags, in_words};
use crate::decision::Type as Tag;
use crate::diagnostic::{Diagnostic, Place};

pub(crate) fn not_indexed(of: Tags, index: Tags, here: Place) -> Diagnostic {
    if of.has(Tag::Nothing) {
        return super::nothing_here("[…]", here);
    }
    let by = if index.is_empty() || index.has(Tag::Any) { String::new() } else { format!(" by {}", in_words(index)) };
    Diagnostic::error("not-indexed", format!("{} is not looked into{by}", in_words(of)))
        .mark(here, "cannot be looked into")
}

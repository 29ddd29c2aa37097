//! `not-a-list`: a loop iterates over a single thing.

use super::super::types::{Tags, in_words};
use crate::decision::{ASK_FIRST, Type as Tag};
use crate::diagnostic::{Diagnostic, Place};

pub(crate) fn not_a_list(bad: Tags, here: Place) -> Diagnostic {
    let found = Diagnostic::error("not-a-list", format!("`for` iterates over several things, not {}", in_words(bad)))
        .mark(here, "not a list");
    if bad.has(Tag::Zone) {
        found.help("ask for its `pieces` or `spaces`")
    } else if bad.has(Tag::Space) {
        found.help("ask for its `pieces`")
    } else if bad.has(Tag::Number) {
        found.help("write a range such as `0..n`")
    } else if bad == Tags::of(&[Tag::Answers]) {
        found.help("iterate over those who answered: `for seat in seats { … answers[seat] … }`")
    } else if bad == Tags::of(&[Tag::Nothing]) {
        found.help(ASK_FIRST)
    } else if !bad.and(Tags::of(&[Tag::Piece, Tag::Component, Tag::Seat])).is_empty() {
        found.help("it is one alone: take it as it is, without `for`")
    } else {
        found
    }
}

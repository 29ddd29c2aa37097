//! `unknown-field`: something has nothing of this name.

use super::super::types::{Tags, in_words};
use crate::decision::Type as Tag;
use crate::diagnostic::{Diagnostic, Place, UnknownField};

/// A name behind a dot that something of some types has not, or that nothing has where they are none.
pub(crate) fn unknown_field(name: &str, of: Tags, here: Place) -> Diagnostic {
    let is_several = |first: Tag| of == Tags::of(&[first]) && first.one() == first.word();
    let found = match of.iter().next() {
        None => UnknownField::of_nothing(name),
        Some(first) if is_several(first) => UnknownField::of_several(&in_words(of), name),
        Some(_) => UnknownField::of_one(&in_words(of), name),
    };
    found.at(here)
}

/// A name in quotes of a fact that a thing has not, or that nothing has.
pub(crate) fn unknown_fact(name: &str, of: Option<Tag>, here: Place) -> Diagnostic {
    unknown_field(name, of.map_or(Tags::NONE, |of| Tags::of(&[of])), here)
}

//! `unknown-field`: something has nothing of this name.

use super::super::types::{Tags, in_words};
use crate::decision::Type as Tag;
use crate::diagnostic::{Diagnostic, Place, UnknownField};

/// What a name behind a dot that something has not may have been meant for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Used {
    /// A function may be meant.
    Called,
    /// It is set, or read of a map: no function.
    AsPart,
}

/// A name behind a dot that something of some types has not, or that nothing has where they are none.
/// `of_kind` says of which kind it is, where others have it.
pub(crate) fn unknown_field(name: &str, of: Tags, of_kind: Option<&str>, here: Place) -> Diagnostic {
    let is_several = |first: Tag| of == Tags::of(&[first]) && first.one() == first.word();
    let found = match of.iter().next() {
        None => UnknownField::of_nothing(name),
        Some(_) if let Some(of_kind) = of_kind => UnknownField::of_one(of_kind, name),
        Some(first) if is_several(first) => UnknownField::of_several(&in_words(of), name),
        Some(_) => UnknownField::of_one(&in_words(of), name),
    };
    found.at(here)
}

/// A name in quotes of a fact that a thing has not, or that nothing has; or that only maps have.
pub(crate) fn unknown_fact(name: &str, of: Option<Tag>, is_part: bool, here: Place) -> Diagnostic {
    if of.is_none() && is_part {
        return Diagnostic::error(UnknownField::CODE, format!("no thing of the game has a `{name}`"))
            .mark(here, "a part of maps alone")
            .help(format!("ask maps for it by a function: `|one| one.{name}`"));
    }
    unknown_field(name, of.map_or(Tags::NONE, |of| Tags::of(&[of])), None, here)
}

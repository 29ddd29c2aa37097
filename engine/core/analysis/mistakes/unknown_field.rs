//! `unknown-field`: a thing has no property of this name.

use super::super::types::{Tags, in_words, is_or_are};
use crate::decision::Type as Tag;
use crate::diagnostic::{Diagnostic, Place, UnknownField};
use std::sync::Arc;

/// Use of a missing property, which determines the suggestions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldUse {
    /// The author may have meant a function.
    Called,
    /// The property is assigned, or read from a map, so the author did not mean a function.
    AsPart,
}

/// Creates the diagnostic for a property that things with the tags `owners` do not have. Empty tags mean that nothing has the property. If
/// things of other kinds have the property, `of_kind` describes the things that do not.
pub(crate) fn unknown_field(name: &str, owners: Tags, of_kind: Option<&str>, here: Place) -> Diagnostic {
    let is_several = |first: Tag| owners == Tags::new(&[first]) && first.one() == first.word();
    let found = match owners.iter().next() {
        None => UnknownField::of_nothing(name),
        Some(_) if let Some(of_kind) = of_kind => UnknownField::of_one(of_kind, name),
        Some(first) if is_several(first) => UnknownField::of_several(&in_words(owners), name),
        Some(_) => UnknownField::of_one(&in_words(owners), name),
    };
    found.at(here)
}

/// Maximum number of words that a help text lists.
const MAX_WORDS: usize = 3;

/// Creates the diagnostic for a property that only some of the possible values of an expression have. `owners` are the tags of the values
/// without the property. `words` are the possible words, if the values are texts from a known set.
pub(crate) fn field_of_some(name: &str, owners: Tags, words: Option<&[Arc<str>]>, here: Place) -> Diagnostic {
    let others = in_words(owners);
    let have = if is_or_are(owners) == "are" { "have" } else { "has" };
    let found = Diagnostic::error(UnknownField::CODE, format!("`{name}` is asked of something that may be {others}"))
        .mark(here, format!("{others} {have} no `{name}`"));
    match words.filter(|words| owners == Tags::new(&[Tag::Text]) && !words.is_empty() && words.len() <= MAX_WORDS) {
        Some(words) => found
            .help(format!("deal with `\"{}\"` before, in an `if` that ends with `return`", words.join("\"` and `\""))),
        None => found,
    }
}

/// Creates the diagnostic for a quoted name of a fact that game objects of type `owner` do not have, or that no game object has if `owner`
/// is `None`. `is_part` tells whether maps have a part of this name.
pub(crate) fn unknown_fact(name: &str, owner: Option<Tag>, is_part: bool, here: Place) -> Diagnostic {
    if owner.is_none() && is_part {
        return Diagnostic::error(UnknownField::CODE, format!("nothing in the game has a `{name}`"))
            .mark(here, "only maps have this part")
            .help(format!("for maps, pass a function: `|one| one.{name}`"));
    }
    unknown_field(name, owner.map_or(Tags::NONE, |owner| Tags::new(&[owner])), None, here)
}

//! `unknown-field`: something has nothing of this name.

use super::super::types::{Tags, in_words};
use crate::decision::Type as Tag;
use crate::diagnostic::{Diagnostic, Place};

/// A name behind a dot that something of some types has not, or that nothing has where they are none.
pub(crate) fn unknown_field(name: &str, of: Tags, here: Place) -> Diagnostic {
    let (who, note) = match of.iter().next() {
        None => ("nothing has a".to_owned(), "no field, value, zone or part has this name".to_owned()),
        Some(first) => {
            let several = of == Tags::of(&[first]) && first.one() == first.word();
            let has = if several { "have" } else { "has" };
            (format!("{} {has} no", in_words(of)), format!("not a field, value or zone of {}", in_words(of)))
        }
    };
    Diagnostic::error("unknown-field", format!("{who} `{name}`")).mark(here, note)
}

/// A name in quotes of a fact that a thing has not, or that nothing has.
pub(crate) fn unknown_fact(name: &str, of: Option<Tag>, here: Place) -> Diagnostic {
    unknown_field(name, of.map_or(Tags::NONE, |of| Tags::of(&[of])), here)
}

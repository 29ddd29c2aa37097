//! `two-meanings`: a call refers to a field of the game for some things, and to a library function for others.

use crate::diagnostic::{Diagnostic, Place};

/// Creates the diagnostic for a call that refers to a field or to a library function, depending on the thing.
pub(crate) fn two_meanings(name: &str, here: Place) -> Diagnostic {
    Diagnostic::warning("two-meanings", format!("`{name}` has two meanings here"))
        .mark(here, format!("the field `{name}` of the things that have it, the library's `{name}` for the others"))
        .help("ask for the kind first, or give the field another name")
}

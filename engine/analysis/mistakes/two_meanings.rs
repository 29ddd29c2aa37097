//! `two-meanings`: a call that means a field of the game on some things, and a function of the library on others.

use crate::diagnostic::{Diagnostic, Place};

/// Diagnostic for such a call.
pub(crate) fn two_meanings(name: &str, here: Place) -> Diagnostic {
    Diagnostic::warning("two-meanings", format!("`{name}` has two meanings here"))
        .mark(here, format!("the field `{name}` of the things that have it, the library's `{name}` for the others"))
        .help("ask for the kind first, or give the field another name")
}

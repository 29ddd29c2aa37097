//! `told-roll`: the result of a public roll is stored in a hidden value.

use crate::diagnostic::{Diagnostic, Place};

/// Creates the diagnostic for the result of a public roll that is stored in a hidden value.
pub(crate) fn told_roll(value: &str, stored: Place, rolled: Place) -> Diagnostic {
    let message = format!("not everybody sees `{value}`, but everybody is told the number rolled for it");
    Diagnostic::warning("told-roll", message)
        .mark(rolled, "told to all")
        .mark(stored, "kept here")
        .help("give the seat that may know it, `roll(sides, seat)`; nobody is told what `any_of([1, 2, 3])` returns")
}

//! `told-roll`: a number is rolled for what not everybody sees, and everybody is told it.

use crate::diagnostic::{Diagnostic, Place};

/// A number that everybody is told, and the value that it is kept in.
pub(crate) fn told_roll(value: &str, kept: Place, rolled: Place) -> Diagnostic {
    let message = format!("not everybody sees `{value}`, but everybody is told the number rolled for it");
    Diagnostic::warning("told-roll", message)
        .mark(rolled, "told to all")
        .mark(kept, "kept here")
        .help("give the seat that may know it, `roll(sides, seat)`; nobody is told what `any_of([1, 2, 3])` returns")
}

//! `unknown-name`: a name that is not declared, or a variable that is not in scope.

use crate::diagnostic::{Diagnostic, Place};

/// Creates the diagnostic for a name that neither the game nor the rules declare.
pub(crate) fn unknown_name(name: &str, here: Place) -> Diagnostic {
    Diagnostic::error("unknown-name", format!("there is no `{name}`"))
        .mark(here, "not a variable, zone, param or option")
}

/// Creates the diagnostic for a variable that is used before its declaration, or outside the block that declares it.
pub(crate) fn out_of_scope(name: &str, here: Place, given: Place) -> Diagnostic {
    if here.span.start < given.span.start {
        return Diagnostic::error("unknown-name", format!("`{name}` is used before its `let`"))
            .mark(here, "not there yet")
            .mark(given, "first given here")
            .help("move the `let` up, before this line");
    }
    Diagnostic::error("unknown-name", format!("`{name}` is known only within the `{{ … }}` that gives it"))
        .mark(here, "outside of it")
        .mark(given, "given in there")
        .help(format!("write `let {name} = …;` before the `{{`, and set it in there"))
}

//! `wrong-call`: a function of the rules is called behind a dot.

use crate::diagnostic::{Diagnostic, Place};

pub(crate) fn wrong_call(name: &str, takes: usize, here: Place) -> Diagnostic {
    let brackets = if takes == 1 { "…" } else { "…, …" };
    Diagnostic::error("wrong-call", format!("`{name}` is a function of the rules, not of a thing"))
        .mark(here, "called behind a dot")
        .help(format!("put what stands before the dot into the brackets: `{name}({brackets})`"))
}

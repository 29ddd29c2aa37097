//! `wrong-call`: a function of the rules is called behind a dot, or something that is no function.

use super::super::types::{Tags, in_words};
use crate::diagnostic::{Diagnostic, Place};

pub(crate) fn wrong_call(name: &str, takes: usize, here: Place) -> Diagnostic {
    let brackets = if takes == 1 { "…" } else { "…, …" };
    Diagnostic::error("wrong-call", format!("`{name}` is a function of the rules, not of a thing"))
        .mark(here, "called behind a dot")
        .help(format!("put what stands before the dot into the brackets: `{name}({brackets})`"))
}

/// Something that is no function is called: `3.call()`.
pub(crate) fn not_a_function(bad: Tags, here: Place) -> Diagnostic {
    Diagnostic::error("wrong-call", format!("{} cannot be called", in_words(bad)))
        .mark(here, "not a function `|…|`")
        .help("only a function `|…|` that is kept is called so: `let double = |n| 2 * n; double.call(3)`")
}

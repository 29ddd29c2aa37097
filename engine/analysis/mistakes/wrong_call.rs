//! `wrong-call`: a function of the rules is called after a dot, or something that is not a function is called.

use super::super::types::{Tags, in_words};
use crate::diagnostic::{Diagnostic, Place, sentence};

pub(crate) fn wrong_call(name: &str, takes: usize, here: Place) -> Diagnostic {
    let brackets = if takes == 1 { "…" } else { "…, …" };
    Diagnostic::error("wrong-call", format!("`{name}` is a function of the rules, not of a thing"))
        .mark(here, "called behind a dot")
        .help(format!("put what stands before the dot into the brackets: `{name}({brackets})`"))
}

/// Diagnostic for a call of something that is not a function: `3.call()`.
pub(crate) fn not_a_function(bad: Tags, here: Place) -> Diagnostic {
    Diagnostic::from_sentence(sentence::not_a_function(&in_words(bad)), here)
}

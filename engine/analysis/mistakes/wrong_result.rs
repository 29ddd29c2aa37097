//! `wrong-result`: a function ends in something that whoever calls it has no use for.

use super::super::types::{Tags, in_words};
use crate::diagnostic::{Diagnostic, Place};

pub(crate) fn wrong_result(name: &str, bad: Tags, wanted: &str, help: &str, here: Place) -> Diagnostic {
    Diagnostic::error("wrong-result", format!("`{name}` gives {}, not {wanted}", in_words(bad)))
        .mark(here, "gives this")
        .help(help)
}

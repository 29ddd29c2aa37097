//! `wrong-value`: a value is set to something it cannot be.

use super::super::types::{Tags, in_words};
use crate::diagnostic::{Diagnostic, Place};

pub(crate) fn wrong_value(name: &str, takes: &str, bad: Tags, written: Option<&str>, here: Place) -> Diagnostic {
    let given = written.map_or_else(|| in_words(bad), |written| format!("`{written}`"));
    Diagnostic::error("wrong-value", format!("`{name}` is {takes}, not {given}")).mark(here, "set to something else")
}

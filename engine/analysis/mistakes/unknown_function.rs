//! `unknown-function`: what a field names is called of something that names nothing.

use super::super::types::{Tags, in_words};
use crate::diagnostic::{Diagnostic, Place};

pub(crate) fn no_function_for(name: &str, of: Tags, here: Place) -> Diagnostic {
    Diagnostic::error("unknown-function", format!("there is no `{name}` for {}", in_words(of)))
        .mark(here, "named by fields of pieces and components")
}

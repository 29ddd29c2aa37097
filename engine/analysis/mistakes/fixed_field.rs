//! `fixed-field`: what is printed, or given by the engine, is set.

use super::super::types::{Tags, in_words};
use crate::diagnostic::{Diagnostic, Place};

pub(crate) fn fixed_field(name: &str, of: Tags, here: Place) -> Diagnostic {
    Diagnostic::error("fixed-field", format!("`{name}` of {} cannot be set", in_words(of)))
        .mark(here, "printed, or not a value")
        .help("declare a value of another name, or move the piece")
}

/// A table of values is set as a whole.
pub(crate) fn fixed_table(name: &str, of: Tags, here: Place) -> Diagnostic {
    Diagnostic::error("fixed-field", format!("`{name}` of {} is a table, which cannot be set as a whole", in_words(of)))
        .mark(here, "a table of values")
        .help(format!("set its entries: `{name}[…] = …`"))
}

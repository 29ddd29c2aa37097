//! `fixed-field`: what is printed, or given by the engine, is set.

use super::super::types::{Tags, in_words};
use crate::diagnostic::{Diagnostic, Place, sentence};

pub(crate) fn fixed_field(name: &str, of: Tags, here: Place) -> Diagnostic {
    Diagnostic::said(sentence::fixed_field(name, &in_words(of)), here)
}

/// A table of values is set as a whole.
pub(crate) fn fixed_table(name: &str, of: Tags, here: Place) -> Diagnostic {
    Diagnostic::error("fixed-field", format!("`{name}` of {} is a table, which cannot be set as a whole", in_words(of)))
        .mark(here, "a table of values")
        .help(format!("set its entries: `{name}[…] = …`"))
}

//! `fixed-field`: an assignment to a printed field, or to a property that the engine provides.

use super::super::types::{Tags, in_words};
use crate::diagnostic::{Diagnostic, Place, sentence};

pub(crate) fn fixed_field(name: &str, owners: Tags, here: Place) -> Diagnostic {
    sentence::fixed_field(name, &in_words(owners)).at(here)
}

/// Creates the diagnostic for an assignment to a whole table of values instead of one of its entries.
pub(crate) fn fixed_table(name: &str, owners: Tags, here: Place) -> Diagnostic {
    Diagnostic::error(
        "fixed-field",
        format!("`{name}` of {} is a table, which cannot be set as a whole", in_words(owners)),
    )
    .mark(here, "a table of values")
    .help(format!("set its entries: `{name}[…] = …`"))
}

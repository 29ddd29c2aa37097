//! `not-arranging`: a function that sets up positions in plays stands in rules.

use crate::diagnostic::{Diagnostic, Place, sentence};

pub(crate) fn not_arranging(here: Place) -> Diagnostic {
    Diagnostic::said(sentence::not_arranging(), here)
}

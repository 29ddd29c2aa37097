//! `not-arranging`: rules call a function that only sets up positions in playscripts.

use crate::diagnostic::{Diagnostic, Place, sentence};

pub(crate) fn not_arranging(here: Place) -> Diagnostic {
    Diagnostic::from_sentence(sentence::not_arranging(), here)
}

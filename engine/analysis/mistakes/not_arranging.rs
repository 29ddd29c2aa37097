//! `not-arranging`: rules call a function that only sets up positions in playscripts.

use crate::diagnostic::{Diagnostic, Place, sentence};

pub(crate) fn not_arranging(here: Place) -> Diagnostic {
    sentence::not_arranging().at(here)
}

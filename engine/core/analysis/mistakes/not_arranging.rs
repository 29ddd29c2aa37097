//! `not-arranging`: the rules call a function that is only for setting up positions in playscripts.

use crate::diagnostic::{Diagnostic, Place, sentence};

pub(crate) fn not_arranging(here: Place) -> Diagnostic {
    sentence::not_arranging().at(here)
}

//! `fixed-name`: the rules assign to a name that the game declares.

use crate::diagnostic::{Diagnostic, Place, sentence};

pub(crate) fn fixed_name(name: &str, here: Place) -> Diagnostic {
    sentence::fixed_name(name).at(here)
}

//! `fixed-name`: an assignment to a name of the game.

use crate::diagnostic::{Diagnostic, Place, sentence};

pub(crate) fn fixed_name(name: &str, here: Place) -> Diagnostic {
    sentence::fixed_name(name).at(here)
}

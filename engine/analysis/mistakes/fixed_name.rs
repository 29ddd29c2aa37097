//! `fixed-name`: what stands for something of the game is set.

use crate::diagnostic::{Diagnostic, Place};

pub(crate) fn fixed_name(name: &str, here: Place) -> Diagnostic {
    Diagnostic::error("fixed-name", format!("`{name}` cannot be set"))
        .mark(here, "stands for something of the game")
        .help("keep what changes in a value, or in a variable of another name")
}

//! `nothing-here`: something is asked of what may be `()`.

use crate::diagnostic::{Diagnostic, Place};

/// What to do where something may be nothing.
pub(super) const ASK_FIRST: &str = "ask first whether it is there: `if x != () { … }`";

pub(crate) fn nothing_here(asked: &str, here: Place) -> Diagnostic {
    Diagnostic::error("nothing-here", format!("`{asked}` is asked of something that may be `()`"))
        .mark(here, "there may be nothing here")
        .help(ASK_FIRST)
}

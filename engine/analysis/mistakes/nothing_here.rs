//! `nothing-here`: something is asked of what may be `()`.

use crate::decision::ASK_FIRST;
use crate::diagnostic::{Diagnostic, Place};

pub(crate) fn nothing_here(asked: &str, here: Place) -> Diagnostic {
    Diagnostic::error("nothing-here", format!("`{asked}` is asked of something that may be `()`"))
        .mark(here, "there may be nothing here")
        .help(ASK_FIRST)
}

//! `nothing-here`: something is asked of what may be `()`.

use crate::decision::ASK_FIRST;
use crate::diagnostic::{Diagnostic, Place, sentence};

pub(crate) fn nothing_here(asked: &str, here: Place) -> Diagnostic {
    Diagnostic::error("nothing-here", format!("`{asked}` is asked of something that may be `()`"))
        .mark(here, "there may be nothing here")
        .help(ASK_FIRST)
}

/// Where pieces are to be moved there may be none: `subject` with its verb.
pub(crate) fn no_piece(subject: &str, here: Place) -> Diagnostic {
    Diagnostic::error("nothing-here", format!("{subject} not a piece"))
        .mark(here, sentence::NEITHER_A_PIECE)
        .help(ASK_FIRST)
}

//! `nothing-here`: something is asked of what may be `()`.

use super::super::types::Tags;
use crate::decision::{ASK_FIRST, Type};
use crate::diagnostic::{Diagnostic, Place, sentence};

/// Something is asked of what may be `()`, or is nothing else.
pub(crate) fn nothing_here(asked: &str, of: Tags, here: Place) -> Diagnostic {
    if of == Tags::of(&[Type::Nothing]) {
        return Diagnostic::error("nothing-here", format!("`{asked}` is asked of `()`"))
            .mark(here, "there is nothing here");
    }
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

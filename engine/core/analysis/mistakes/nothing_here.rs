//! `nothing-here`: a value that may be `()` is accessed.

use super::super::types::Tags;
use crate::decision::{ASK_FIRST, Type};
use crate::diagnostic::{Diagnostic, Place, sentence};

/// Creates the diagnostic for an access to a value that may be `()` or is always `()`.
pub(crate) fn nothing_here(asked: &str, tags: Tags, here: Place) -> Diagnostic {
    if tags == Tags::new(&[Type::Nothing]) {
        return Diagnostic::error("nothing-here", format!("`{asked}` is asked of `()`"))
            .mark(here, "there is nothing here");
    }
    Diagnostic::error("nothing-here", format!("`{asked}` is asked of something that may be `()`"))
        .mark(here, "there may be nothing here")
        .help(ASK_FIRST)
}

/// Creates the diagnostic for a move of a value that may be `()`. `subject` is the beginning of the message, including its verb.
pub(crate) fn no_piece(subject: &str, here: Place) -> Diagnostic {
    Diagnostic::error("nothing-here", format!("{subject} not a piece"))
        .mark(here, sentence::NEITHER_A_PIECE)
        .help(ASK_FIRST)
}

//! The versions that files are written in.

use super::{Diagnostic, Place};

impl Diagnostic {
    /// A file, or what belongs together, is written in another format than this program reads. Formats count up from 1, so it
    /// is that of a newer program; `what` is the beginning of a sentence.
    pub fn unknown_format(what: &str, found: i64, known: i64, place: Place) -> Self {
        let message = format!("{what} is written in format {found}, and this program reads format {known}");
        let help = if found > known {
            format!("read it with a newer version of Parlour, or write it in format {known}")
        } else {
            format!("write `{known}`")
        };
        Self::error("unknown-format", message).mark(place, "another format").help(help)
    }
}

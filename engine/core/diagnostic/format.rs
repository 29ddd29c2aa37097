//! Format versions of files.

use super::{Diagnostic, Place};

impl Diagnostic {
    /// Creates the error for a file with an unsupported format version. Versions count up from 1, so a higher version comes from a newer
    /// program. `what` is the subject of the sentence, such as "this recording".
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

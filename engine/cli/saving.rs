//! Files that are written for the user, who asked for them: a failure says which.

use super::output::Failure;
use crate::diagnostic::shown;
use crate::report;
use std::path::Path;

/// Writes a file whole or not at all, and the folders that it needs.
pub(super) fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    let refused = |error| Failure::Usage(format!("`{}` cannot be written: {error}", shown(path)), None);
    report::write_whole(path, content.as_ref()).map_err(refused)
}

/// Whether a game can be kept there, before it is played.
pub(super) fn check_writable(path: &Path) -> Result<(), Failure> {
    report::check_writable(path).map_err(|error| {
        let message = format!("the game cannot be kept in `{}`: {error}", shown(path));
        Failure::Usage(message, Some("name another file with `--save`".to_owned()))
    })
}

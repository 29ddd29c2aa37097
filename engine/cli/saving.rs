//! Writes files that the user asked for. The error messages name the file.

use super::output::Failure;
use crate::diagnostic::shown;
use crate::files::{self, Directory};
use std::path::Path;

/// Writes a file atomically and creates its parent folders.
pub(super) fn write_atomic(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    files::write_atomic(path, content.as_ref()).map_err(|error| write_error(path, &error))
}

/// Like [`write_atomic`], but only the user may read the file, because a game contains its seed.
pub(super) fn write_atomic_private(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    files::write_atomic_private(path, content.as_ref()).map_err(|error| write_error(path, &error))
}

/// Writes a file atomically, without creating folders. Only the user may read the file, because a saved game contains its seed.
pub(super) fn write_private(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    files::write_private(path, content.as_ref()).map_err(|error| write_error(path, &error))
}

/// Atomically writes a file below a folder. Does not follow links in the path below the folder.
pub(super) fn write_below(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    let written = Directory::create(folder).and_then(|folder| folder.write(name, content.as_ref()));
    written.map_err(|error| write_error(&folder.join(name), &error))
}

/// Returns the message about a file that cannot be written.
pub(super) fn write_error(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Usage(format!("`{}` cannot be written: {error}", shown(path)), None)
}

/// Checks that a game can be saved to `path`, before the game is played.
pub(super) fn check_writable(path: &Path) -> Result<(), Failure> {
    files::check_writable(path).map_err(|error| {
        let message = format!("the game cannot be kept in `{}`: {error}", shown(path));
        Failure::Usage(message, Some("name another file with `--save`".to_owned()))
    })
}

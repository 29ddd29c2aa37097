//! Files that are written for the user, who asked for them: a failure says which.

use super::output::Failure;
use crate::diagnostic::shown;
use crate::files::{self, Directory};
use std::path::Path;

/// Writes a file that the user named, whole or not at all, and makes the folders that it needs.
pub(super) fn write_atomic(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    files::write_atomic(path, content.as_ref()).map_err(|error| unwritten(path, &error))
}

/// The same for a game with its seed, which nobody but the user may read.
pub(super) fn write_atomic_private(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    files::write_atomic_private(path, content.as_ref()).map_err(|error| unwritten(path, &error))
}

/// Writes a file that only the user may read, whole or not at all: a game with its seed.
pub(super) fn write_private(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    files::write_private(path, content.as_ref()).map_err(|error| unwritten(path, &error))
}

/// Writes a file below a folder that the user named, whole or not at all; links below that folder are not followed.
pub(super) fn write_below(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    let written = Directory::create(folder).and_then(|folder| folder.write(name, content.as_ref()));
    written.map_err(|error| unwritten(&folder.join(name), &error))
}

fn unwritten(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Usage(format!("`{}` cannot be written: {error}", shown(path)), None)
}

/// Whether a game can be kept there, before it is played.
pub(super) fn check_writable(path: &Path) -> Result<(), Failure> {
    files::check_writable(path).map_err(|error| {
        let message = format!("the game cannot be kept in `{}`: {error}", shown(path));
        Failure::Usage(message, Some("name another file with `--save`".to_owned()))
    })
}

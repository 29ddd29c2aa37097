//! Files in a run's folder, and the errors of reading and writing them.

#[cfg(feature = "system")]
use super::unseen_strings::unseen_in_json_text;
use crate::diagnostic::shown;
#[cfg(feature = "system")]
use crate::diagnostic::unseen_message;
#[cfg(feature = "system")]
use crate::files::Directory;
use std::io;
use std::path::Path;

/// Reason why a run's folder cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file cannot be read or written.
    #[error("`{0}`: {1}")]
    File(String, io::Error),
    /// The folder contains a run already.
    #[error("`{0}` holds a run already")]
    Taken(String),
    /// The folder contains no run, or an unreadable one.
    #[error("`{0}` holds no run: {1}")]
    NoRun(String, String),
    /// The folder contains a run of another command.
    #[error("`{0}` holds a run of `parlour {1}`")]
    OtherCommand(String, String),
    /// Another program is writing to the folder.
    #[error("another program is writing into `{0}`")]
    Busy(String),
    /// The run cannot be resumed. Contains the reason.
    #[error("`{0}` cannot go on: {1}")]
    Changed(String, String),
    /// The run was interrupted, and its figures do not include all games in its files.
    #[error("`{0}` was not finished")]
    Unfinished(String),
    /// Runs do not belong together, or files of a run contradict each other.
    #[error("{0}")]
    Inconsistent(String),
}

/// Names of the files to which each game adds its lines.
pub(super) const GAME_FILES: [&str; 4] = ["games.csv", "seats.csv", "details.csv", "games.jsonl"];

/// Name of the folder for remarkable games.
pub(super) const PLAYS: &str = "plays";

/// Returns the path of a remarkable game's playscript, relative to the run's folder.
pub fn play_file(name: &str) -> String {
    format!("{PLAYS}/{name}")
}

/// Name of the file that describes the run.
pub(super) const MANIFEST: &str = "manifest.json";

/// Maximum size of a manifest in bytes.
const LARGEST_MANIFEST: u64 = 1 << 20;

/// Maximum size in bytes of any other file that is read completely. The figures of 1,000 games take a few hundred kilobytes.
const LARGEST: u64 = 32 << 20;

/// Reads a JSON file of a run as text, without following links. Fails on invisible characters in its strings, since these may be shown to
/// people.
#[cfg(feature = "system")]
pub(super) fn plain_text(run: &Directory, name: &str) -> Result<String, FolderError> {
    let largest = if name == MANIFEST { LARGEST_MANIFEST } else { LARGEST };
    let text = run.read_text(name, largest);
    let text = text.map_err(|error| no_run(run.path(), &format!("`{name}`: {error}")))?;
    match unseen_in_json_text(&text) {
        Some(character) => Err(no_run(run.path(), &format!("`{name}`: {}", unseen_message(character)))),
        None => Ok(text),
    }
}

/// Opens the folder of a run for reading.
#[cfg(feature = "system")]
pub(super) fn open(path: &Path) -> Result<Directory, FolderError> {
    Directory::open(path).map_err(|error| no_run(path, &format!("`{MANIFEST}`: {error}")))
}

/// Writes a file of a run.
#[cfg(feature = "system")]
pub(super) fn write(run: &Directory, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
    run.write(name, bytes).map_err(|error| at(&run.path().join(name), error))
}

/// Creates the error for a file that cannot be read or written.
pub(super) fn at(path: &Path, error: impl Into<io::Error>) -> FolderError {
    FolderError::File(shown(path), error.into())
}

/// Creates the error for a folder without a readable run.
pub(super) fn no_run(path: &Path, why: &str) -> FolderError {
    FolderError::NoRun(shown(path), why.to_owned())
}

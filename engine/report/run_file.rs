//! The files of a run's folder, and what can be wrong with them.

use super::unseen_strings::unseen_in_json_text;
use crate::diagnostic::{shown, unseen_message};
use crate::files::Directory;
use std::io;
use std::path::Path;

/// Why a folder cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file cannot be read or written.
    #[error("`{0}`: {1}")]
    File(String, io::Error),
    /// There is a run already.
    #[error("`{0}` holds a run already")]
    Taken(String),
    /// It is no run.
    #[error("`{0}` holds no run: {1}")]
    NoRun(String, String),
    /// It is a run of another command.
    #[error("`{0}` holds a run of `parlour {1}`")]
    Other(String, String),
    /// Another program writes into it.
    #[error("another program is writing into `{0}`")]
    Busy(String),
    /// A run cannot go on, and why.
    #[error("`{0}` cannot go on: {1}")]
    Changed(String, String),
    /// It ended before it was done, and what was counted is not all that was played.
    #[error("`{0}` was not finished")]
    Unfinished(String),
    /// Runs do not belong together.
    #[error("{0}")]
    Apart(String),
}

/// The tables that have a line, or several, for each game.
pub(super) const GAME_FILES: [&str; 4] = ["games.csv", "seats.csv", "details.csv", "games.jsonl"];

/// The folder of the games that are worth reading.
pub(super) const PLAYS: &str = "plays";

/// Where one of them lies in the folder of the run.
pub fn play_file(name: &str) -> String {
    format!("{PLAYS}/{name}")
}

/// What was played.
pub(super) const MANIFEST: &str = "manifest.json";

/// Maximum number of bytes of a manifest.
const LARGEST_MANIFEST: u64 = 1 << 20;

/// Maximum number of bytes of any other file of a run that is read as a whole. Figures of 1,000 games have some hundred kilobytes.
const LARGEST: u64 = 16 << 20;

/// Reads the text of a file of a run, all of which people would see on paper. Links are not followed.
pub(super) fn plain_text(run: &Directory, name: &str) -> Result<String, FolderError> {
    let largest = if name == MANIFEST { LARGEST_MANIFEST } else { LARGEST };
    let text = run.read_text(name, largest);
    let text = text.map_err(|error| no_run(run.path(), &format!("`{name}`: {error}")))?;
    match unseen_in_json_text(&text) {
        Some(character) => Err(no_run(run.path(), &format!("`{name}`: {}", unseen_message(character)))),
        None => Ok(text),
    }
}

/// Opens the folder of a run to be read.
pub(super) fn open(path: &Path) -> Result<Directory, FolderError> {
    Directory::open(path).map_err(|error| no_run(path, &format!("`{MANIFEST}`: {error}")))
}

/// Writes a file of a run.
pub(super) fn write(run: &Directory, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
    run.write(name, bytes).map_err(|error| at(&run.path().join(name), error))
}

pub(super) fn at(path: &Path, error: impl Into<io::Error>) -> FolderError {
    FolderError::File(shown(path), error.into())
}

pub(super) fn no_run(path: &Path, why: &str) -> FolderError {
    FolderError::NoRun(shown(path), why.to_owned())
}

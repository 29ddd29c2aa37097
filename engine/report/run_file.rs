//! The files of a run's folder, and what can be wrong with them.

use super::whole::write_whole;
use crate::diagnostic::{shown, unseen_in_json, unseen_message};
use std::fs;
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

/// The text of a file of a run, all of which people would see on paper.
pub(super) fn plain_text(path: &Path, name: &str) -> Result<String, FolderError> {
    let text = fs::read_to_string(path.join(name)).map_err(|error| no_run(path, &format!("`{name}`: {error}")))?;
    match serde_json::from_str(&text).ok().and_then(|found| unseen_in_json(&found)) {
        Some(character) => Err(no_run(path, &format!("`{name}`: {}", unseen_message(character)))),
        None => Ok(text),
    }
}

/// Writes a file of a run.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    write_whole(path, bytes).map_err(|error| at(path, error))
}

pub(super) fn at(path: &Path, error: io::Error) -> FolderError {
    FolderError::File(shown(path), error)
}

pub(super) fn no_run(path: &Path, why: &str) -> FolderError {
    FolderError::NoRun(shown(path), why.to_owned())
}

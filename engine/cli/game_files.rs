//! Reads the files of a game for copying, from a folder or from a game that comes with the program.

use super::output::{Failure, usage};
use crate::desk::{bundle, opening};
use crate::diagnostic::{GAME, Role, shown};
use crate::files::{Directory, Refused};
use std::path::Path;

/// Maximum size in bytes of a file that is copied.
pub(super) const LARGEST_FILE: u64 = 16 << 20;

/// Maximum number of files that are copied.
pub(super) const MAX_FILES: usize = 1000;

/// Maximum size in bytes of all files that are copied. They are held in memory until all of them have been read.
const MAX_BYTES: u64 = 64 << 20;

/// A file of a game: its path relative to the game's folder, and its content.
pub(super) type GameFile = (String, Vec<u8>);

/// Reads the files of a game, sorted by path.
pub(super) fn read(game: &str) -> Result<Vec<GameFile>, Failure> {
    let folder = opening::folder_of(Path::new(game)).unwrap_or(Path::new(game));
    if !folder.is_dir() {
        let bundled = bundle::files(game);
        let files = bundled.ok_or_else(|| {
            Failure::Usage(format!("there is no folder and no game `{game}`"), Some(opening::games(game)))
        })?;
        return Ok(files.into_iter().map(|(path, text)| (path, text.into_bytes())).collect());
    }
    let mut files = Vec::new();
    gather(folder, "", &mut files, &mut { MAX_BYTES })?;
    files.sort();
    Ok(files)
}

/// Returns the name of a game's folder, or the name of a game that comes with the program.
pub(super) fn folder_name(game: &str) -> String {
    let folder = opening::folder_of(Path::new(game)).unwrap_or(Path::new(game));
    let named = if folder.file_name().is_none() { std::path::absolute(folder).ok() } else { None };
    let name = named.as_deref().unwrap_or(folder).file_name();
    name.map_or_else(|| "game".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Returns whether a file is part of a game: `game.toml`, a README or license, or a file in one of the folders that a game may have.
/// Recordings outside these folders, secret links and notes are not part of the game.
pub(super) fn is_of_game(path: &str) -> bool {
    let folder = path.split_once('/').map(|(folder, _)| folder);
    match folder {
        None => path == GAME || path.starts_with("README") || path.starts_with("LICENSE"),
        Some(folder) => match Role::of_folder(folder) {
            // The folder of playscripts also contains secret links and notes.
            Some(Role::Play) => Role::of(path) == Some(Role::Play),
            found => found.is_some(),
        },
    }
}

/// Collects the files of a folder and its subfolders, at most `bytes_left` bytes. Links are not followed, and hidden files are skipped.
fn gather(folder: &Path, below: &str, files: &mut Vec<GameFile>, bytes_left: &mut u64) -> Result<(), Failure> {
    let too_large = || {
        let (all, each) = (MAX_BYTES >> 20, LARGEST_FILE >> 20);
        let limits = format!("a game has at most {MAX_FILES} files with {all} MB, and {each} MB in one file");
        usage(format!("`{}` is too large to be a game: {limits}", shown(folder)))
    };
    let unreadable = |error: std::io::Error| usage(format!("`{}` cannot be read: {error}", shown(folder)));
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let sort = entry.file_type().map_err(unreadable)?;
        if name.starts_with('.') || sort.is_symlink() {
            continue;
        }
        let path = format!("{below}{name}");
        if sort.is_dir() {
            gather(&entry.path(), &format!("{path}/"), files, bytes_left)?;
            continue;
        }
        let largest = LARGEST_FILE.min(*bytes_left);
        if files.len() == MAX_FILES || entry.metadata().map_err(unreadable)?.len() > largest {
            return Err(too_large());
        }
        let read = Directory::open(folder).map_err(Refused::from).and_then(|folder| folder.read(&name, largest));
        let bytes = read.map_err(|refused| unreadable(refused.into()))?;
        *bytes_left -= bytes.len() as u64;
        files.push((path, bytes));
    }
    Ok(())
}

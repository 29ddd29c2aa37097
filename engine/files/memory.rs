//! Files in memory, for systems without a disk. The functions replace those of the same names in `named.rs`.

use super::refused::{Refused, Size};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// All files, by path.
static FILES: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());

fn files() -> MutexGuard<'static, BTreeMap<PathBuf, Vec<u8>>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Protection that a file must have against other users. Files in memory meet every requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Only the user can read or write the file.
    NobodyElseReads,
    /// Only the user can write the file.
    NobodyElseWrites,
}

/// Returns the key that authenticates files. The key is a constant, because nobody else can write files in memory.
///
/// # Errors
/// Never fails.
pub(crate) fn user_key() -> Result<[u8; 32], Refused> {
    Ok([0; 32])
}

/// Writes a file. Replaces it if it exists.
///
/// # Errors
/// Never fails.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    files().insert(path.to_path_buf(), bytes.to_vec());
    Ok(())
}

/// Appends bytes to a file that has `length` bytes. Returns `false` and appends nothing if the file is missing or has another length.
///
/// # Errors
/// Never fails.
pub(crate) fn append_synced(path: &Path, length: u64, bytes: &[u8]) -> io::Result<bool> {
    let mut files = files();
    let known = files.get_mut(path).filter(|file| file.len() as u64 == length);
    Ok(known.map(|file| file.extend_from_slice(bytes)).is_some())
}

/// Reads a file of at most `largest` bytes.
///
/// # Errors
/// Refuses missing and larger files.
pub(crate) fn read_named(path: &Path, largest: u64) -> Result<Vec<u8>, Refused> {
    let found = files().get(path).cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    if found.len() as u64 > largest { Err(Refused::TooLarge(Size(largest))) } else { Ok(found) }
}

/// Reads a UTF-8 file of at most `largest` bytes.
///
/// # Errors
/// Like [`read_named`]; also refuses bytes that are not UTF-8.
pub(crate) fn read_unlinked(path: &Path, largest: u64) -> Result<String, Refused> {
    String::from_utf8(read_named(path, largest)?).map_err(|error| io::Error::other(error).into())
}

/// Like [`read_named`].
///
/// # Errors
/// Like [`read_named`].
pub(crate) fn read_unlinked_bytes(path: &Path, largest: u64) -> Result<Vec<u8>, Refused> {
    read_named(path, largest)
}

/// Like [`read_unlinked`].
///
/// # Errors
/// Like [`read_unlinked`].
pub(crate) fn read_trusted(path: &Path, largest: u64, _trust: Trust) -> Result<String, Refused> {
    read_unlinked(path, largest)
}

/// Deletes a file if it exists.
///
/// # Errors
/// Never fails.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    files().remove(path);
    Ok(())
}

/// Returns whether there is a file at `path`.
pub(crate) fn exists(path: &Path) -> bool {
    files().contains_key(path)
}

/// Returns the paths and contents of all files, so that they can be stored.
pub(crate) fn all() -> Vec<(String, Vec<u8>)> {
    files().iter().map(|(path, bytes)| (path.to_string_lossy().into_owned(), bytes.clone())).collect()
}

/// Replaces all files with the stored ones.
pub(crate) fn put_all(stored: impl IntoIterator<Item = (String, Vec<u8>)>) {
    *files() = stored.into_iter().map(|(path, bytes)| (path.into(), bytes)).collect();
}

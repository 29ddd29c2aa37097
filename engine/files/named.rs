//! Access to single files that the user named.

use super::directory::{Access, Directory};
use super::file_name::unportable_reason;
use super::refused::Refused;
#[cfg(feature = "page")]
use super::refused::Size;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{self, File};
#[cfg(feature = "page")]
use std::io::Read as _;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file atomically at a path that the user named, and creates missing folders. If the path is a link, the target is
/// replaced; a device such as `/dev/null` is written directly.
///
/// For names that the program chooses, use [`Directory::write`], which does not follow links.
///
/// # Errors
/// Returns an error if the file cannot be written, or if its name is not allowed on every operating system.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_named(path, bytes, Access::AsBefore)
}

/// Writes a file at a path that the user named, with the given access rights. See [`write_atomic`].
fn write_named(path: &Path, bytes: &[u8], access: Access) -> io::Result<()> {
    check_name(path)?;
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    write(path, bytes, access)
}

/// Like [`write_atomic`], but only the user can read the file afterwards, on systems with file permissions.
///
/// # Errors
/// Like [`write_atomic`].
pub fn write_atomic_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_named(path, bytes, Access::Private)
}

/// Atomically writes a file that only the user can read, on systems with file permissions. A link at the path is replaced, not followed.
///
/// # Errors
/// Returns an error if the file cannot be written, or if its name is not allowed on every operating system.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    check_name(path)?;
    write(path, bytes, Access::Private)
}

/// Writes a file atomically with the given access rights. A link at the path is replaced, not followed.
fn write(path: &Path, bytes: &[u8], access: Access) -> io::Result<()> {
    Directory::create(folder_of(path))?.write_as(name_of(path)?, bytes, access)
}

/// Appends bytes to a file that has `length` bytes, and syncs it to the disk. Returns `false` and appends nothing if the file is missing or
/// has another length, which means that another program has changed it.
///
/// # Errors
/// Refuses links, files with several hard links, and anything that is not a file.
pub fn append_synced(path: &Path, length: u64, bytes: &[u8]) -> io::Result<bool> {
    let opened = Directory::open(folder_of(path)).map_err(Refused::from).and_then(|folder| {
        let name = name_of(path)?;
        folder.append_here(name)
    });
    let mut file = match opened {
        Err(refused) if refused.is_missing() => return Ok(false),
        opened => opened?,
    };
    if file.metadata()?.len() != length {
        return Ok(false);
    }
    file.write_all(bytes)?;
    file.sync_data().map(|()| true)
}

/// Checks that a file can be written at this path, without writing it.
///
/// # Errors
/// Returns the reason if the file cannot be written.
pub fn check_writable(path: &Path) -> io::Result<()> {
    check_name(path)?;
    let directory = Directory::open(folder_of(path))?;
    // Trying to open the file lets the system check the name, for example its length.
    if let Err(Refused::System(error)) = directory.open_file(name_of(path)?)
        && error.kind() == io::ErrorKind::InvalidFilename
    {
        return Err(error);
    }
    directory.check_writable()
}

/// Reads a file of at most `largest` bytes that the user named. The path may be a link.
///
/// # Errors
/// Refuses anything that is not a file, and larger files.
pub(crate) fn read_named(path: &Path, largest: u64) -> Result<Vec<u8>, Refused> {
    let path = fs::canonicalize(path)?;
    Directory::open(folder_of(&path))?.read(name_of(&path)?, largest)
}

/// Reads a UTF-8 file of at most `largest` bytes. The program chose the path, for example beside one of the user's files.
///
/// # Errors
/// Refuses links, anything else that is not a file, larger files, and bytes that are not UTF-8.
pub(crate) fn read_unlinked(path: &Path, largest: u64) -> Result<String, Refused> {
    Directory::open(folder_of(path))?.read_text(name_of(path)?, largest)
}

/// Like [`read_unlinked`], but the bytes need not be UTF-8.
///
/// # Errors
/// Refuses links, anything else that is not a file, and larger files.
pub(crate) fn read_unlinked_bytes(path: &Path, largest: u64) -> Result<Vec<u8>, Refused> {
    Directory::open(folder_of(path))?.read(name_of(path)?, largest)
}

/// Protection that a file must have against other users. On systems without file owners, such as Windows, every file meets every
/// requirement.
#[cfg(feature = "page")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// The user owns the file, and nobody else can read or write it.
    NobodyElseReads,
    /// The user owns the file, and nobody else can write it.
    NobodyElseWrites,
}

/// Reads a UTF-8 file of at most `largest` bytes that meets the requirement `trust`.
///
/// # Errors
/// Like [`read_unlinked`]; also refuses a file that another user may have read or written.
#[cfg(feature = "page")]
pub(crate) fn read_trusted(path: &Path, largest: u64, trust: Trust) -> Result<String, Refused> {
    // Owner and mode are read from the open file, because the path may refer to another file by now.
    let file = Directory::open(folder_of(path))?.open_file(name_of(path)?)?;
    let metadata = file.metadata()?;
    let access = crate::system::access(&metadata);
    if !access.is_own {
        return Err(Refused::Untrusted("it belongs to another user"));
    }
    if access.others_write {
        return Err(Refused::Untrusted("other users can write it"));
    }
    if access.others_read && trust == Trust::NobodyElseReads {
        return Err(Refused::Untrusted("other users can read it"));
    }
    let mut text = String::new();
    file.take(largest.saturating_add(1)).read_to_string(&mut text)?;
    if text.len() as u64 > largest { Err(Refused::TooLarge(Size(largest))) } else { Ok(text) }
}

/// Name of the file with the user's key, and the number of bytes of the key.
#[cfg(feature = "web")]
const KEY_FILE: &str = "key";
#[cfg(feature = "web")]
const KEY_BYTES: usize = 32;

/// Returns the user's key, which authenticates files that the program itself has written. If there is no key yet, generates a random one
/// and stores it where only the user can read it.
///
/// # Errors
/// Returns the reason if no key can be stored, or if other users may have read it.
#[cfg(feature = "web")]
pub(crate) fn user_key() -> Result<[u8; KEY_BYTES], Refused> {
    // Unit tests must not access the user's folders.
    if cfg!(test) {
        return Ok([7; KEY_BYTES]);
    }
    let nowhere = || io::Error::new(io::ErrorKind::NotFound, "the environment names no folder of the user");
    let folder = crate::system::state_folder().ok_or_else(nowhere)?;
    let directory = Directory::create(&folder)?;
    // Another process may create the key at the same time, and may not have written it yet.
    for _ in 0..1_000 {
        match read_trusted(&folder.join(KEY_FILE), 2 * KEY_BYTES as u64, Trust::NobodyElseReads) {
            Ok(text) => {
                if let Some(key) = parse_key(&text) {
                    return Ok(key);
                }
            }
            Err(refused) if refused.is_missing() => {
                let mut key = [0; KEY_BYTES];
                getrandom::fill(&mut key).map_err(io::Error::other)?;
                let mut text = String::new();
                for byte in key {
                    let _ = write!(text, "{byte:02x}");
                }
                match directory.write_new(KEY_FILE, text.as_bytes(), None, Access::Private) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    written => return Ok(written.map(|()| key)?),
                }
            }
            Err(refused) => return Err(refused),
        }
    }
    Err(Refused::Untrusted("it is not a key"))
}

/// Parses a key from its hexadecimal digits. Returns `None` if the text has the wrong length or contains anything else.
#[cfg(feature = "web")]
fn parse_key(text: &str) -> Option<[u8; KEY_BYTES]> {
    let mut key = [0; KEY_BYTES];
    if text.len() != 2 * KEY_BYTES {
        return None;
    }
    for (at, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(key)
}

/// Deletes a file if it exists. If the path is a link, deletes the link, not its target. Never deletes a folder.
///
/// # Errors
/// Returns the operating system's reason if the file cannot be deleted.
#[cfg(feature = "page")]
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let own = name_of(path)?;
    match Directory::open(folder_of(path)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        opened => opened?.remove_files(&|name| name == own).map_err(|(_, error)| error),
    }
}

/// Returns whether there is a file at `path`. Follows links.
#[cfg(feature = "page")]
pub(crate) fn exists(path: &Path) -> bool {
    path.is_file()
}

fn check_name(path: &Path) -> io::Result<()> {
    let why = path.file_name().and_then(OsStr::to_str).and_then(unportable_reason);
    why.map_or(Ok(()), |why| Err(io::Error::new(io::ErrorKind::InvalidFilename, why)))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn name_of(path: &Path) -> io::Result<&str> {
    let unnamed = || io::Error::new(io::ErrorKind::InvalidFilename, "it has no name that is text");
    path.file_name().and_then(OsStr::to_str).ok_or_else(unnamed)
}

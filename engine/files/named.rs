//! Single files that the user named.

#[cfg(feature = "web")]
use super::directory::Size;
use super::directory::{Access, Directory, Refused};
use super::file_name::unportable;
use std::ffi::OsStr;
use std::fs::{self, File};
#[cfg(feature = "web")]
use std::io::Read as _;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file that the user named, whole or not at all. Folders that are missing are made. A link stays what it is, and the file
/// that it leads to is replaced; a device such as `/dev/null` is written into.
///
/// Names that the program makes up belong below a [`Directory`], where links are not followed.
///
/// # Errors
/// Returns an error if it cannot be written, or has a name that not every system has room for.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_named(path, bytes, Access::AsBefore)
}

fn write_named(path: &Path, bytes: &[u8], access: Access) -> io::Result<()> {
    check_name(path)?;
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    write(path, bytes, access)
}

/// The same for a file that only the user may read from then on, where there is such a thing.
///
/// # Errors
/// Those of [`write_whole`].
pub fn write_whole_privately(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_named(path, bytes, Access::Private)
}

/// Writes a file whole or not at all that only the user may read, where there is such a thing. A link in its place is replaced.
///
/// # Errors
/// Returns an error if it cannot be written, or has a name that not every system has room for.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    check_name(path)?;
    write(path, bytes, Access::Private)
}

fn write(path: &Path, bytes: &[u8], access: Access) -> io::Result<()> {
    Directory::create(folder_of(path))?.write_as(name_of(path)?, bytes, access)
}

/// Adds bytes to a file that is there, and makes sure that they are on the disk.
///
/// # Errors
/// Refuses links, files with a second name on the disk, and whatever is no file.
pub fn append_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Directory::open(folder_of(path))?.append(name_of(path)?)?;
    file.write_all(bytes)?;
    file.sync_data()
}

/// Checks that a file can be written there, before anything is.
///
/// # Errors
/// Returns the reason why it cannot.
pub fn check_writable(path: &Path) -> io::Result<()> {
    check_name(path)?;
    let directory = Directory::open(folder_of(path))?;
    // The system itself says what it takes for a name, such as how long it may be.
    if let Err(Refused::System(error)) = directory.open_file(name_of(path)?)
        && error.kind() == io::ErrorKind::InvalidFilename
    {
        return Err(error);
    }
    directory.check_writable()
}

/// Reads a file that the user named, of at most `largest` bytes. It may be a link.
///
/// # Errors
/// Refuses whatever is no file, and larger files.
pub(crate) fn read_named(path: &Path, largest: u64) -> Result<Vec<u8>, Refused> {
    let path = fs::canonicalize(path)?;
    Directory::open(folder_of(&path))?.read(name_of(&path)?, largest)
}

/// Reads a text of at most `largest` bytes from a file that the program named, as one beside a file of the user's.
///
/// # Errors
/// Refuses links, whatever is no file, larger files, and what is not UTF-8.
pub(crate) fn read_unlinked(path: &Path, largest: u64) -> Result<String, Refused> {
    Directory::open(folder_of(path))?.read_text(name_of(path)?, largest)
}

/// Requirement on who can use a file. Where files have no owners, as on Windows, both are met by every file.
#[cfg(feature = "web")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// The user owns the file, and nobody else can read or write it.
    NobodyElseReads,
    /// The user owns the file, and nobody else can write it.
    NobodyElseWrites,
}

/// Reads a text of at most `largest` bytes from a file that meets a requirement.
///
/// # Errors
/// Like [`read_unlinked`]; refuses a file that somebody else may have read or written, too.
#[cfg(feature = "web")]
pub(crate) fn read_trusted(path: &Path, largest: u64, trust: Trust) -> Result<String, Refused> {
    // The owner and the mode are those of the open file: its name may stand for another one by now.
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

/// Deletes a file, if it is there; of a link, the link.
///
/// # Errors
/// Returns the operating system's reason if it cannot be deleted.
#[cfg(feature = "web")]
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let own = name_of(path)?;
    match Directory::open(folder_of(path)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        opened => opened?.remove_files(&|name| name == own).map_err(|(_, error)| error),
    }
}

fn check_name(path: &Path) -> io::Result<()> {
    let why = path.file_name().and_then(OsStr::to_str).and_then(unportable);
    why.map_or(Ok(()), |why| Err(io::Error::new(io::ErrorKind::InvalidFilename, why)))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn name_of(path: &Path) -> io::Result<&str> {
    let unnamed = || io::Error::new(io::ErrorKind::InvalidFilename, "it has no name that is text");
    path.file_name().and_then(OsStr::to_str).ok_or_else(unnamed)
}

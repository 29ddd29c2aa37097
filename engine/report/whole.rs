//! Files that are written whole or not at all: the one way in which anything is written that is not added to line by line.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Names that Windows keeps for devices, whatever stands behind a dot and however they are written.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The same with a digit behind them.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// Characters that no name of a file has on Windows.
const REFUSED: [char; 8] = ['<', '>', ':', '"', '|', '?', '*', '\\'];

/// How the name of a file ends that is not whole yet.
const PART: &str = "part";

/// Writes a file beside where it belongs, makes sure it is on the disk, and puts it in its place: a process that stops meanwhile
/// leaves the old file, or the new one. Folders that are missing are made. What is there and is no file, such as `/dev/null`, is
/// written into.
///
/// # Errors
/// When it cannot be written, or has a name that not every system has room for.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write(path, bytes, &mut File::options())
}

/// The same with a file that nobody else on the machine may read, where there is such a thing.
///
/// # Errors
/// Those of [`write_whole`].
#[cfg(feature = "web")]
pub(crate) fn write_whole_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = File::options();
    crate::system::private(&mut options);
    write(path, bytes, &mut options)
}

fn write(path: &Path, bytes: &[u8], options: &mut fs::OpenOptions) -> io::Result<()> {
    check_name(path)?;
    // A link stays what it is: the file that it leads to is replaced.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    if let Some(folder) = folder_of(path) {
        make_folder(folder)?;
    }
    let beside = beside(path);
    let written = write_synced(&beside, bytes, options).and_then(|()| put(&beside, path));
    if written.is_err() {
        // What is left of it is of no use; that it could not be written is reported anyway.
        let _ = fs::remove_file(&beside);
    }
    written?;
    sync_folder(path);
    Ok(())
}

/// Makes a folder, and those that it lies in.
///
/// # Errors
/// When it cannot be made, or one that is not there yet has a name that not every system has room for.
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    folder.ancestors().take_while(|part| !part.exists()).try_for_each(check_name)?;
    fs::create_dir_all(folder)
}

/// Whether a file can be written there, before anything is.
///
/// # Errors
/// When it cannot.
pub fn check_writable(path: &Path) -> io::Result<()> {
    check_name(path)?;
    let beside = beside(path);
    File::create(&beside).and_then(|_| fs::remove_file(&beside))
}

/// Why a file or a folder cannot be called so on every system, if it cannot.
pub fn unportable(name: &str) -> Option<String> {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let is_numbered = |device: &&str| {
        let rest = stem.strip_prefix(*device).map(str::as_bytes);
        matches!(rest, Some([b'0'..=b'9']))
    };
    if DEVICES.contains(&stem.as_str()) || NUMBERED_DEVICES.iter().any(is_numbered) {
        return Some(format!("Windows keeps the name `{stem}` for itself"));
    }
    if let Some(character) = name.chars().find(|character| REFUSED.contains(character) || character.is_control()) {
        return Some(format!("Windows has no `{}` in names of files", character.escape_default()));
    }
    let ends_badly = name.ends_with(['.', ' ']) && !name.chars().all(|character| character == '.');
    ends_badly.then(|| "Windows takes the last character off this name".to_owned())
}

fn check_name(path: &Path) -> io::Result<()> {
    let why = path.file_name().and_then(OsStr::to_str).and_then(unportable);
    why.map_or(Ok(()), |why| Err(io::Error::new(io::ErrorKind::InvalidFilename, why)))
}

fn write_synced(path: &Path, bytes: &[u8], options: &mut fs::OpenOptions) -> io::Result<()> {
    let mut file = options.write(true).create(true).truncate(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Puts a file in the place of another. On Windows a process that has the other one open may keep it there, and the error says so.
fn put(new: &Path, place: &Path) -> io::Result<()> {
    fs::rename(new, place).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied if cfg!(windows) && place.is_file() => {
            io::Error::new(error.kind(), format!("another program has it open ({error})"))
        }
        _ => error,
    })
}

/// Whether a file of this name was being written when the program ended.
pub fn is_part(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == PART)
}

/// A name in the same folder that no other process uses.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(Default::default, OsStr::to_os_string);
    name.push(format!(".{}.{PART}", std::process::id()));
    path.with_file_name(name)
}

fn folder_of(path: &Path) -> Option<&Path> {
    path.parent().filter(|folder| !folder.as_os_str().is_empty())
}

/// Makes sure the new name is on the disk; where folders cannot be opened, renaming has to do.
fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(folder_of(path).unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}

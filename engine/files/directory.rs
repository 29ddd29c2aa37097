//! A folder that the user named, and the files below it.

use super::file_name::{no_single_name, unportable, unpredictable};
use crate::system;
use cap_fs_ext::{DirExt, FollowSymlinks, MetadataExt, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions, Permissions};
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Handle of a folder. The folder itself may be reached through links; links below it are never followed.
#[derive(Debug)]
pub struct Directory {
    dir: Dir,
    path: PathBuf,
}

/// Number of bytes, in messages as KB or MB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub u64);

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            bytes if bytes < 10 << 10 => write!(f, "{bytes} bytes"),
            bytes if bytes < 10 << 20 => write!(f, "{} KB", bytes >> 10),
            bytes => write!(f, "{} MB", bytes >> 20),
        }
    }
}

/// Reason why a file below a folder is not read or written.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// A symbolic link, at the end of the path or before.
    #[error("it is a link, and links are not followed")]
    Link,
    /// A folder, a device, a pipe or the like.
    #[error("it is not a file")]
    NotAFile,
    /// A file that is added to, and has other names elsewhere.
    #[error("it has a second name on the disk (a hard link), and is not written")]
    SecondName,
    /// A file that is for its user alone, and that somebody else may have read or written.
    #[error("{0}")]
    Untrusted(&'static str),
    /// More bytes than a file of its sort may have.
    #[error("it is larger than {0}")]
    TooLarge(Size),
    /// The operating system's reason.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl Refused {
    /// Returns whether there is no file of the name.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::System(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::System(error) => error,
            other => Self::other(other),
        }
    }
}

/// Who may read a file that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Those who could read the file that it replaces; of a new file, whoever the user lets read new files.
    AsBefore,
    /// The user alone.
    Private,
}

impl Directory {
    /// Opens a folder that the user named.
    ///
    /// # Errors
    /// Returns the operating system's reason if it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let named = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        Ok(Self { dir: Dir::open_ambient_dir(named, ambient_authority())?, path: path.to_owned() })
    }

    /// Opens a folder that the user named, and makes it and those that it lies in if they are missing.
    ///
    /// # Errors
    /// Returns an error if it cannot be made, or one that is missing has a name that not every system has room for.
    pub fn create(path: &Path) -> io::Result<Self> {
        let missing = path.ancestors().take_while(|part| !part.as_os_str().is_empty() && !part.exists());
        for part in missing {
            let why = part.file_name().and_then(OsStr::to_str).and_then(unportable);
            why.map_or(Ok(()), |why| Err(io::Error::new(io::ErrorKind::InvalidFilename, why)))?;
        }
        if !path.as_os_str().is_empty() {
            fs::create_dir_all(path)?;
        }
        Self::open(path)
    }

    /// Creates a folder that the user named, and missing folders that contain it, for use on this machine.
    ///
    /// Unlike [`Directory::create`], it accepts names that only other systems reserve, and returns the reason why the folder cannot be
    /// copied to every system.
    ///
    /// # Errors
    /// Returns the operating system's reason if the folder cannot be created.
    pub fn create_local(path: &Path) -> io::Result<Option<String>> {
        if cfg!(windows) {
            return Self::create(path).map(|_| None);
        }
        let missing = path.ancestors().take_while(|part| !part.as_os_str().is_empty() && !part.exists());
        let why = missing.filter_map(|part| part.file_name().and_then(OsStr::to_str).and_then(unportable)).next();
        fs::create_dir_all(path)?;
        Ok(why)
    }

    /// Path as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a folder below this one.
    ///
    /// # Errors
    /// Refuses links, and whatever is no folder.
    pub fn subfolder(&self, name: &str) -> Result<Self, Refused> {
        check(name)?;
        match self.dir.symlink_metadata(name) {
            Ok(found) if found.is_symlink() => Err(Refused::Link),
            Ok(_) => Ok(Self { dir: self.dir.open_dir_nofollow(name)?, path: self.path.join(name) }),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a folder below this one, and makes it if it is missing.
    fn create_subfolder(&self, name: &str) -> Result<Self, Refused> {
        check(name)?;
        match self.dir.create_dir(name) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error.into()),
            _ => self.subfolder(name),
        }
    }

    /// Calls `action` with the folder that a path with `/` leads to and the last part of the path.
    fn at<T>(
        &self,
        path: &str,
        step: &dyn Fn(&Self, &str) -> Result<Self, Refused>,
        action: impl FnOnce(&Self, &str) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        // All parts are checked before any folder is made.
        path.split('/').try_for_each(check)?;
        let Some((folders, name)) = path.rsplit_once('/') else { return action(self, path) };
        let mut parts = folders.split('/');
        let mut folder = step(self, parts.next().unwrap_or_default())?;
        for part in parts {
            folder = step(&folder, part)?;
        }
        action(&folder, name)
    }

    /// Opens a file for reading; `path` is relative, with `/` between its parts.
    ///
    /// # Errors
    /// Refuses links, and whatever is no file.
    pub fn open_file(&self, path: &str) -> Result<File, Refused> {
        self.at(path, &Self::subfolder, |folder, name| folder.open_here(name, OpenOptions::new().read(true)))
    }

    /// Opens a file of this folder that is there; it is looked at before, since opening a device may do something.
    fn open_here(&self, name: &str, options: &mut OpenOptions) -> Result<File, Refused> {
        refuse_unless_file(&self.dir.symlink_metadata(name)?)?;
        // It may have been exchanged since: a link is refused by the system, and a pipe does not wait.
        let file = self.dir.open_with(name, options.follow(FollowSymlinks::No).nonblock(true))?;
        refuse_unless_file(&file.metadata()?)?;
        Ok(file.into_std())
    }

    /// Reads a file of at most `largest` bytes; `path` is relative, with `/` between its parts.
    ///
    /// # Errors
    /// Refuses links, whatever is no file, and larger files.
    pub fn read(&self, path: &str, largest: u64) -> Result<Vec<u8>, Refused> {
        let file = self.open_file(path)?;
        if file.metadata()?.len() > largest {
            return Err(Refused::TooLarge(Size(largest)));
        }
        let mut bytes = Vec::new();
        // It may have grown since, and what the system computes (`/proc`) has no size.
        file.take(largest.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > largest { Err(Refused::TooLarge(Size(largest))) } else { Ok(bytes) }
    }

    /// Reads a text of at most `largest` bytes; `path` is relative, with `/` between its parts.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), and bytes that are not UTF-8.
    pub fn read_text(&self, path: &str, largest: u64) -> Result<String, Refused> {
        let text = String::from_utf8(self.read(path, largest)?);
        text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8").into())
    }

    /// Returns the number of bytes of a file, or `None` if there is no file at the path or a link leads there.
    pub fn size(&self, path: &str) -> Option<u64> {
        let look = |folder: &Self, name: &str| Ok(folder.dir.symlink_metadata(name)?);
        let found = self.at(path, &Self::subfolder, look).ok()?;
        found.is_file().then(|| found.len())
    }

    /// Returns whether anything is at the path, be it a link that leads nowhere.
    pub fn has(&self, path: &str) -> bool {
        self.at(path, &Self::subfolder, |folder, name| Ok(folder.dir.symlink_metadata(name)?)).is_ok()
    }

    /// Returns the names in the folder, sorted, at most `most`; those that are not UTF-8 are left out.
    ///
    /// # Errors
    /// Returns the operating system's reason if the folder cannot be read.
    pub fn names(&self, most: usize) -> io::Result<Vec<String>> {
        let names = self.dir.entries()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.take(most).collect();
        names.sort();
        Ok(names)
    }

    /// Writes a file whole or not at all; `path` is relative, with `/` between its parts, and folders that are missing are made.
    /// A link in its place is replaced.
    ///
    /// # Errors
    /// Returns an error if a folder before it is a link, or it cannot be written.
    pub fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.write_as(path, bytes, Access::AsBefore)
    }

    pub(super) fn write_as(&self, path: &str, bytes: &[u8], access: Access) -> io::Result<()> {
        let write = |folder: &Self, name: &str| Ok(folder.replace(name, bytes, access)?);
        Ok(self.at(path, &Self::create_subfolder, write)?)
    }

    /// Writes a file beside its place under a name that is drawn, makes sure that it is on the disk, and puts it in its place: a
    /// process that stops meanwhile leaves the old file, or the new one.
    fn replace(&self, name: &str, bytes: &[u8], access: Access) -> io::Result<()> {
        let before = self.dir.symlink_metadata(name).ok();
        // Put in its place it would replace a device or a pipe, which a user may rely on.
        if before.as_ref().is_some_and(|found| !found.is_file() && !found.is_symlink()) {
            return Err(Refused::NotAFile.into());
        }
        let before = before.filter(Metadata::is_file).map(|found| found.permissions());
        let beside = unpredictable()?;
        let written = self
            .write_new(&beside, bytes, before.filter(|_| access == Access::AsBefore), access)
            .and_then(|()| self.dir.rename(&beside, &self.dir, name).map_err(|error| self.explain(error, name)));
        if written.is_err() {
            // What is left of it is of no use; that it could not be written is reported anyway.
            let _ = self.dir.remove_file(&beside);
        }
        written?;
        self.sync();
        Ok(())
    }

    fn write_new(&self, name: &str, bytes: &[u8], as_before: Option<Permissions>, access: Access) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).follow(FollowSymlinks::No);
        if access == Access::Private || as_before.is_some() {
            system::private(&mut options);
        }
        let mut file = self.dir.open_with(name, &options)?;
        // What cannot be written on Windows cannot be replaced there either, nor could this file be deleted.
        if let Some(permissions) = as_before.filter(|found| !(cfg!(windows) && found.readonly())) {
            file.set_permissions(permissions)?;
        }
        file.write_all(bytes)?;
        file.sync_all()
    }

    /// On Windows a process that has a file open may keep it in its place, and the error says so.
    fn explain(&self, error: io::Error, name: &str) -> io::Error {
        match error.kind() {
            io::ErrorKind::PermissionDenied if cfg!(windows) && self.size(name).is_some() => {
                io::Error::new(error.kind(), format!("another program has it open ({error})"))
            }
            _ => error,
        }
    }

    /// Makes sure that new names are on the disk; where folders cannot be opened, renaming has to do.
    fn sync(&self) {
        if let Ok(folder) = self.reopen() {
            let _ = folder.sync_all();
        }
    }

    /// Opens the folder by its path. The handle itself can neither be locked nor synced on Linux, where it only stands for a place.
    /// Should another folder be there by now, neither of the two does any harm.
    fn reopen(&self) -> io::Result<File> {
        File::open(if self.path.as_os_str().is_empty() { Path::new(".") } else { self.path.as_path() })
    }

    /// Checks that a file can be written here.
    pub(super) fn check_writable(&self) -> io::Result<()> {
        let name = unpredictable()?;
        self.write_new(&name, b"", None, Access::Private).and_then(|()| self.dir.remove_file(&name))
    }

    /// Opens a file to be added to after `length` bytes, what stands behind them is dropped; it is made if it is missing. `path` is
    /// relative, with `/` between its parts.
    ///
    /// # Errors
    /// Refuses links, files with a second name on the disk, whatever is no file, and files that are shorter.
    pub fn append_at(&self, path: &str, length: u64) -> Result<File, Refused> {
        let file = self.append(path)?;
        if file.metadata()?.len() < length {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is shorter than it was").into());
        }
        file.set_len(length)?;
        Ok(file)
    }

    /// Opens a file to be added to at its end, or makes it.
    pub(super) fn append(&self, path: &str) -> Result<File, Refused> {
        let open = |folder: &Self, name: &str| {
            let mut options = OpenOptions::new();
            options.append(true);
            match folder.open_here(name, &mut options) {
                // Nobody else can have made it: then this fails.
                Err(refused) if refused.is_missing() => {
                    options.create_new(true).follow(FollowSymlinks::No);
                    Ok(folder.dir.open_with(name, &options)?.into_std())
                }
                Ok(file) if cap_std::fs::File::from_std(file.try_clone()?).metadata()?.nlink() > 1 => {
                    Err(Refused::SecondName)
                }
                found => found,
            }
        };
        self.at(path, &Self::create_subfolder, open)
    }

    /// Deletes files of this folder whose names are meant; links themselves are deleted, folders never.
    ///
    /// # Errors
    /// Returns the first file that cannot be deleted, with the reason.
    pub fn remove_files(&self, is_meant: &dyn Fn(&str) -> bool) -> Result<(), (PathBuf, io::Error)> {
        for name in self.names(usize::MAX).unwrap_or_default().iter().filter(|name| is_meant(name)) {
            let is_folder = self.dir.symlink_metadata(name).is_ok_and(|found| found.is_dir());
            if !is_folder {
                self.dir.remove_file(name).map_err(|error| (self.path.join(name), error))?;
            }
        }
        Ok(())
    }

    /// Deletes a folder below this one if it is empty.
    ///
    /// # Errors
    /// Returns the operating system's reason if it cannot be deleted.
    pub fn remove_empty_folder(&self, name: &str) -> io::Result<()> {
        check(name)?;
        self.dir.remove_dir(name)
    }

    /// Puts a file of another folder in its place here.
    pub(crate) fn adopt(&self, from: &Self, name: &str) -> io::Result<()> {
        check(name)?;
        refuse_unless_file(&from.dir.symlink_metadata(name)?)?;
        from.dir.rename(name, &self.dir, name).map_err(|error| self.explain(error, name))
    }

    /// Locks the folder against other processes until the handle is dropped; `None` where folders cannot be locked.
    ///
    /// # Errors
    /// Returns `Busy` if another process has locked it.
    pub fn lock(&self) -> Result<Option<File>, Busy> {
        let Ok(folder) = self.reopen() else { return Ok(None) };
        match folder.try_lock() {
            Ok(()) => Ok(Some(folder)),
            Err(TryLockError::WouldBlock) => Err(Busy),
            Err(TryLockError::Error(_)) => Ok(None),
        }
    }
}

/// Another process has locked a folder.
#[derive(Debug)]
pub struct Busy;

fn check(name: &str) -> Result<(), Refused> {
    match no_single_name(name) {
        Some(why) => Err(io::Error::new(io::ErrorKind::InvalidFilename, why).into()),
        None => Ok(()),
    }
}

fn refuse_unless_file(found: &Metadata) -> Result<(), Refused> {
    match found {
        found if found.is_symlink() => Err(Refused::Link),
        found if found.is_file() => Ok(()),
        _ => Err(Refused::NotAFile),
    }
}

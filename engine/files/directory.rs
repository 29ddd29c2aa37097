//! Guarded access to the files below a folder that the user named.

use super::file_name::{invalid_name_reason, temporary_name, unportable_reason};
use super::refused::{Refused, Size};
use crate::system;
use cap_fs_ext::{DirExt, FollowSymlinks, MetadataExt, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions, Permissions};
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Handle to a folder. The path of the folder itself may contain links. Links below the folder are never followed.
#[derive(Debug)]
pub struct Directory {
    dir: Dir,
    path: PathBuf,
}

/// Access rights of a file that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Same as for the file that is replaced. For a new file, the default of the system.
    AsBefore,
    /// Only the user can read and write the file.
    Private,
}

impl Directory {
    /// Opens a folder that the user named.
    ///
    /// # Errors
    /// Returns the operating system's reason if the folder cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let named = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        Ok(Self { dir: Dir::open_ambient_dir(named, ambient_authority())?, path: path.to_owned() })
    }

    /// Opens a folder that the user named. Creates it and its missing parents.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be created, or if its name is not allowed on every operating system.
    pub fn create(path: &Path) -> io::Result<Self> {
        let missing = path.ancestors().take_while(|part| !part.as_os_str().is_empty() && !part.exists());
        for part in missing {
            let why = part.file_name().and_then(OsStr::to_str).and_then(unportable_reason);
            why.map_or(Ok(()), |why| Err(io::Error::new(io::ErrorKind::InvalidFilename, why)))?;
        }
        if !path.as_os_str().is_empty() {
            fs::create_dir_all(path)?;
        }
        Self::open(path)
    }

    /// Creates a folder that the user named, and its missing parents, for use on this machine.
    ///
    /// Unlike [`Directory::create`], it accepts names that only other systems reserve. Returns the reason why the folder cannot be copied
    /// to every system, if there is one.
    ///
    /// # Errors
    /// Returns the operating system's reason if the folder cannot be created.
    pub fn create_local(path: &Path) -> io::Result<Option<String>> {
        if cfg!(windows) {
            return Self::create(path).map(|_| None);
        }
        let mut missing = path.ancestors().take_while(|part| !part.as_os_str().is_empty() && !part.exists());
        let why = missing.find_map(|part| part.file_name().and_then(OsStr::to_str).and_then(unportable_reason));
        fs::create_dir_all(path)?;
        Ok(why)
    }

    /// Returns the path as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a direct subfolder.
    ///
    /// # Errors
    /// Refuses invalid names, links, and anything else that is not a folder.
    pub fn subfolder(&self, name: &str) -> Result<Self, Refused> {
        check_name(name)?;
        match self.dir.symlink_metadata(name) {
            Ok(found) if found.is_symlink() => Err(Refused::Link),
            Ok(_) => Ok(Self { dir: self.dir.open_dir_nofollow(name)?, path: self.path.join(name) }),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a direct subfolder, and creates it if it is missing.
    fn create_subfolder(&self, name: &str) -> Result<Self, Refused> {
        check_name(name)?;
        match self.dir.create_dir(name) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error.into()),
            _ => self.subfolder(name),
        }
    }

    /// Calls `action` with the parent folder of `path` and the last part of the path. `step` opens each folder on the way.
    fn run_in_parent<T>(
        &self,
        path: &str,
        step: &dyn Fn(&Self, &str) -> Result<Self, Refused>,
        action: impl FnOnce(&Self, &str) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        // Check all parts before any folder is created.
        path.split('/').try_for_each(check_name)?;
        let Some((folders, name)) = path.rsplit_once('/') else { return action(self, path) };
        let mut parts = folders.split('/');
        let mut folder = step(self, parts.next().unwrap_or_default())?;
        for part in parts {
            folder = step(&folder, part)?;
        }
        action(&folder, name)
    }

    /// Opens a file for reading. `path` is relative, with `/` as the separator.
    ///
    /// # Errors
    /// Refuses links and anything else that is not a file.
    pub fn open_file(&self, path: &str) -> Result<File, Refused> {
        self.run_in_parent(path, &Self::subfolder, |folder, name| folder.open_here(name, OpenOptions::new().read(true)))
    }

    /// Opens an existing file of this folder. The type is checked first, because opening a device may have side effects.
    fn open_here(&self, name: &str, options: &mut OpenOptions) -> Result<File, Refused> {
        refuse_unless_file(&self.dir.symlink_metadata(name)?)?;
        // The file may have been replaced since the check. The system refuses a link here, and `nonblock` prevents waiting for a pipe.
        let file = self.dir.open_with(name, options.follow(FollowSymlinks::No).nonblock(true))?;
        refuse_unless_file(&file.metadata()?)?;
        Ok(file.into_std())
    }

    /// Reads a file of at most `largest` bytes. `path` is relative, with `/` as the separator.
    ///
    /// # Errors
    /// Refuses links, anything else that is not a file, and larger files.
    pub fn read(&self, path: &str, largest: u64) -> Result<Vec<u8>, Refused> {
        let file = self.open_file(path)?;
        if file.metadata()?.len() > largest {
            return Err(Refused::TooLarge(Size(largest)));
        }
        let mut bytes = Vec::new();
        // The file may have grown since the check, and computed files (`/proc`) report no size.
        file.take(largest.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > largest { Err(Refused::TooLarge(Size(largest))) } else { Ok(bytes) }
    }

    /// Reads a UTF-8 file of at most `largest` bytes. `path` is relative, with `/` as the separator.
    ///
    /// # Errors
    /// Like [`read`](Self::read); also refuses bytes that are not UTF-8.
    pub fn read_text(&self, path: &str, largest: u64) -> Result<String, Refused> {
        let text = String::from_utf8(self.read(path, largest)?);
        text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8").into())
    }

    /// Returns the size of a file in bytes. Returns `None` if there is no file at the path, or if the path leads through a link.
    pub fn size(&self, path: &str) -> Option<u64> {
        let metadata = |folder: &Self, name: &str| Ok(folder.dir.symlink_metadata(name)?);
        let found = self.run_in_parent(path, &Self::subfolder, metadata).ok()?;
        found.is_file().then(|| found.len())
    }

    /// Returns whether there is anything at the path, even a broken link. Returns `false` if the path leads through a link.
    pub fn has(&self, path: &str) -> bool {
        self.run_in_parent(path, &Self::subfolder, |folder, name| Ok(folder.dir.symlink_metadata(name)?)).is_ok()
    }

    /// Returns up to `most` names of entries in this folder, sorted. If there are more entries, the selection is arbitrary. Names that are
    /// not UTF-8 are skipped.
    ///
    /// # Errors
    /// Returns the operating system's reason if the folder cannot be read.
    pub fn names(&self, most: usize) -> io::Result<Vec<String>> {
        let names = self.dir.entries()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.take(most).collect();
        names.sort();
        Ok(names)
    }

    /// Writes a file atomically, and creates missing folders. `path` is relative, with `/` as the separator. A link at the
    /// path is replaced, not followed.
    ///
    /// # Errors
    /// Returns an error if a folder on the way is a link, or the file cannot be written.
    pub fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.write_as(path, bytes, Access::AsBefore)
    }

    /// Like [`write`](Self::write), with the given access rights.
    pub(super) fn write_as(&self, path: &str, bytes: &[u8], access: Access) -> io::Result<()> {
        let write = |folder: &Self, name: &str| Ok(folder.replace(name, bytes, access)?);
        Ok(self.run_in_parent(path, &Self::create_subfolder, write)?)
    }

    /// Replaces a file atomically: writes a temporary file beside it, syncs it, and renames it. After a crash, the file has either its old
    /// or its new content.
    fn replace(&self, name: &str, bytes: &[u8], access: Access) -> io::Result<()> {
        let before = self.dir.symlink_metadata(name).ok();
        // Renaming would replace a device or a pipe, which the user may rely on.
        if before.as_ref().is_some_and(|found| !found.is_file() && !found.is_symlink()) {
            return Err(Refused::NotAFile.into());
        }
        let before = before.filter(Metadata::is_file).map(|found| found.permissions());
        let temporary = temporary_name()?;
        let written = self
            .write_new(&temporary, bytes, before.filter(|_| access == Access::AsBefore), access)
            .and_then(|()| self.dir.rename(&temporary, &self.dir, name).map_err(|error| self.explain(error, name)));
        if written.is_err() {
            // Best effort: the reason why the write failed is reported in any case.
            let _ = self.dir.remove_file(&temporary);
        }
        written?;
        self.sync();
        Ok(())
    }

    /// Writes a new file and syncs it. `as_before` contains the permissions to copy from the file that it will replace.
    pub(super) fn write_new(
        &self,
        name: &str,
        bytes: &[u8],
        as_before: Option<Permissions>,
        access: Access,
    ) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).follow(FollowSymlinks::No);
        if access == Access::Private || as_before.is_some() {
            system::make_private(&mut options);
        }
        let mut file = self.dir.open_with(name, &options)?;
        // On Windows, a read-only file can be neither replaced nor deleted, so the temporary file must not become read-only.
        if let Some(permissions) = as_before.filter(|found| !(cfg!(windows) && found.readonly())) {
            file.set_permissions(permissions)?;
        }
        file.write_all(bytes)?;
        file.sync_all()
    }

    /// Adds an explanation to "permission denied" errors on Windows, where a file that another process has open cannot be replaced. Returns
    /// other errors unchanged.
    fn explain(&self, error: io::Error, name: &str) -> io::Error {
        match error.kind() {
            io::ErrorKind::PermissionDenied if cfg!(windows) && self.size(name).is_some() => {
                io::Error::new(error.kind(), format!("another program has it open ({error})"))
            }
            _ => error,
        }
    }

    /// Syncs the folder, so that renamed files survive a crash. Best effort: some systems cannot open folders.
    fn sync(&self) {
        if let Ok(folder) = self.reopen() {
            let _ = folder.sync_all();
        }
    }

    /// Opens the folder by its path. Needed because the handle itself can be neither locked nor synced on Linux (`O_PATH`).
    /// If the path leads to another folder by now, locking or syncing that one does no harm.
    fn reopen(&self) -> io::Result<File> {
        File::open(if self.path.as_os_str().is_empty() { Path::new(".") } else { self.path.as_path() })
    }

    /// Checks that files can be created in this folder, by creating and deleting one.
    pub(super) fn check_writable(&self) -> io::Result<()> {
        let name = temporary_name()?;
        self.write_new(&name, b"", None, Access::Private).and_then(|()| self.dir.remove_file(&name))
    }

    /// Truncates a file to `length` bytes and opens it for appending. Creates the file if it is missing. `path` is relative,
    /// with `/` as the separator.
    ///
    /// # Errors
    /// Refuses links, files with several hard links, anything that is not a file, and files shorter than `length`.
    pub fn append_at(&self, path: &str, length: u64) -> Result<File, Refused> {
        let file = self.append(path)?;
        if file.metadata()?.len() < length {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is shorter than it was").into());
        }
        file.set_len(length)?;
        Ok(file)
    }

    /// Opens a file for appending, and creates it if it is missing.
    pub(super) fn append(&self, path: &str) -> Result<File, Refused> {
        let open = |folder: &Self, name: &str| match folder.append_here(name) {
            // `create_new` fails if another process has created the file in the meantime.
            Err(refused) if refused.is_missing() => {
                let mut options = OpenOptions::new();
                options.append(true).create_new(true).follow(FollowSymlinks::No);
                Ok(folder.dir.open_with(name, &options)?.into_std())
            }
            found => found,
        };
        self.run_in_parent(path, &Self::create_subfolder, open)
    }

    /// Opens an existing file of this folder for appending.
    pub(super) fn append_here(&self, name: &str) -> Result<File, Refused> {
        let file = self.open_here(name, OpenOptions::new().append(true))?;
        if cap_std::fs::File::from_std(file.try_clone()?).metadata()?.nlink() > 1 {
            return Err(Refused::SecondName);
        }
        Ok(file)
    }

    /// Deletes the files of this folder whose names satisfy `is_meant`. For a link, deletes the link, not its target. Never deletes
    /// folders.
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

    /// Deletes a direct subfolder if it is empty.
    ///
    /// # Errors
    /// Returns the operating system's reason if it cannot be deleted.
    pub fn remove_empty_folder(&self, name: &str) -> io::Result<()> {
        check_name(name)?;
        self.dir.remove_dir(name)
    }

    /// Moves the file `name` from another folder into this one.
    pub(crate) fn take_file_from(&self, from: &Self, name: &str) -> io::Result<()> {
        check_name(name)?;
        refuse_unless_file(&from.dir.symlink_metadata(name)?)?;
        from.dir.rename(name, &self.dir, name).map_err(|error| self.explain(error, name))
    }

    /// Locks the folder against other processes until the returned handle is dropped. Returns `None` if the system cannot lock folders.
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

/// Error returned if another process has locked the folder.
#[derive(Debug)]
pub struct Busy;

fn check_name(name: &str) -> Result<(), Refused> {
    match invalid_name_reason(name) {
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

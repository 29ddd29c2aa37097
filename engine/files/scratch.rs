//! Folders that are thrown away.

use super::directory::Directory;
use super::file_name::unpredictable;
use crate::system;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder for the user alone, under a name that nobody can predict. It is deleted with all that is in it when this is dropped.
pub(crate) struct ScratchFolder(PathBuf);

impl ScratchFolder {
    /// Makes a folder in another one.
    ///
    /// # Errors
    /// Returns the operating system's reason if it cannot be made.
    pub(crate) fn create(within: &Path) -> io::Result<Self> {
        let path = within.join(unpredictable()?);
        // Fails if anything has that name already, be it a link.
        system::private_folder().create(&path)?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Puts a file of this folder into another one.
    ///
    /// # Errors
    /// Returns an error if there is no such file, or it cannot be put there.
    pub(crate) fn hand_over(&self, name: &str, to: &Path) -> io::Result<()> {
        Directory::open(to)?.adopt(&Directory::open(&self.0)?, name)
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // What is left of it is of no use to anybody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

//! Temporary folders.

use super::directory::Directory;
use super::file_name::temporary_name;
use crate::system;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A private temporary folder with a random name. It is deleted with its contents when the value is dropped.
pub(crate) struct ScratchFolder(PathBuf);

impl ScratchFolder {
    /// Creates a temporary folder inside `within`.
    ///
    /// # Errors
    /// Returns the operating system's reason if it cannot be created.
    pub(crate) fn create(within: &Path) -> io::Result<Self> {
        let path = within.join(temporary_name()?);
        // Fails if the name exists already, even as a link.
        system::private_folder().create(&path)?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Moves a file of this folder into the folder `to`.
    ///
    /// # Errors
    /// Returns an error if the file does not exist or cannot be moved.
    pub(crate) fn hand_over(&self, name: &str, to: &Path) -> io::Result<()> {
        Directory::open(to)?.take_file_from(&Directory::open(&self.0)?, name)
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // Best effort: leftovers in a temporary folder do no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

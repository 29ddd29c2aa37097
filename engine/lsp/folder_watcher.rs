//! Watches the folders of open games for files saved by other programs. Editors do not report changes to spreadsheets, because spreadsheets
//! are not text files.

use crate::desk::game_watch::GameWatch;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

/// A game's folder, and the paths of the files saved in it.
pub(super) type SavedFiles = (PathBuf, BTreeSet<String>);

/// Watcher of game folders. Uses one thread for each folder.
pub(super) struct FolderWatcher {
    folders: BTreeSet<PathBuf>,
    sender: Sender<SavedFiles>,
    saved: Receiver<SavedFiles>,
}

impl FolderWatcher {
    /// Creates a watcher without folders.
    pub(super) fn new() -> Self {
        let (sender, saved) = channel();
        Self { folders: BTreeSet::new(), sender, saved }
    }

    /// Starts to watch a folder. If the system cannot watch the folder, its files are read again only when the editor saves or closes a
    /// file or reports a change.
    pub(super) fn add(&mut self, folder: &Path) {
        if !self.folders.insert(folder.to_path_buf()) {
            return;
        }
        let Ok(mut watch) = GameWatch::new(folder) else { return };
        let (folder, sender) = (folder.to_path_buf(), self.sender.clone());
        // The thread runs until the process ends.
        let _ = crate::system::thread("watching").spawn(move || {
            while let Some(saved) = watch.wait_for_change(&|| false) {
                if sender.send((folder.clone(), saved)).is_err() {
                    return;
                }
            }
        });
    }

    /// Returns the files saved since the last call.
    pub(super) fn saved(&self) -> Vec<SavedFiles> {
        self.saved.try_iter().collect()
    }
}

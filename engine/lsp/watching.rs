//! What other programs save in the folders of games that an editor has open: a spreadsheet has no text that the editor could report.

use crate::desk::game_watch::Watch;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// The files that were saved in the folder of a game, by their paths below it.
pub(super) type Saved = (PathBuf, BTreeSet<String>);

/// Watches folders, each on a thread of its own.
pub(super) struct Watching {
    folders: BTreeSet<PathBuf>,
    sender: Sender<Saved>,
    saved: Receiver<Saved>,
}

impl Watching {
    /// Watches none so far.
    pub(super) fn new() -> Self {
        let (sender, saved) = channel();
        Self { folders: BTreeSet::new(), sender, saved }
    }

    /// Watches a folder too; one that the system cannot watch is read again when the editor saves something.
    pub(super) fn add(&mut self, folder: &Path) {
        if !self.folders.insert(folder.to_path_buf()) {
            return;
        }
        let Ok(mut watch) = Watch::new(folder) else { return };
        let (folder, sender) = (folder.to_path_buf(), self.sender.clone());
        // The thread ends with the program.
        let _ = thread::Builder::new().name("watching".to_owned()).spawn(move || {
            while let Some(saved) = watch.wait_for_change(&|| false) {
                if sender.send((folder.clone(), saved)).is_err() {
                    return;
                }
            }
        });
    }

    /// What was saved since this was last asked.
    pub(super) fn saved(&self) -> Vec<Saved> {
        self.saved.try_iter().collect()
    }
}

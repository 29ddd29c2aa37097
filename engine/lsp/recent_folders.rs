//! Folders of the games that were used last.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Maximum number of games of which something large stays in memory. The analysis of a game, and a playable game, take up to tens of
/// megabytes each.
pub(super) const MAX_RECENT: usize = 4;

/// Folders of the games that were used last, at most [`MAX_RECENT`].
#[derive(Default)]
pub(super) struct RecentFolders {
    /// The most recently used folder is at the end.
    folders: VecDeque<PathBuf>,
}

impl RecentFolders {
    /// Marks a folder as used. Returns the folder that no longer belongs to the recent ones, if there is one.
    pub(super) fn mark_used(&mut self, folder: &Path) -> Option<PathBuf> {
        if self.folders.back().is_some_and(|last| last == folder) {
            return None;
        }
        self.folders.retain(|known| known != folder);
        self.folders.push_back(folder.to_path_buf());
        if self.folders.len() > MAX_RECENT { self.folders.pop_front() } else { None }
    }
}

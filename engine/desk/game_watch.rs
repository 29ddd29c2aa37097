//! Watches the files of a game for edits.

use crate::diagnostic::{Role, shown};
use crate::files::Directory;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Time without further changes before the files are compared. Editors write several times for one save.
const SETTLE_TIME: Duration = Duration::from_millis(80);

/// Interval at which `is_ended` is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Watcher of a game's folder.
pub(crate) struct GameWatch {
    folder: PathBuf,
    changes: Receiver<notify::Result<Event>>,
    /// Hash of each file at the last comparison.
    seen: BTreeMap<PathBuf, u64>,
    _watcher: RecommendedWatcher,
}

impl GameWatch {
    /// Starts watching the folder of a game.
    ///
    /// # Errors
    /// Returns an error if the system cannot watch the folder.
    pub(crate) fn new(folder: &Path) -> Result<Self, notify::Error> {
        let (sender, changes) = channel();
        let mut watcher = notify::recommended_watcher(sender)?;
        watcher.watch(folder, RecursiveMode::Recursive)?;
        Ok(Self { folder: folder.to_path_buf(), changes, seen: contents(folder), _watcher: watcher })
    }

    /// Waits until files have changed since the last call, and returns their paths. Returns `None` once `is_ended` returns true.
    ///
    /// A caller that then reads the files misses nothing: later changes are returned by the next call.
    pub(crate) fn wait_for_change(&mut self, is_ended: &dyn Fn() -> bool) -> Option<BTreeSet<String>> {
        loop {
            let (saved, is_changed) = self.next(is_ended, |_| true)?;
            if is_changed {
                return Some(saved);
            }
        }
    }

    /// Like [`wait_for_change`](Self::wait_for_change), but ignores playscripts: the game at the table may be saved in this folder after
    /// every choice. Returns false once `is_ended` returns true.
    #[cfg(feature = "web")]
    pub(crate) fn wait_for_rule_change(&mut self, is_ended: &dyn Fn() -> bool) -> bool {
        let is_not_play =
            |path: &Path| !path.file_name().is_some_and(|name| Role::Play.is_called(&name.to_string_lossy()));
        while let Some((_, is_changed)) = self.next(is_ended, is_not_play) {
            if is_changed {
                return true;
            }
        }
        false
    }

    /// Waits until files have been saved. Returns their paths, and whether the content of any file that satisfies `counts` has changed.
    /// Returns `None` once `is_ended` returns true. Comparing contents is necessary because some editors report one save twice.
    fn next(
        &mut self,
        is_ended: &dyn Fn() -> bool,
        counts: impl Fn(&Path) -> bool,
    ) -> Option<(BTreeSet<String>, bool)> {
        let saved = wait_for_saved(&self.changes, &self.folder, is_ended)?;
        let before = std::mem::replace(&mut self.seen, contents(&self.folder));
        let counted = |contents: &BTreeMap<PathBuf, u64>| -> Vec<(PathBuf, u64)> {
            contents.iter().filter(|(path, _)| counts(path)).map(|(path, hash)| (path.clone(), *hash)).collect()
        };
        Some((saved, counted(&before) != counted(&self.seen)))
    }
}

/// Maximum size of a file whose content is hashed, in bytes. No file of a game may be larger.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Returns a hash of each file of the game. Links, devices, and files that are unreadable or too large are hashed as if they were empty.
fn contents(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let mut contents = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(within) = folders.pop() {
        let directory = Directory::open(&within).ok();
        for entry in within.read_dir().into_iter().flatten().flatten() {
            let path = entry.path();
            let below = path.strip_prefix(folder).unwrap_or(&path);
            let is_folder = entry.file_type().is_ok_and(|sort| sort.is_dir());
            if is_folder && !entry.file_name().to_string_lossy().starts_with('.') {
                folders.push(path);
            } else if is_of_game(below) {
                let name = entry.file_name();
                let read =
                    directory.as_ref().zip(name.to_str()).map(|(folder, name)| folder.read(name, MAX_FILE_BYTES));
                contents.insert(path, FxBuildHasher.hash_one(read.and_then(Result::ok).unwrap_or_default()));
            }
        }
    }
    contents
}

/// Waits until files of the game have been saved, and returns their paths. Returns `None` once `is_ended` returns true or the watcher has
/// ended.
fn wait_for_saved(
    changes: &Receiver<notify::Result<Event>>,
    folder: &Path,
    is_ended: &dyn Fn() -> bool,
) -> Option<BTreeSet<String>> {
    let mut saved = BTreeSet::new();
    loop {
        if is_ended() {
            return None;
        }
        let timeout = if saved.is_empty() { POLL_INTERVAL } else { SETTLE_TIME };
        match changes.recv_timeout(timeout) {
            Ok(Ok(event)) => saved.extend(game_files_of(&event, folder)),
            // A lost event is harmless: the next save triggers a comparison of all files.
            Ok(Err(_)) => {}
            Err(RecvTimeoutError::Timeout) if saved.is_empty() => {}
            Err(RecvTimeoutError::Timeout) => return Some(saved),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// Returns the files of the game that an event concerns, as paths below the game's folder. Events that only report an access concern no
/// files.
fn game_files_of(event: &Event, folder: &Path) -> Vec<String> {
    if matches!(event.kind, EventKind::Access(_)) {
        return Vec::new();
    }
    let below = event.paths.iter().filter_map(|path| path.strip_prefix(folder).ok());
    below.filter(|path| is_of_game(path)).map(shown).collect()
}

/// Returns whether a path is a file of the game. Hidden files are not, and neither are the lock files of spreadsheet programs, which begin
/// with `~$`. In the folder of faces, files with any extension count, because faces use pictures.
fn is_of_game(path: &Path) -> bool {
    let is_hidden = path.iter().any(|part| part.to_string_lossy().starts_with(['.', '~']));
    let is_face = path.starts_with(Role::Face.folder());
    let has_role = |ending: &OsStr| {
        let mut others = Role::IN_FOLDERS.into_iter().filter(|role| *role != Role::Face);
        others.any(|role| role.endings().iter().any(|known| ending == *known))
    };
    !is_hidden && path.extension().is_some_and(|ending| is_face || has_role(ending))
}

#[cfg(test)]
mod tests {
    use super::is_of_game;
    use crate::diagnostic::Role;
    use std::path::Path;

    #[test]
    fn only_files_of_the_game_are_watched() {
        assert!(Role::IN_FOLDERS.into_iter().all(|role| is_of_game(Path::new(&role.path("a")))));
        assert!(is_of_game(Path::new("game.toml")) && is_of_game(Path::new("plays/a.play")));
        assert!(!is_of_game(Path::new("README.md")) && !is_of_game(Path::new("rules/.play.rhai.swp")));
        assert!(is_of_game(Path::new("components/cards.xlsx")) && is_of_game(Path::new("components/cards.csv")));
        assert!(is_of_game(Path::new("faces/card.html")) && is_of_game(Path::new("faces/coin.png")));
        assert!(!is_of_game(Path::new("card.html")) && !is_of_game(Path::new("faces/.card.html.swp")));
        assert!(!is_of_game(Path::new("components/~$cards.xlsx")));
        assert!(!is_of_game(Path::new("components/.~lock.cards.ods#")));
        assert!(!is_of_game(Path::new(".git/a.toml")) && !is_of_game(Path::new("plays")));
    }
}

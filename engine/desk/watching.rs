//! The files of a game that is edited: which of them were saved.

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

/// How long nothing may be saved before the files are looked at: editors write several times when they save once.
const QUIET: Duration = Duration::from_millis(80);

/// How often it is looked whether the caller wants to end it.
const PATIENCE: Duration = Duration::from_millis(100);

/// A folder that is watched.
pub(crate) struct Watch {
    folder: PathBuf,
    changes: Receiver<notify::Result<Event>>,
    /// Hash of each file when it was last looked at.
    seen: BTreeMap<PathBuf, u64>,
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches the folder of a game: what is saved from here on has changed.
    ///
    /// # Errors
    /// When the system cannot watch it.
    pub(crate) fn new(folder: &Path) -> Result<Self, notify::Error> {
        let (sender, changes) = channel();
        let mut watcher = notify::recommended_watcher(sender)?;
        watcher.watch(folder, RecursiveMode::Recursive)?;
        Ok(Self { folder: folder.to_path_buf(), changes, seen: contents(folder), _watcher: watcher })
    }

    /// Waits until files were saved that have changed since this was last asked: which; nothing once the caller ends it. A
    /// caller that reads them then misses nothing: what is saved after the look that found a change is reported the next time.
    pub(crate) fn saved(&mut self, is_ended: &dyn Fn() -> bool) -> Option<BTreeSet<String>> {
        loop {
            let (saved, is_changed) = self.next(is_ended, |_| true)?;
            if is_changed {
                return Some(saved);
            }
        }
    }

    /// Like [`saved`](Self::saved), but for files by which the game is played: no playscripts. The game at the table may be kept in this
    /// folder, and is saved with every choice. Returns `false` once the caller ends it.
    #[cfg(feature = "web")]
    pub(crate) fn rules_saved(&mut self, is_ended: &dyn Fn() -> bool) -> bool {
        let is_played_by =
            |path: &Path| !path.file_name().is_some_and(|name| Role::Play.is_called(&name.to_string_lossy()));
        while let Some((_, is_changed)) = self.next(is_ended, is_played_by) {
            if is_changed {
                return true;
            }
        }
        false
    }

    /// Waits until files were saved: which, and whether any of those that count has changed. Some editors say twice that they save once.
    fn next(
        &mut self,
        is_ended: &dyn Fn() -> bool,
        counts: impl Fn(&Path) -> bool,
    ) -> Option<(BTreeSet<String>, bool)> {
        let saved = next(&self.changes, &self.folder, is_ended)?;
        let before = std::mem::replace(&mut self.seen, contents(&self.folder));
        let counted = |contents: &BTreeMap<PathBuf, u64>| -> Vec<(PathBuf, u64)> {
            contents.iter().filter(|(path, _)| counts(path)).map(|(path, hash)| (path.clone(), *hash)).collect()
        };
        Some((saved, counted(&before) != counted(&self.seen)))
    }
}

/// Maximum number of bytes of a file that is looked at; no file of a game has more.
const LARGEST: u64 = 16 << 20;

/// Returns a hash of each file of the game, by their paths. Links, devices and what cannot be read count as empty.
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
                let read = directory.as_ref().zip(name.to_str()).map(|(folder, name)| folder.read(name, LARGEST));
                contents.insert(path, FxBuildHasher.hash_one(read.and_then(Result::ok).unwrap_or_default()));
            }
        }
    }
    contents
}

/// Waits until files of the game have been saved: which; nothing once the caller ends it.
fn next(
    changes: &Receiver<notify::Result<Event>>,
    folder: &Path,
    is_ended: &dyn Fn() -> bool,
) -> Option<BTreeSet<String>> {
    let mut saved = BTreeSet::new();
    loop {
        if is_ended() {
            return None;
        }
        let patience = if saved.is_empty() { PATIENCE } else { QUIET };
        match changes.recv_timeout(patience) {
            Ok(Ok(event)) => saved.extend(of_game(&event, folder)),
            // What cannot be reported is reported again with the next file that is saved.
            Ok(Err(_)) => {}
            Err(RecvTimeoutError::Timeout) if saved.is_empty() => {}
            Err(RecvTimeoutError::Timeout) => return Some(saved),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// The files of the game that an event is about, below its folder.
fn of_game(event: &Event, folder: &Path) -> Vec<String> {
    if matches!(event.kind, EventKind::Access(_)) {
        return Vec::new();
    }
    let below = event.paths.iter().filter_map(|path| path.strip_prefix(folder).ok());
    below.filter(|path| is_of_game(path)).map(shown).collect()
}

/// Whether a file is one that a check or a test reads; those that editors keep for themselves begin with a dot, or as spreadsheet
/// programs have it with `~$`. Beside templates of faces lie their pictures, whatever they end in.
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
    fn only_files_that_a_check_reads_are_watched() {
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

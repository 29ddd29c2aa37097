//! Folders of games that tables follow while their files are edited: each is watched once and read once when it is saved, however many tables
//! play by it.

use crate::desk::game_watch::Watch;
use crate::diagnostic::Diagnostics;
use crate::session::Game;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A game as its files are after they were saved, or their mistakes.
pub(super) type Edited = Arc<Result<Game, Diagnostics>>;

/// Folders that are followed.
#[derive(Clone, Default)]
pub(super) struct Folders(Arc<Mutex<BTreeMap<PathBuf, Vec<Follower>>>>);

/// Who is called when files of a folder are saved.
#[derive(Clone)]
struct Follower {
    call: Arc<dyn Fn(Edited) + Send + Sync>,
    /// Whether it goes on no more.
    stop: Arc<AtomicBool>,
}

impl Folders {
    /// Calls a function with every edit of the game in a folder, until `stop` is set.
    ///
    /// # Errors
    /// Why the folder cannot be watched.
    pub(super) fn follow(
        &self,
        folder: &Path,
        stop: Arc<AtomicBool>,
        call: impl Fn(Edited) + Send + Sync + 'static,
    ) -> Result<(), String> {
        let at = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let follower = Follower { call: Arc::new(call), stop };
        let mut all = self.all();
        if let Some(followers) = all.get_mut(&at) {
            followers.push(follower);
            return Ok(());
        }
        let mut watch = Watch::new(&at).map_err(|error| error.to_string())?;
        let (folders, folder, watched) = (self.clone(), folder.to_path_buf(), at.clone());
        let watching = move || {
            while watch.wait_for_rule_change(&|| folders.of(&watched).is_empty()) {
                let edited = Arc::new(crate::load(&folder));
                folders.of(&watched).iter().for_each(|follower| (follower.call)(edited.clone()));
            }
        };
        std::thread::Builder::new().name("files".to_owned()).spawn(watching).map_err(|error| error.to_string())?;
        all.insert(at, vec![follower]);
        Ok(())
    }

    /// Those who follow a folder still; with the last of them it is followed no more.
    fn of(&self, folder: &Path) -> Vec<Follower> {
        let mut all = self.all();
        let Some(followers) = all.get_mut(folder) else { return Vec::new() };
        followers.retain(|follower| !follower.stop.load(Ordering::SeqCst));
        let followers = followers.clone();
        if followers.is_empty() {
            all.remove(folder);
        }
        followers
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Vec<Follower>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    #[test]
    fn a_folder_is_read_once_for_all_who_follow_it_and_no_more_when_they_are_gone() {
        let folder = Path::new(env!("OUT_DIR")).join("followed");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("game.toml");
        std::fs::write(&file, "").unwrap();
        let (folders, stop) = (Folders::default(), Arc::new(AtomicBool::new(false)));
        let (sender, edits) = channel();
        for _ in 0..3 {
            let sender = sender.clone();
            folders.follow(&folder, stop.clone(), move |edited| sender.send(edited).unwrap()).unwrap();
        }
        std::fs::write(&file, "[game]\n").unwrap();
        let next = || edits.recv_timeout(Duration::from_mins(1)).unwrap();
        let edited = [next(), next(), next()];
        assert!(edited.iter().all(|one| Arc::ptr_eq(one, &edited[0]) && one.is_err()));
        stop.store(true, Ordering::SeqCst);
        assert!(folders.of(&folder.canonicalize().unwrap()).is_empty());
        assert!(folders.all().is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_recording_that_is_saved_beside_the_rules_is_no_edit() {
        let folder = Path::new(env!("OUT_DIR")).join("recorded");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("game.toml"), "").unwrap();
        let (folders, stop) = (Folders::default(), Arc::new(AtomicBool::new(false)));
        let (sender, edits) = channel();
        folders.follow(&folder, stop.clone(), move |edited| sender.send(edited).unwrap()).unwrap();
        std::fs::write(folder.join("evening.play"), "format 1\n").unwrap();
        assert!(edits.recv_timeout(Duration::from_secs(1)).is_err(), "nothing is read again");
        std::fs::write(folder.join("game.toml"), "[game]\n").unwrap();
        assert!(edits.recv_timeout(Duration::from_mins(1)).is_ok());
        stop.store(true, Ordering::SeqCst);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

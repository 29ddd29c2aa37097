//! Watches game folders for edits and notifies the tables that play those games.
//!
//! A folder is watched and reloaded once per save, regardless of how many tables subscribe to it.

use super::Reload;
use crate::desk::game_watch::GameWatch;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Watched folders with their subscribers, keyed by canonical path.
#[derive(Clone, Default)]
pub(super) struct GameWatcher(Arc<Mutex<BTreeMap<PathBuf, Vec<Subscriber>>>>);

/// Callback of one table.
#[derive(Clone)]
struct Subscriber {
    notify: Arc<dyn Fn(Reload) + Send + Sync>,
    /// Flag that the table sets when it closes. The watcher thread then drops the subscriber.
    cancelled: Arc<AtomicBool>,
}

impl GameWatcher {
    /// Subscribes to edits of the game in `folder` until `cancelled` is set.
    ///
    /// The first subscriber of a folder starts a watcher thread, which ends when the last one is gone.
    ///
    /// # Errors
    /// Returns the operating system's reason if the folder cannot be watched or the thread cannot start.
    pub(super) fn subscribe(
        &self,
        folder: &Path,
        cancelled: Arc<AtomicBool>,
        notify: impl Fn(Reload) + Send + Sync + 'static,
    ) -> Result<(), String> {
        let key = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let subscriber = Subscriber { notify: Arc::new(notify), cancelled };
        let mut all = self.lock();
        if let Some(subscribers) = all.get_mut(&key) {
            subscribers.push(subscriber);
            return Ok(());
        }
        let mut watch = GameWatch::new(&key).map_err(|error| error.to_string())?;
        let (watcher, folder, watched) = (self.clone(), folder.to_path_buf(), key.clone());
        let run = move || {
            while watch.wait_for_rule_change(&|| watcher.live_subscribers(&watched).is_empty()) {
                let reload = Arc::new(crate::load(&folder));
                watcher.live_subscribers(&watched).iter().for_each(|subscriber| (subscriber.notify)(reload.clone()));
            }
        };
        crate::system::thread("files").spawn(run).map_err(|error| error.to_string())?;
        all.insert(key, vec![subscriber]);
        Ok(())
    }

    /// Returns the live subscribers of `folder`. Removes cancelled subscribers, and the folder's entry in the map if none is left.
    fn live_subscribers(&self, folder: &Path) -> Vec<Subscriber> {
        let mut all = self.lock();
        let Some(subscribers) = all.get_mut(folder) else { return Vec::new() };
        subscribers.retain(|subscriber| !subscriber.cancelled.load(Ordering::SeqCst));
        let live = subscribers.clone();
        if live.is_empty() {
            all.remove(folder);
        }
        live
    }

    /// Locks the map. A panic in a subscriber must not stop the watcher for other tables, so poisoning is ignored.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Vec<Subscriber>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    #[test]
    fn all_subscribers_share_one_reload_and_the_watcher_ends_with_the_last() {
        let folder = Path::new(env!("OUT_DIR")).join("subscribed");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("game.toml");
        std::fs::write(&file, "").unwrap();
        let (watcher, cancelled) = (GameWatcher::default(), Arc::new(AtomicBool::new(false)));
        let (sender, edits) = channel();
        for _ in 0..3 {
            let sender = sender.clone();
            watcher.subscribe(&folder, cancelled.clone(), move |reload| sender.send(reload).unwrap()).unwrap();
        }
        std::fs::write(&file, "[game]\n").unwrap();
        let next = || edits.recv_timeout(Duration::from_mins(1)).unwrap();
        let reloads = [next(), next(), next()];
        assert!(reloads.iter().all(|one| Arc::ptr_eq(one, &reloads[0]) && one.is_err()));
        cancelled.store(true, Ordering::SeqCst);
        assert!(watcher.live_subscribers(&folder.canonicalize().unwrap()).is_empty());
        assert!(watcher.lock().is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn saving_a_recording_beside_the_rules_triggers_no_reload() {
        let folder = Path::new(env!("OUT_DIR")).join("recorded");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("game.toml"), "").unwrap();
        let (watcher, cancelled) = (GameWatcher::default(), Arc::new(AtomicBool::new(false)));
        let (sender, edits) = channel();
        watcher.subscribe(&folder, cancelled.clone(), move |reload| sender.send(reload).unwrap()).unwrap();
        std::fs::write(folder.join("evening.play"), "format 1\n").unwrap();
        assert!(edits.recv_timeout(Duration::from_secs(1)).is_err(), "nothing is reloaded");
        std::fs::write(folder.join("game.toml"), "[game]\n").unwrap();
        assert!(edits.recv_timeout(Duration::from_mins(1)).is_ok());
        cancelled.store(true, Ordering::SeqCst);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

//! Games for which tables can be opened: the games in a folder, and the bundled ones.

use crate::desk::bundle;
use crate::diagnostic::{Diagnostics, GAME};
use crate::model::{Language, Text};
use crate::phrases::Phrases;
use crate::session::{Game, Setup};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum depth of the folders that are searched for games.
const MAX_DEPTH: usize = 3;

/// Number of games after which no further folders are searched.
const MAX_GAMES: usize = 200;

/// Maximum number of folders that are searched.
const MAX_FOLDERS: usize = 5_000;

/// Key of the game if the shelf's folder itself contains a game.
const ROOT_KEY: &str = ".";

/// Maximum number of concurrent checks.
const MAX_CONCURRENT_CHECKS: usize = 8;

/// Maximum number of checked games that stay in memory. A game takes up to tens of megabytes, so the list keeps only names of games.
const MAX_OPEN_GAMES: usize = 4;

/// Maximum time that the list of games waits for checks. A game whose check takes longer is listed as being checked.
const LIST_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum time that the page of one game waits for the game's check.
const GAME_PAGE_TIMEOUT: Duration = Duration::from_secs(10);

/// The games in a folder and the bundled games, with the checks of these games.
pub(super) struct Shelf {
    folder: PathBuf,
    checks: Arc<Checks>,
}

/// A game on the shelf, with the part `G` of the game that is known.
pub(super) struct ShelfGame<G> {
    /// Key in addresses: the path below the shelf's folder, or the name of a bundled game.
    pub(super) key: String,
    /// Folder of the game; `None` for a bundled game.
    pub(super) folder: Option<PathBuf>,
    /// The game or its diagnostics; `None` while it is being checked.
    pub(super) found: Option<Result<G, String>>,
}

impl<G> ShelfGame<G> {
    /// Returns the game, if it can be played.
    ///
    /// # Errors
    /// Returns the game's diagnostics, or a message that the game is still being checked.
    pub(super) fn playable(&self, language: Language) -> Result<&G, String> {
        match &self.found {
            Some(found) => found.as_ref().map_err(Clone::clone),
            None => Err(Phrases::for_language(language).web.being_checked.to_owned()),
        }
    }
}

/// A game that can be played.
#[derive(Clone)]
pub(super) struct PlayableGame {
    pub(super) game: Game,
    pub(super) name: Text,
}

/// Information about a playable game that the list of games shows.
pub(super) struct ListedGame {
    pub(super) name: Text,
    pub(super) players: RangeInclusive<u8>,
}

/// A game in memory.
struct OpenGame {
    key: String,
    /// Fingerprint of the files from which the game was read.
    stamp: u64,
    game: PlayableGame,
}

/// Checks of games, which run on separate threads. No lock is held during a check, since a check may take a long time.
struct Checks {
    state: Mutex<State>,
    changed: Condvar,
    check: fn(&str, Option<&Path>) -> Result<PlayableGame, String>,
}

#[derive(Default)]
struct State {
    known: BTreeMap<String, Check>,
    waiting: VecDeque<String>,
    running: usize,
    /// Games in memory, the most recently opened last.
    open: VecDeque<OpenGame>,
}

impl State {
    /// Keeps a game in memory instead of the game that was opened first.
    fn keep(&mut self, key: &str, stamp: u64, game: &PlayableGame) {
        self.open.retain(|known| known.key != key);
        self.open.push_back(OpenGame { key: key.to_owned(), stamp, game: game.clone() });
        let excess = self.open.len().saturating_sub(MAX_OPEN_GAMES);
        self.open.drain(..excess);
    }
}

/// Latest check of a game, which may still be waiting or running.
struct Check {
    /// Fingerprint of the files that were checked.
    stamp: u64,
    folder: Option<PathBuf>,
    begin: Instant,
    /// Result of the check, once it is done.
    shelved: Option<Arc<ShelfGame<ListedGame>>>,
}

impl Checks {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a check if the game's files have changed since the last check. A running check is not interrupted. Files that are saved
    /// during a check are checked by the first call after that check has ended.
    fn start_check_if_stale(self: &Arc<Self>, key: &str, folder: Option<PathBuf>) {
        let stamp = folder.as_deref().map_or(0, files_fingerprint);
        let mut state = self.state();
        let is_known = |check: &Check| check.shelved.is_none() || (check.stamp == stamp && check.folder == folder);
        if state.known.get(key).is_some_and(is_known) {
            return;
        }
        let check = Check { stamp, folder, begin: now(), shelved: None };
        state.known.insert(key.to_owned(), check);
        state.waiting.push_back(key.to_owned());
        if state.running < MAX_CONCURRENT_CHECKS {
            let checks = self.clone();
            let begun = crate::system::thread("check").spawn(move || checks.run());
            // If no thread can be started, the game waits for a thread that is running or is started later.
            state.running += usize::from(begun.is_ok());
        }
    }

    /// Runs the waiting checks one after another, until no game is waiting.
    fn run(&self) {
        loop {
            let (key, stamp, folder) = {
                let mut state = self.state();
                let Some(key) = state.waiting.pop_front() else {
                    state.running -= 1;
                    return;
                };
                let Some(check) = state.known.get_mut(&key) else { continue };
                check.begin = now();
                let (stamp, folder) = (check.stamp, check.folder.clone());
                (key, stamp, folder)
            };
            let listed = self.open(&key, stamp, folder.as_deref()).map(|found| {
                let players = found.game.players();
                ListedGame { name: found.name, players }
            });
            if let Some(check) = self.state().known.get_mut(&key) {
                check.shelved = Some(Arc::new(ShelfGame { key, folder, found: Some(listed) }));
            }
            self.changed.notify_all();
        }
    }

    /// Opens and checks a game, and keeps it in memory. A panic is reported as a message.
    fn open(&self, key: &str, stamp: u64, folder: Option<&Path>) -> Result<PlayableGame, String> {
        let checked = catch_unwind(AssertUnwindSafe(|| (self.check)(key, folder)));
        let game = checked.unwrap_or_else(|_| Err("the check of this game broke off".to_owned()))?;
        self.state().keep(key, stamp, &game);
        Ok(game)
    }

    /// Returns a game whose check is done. Opens the game if it is no longer in memory.
    fn game(&self, listed: &ShelfGame<ListedGame>) -> ShelfGame<PlayableGame> {
        let (key, folder) = (listed.key.clone(), listed.folder.clone());
        let open = || {
            let state = self.state();
            let stamp = state.known.get(&key).map_or(0, |check| check.stamp);
            let known = state.open.iter().find(|known| known.key == key && known.stamp == stamp);
            if let Some(known) = known {
                return Ok(known.game.clone());
            }
            drop(state);
            self.open(&key, stamp, folder.as_deref())
        };
        let found = listed.found.as_ref().map(|found| found.as_ref().map_err(Clone::clone).and_then(|_| open()));
        ShelfGame { key, folder, found }
    }

    /// Returns the games, with the results of those checks that are done. Before that, waits until all checks are done, but at most
    /// `patience` from the beginning of each check.
    fn wait(&self, keys: &[String], patience: Duration) -> Vec<Arc<ShelfGame<ListedGame>>> {
        let mut state = self.state();
        let left = |state: &State| {
            let left = |check: &Check| (check.begin + patience).saturating_duration_since(now());
            let pending = keys.iter().filter_map(|key| state.known.get(key)).filter(|check| check.shelved.is_none());
            pending.map(left).max().unwrap_or_default()
        };
        loop {
            let left = left(&state);
            if left.is_zero() {
                break;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        let shelved = |key: &String| {
            let check = state.known.get(key)?;
            let unknown = || ShelfGame { key: key.clone(), folder: check.folder.clone(), found: None };
            Some(check.shelved.clone().unwrap_or_else(|| Arc::new(unknown())))
        };
        keys.iter().filter_map(shelved).collect()
    }
}

#[expect(clippy::disallowed_methods, reason = "how long a check has taken is no part of a game")]
fn now() -> Instant {
    Instant::now()
}

impl Shelf {
    /// Creates a shelf of the games in a folder. The folder is searched anew at each request.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self::checking_by(folder, found)
    }

    fn checking_by(folder: PathBuf, check: fn(&str, Option<&Path>) -> Result<PlayableGame, String>) -> Self {
        Self { folder, checks: Arc::new(Checks { state: Mutex::default(), changed: Condvar::new(), check }) }
    }

    /// Returns all games with the results of their checks: first the games in the folder, then the bundled ones.
    pub(super) fn all(&self) -> Vec<Arc<ShelfGame<ListedGame>>> {
        let below = self.below();
        let carried = bundle::names().into_iter().filter(|name| !below.contains(*name)).map(str::to_owned);
        let keys: Vec<String> = below.iter().cloned().chain(carried).collect();
        // The check of a removed game may still be running, so the game's entry is kept until the check is done.
        self.checks.state().known.retain(|key, check| keys.contains(key) || check.shelved.is_none());
        for key in &keys {
            self.checks.start_check_if_stale(key, self.folder_of(key, below.contains(key)));
        }
        self.checks.wait(&keys, LIST_TIMEOUT)
    }

    /// Returns the game with the key `key`. Starts its check if necessary, and waits for the result at most [`GAME_PAGE_TIMEOUT`]. Returns
    /// `None` if there is no such game.
    pub(super) fn game(&self, key: &str) -> Option<ShelfGame<PlayableGame>> {
        let is_below = self.below().contains(key);
        if !is_below && !bundle::names().contains(&key) {
            return None;
        }
        self.checks.start_check_if_stale(key, self.folder_of(key, is_below));
        let listed = self.checks.wait(&[key.to_owned()], GAME_PAGE_TIMEOUT).pop()?;
        Some(self.checks.game(&listed))
    }

    fn folder_of(&self, key: &str, is_below: bool) -> Option<PathBuf> {
        is_below.then(|| if key == ROOT_KEY { self.folder.clone() } else { self.folder.join(key) })
    }

    /// Returns the keys of the games in the folder. The folder of a game is not searched further.
    fn below(&self) -> BTreeSet<String> {
        if self.folder.join(GAME).is_file() {
            return [ROOT_KEY.to_owned()].into();
        }
        let mut games = BTreeSet::new();
        let mut folders = vec![(String::new(), self.folder.clone(), 1)];
        let mut looked = 0;
        while let Some((key, folder, depth)) = folders.pop() {
            looked += 1;
            if looked > MAX_FOLDERS || games.len() >= MAX_GAMES {
                break;
            }
            for entry in folder.read_dir().into_iter().flatten().flatten() {
                let Ok(name) = entry.file_name().into_string() else { continue };
                if name.starts_with('.') || !entry.file_type().is_ok_and(|sort| sort.is_dir()) {
                    continue;
                }
                let key = if key.is_empty() { name } else { format!("{key}/{name}") };
                let path = entry.path();
                if path.join(GAME).is_file() {
                    games.insert(key);
                } else if depth < MAX_DEPTH {
                    folders.push((key, path, depth + 1));
                }
            }
        }
        games
    }
}

/// Returns whether a folder is not itself a game but contains games.
pub(in crate::web) fn has_games(folder: &Path) -> bool {
    !folder.join(GAME).is_file() && !Shelf::new(folder.to_path_buf()).below().is_empty()
}

fn found(key: &str, folder: Option<&Path>) -> Result<PlayableGame, String> {
    let opened = match folder {
        Some(folder) => crate::open(folder),
        None => bundle::open(key).unwrap_or_else(|| Err(Diagnostics(Vec::new()))),
    };
    let game = opened.map_err(|found| found.in_plain_text())?;
    let (layout, _) = game.host(&Setup::seats(*game.players().start())).map_err(|found| found.in_plain_text())?;
    Ok(PlayableGame { name: layout.model.name.clone(), game })
}

/// Returns a fingerprint of the paths, sizes and modification times of the files in a game's folder, without hidden files.
fn files_fingerprint(folder: &Path) -> u64 {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(within) = folders.pop() {
        for entry in within.read_dir().into_iter().flatten().flatten() {
            let Ok(about) = entry.metadata() else { continue };
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if about.is_dir() {
                folders.push(entry.path());
            } else {
                files.push((entry.path(), about.len(), about.modified().ok()));
            }
        }
    }
    files.sort();
    let mut hasher = rustc_hash::FxHasher::default();
    files.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn slow(key: &str, _folder: Option<&Path>) -> Result<PlayableGame, String> {
        while key.starts_with("slow") && !GO_ON.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(5));
        }
        Err(format!("{key} was checked"))
    }

    #[test]
    fn a_slow_game_check_does_not_block_other_games() {
        let folder = Path::new(env!("OUT_DIR")).join("shelf-slow");
        for name in ["quick", "slow"] {
            std::fs::create_dir_all(folder.join(name)).unwrap();
            std::fs::write(folder.join(name).join(GAME), "").unwrap();
        }
        let shelf = Shelf::checking_by(folder.clone(), slow);
        let states = |shelf: &Shelf| -> Vec<Option<String>> {
            shelf
                .all()
                .iter()
                .map(|game| game.found.as_ref().map(|found| found.as_ref().err().unwrap().clone()))
                .collect()
        };
        let quick = Some("quick was checked".to_owned());
        assert_eq!(states(&shelf)[..2], [quick.clone(), None]);
        // A later request does not wait again, and the running check serves all requests.
        let begin = now();
        assert_eq!(states(&shelf)[..2], [quick.clone(), None]);
        assert!(begin.elapsed() < LIST_TIMEOUT && shelf.checks.state().running == 1);
        assert!(shelf.game("quick").unwrap().found.is_some());
        GO_ON.store(true, Ordering::SeqCst);
        assert!(shelf.game("slow").unwrap().found.is_some());
        assert_eq!(states(&shelf)[..2], [quick, Some("slow was checked".to_owned())]);
        // A game whose files have changed is checked again.
        std::fs::write(folder.join("slow").join("more.toml"), "x").unwrap();
        shelf.checks.start_check_if_stale("slow", shelf.folder_of("slow", true));
        assert!(shelf.game("slow").unwrap().found.is_some());
        std::fs::remove_dir_all(&folder).unwrap();
    }
    fn with_key_as_name(key: &str, _folder: Option<&Path>) -> Result<PlayableGame, String> {
        let game = found(key, Some(Path::new("examples/games/tic-tac-toe")))?;
        Ok(PlayableGame { name: Text::plain(key), ..game })
    }

    #[test]
    fn few_games_of_a_long_list_stay_in_memory() {
        let folder = Path::new(env!("OUT_DIR")).join("shelf-long");
        for at in 0..MAX_OPEN_GAMES * 3 {
            std::fs::create_dir_all(folder.join(at.to_string())).unwrap();
            std::fs::write(folder.join(at.to_string()).join(GAME), "").unwrap();
        }
        let shelf = Shelf::checking_by(folder.clone(), with_key_as_name);
        let listed = loop {
            let listed = shelf.all();
            if listed.iter().all(|game| game.found.is_some()) {
                break listed;
            }
        };
        assert!(listed.len() >= MAX_OPEN_GAMES * 3);
        assert_eq!(shelf.checks.state().open.len(), MAX_OPEN_GAMES);
        for game in &listed {
            let name = shelf.game(&game.key).unwrap().playable(Language::English).unwrap().name.clone();
            assert_eq!(name.get(Language::English), game.key);
            assert_eq!(shelf.checks.state().open.len(), MAX_OPEN_GAMES);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

//! The games that a table can be opened of: those in a folder, and those that come with the program.

use crate::desk::bundle;
use crate::diagnostic::{Diagnostics, GAME};
use crate::model::Text;
use crate::session::{Game, Setup};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How deep below the folder games are looked for.
const DEPTH: usize = 3;

/// So many games are listed, and no more: a folder that holds other things than games is not read to its end.
const MOST_GAMES: usize = 200;

/// So many folders are looked into.
const MOST_FOLDERS: usize = 5_000;

/// The key of the game whose folder is the shelf's own.
const ITSELF: &str = ".";

/// Where games are found.
pub(super) struct Shelf {
    folder: PathBuf,
    /// What was found, with a number for the files that it was found in.
    known: Mutex<BTreeMap<String, (u64, Arc<Shelved>)>>,
}

/// A game on the shelf.
pub(super) struct Shelved {
    /// The word for it in addresses: its folder below the shelf's, or its name.
    pub(super) key: String,
    /// Where its files are; nowhere for one that comes with the program.
    pub(super) folder: Option<PathBuf>,
    /// The game, or what is wrong with it.
    pub(super) found: Result<Found, String>,
}

/// A game that can be played.
pub(super) struct Found {
    pub(super) game: Game,
    pub(super) name: Text,
}

impl Shelf {
    /// The games below a folder.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, known: Mutex::default() }
    }

    /// All games as their files are now, those of the folder first.
    pub(super) fn all(&self) -> Vec<Arc<Shelved>> {
        let below = self.below();
        let carried: Vec<String> =
            bundle::names().into_iter().filter(|name| !below.contains(*name)).map(str::to_owned).collect();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|key, _| below.contains(key) || carried.contains(key));
        below.iter().chain(&carried).map(|key| self.latest(&mut known, key, below.contains(key))).collect()
    }

    /// One of them.
    pub(super) fn game(&self, key: &str) -> Option<Arc<Shelved>> {
        let below = self.below();
        let is_below = below.contains(key);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        (is_below || bundle::names().contains(&key)).then(|| self.latest(&mut known, key, is_below))
    }

    fn latest(&self, known: &mut BTreeMap<String, (u64, Arc<Shelved>)>, key: &str, is_below: bool) -> Arc<Shelved> {
        let folder = is_below.then(|| if key == ITSELF { self.folder.clone() } else { self.folder.join(key) });
        let stamp = folder.as_deref().map_or(0, stamp);
        if let Some((_, shelved)) = known.get(key).filter(|(then, shelved)| *then == stamp && shelved.folder == folder)
        {
            return shelved.clone();
        }
        let shelved = Arc::new(Shelved { key: key.to_owned(), found: found(key, folder.as_deref()), folder });
        known.insert(key.to_owned(), (stamp, shelved.clone()));
        shelved
    }

    /// The keys of the games in the folder. What lies in a game's folder is that game's.
    fn below(&self) -> BTreeSet<String> {
        if self.folder.join(GAME).is_file() {
            return [ITSELF.to_owned()].into();
        }
        let mut games = BTreeSet::new();
        let mut folders = vec![(String::new(), self.folder.clone(), 1)];
        let mut looked = 0;
        while let Some((key, folder, depth)) = folders.pop() {
            looked += 1;
            if looked > MOST_FOLDERS || games.len() >= MOST_GAMES {
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
                } else if depth < DEPTH {
                    folders.push((key, path, depth + 1));
                }
            }
        }
        games
    }
}

/// Whether there are games below a folder that is none itself.
pub(in crate::web) fn has_games(folder: &Path) -> bool {
    !folder.join(GAME).is_file() && !Shelf::new(folder.to_path_buf()).below().is_empty()
}

fn found(key: &str, folder: Option<&Path>) -> Result<Found, String> {
    let opened = match folder {
        Some(folder) => crate::open(folder),
        None => bundle::open(key).unwrap_or_else(|| Err(Diagnostics(Vec::new()))),
    };
    let game = opened.map_err(|found| found.in_plain_text())?;
    let (layout, _) = game.host(&Setup::seats(*game.players().start())).map_err(|found| found.in_plain_text())?;
    Ok(Found { name: layout.model.name.clone(), game })
}

/// A number for the files of a game, which is another once one of them is saved.
fn stamp(folder: &Path) -> u64 {
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

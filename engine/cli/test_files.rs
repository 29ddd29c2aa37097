//! Finds playscripts and the games that they belong to.

use super::output::{Failure, usage};
use crate::agents;
use crate::desk::game_folder::{enclosing_game_folder, lies_elsewhere};
use crate::desk::play_file::{read_play, read_play_below};
use crate::desk::{bundle, opening};
use crate::diagnostic::{Diagnostic, Diagnostics, Source, shown};
use crate::files::Directory;
use crate::playscript::{self, Cast, Play};
use crate::session::Game;
use crate::simulation;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Location of the game that a playscript belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum GameLocation {
    /// Folder of the game that contains the playscript.
    Folder(PathBuf),
    /// Game that comes with the program.
    Bundled(String),
}

/// Playscript found by a search, with the game that contains it.
pub(super) struct FoundPlayscript {
    /// Display name.
    pub(super) name: String,
    /// Location of the game that contains the playscript; `None` if the playscript is outside of games.
    pub(super) home: Option<GameLocation>,
    /// Whether the playscript is a file on disk. Playscripts of bundled games cannot be rewritten.
    pub(super) is_file: bool,
    /// Parsed playscript, or its mistakes.
    pub(super) play: Result<Play, Diagnostics>,
}

/// Limits for the number, total size and total lines of the playscripts that are read at once.
const MAX_FILES: usize = 10_000;
const MAX_BYTES: usize = 64 << 20;
const MAX_LINES: usize = 400_000;

/// Text of a file, or the reason why it cannot be read.
type Text = Result<String, String>;

/// Reads playscripts within the limits. If a limit is exceeded, returns only an error, for the file that exceeds it. Files in a folder are
/// read below its handle, so that no link is followed even if a part of their path is replaced by one.
fn read(files: Vec<PathBuf>, folder: Option<(&Path, &Directory)>) -> Vec<(PathBuf, Text)> {
    let (mut bytes, mut lines) = (0, 0);
    let mut read: Vec<(PathBuf, Text)> = Vec::with_capacity(files.len());
    for file in files {
        let text = match folder {
            // Paths below the current folder do not begin with `.`.
            Some((path, folder)) => read_play_below(folder, &shown(file.strip_prefix(path).unwrap_or(&file)), &file),
            None => read_play(&file),
        };
        if let Ok(text) = &text {
            bytes += text.len();
            lines += text.matches('\n').count();
        }
        let most = if read.len() == MAX_FILES {
            Some(format!("there are more than {MAX_FILES} playscripts up to this one"))
        } else if bytes > MAX_BYTES || lines > MAX_LINES {
            let most = format!("{} MB or {MAX_LINES} lines", MAX_BYTES >> 20);
            Some(format!("the playscripts up to this one have more than {most} together"))
        } else {
            None
        };
        if let Some(most) = most {
            let message = format!("`{}` is not read: {most}", shown(&file));
            return vec![(file, Err(message))];
        }
        read.push((file, text));
    }
    read
}

impl FoundPlayscript {
    fn parse((path, text): &(PathBuf, Text)) -> Self {
        let name = shown(path);
        let unreadable = |message: &String| Diagnostics(vec![Diagnostic::error("unreadable", message.clone())]);
        let text = text.as_ref().map_err(unreadable);
        let play =
            text.and_then(|text| playscript::parse(&Arc::new(Source { path: name.clone(), text: text.clone() })));
        Self { home: enclosing_game_folder(path).map(GameLocation::Folder), name, is_file: true, play }
    }

    fn bundled(game: &str, path: &str, text: String) -> Self {
        let name = format!("{game}/{path}");
        let play = playscript::parse(&Arc::new(Source { path: name.clone(), text }));
        Self { name, home: Some(GameLocation::Bundled(game.to_owned())), is_file: false, play }
    }

    /// Returns whether the playscript is outside of games and names a game that does not come with the program. This is common for
    /// recordings in the folder of a run. Searches skip such files, but the user can name them.
    fn names_unknown_game(&self) -> bool {
        self.home.is_none() && self.game().is_some_and(|game| !bundle::names().contains(&game))
    }

    /// Returns the name of the game in the head of the playscript, if there is one.
    pub(super) fn game(&self) -> Option<&str> {
        let play = self.play.as_ref().ok()?;
        play.head.iter().find_map(|statement| match &statement.what {
            playscript::StatementKind::Game(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

/// Finds playscripts: a single file, all files in a folder and its subfolders, or all playscripts of a game that comes with the program.
pub(super) fn find(name: &str) -> Result<Vec<FoundPlayscript>, Failure> {
    let path = opening::folder_of(Path::new(name)).unwrap_or(Path::new(name));
    if path.exists() {
        let cannot = |error: std::io::Error| usage(format!("`{name}` cannot be read: {error}"));
        let folder = if path.is_dir() { Some(Directory::open(path).map_err(cannot)?) } else { None };
        let mut files = Vec::new();
        gather(path, &mut files).map_err(cannot)?;
        files.sort();
        if files.is_empty() {
            let help = "write one into the game's folder `plays/`, with a name that ends in `.play`";
            return Err(Failure::Usage(format!("there are no playscripts in `{name}`"), Some(help.to_owned())));
        }
        let mut found =
            simulation::in_parallel(&read(files, folder.as_ref().map(|folder| (path, folder))), FoundPlayscript::parse);
        if path.is_dir() {
            found.retain(|found| !found.names_unknown_game());
        }
        return Ok(found);
    }
    if !bundle::names().contains(&name) {
        let message = format!("there is no file, folder or game `{name}`");
        return Err(Failure::Usage(message, Some(opening::games(name))));
    }
    let plays = bundle::plays(name);
    Ok(plays.into_iter().map(|(path, text)| FoundPlayscript::bundled(name, &path, text)).collect())
}

/// Returns the mistakes in a game's playscripts that can be found without running them. Leaves out the playscripts of other games whose
/// folders are inside the game's folder.
pub(super) fn mistakes(game: &str) -> Result<Vec<Diagnostic>, Failure> {
    let mut found = match find(game) {
        Ok(found) => found,
        // A game without playscripts has no mistakes in them.
        Err(Failure::Usage(..)) => return Ok(Vec::new()),
        Err(failure) => return Err(failure),
    };
    let path = Path::new(game);
    let folder = opening::folder_of(path).unwrap_or(path);
    found.retain(|found| match &found.home {
        Some(GameLocation::Folder(home)) => home == folder,
        Some(GameLocation::Bundled(_)) | None => true,
    });
    let games = Games::open(&found);
    let mistakes_of = |found: &FoundPlayscript| match &found.play {
        Err(mistakes) => mistakes.0.clone(),
        Ok(play) => {
            let game = |name: &str| games.find(name, found.home.as_ref());
            playscript::mistakes(play, &Cast { game: &game, agent: &agents::in_play, covering: false })
        }
    };
    Ok(simulation::in_parallel(&found, mistakes_of).into_iter().flatten().collect())
}

fn gather(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        // For a link, this is the type of the link itself, so links to folders are not entered.
        let is_folder = entry.file_type()?.is_dir();
        let entry = entry.path();
        let name = entry.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let entry = if path == Path::new(".") { PathBuf::from(&name) } else { entry };
        if files.len() > MAX_FILES {
            break;
        }
        if is_folder && !name.starts_with('.') && name != "target" {
            gather(&entry, files)?;
        } else if entry.extension().is_some_and(|ending| ending == "play") {
            files.push(entry);
        }
    }
    Ok(())
}

/// The games of the playscripts. A folder may contain thousands of games, and each may take tens of megabytes, so only some of them stay in
/// memory. The others are opened again when they are needed.
pub(super) struct Games {
    /// Id of each game, or its mistakes if it cannot be opened.
    checked: BTreeMap<GameLocation, Result<String, Diagnostics>>,
    /// Games in memory, the most recently used last.
    open: Mutex<VecDeque<(GameLocation, Game)>>,
}

/// Minimum number of games that stay in memory. If there are more threads, one for each thread.
const MIN_OPEN_GAMES: usize = 8;

impl Games {
    /// Opens the games that contain playscripts, and bundled games that other playscripts name.
    pub(super) fn open(found: &[FoundPlayscript]) -> Self {
        let mut games = Self { checked: BTreeMap::new(), open: Mutex::default() };
        games.check(&sorted_unique(found.iter().filter_map(|found| found.home.clone())));
        let named = sorted_unique(found.iter().filter_map(|found| {
            let name = found.game()?;
            let at_home = found.home.as_ref().and_then(|home| games.id(home));
            let elsewhere = at_home != Some(name) && bundle::names().contains(&name);
            elsewhere.then(|| GameLocation::Bundled(name.to_owned()))
        }));
        games.check(&named);
        games
    }

    /// Opens games to find their ids and mistakes.
    fn check(&mut self, homes: &[GameLocation]) {
        let checked = simulation::in_parallel(homes, |home| self.open_again(home).map(|game| game.id().to_owned()));
        self.checked.extend(homes.iter().cloned().zip(checked));
    }

    fn open_games(&self) -> MutexGuard<'_, VecDeque<(GameLocation, Game)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a game from its files, and keeps it in memory instead of the game that has not been used for the longest time.
    fn open_again(&self, home: &GameLocation) -> Result<Game, Diagnostics> {
        let game = open(home)?;
        let most = rayon::current_num_threads().max(MIN_OPEN_GAMES);
        let mut games = self.open_games();
        games.push_back((home.clone(), game.clone()));
        let excess = games.len().saturating_sub(most);
        games.drain(..excess);
        Ok(game)
    }

    /// Returns the game at a location.
    fn game(&self, home: &GameLocation) -> Result<Game, Diagnostics> {
        let mut games = self.open_games();
        if let Some(at) = games.iter().position(|(known, _)| known == home)
            && let Some(used) = games.remove(at)
        {
            let game = used.1.clone();
            games.push_back(used);
            return Ok(game);
        }
        // Other threads may use their games meanwhile.
        drop(games);
        self.open_again(home)
    }

    /// Returns the id of the game at a location; `None` if the game has mistakes.
    fn id(&self, home: &GameLocation) -> Option<&str> {
        self.checked.get(home)?.as_deref().ok()
    }

    /// Returns the mistakes of the game at a location; `None` if it could be opened.
    pub(super) fn mistakes(&self, home: &GameLocation) -> Option<&Diagnostics> {
        self.checked.get(home)?.as_ref().err()
    }

    /// Returns the game that a playscript names. A playscript in the folder of a game can name only this game. Other playscripts can name a
    /// game that comes with the program.
    pub(super) fn find(&self, name: &str, home: Option<&GameLocation>) -> Result<Game, Diagnostics> {
        if let Some((home, id)) = home.and_then(|home| Some((home, self.id(home)?))) {
            return if id == name { self.game(home) } else { Err(lies_elsewhere(name, id)) };
        }
        let bundled = GameLocation::Bundled(name.to_owned());
        match self.checked.get(&bundled) {
            Some(Err(mistakes)) => Err(mistakes.clone()),
            Some(Ok(_)) => self.game(&bundled),
            None => Err(playscript::unknown_game(name, bundle::names())),
        }
    }
}

fn open(home: &GameLocation) -> Result<Game, Diagnostics> {
    match home {
        GameLocation::Folder(folder) => crate::load(folder),
        GameLocation::Bundled(name) => bundle::open(name).unwrap_or_else(|| Err(Diagnostics::default())),
    }
}

fn sorted_unique<T: Ord>(things: impl Iterator<Item = T>) -> Vec<T> {
    let mut things: Vec<T> = things.collect();
    things.sort();
    things.dedup();
    things
}

#[cfg(test)]
mod tests {
    use super::{Games, MIN_OPEN_GAMES, find, mistakes};
    use std::fs;
    use std::path::{Path, PathBuf};

    const RULES: &str = "fn turn(seat) { choose(seat, \"say\", [1, 2]); }\nfn score(seat) { 0 }\n";

    fn write_game(folder: &Path, id: &str, scene: &str) {
        let game = format!(
            "[game]\nformat = 1\nid = \"{id}\"\nplayers = {{ min = 2, max = 2 }}\n[decisions.say]\nask = \"?\"\n[flow]\n\
             round = [\"play\"]\nrounds = 1\n[phases.play]\nsteps = [{{ each_seat = \"turn\" }}]\n"
        );
        for name in ["rules", "plays"] {
            fs::create_dir_all(folder.join(name)).unwrap();
        }
        fs::write(folder.join("game.toml"), game).unwrap();
        fs::write(folder.join("rules/play.rhai"), RULES).unwrap();
        let play = format!("format 2\ngame {id}\nplayers Ann Ben\nscene \"a\" {{\n    {scene}\n}}\n");
        fs::write(folder.join("plays/a.play"), play).unwrap();
    }

    fn new_folder(name: &str) -> PathBuf {
        let folder = Path::new(env!("OUT_DIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn few_of_many_games_stay_in_memory() {
        let folder = new_folder("many-games");
        let count = rayon::current_num_threads().max(MIN_OPEN_GAMES) + 5;
        for at in 0..count {
            write_game(&folder.join(format!("g{at}")), &format!("g{at}"), "expect 1 == 1");
        }
        let found = find(folder.to_str().unwrap()).map_err(|_| "no playscripts").unwrap();
        let games = Games::open(&found);
        assert_eq!((found.len(), games.open_games().len()), (count, count - 5));
        for _ in 0..2 {
            for file in &found {
                let game = games.find(file.game().unwrap(), file.home.as_ref());
                assert_eq!(game.map(|game| game.id().to_owned()).unwrap(), file.game().unwrap());
                assert!(games.open_games().len() <= count - 5);
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_check_reads_no_playscripts_of_nested_games() {
        let folder = new_folder("nested-games");
        write_game(&folder, "outer", "expect 1 == unknown_one");
        write_game(&folder.join("inner"), "inner", "expect 1 == unknown_two");
        let found = mistakes(folder.to_str().unwrap()).map_err(|_| "no playscripts").unwrap();
        let messages: Vec<&str> = found.iter().map(|found| &*found.message).collect();
        assert!(matches!(&messages[..], [message] if message.contains("unknown_one")), "{messages:?}");
        fs::remove_dir_all(&folder).unwrap();
    }
}

//! Finds playscripts and the games that they belong to.

use super::output::{Failure, usage};
use crate::agents;
use crate::desk::game_folder::{enclosing_game_folder, lies_elsewhere};
use crate::desk::play_file::read_play;
use crate::desk::{bundle, opening};
use crate::diagnostic::{Diagnostic, Diagnostics, Source, shown};
use crate::playscript::{self, Cast, Play};
use crate::session::Game;
use crate::simulation;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

/// Reads playscripts within the limits. If a limit is exceeded, returns only an error, for the file that exceeds it.
fn read(files: Vec<PathBuf>) -> Vec<(PathBuf, Text)> {
    let (mut bytes, mut lines) = (0, 0);
    let mut read: Vec<(PathBuf, Text)> = Vec::with_capacity(files.len());
    for file in files {
        let text = read_play(&file);
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
        let mut files = Vec::new();
        gather(path, &mut files).map_err(|error| usage(format!("`{name}` cannot be read: {error}")))?;
        files.sort();
        if files.is_empty() {
            let help = "write one into the game's folder `plays/`, with a name that ends in `.play`";
            return Err(Failure::Usage(format!("there are no playscripts in `{name}`"), Some(help.to_owned())));
        }
        let mut found = simulation::in_parallel(&read(files), FoundPlayscript::parse);
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

/// Returns the mistakes in a game's playscripts that can be found without running them.
pub(super) fn mistakes(game: &str) -> Result<Vec<Diagnostic>, Failure> {
    let found = match find(game) {
        Ok(found) => found,
        // A game without playscripts has no mistakes in them.
        Err(Failure::Usage(..)) => return Ok(Vec::new()),
        Err(failure) => return Err(failure),
    };
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

/// The games of the playscripts, each opened once.
pub(super) struct Games(BTreeMap<GameLocation, Result<Game, Diagnostics>>);

impl Games {
    /// Opens the games that contain playscripts, and bundled games that other playscripts name.
    pub(super) fn open(found: &[FoundPlayscript]) -> Self {
        let folders: Vec<GameLocation> = sorted_unique(found.iter().filter_map(|found| found.home.clone()));
        let opened = simulation::in_parallel(&folders, open);
        let mut games: BTreeMap<GameLocation, _> = folders.into_iter().zip(opened).collect();
        let named = sorted_unique(found.iter().filter_map(|found| {
            let name = found.game()?;
            let at_home = found.home.as_ref().and_then(|home| games.get(home)?.as_ref().ok());
            let elsewhere = at_home.is_none_or(|game| game.id() != name) && bundle::names().contains(&name);
            elsewhere.then(|| GameLocation::Bundled(name.to_owned()))
        }));
        let opened = simulation::in_parallel(&named, open);
        games.extend(named.into_iter().zip(opened));
        Self(games)
    }

    /// Returns the mistakes of the game at a location; `None` if it could be opened.
    pub(super) fn mistakes(&self, home: &GameLocation) -> Option<&Diagnostics> {
        self.0.get(home)?.as_ref().err()
    }

    /// Returns the game that a playscript names. A playscript in the folder of a game can name only this game. Other playscripts can name a
    /// game that comes with the program.
    pub(super) fn find(&self, name: &str, home: Option<&GameLocation>) -> Result<Game, Diagnostics> {
        let at_home = home.and_then(|home| self.0.get(home)).and_then(|game| game.as_ref().ok());
        if let Some(game) = at_home.filter(|game| game.id() == name) {
            return Ok(game.clone());
        }
        if let Some(game) = at_home {
            return Err(lies_elsewhere(name, game.id()));
        }
        let bundled = self.0.get(&GameLocation::Bundled(name.to_owned())).cloned();
        bundled.unwrap_or_else(|| Err(playscript::unknown_game(name, bundle::names())))
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

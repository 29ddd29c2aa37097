//! Finding the game that was named.

use super::bundle;
use super::output::{Failure, Output};
use crate::diagnostic::{Diagnostics, GAME, did_you_mean};
use crate::session::Game;
use std::path::Path;

/// Opens a game by its folder or its name; mistakes are told.
pub(super) fn open(name: &str, output: &mut Output) -> Result<Game, Failure> {
    find(name, &[])?.map_err(|mistakes| output.mistakes(&mistakes))
}

/// The same, and looks for mistakes in all that could be played of it.
pub(super) fn open_whole(name: &str, output: &mut Output) -> Result<Game, Failure> {
    find(name, &[])?.and_then(crate::open::checked).map_err(|mistakes| output.mistakes(&mistakes))
}

/// The same with overlays from elsewhere laid over its data.
pub(super) fn open_overlaid(name: &str, overlays: &[(String, String)], output: &mut Output) -> Result<Game, Failure> {
    find(name, overlays)?.map_err(|mistakes| output.mistakes(&mistakes))
}

/// A folder wins where the name is a path, or there is one of that name. A game's `game.toml` stands for its folder.
fn find(name: &str, overlays: &[(String, String)]) -> Result<Result<Game, Diagnostics>, Failure> {
    if let Some(folder) = folder_of(Path::new(name)) {
        return Ok(crate::open_overlaid(folder, overlays));
    }
    if Path::new(name).is_file() {
        let message = format!("`{name}` is a file, and a game is a folder");
        return Err(Failure::Usage(message, Some("give the folder that its `game.toml` lies in".to_owned())));
    }
    let is_path = name.contains(['/', '\\']) || name == "." || name == "..";
    if Path::new(name).is_dir() {
        return Ok(crate::open_overlaid(name, overlays));
    }
    if is_path {
        return Err(Failure::Usage(format!("there is no folder `{name}`"), Some(games(name))));
    }
    bundle::open_overlaid(name, overlays)
        .ok_or_else(|| Failure::Usage(format!("there is no game `{name}`"), Some(games(name))))
}

/// The folder of the game whose `game.toml` this is.
pub(super) fn folder_of(file: &Path) -> Option<&Path> {
    let is_game = file.is_file() && file.file_name().is_some_and(|name| name == GAME);
    let folder = file.parent().filter(|_| is_game)?;
    Some(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
}

/// What games there are, for whoever named another.
pub(super) fn games(name: &str) -> String {
    let known = bundle::names();
    let last = name.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(name);
    let suggestion = did_you_mean(last, known.iter().copied()).map(|help| format!("{help} ")).unwrap_or_default();
    format!(
        "{suggestion}give a folder with a `game.toml`, or one of the games that come with the program: {}",
        known.join(", ")
    )
}

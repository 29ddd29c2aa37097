//! Opens the game that the user named: a folder, the path of a `game.toml`, or a bundled game.

use super::bundle;
use super::refusal::{OpenError, Refusal};
use crate::diagnostic::{GAME, did_you_mean};
use crate::session::Game;
use std::path::Path;

/// Opens a game by its folder or its name, and applies overlays to its data. Each overlay consists of a path, which is used in messages,
/// and the text.
///
/// A folder is preferred to a bundled game of the same name. The path of a `game.toml` stands for its folder.
///
/// # Errors
/// Returns an error if there is no such game, or its files have mistakes.
pub fn open(name: &str, overlays: &[(String, String)]) -> Result<Game, OpenError> {
    open_from(name, None, overlays)
}

/// Like [`open`], but if `base` is given, first looks for a folder in `base`, then for a bundled game, and only then for a folder relative
/// to the working directory. Messages still refer to the game as `name`.
pub(crate) fn open_from(name: &str, base: Option<&Path>, overlays: &[(String, String)]) -> Result<Game, OpenError> {
    if let Some(base) = base {
        let path = base.join(name);
        let folder = folder_of(&path).unwrap_or(&path);
        if folder.is_dir() {
            let called = strip_game_file(name);
            return Ok(crate::open::open_shown_as(folder, called.to_owned(), overlays)?);
        }
        if let Some(game) = bundle::open_overlaid(name, overlays) {
            return Ok(game?);
        }
    }
    if let Some(folder) = folder_of(Path::new(name)) {
        return Ok(crate::open_overlaid(folder, overlays)?);
    }
    if Path::new(name).is_file() {
        let refusal = Refusal::new(format!("`{name}` is a file, but a game is a folder"));
        return Err(refusal.help("give the folder of its `game.toml`").into());
    }
    let is_path = name.contains(['/', '\\']) || name == "." || name == "..";
    if Path::new(name).is_dir() {
        return Ok(crate::open_overlaid(name, overlays)?);
    }
    if is_path {
        return Err(Refusal::new(format!("there is no folder `{name}`")).help(games(name)).into());
    }
    match bundle::open_overlaid(name, overlays) {
        Some(game) => Ok(game?),
        None => Err(Refusal::new(format!("there is no game `{name}`")).help(games(name)).into()),
    }
}

/// Removes a trailing `game.toml` from a path.
fn strip_game_file(name: &str) -> &str {
    match name.strip_suffix(GAME) {
        Some("") => ".",
        Some(folder) if folder.ends_with(['/', '\\']) => &folder[..folder.len() - 1],
        _ => name,
    }
}

/// Returns the folder of a `game.toml`, or `None` if `file` is anything else.
pub(crate) fn folder_of(file: &Path) -> Option<&Path> {
    let is_game = file.is_file() && file.file_name().is_some_and(|name| name == GAME);
    let folder = file.parent().filter(|_| is_game)?;
    Some(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
}

/// Returns a help text that lists the games, for a user who entered an unknown name.
pub(crate) fn games(name: &str) -> String {
    let known = bundle::names();
    let last = name.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(name);
    let suggestion = did_you_mean(last, known.iter().copied().chain(bundle::sample_names()))
        .map(|help| format!("{help} "))
        .unwrap_or_default();
    format!(
        "{suggestion}give a folder with a `game.toml`, or one of the games that come with the program: {}, or a sample \
         (`parlour new --list` lists them)",
        known.join(", ")
    )
}

//! Finds the game of a playscript: by the folder that contains the playscript, or by the name of the game.

use super::bundle;
use crate::diagnostic::{Diagnostic, Diagnostics, GAME};
use crate::playscript::unknown_game;
use crate::session::Game;
use std::path::{Path, PathBuf};

/// Returns the innermost game folder that contains the file at `path`, directly or in a subfolder.
pub(crate) fn enclosing_game_folder(path: &Path) -> Option<PathBuf> {
    let above =
        path.ancestors().skip(1).map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    above.map(Path::to_path_buf).find(|folder| folder.join(GAME).is_file())
}

/// Opens the game `name` for a playscript: the `given` game, otherwise the game whose folder contains the file, otherwise a bundled one.
///
/// # Errors
/// Returns the game's mistakes, or an error if the game found has a different name or does not exist.
pub(crate) fn game_named(name: &str, file: &Path, given: Option<&Game>) -> Result<Game, Diagnostics> {
    if let Some(game) = given {
        return if game.id() == name { Ok(game.clone()) } else { Err(unknown_game(name, [game.id()])) };
    }
    match enclosing_game(file)? {
        Some(game) if game.id() == name => Ok(game),
        Some(game) => Err(lies_elsewhere(name, game.id())),
        None => bundle::open(name).unwrap_or_else(|| Err(unknown_game(name, bundle::names()))),
    }
}

/// Loads the game whose folder contains a file, directly or in a subfolder. If folders of games are nested, loads the innermost.
#[cfg(feature = "system")]
fn enclosing_game(file: &Path) -> Result<Option<Game>, Diagnostics> {
    enclosing_game_folder(file).map(crate::load).transpose()
}

/// Returns `None`, because this build cannot read folders.
#[cfg(not(feature = "system"))]
#[expect(clippy::unnecessary_wraps, reason = "loading a game may fail")]
const fn enclosing_game(_file: &Path) -> Result<Option<Game>, Diagnostics> {
    Ok(None)
}

/// Builds the error for a playscript that names the game `name` but is in the folder of the game `own`.
pub(crate) fn lies_elsewhere(name: &str, own: &str) -> Diagnostics {
    let message = format!("this playscript is for `{name}`, but is in the folder of `{own}`");
    let help = format!("write `game {own}`, or move the playscript to the folder of `{name}`");
    Diagnostics(vec![Diagnostic::error("unknown-game", message).help(help)])
}

//! Opens games and reports their mistakes on standard error.

use super::output::{Failure, Output};
use crate::desk::opening;
use crate::session::{Game, Setup};
use crate::table::Layout;
use std::path::Path;
use std::sync::Arc;

/// Opens a game by its folder or name.
pub(super) fn open(name: &str, output: &mut Output) -> Result<Game, Failure> {
    open_overlaid(name, &[], output)
}

/// Opens a game and checks all of it, including other options and numbers of players.
pub(super) fn open_and_check(name: &str, output: &mut Output) -> Result<Game, Failure> {
    crate::open::check_game(open(name, output)?).map_err(|mistakes| output.mistakes(&mistakes))
}

/// Like [`open_overlaid`], but first looks for the game's folder in `base`, if `base` is given.
pub(super) fn open_from(
    name: &str,
    base: Option<&Path>,
    overlays: &[(String, String)],
    output: &mut Output,
) -> Result<Game, Failure> {
    opening::open_from(name, base, overlays).map_err(|why| output.report_unopened(why))
}

/// Like [`open`], with additional overlays.
pub(super) fn open_overlaid(name: &str, overlays: &[(String, String)], output: &mut Output) -> Result<Game, Failure> {
    opening::open(name, overlays).map_err(|why| output.report_unopened(why))
}

/// Returns the layout for a setup. For a game without `[flow]`, prints a remark and returns a layout of the content so far.
pub(super) fn layout(game: &Game, setup: &Setup, output: &mut Output) -> Result<Arc<Layout>, Failure> {
    let mistakes = match game.layout(setup) {
        Ok(layout) => return Ok(layout),
        Err(mistakes) => mistakes,
    };
    let Some(layout) = game.sketch(setup) else { return Err(output.report_mistakes_with(setup, &mistakes)) };
    output.remark("the game has no `[flow]` in `game.toml` yet; this is its content so far")?;
    Ok(Arc::new(layout))
}

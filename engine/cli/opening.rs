//! Opening the game that was named: its mistakes are reported.

use super::output::{Failure, Output};
use crate::desk::opening;
use crate::session::{Game, Setup};
use crate::table::Layout;
use std::path::Path;
use std::sync::Arc;

/// Opens a game by its folder or its name.
pub(super) fn open(name: &str, output: &mut Output) -> Result<Game, Failure> {
    open_overlaid(name, &[], output)
}

/// The same, and looks for mistakes in all that could be played of it.
pub(super) fn open_whole(name: &str, output: &mut Output) -> Result<Game, Failure> {
    crate::open::checked(open(name, output)?).map_err(|mistakes| output.mistakes(&mistakes))
}

/// Like [`open`], with a folder looked for in `base` first, if it is given.
pub(super) fn open_from(
    name: &str,
    base: Option<&Path>,
    overlays: &[(String, String)],
    output: &mut Output,
) -> Result<Game, Failure> {
    opening::open_from(name, base, overlays).map_err(|why| output.unopened(why))
}

/// The same with overlays from elsewhere laid over its data.
pub(super) fn open_overlaid(name: &str, overlays: &[(String, String)], output: &mut Output) -> Result<Game, Failure> {
    opening::open(name, overlays).map_err(|why| output.unopened(why))
}

/// What is in the box for what was chosen, to be looked at: also of a game whose flow is not written yet, which is remarked.
pub(super) fn layout(game: &Game, setup: &Setup, output: &mut Output) -> Result<Arc<Layout>, Failure> {
    let mistakes = match game.layout(setup) {
        Ok(layout) => return Ok(layout),
        Err(mistakes) => mistakes,
    };
    let Some(layout) = game.sketch(setup) else { return Err(output.mistakes_with(setup, &mistakes)) };
    output
        .remark("what happens is not written yet: `[flow]` in `game.toml` says it, and this is what is there so far")?;
    Ok(Arc::new(layout))
}

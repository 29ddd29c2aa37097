//! Opening the game that was named: its mistakes are told.

use super::output::{Failure, Output};
use crate::desk::opening;
use crate::session::Game;

/// Opens a game by its folder or its name.
pub(super) fn open(name: &str, output: &mut Output) -> Result<Game, Failure> {
    open_overlaid(name, &[], output)
}

/// The same, and looks for mistakes in all that could be played of it.
pub(super) fn open_whole(name: &str, output: &mut Output) -> Result<Game, Failure> {
    crate::open::checked(open(name, output)?).map_err(|mistakes| output.mistakes(&mistakes))
}

/// The same with overlays from elsewhere laid over its data.
pub(super) fn open_overlaid(name: &str, overlays: &[(String, String)], output: &mut Output) -> Result<Game, Failure> {
    opening::open(name, overlays).map_err(|why| output.unopened(why))
}

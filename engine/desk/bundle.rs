//! The games that a program carries with it, and the small one that a new game begins as.
//!
//! The library carries none: what is embedded here would be compiled, and every test linked, with each change of a game.

use crate::diagnostic::{Diagnostics, Role};
use crate::session::Game;
use std::sync::OnceLock;

/// Files that were embedded when the program was compiled.
#[derive(Debug, Clone, Default)]
pub struct Bundle {
    /// The files of all games: their paths, of which the first part is the game's name, and their texts.
    pub games: Vec<(String, &'static str)>,
    /// The files of the sample games, in the same form. They are opened by name and copied, and listed only where a new game begins.
    pub samples: Vec<(String, &'static str)>,
    /// The files of the game that a new one begins as: their paths below its folder, and their texts.
    pub template: Vec<(String, &'static str)>,
}

/// What the program carries: said once, by its `main`.
static BUNDLE: OnceLock<Bundle> = OnceLock::new();

/// Says what the program carries, before anything asks for it.
pub fn carry(bundle: Bundle) {
    let is_first = BUNDLE.set(bundle).is_ok();
    debug_assert!(is_first, "a program carries one bundle");
}

/// The names of the games that come with the program.
pub fn names() -> Vec<&'static str> {
    first_parts(games())
}

/// The names of the sample games.
pub(crate) fn sample_names() -> Vec<&'static str> {
    first_parts(samples())
}

fn first_parts(files: impl Iterator<Item = (&'static str, &'static str)>) -> Vec<&'static str> {
    let mut names: Vec<&str> = files.filter_map(|(path, _)| Some(path.split_once('/')?.0)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// All files of a game or a sample that comes with the program, sorted: their paths below its folder, and their texts.
pub(crate) fn files(name: &str) -> Option<Vec<(String, String)>> {
    let below = |path: &'static str| path.strip_prefix(name)?.strip_prefix('/');
    let files = sorted(games().chain(samples()).filter_map(|(path, text)| Some((below(path)?, text))));
    (!files.is_empty()).then_some(files)
}

/// The plays of a game that comes with the program.
pub(crate) fn plays(name: &str) -> Vec<(String, String)> {
    let mut files = files(name).unwrap_or_default();
    files.retain(|(path, _)| Role::of(path) == Some(Role::Play));
    files
}

/// Opens a game that comes with the program; nothing if there is none of that name. A mistake in it is a defect of the program.
pub(crate) fn open(name: &str) -> Option<Result<Game, Diagnostics>> {
    open_overlaid(name, &[])
}

/// The same with overlays from elsewhere, each a path to show and a text, laid over the game's data.
pub(crate) fn open_overlaid(name: &str, overlays: &[(String, String)]) -> Option<Result<Game, Diagnostics>> {
    Some(crate::open_texts_overlaid(name, files(name)?, overlays))
}

/// The files of the small game that a new one begins as.
pub(crate) fn template() -> Vec<(String, String)> {
    sorted(BUNDLE.get().into_iter().flat_map(|bundle| paths(&bundle.template)))
}

fn games() -> impl Iterator<Item = (&'static str, &'static str)> {
    BUNDLE.get().into_iter().flat_map(|bundle| paths(&bundle.games))
}

fn samples() -> impl Iterator<Item = (&'static str, &'static str)> {
    BUNDLE.get().into_iter().flat_map(|bundle| paths(&bundle.samples))
}

fn paths(files: &'static [(String, &'static str)]) -> impl Iterator<Item = (&'static str, &'static str)> {
    files.iter().map(|(path, text)| (path.as_str(), *text))
}

fn sorted(files: impl Iterator<Item = (&'static str, &'static str)>) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = files.map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
    files.sort();
    files
}

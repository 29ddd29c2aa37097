//! Games that are embedded in a program, and the template of a new game.
//!
//! The library itself embeds no games. Otherwise, every edit of a game would recompile the library and relink all tests.

use crate::diagnostic::{Diagnostics, Role};
use crate::session::Game;
use std::sync::OnceLock;

/// Files embedded in a program.
#[derive(Debug, Clone, Default)]
pub struct Bundle {
    /// Files of the bundled games: path and text. The first component of the path is the name of the game.
    pub games: Vec<(String, &'static str)>,
    /// Files of the sample games: path and text, as in `games`. Samples can be opened by name and copied, but are listed only for `parlour
    /// new`.
    pub samples: Vec<(String, &'static str)>,
    /// Files of the template of a new game: path below its folder, and text.
    pub template: Vec<(String, &'static str)>,
    /// The engine as a WebAssembly module, compressed by `gzip`, for pages that run a game without a server.
    pub page_engine: Option<&'static [u8]>,
    /// Abbreviated commit that the program is built from, if it is known.
    pub commit: Option<&'static str>,
}

/// The program's bundle. Set once by its `main`.
static BUNDLE: OnceLock<Bundle> = OnceLock::new();

/// Sets the program's bundle. Must be called once, before any game is opened by name.
pub fn set_bundle(bundle: Bundle) {
    let is_first = BUNDLE.set(bundle).is_ok();
    debug_assert!(is_first, "a program carries one bundle");
}

/// Returns the engine for pages, if the program has one.
pub(crate) fn page_engine() -> Option<&'static [u8]> {
    BUNDLE.get()?.page_engine
}

/// Returns the commit that the program is built from, if it is known.
pub(crate) fn commit() -> Option<&'static str> {
    BUNDLE.get()?.commit
}

/// Returns the names of the bundled games.
pub fn names() -> Vec<&'static str> {
    first_parts(games())
}

/// Returns the names of the sample games.
pub(crate) fn sample_names() -> Vec<&'static str> {
    first_parts(samples())
}

/// Returns the first components of paths, sorted and without duplicates. These are names of games.
fn first_parts(files: impl Iterator<Item = (&'static str, &'static str)>) -> Vec<&'static str> {
    let mut names: Vec<&str> = files.filter_map(|(path, _)| Some(path.split_once('/')?.0)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the files of a bundled or sample game, sorted by path: the path below the game's folder, and the text. Returns `None` if there
/// is no such game.
pub(crate) fn files(name: &str) -> Option<Vec<(String, String)>> {
    let below = |path: &'static str| path.strip_prefix(name)?.strip_prefix('/');
    let files = sorted(games().chain(samples()).filter_map(|(path, text)| Some((below(path)?, text))));
    (!files.is_empty()).then_some(files)
}

/// Returns the playscripts of a bundled or sample game: the path below the game's folder, and the text.
pub(crate) fn plays(name: &str) -> Vec<(String, String)> {
    let mut files = files(name).unwrap_or_default();
    files.retain(|(path, _)| Role::of(path) == Some(Role::Play));
    files
}

/// Opens a bundled or sample game. `None` if there is no such game.
pub(crate) fn open(name: &str) -> Option<Result<Game, Diagnostics>> {
    open_overlaid(name, &[])
}

/// Like [`open`], but lays overlays over the game's data. Each overlay consists of a path, which is shown in messages, and a text.
pub(crate) fn open_overlaid(name: &str, overlays: &[(String, String)]) -> Option<Result<Game, Diagnostics>> {
    Some(crate::open_texts_overlaid(name, files(name)?, overlays))
}

/// Returns the files of the template of a new game, sorted by path: the path below the game's folder, and the text.
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

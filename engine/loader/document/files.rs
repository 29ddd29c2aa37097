//! The files of a game in memory.

use crate::diagnostic::{Diagnostic, Diagnostics, GAME, Role, Source, nearest};
use crate::loader::lint::misplaced_files;
use crate::loader::mistake::whole;
use crate::loader::report::Report;
use std::sync::Arc;

/// The most bytes of one file.
pub(super) const LARGEST_FILE: usize = 64 * 1024;

/// The most bytes of all files together.
const LARGEST_GAME: usize = 1024 * 1024;

/// The most files.
pub(super) const MOST_FILES: usize = 256;

/// A game's files in memory: `game.toml`, `components/*.toml`, `overlays/*.toml`, `rules/*.rhai` and `agents/*.rhai`.
#[derive(Debug, Clone)]
pub struct Files {
    /// The game's folder as people typed it, or the name of a bundled game.
    pub name: String,
    /// The files, sorted by path; paths are below the game's folder.
    pub sources: Vec<Arc<Source>>,
    /// Overlays from elsewhere, laid over the game's data in this order whatever is chosen.
    pub laid: Vec<Arc<Source>>,
    /// The playscripts, sorted by path: nothing is read of them but the words they use.
    pub plays: Vec<Arc<Source>>,
    /// The templates of faces, sorted by path: they are no part of the rules.
    pub faces: Vec<Arc<Source>>,
    /// Drawings among the faces of a game in memory, by their names; those of a folder are read when they are shown.
    pub drawings: Vec<(String, Arc<str>)>,
    /// What is remarked about files that nothing reads.
    pub(in crate::loader) strays: Vec<Diagnostic>,
}

impl Files {
    /// The files of a game from texts with their paths, as bundled games and tests have them.
    ///
    /// # Errors
    /// Whatever is beyond the limits, or a missing `game.toml`.
    pub fn from_texts(name: &str, texts: impl IntoIterator<Item = (String, String)>) -> Result<Self, Diagnostics> {
        let (ours, others): (Vec<_>, Vec<_>) = texts.into_iter().partition(|(path, _)| is_ours(path));
        let strays = misplaced_files::told(ours.iter().chain(&others).map(|(path, _)| path.as_str()));
        let (faces, others): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(path, _)| Role::of(path) == Some(Role::Face));
        let drawings = others.iter().filter_map(|(path, text)| Some((drawing(path)?, text.as_str().into()))).collect();
        let plays = others.into_iter().filter(|(path, _)| is_play(path));
        let plays = plays.map(|(path, text)| Arc::new(Source { path, text })).collect();
        let files = gather(name, ours, &[], Report::default())?;
        Ok(Self { plays, faces: sources(faces), drawings, strays, ..files })
    }

    /// The same with an overlay from elsewhere, which is shown under a path of its own.
    #[must_use]
    pub fn with_overlay(mut self, path: &str, text: String) -> Self {
        self.laid.push(Arc::new(Source::of_file(path, text)));
        self
    }

    /// The file with a path.
    pub fn find(&self, path: &str) -> Option<&Arc<Source>> {
        self.sources.iter().find(|source| source.path == path)
    }
}

/// Whether a path below a game's folder is one of the files the loader reads.
fn is_ours(path: &str) -> bool {
    Role::of(path).is_some_and(|role| !matches!(role, Role::Face | Role::Play))
}

/// Files in the order of their paths.
pub(super) fn sources(texts: Vec<(String, String)>) -> Vec<Arc<Source>> {
    let mut sources: Vec<Arc<Source>> =
        texts.into_iter().map(|(path, text)| Arc::new(Source::of_file(&path, text))).collect();
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

/// The name of a file that lies among the faces.
fn drawing(path: &str) -> Option<String> {
    let name = path.strip_prefix(Role::Face.folder())?.strip_prefix('/')?;
    Some(name.to_owned())
}

fn is_play(path: &str) -> bool {
    Role::of(path) == Some(Role::Play)
}

pub(super) fn gather(
    name: &str,
    texts: Vec<(String, String)>,
    beside: &[String],
    report: Report,
) -> Result<Files, Diagnostics> {
    if let Some((path, _)) = texts.get(MOST_FILES) {
        report.add(too_many_files(path));
    }
    let mut room = LARGEST_GAME;
    let first_without_room = texts.iter().find(|(_, text)| {
        let has_room = text.len() <= room;
        room = room.saturating_sub(text.len());
        !has_room
    });
    if let Some((path, _)) = first_without_room {
        report.add(game_too_large(path));
    }
    let mut sources = Vec::with_capacity(texts.len());
    for (path, text) in texts {
        if text.len() > LARGEST_FILE {
            report.add(file_too_large(&path));
        }
        sources.push(Arc::new(Source::of_file(&path, text)));
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    report.result(())?;
    let report = Report::default();
    if !sources.iter().any(|source| source.role() == Some(Role::Game)) {
        report.add(no_game(name, beside));
    }
    report.result(Files {
        name: name.to_owned(),
        sources,
        laid: Vec::new(),
        plays: Vec::new(),
        faces: Vec::new(),
        drawings: Vec::new(),
        strays: Vec::new(),
    })
}

fn no_game(name: &str, beside: &[String]) -> Diagnostic {
    let found =
        Diagnostic::error("missing-file", format!("`{name}` has no file `game.toml`")).mark(whole(GAME), "not there");
    match nearest(GAME, beside.iter().map(String::as_str)) {
        Some(near) => found.help(format!("rename `{near}` to `game.toml`")),
        None => found.help("name the folder of a game: it holds a `game.toml`"),
    }
}

pub(super) fn too_many_files(path: &str) -> Diagnostic {
    Diagnostic::error("too-many", format!("the game has more than {MOST_FILES} files"))
        .mark(whole(path), "one too many")
        .help("put several files together into one")
}

fn game_too_large(path: &str) -> Diagnostic {
    Diagnostic::error("too-large", format!("the game's files have more than {} KB together", LARGEST_GAME / 1024))
        .mark(whole(path), "here it becomes too much")
}

pub(super) fn file_too_large(path: &str) -> Diagnostic {
    Diagnostic::error("too-large", format!("`{path}` has more than {} KB", LARGEST_FILE / 1024))
        .mark(whole(path), "too large")
        .help("split it into several files")
}

//! Opening a game: from a folder, from texts in memory, or from the binary.

use crate::diagnostic::Diagnostics;
use crate::loader::{Choices, Files, Package};
use crate::model::Model;
use crate::session::{Game, Models, Setup};
use include_dir::{Dir, include_dir};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

static BUNDLED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/games");

/// The files of a game, as a session asks for its models.
struct Opened {
    package: Package,
    path: String,
    warnings: Diagnostics,
}

impl Models for Opened {
    fn model(&self, setup: &Setup) -> Result<Model, Diagnostics> {
        let (options, sets) = (setup.options.clone(), setup.sets.clone());
        self.package.build(&Choices { players: setup.seats, options, sets })
    }

    fn players(&self) -> RangeInclusive<u8> {
        self.package.players()
    }

    fn id(&self) -> &str {
        self.package.id()
    }

    fn path(&self) -> &str {
        &self.path
    }

    fn option_values(&self) -> Vec<(String, Vec<String>)> {
        self.package.option_values()
    }

    fn warnings(&self) -> Diagnostics {
        self.warnings.clone()
    }
}

/// Opens the game in a folder.
///
/// # Errors
/// Every mistake in its data; scripts are compiled when a session starts.
pub fn load(folder: impl AsRef<Path>) -> Result<Game, Diagnostics> {
    let folder = folder.as_ref();
    open(Files::read(folder)?, folder.display().to_string())
}

/// Opens a game whose files are given as paths below its folder and texts.
///
/// # Errors
/// Every mistake in its data; scripts are compiled when a session starts.
pub fn load_texts(name: &str, texts: impl IntoIterator<Item = (String, String)>) -> Result<Game, Diagnostics> {
    open(Files::from_texts(name, texts)?, name.to_owned())
}

/// Opens a game that comes with the program; nothing if there is none of that name.
///
/// # Errors
/// Every mistake in its data: a defect of the program.
pub fn bundled(name: &str) -> Option<Result<Game, Diagnostics>> {
    let folder = BUNDLED.get_dir(name)?;
    let mut texts = Vec::new();
    collect(folder, folder.path(), &mut texts);
    Some(load_texts(name, texts))
}

/// The names of the games that come with the program.
pub fn bundled_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = BUNDLED.dirs().filter_map(|folder| folder.path().to_str()).collect();
    names.sort_unstable();
    names
}

fn open(files: Files, path: String) -> Result<Game, Diagnostics> {
    let package = Package::parse(files)?;
    let mistakes = package.check();
    if mistakes.0.iter().any(|found| found.severity == crate::diagnostic::Severity::Error) {
        return Err(mistakes);
    }
    Ok(Game::new(Arc::new(Opened { package, path, warnings: mistakes })))
}

fn collect(folder: &Dir<'_>, root: &Path, texts: &mut Vec<(String, String)>) {
    for file in folder.files() {
        let path = file.path().strip_prefix(root).unwrap_or(file.path());
        if let (Some(path), Some(text)) = (path.to_str(), file.contents_utf8()) {
            texts.push((path.replace('\\', "/"), text.to_owned()));
        }
    }
    for inner in folder.dirs() {
        collect(inner, root, texts);
    }
}

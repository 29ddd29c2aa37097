//! The folder of a run: what was played, every game, and all that is worked out from them.

use super::manifest::Manifest;
use super::page::{Shelf, page};
use super::rows::{Kept, Rows};
use super::tables;
use crate::diagnostic::{unseen_in, unseen_message};
use crate::simulation::Figures;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Why a folder cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file cannot be read or written.
    #[error("`{0}`: {1}")]
    File(String, io::Error),
    /// There is a run already.
    #[error("`{0}` holds a run already")]
    Taken(String),
    /// It is no run.
    #[error("`{0}` holds no run: {1}")]
    NoRun(String, String),
    /// Runs do not belong together.
    #[error("{0}")]
    Apart(String),
}

/// The tables that have a line, or several, for each game.
pub(super) const GAME_FILES: [&str; 4] = ["games.csv", "seats.csv", "details.csv", "games.jsonl"];

/// What was played.
const MANIFEST: &str = "manifest.json";

/// All that was counted.
const FIGURES: &str = "figures.json";

/// The folder of a run.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    files: Mutex<Vec<BufWriter<File>>>,
}

impl Folder {
    /// A new folder, with a manifest that says that nothing is done yet.
    ///
    /// # Errors
    /// When it cannot be written, or holds a run already.
    pub fn create(path: &Path, manifest: &Manifest) -> Result<Self, FolderError> {
        if path.join(MANIFEST).exists() {
            return Err(FolderError::Taken(path.display().to_string()));
        }
        fs::create_dir_all(path).map_err(|error| at(path, error))?;
        let mut files = Vec::new();
        for name in GAME_FILES {
            let file = path.join(name);
            files.push(BufWriter::new(File::create(&file).map_err(|error| at(&file, error))?));
        }
        let folder = Self { path: path.to_owned(), files: Mutex::new(files) };
        folder.write_manifest(manifest)?;
        folder.keep(&Rows::headings()).map_err(|error| at(path, error))?;
        Ok(folder)
    }

    /// Adds the lines of a game.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn keep(&self, kept: &Kept) -> io::Result<()> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = [&kept.games, &kept.seats, &kept.details, &kept.lines];
        files.iter_mut().zip(lines).try_for_each(|(file, lines)| file.write_all(lines))
    }

    /// Adds bytes to one of the tables of games.
    pub(super) fn append(&self, file: usize, line: &[u8]) -> io::Result<()> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)[file].write_all(line)
    }

    /// Writes down what was played and all that was counted.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(&self, manifest: &Manifest, figures: &[Figures]) -> Result<(), FolderError> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.iter_mut().try_for_each(Write::flush).map_err(|error| at(&self.path, error))?;
        let text = serde_json::to_string(figures).map_err(|error| at(&self.path, error.into()))?;
        self.write(FIGURES, text.as_bytes())?;
        self.write_manifest(manifest)
    }

    fn write_manifest(&self, manifest: &Manifest) -> Result<(), FolderError> {
        let text = serde_json::to_string_pretty(manifest).map_err(|error| at(&self.path, error.into()))?;
        self.write(MANIFEST, format!("{text}\n").as_bytes())
    }

    /// Writes a file below the folder, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        write_whole(&self.path.join(name), bytes)
    }

    /// Writes all that is worked out from what was played: the tables of figures, and the page.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn derive(&self, manifest: &Manifest, shelves: &[Shelf<'_>]) -> Result<(), FolderError> {
        let batches: Vec<_> = shelves.iter().map(|shelf| (&*shelf.model, shelf.figures)).collect();
        self.write("measures.csv", &tables::measures(&batches))?;
        self.write("items.csv", &tables::items(&batches))?;
        self.write("bands.csv", &tables::bands(&batches))?;
        for story in shelves.iter().flat_map(|shelf| &shelf.stories) {
            self.write(&story.file, story.text.as_bytes())?;
        }
        self.write("report.html", page(manifest, shelves).as_bytes())
    }

    /// The folder of a run that was finished, for more files to be written into it.
    pub fn open(path: &Path) -> Self {
        Self { path: path.to_owned(), files: Mutex::default() }
    }

    /// What is in the folder of a run.
    ///
    /// # Errors
    /// When it is no run, or cannot be read.
    pub fn read(path: &Path) -> Result<(Manifest, Vec<Figures>), FolderError> {
        let text = |name: &str| {
            let file = path.join(name);
            let text = fs::read_to_string(&file).map_err(|error| no_run(path, &format!("`{name}`: {error}")))?;
            match serde_json::from_str(&text).ok().and_then(|found| unseen_sign(&found)) {
                Some(sign) => Err(no_run(path, &format!("`{name}`: {}", unseen_message(sign)))),
                None => Ok(text),
            }
        };
        let manifest: Manifest =
            serde_json::from_str(&text(MANIFEST)?).map_err(|error| no_run(path, &format!("`{MANIFEST}`: {error}")))?;
        if manifest.schema_version != Manifest::SCHEMA {
            return Err(no_run(path, "it was written by another version of the program"));
        }
        let figures: Vec<Figures> =
            serde_json::from_str(&text(FIGURES)?).map_err(|error| no_run(path, &format!("`{FIGURES}`: {error}")))?;
        if figures.len() != manifest.batches.len() {
            return Err(no_run(path, "its figures and its manifest do not belong together"));
        }
        Ok((manifest, figures))
    }
}

/// A sign in some text of a file of a run that people would not see on paper.
fn unseen_sign(found: &Value) -> Option<char> {
    let in_text = |text: &str| unseen_in(text).map(|(_, sign)| sign);
    match found {
        Value::String(text) => in_text(text),
        Value::Array(all) => all.iter().find_map(unseen_sign),
        Value::Object(parts) => parts.iter().find_map(|(name, part)| in_text(name).or_else(|| unseen_sign(part))),
        _ => None,
    }
}

/// Writes a file beside its place, and puts it there when it is whole.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent).map_err(|error| at(parent, error))?;
    }
    let beside = path.with_extension("part");
    let write = || -> io::Result<()> {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|error| at(path, error))
}

pub(super) fn at(path: &Path, error: io::Error) -> FolderError {
    FolderError::File(path.display().to_string(), error)
}

fn no_run(path: &Path, why: &str) -> FolderError {
    FolderError::NoRun(path.display().to_string(), why.to_owned())
}

//! The folder of a run: what was played, every game, and all that is computed from them.

use super::checkpoint::{self, Checkpoint, command_of, has_all, sizes};
use super::holding::hold_together;
use super::manifest::{BatchManifest, Manifest};
use super::page::page;
use super::rows::{GameRows, Rows};
use super::run_file::{self, FolderError, GAME_FILES, MANIFEST, at, no_run, plain_text, write};
use super::shelf::Shelf;
use super::tables;
use crate::diagnostic::shown;
use crate::files::Directory;
use crate::simulation::Figures;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// All that was counted.
const FIGURES: &str = "figures.json";

/// All that is computed from what was played.
const DERIVED: [&str; 5] = [FIGURES, "measures.csv", "items.csv", "bands.csv", "report.html"];

/// The folder of a run.
#[derive(Debug)]
pub struct Folder {
    run: Directory,
    files: Mutex<Vec<BufWriter<File>>>,
    checkpoint: Option<Checkpoint>,
}

/// What is kept of the games for one number of players while a run goes on.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Counted<F> {
    /// How many bytes the tables of games had.
    tables: [u64; GAME_FILES.len()],
    /// The figures of all games in them.
    figures: F,
}

/// How far a run is.
#[derive(Debug)]
pub enum Course {
    /// It is done.
    Done,
    /// It goes on in this folder; what was counted so far, for each number of players that was begun.
    Begun(Folder, Vec<Figures>),
}

impl Folder {
    /// A new folder, with a manifest that says that nothing is done yet.
    ///
    /// # Errors
    /// When it cannot be written, or holds a run already.
    pub fn create(path: &Path, manifest: &Manifest) -> Result<Self, FolderError> {
        let checkpoint = Checkpoint::hold(path)?;
        let run = run_file::open(path)?;
        if run.has(MANIFEST) {
            return Err(FolderError::Taken(shown(path)));
        }
        write_manifest(&run, manifest)?;
        Self::with_tables(run, checkpoint, [0; GAME_FILES.len()])
    }

    /// Opens the tables of games to be gone on with after so many bytes; what stands behind them is dropped.
    fn with_tables(
        run: Directory,
        checkpoint: Checkpoint,
        lengths: [u64; GAME_FILES.len()],
    ) -> Result<Self, FolderError> {
        let mut files = Vec::new();
        for (name, length) in GAME_FILES.iter().zip(lengths) {
            let file = run.append_at(name, length).map_err(|error| at(&run.path().join(name), error))?;
            files.push(BufWriter::new(file));
        }
        let folder = Self { run, files: Mutex::new(files), checkpoint: Some(checkpoint) };
        if lengths[0] == 0 {
            folder.keep(&Rows::headings()).map_err(|error| at(folder.run.path(), error))?;
        }
        Ok(folder)
    }

    /// Takes a run up where it ended. `manifest` says what it is, with the rules as they are now, and is given which of its
    /// batches have enough games.
    ///
    /// # Errors
    /// When it is another run, or games in the middle are missing, or the folder cannot be written; nothing is changed then.
    pub fn take_up(path: &Path, manifest: &mut Manifest) -> Result<Course, FolderError> {
        let changed = |why: String| FolderError::Changed(shown(path), why);
        let before = Self::manifest(path)?;
        if let Some(what) = before.differs(manifest) {
            return Err(changed(format!("it has not the same {what} as when it began")));
        }
        let checkpoint = Checkpoint::hold(path)?;
        let run = run_file::open(path)?;
        if !checkpoint::is_there(&run) && before.complete && has_all(&run, &before.files) {
            return Ok(Course::Done);
        }
        let range = before.range();
        let is_first =
            |played: &[(u64, u64)]| matches!(played, [] | [_]) && played.iter().all(|(begin, _)| *begin == range.start);
        let whole = |batch: &BatchManifest| before.range_of(batch).end - range.start;
        let begun = before.batches.iter().take_while(|batch| batch.count() == whole(batch)).count() + 1;
        let is_in_order = before.batches.iter().skip(begun).all(|batch| batch.count() == 0);
        if !is_in_order || !before.batches.iter().all(|batch| is_first(&batch.played)) {
            return Err(changed("games in the middle are missing".to_owned()));
        }
        let mut counted = counted(&run, &before);
        while counted.last().is_some_and(|last| !holds(&run, &before, &counted, &last.tables)) {
            counted.pop();
        }
        let lengths = counted.last().map_or([0; GAME_FILES.len()], |last| last.tables);
        let folder = Self::with_tables(run, checkpoint, lengths)?;
        let figures: Vec<Figures> = counted.into_iter().map(|counted| counted.figures).collect();
        // What was counted is kept in two places before it goes from one.
        figures.iter().try_for_each(|figures| folder.save(figures)).map_err(|error| at(path, error))?;
        folder.begin_again()?;
        for (batch, before) in manifest.batches.iter_mut().zip(&before.batches) {
            batch.enough = before.enough;
        }
        write_manifest(&folder.run, manifest)?;
        Ok(Course::Begun(folder, figures))
    }

    fn begin_again(&self) -> Result<(), FolderError> {
        self.checkpoint.as_ref().map_or(Ok(()), |checkpoint| checkpoint.begin_again(&DERIVED))
    }

    /// Writes down what is known of a run that goes on: which of its batches have enough games.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn note(&self, manifest: &Manifest) -> Result<(), FolderError> {
        write_manifest(&self.run, manifest)
    }

    /// Makes sure that what was played so far can be gone on from: the tables of games, and the figures of those for a number
    /// of players.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, figures: &Figures) -> io::Result<()> {
        let mut tables = [0; GAME_FILES.len()];
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        for (file, length) in files.iter_mut().zip(&mut tables) {
            file.flush()?;
            file.get_ref().sync_data()?;
            *length = file.get_ref().metadata()?.len();
        }
        let name = figures.seats.to_string();
        self.checkpoint.as_ref().map_or(Ok(()), |checkpoint| checkpoint.keep(&name, &Counted { tables, figures }))
    }

    /// Adds the lines of a game.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn keep(&self, kept: &GameRows) -> io::Result<()> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = [&kept.games, &kept.seats, &kept.details, &kept.lines];
        files.iter_mut().zip(lines).try_for_each(|(file, lines)| file.write_all(lines))
    }

    /// Adds bytes to one of the tables of games.
    pub(super) fn append(&self, file: usize, line: &[u8]) -> io::Result<()> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)[file].write_all(line)
    }

    /// Writes down all that was counted.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_figures(&self, figures: &[Figures]) -> Result<(), FolderError> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let flush = |file: &mut BufWriter<File>| file.flush().and_then(|()| file.get_ref().sync_data());
        files.iter_mut().try_for_each(flush).map_err(|error| at(self.run.path(), error))?;
        let text = serde_json::to_string(figures).map_err(|error| at(self.run.path(), error))?;
        self.write(FIGURES, text.as_bytes())
    }

    /// Writes down what was played, as the last thing: what says that a run is done stands there when it is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(&self, manifest: &Manifest) -> Result<(), FolderError> {
        let names = [&DERIVED[..], &GAME_FILES].concat();
        let files = sizes(&self.run, &names);
        write_manifest(&self.run, &Manifest { files, ..manifest.clone() })?;
        let done = self.checkpoint.as_ref().filter(|_| manifest.complete);
        done.map_or(Ok(()), Checkpoint::done)
    }

    /// Writes a file below the folder, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        write(&self.run, name, bytes)
    }

    /// Writes all that is computed from what was played: the tables of figures, and the page.
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
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        Ok(Self { run: run_file::open(path)?, files: Mutex::default(), checkpoint: None })
    }

    /// What was played, or is being played, in the folder of a run.
    ///
    /// # Errors
    /// When it is no run, or cannot be read.
    pub fn manifest(path: &Path) -> Result<Manifest, FolderError> {
        let command = command_of(path)?;
        if command != "simulate" {
            return Err(FolderError::Other(shown(path), command));
        }
        let text = plain_text(&run_file::open(path)?, MANIFEST)?;
        let manifest: Manifest =
            serde_json::from_str(&text).map_err(|error| no_run(path, &format!("`{MANIFEST}`: {error}")))?;
        match manifest.impossible() {
            Some(why) => Err(no_run(path, &format!("`{MANIFEST}`: {why}"))),
            None => Ok(manifest),
        }
    }

    /// What is in the folder of a run; of one that goes on, or ended before it was done, what was counted so far.
    ///
    /// # Errors
    /// When it is no run, or cannot be read.
    pub fn read(path: &Path) -> Result<(Manifest, Vec<Figures>), FolderError> {
        let mut manifest = Self::manifest(path)?;
        let run = &run_file::open(path)?;
        let has_figures = run.has(FIGURES);
        if checkpoint::is_there(run) || !manifest.complete && !has_figures {
            let (mut counted, begin) = (counted(run, &manifest).into_iter(), manifest.range().start);
            let mut all = Vec::new();
            for batch in &mut manifest.batches {
                let figures = counted.next().map_or_else(|| Figures::new(batch.players), |found| found.figures);
                batch.played = Vec::from_iter((figures.games > 0).then(|| (begin, begin + figures.games)));
                all.push(figures);
            }
            manifest.complete = false;
            return Ok((manifest, all));
        }
        let figures = read_figures(run)?;
        if figures.len() != manifest.batches.len() {
            return Err(no_run(path, "its figures and its manifest do not belong together"));
        }
        Ok((manifest, figures))
    }
}

fn read_figures(run: &Directory) -> Result<Vec<Figures>, FolderError> {
    let text = plain_text(run, FIGURES)?;
    serde_json::from_str(&text).map_err(|error| no_run(run.path(), &format!("`{FIGURES}`: {error}")))
}

fn write_manifest(run: &Directory, manifest: &Manifest) -> Result<(), FolderError> {
    let text = serde_json::to_string_pretty(manifest).map_err(|error| at(run.path(), error))?;
    write(run, MANIFEST, format!("{text}\n").as_bytes())
}

/// What was counted so far, for each number of players that was begun: all but the last of them are done. Of a run that was
/// put together from parts there are only figures.
fn counted(run: &Directory, manifest: &Manifest) -> Vec<Counted<Figures>> {
    let whole = |batch: &BatchManifest| {
        let range = manifest.range_of(batch);
        range.end - range.start
    };
    let length = |name: &str| manifest.files.iter().find(|(file, _)| file == name).map_or(u64::MAX, |(_, size)| *size);
    let tables = GAME_FILES.map(length);
    let figures = if checkpoint::is_there(run) { None } else { read_figures(run).ok() };
    let of = |(at, batch): (usize, &BatchManifest)| -> Option<Counted<Figures>> {
        let figures = figures.as_ref().and_then(|figures| figures.get(at)).filter(|figures| figures.games > 0);
        let found = figures.map(|figures| Counted { tables, figures: figures.clone() });
        let found = found.or_else(|| checkpoint::kept(run, &batch.players.to_string()))?;
        let is_own = found.figures.seats == batch.players
            && found.figures.games <= whole(batch)
            && found.figures.is_consistent();
        is_own.then_some(found)
    };
    let mut all = Vec::new();
    for (batch, counted) in manifest.batches.iter().zip(manifest.batches.iter().enumerate().map_while(of)) {
        let is_done = counted.figures.games == whole(batch);
        all.push(counted);
        if !is_done {
            break;
        }
    }
    all
}

/// Whether the tables of games hold what was counted, in so many bytes.
fn holds(run: &Directory, manifest: &Manifest, counted: &[Counted<Figures>], tables: &[u64; GAME_FILES.len()]) -> bool {
    let mut played = manifest.clone();
    let mut all = Vec::new();
    for (at, batch) in played.batches.iter_mut().enumerate() {
        let figures = counted.get(at).map_or_else(|| Figures::new(batch.players), |found| found.figures.clone());
        batch.played = vec![(0, figures.games)];
        all.push(figures);
    }
    let is_long = |(name, length): (&&str, &u64)| run.size(name).is_some_and(|size| size >= *length);
    GAME_FILES.iter().zip(tables).all(is_long) && hold_together(run, &played, &all, Some(tables)).is_ok()
}

//! Folder of a run: manifest, games, and everything derived from them.

use super::batch_report::BatchReport;
use super::checkpoint::{self, Checkpoint, command_of, has_all, sizes};
use super::manifest::{BatchManifest, Manifest};
use super::page::page;
use super::rows::{GameRows, Rows};
use super::run_consistency::check_consistency;
use super::run_file::{self, FolderError, GAME_FILES, MANIFEST, at, no_run, plain_text, write};
use super::tables;
use crate::diagnostic::shown;
use crate::files::Directory;
use crate::simulation::Figures;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Name of the file that contains the figures.
const FIGURES: &str = "figures.json";

/// Names of the files that are derived from the games.
const DERIVED: [&str; 5] = [FIGURES, "measures.csv", "items.csv", "bands.csv", "report.html"];

/// Folder of a run, opened for writing.
#[derive(Debug)]
pub struct Folder {
    run: Directory,
    files: Mutex<Vec<BufWriter<File>>>,
    checkpoint: Option<Checkpoint>,
}

/// Checkpoint of one batch.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct BatchCheckpoint<F> {
    /// Sizes in bytes of the files in [`GAME_FILES`] at the time of the checkpoint.
    tables: [u64; GAME_FILES.len()],
    /// Figures of all games in these files.
    figures: F,
}

/// State of a run that is to be resumed.
#[derive(Debug)]
pub enum RunState {
    /// All games were played.
    Done,
    /// The run continues in this folder. The second field contains the current figures of each batch that has begun.
    InProgress(Folder, Vec<Figures>),
}

impl Folder {
    /// Creates a folder with a manifest and with files for the rows of the games.
    ///
    /// # Errors
    /// Fails if the folder cannot be written or already contains a run.
    pub fn create(path: &Path, manifest: &Manifest) -> Result<Self, FolderError> {
        let checkpoint = Checkpoint::lock(path)?;
        let run = run_file::open(path)?;
        if run.has(MANIFEST) {
            return Err(FolderError::Taken(shown(path)));
        }
        write_manifest(&run, manifest)?;
        Self::with_tables(run, checkpoint, [0; GAME_FILES.len()])
    }

    /// Opens the files in [`GAME_FILES`] for appending, truncated to these lengths in bytes. Writes the headings if the files are empty.
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

    /// Prepares to resume a run.
    ///
    /// `manifest` describes the run with the current rules. Its `enough` fields are copied from the old manifest.
    ///
    /// # Errors
    /// Fails without changes if the old manifest differs, or if the games played so far are not the first games of the run. Also fails if
    /// another program is writing to the folder, or if the folder cannot be written.
    pub fn resume(path: &Path, manifest: &mut Manifest) -> Result<RunState, FolderError> {
        let changed = |why: String| FolderError::Changed(shown(path), why);
        let before = Self::manifest(path)?;
        if let Some(what) = before.first_difference(manifest) {
            return Err(changed(format!("it has not the same {what} as when it began")));
        }
        let checkpoint = Checkpoint::lock(path)?;
        let run = run_file::open(path)?;
        if !checkpoint::is_there(&run) && before.complete && has_all(&run, &before.files) {
            return Ok(RunState::Done);
        }
        let range = before.range();
        let is_first =
            |played: &[(u64, u64)]| matches!(played, [] | [_]) && played.iter().all(|(begin, _)| *begin == range.start);
        let full_count = |batch: &BatchManifest| before.range_of(batch).end - range.start;
        let begun = before.batches.iter().take_while(|batch| batch.count() == full_count(batch)).count() + 1;
        let is_in_order = before.batches.iter().skip(begun).all(|batch| batch.count() == 0);
        if !is_in_order || !before.batches.iter().all(|batch| is_first(&batch.played)) {
            return Err(changed("games in the middle are missing".to_owned()));
        }
        let mut counted = batch_checkpoints(&run, &before);
        while counted.last().is_some_and(|last| !is_consistent(&run, &before, &counted, &last.tables)) {
            counted.pop();
        }
        let lengths = counted.last().map_or([0; GAME_FILES.len()], |last| last.tables);
        let folder = Self::with_tables(run, checkpoint, lengths)?;
        let figures: Vec<Figures> = counted.into_iter().map(|counted| counted.figures).collect();
        // Save the figures as checkpoints before the file that may be their only copy is deleted.
        figures.iter().try_for_each(|figures| folder.save(figures)).map_err(|error| at(path, error))?;
        folder.discard_derived()?;
        for (batch, before) in manifest.batches.iter_mut().zip(&before.batches) {
            batch.enough = before.enough;
        }
        write_manifest(&folder.run, manifest)?;
        Ok(RunState::InProgress(folder, figures))
    }

    fn discard_derived(&self) -> Result<(), FolderError> {
        self.checkpoint.as_ref().map_or(Ok(()), |checkpoint| checkpoint.discard_derived(&DERIVED))
    }

    /// Updates the manifest of a run in progress.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn update_manifest(&self, manifest: &Manifest) -> Result<(), FolderError> {
        write_manifest(&self.run, manifest)
    }

    /// Saves a checkpoint: syncs the files in `GAME_FILES` to the disk, then stores the figures of one batch.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn save(&self, figures: &Figures) -> io::Result<()> {
        let mut tables = [0; GAME_FILES.len()];
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        for (file, length) in files.iter_mut().zip(&mut tables) {
            file.flush()?;
            file.get_ref().sync_data()?;
            *length = file.get_ref().metadata()?.len();
        }
        let name = figures.seats.to_string();
        self.checkpoint
            .as_ref()
            .map_or(Ok(()), |checkpoint| checkpoint.save(&name, &BatchCheckpoint { tables, figures }))
    }

    /// Appends the rows of a game to the files in `GAME_FILES`.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn keep(&self, kept: &GameRows) -> io::Result<()> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = [&kept.games, &kept.seats, &kept.details, &kept.lines];
        files.iter_mut().zip(lines).try_for_each(|(file, lines)| file.write_all(lines))
    }

    /// Appends bytes to the file with index `file` in [`GAME_FILES`].
    pub(super) fn append(&self, file: usize, line: &[u8]) -> io::Result<()> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)[file].write_all(line)
    }

    /// Syncs the files in `GAME_FILES` to the disk, then writes the figures of all batches.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn write_figures(&self, figures: &[Figures]) -> Result<(), FolderError> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let flush = |file: &mut BufWriter<File>| file.flush().and_then(|()| file.get_ref().sync_data());
        files.iter_mut().try_for_each(flush).map_err(|error| at(self.run.path(), error))?;
        let text = serde_json::to_string(figures).map_err(|error| at(self.run.path(), error))?;
        self.write(FIGURES, text.as_bytes())
    }

    /// Writes the final manifest and, if the run is complete, deletes the checkpoints. Must be called last, because the manifest then marks
    /// the run as complete.
    ///
    /// # Errors
    /// Fails if the manifest cannot be written or the checkpoints cannot be deleted.
    pub fn finish(&self, manifest: &Manifest) -> Result<(), FolderError> {
        let names = [&DERIVED[..], &GAME_FILES].concat();
        let files = sizes(&self.run, &names);
        write_manifest(&self.run, &Manifest { files, ..manifest.clone() })?;
        let done = self.checkpoint.as_ref().filter(|_| manifest.complete);
        done.map_or(Ok(()), Checkpoint::delete)
    }

    /// Writes a file atomically.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        write(&self.run, name, bytes)
    }

    /// Writes the tables, the page and the playscripts derived from the figures.
    ///
    /// # Errors
    /// Fails if they cannot be written.
    pub fn derive(&self, manifest: &Manifest, reports: &[BatchReport<'_>]) -> Result<(), FolderError> {
        let batches: Vec<_> = reports.iter().map(|report| (&*report.model, report.figures)).collect();
        self.write("measures.csv", &tables::measures(&batches))?;
        self.write("items.csv", &tables::items(&batches))?;
        self.write("bands.csv", &tables::bands(&batches))?;
        for story in reports.iter().flat_map(|report| &report.stories) {
            self.write(&story.file, story.text.as_bytes())?;
        }
        self.write("report.html", page(manifest, reports).as_bytes())
    }

    /// Opens the folder of a finished run so that files can be added.
    ///
    /// # Errors
    /// Fails if the folder cannot be opened.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        Ok(Self { run: run_file::open(path)?, files: Mutex::default(), checkpoint: None })
    }

    /// Reads the manifest of a run.
    ///
    /// # Errors
    /// Fails if the folder contains no valid run of `simulate`.
    pub fn manifest(path: &Path) -> Result<Manifest, FolderError> {
        let command = command_of(path)?;
        if command != "simulate" {
            return Err(FolderError::OtherCommand(shown(path), command));
        }
        let text = plain_text(&run_file::open(path)?, MANIFEST)?;
        let manifest: Manifest =
            serde_json::from_str(&text).map_err(|error| no_run(path, &format!("`{MANIFEST}`: {error}")))?;
        match manifest.find_contradiction() {
            Some(why) => Err(no_run(path, &format!("`{MANIFEST}`: {why}"))),
            None => Ok(manifest),
        }
    }

    /// Reads the manifest and the figures of a run. If the run is in progress or was interrupted, returns its current figures.
    ///
    /// # Errors
    /// Fails if the folder contains no valid run.
    pub fn read(path: &Path) -> Result<(Manifest, Vec<Figures>), FolderError> {
        let mut manifest = Self::manifest(path)?;
        let run = &run_file::open(path)?;
        let has_figures = run.has(FIGURES);
        if checkpoint::is_there(run) || !manifest.complete && !has_figures {
            let (mut counted, begin) = (batch_checkpoints(run, &manifest).into_iter(), manifest.range().start);
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

/// Returns the checkpoints of the batches that have begun. All of these batches are complete except possibly the last.
///
/// If the run has no checkpoints, like a merged run, the figures of its batches are used instead.
fn batch_checkpoints(run: &Directory, manifest: &Manifest) -> Vec<BatchCheckpoint<Figures>> {
    let full_count = |batch: &BatchManifest| {
        let range = manifest.range_of(batch);
        range.end - range.start
    };
    let length = |name: &str| manifest.files.iter().find(|(file, _)| file == name).map_or(u64::MAX, |(_, size)| *size);
    let tables = GAME_FILES.map(length);
    let figures = if checkpoint::is_there(run) { None } else { read_figures(run).ok() };
    let checkpoint_of = |(at, batch): (usize, &BatchManifest)| -> Option<BatchCheckpoint<Figures>> {
        let figures = figures.as_ref().and_then(|figures| figures.get(at)).filter(|figures| figures.games > 0);
        let found = figures.map(|figures| BatchCheckpoint { tables, figures: figures.clone() });
        let found = found.or_else(|| checkpoint::load(run, &batch.players.to_string()))?;
        let is_own = found.figures.seats == batch.players
            && found.figures.games <= full_count(batch)
            && found.figures.is_consistent();
        is_own.then_some(found)
    };
    let mut all = Vec::new();
    for (batch, counted) in manifest.batches.iter().zip(manifest.batches.iter().enumerate().map_while(checkpoint_of)) {
        let is_done = counted.figures.games == full_count(batch);
        all.push(counted);
        if !is_done {
            break;
        }
    }
    all
}

/// Returns whether the files in [`GAME_FILES`], up to the lengths in `tables`, agree with the checkpoints.
fn is_consistent(
    run: &Directory,
    manifest: &Manifest,
    counted: &[BatchCheckpoint<Figures>],
    tables: &[u64; GAME_FILES.len()],
) -> bool {
    let mut played = manifest.clone();
    let mut all = Vec::new();
    for (at, batch) in played.batches.iter_mut().enumerate() {
        let figures = counted.get(at).map_or_else(|| Figures::new(batch.players), |found| found.figures.clone());
        batch.played = vec![(0, figures.games)];
        all.push(figures);
    }
    let is_long = |(name, length): (&&str, &u64)| run.size(name).is_some_and(|size| size >= *length);
    GAME_FILES.iter().zip(tables).all(is_long) && check_consistency(run, &played, &all, Some(tables)).is_ok()
}

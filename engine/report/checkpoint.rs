//! Checkpoints, from which a run can be resumed after any interruption.

use super::manifest::FORMAT;
use super::run_file::{FolderError, MANIFEST, PLAYS, at, no_run, open, plain_text, play_file, write};
use super::unseen_strings::unseen_in_json_text;
use crate::diagnostic::shown;
use crate::files::{Busy, Directory, is_temporary_name};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Name of the subfolder with the checkpoints. It is deleted when the run is complete.
const CHECKPOINT: &str = "checkpoint";

/// Lock on a run's folder, with access to its checkpoints. While it is held, no other program can write to the folder.
#[derive(Debug)]
pub struct Checkpoint {
    run: Directory,
    /// Lock on the folder; `None` on file systems without locks, where concurrent writers are not detected.
    _lock: Option<File>,
}

impl Checkpoint {
    /// Locks the folder of a run. Creates it if necessary.
    ///
    /// # Errors
    /// Fails if another program holds the lock, or the folder cannot be created.
    pub fn lock(run: &Path) -> Result<Self, FolderError> {
        let folder = Directory::create(run).map_err(|error| at(run, error))?;
        match folder.lock() {
            Err(Busy) => Err(FolderError::Busy(shown(run))),
            Ok(lock) => Ok(Self { run: folder, _lock: lock }),
        }
    }

    /// Locks the folder, and prepares to start or resume a run of a command other than `simulate`.
    ///
    /// `before` is the request of the interrupted run, if there is one, and `derived` are the files written at the end. Returns `None` if
    /// the run is complete.
    ///
    /// # Errors
    /// Fails if another program holds the lock, if the version of the program, the rules or the agent files have changed since the run
    /// began, or if the folder cannot be written.
    pub fn start_or_resume<T: Serialize>(
        run: &Path,
        asked: &RunRequest<T>,
        before: Option<&RunRequest<()>>,
        derived: &[&str],
    ) -> Result<Option<Self>, FolderError> {
        if let Some(what) = before.and_then(|before| before.first_difference(asked)) {
            let why = format!("it has not the same {what} as when it began");
            return Err(FolderError::Changed(shown(run), why));
        }
        let checkpoint = Self::lock(run)?;
        if let Some(before) = before {
            if before.complete && has_all(&checkpoint.run, &before.files) && !is_there(&checkpoint.run) {
                return Ok(None);
            }
            checkpoint.discard_derived(derived)?;
        }
        asked.write(&checkpoint.run)?;
        Ok(Some(checkpoint))
    }

    /// Saves one part of a checkpoint. Replaces the previous part called `name`.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn save<T: Serialize>(&self, name: &str, part: &T) -> io::Result<()> {
        let bytes = serde_json::to_vec(part)?;
        self.run.write(&file(name), &bytes)
    }

    /// Loads one part of a checkpoint; `None` if it is missing or invalid.
    pub fn load<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        load(&self.run, name)
    }

    /// Deletes derived files, playscripts of remarkable games and temporary files before a run is resumed.
    ///
    /// # Errors
    /// Fails if a file cannot be deleted.
    pub fn discard_derived(&self, derived: &[&str]) -> Result<(), FolderError> {
        let is_derived = |name: &str| derived.contains(&name);
        remove_files(&self.run, &|name| is_derived(name) || is_temporary_name(name))?;
        self.remove_below(PLAYS, &|name| is_temporary_name(name) || is_story(name))?;
        self.remove_below(CHECKPOINT, &is_temporary_name)
    }

    /// Deletes the checkpoints of a complete run.
    ///
    /// # Errors
    /// Fails if a file cannot be deleted.
    pub fn delete(&self) -> Result<(), FolderError> {
        if !is_there(&self.run) {
            return Ok(());
        }
        self.remove_below(CHECKPOINT, &|name| is_temporary_name(name) || name.ends_with(ENDING))?;
        self.run.remove_empty_folder(CHECKPOINT).map_err(|error| at(&self.run.path().join(CHECKPOINT), error))
    }

    /// Deletes the files whose names satisfy `is_meant` from a subfolder. Does nothing if there is no such subfolder.
    fn remove_below(&self, name: &str, is_meant: &dyn Fn(&str) -> bool) -> Result<(), FolderError> {
        match self.run.subfolder(name) {
            Ok(folder) => remove_files(&folder, is_meant),
            Err(refused) if refused.is_missing() => Ok(()),
            Err(refused) => Err(at(&self.run.path().join(name), refused)),
        }
    }
}

/// File name extension of checkpoint files.
const ENDING: &str = ".json";

/// Returns whether a run has checkpoints, which means that it is not complete.
pub(super) fn is_there(run: &Directory) -> bool {
    run.subfolder(CHECKPOINT).is_ok()
}

/// Loads one part of a checkpoint; `None` if it is missing or invalid.
pub(super) fn load<T: DeserializeOwned>(run: &Directory, name: &str) -> Option<T> {
    serde_json::from_str(&plain_text(run, &file(name)).ok()?).ok()
}

/// Returns the path of one part of a checkpoint, relative to the run's folder.
fn file(name: &str) -> String {
    format!("{CHECKPOINT}/{name}{ENDING}")
}

/// Returns whether a file in [`PLAYS`] is the playscript of a remarkable game, judging by its name.
fn is_story(name: &str) -> bool {
    name.contains("-players-")
}

/// Returns the sizes in bytes of the files `names` and of all playscripts of remarkable games. Leaves out missing files.
pub(super) fn sizes(run: &Directory, names: &[&str]) -> Vec<(String, u64)> {
    let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let plays = run.subfolder(PLAYS).ok().and_then(|plays| plays.names(usize::MAX).ok()).unwrap_or_default();
    names.extend(plays.into_iter().filter(|name| is_story(name)).map(|name| play_file(&name)));
    names.sort();
    names.into_iter().filter_map(|name| Some((run.size(&name)?, name))).map(|(size, name)| (name, size)).collect()
}

/// Returns whether all these files exist and have these sizes in bytes.
pub(super) fn has_all(run: &Directory, files: &[(String, u64)]) -> bool {
    files.iter().all(|(name, size)| run.size(name) == Some(*size))
}

fn remove_files(folder: &Directory, is_meant: &dyn Fn(&str) -> bool) -> Result<(), FolderError> {
    folder.remove_files(is_meant).map_err(|(path, error)| at(&path, error))
}

/// Manifest of a run of any command other than `simulate`: the request, and whether the run is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRequest<T> {
    /// Version of the folder's format.
    pub format: u32,
    /// Version of the program.
    pub parlour: String,
    /// Name of the command.
    pub command: String,
    /// Fingerprints of the games' files and all settings, in hexadecimal.
    pub rules: Vec<String>,
    /// Files that define agents, each with the hash of the content in hexadecimal.
    pub agent_files: Vec<(String, String)>,
    /// Working directory relative to the run's folder; relative paths start from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Arguments of the command.
    pub arguments: T,
    /// Whether the run is complete.
    pub complete: bool,
    /// Files that existed at the end of the run, with their sizes in bytes.
    pub files: Vec<(String, u64)>,
}

impl<T: Serialize> RunRequest<T> {
    /// Creates the request of a new run.
    pub fn new(
        command: &str,
        directory: Option<String>,
        arguments: T,
        rules: Vec<String>,
        agent_files: Vec<(String, String)>,
    ) -> Self {
        let (command, parlour) = (command.to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        Self {
            format: FORMAT,
            parlour,
            command,
            rules,
            agent_files,
            directory,
            arguments,
            complete: false,
            files: Vec::new(),
        }
    }

    /// Writes the manifest.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn write(&self, run: &Directory) -> Result<(), FolderError> {
        let text = serde_json::to_string_pretty(self).map_err(|error| at(run.path(), error))?;
        write(run, MANIFEST, format!("{text}\n").as_bytes())
    }

    /// Writes the final manifest, then deletes the checkpoints. The manifest marks the run as complete, so all other files must already
    /// exist.
    ///
    /// # Errors
    /// Fails if the manifest cannot be written or the checkpoints cannot be deleted.
    pub fn finish(mut self, checkpoint: &Checkpoint, files: &[&str]) -> Result<(), FolderError> {
        self.complete = true;
        self.files = sizes(&checkpoint.run, files);
        self.write(&checkpoint.run)?;
        checkpoint.delete()
    }
}

impl<T: DeserializeOwned> RunRequest<T> {
    /// Reads the manifest of a run.
    ///
    /// # Errors
    /// Fails if the folder contains no valid run of this command.
    pub fn read(run: &Path, command: &str) -> Result<Self, FolderError> {
        let found = command_of(run)?;
        if found != command {
            return Err(FolderError::OtherCommand(shown(run), found));
        }
        let text = plain_text(&open(run)?, MANIFEST)?;
        serde_json::from_str(&text).map_err(|error| no_run(run, &format!("`{MANIFEST}`: {error}")))
    }
}

impl<T> RunRequest<T> {
    /// Splits the manifest into the arguments and everything else.
    pub fn split(self) -> (T, RunRequest<()>) {
        let Self { format, parlour, command, rules, agent_files, directory, arguments, complete, files } = self;
        let rest =
            RunRequest { format, parlour, command, rules, agent_files, directory, arguments: (), complete, files };
        (arguments, rest)
    }

    /// Returns the name of the first property that differs between this request and `now`: the version of the program, the rules or the
    /// agent files.
    fn first_difference<U>(&self, now: &RunRequest<U>) -> Option<&'static str> {
        [
            ("version of the program", self.parlour != now.parlour),
            ("rules", self.rules != now.rules),
            ("files of agents", self.agent_files != now.agent_files),
        ]
        .into_iter()
        .find_map(|(what, differs)| differs.then_some(what))
    }
}

/// Returns the command whose run is in a folder.
///
/// # Errors
/// Fails if the folder contains no run, or a run in another format.
pub fn command_of(run: &Path) -> Result<String, FolderError> {
    let text = plain_text(&open(run)?, MANIFEST)?;
    let found: Value = serde_json::from_str(&text).map_err(|error| no_run(run, &format!("`{MANIFEST}`: {error}")))?;
    match found.get("format") {
        Some(format) if format == FORMAT => {}
        Some(format) if !format.is_number() => {
            let why =
                format!("`format` of its manifest is {format}, and must be a number: write `\"format\": {FORMAT}`");
            return Err(no_run(run, &why));
        }
        Some(format) => {
            let why = format!("it is written in format {format}, and this program reads format {FORMAT}");
            return Err(no_run(run, &why));
        }
        None => return Err(no_run(run, "its manifest names no format")),
    }
    Ok(found.get("command").and_then(Value::as_str).unwrap_or("simulate").to_owned())
}

/// Returns the command of the unfinished run in a folder; `None` if there is none.
pub fn unfinished(run: &Path) -> Option<String> {
    let found: Value = serde_json::from_str(&plain_text(&open(run).ok()?, MANIFEST).ok()?).ok()?;
    let is_done = found.get("complete")? == &Value::Bool(true);
    command_of(run).ok().filter(|_| open(run).is_ok_and(|run| is_there(&run)) || !is_done)
}

/// Maximum length of a journal line in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// Maximum size of a journal in bytes, enough for about 500,000 games. Lines beyond it are not read.
const LARGEST_JOURNAL: u64 = 64 << 20;

/// Append-only file with a line of JSON for each game.
#[derive(Debug)]
pub struct RunJournal {
    file: Mutex<File>,
}

impl RunJournal {
    /// Reads a journal up to the first line that is incomplete, invalid or too long, contains invisible characters, or lies beyond the
    /// maximum size. Each entry comes with the offset in bytes at which its line ends.
    pub fn read<T: DeserializeOwned>(run: &Path, name: &str) -> impl Iterator<Item = (T, u64)> {
        let file = open(run).ok().and_then(|run| run.open_file(name).ok());
        let (mut reader, mut line, mut end) = (file.map(BufReader::new), Vec::new(), 0);
        std::iter::from_fn(move || {
            line.clear();
            let count = reader.as_mut()?.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).unwrap_or(0);
            end += count as u64;
            let text = std::str::from_utf8(&line).ok().filter(|text| unseen_in_json_text(text).is_none());
            let found = text.and_then(|text| serde_json::from_str(text).ok());
            found.filter(|_| line.ends_with(b"\n") && end <= LARGEST_JOURNAL).map(|found| (found, end))
        })
        .fuse()
    }

    /// Opens a journal for appending, truncated to a length in bytes.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn open(run: &Path, name: &str, length: u64) -> Result<Self, FolderError> {
        let file = open(run)?.append_at(name, length).map_err(|error| at(&run.join(name), error))?;
        Ok(Self { file: Mutex::new(file) })
    }

    /// Appends an entry.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn add<T: Serialize>(&self, found: &T) -> io::Result<()> {
        let mut line = serde_json::to_vec(found)?;
        line.push(b'\n');
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line)
    }

    /// Syncs all entries to the disk.
    ///
    /// # Errors
    /// Fails if they cannot be written.
    pub fn save(&self) -> io::Result<()> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).sync_data()
    }
}

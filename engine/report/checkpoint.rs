//! What is kept of a run while it goes on: whatever ends the program, the run can be taken up where it was.

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

/// The folder, in that of a run, of what has been counted so far; it goes when the run is done.
const CHECKPOINT: &str = "checkpoint";

/// What was counted so far of a run that goes on. As long as it is held nobody else writes into the run's folder.
#[derive(Debug)]
pub struct Checkpoint {
    run: Directory,
    /// Where folders cannot be locked nobody is kept away.
    _lock: Option<File>,
}

impl Checkpoint {
    /// Locks the folder of a run, which is made if it is not there.
    ///
    /// # Errors
    /// When another program holds it, or it cannot be made.
    pub fn hold(run: &Path) -> Result<Self, FolderError> {
        let folder = Directory::create(run).map_err(|error| at(run, error))?;
        match folder.lock() {
            Err(Busy) => Err(FolderError::Busy(shown(run))),
            Ok(lock) => Ok(Self { run: folder, _lock: lock }),
        }
    }

    /// Locks the folder of a run that is asked for, and has what was asked written into it. `before` is what was
    /// asked when the run began, if it did; `derived` what is written at its end. Nothing, where the run is done.
    ///
    /// # Errors
    /// When another program holds it, the rules have changed since, or it cannot be written.
    pub fn take_up<T: Serialize>(
        run: &Path,
        asked: &RunRequest<T>,
        before: Option<&RunRequest<()>>,
        derived: &[&str],
    ) -> Result<Option<Self>, FolderError> {
        if let Some(what) = before.and_then(|before| before.differs(asked)) {
            let why = format!("it has not the same {what} as when it began");
            return Err(FolderError::Changed(shown(run), why));
        }
        let checkpoint = Self::hold(run)?;
        if let Some(before) = before {
            if before.complete && has_all(&checkpoint.run, &before.files) && !is_there(&checkpoint.run) {
                return Ok(None);
            }
            checkpoint.begin_again(derived)?;
        }
        asked.write(&checkpoint.run)?;
        Ok(Some(checkpoint))
    }

    /// Keeps a part of what was counted, in place of what was kept under that name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep<T: Serialize>(&self, name: &str, part: &T) -> io::Result<()> {
        let bytes = serde_json::to_vec(part)?;
        self.run.write(&file(name), &bytes)
    }

    /// What was kept under a name, if it can be read.
    pub fn kept<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        kept(&self.run, name)
    }

    /// Makes ready to go on: what was computed from what was counted before is gone, and what was being written too.
    ///
    /// # Errors
    /// When it cannot be deleted.
    pub fn begin_again(&self, derived: &[&str]) -> Result<(), FolderError> {
        let own = |name: &str| derived.contains(&name);
        remove_files(&self.run, &|name| own(name) || is_temporary_name(name))?;
        self.remove_below(PLAYS, &|name| is_temporary_name(name) || is_story(name))?;
        self.remove_below(CHECKPOINT, &is_temporary_name)
    }

    /// The run is done.
    ///
    /// # Errors
    /// When what was kept cannot be deleted.
    pub fn done(&self) -> Result<(), FolderError> {
        if !is_there(&self.run) {
            return Ok(());
        }
        self.remove_below(CHECKPOINT, &|name| is_temporary_name(name) || name.ends_with(ENDING))?;
        self.run.remove_empty_folder(CHECKPOINT).map_err(|error| at(&self.run.path().join(CHECKPOINT), error))
    }

    /// Deletes files of a folder below that of the run, if there is one.
    fn remove_below(&self, name: &str, is_meant: &dyn Fn(&str) -> bool) -> Result<(), FolderError> {
        match self.run.subfolder(name) {
            Ok(folder) => remove_files(&folder, is_meant),
            Err(refused) if refused.is_missing() => Ok(()),
            Err(refused) => Err(at(&self.run.path().join(name), refused)),
        }
    }
}

/// Ending of the files of a checkpoint.
const ENDING: &str = ".json";

/// Whether something is kept of a run that is not done.
pub(super) fn is_there(run: &Directory) -> bool {
    run.subfolder(CHECKPOINT).is_ok()
}

/// What is kept of a run under a name, if it can be read.
pub(super) fn kept<T: DeserializeOwned>(run: &Directory, name: &str) -> Option<T> {
    serde_json::from_str(&plain_text(run, &file(name)).ok()?).ok()
}

/// Path of what is kept under a name, below the folder of the run.
fn file(name: &str) -> String {
    format!("{CHECKPOINT}/{name}{ENDING}")
}

/// A file of [`PLAYS`] that the program wrote.
fn is_story(name: &str) -> bool {
    name.contains("-players-")
}

/// How many bytes these files have, and the games worth reading beside them.
pub(super) fn sizes(run: &Directory, names: &[&str]) -> Vec<(String, u64)> {
    let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let plays = run.subfolder(PLAYS).ok().and_then(|plays| plays.names(usize::MAX).ok()).unwrap_or_default();
    names.extend(plays.into_iter().filter(|name| is_story(name)).map(|name| play_file(&name)));
    names.sort();
    names.into_iter().filter_map(|name| Some((run.size(&name)?, name))).map(|(size, name)| (name, size)).collect()
}

/// Whether all these files are there, and have so many bytes.
pub(super) fn has_all(run: &Directory, files: &[(String, u64)]) -> bool {
    files.iter().all(|(name, size)| run.size(name) == Some(*size))
}

fn remove_files(folder: &Directory, is_meant: &dyn Fn(&str) -> bool) -> Result<(), FolderError> {
    folder.remove_files(is_meant).map_err(|(path, error)| at(&path, error))
}

/// What a command that writes no tables of games was asked: the manifest of its folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRequest<T> {
    /// The format of the folder's files.
    pub format: u32,
    /// The version of the program.
    pub parlour: String,
    /// The command.
    pub command: String,
    /// Numbers computed from everything in the games' files and everything chosen, in hexadecimal.
    pub rules: Vec<String>,
    /// The files that agents are made of, each with a number computed from what it holds, in hexadecimal.
    pub agent_files: Vec<(String, String)>,
    /// The working directory, seen from the folder of the run: where relative paths lead from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// What was given to the command.
    pub arguments: T,
    /// Whether everything was played.
    pub complete: bool,
    /// The files that were written when everything was played, each with how many bytes it has.
    pub files: Vec<(String, u64)>,
}

impl<T: Serialize> RunRequest<T> {
    /// What is asked of a command now.
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

    /// Writes it into the folder of the run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, run: &Directory) -> Result<(), FolderError> {
        let text = serde_json::to_string_pretty(self).map_err(|error| at(run.path(), error))?;
        write(run, MANIFEST, format!("{text}\n").as_bytes())
    }

    /// Writes down that everything was played, as the last thing: what says that a run is done stands there when it is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self, checkpoint: &Checkpoint, files: &[&str]) -> Result<(), FolderError> {
        self.complete = true;
        self.files = sizes(&checkpoint.run, files);
        self.write(&checkpoint.run)?;
        checkpoint.done()
    }
}

impl<T: DeserializeOwned> RunRequest<T> {
    /// What was asked of a command when a run began.
    ///
    /// # Errors
    /// When the folder holds no run of the command.
    pub fn read(run: &Path, command: &str) -> Result<Self, FolderError> {
        let found = command_of(run)?;
        if found != command {
            return Err(FolderError::Other(shown(run), found));
        }
        let text = plain_text(&open(run)?, MANIFEST)?;
        serde_json::from_str(&text).map_err(|error| no_run(run, &format!("`{MANIFEST}`: {error}")))
    }
}

impl<T> RunRequest<T> {
    /// What was given to the command, and the rest.
    pub fn split(self) -> (T, RunRequest<()>) {
        let Self { format, parlour, command, rules, agent_files, directory, arguments, complete, files } = self;
        let rest =
            RunRequest { format, parlour, command, rules, agent_files, directory, arguments: (), complete, files };
        (arguments, rest)
    }

    /// What is not the same any more, in words; the first thing.
    fn differs<U>(&self, now: &RunRequest<U>) -> Option<&'static str> {
        [
            ("version of the program", self.parlour != now.parlour),
            ("rules", self.rules != now.rules),
            ("files of agents", self.agent_files != now.agent_files),
        ]
        .into_iter()
        .find_map(|(what, differs)| differs.then_some(what))
    }
}

/// The command whose run a folder holds.
///
/// # Errors
/// When it holds none, or one in another format.
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

/// The command of a run that was not finished, if the folder holds one.
pub fn unfinished(run: &Path) -> Option<String> {
    let found: Value = serde_json::from_str(&plain_text(&open(run).ok()?, MANIFEST).ok()?).ok()?;
    let is_done = found.get("complete")? == &Value::Bool(true);
    command_of(run).ok().filter(|_| open(run).is_ok_and(|run| is_there(&run)) || !is_done)
}

/// Maximum number of bytes of a line of a journal.
const LONGEST_LINE: u64 = 1 << 20;

/// Maximum number of bytes of a journal that is read: some 500,000 games.
const LARGEST_JOURNAL: u64 = 64 << 20;

/// A file with a line of JSON for each game, which grows as games are played.
#[derive(Debug)]
pub struct RunJournal {
    file: Mutex<File>,
}

impl RunJournal {
    /// Reads the lines of a file in the folder of a run, up to the first that is not whole, that holds a character which nobody
    /// sees, or that is longer than any game needs; each with the number of bytes up to its end.
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

    /// Opens a file to be gone on with after so many bytes; what stands behind them is dropped.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn open(run: &Path, name: &str, length: u64) -> Result<Self, FolderError> {
        let file = open(run)?.append_at(name, length).map_err(|error| at(&run.join(name), error))?;
        Ok(Self { file: Mutex::new(file) })
    }

    /// Adds a line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add<T: Serialize>(&self, found: &T) -> io::Result<()> {
        let mut line = serde_json::to_vec(found)?;
        line.push(b'\n');
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line)
    }

    /// Makes sure that all lines are on the disk.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn save(&self) -> io::Result<()> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).sync_data()
    }
}

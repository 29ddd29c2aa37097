//! What is kept of a run while it goes on: whatever ends the program, the run can be taken up where it was.

use super::manifest::FORMAT;
use super::run_file::{FolderError, MANIFEST, PLAYS, at, no_run, plain_text, play_file, write};
use super::whole::{is_part, make_folder};
use crate::diagnostic::shown;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The folder, in that of a run, of what has been counted so far; it goes when the run is done.
const CHECKPOINT: &str = "checkpoint";

/// What was counted so far of a run that goes on. As long as it is held nobody else writes into the run's folder.
#[derive(Debug)]
pub struct Checkpoint {
    run: PathBuf,
    /// Where folders cannot be locked nobody is kept away.
    _lock: Option<File>,
}

impl Checkpoint {
    /// Locks the folder of a run, which is made if it is not there.
    ///
    /// # Errors
    /// When another program holds it, or it cannot be made.
    pub fn hold(run: &Path) -> Result<Self, FolderError> {
        make_folder(run).map_err(|error| at(run, error))?;
        let lock = File::open(run).ok();
        match lock.as_ref().map(File::try_lock) {
            Some(Err(TryLockError::WouldBlock)) => Err(FolderError::Busy(shown(run))),
            _ => Ok(Self { run: run.to_owned(), _lock: lock }),
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
            if before.complete && has_all(run, &before.files) && !is_there(run) {
                return Ok(None);
            }
            checkpoint.begin_again(derived)?;
        }
        asked.write(run)?;
        Ok(Some(checkpoint))
    }

    /// Keeps a part of what was counted, in place of what was kept under that name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep<T: Serialize>(&self, name: &str, part: &T) -> io::Result<()> {
        let bytes = serde_json::to_vec(part)?;
        write(&file(&self.run, name), &bytes).map_err(io::Error::other)
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
        remove_files(&self.run, &|name| own(name) || is_part(name))?;
        remove_files(&self.run.join(PLAYS), &|name| is_part(name) || is_story(name))?;
        remove_files(&self.run.join(CHECKPOINT), &is_part)
    }

    /// The run is done.
    ///
    /// # Errors
    /// When what was kept cannot be deleted.
    pub fn done(&self) -> Result<(), FolderError> {
        let folder = self.run.join(CHECKPOINT);
        if folder.is_dir() { fs::remove_dir_all(&folder).map_err(|error| at(&folder, error)) } else { Ok(()) }
    }
}

/// Whether something is kept of a run that is not done.
pub(super) fn is_there(run: &Path) -> bool {
    run.join(CHECKPOINT).is_dir()
}

/// What is kept of a run under a name, if it can be read.
pub(super) fn kept<T: DeserializeOwned>(run: &Path, name: &str) -> Option<T> {
    serde_json::from_slice(&fs::read(file(run, name)).ok()?).ok()
}

fn file(run: &Path, name: &str) -> PathBuf {
    run.join(CHECKPOINT).join(format!("{name}.json"))
}

/// A file of [`PLAYS`] that the program wrote.
fn is_story(name: &str) -> bool {
    name.contains("-players-")
}

/// How many bytes these files have, and the games worth reading beside them.
pub(super) fn sizes(run: &Path, names: &[&str]) -> Vec<(String, u64)> {
    let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let plays = run.join(PLAYS).read_dir().into_iter().flatten();
    let plays = plays.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.extend(plays.filter(|name| is_story(name)).map(|name| play_file(&name)));
    names.sort();
    names
        .into_iter()
        .filter_map(|name| Some((fs::metadata(run.join(&name)).ok()?.len(), name)))
        .map(|(size, name)| (name, size))
        .collect()
}

/// Whether all these files are there, and have so many bytes.
pub(super) fn has_all(run: &Path, files: &[(String, u64)]) -> bool {
    files.iter().all(|(name, size)| fs::metadata(run.join(name)).is_ok_and(|found| found.len() == *size))
}

fn remove_files(folder: &Path, is_meant: &dyn Fn(&str) -> bool) -> Result<(), FolderError> {
    let Ok(entries) = folder.read_dir() else { return Ok(()) };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let is_meant = path.file_name().and_then(|name| name.to_str()).is_some_and(is_meant);
        if is_meant && path.is_file() {
            fs::remove_file(&path).map_err(|error| at(&path, error))?;
        }
    }
    Ok(())
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
    /// What was given to the command.
    pub arguments: T,
    /// Whether everything was played.
    pub complete: bool,
    /// The files that were written when everything was played, each with how many bytes it has.
    pub files: Vec<(String, u64)>,
}

impl<T: Serialize> RunRequest<T> {
    /// What is asked of a command now.
    pub fn new(command: &str, arguments: T, rules: Vec<String>, agent_files: Vec<(String, String)>) -> Self {
        let (command, parlour) = (command.to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        Self { format: FORMAT, parlour, command, rules, agent_files, arguments, complete: false, files: Vec::new() }
    }

    /// Writes it into the folder of the run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, run: &Path) -> Result<(), FolderError> {
        let text = serde_json::to_string_pretty(self).map_err(|error| at(run, error.into()))?;
        write(&run.join(MANIFEST), format!("{text}\n").as_bytes())
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
        let text = plain_text(run, MANIFEST)?;
        serde_json::from_str(&text).map_err(|error| no_run(run, &format!("`{MANIFEST}`: {error}")))
    }
}

impl<T> RunRequest<T> {
    /// What was given to the command, and the rest.
    pub fn split(self) -> (T, RunRequest<()>) {
        let Self { format, parlour, command, rules, agent_files, arguments, complete, files } = self;
        (arguments, RunRequest { format, parlour, command, rules, agent_files, arguments: (), complete, files })
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
    let text = plain_text(run, MANIFEST)?;
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
    let found: Value = serde_json::from_str(&plain_text(run, MANIFEST).ok()?).ok()?;
    let is_done = found.get("complete")? == &Value::Bool(true);
    command_of(run).ok().filter(|_| is_there(run) || !is_done)
}

/// A file with a line of JSON for each game, which grows as games are played.
#[derive(Debug)]
pub struct RunJournal {
    file: Mutex<File>,
}

impl RunJournal {
    /// What stands in the lines of a file, up to the first that is not whole, each with the number of bytes up to its end.
    pub fn read<T: DeserializeOwned>(path: &Path) -> Vec<(T, u64)> {
        let Ok(file) = File::open(path) else { return Vec::new() };
        let (mut reader, mut line, mut end) = (BufReader::new(file), Vec::new(), 0);
        let mut all = Vec::new();
        loop {
            line.clear();
            let count = reader.read_until(b'\n', &mut line).unwrap_or(0);
            end += count as u64;
            match serde_json::from_slice(&line) {
                Ok(found) if line.ends_with(b"\n") => all.push((found, end)),
                _ => return all,
            }
        }
    }

    /// Opens a file to be gone on with after so many bytes; what stands behind them is dropped.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn open(path: &Path, length: u64) -> Result<Self, FolderError> {
        let open = || {
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            file.set_len(length).map(|()| file)
        };
        Ok(Self { file: Mutex::new(open().map_err(|error| at(path, error))?) })
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

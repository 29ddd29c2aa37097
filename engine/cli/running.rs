//! What commands that play many games share: how many, by whom, and how far they are.

use super::arguments::Agents;
use super::interruption::{is_given_up, is_stopped};
use super::memory::Memory;
use super::origin::directory_from;
use super::output::{Failure, Output};
use crate::diagnostic::shown;
use crate::files::is_temporary_name;
use crate::report::{Folder, FolderError, GameRows, Rows, RunRequest, grouped, unfinished};
use crate::session::{Halt, Setup};
use crate::simulation::{BatchError, Comparison, Figures, Follower, Record};
use clap::Args;
use clap::builder::{ArgPredicate, OsStr, Resettable};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many games, from which seed, and how many at once.
#[derive(Args, Debug, Serialize, Deserialize)]
pub(super) struct Many {
    /// How many games for each number of players
    #[arg(long, short, value_name = "N", default_value_t = 1000, value_parser = super::arguments::times, allow_negative_numbers = true)]
    pub(super) games: u64,
    /// Where chance begins: the same seed gives the same figures [default: any]
    #[arg(long, short, value_name = "S", value_parser = super::arguments::seed, allow_negative_numbers = true)]
    pub(super) seed: Option<u64>,
    /// How many games are played at once [default: one for each processor]
    #[arg(long, short, value_name = "J", value_parser = super::arguments::jobs, allow_negative_numbers = true)]
    #[serde(skip)]
    pub(super) jobs: Option<u16>,
    #[command(flatten)]
    #[serde(skip)]
    pub(super) memory: Memory,
    #[command(flatten)]
    #[serde(flatten)]
    pub(super) agents: Agents,
}

impl Many {
    /// The seed given, or any, which is said then.
    pub(super) fn seed(&self, output: &mut Output) -> Result<u64, Failure> {
        let seed = self.seed.unwrap_or_else(super::arguments::fresh_seed);
        if self.seed.is_none() {
            output.remark(format!("seed {seed}"))?;
        }
        Ok(seed)
    }

    /// The same for a run that goes on, with what it was asked.
    pub(super) fn kept(&self, games: u64, seed: u64, agents: Agents) -> Self {
        Self { games, seed: Some(seed), jobs: self.jobs, memory: self.memory, agents }
    }

    /// How many games are played at once.
    pub(super) fn jobs(&self) -> usize {
        self.memory.jobs(self.jobs)
    }
}

/// How a command that plays many games is called.
pub(super) enum Call {
    /// For the first time.
    New,
    /// To go on with a run, which began with this.
    Resume(RunRequest<()>),
    /// To report a run that was not finished: nothing is played.
    Report(RunRequest<()>),
}

/// Takes the default off `--agents` where a run goes on: its folder names them, and of programs and files the command line too.
pub(super) fn without_default(agents: clap::Arg) -> clap::Arg {
    agents.default_value_if("resume", ArgPredicate::IsPresent, Resettable::<OsStr>::Reset)
}

impl Call {
    /// Whether games are played.
    pub(super) fn plays(&self) -> bool {
        !matches!(self, Self::Report(_))
    }

    /// The files that agents are made of: those that `read` finds, where they play.
    pub(super) fn agent_files(&self, read: impl FnOnce() -> Vec<(String, String)>) -> Vec<(String, String)> {
        match self {
            Self::Report(before) => before.agent_files.clone(),
            _ => read(),
        }
    }

    /// The folder in which the run began, seen from its own.
    pub(super) fn directory(&self, out: Option<&Path>) -> Option<String> {
        match self.before() {
            Some(before) => before.directory.clone(),
            None => out.and_then(directory_from),
        }
    }

    /// What was asked when the run began, if it did.
    pub(super) fn before(&self) -> Option<&RunRequest<()>> {
        match self {
            Self::New => None,
            Self::Resume(before) | Self::Report(before) => Some(before),
        }
    }
}

/// A bar on standard error; indicatif hides it where nobody looks.
pub(super) fn progress(games: u64, what: String) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {per_sec} {eta} left");
    let bar = ProgressBar::new(games).with_message(what);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Shows how far a batch is, and keeps its games in a folder if there is one.
pub(super) struct Following<'a> {
    pub(super) bar: &'a ProgressBar,
    pub(super) keeps: Option<(&'a Folder, Rows)>,
    /// What makes sure that a run can be gone on from here.
    pub(super) saves: Option<Saves<'a>>,
    /// Whether the games so far are enough; nothing where all are to be played.
    pub(super) enough: Option<&'a (dyn Fn(&Figures) -> bool + Sync)>,
    pub(super) pace: Pace,
}

/// Keeps what was counted so far.
pub(super) enum Saves<'a> {
    /// Of one version.
    Figures(&'a (dyn Fn(&Figures) -> std::io::Result<()> + Sync)),
    /// Of two versions.
    Comparison(&'a (dyn Fn(&Comparison) -> std::io::Result<()> + Sync)),
}

/// What was counted is kept at once, and then so often: a user who ends the program loses no more of the games than that.
const OFTEN: Duration = Duration::from_secs(1);

/// Keeping it takes no more than this part of the time.
const PART: u32 = 20;

/// When something was done, and how long it took.
#[derive(Default)]
pub(super) struct Pace(Mutex<Option<(Instant, Duration)>>);

impl Pace {
    /// Does something if it is time for it.
    pub(super) fn keep<E>(&self, save: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|(since, took)| since.elapsed() < OFTEN.max(took * PART)) {
            return Ok(());
        }
        let begin = Instant::now();
        save()?;
        *last = Some((Instant::now(), begin.elapsed()));
        Ok(())
    }
}

impl Follower for Following<'_> {
    type Kept = GameRows;

    fn keep(&self, record: &Record) -> GameRows {
        self.bar.inc(1);
        self.keeps.as_ref().map(|(_, rows)| rows.of(record)).unwrap_or_default()
    }

    fn take(&self, kept: GameRows) -> std::io::Result<()> {
        self.keeps.as_ref().map_or(Ok(()), |(folder, _)| folder.keep(&kept))
    }

    fn counted(&self, figures: &Figures) -> std::io::Result<()> {
        match &self.saves {
            Some(Saves::Figures(save)) => self.pace.keep(|| save(figures)),
            _ => Ok(()),
        }
    }

    fn compared(&self, comparison: &Comparison) -> std::io::Result<()> {
        match &self.saves {
            Some(Saves::Comparison(save)) => self.pace.keep(|| save(comparison)),
            _ => Ok(()),
        }
    }

    fn is_enough(&self, figures: &Figures) -> bool {
        self.enough.is_some_and(|enough| enough(figures))
    }

    fn stops(&self) -> bool {
        is_stopped()
    }

    fn halt(&self) -> Halt {
        Halt::when(is_given_up)
    }
}

/// Tells why a batch was given up.
pub(super) fn given_up(error: BatchError, setup: &Setup, output: &mut Output) -> Failure {
    match error {
        BatchError::Game(mistakes) => output.mistakes_with(setup, &mistakes),
        BatchError::Output(error) => Failure::Output(error),
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        let help = match error {
            FolderError::Taken(_) => Some("give `--out` a folder that is not there yet".to_owned()),
            FolderError::Other(ref run, ref command) => {
                Some(format!("go on with it by `parlour {command} --resume {run}`"))
            }
            FolderError::Busy(_) => Some("wait until it is done, or end it".to_owned()),
            FolderError::Changed(..) => {
                Some("make everything as it was then, or begin anew with another `--out`".to_owned())
            }
            FolderError::Unfinished(ref run) => Some(format!("go on with it by `parlour simulate --resume {run}`")),
            FolderError::Apart(_) => Some("merge the shards of one command only".to_owned()),
            FolderError::NoRun(..) => {
                Some("give a folder that `--out` of `simulate`, `compare`, `sweep` or `arena` has written".to_owned())
            }
            FolderError::File(..) => None,
        };
        Self::Usage(error.to_string(), help)
    }
}

/// Says that the user interrupted, and how to go on.
pub(super) fn print_interrupted(
    what: &str,
    command: &str,
    run: Option<&Path>,
    output: &mut Output,
) -> Result<(), Failure> {
    let go_on = |run: &Path| format!("; `parlour {command} --resume {}` goes on", shown(run));
    output.remark(format!("interrupted: {what}{}", run.map(go_on).unwrap_or_default()))?;
    Err(Failure::Interrupted)
}

/// Says that a run was finished before.
pub(super) fn print_done(run: &Path, output: &mut Output) -> Result<(), Failure> {
    output.remark(format!("nothing is left to do: the run in `{}` is finished", shown(run)))
}

/// Says how much was played of a run that is not finished.
pub(super) fn print_unfinished(run: &Path, played: &str, output: &mut Output) -> Result<(), Failure> {
    output.remark(format!("the run in `{}` is not finished: {played} were played", shown(run)))
}

/// So many of so many things.
pub(super) fn part_of(count: u64, all: u64, things: &str) -> String {
    format!("{} of {} {things}", grouped(count as i64), grouped(all as i64))
}

/// Says from where a run goes on.
pub(super) fn print_going_on(played: &str, output: &mut Output) -> Result<(), Failure> {
    output.remark(format!("going on after {played}"))
}

/// A number, or two with `..` between, both included.
pub(super) fn range(text: &str) -> Result<RangeInclusive<u8>, String> {
    let number = |text: &str| text.trim().trim_start_matches('=').parse::<u8>().ok();
    let ends = match text.split_once("..") {
        Some((low, high)) => number(low).zip(number(high)),
        None => number(text).map(|number| (number, number)),
    };
    match ends {
        Some((low, high)) if low <= high => Ok(low..=high),
        _ => Err("write a number such as `4`, or a range such as `3..5`".to_owned()),
    }
}

/// Refuses a folder that is there already and is not empty.
pub(super) fn check_new(folder: &Path) -> Result<(), Failure> {
    // Who begins a run and is ended at once leaves no more than this.
    let is_rest = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.is_ok_and(|entry| is_temporary_name(&entry.file_name().to_string_lossy()))
    };
    let is_taken =
        folder.read_dir().is_ok_and(|entries| !entries.into_iter().all(is_rest)) || folder.exists() && !folder.is_dir();
    if is_taken {
        if let Some(command) = unfinished(folder) {
            let message = format!("`{}` is there already: a run that was not finished", shown(folder));
            let help = format!("go on with it by `parlour {command} --resume {}`", shown(folder));
            return Err(Failure::Usage(message, Some(format!("{help}, or give `--out` another folder"))));
        }
        let message = format!("`{}` is there already", shown(folder));
        return Err(Failure::Usage(message, Some("give `--out` a folder that is not there yet".to_owned())));
    }
    Ok(())
}

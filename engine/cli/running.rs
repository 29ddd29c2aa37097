//! Shared parts of commands that play many games: arguments, progress, and interruption.

use super::arguments::Agents;
use super::interruption::{is_aborted, is_stopped};
use super::memory::Memory;
use super::origin::working_directory_from;
use super::output::{Failure, Output};
use crate::diagnostic::shown;
use crate::files::is_temporary_name;
use crate::report::{Checkpoint, Folder, FolderError, GameRows, Rows, RunRequest, grouped, unfinished};
use crate::session::{Game, Halt, Setup};
use crate::simulation::{Batch, BatchError, Comparison, Figures, Follower, Record, simulate};
use clap::Args;
use clap::builder::{ArgPredicate, OsStr, Resettable};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Arguments for the number of games, the seed, concurrency and agents.
#[derive(Args, Debug, Serialize, Deserialize)]
pub(super) struct BatchArguments {
    /// Number of games for each number of players
    #[arg(long, short, value_name = "N", default_value_t = 1000, value_parser = super::arguments::times, allow_negative_numbers = true)]
    pub(super) games: u64,
    /// Random seed: the same seed gives the same figures [default: a random one]
    #[arg(long, short, value_name = "S", value_parser = super::arguments::seed, allow_negative_numbers = true)]
    pub(super) seed: Option<u64>,
    /// Number of games played at the same time [default: one per processor]
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

impl BatchArguments {
    /// Returns the given seed. If there is none, draws a seed and prints it.
    pub(super) fn seed(&self, output: &mut Output) -> Result<u64, Failure> {
        let seed = self.seed.unwrap_or_else(super::arguments::fresh_seed);
        if self.seed.is_none() {
            output.remark(format!("seed {seed}"))?;
        }
        Ok(seed)
    }

    /// Returns the arguments that a resumed run began with. The number of jobs and the memory limit are those of the current command.
    pub(super) fn resumed(&self, games: u64, seed: u64, agents: Agents) -> Self {
        Self { games, seed: Some(seed), jobs: self.jobs, memory: self.memory, agents }
    }

    /// Returns the number of games played concurrently.
    pub(super) fn jobs(&self) -> usize {
        self.memory.jobs(self.jobs)
    }
}

/// Invocation of a command that plays many games.
pub(super) enum Call {
    /// New run.
    New,
    /// Continuation of a run, with its original request.
    Resume(RunRequest<()>),
    /// Report about an unfinished run, without playing.
    Report(RunRequest<()>),
}

/// Removes the default of `--agents` when a run is resumed, because the folder of the run names the agents.
pub(super) fn without_default(agents: clap::Arg) -> clap::Arg {
    agents.default_value_if("resume", ArgPredicate::IsPresent, Resettable::<OsStr>::Reset)
}

impl Call {
    /// Returns whether games are played.
    pub(super) fn plays(&self) -> bool {
        !matches!(self, Self::Report(_))
    }

    /// Returns the files of the agents: those recorded if nothing is played, otherwise the ones that `read` finds.
    pub(super) fn agent_files(&self, read: impl FnOnce() -> Vec<(String, String)>) -> Vec<(String, String)> {
        match self {
            Self::Report(before) => before.agent_files.clone(),
            _ => read(),
        }
    }

    /// Returns the working directory in which the run was started, relative to the folder of the run.
    pub(super) fn directory(&self, out: Option<&Path>) -> Option<String> {
        match self.original_request() {
            Some(before) => before.directory.clone(),
            None => out.and_then(working_directory_from),
        }
    }

    /// Returns the original request of a resumed or reported run.
    pub(super) fn original_request(&self) -> Option<&RunRequest<()>> {
        match self {
            Self::New => None,
            Self::Resume(before) | Self::Report(before) => Some(before),
        }
    }
}

/// Creates a progress bar on standard error. The bar is hidden if standard error is not a terminal.
pub(super) fn progress(games: u64, what: String) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {per_sec} {eta} left");
    let bar = ProgressBar::new(games).with_message(what);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Creates a progress bar for work whose progress is measured in thousandths. The bar is hidden if standard error is not a terminal.
pub(super) fn share_bar(what: String) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {percent} % {eta} left");
    let bar = ProgressBar::new(1000).with_message(what);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Observer of a batch: shows the progress, writes the games to a folder, and saves checkpoints.
pub(super) struct BatchProgress<'a> {
    /// Progress bar, advanced by each game.
    pub(super) bar: &'a ProgressBar,
    /// Folder for the rows of the games, and the renderer of the rows; `None` if no folder is written.
    pub(super) keeps: Option<(&'a Folder, Rows)>,
    /// Callback that saves a checkpoint.
    pub(super) saves: Option<SaveCheckpoint<'a>>,
    /// Callback that decides whether enough games have been played; `None` to play all games.
    pub(super) enough: Option<&'a (dyn Fn(&Figures) -> bool + Sync)>,
    /// Rate limiter for checkpoints.
    pub(super) pace: CheckpointTimer,
}

/// Callback that saves a checkpoint.
pub(super) enum SaveCheckpoint<'a> {
    /// Callback for the figures of a single version.
    Figures(&'a (dyn Fn(&Figures) -> std::io::Result<()> + Sync)),
    /// Callback for the comparison of two versions.
    Comparison(&'a (dyn Fn(&Comparison) -> std::io::Result<()> + Sync)),
}

/// Minimum interval between checkpoints. The first checkpoint is saved at once.
const MIN_INTERVAL: Duration = Duration::from_secs(1);

/// Largest share of time spent on saving checkpoints, as a divisor: 20 means one twentieth.
const MAX_SHARE: u32 = 20;

/// Rate limiter for checkpoints. Stores when the last checkpoint was saved and how long saving took.
#[derive(Default)]
pub(super) struct CheckpointTimer(Mutex<Option<(Instant, Duration)>>);

impl CheckpointTimer {
    /// Calls `save` if a checkpoint is due.
    pub(super) fn save_if_due<E>(&self, save: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|(since, took)| since.elapsed() < MIN_INTERVAL.max(took * MAX_SHARE)) {
            return Ok(());
        }
        let begin = Instant::now();
        save()?;
        *last = Some((Instant::now(), begin.elapsed()));
        Ok(())
    }
}

impl Follower for BatchProgress<'_> {
    type GameData = GameRows;

    fn keep(&self, record: &Record) -> GameRows {
        self.bar.inc(1);
        self.keeps.as_ref().map(|(_, rows)| rows.game_rows(record)).unwrap_or_default()
    }

    fn take(&self, kept: GameRows) -> std::io::Result<()> {
        self.keeps.as_ref().map_or(Ok(()), |(folder, _)| folder.keep(&kept))
    }

    fn counted(&self, figures: &Figures) -> std::io::Result<()> {
        match &self.saves {
            Some(SaveCheckpoint::Figures(save)) => self.pace.save_if_due(|| save(figures)),
            _ => Ok(()),
        }
    }

    fn compared(&self, comparison: &Comparison) -> std::io::Result<()> {
        match &self.saves {
            Some(SaveCheckpoint::Comparison(save)) => self.pace.save_if_due(|| save(comparison)),
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
        Halt::when(is_aborted)
    }
}

/// Reports why a batch was aborted, and returns the failure.
pub(super) fn report_aborted_batch(error: BatchError, setup: &Setup, output: &mut Output) -> Failure {
    match error {
        BatchError::Game(mistakes) => output.report_mistakes_with(setup, &mistakes),
        BatchError::Output(error) => Failure::Output(error),
    }
}

/// Plays the games of a batch with a progress bar, and adds them to `figures`. Saves the figures from time to time and at the end; `kept`
/// is the checkpoint and the name of the figures in it. An interruption ends the batch early.
///
/// # Errors
/// Fails if the game cannot be played with the batch's setup, or if the checkpoint cannot be written.
pub(super) fn play_more(
    figures: &mut Figures,
    game: &Game,
    batch: &Batch,
    agents: &Agents,
    kept: Option<(&Checkpoint, &str)>,
    bar: &ProgressBar,
    output: &mut Output,
) -> Result<(), Failure> {
    let earlier = figures.clone();
    let save = |more: &Figures| {
        let mut figures = earlier.clone();
        figures.merge(more);
        kept.map_or(Ok(()), |(checkpoint, name)| checkpoint.save(name, &figures))
    };
    let following = BatchProgress {
        bar,
        keeps: None,
        saves: Some(SaveCheckpoint::Figures(&save)),
        enough: None,
        pace: CheckpointTimer::default(),
    };
    let more = simulate(game, batch, &|seed, seat| agents.player(seed, seat), &following);
    bar.finish_and_clear();
    let more = more.map_err(|error| report_aborted_batch(error, &batch.setup, output))?;
    if more.games > 0 {
        save(&more)?;
    }
    figures.merge(&more);
    Ok(())
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        let help = match error {
            FolderError::Taken(_) => Some("give `--out` a folder that does not exist yet".to_owned()),
            FolderError::OtherCommand(ref run, ref command) => {
                Some(format!("continue it with `parlour {command} --resume {run}`"))
            }
            FolderError::Busy(_) => Some("wait until it is finished, or end it".to_owned()),
            FolderError::Changed(..) => {
                Some("restore everything as it was, or start again with another `--out`".to_owned())
            }
            FolderError::Unfinished(ref run) => Some(format!("continue it with `parlour simulate --resume {run}`")),
            FolderError::Inconsistent(_) => Some("merge shards of a single command only".to_owned()),
            FolderError::NoRun(..) => {
                let commands = "`simulate`, `compare`, `sweep`, `arena`, `tune`, `choices` or `merge`";
                Some(format!("give a folder that `--out` of {commands} has written"))
            }
            FolderError::File(..) => None,
        };
        Self::Usage(error.to_string(), help)
    }
}

/// Reports the interruption, and how to resume the run. Always returns [`Failure::Interrupted`].
pub(super) fn print_interrupted(
    what: &str,
    command: &str,
    run: Option<&Path>,
    output: &mut Output,
) -> Result<(), Failure> {
    let go_on = |run: &Path| format!("; continue with `parlour {command} --resume {}`", shown(run));
    output.remark(format!("interrupted: {what}{}", run.map(go_on).unwrap_or_default()))?;
    Err(Failure::Interrupted)
}

/// Reports that a run is already complete.
pub(super) fn print_done(run: &Path, output: &mut Output) -> Result<(), Failure> {
    output.remark(format!("nothing is left to do: the run in `{}` is finished", shown(run)))
}

/// Reports the progress of an unfinished run.
pub(super) fn print_unfinished(run: &Path, played: &str, output: &mut Output) -> Result<(), Failure> {
    output.remark(format!("the run in `{}` is not finished: {played} were played", shown(run)))
}

/// Formats progress as "`count` of `all` `things`".
pub(super) fn progress_text(count: u64, all: u64, things: &str) -> String {
    format!("{} of {} {things}", grouped(count as i64), grouped(all as i64))
}

/// Reports how much was already played when a run is resumed.
pub(super) fn print_resuming(played: &str, output: &mut Output) -> Result<(), Failure> {
    output.remark(format!("going on after {played}"))
}

/// Parses a number, or an inclusive range with `..`.
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

/// Fails if `folder` is a file, or a folder that is not empty.
pub(super) fn check_new(folder: &Path) -> Result<(), Failure> {
    // Incomplete files of a run that was killed right after its start are ignored.
    let is_rest = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.is_ok_and(|entry| is_temporary_name(&entry.file_name().to_string_lossy()))
    };
    let is_taken =
        folder.read_dir().is_ok_and(|entries| !entries.into_iter().all(is_rest)) || folder.exists() && !folder.is_dir();
    if is_taken {
        if let Some(command) = unfinished(folder) {
            let message = format!("`{}` already contains an unfinished run", shown(folder));
            let help = format!("continue it with `parlour {command} --resume {}`", shown(folder));
            return Err(Failure::Usage(message, Some(format!("{help}, or give `--out` another folder"))));
        }
        let message = format!("`{}` is there already", shown(folder));
        return Err(Failure::Usage(message, Some("give `--out` a folder that does not exist yet".to_owned())));
    }
    Ok(())
}

//! What commands that play many games share: how many, by whom, how far they are, and what to do when somebody interrupts.

use super::arguments::Agents;
use super::output::{Failure, Output, to_whoever_sits_there};
use crate::agents::end_programs;
use crate::report::{Folder, FolderError, Kept, Rows};
use crate::session::{NoAnswer, Outlook, Player, Setup};
use crate::simulation::{BatchError, Follower, Record};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How many games, from which seed, and how many at once.
#[derive(Args, Debug)]
pub(super) struct Many {
    /// How many games for each number of players
    #[arg(long, short, value_name = "N", default_value_t = 1000, value_parser = super::arguments::times, allow_negative_numbers = true)]
    pub(super) games: u64,
    /// Where chance begins: the same seed gives the same figures [default: any]
    #[arg(long, short, value_name = "S", value_parser = super::arguments::seed, allow_negative_numbers = true)]
    pub(super) seed: Option<u64>,
    /// How many games are played at once [default: one for each processor]
    #[arg(long, short, value_name = "J", value_parser = super::arguments::jobs, allow_negative_numbers = true)]
    jobs: Option<u16>,
    #[command(flatten)]
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

    /// How many games are played at once.
    pub(super) fn jobs(&self) -> usize {
        self.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
    }
}

static STOPPED: AtomicBool = AtomicBool::new(false);

/// Ends the program, and those that play in it.
fn leave() -> ! {
    end_programs();
    std::process::exit(130);
}

/// From now on an interruption ends the program, and those that play in it: there is nothing to keep.
pub(super) fn listen_to_leave() {
    // As below.
    let _ = ctrlc::set_handler(|| leave());
}

/// From now on an interruption ends the games under way instead of the program; a second one ends the program.
pub(super) fn listen() {
    let handler = || {
        if STOPPED.swap(true, Ordering::SeqCst) {
            leave();
        }
    };
    // Without a handler an interruption ends the program, which is what happens anyway.
    let _ = ctrlc::set_handler(handler);
}

/// The same for many games: the first interruption lets the games under way be finished, a second one gives them up at their
/// next question, and a third one ends the program. Each says so.
pub(super) fn listen_to_games() {
    let handler = || match INTERRUPTIONS.fetch_add(1, Ordering::SeqCst) {
        0 => {
            STOPPED.store(true, Ordering::SeqCst);
            to_whoever_sits_there(format_args!(
                "\ninterrupted: the games under way are finished; interrupt again to give them up"
            ));
        }
        1 => to_whoever_sits_there(format_args!(
            "\nthe games under way are given up at their next question; interrupt again to lose everything"
        )),
        _ => leave(),
    };
    let _ = ctrlc::set_handler(handler);
}

static INTERRUPTIONS: AtomicU32 = AtomicU32::new(0);

/// Whether somebody interrupted games twice.
pub(super) fn is_given_up() -> bool {
    INTERRUPTIONS.load(Ordering::Relaxed) > 1
}

/// Chooses as another does, until the games are given up.
pub(super) struct Interruptible(pub(super) Box<dyn Player>);

impl Player for Interruptible {
    fn choose(&mut self, outlook: &Outlook<'_>) -> Result<usize, NoAnswer> {
        if is_given_up() {
            return Err("the games are given up".to_owned().into());
        }
        self.0.choose(outlook)
    }

    fn taken_up(&mut self, answered: usize) {
        self.0.taken_up(answered);
    }

    fn imagines(&self) -> bool {
        self.0.imagines()
    }
}

/// A terminal that closes interrupts twice: what comes so soon is no second interruption.
const MOMENT: Duration = Duration::from_millis(300);

/// The same at a table. An interruption while `thinking` is set waits until it is not, and is answered with a word.
pub(super) fn listen_at_table(thinking: Arc<AtomicBool>, word: &'static str) {
    let first = OnceLock::new();
    let handler = move || {
        let is_second = STOPPED.swap(true, Ordering::SeqCst);
        let since = first.get_or_init(Instant::now).elapsed();
        if is_second && since > MOMENT {
            leave();
        }
        if !is_second && thinking.load(Ordering::SeqCst) {
            to_whoever_sits_there(format_args!("\n{word}"));
        }
    };
    // As above.
    let _ = ctrlc::set_handler(handler);
}

/// Whether somebody interrupted.
pub(super) fn is_stopped() -> bool {
    STOPPED.load(Ordering::SeqCst)
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
}

impl Follower for Following<'_> {
    type Kept = Kept;

    fn keep(&self, record: &Record) -> Kept {
        self.bar.inc(1);
        self.keeps.as_ref().map(|(_, rows)| rows.of(record)).unwrap_or_default()
    }

    fn take(&self, kept: Kept) -> std::io::Result<()> {
        self.keeps.as_ref().map_or(Ok(()), |(folder, _)| folder.keep(&kept))
    }

    fn stops(&self) -> bool {
        is_stopped()
    }

    fn gives_up(&self) -> bool {
        is_given_up()
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
            FolderError::Apart(_) => Some("merge the shards of one command only".to_owned()),
            FolderError::NoRun(..) => Some("give a folder that `parlour simulate --out` has written; `compare` and `sweep` write their page at once".to_owned()),
            FolderError::File(..) => None,
        };
        Self::Usage(error.to_string(), help)
    }
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
pub(super) fn check_new(folder: &std::path::Path) -> Result<(), Failure> {
    let is_taken =
        folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()) || folder.exists() && !folder.is_dir();
    if is_taken {
        let message = format!("`{}` is there already", folder.display());
        return Err(Failure::Usage(message, Some("give `--out` a folder that is not there yet".to_owned())));
    }
    Ok(())
}

//! `parlour test`: runs the playscripts in a file, in a game, or in a folder and its subfolders.

use super::arguments::Format;
use super::coverage::GameCoverage;
use super::examples;
use super::memory::Memory;
use super::output::{Failure, Output, usage};
use super::saving::{write_atomic, write_error};
use super::test_files::{self, FoundPlayscript, Games};
use super::test_report::{Results, SceneResult};
use crate::agents;
use crate::desk::opening::folder_of;
use crate::diagnostic::shown;
use crate::files::Directory;
use crate::playscript::{self, Cast, LARGEST};
use crate::session::quoted;
use crate::simulation;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Runs playscripts and reports every expectation that failed
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour test games/my-game                 every play of a game",
    "parlour test games/my-game/plays/a.play    one file",
    "parlour test                               everything below this folder",
    "parlour test stockpile --filter dividend   only scenes with `dividend` in their name",
    "parlour test games/my-game --coverage      which rules no play reaches",
    "parlour test games/my-game --why           why each `reject` holds",
    "parlour test games/my-game --bless         records recorded games anew",
))]
pub(super) struct Test {
    /// A game's folder, a file, a folder with games, or the name of a game that comes with the program
    #[arg(value_name = "PATH", default_value = ".")]
    path: String,
    /// Run only files and scenes whose name contains this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Show the coverage of each game: which phases, decisions, functions and lines its playscripts reached
    #[arg(long)]
    coverage: bool,
    /// Print the reason for every `reject` that succeeded
    #[arg(long)]
    why: bool,
    /// Write line coverage of the rules to this file, in LCOV format
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
    /// Update recordings: repeat their choices as long as they are possible, then let agents finish the game
    #[arg(long)]
    bless: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write the results to this file, in `JUnit` format
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    memory: Memory,
}

/// Indices of a file and of one of its scenes.
type Job = (usize, usize);

/// Time after which a run shows a progress bar.
const BAR_DELAY: Duration = Duration::from_secs(1);

impl Test {
    /// Returns the command that runs all playscripts of a game, with text output.
    pub(super) fn for_game(game: &str) -> Self {
        let (path, format) = (game.to_owned(), Format::Text);
        let memory = Memory::default();
        Self { path, filter: None, coverage: false, why: false, lcov: None, bless: false, format, junit: None, memory }
    }

    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        self.memory.limit_threads()?;
        self.run_plays(output)
    }

    /// Runs the playscripts. The caller must limit the thread pool first.
    pub(super) fn run_plays(&self, output: &mut Output) -> Result<(), Failure> {
        let mut found = test_files::find(&self.path)?;
        let games = Games::open(&found);
        if self.bless {
            found = self.record_anew(&found, &games, output)?;
        }
        let results = self.results(&found, &games)?;
        match self.format {
            Format::Text => results.print(output, self.why)?,
            Format::Json => {}
        }
        let covered =
            if self.is_covering() { GameCoverage::by_game(&found, &games, results.reached()) } else { Vec::new() };
        if self.format == Format::Json {
            output.json(&results.document(self.coverage.then_some(&covered)))?;
        } else if self.coverage {
            for game in &covered {
                output.line("")?;
                game.print(output)?;
            }
        }
        if let Some(path) = &self.junit {
            write_atomic(path, results.junit())?;
        }
        if let Some(path) = &self.lcov {
            write_atomic(path, covered.iter().map(GameCoverage::lcov).collect::<String>())?;
        }
        if results.is_well() { Ok(()) } else { Err(Failure::Fault) }
    }

    fn is_covering(&self) -> bool {
        self.coverage || self.lcov.is_some()
    }

    fn results(&self, found: &[FoundPlayscript], games: &Games) -> Result<Results, Failure> {
        let mut results = Results::default();
        let mut jobs: Vec<Job> = Vec::new();
        let mut broken = BTreeSet::new();
        let is_whole_name = found.iter().any(|file| self.is_named(file));
        for (at, file) in found.iter().enumerate() {
            match &file.play {
                Err(mistakes) => results.unreadable.push((file.name.clone(), mistakes.clone())),
                Ok(play) => {
                    let names = playscript::scenes(play);
                    let wanted = (0..names.len()).filter(|scene| self.is_wanted(file, names[*scene], is_whole_name));
                    let wanted: Vec<Job> = wanted.map(|scene| (at, scene)).collect();
                    let home = file.home.as_ref().filter(|home| games.mistakes(home).is_some());
                    if let Some(home) = home.filter(|_| !wanted.is_empty()) {
                        broken.insert(home.clone());
                        results.not_run += wanted.len();
                    } else {
                        jobs.extend(wanted);
                    }
                }
            }
        }
        for home in broken {
            results.broken.push((test_name(&home), games.mistakes(&home).cloned().unwrap_or_default()));
        }
        if jobs.is_empty() && results.is_well() {
            let filter = self.filter.as_deref().unwrap_or_default();
            return Err(usage(format!("no file and no scene has `{filter}` in its name")));
        }
        let bar = Bar::new(jobs.len());
        results.ran = simulation::in_parallel(&jobs, |job| {
            let ran = self.scene(&found[job.0], job.1, games);
            bar.step();
            ran
        });
        bar.end();
        Ok(results)
    }

    /// Returns whether a scene of a file has exactly the name given to `--filter`. If there is such a scene, scenes whose names merely
    /// contain it are not run.
    fn is_named(&self, file: &FoundPlayscript) -> bool {
        let names = file.play.as_ref().map(playscript::scenes).unwrap_or_default();
        names.iter().any(|name| name.is_some() && *name == self.filter.as_deref())
    }

    fn is_wanted(&self, file: &FoundPlayscript, scene: Option<&str>, is_whole_name: bool) -> bool {
        let Some(filter) = self.filter.as_deref() else { return true };
        if is_whole_name {
            return scene == Some(filter);
        }
        file.name.contains(filter) || scene.is_some_and(|name| name.contains(filter))
    }

    fn scene(&self, file: &FoundPlayscript, at: usize, games: &Games) -> SceneResult {
        let play = file.play.as_ref().expect("only what can be read is run");
        let game = |name: &str| games.find(name, file.home.as_ref());
        let cast = Cast { game: &game, agent: &agents::in_play, covering: self.is_covering() };
        let begin = Instant::now();
        let mut report = playscript::run_scene(play, at, &cast);
        let seconds = begin.elapsed().as_secs_f64();
        if let Some(failure) = &mut report.failure {
            let scene = report.scene.as_ref().map_or_else(String::new, |scene| format!(" --filter {}", quoted(scene)));
            failure.reproduce =
                Some(format!("parlour test {}{scene}", quoted(if file.is_file { &file.name } else { &self.path })));
        }
        SceneResult { file: file.name.clone(), home: file.home.clone(), report, seconds }
    }

    /// Records the recordings among the playscripts again, rewrites the files that change, and returns all playscripts as read again.
    /// Recordings that `--filter` excludes are left as they are.
    fn record_anew(
        &self,
        found: &[FoundPlayscript],
        games: &Games,
        output: &mut Output,
    ) -> Result<Vec<FoundPlayscript>, Failure> {
        if found.iter().any(|file| !file.is_file) {
            let help = "give the folder of a game".to_owned();
            return Err(Failure::Usage(
                format!("`{}` comes with the program and cannot be rewritten", self.path),
                Some(help),
            ));
        }
        let files = RecordingFiles::open(&self.path)?;
        for file in found {
            let Ok(play) = &file.play else { continue };
            let is_broken = file.home.as_ref().is_some_and(|home| games.mistakes(home).is_some());
            if is_broken || !playscript::is_recording(play) || !self.is_wanted(file, None, false) {
                continue;
            }
            let game = |name: &str| games.find(name, file.home.as_ref());
            let cast = Cast { game: &game, agent: &agents::in_play, covering: false };
            let Ok(again) = playscript::record_again(play, &cast) else { continue };
            let text = playscript::with_head(play, &again.play);
            if files.replace(Path::new(&file.name), &text)? {
                let (kept, choices) = (again.kept, again.choices);
                output.remark(format!("recorded anew: {} ({kept} of {choices} choices kept)", file.name))?;
            }
        }
        test_files::find(&self.path)
    }
}

/// The files below the folder that the command line names, or the file that it names. The folder stays open, so that no link below it is
/// followed, even if a folder is replaced by a link while the command runs.
struct RecordingFiles {
    folder: PathBuf,
    directory: Directory,
}

impl RecordingFiles {
    fn open(named: &str) -> Result<Self, Failure> {
        let path = folder_of(Path::new(named)).unwrap_or(Path::new(named));
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
        let directory =
            Directory::open(folder).map_err(|error| usage(format!("`{named}` cannot be opened: {error}")))?;
        Ok(Self { folder: folder.to_owned(), directory })
    }

    /// Writes a file with a new text. Returns whether the file was written: not if it cannot be read, or has this text already.
    fn replace(&self, file: &Path, text: &str) -> Result<bool, Failure> {
        // Paths below the current folder do not begin with `.`.
        let path = shown(file.strip_prefix(&self.folder).unwrap_or(file));
        if self.directory.read_text(&path, LARGEST as u64).map_or(true, |old| old == text) {
            return Ok(false);
        }
        self.directory.write(&path, text.as_bytes()).map_err(|error| write_error(file, &error))?;
        Ok(true)
    }
}

/// Returns the display name of a game.
fn test_name(home: &test_files::GameLocation) -> String {
    match home {
        test_files::GameLocation::Folder(folder) => shown(folder),
        test_files::GameLocation::Bundled(name) => name.clone(),
    }
}

/// Progress bar on standard error that appears only if the run takes long.
struct Bar {
    bar: ProgressBar,
    begin: Instant,
}

impl Bar {
    fn new(scenes: usize) -> Self {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}");
        let bar = ProgressBar::with_draw_target(Some(scenes as u64), ProgressDrawTarget::hidden());
        let bar = bar.with_message("scenes").with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, begin: Instant::now() }
    }

    fn step(&self) {
        if self.bar.is_hidden() && self.begin.elapsed() > BAR_DELAY {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}

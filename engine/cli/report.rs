//! `parlour report` and `parlour merge`: writes the page of a run again, and merges parts of a run.

use super::arena::Arena;
use super::arguments::Agents;
use super::compare::Compare;
use super::origin::{base_of, relative_to_run, working_directory_from};
use super::output::{Failure, Output, usage};
use super::running::{check_new, print_unfinished, progress_text};
use super::saving::write_atomic;
use super::simulate::batch_reports;
use super::sweep::Sweep;
use super::{examples, opening};
use crate::diagnostic::shown;
use crate::files::{Directory, Refused};
use crate::report::{Folder, Manifest, command_of, merge, page, page_beginning, unfinished};
use crate::session::{Game, Setup};
use crate::simulation::Figures;
use clap::Args;
use std::path::{Path, PathBuf};

/// Maximum size in bytes of a page that is read.
const LARGEST_PAGE: u64 = 64 << 20;

/// Writes the report page of a run again
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour report runs/bonus-20",
    "parlour report runs/bonus-20 --game ../my-game --out bonus.html",
))]
pub(super) struct Report {
    /// Folder written by `--out` of `simulate`, `compare`, `sweep`, `arena`, `tune`, `choices` or `merge`. The page of an interrupted run
    /// covers the games played so far; `tune` and `choices` have a page only when they are finished
    run: PathBuf,
    /// Folder of the game, if it has moved; for runs of `simulate` and `merge`
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// File to write [default: report.html in the run's folder]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Combines the parts of a run; the result is identical to a run that was played in one piece
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour merge runs/part-* --out runs/whole",
))]
pub(super) struct Merge {
    /// Folders written by `parlour simulate --shard --out`
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    /// Folder of the game, if it has moved
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// New folder for the result
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
}

/// Returns `page` if the run is finished. Otherwise returns an error, because the command writes its page only at the end.
fn finished_page(run: &Path, page: &'static str) -> Result<&'static str, Failure> {
    let Some(command) = unfinished(run) else { return Ok(page) };
    let help = format!("continue it with `parlour {command} --resume {}`", shown(run));
    Err(Failure::Usage(format!("the run in `{}` is not finished, and has no page yet", shown(run)), Some(help)))
}

impl Report {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let command = command_of(&self.run)?;
        if self.game.is_some() && command != "simulate" {
            return Err(usage(format!(
                "`--game` is not for runs of `parlour {command}`: they are reported with the game they name"
            )));
        }
        let page = match command.as_str() {
            "compare" => Compare::report(&self.run, output)?,
            "sweep" => Sweep::report(&self.run, output)?,
            "arena" => Arena::report(&self.run, output)?,
            "tune" => finished_page(&self.run, "tune.html")?,
            "choices" => finished_page(&self.run, "choices.html")?,
            _ => return self.batch(output),
        };
        let bytes = read_page(&self.run, page)?;
        let Some(out) = &self.out else { return output.line(shown(self.run.join(page))) };
        write_atomic(out, bytes)?;
        output.line(shown(out))
    }

    /// Writes the page of a run of `simulate`.
    fn batch(&self, output: &mut Output) -> Result<(), Failure> {
        let (manifest, figures) = Folder::read(&self.run)?;
        if !manifest.is_complete() {
            let games = figures.iter().map(|figures| figures.games).sum();
            print_unfinished(&self.run, &progress_text(games, manifest.count(), "games"), output)?;
        }
        let game = open_game_of_run(&manifest, self.game.as_deref(), &self.run, output)?;
        let agents = recorded_agents(&manifest, &game)?;
        let batch_reports = batch_reports(&game, &manifest, &figures, &agents, output)?;
        if let Some(out) = &self.out {
            write_atomic(out, page(&manifest, &batch_reports))?;
            return output.line(shown(out));
        }
        Folder::open(&self.run)?.derive(&manifest, &batch_reports)?;
        output.line(shown(self.run.join("report.html")))
    }
}

impl Merge {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        check_new(&self.out)?;
        let (folder, mut manifest, figures) = merge(&self.parts, &self.out)?;
        print_gaps(&manifest, output)?;
        let first = self.parts.first().map_or(Path::new(""), PathBuf::as_path);
        let game = open_game_of_run(&manifest, self.game.as_deref(), first, output)?;
        manifest.directory = match base_of(first, manifest.directory.as_deref()) {
            Some(base) => relative_to_run(&self.out, &base),
            None => working_directory_from(&self.out),
        };
        let agents = recorded_agents(&manifest, &game)?;
        let batch_reports = batch_reports(&game, &manifest, &figures, &agents, output)?;
        folder.derive(&manifest, &batch_reports)?;
        folder.finish(&manifest)?;
        let games: u64 = figures.iter().map(|figures: &Figures| figures.games).sum();
        output.line(format!("{games} games in {}", shown(&self.out)))
    }
}

/// Reads the page of a finished run. A page that may contain scripts of others is refused.
fn read_page(run: &Path, page: &str) -> Result<Vec<u8>, Failure> {
    let name = shown(run.join(page));
    let read = Directory::open(run).map_err(Refused::from).and_then(|run| run.read(page, LARGEST_PAGE));
    let bytes = read.map_err(|error| usage(format!("`{name}` cannot be read: {error}")))?;
    if bytes.starts_with(page_beginning().as_bytes()) {
        return Ok(bytes);
    }
    let help = "play the games again, or open the page in a browser if you trust the person who made it";
    Err(Failure::Usage(
        format!("`{name}` is not a page of this version of Parlour, and may contain any script"),
        Some(help.to_owned()),
    ))
}

/// Returns the agents of a run, for display only. Programs and files named by the run are neither started nor read. Fails if agent files of
/// the game have changed since the run.
fn recorded_agents(manifest: &Manifest, game: &Game) -> Result<Agents, Failure> {
    let agents = Agents::recorded(manifest.agents.clone());
    if agents.own_files(game).iter().any(|file| !manifest.agent_files.contains(file)) {
        return Err(Failure::Usage(
            "the agent files have changed since the run".to_owned(),
            Some("give the game's earlier version with `--game`, or play again".to_owned()),
        ));
    }
    Ok(agents)
}

/// Reports which games are missing.
fn print_gaps(manifest: &Manifest, output: &mut Output) -> Result<(), Failure> {
    for batch in &manifest.batches {
        let mut next = 0;
        let games = batch.enough.unwrap_or(manifest.games);
        let end = (games, games);
        for (begin, after) in batch.played.iter().copied().chain([end]) {
            if begin > next {
                output.remark(format!("{} players: games {next} to {} are missing", batch.players, begin - 1))?;
            }
            next = after;
        }
    }
    Ok(())
}

/// Opens the game of a run and checks that it has not changed.
fn open_game_of_run(manifest: &Manifest, path: Option<&str>, run: &Path, output: &mut Output) -> Result<Game, Failure> {
    let game = if let Some(path) = path {
        opening::open(path, output)?
    } else {
        let base = base_of(run, manifest.directory.as_deref());
        opening::open_from(&manifest.path, base.as_deref(), &[], output)?
    };
    for batch in &manifest.batches {
        let (options, sets) = (manifest.options.clone(), manifest.sets.clone());
        let setup = Setup { options, sets, ..Setup::seats(batch.players) };
        let layout = game.layout(&setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
        if format!("{:016x}", layout.model.fingerprint) != batch.rules {
            return Err(Failure::Usage(
                format!("the rules of `{}` have changed since the run", manifest.game),
                Some("give the game's earlier version with `--game`, or play again".to_owned()),
            ));
        }
    }
    Ok(game)
}

//! `parlour report` and `parlour merge`: what was played, as a page, and parts put together.

use super::arena::Arena;
use super::arguments::Agents;
use super::compare::Compare;
use super::origin::{base_of, directory_from, leads_from};
use super::output::{Failure, Output, usage};
use super::running::{check_new, part_of, print_unfinished};
use super::saving::write_atomic;
use super::simulate::shelves;
use super::sweep::Sweep;
use super::{examples, opening};
use crate::diagnostic::shown;
use crate::files::{Directory, Refused};
use crate::report::{Folder, Manifest, command_of, merge, page};
use crate::session::{Game, Setup};
use crate::simulation::Figures;
use clap::Args;
use std::path::{Path, PathBuf};

/// Maximum number of bytes of a page that is copied.
const LARGEST_PAGE: u64 = 256 << 20;

/// Writes the page of a run again
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour report runs/bonus-20",
    "parlour report runs/bonus-20 --game ../my-game --out bonus.html",
))]
pub(super) struct Report {
    /// A folder that `--out` of `simulate`, `compare`, `sweep`, `arena` or `merge` has written: of a run that was not finished,
    /// what was played
    run: PathBuf,
    /// Where the game is, if it has moved: of runs of `simulate` and `merge`
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The file to write [default: report.html in the folder]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Puts the parts of one run together: the same, byte for byte, as if it had been played in one go
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour merge runs/part-* --out runs/whole",
))]
pub(super) struct Merge {
    /// Folders that `parlour simulate --shard --out` has written
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    /// Where the game is, if it has moved
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The new folder
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
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
            _ => return self.batch(output),
        };
        let Some(out) = &self.out else { return output.line(shown(self.run.join(page))) };
        copy_page(&self.run, page, out)?;
        output.line(shown(out))
    }

    /// The page of a run of `simulate`.
    fn batch(&self, output: &mut Output) -> Result<(), Failure> {
        let (manifest, figures) = Folder::read(&self.run)?;
        if !manifest.is_complete() {
            let games = figures.iter().map(|figures| figures.games).sum();
            print_unfinished(&self.run, &part_of(games, manifest.count(), "games"), output)?;
        }
        let game = game_of(&manifest, (self.game.as_deref(), &self.run), output)?;
        let agents = agents_of(&manifest, &game)?;
        let shelves = shelves(&game, &manifest, &figures, &agents, output)?;
        if let Some(out) = &self.out {
            write_atomic(out, page(&manifest, &shelves))?;
            return output.line(shown(out));
        }
        Folder::open(&self.run)?.derive(&manifest, &shelves)?;
        output.line(shown(self.run.join("report.html")))
    }
}

impl Merge {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        check_new(&self.out)?;
        let (folder, mut manifest, figures) = merge(&self.parts, &self.out)?;
        print_gaps(&manifest, output)?;
        let first = self.parts.first().map_or(Path::new(""), PathBuf::as_path);
        let game = game_of(&manifest, (self.game.as_deref(), first), output)?;
        manifest.directory = match base_of(first, manifest.directory.as_deref()) {
            Some(base) => leads_from(&self.out, &base),
            None => directory_from(&self.out),
        };
        let agents = agents_of(&manifest, &game)?;
        let shelves = shelves(&game, &manifest, &figures, &agents, output)?;
        folder.derive(&manifest, &shelves)?;
        folder.finish(&manifest)?;
        let games: u64 = figures.iter().map(|figures: &Figures| figures.games).sum();
        output.line(format!("{games} games in {}", shown(&self.out)))
    }
}

/// Copies the page of a run into a file that the user named.
fn copy_page(run: &Path, page: &str, out: &Path) -> Result<(), Failure> {
    let read = Directory::open(run).map_err(Refused::from).and_then(|run| run.read(page, LARGEST_PAGE));
    let bytes = read.map_err(|error| usage(format!("`{}` cannot be read: {error}", shown(run.join(page)))))?;
    write_atomic(out, bytes)
}

/// Who played a run: by name, since nobody plays. Programs and files that the run names are neither started nor read.
fn agents_of(manifest: &Manifest, game: &Game) -> Result<Agents, Failure> {
    let agents = Agents::recorded(manifest.agents.clone());
    if agents.own_files(game).iter().any(|file| !manifest.agent_files.contains(file)) {
        return Err(Failure::Usage(
            "the files of the agents are not those that played".to_owned(),
            Some("give the game as it was then with `--game`, or play again".to_owned()),
        ));
    }
    Ok(agents)
}

/// Says which games are missing.
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

/// The game of a run, as it was then.
fn game_of(manifest: &Manifest, (path, run): (Option<&str>, &Path), output: &mut Output) -> Result<Game, Failure> {
    let game = if let Some(path) = path {
        opening::open(path, output)?
    } else {
        let base = base_of(run, manifest.directory.as_deref());
        opening::open_from(&manifest.path, base.as_deref(), &[], output)?
    };
    for batch in &manifest.batches {
        let (options, sets) = (manifest.options.clone(), manifest.sets.clone());
        let setup = Setup { options, sets, ..Setup::seats(batch.players) };
        let layout = game.layout(&setup).map_err(|mistakes| output.mistakes_with(&setup, &mistakes))?;
        if format!("{:016x}", layout.model.fingerprint) != batch.rules {
            return Err(Failure::Usage(
                format!("the rules of `{}` are not those that were played", manifest.game),
                Some("give the game as it was then with `--game`, or play again".to_owned()),
            ));
        }
    }
    Ok(game)
}

//! `parlour compare`: plays two versions of a game with the same luck.

use super::arguments::{Agents, CampaignArgument, ChosenOrResumed, Format, ProspectsArgument, check_range};
use super::interruption::{is_stopped, listen_to_games, stop};
use super::origin::{base_of, check_kept_worlds, resumed_agents};
use super::output::{Failure, Output, usage};
use super::running::{
    BatchArguments, BatchProgress, Call, CheckpointTimer, SaveCheckpoint, check_new, print_done, print_interrupted,
    print_resuming, print_unfinished, progress, progress_text, range, report_aborted_batch, without_default,
};
use super::saving::write_below;
use super::simulate::figures_of_other_game;
use super::table::TextTable;
use super::{examples, opening, stories};
use crate::diagnostic::{Diagnostic, Role, shown};
use crate::files::{Refused, read_named};
use crate::model::{Language, Model};
use crate::report::Heading;
use crate::report::{
    Checkpoint, ComparedPlayers, RunRequest, changed_lines, comparison_document, comparison_page, comparison_table,
    differences_table, grouped, overall, rule, summarize_rest, unfinished,
};
use crate::session::{Game, Setup};
use crate::simulation::{
    Batch, ComparedMeasure, Comparison, Figures, Judgment, Margin, Prospects, Verdict, compare, game_seed, judge,
    replay_faults,
};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Plays two versions of a game with the same luck and shows the differences
#[derive(Args, Debug, Serialize, Deserialize)]
#[command(help_template = examples!(
    "parlour compare stockpile --b params.start_cash=25 --players 4",
    "parlour compare games/my-game --a length=short --b length=long --games 5000",
    "parlour compare games/my-game --b ../my-game-before --out runs/before-and-after",
    "parlour compare games/my-game --b cheaper.toml --fail-on worse",
    "parlour compare games/my-game --agents trader --agents-b search:200 --players 4",
    "parlour compare games/my-game --b cheaper.toml --all",
    "parlour compare --resume runs/before-and-after",
))]
#[command(mut_arg("agents", without_default))]
#[command(mut_arg("campaign", |campaign| campaign.conflicts_with("prospects")))]
pub(super) struct Compare {
    #[command(flatten)]
    #[serde(flatten)]
    chosen: ChosenOrResumed,
    /// Change in the first version: `path=value`, an option as `name=value`, an overlay file that ends in `.toml`, or the
    /// folder of another version; may be repeated [default: the game as it is]
    #[arg(long, value_name = "CHANGE")]
    a: Vec<String>,
    /// Change in the second version; may be repeated
    #[arg(long, value_name = "CHANGE", required_unless_present_any = ["resume", "agents_b"])]
    b: Vec<String>,
    /// Agents that play the second version, if they differ from `--agents`: one for all seats, or one for each seat
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    agents_b: Vec<String>,
    /// Number of players, or a range such as 3..5 [default: the number of agents if `--agents` or `--agents-b` lists several, otherwise the
    /// fewest the game allows]
    #[arg(long, short, value_name = "N", value_parser = range)]
    players: Option<RangeInclusive<u8>>,
    #[command(flatten)]
    #[serde(flatten)]
    many: BatchArguments,
    /// Largest difference that does not matter: absolute for shares, relative to the first version for amounts
    #[arg(long, value_name = "PART", default_value_t = 0.01, value_parser = parse_fraction, allow_negative_numbers = true)]
    margin: f64,
    /// New folder for the comparison, as an HTML page and as tables
    #[arg(long, short, value_name = "DIR")]
    #[serde(skip)]
    out: Option<PathBuf>,
    /// Resume the interrupted comparison stored in this folder (the one given to `--out`), with the arguments saved there
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "game", "options", "sets", "a", "b", "players", "games", "seed", "margin", "out", "fail_on", "prospects",
        "campaign",
    ])]
    #[serde(skip)]
    resume: Option<PathBuf>,
    #[command(flatten)]
    #[serde(flatten)]
    prospects: ProspectsArgument,
    #[command(flatten)]
    #[serde(flatten)]
    campaign: CampaignArgument,
    /// Exit with code 1 if the second version is worse, if it misses a target, or if any measure differs
    #[arg(long, value_enum, value_name = "WHAT")]
    fail_on: Option<FailOn>,
    /// Show all measures, even those without a difference
    #[arg(long)]
    all: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    #[serde(skip)]
    format: Format,
    /// Directory in which a resumed run began, if it is not the working directory.
    #[arg(skip)]
    #[serde(skip)]
    base: Option<PathBuf>,
}

/// Maximum number of changes listed in the terminal.
const MAX_CHANGES: usize = 8;

/// Files that are derived from the games. A resumed comparison deletes them, and writes them again at its end.
const DERIVED: [&str; 3] = ["compare.json", "compare.csv", "compare.html"];

/// Condition under which `parlour compare` exits with code 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FailOn {
    /// The second version misses a target that the first one does not miss, or its seats are less balanced and no target is about the
    /// balance of seats
    Worse,
    /// The second version misses a target
    Targets,
    /// Any measure differs
    Difference,
}

/// One of the two versions to compare.
struct Version {
    game: Game,
    options: Vec<(String, String)>,
    sets: Vec<(String, String)>,
    words: String,
    /// Overlay files of the version.
    overlays: Vec<String>,
    /// Agents that play the version. Agent files come from the version's own folder.
    agents: Agents,
}

impl Version {
    /// Prints the warnings about declarations in overlays, for example about unused ones. They probably point to mistakes in the overlays.
    fn print_unused(&self, seats: u8, output: &mut Output) -> Result<(), Failure> {
        let Ok((_, host)) = self.game.host(&self.setup(seats)) else { return Ok(()) };
        let is_in = |found: &Diagnostic| {
            found.marks.first().is_some_and(|mark| self.overlays.iter().any(|file| *file == mark.place.source.path))
        };
        host.warnings().iter().filter(|found| is_in(found)).try_for_each(|found| output.diagnostic(found))
    }

    fn setup(&self, seats: u8) -> Setup {
        Setup { options: self.options.clone(), sets: self.sets.clone(), ..Setup::seats(seats) }
    }
}

/// Maximum size of an overlay in bytes.
const LARGEST_OVERLAY: u64 = 1 << 20;

fn read_overlay(path: &str, base: Option<&Path>) -> Result<String, Refused> {
    let elsewhere = base.map(|base| base.join(path)).filter(|path| path.is_file());
    let text = String::from_utf8(read_named(elsewhere.as_deref().unwrap_or(Path::new(path)), LARGEST_OVERLAY)?);
    text.map_err(|_| std::io::Error::new(std::io::ErrorKind::InvalidData, "it is not UTF-8").into())
}

/// Results for one number of players.
struct ComparisonResult {
    /// Name of the game; both names if two games are compared.
    name: String,
    model: Arc<Model>,
    /// Model of version A.
    before: Arc<Model>,
    /// Names of the agents of both versions.
    agents: [Vec<String>; 2],
    /// Commands that play the first pair of games. Empty if a version has overlays, which `parlour run` does not accept.
    commands: Vec<String>,
    /// One of the game's agents, suggested for a better comparison. `None` unless all seats of both versions choose at random.
    suggested_agent: Option<String>,
    planned: u64,
    rules: [String; 2],
    comparison: Comparison,
    rows: Vec<ComparedMeasure>,
}

/// Parses a number from 0 up to, but not including, 1.
fn parse_fraction(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part| (0.0..1.0).contains(part));
    part.ok_or_else(|| "give a fraction, such as 0.02".to_owned())
}

impl ComparisonResult {
    fn compared(&self) -> ComparedPlayers<'_> {
        let Self { model, before, commands, suggested_agent, planned, rules, comparison, rows, .. } = self;
        let (suggested_agent, agents) = (suggested_agent.as_deref(), self.agents());
        ComparedPlayers { model, before, agents, commands, suggested_agent, planned: *planned, rules, comparison, rows }
    }
}

impl ComparisonResult {
    fn agents(&self) -> [&[String]; 2] {
        self.agents.each_ref().map(Vec::as_slice)
    }

    /// Returns the figures whose targets version B misses.
    fn missed_targets(&self) -> Vec<Arc<str>> {
        missed_targets(&self.model, &self.comparison.b)
    }

    /// Returns whether version B is worse: it misses a target that version A does not miss, or, if no target is about the balance of seats,
    /// its seats are less balanced.
    fn is_worse(&self) -> bool {
        let before = missed_targets(&self.before, &self.comparison.a);
        let is_newly_missed = self.missed_targets().iter().any(|figure| !before.contains(figure));
        let has_target = self.model.targets.iter().any(|target| &*target.figure == "seat_win_gap");
        is_newly_missed || !has_target && self.rows.iter().any(|row| row.verdict == Verdict::Worse)
    }
}

/// Returns the figures whose targets are missed.
fn missed_targets(model: &Model, figures: &Figures) -> Vec<Arc<str>> {
    let missed = judge(model, figures).into_iter().filter(|one| one.standing == Judgment::Missed);
    missed.map(|one| one.target.figure).collect()
}

impl Compare {
    pub(super) fn run(mut self, output: &mut Output) -> Result<(), Failure> {
        let Some(run) = self.resume.take() else { return self.play(&Call::New, output) };
        let (mut kept, before) = RunRequest::<Self>::read(&run, "compare")?.split();
        if let Some(worlds) = kept.prospects.prospects {
            check_kept_worlds(worlds, Prospects::LEAST..=Prospects::MOST, &run)?;
        }
        let agents = resumed_agents("--agents", self.many.agents.list(), kept.many.agents.list().to_vec(), &run)?;
        kept.agents_b = resumed_agents("--agents-b", &self.agents_b, kept.agents_b, &run)?;
        kept.base = base_of(&run, before.directory.as_deref());
        kept.many.agents = Agents::from_command_line(agents, kept.base.clone());
        (kept.many.jobs, kept.many.memory) = (self.many.jobs, self.many.memory);
        (kept.format, kept.out) = (self.format, Some(run));
        kept.play(&Call::Resume(before), output)
    }

    /// Returns the file name of the page in a run's folder. If the run is unfinished, first writes a page about the games that have been
    /// played.
    pub(super) fn report(run: &Path, output: &mut Output) -> Result<&'static str, Failure> {
        if unfinished(run).is_some() {
            let (mut kept, before) = RunRequest::<Self>::read(run, "compare")?.split();
            kept.base = base_of(run, before.directory.as_deref());
            kept.out = Some(run.to_owned());
            stop();
            kept.play(&Call::Report(before), output)?;
        }
        Ok("compare.html")
    }

    fn play(mut self, call: &Call, output: &mut Output) -> Result<(), Failure> {
        let common = self.many.agents.for_other_version();
        let agents_b = match (self.agents_b.is_empty(), call.plays()) {
            (true, _) => self.many.agents.for_other_version(),
            (false, true) => Agents::from_command_line(self.agents_b.clone(), self.base.clone()),
            (false, false) => Agents::recorded(self.agents_b.clone()),
        };
        let a = self.build_version(&self.a, common, output)?;
        let b = self.build_version(&self.b, agents_b, output)?;
        let usual = a.agents.seats().unwrap_or_else(|| b.agents.usual_seats(&a.game));
        let players = self.players.clone().unwrap_or(usual..=usual);
        check_range(&a.game, &players)?;
        check_range(&b.game, &players)?;
        for seats in players.clone().filter(|_| call.plays()) {
            a.agents.check(&a.game, seats, output)?;
            b.agents.check(&b.game, seats, output)?;
        }
        if a.game.id() != b.game.id() {
            output.remark(format!(
                "`{}` and `{}` are different games, not versions of one game",
                a.game.id(),
                b.game.id()
            ))?;
        }
        for version in [&a, &b] {
            version.print_unused(*players.start(), output)?;
        }
        if let (Some(out), Call::New) = (&self.out, call) {
            check_new(out)?;
        }
        let seed = self.many.seed(output)?;
        self.many.seed = Some(seed);
        let request = self.request(&a, &b, players.clone(), call, output)?;
        let start = |out: &PathBuf| Checkpoint::start_or_resume(out, &request, call.original_request(), &DERIVED);
        let checkpoint = match (&self.out, self.out.as_ref().map(start).transpose()?) {
            (Some(out), Some(None)) => return print_done(out, output),
            (_, checkpoint) => checkpoint.flatten(),
        };
        if let (Call::Resume(_), Some(checkpoint)) = (call, &checkpoint) {
            let kept = |seats: u8| checkpoint.load::<Comparison>(&seats.to_string());
            let played = players.clone().filter_map(kept).map(|kept| kept.b.games).sum();
            print_resuming(&progress_text(played, self.many.games * players.len() as u64, "pairs of games"), output)?;
        }
        listen_to_games();
        let mut all = Vec::new();
        for seats in players {
            all.push(self.one([&a, &b], seats, seed, (call, checkpoint.as_ref()), output)?);
        }
        if let Some(out) = &self.out {
            self.write(out, &a, &b, seed, &all)?;
            if let Call::Report(_) = call {
                let played = |one: &ComparisonResult| one.comparison.b.games;
                let (count, planned) = (all.iter().map(played).sum(), all.iter().map(|one| one.planned).sum());
                return print_unfinished(out, &progress_text(count, planned, "pairs of games"), output);
            }
            if let Some(checkpoint) = checkpoint.filter(|_| !is_stopped()) {
                request.finish(&checkpoint, &DERIVED)?;
            }
            output.remark(format!("written to {}: open {}", shown(out), shown(out.join("compare.html"))))?;
        }
        match self.format {
            Format::Text => self.print(&a, &b, seed, &all, output)?,
            Format::Json => output.json(&self.document(&a, &b, seed, &all))?,
        }
        if is_stopped() {
            return print_interrupted("what was played is counted", "compare", self.out.as_deref(), output);
        }
        if self.fails(&all) { Err(Failure::Fault) } else { Ok(()) }
    }

    /// Returns the manifest to be written to the run's folder.
    fn request(
        &self,
        a: &Version,
        b: &Version,
        players: RangeInclusive<u8>,
        call: &Call,
        output: &mut Output,
    ) -> Result<RunRequest<&Self>, Failure> {
        let mut rules = Vec::new();
        for seats in players {
            for version in [a, b] {
                let setup = version.setup(seats);
                let layout =
                    version.game.layout(&setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
                self.campaign.check(&version.game, &layout.model)?;
                rules.push(format!("{:016x}", layout.model.fingerprint));
            }
        }
        let files = call.agent_files(|| [a.agents.files(), b.agents.files()].concat());
        Ok(RunRequest::new("compare", call.directory(self.out.as_deref()), self, rules, files))
    }

    /// Builds a version from its changes.
    fn build_version(&self, changes: &[String], agents: Agents, output: &mut Output) -> Result<Version, Failure> {
        let common = self.chosen.setup(0);
        let (mut options, mut sets) = (common.options, common.sets);
        let (mut overlays, mut folder, mut pairs) = (Vec::new(), self.chosen.game.clone(), Vec::new());
        for change in changes {
            let is_file = Path::new(change).extension().is_some_and(|extension| extension == "toml");
            if let Some((name, value)) = change.split_once('=') {
                pairs.push((name.trim().to_owned(), value.trim().to_owned()));
            } else if is_file {
                let text = read_overlay(change, self.base.as_deref())
                    .map_err(|error| usage(format!("the overlay `{change}` cannot be read: {error}")))?;
                overlays.push((change.clone(), text));
            } else {
                folder.clone_from(change);
            }
        }
        let game = opening::open_from(&folder, self.base.as_deref(), &overlays, output)?;
        let known: Vec<String> = game.option_values().into_iter().map(|(name, _)| name).collect();
        for (name, value) in pairs {
            let list = if known.contains(&name) { &mut options } else { &mut sets };
            list.push((name, value));
        }
        let differences: Vec<&str> =
            changes.iter().map(String::as_str).filter(|change| *change != folder.as_str()).collect();
        let words = match &differences[..] {
            [] => format!("{} as it is", shown(&folder)),
            differences => format!("{} with {}", shown(&folder), differences.join(", ")),
        };
        let words =
            if self.agents_b.is_empty() { words } else { format!("{words}, played by {}", agents.list().join(", ")) };
        let overlays = overlays.into_iter().map(|(file, _)| file).collect();
        Ok(Version { game, options, sets, words, overlays, agents })
    }

    /// Compares the versions for one number of players, continuing from the checkpoint if there is one.
    fn one(
        &self,
        [a, b]: [&Version; 2],
        seats: u8,
        seed: u64,
        (call, checkpoint): (&Call, Option<&Checkpoint>),
        output: &mut Output,
    ) -> Result<ComparisonResult, Failure> {
        let (setup_a, setup_b) = (a.setup(seats), b.setup(seats));
        let mut rules = [String::new(), String::new()];
        for ((version, setup), rules) in [(a, &setup_a), (b, &setup_b)].into_iter().zip(&mut rules) {
            let layout =
                version.game.layout(setup).map_err(|mistakes| output.report_mistakes_with(setup, &mistakes))?;
            *rules = format!("{:016x}", layout.model.fingerprint);
        }
        let name = seats.to_string();
        let before = checkpoint.and_then(|checkpoint| checkpoint.load::<Comparison>(&name));
        let mut comparison = before.filter(|before| before.a.seats == seats).unwrap_or_else(|| Comparison::new(seats));
        for (version, setup, figures) in [(a, &setup_a, &comparison.a), (b, &setup_b, &comparison.b)] {
            let layout =
                version.game.layout(setup).map_err(|mistakes| output.report_mistakes_with(setup, &mistakes))?;
            if !figures.fits(&layout.model) {
                return Err(figures_of_other_game(seats));
            }
        }
        if !comparison.is_sound() {
            return Err(figures_of_other_game(seats));
        }
        if call.plays() {
            self.continue_playing(&mut comparison, [a, b], seed, checkpoint, output)?;
        }
        let before =
            a.game.layout(&setup_a).map_err(|mistakes| output.report_mistakes_with(&setup_a, &mistakes))?.model.clone();
        let name_a = before.name.get(Language::English).to_owned();
        let layout = b.game.layout(&setup_b).map_err(|mistakes| output.report_mistakes_with(&setup_b, &mistakes))?;
        let name_b = layout.model.name.get(Language::English);
        let name = if name_a == name_b { name_a } else { format!("{name_a} and {name_b}") };
        let rows = comparison.rows(self.bounds());
        let commands = if a.overlays.is_empty() && b.overlays.is_empty() {
            let first = game_seed(seed, 0);
            let command = |version: &Version, setup: Setup| {
                format!("{}{}", setup.seed(first).command(version.game.path()), version.agents.arguments())
            };
            vec![command(a, setup_a), command(b, setup_b)]
        } else {
            Vec::new()
        };
        let own_agent = b.game.agents().first().map(|source| Role::Agent.name(&source.path).to_owned());
        let suggested_agent = own_agent.filter(|_| self.agents_b.is_empty() && b.agents.are_all_random());
        let model = layout.model.clone();
        let planned = self.many.games;
        let agents = [a, b].map(|version| version.agents.list().to_vec());
        Ok(ComparisonResult {
            name,
            model,
            before,
            agents,
            commands,
            suggested_agent,
            planned,
            rules,
            comparison,
            rows,
        })
    }

    /// Continues a comparison from its current state.
    fn continue_playing(
        &self,
        comparison: &mut Comparison,
        [a, b]: [&Version; 2],
        seed: u64,
        checkpoint: Option<&Checkpoint>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let seats = comparison.a.seats;
        let (setup_a, setup_b, name) = (a.setup(seats), b.setup(seats), seats.to_string());
        let begin = comparison.b.games;
        let batch = |setup: &Setup| Batch {
            games: begin..self.many.games,
            seed,
            jobs: self.many.jobs(),
            setup: setup.clone(),
            prospects: self.prospects.setting(),
            campaigns: self.campaign.campaign,
        };
        let (batch_a, batch_b) = (batch(&setup_a), batch(&setup_b));
        let bar = progress(self.many.games.saturating_sub(begin), format!("{seats} players, pairs"));
        let (one, two) = (|seed, seat| a.agents.player(seed, seat), |seed, seat| b.agents.player(seed, seat));
        replay_faults(&mut comparison.a, &a.game, &batch_a, &one)
            .map_err(|error| report_aborted_batch(error, &setup_a, output))?;
        replay_faults(&mut comparison.b, &b.game, &batch_b, &two)
            .map_err(|error| report_aborted_batch(error, &setup_b, output))?;
        let before = comparison.clone();
        let save = |more: &Comparison| {
            let mut comparison = before.clone();
            comparison.merge(more);
            checkpoint.map_or(Ok(()), |checkpoint| checkpoint.save(&name, &comparison))
        };
        let following = BatchProgress {
            bar: &bar,
            keeps: None,
            saves: Some(SaveCheckpoint::Comparison(&save)),
            enough: None,
            pace: CheckpointTimer::default(),
        };
        let more = compare((&a.game, &batch_a), (&b.game, &batch_b), [&one, &two], &following);
        bar.finish_and_clear();
        let more = more.map_err(|error| report_aborted_batch(error, &setup_b, output))?;
        if more.b.games > 0 {
            save(&more)?;
        }
        comparison.merge(&more);
        Ok(())
    }

    fn bounds(&self) -> Margin {
        Margin { share: self.margin, amount: self.margin }
    }

    fn fails(&self, all: &[ComparisonResult]) -> bool {
        let rows = || all.iter().flat_map(|one| &one.rows);
        let faults = all.iter().any(|one| one.comparison.b.games > one.comparison.b.finished);
        faults
            || match self.fail_on {
                Some(FailOn::Worse) => all.iter().any(ComparisonResult::is_worse),
                Some(FailOn::Targets) => all.iter().any(|one| !one.missed_targets().is_empty()),
                Some(FailOn::Difference) => rows().any(|row| row.verdict.is_finding()),
                None => false,
            }
    }

    fn print(
        &self,
        a: &Version,
        b: &Version,
        seed: u64,
        all: &[ComparisonResult],
        output: &mut Output,
    ) -> Result<(), Failure> {
        for one in all {
            let name = &one.name;
            let pairs = one.comparison.pairs();
            let wanted = if one.compared().is_complete() {
                String::new()
            } else {
                format!(" of {}, interrupted", grouped(one.planned as i64))
            };
            output
                .line(format!("{name} · {} players · {pairs} pairs of games{wanted} · seed {seed}", one.model.seats))?;
            output.line(format!("  A: {}\n  B: {}", a.words, b.words))?;
            let changed = changed_lines(&one.before, &one.model, one.agents());
            let more = match changed.len().saturating_sub(MAX_CHANGES) {
                0 => String::new(),
                more => format!("; {more} more"),
            };
            let shown = changed.iter().take(MAX_CHANGES).map(String::as_str).collect::<Vec<_>>().join("; ");
            output.line(format!("  changed: {}{more}\n", if shown.is_empty() { "nothing" } else { &shown }))?;
            output.line(format!("  {}\n", overall(&one.comparison, &one.rows)))?;
            self.print_rows(one, output)?;
            for (word, figures) in [("A", &one.comparison.a), ("B", &one.comparison.b)] {
                for fault in &figures.faults {
                    output.remark(format!("{word}: {} of {} games failed; the first:", fault.count, figures.games))?;
                    if let Some(first) = &fault.first {
                        output.diagnostic(first)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Prints the differences and a summary of the other measures or, with `--all`, all measures. Then prints the rule for the verdicts.
    fn print_rows(&self, one: &ComparisonResult, output: &mut Output) -> Result<(), Failure> {
        let lines =
            if self.all { comparison_table(&one.model, &one.rows) } else { differences_table(&one.model, &one.rows) };
        if !lines.is_empty() {
            let mut table = TextTable::new([
                Heading::text("measure"),
                Heading::number("A"),
                Heading::number("B"),
                Heading::number("B less A"),
                Heading::text("interval"),
                Heading::text("verdict"),
            ]);
            for line in lines {
                table.row(line.to_vec());
            }
            for line in table.lines("  ") {
                output.line(line)?;
            }
            output.line("")?;
        }
        if !self.all {
            let left = summarize_rest(&one.model, &one.rows);
            for line in &left {
                output.line(format!("  {line}"))?;
            }
            if !left.is_empty() {
                output.line("  `--all` shows every measure, and every seat, with its figures.")?;
            }
        }
        output.line(format!("  {}\n", rule(&one.rows)))
    }

    fn document(&self, a: &Version, b: &Version, seed: u64, all: &[ComparisonResult]) -> Value {
        let batches: Vec<Value> = all.iter().map(|one| comparison_document(&one.compared(), self.bounds()).0).collect();
        json!({
            "format": 1,
            "parlour": env!("CARGO_PKG_VERSION"),
            "complete": all.iter().all(|one| one.compared().is_complete()),
            "game": a.game.id(),
            "seed": seed,
            "games": self.many.games,
            "agents": a.agents.list(),
            "agents_b": b.agents.list(),
            "a": self.a,
            "b": self.b,
            "words": { "a": a.words, "b": b.words },
            "batches": batches,
        })
    }

    fn write(&self, out: &Path, a: &Version, b: &Version, seed: u64, all: &[ComparisonResult]) -> Result<(), Failure> {
        // A campaign cannot be replayed from the answers in its last game alone.
        for one in all.iter().filter(|_| !self.campaign.campaign) {
            let sides = [("a", a, &one.comparison.a), ("b", b, &one.comparison.b)];
            for (word, version, figures) in sides {
                let setup = version.setup(one.model.seats);
                for story in stories::faults(&version.game, &setup, &version.agents, figures) {
                    write_below(out, &story.file_in(word), &story.text)?;
                }
            }
        }
        let document = serde_json::to_string_pretty(&self.document(a, b, seed, all))?;
        write_below(out, "compare.json", format!("{document}\n"))?;
        let mut lines = Vec::new();
        for one in all {
            let (_, table) = comparison_document(&one.compared(), self.bounds());
            let begin =
                if lines.is_empty() { 0 } else { table.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1) };
            lines.extend_from_slice(&table[begin..]);
        }
        write_below(out, "compare.csv", lines)?;
        let parts: Vec<_> = all.iter().map(ComparisonResult::compared).collect();
        let name = all.first().map_or("", |one| &one.name);
        let played: u64 = all.iter().map(|one| one.comparison.b.games).sum();
        let pairs = grouped(played as i64);
        let subtitle = format!("A: {}. B: {}. {pairs} pairs of games, seed {seed}", a.words, b.words);
        let provenance = [
            ("Game".to_owned(), format!("{} ({})", a.game.id(), self.chosen.game)),
            ("A".to_owned(), a.words.clone()),
            ("B".to_owned(), b.words.clone()),
            ("Agents of A".to_owned(), a.agents.list().join(", ")),
            ("Agents of B".to_owned(), b.agents.list().join(", ")),
            ("Seed".to_owned(), seed.to_string()),
            ("Pairs of games for each number of players".to_owned(), grouped(self.many.games as i64)),
            ("Program".to_owned(), format!("Parlour {}", env!("CARGO_PKG_VERSION"))),
        ];
        let page = comparison_page(
            &format!("{name}: what a change does"),
            &subtitle,
            [a.agents.list(), b.agents.list()],
            &parts,
            &provenance,
        );
        write_below(out, "compare.html", page)
    }
}

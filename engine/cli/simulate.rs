//! `parlour simulate`: plays many games and shows their figures.

use super::arguments::{Agents, CampaignArgument, ChosenOrResumed, Format, ProspectsArgument, check_range};
use super::check::count_text;
use super::interruption::{is_stopped, listen_to_games};
use super::origin::{base_of, resumed_agents, working_directory_from};
use super::output::{Failure, Output, usage};
use super::run::{fault_document, pairs};
use super::running::{
    BatchArguments, BatchProgress, CheckpointTimer, SaveCheckpoint, check_new, print_done, print_interrupted,
    print_resuming, progress, progress_text, range, report_aborted_batch, without_default,
};
use super::stories::stories;
use super::table::TextTable;
use super::{examples, opening};
use crate::diagnostic::{Role, shown};
use crate::model::{Language, Model};
use crate::report::Heading;
use crate::report::{
    BatchManifest, BatchReport, FORMAT, Folder, Manifest, Rows, RunState, Shard, Weight, amount, findings, grouped,
    percent, scenario_table, span,
};
use crate::session::{Game, Setup};
use crate::simulation::{
    Batch, Figures, Histogram, InterimLook, Judgment, LOOK, Measure, MeasureKind, PARTS, Precision, judge,
    replay_faults, simulate,
};
use clap::Args;
use clap::builder::ArgPredicate;
use serde_json::{Map, Value, json};
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Plays many games and shows who wins, by how much, how long games take, and what decides them
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour simulate stockpile --games 10000 --players 4",
    "parlour simulate stockpile --players 3..5 --set params.majority_bonus=20 --out runs/bonus-20",
    "parlour simulate stockpile --games 64000 --seed 7 --shard 3/64 --out runs/part-3",
    "parlour simulate --resume runs/part-3",
    "parlour simulate stockpile --until 'win share ± 1 point'",
    "parlour simulate three-winters --campaign --games 500 --out runs/winters",
    "parlour simulate games/my-game --agents random,first --seed 7 --format json",
))]
#[command(mut_arg("games", |games| {
    games
        .default_value_if("until", ArgPredicate::IsPresent, MOST)
        .help("Number of games for each number of players; with `--until` the maximum [default then: 1000000]")
}))]
#[command(mut_arg("agents", without_default))]
#[command(mut_arg("campaign", |campaign| campaign.conflicts_with("prospects")))]
pub(super) struct Simulate {
    #[command(flatten)]
    chosen: ChosenOrResumed,
    /// Number of players, or a range such as 3..5 [default: the number of agents that `--agents` lists, otherwise the fewest the game allows]
    #[arg(long, short, value_name = "N", value_parser = range)]
    players: Option<RangeInclusive<u8>>,
    #[command(flatten)]
    many: BatchArguments,
    /// New folder for the results: a row for each game, all figures and a report
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Resume the interrupted run in this folder (its `--out`), with the arguments that were saved there
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "game", "options", "sets", "players", "games", "seed", "out", "shard", "invariants", "until", "prospects",
        "campaign",
    ])]
    resume: Option<PathBuf>,
    /// Play only one part of the games, such as 3/64. All parts need the same `--seed`; `parlour merge` combines them
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    shard: Option<Shard>,
    /// Play until a figure is known with this precision, such as 'win share ± 1 point' or 'rounds +- 0.1'. Checked after
    /// every 1000 games
    #[arg(long, value_name = "FIGURE ± N")]
    until: Option<String>,
    /// Check the invariants of the rules at every decision, which is slower
    #[arg(long)]
    invariants: bool,
    #[command(flatten)]
    campaign: CampaignArgument,
    #[command(flatten)]
    prospects: ProspectsArgument,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Working directory in which a resumed run was started, if it differs from the current one.
    #[arg(skip)]
    base: Option<PathBuf>,
    /// Working directory in which a resumed run was started, relative to the folder of the run.
    #[arg(skip)]
    directory: Option<String>,
}

/// Default maximum number of games with `--until`.
const MOST: &str = "1000000";

/// Results for one number of players.
struct BatchResult {
    setup: Setup,
    figures: Figures,
    /// Precision that `--until` asks for, and whether it is reached.
    look: Option<(Precision, InterimLook)>,
    /// Number of games played and number of decisions made by this process. Games and decisions before the run was resumed are not counted.
    played: [u64; 2],
    seconds: f64,
}

impl Simulate {
    /// Creates the arguments for a run of campaigns that is written to a folder.
    pub(super) fn of_campaigns(
        chosen: ChosenOrResumed,
        players: u8,
        many: BatchArguments,
        invariants: bool,
        format: Format,
        out: PathBuf,
    ) -> Self {
        Self {
            chosen,
            players: Some(players..=players),
            many,
            out: Some(out),
            resume: None,
            shard: None,
            until: None,
            invariants,
            campaign: CampaignArgument { campaign: true },
            prospects: ProspectsArgument::default(),
            format,
            base: None,
            directory: None,
        }
    }

    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        match &self.resume {
            Some(run) => self.resumed(run)?.play(true, output),
            None => self.play(false, output),
        }
    }

    /// Restores the arguments of an unfinished run.
    fn resumed(&self, run: &Path) -> Result<Self, Failure> {
        let manifest = Folder::manifest(run)?;
        let players = |mut all: Vec<u8>| Some(all.first().copied()?..=all.pop()?);
        let base = base_of(run, manifest.directory.as_deref());
        let agents = resumed_agents("--agents", self.many.agents.list(), manifest.agents, run)?;
        let agents = Agents::from_command_line(agents, base.clone());
        Ok(Self {
            chosen: ChosenOrResumed::new(manifest.path, manifest.options, manifest.sets),
            players: players(manifest.batches.iter().map(|batch| batch.players).collect()),
            many: self.many.resumed(manifest.games, manifest.seed, agents),
            out: Some(run.to_owned()),
            resume: None,
            shard: manifest.shard,
            until: manifest.until,
            invariants: manifest.invariants,
            campaign: CampaignArgument { campaign: manifest.campaigns },
            prospects: ProspectsArgument { prospects: manifest.prospects },
            format: self.format,
            base,
            directory: manifest.directory,
        })
    }

    fn play(&self, is_kept: bool, output: &mut Output) -> Result<(), Failure> {
        if self.shard.is_some() && self.many.seed.is_none() {
            let help = "give the same `--seed` to every part, as `--seed 7`".to_owned();
            return Err(Failure::Usage("`--shard` needs `--seed`".to_owned(), Some(help)));
        }
        self.check_until()?;
        let game = opening::open_from(&self.chosen.game, self.base.as_deref(), &[], output)?;
        let game = if self.invariants { game.holding_invariants() } else { game };
        let usual = self.many.agents.usual_seats(&game);
        let players = self.players.clone().unwrap_or(usual..=usual);
        check_range(&game, &players)?;
        for seats in players.clone() {
            self.many.agents.check(&game, seats, output)?;
        }
        for seats in players.clone() {
            self.precision(&game, &self.chosen.setup(seats), output)?;
        }
        if let Some(out) = self.out.as_ref().filter(|_| !is_kept) {
            check_new(out)?;
        }
        let seed = self.many.seed(output)?;
        let mut manifest = self.manifest(&game, seed, players.clone(), output)?;
        let (folder, counted) = match &self.out {
            None => (None, Vec::new()),
            Some(out) if !is_kept => (Some(Folder::create(out, &manifest)?), Vec::new()),
            Some(out) => match Folder::resume(out, &mut manifest)? {
                RunState::InProgress(folder, counted) => (Some(folder), counted),
                RunState::Done => return print_done(out, output),
            },
        };
        if is_kept {
            let games: u64 = counted.iter().map(|figures| figures.games).sum();
            print_resuming(&progress_text(games, manifest.count(), "games"), output)?;
        }
        listen_to_games();
        let mut results = Vec::new();
        let mut counted = counted.into_iter();
        for (at, seats) in players.enumerate() {
            let before = counted.next().unwrap_or_else(|| Figures::new(seats));
            let games = manifest.range_of(&manifest.batches[at]);
            let result = self.batch(&game, before, games, seed, folder.as_ref(), output)?;
            manifest.batches[at].enough = result.games_until_precise();
            // A later process that resumes the run must know that this batch is complete.
            if let Some(folder) = folder.as_ref().filter(|_| result.games_until_precise().is_some()) {
                folder.update_manifest(&manifest)?;
            }
            results.push(result);
        }
        for (batch, result) in manifest.batches.iter_mut().zip(&results) {
            let begin = self.range().start;
            batch.played = Vec::from_iter((result.figures.games > 0).then(|| (begin, begin + result.figures.games)));
        }
        manifest.complete = manifest.is_complete();
        if let (Some(folder), Some(out)) = (&folder, &self.out) {
            self.write(&game, folder, &manifest, &results, output)?;
            output.remark(format!("written to {}: open {}", shown(out), shown(out.join("report.html"))))?;
        }
        self.remark_on_agents(&game, output)?;
        match self.format {
            Format::Text => self.print(&game, seed, &results, output)?,
            Format::Json => output.json(&self.document(&game, &manifest, &results)?)?,
        }
        self.verdict(&game, &results, output)
    }

    /// Suggests the game's own agents if all seats play at random.
    fn remark_on_agents(&self, game: &Game, output: &mut Output) -> Result<(), Failure> {
        let Some(own) = game.agents().first().map(|source| Role::Agent.name(&source.path)) else { return Ok(()) };
        if !self.many.agents.are_all_random() {
            return Ok(());
        }
        output.remark(format!(
            "all agents play at random, although the game has its own agents: run `parlour simulate {} --agents {own}`",
            self.chosen.game
        ))?;
        Ok(())
    }

    /// Rejects arguments that contradict `--until`.
    fn check_until(&self) -> Result<(), Failure> {
        if self.until.is_none() {
            return Ok(());
        }
        if self.shard.is_some() {
            let help = "remove one of them: a part does not know the results of the others".to_owned();
            return Err(Failure::Usage("`--until` cannot be combined with `--shard`".to_owned(), Some(help)));
        }
        if self.many.games < LOOK {
            let help = format!("give a larger `--games`, which is the maximum with `--until`, or none for {MOST}");
            let message =
                format!("`--until` looks at figures after each {LOOK} games, and `--games` is {}", self.many.games);
            return Err(Failure::Usage(message, Some(help)));
        }
        Ok(())
    }

    /// Parses `--until` for a game with this setup.
    fn precision(&self, game: &Game, setup: &Setup, output: &mut Output) -> Result<Option<Precision>, Failure> {
        let Some(text) = &self.until else { return Ok(None) };
        let layout = game.layout(setup).map_err(|mistakes| output.report_mistakes_with(setup, &mistakes))?;
        match Precision::parse(text, &layout.model) {
            Ok(precision) => Ok(Some(precision)),
            Err((message, help)) => Err(Failure::Usage(format!("`--until`: {message}"), Some(help))),
        }
    }

    /// Returns the numbers of the games to play: the games of the shard, or all games.
    fn range(&self) -> Range<u64> {
        self.shard.map_or(0..self.many.games, |shard| shard.games(self.many.games))
    }

    fn manifest(
        &self,
        game: &Game,
        seed: u64,
        players: RangeInclusive<u8>,
        output: &mut Output,
    ) -> Result<Manifest, Failure> {
        let mut batches = Vec::new();
        for players in players {
            let setup = self.chosen.setup(players);
            let layout = game.layout(&setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
            self.campaign.check(game, &layout.model)?;
            let rules = format!("{:016x}", layout.model.fingerprint);
            batches.push(BatchManifest { players, rules, played: Vec::new(), enough: None });
        }
        let setup = self.chosen.setup(0);
        Ok(Manifest {
            format: FORMAT,
            parlour: env!("CARGO_PKG_VERSION").to_owned(),
            game: game.id().to_owned(),
            path: self.chosen.game.clone(),
            directory: self.directory.clone().or_else(|| self.out.as_deref().and_then(working_directory_from)),
            seed,
            games: self.many.games,
            until: self.until.clone(),
            agents: self.many.agents.list().to_vec(),
            agent_files: self.many.agents.files(),
            options: setup.options,
            sets: setup.sets,
            invariants: self.invariants,
            campaigns: self.campaign.campaign,
            prospects: self.prospects.prospects,
            shard: self.shard,
            batches,
            complete: false,
            files: Vec::new(),
        })
    }

    fn batch(
        &self,
        game: &Game,
        before: Figures,
        games: Range<u64>,
        seed: u64,
        folder: Option<&Folder>,
        output: &mut Output,
    ) -> Result<BatchResult, Failure> {
        let (setup, mut figures) = (self.chosen.setup(before.seats), before);
        let layout = game.layout(&setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
        if !figures.fits(&layout.model) {
            return Err(figures_of_other_game(figures.seats));
        }
        let precision = self.precision(game, &setup, output)?;
        let look = |figures: &Figures| Some((precision.clone()?, precision.as_ref()?.look(&layout.model, figures)));
        // The run may have been interrupted right after the precision was reached.
        let end = if look(&figures).is_some_and(|(_, look)| look.is_enough) {
            games.start + figures.games
        } else {
            games.end
        };
        let games = games.start + figures.games..end;
        let bar = progress(games.end - games.start, format!("{} players", setup.seats));
        let batch = Batch {
            games: games.clone(),
            seed,
            jobs: self.many.jobs(),
            setup: setup.clone(),
            prospects: self.prospects.setting(),
            campaigns: self.campaign.campaign,
        };
        let begin = Instant::now();
        let player = |seed, seat| self.many.agents.player(seed, seat);
        replay_faults(&mut figures, game, &batch, &player)
            .map_err(|error| report_aborted_batch(error, &setup, output))?;
        let before = figures.clone();
        let save = |more: &Figures| {
            let mut figures = before.clone();
            figures.merge(more);
            folder.map_or(Ok(()), |folder| folder.save(&figures))
        };
        let enough = |more: &Figures| {
            let mut figures = before.clone();
            figures.merge(more);
            let Some((_, look)) = look(&figures) else { return false };
            // The length of the bar is the expected number of games. The remaining time is calculated from it.
            let end = look.games.map_or(games.end, |needed| needed.clamp(figures.games, games.end));
            bar.set_length(end.saturating_sub(games.start));
            look.is_enough
        };
        let keeps = folder.map(|folder| (folder, Rows::new(layout.model.clone(), self.many.agents.list().to_vec())));
        let following = BatchProgress {
            bar: &bar,
            keeps,
            saves: Some(SaveCheckpoint::Figures(&save)),
            enough: precision.is_some().then_some(&enough),
            pace: CheckpointTimer::default(),
        };
        let more = simulate(game, &batch, &player, &following);
        bar.finish_and_clear();
        let more = more.map_err(|error| report_aborted_batch(error, &setup, output))?;
        if more.games > 0 {
            save(&more)?;
        }
        figures.merge(&more);
        let played = [more.games, more.asked];
        for fault in figures.diagnostics_mut() {
            if let Some(command) = &mut fault.reproduce {
                command.push_str(&self.many.agents.arguments());
            }
        }
        let look = look(&figures);
        Ok(BatchResult { setup, look, figures, played, seconds: begin.elapsed().as_secs_f64() })
    }

    fn write(
        &self,
        game: &Game,
        folder: &Folder,
        manifest: &Manifest,
        results: &[BatchResult],
        output: &mut Output,
    ) -> Result<(), Failure> {
        let figures: Vec<Figures> = results.iter().map(|result| result.figures.clone()).collect();
        folder.write_figures(&figures)?;
        let batch_reports = batch_reports(game, manifest, &figures, &self.many.agents, output)?;
        folder.derive(manifest, &batch_reports)?;
        Ok(folder.finish(manifest)?)
    }

    /// Returns the failure that determines the exit code: 1 for faults and missed targets, 130 after an interruption.
    fn verdict(&self, game: &Game, results: &[BatchResult], output: &mut Output) -> Result<(), Failure> {
        if is_stopped() {
            return print_interrupted("what was played is kept", "simulate", self.out.as_deref(), output);
        }
        for result in results {
            let layout =
                game.layout(&result.setup).map_err(|mistakes| output.report_mistakes_with(&result.setup, &mistakes))?;
            let judged = judge(&layout.model, &result.figures);
            let missed = judged.iter().filter(|one| one.standing == Judgment::Missed).count();
            if missed > 0 || !result.figures.faults.is_empty() {
                return Err(Failure::Fault);
            }
        }
        Ok(())
    }

    fn print(&self, game: &Game, seed: u64, results: &[BatchResult], output: &mut Output) -> Result<(), Failure> {
        for (at, result) in results.iter().enumerate() {
            if at > 0 {
                output.line("")?;
            }
            let layout =
                game.layout(&result.setup).map_err(|mistakes| output.report_mistakes_with(&result.setup, &mistakes))?;
            for line in self.figures(&layout.model, seed, result) {
                output.line(line)?;
            }
            output.flush()?;
            let looked = (1..PARTS).map(|tenths| result.figures.histogram(&Measure::FavoriteChance(tenths)).total());
            if self.prospects.prospects.is_some() && result.figures.finished > 0 && looked.sum::<u64>() == 0 {
                output.remark(
                    "`--prospects` has measured nothing: all seats win and lose together, or no imagined world could be played to its end",
                )?;
            }
            for fault in &result.figures.faults {
                output.remark(format!("\n{} with this fault; the first:", count_text(fault.count as usize, "game")))?;
                if let Some(first) = &fault.first {
                    output.diagnostic(first)?;
                }
            }
            let pace = Speed::new(result);
            if result.played == [0, 0] {
                continue;
            }
            output.remark(format!(
                "{} games and {} decisions a second, {} at once, {:.1} s",
                amount(pace.games),
                amount(pace.decisions),
                self.many.jobs(),
                result.seconds
            ))?;
        }
        Ok(())
    }

    fn figures(&self, model: &Model, seed: u64, result: &BatchResult) -> Vec<String> {
        let figures = &result.figures;
        let mut lines = vec![
            format!(
                "{} · {} · {} · seed {seed}",
                model.name.get(Language::English),
                count_text(model.seats as usize, "player"),
                count_text(figures.games as usize, if figures.is_of_campaigns() { "campaign" } else { "game" })
            ),
            String::new(),
        ];
        if let Some(success) = figures.success() {
            let span = span(&success, MeasureKind::Share);
            lines.extend([format!("  success {} ({span})", percent(success.value)), String::new()]);
        }
        // Seats that win or lose together are not compared.
        let is_compared = figures.success().is_none();
        let wins = is_compared.then(|| [Heading::number("wins"), Heading::text("95 %")]);
        let scores =
            [Heading::number("score"), Heading::number("least"), Heading::number("median"), Heading::number("most")];
        let heads = [Heading::number("seat"), Heading::text("agent")]
            .into_iter()
            .chain(wins.into_iter().flatten())
            .chain(scores);
        let mut table = TextTable::new(heads);
        for seat in model.all_seats() {
            let share = figures.estimate(&Measure::Win(seat.0));
            let mut row = vec![seat.number().to_string(), self.many.agents.name_at(model, seat).to_owned()];
            if is_compared {
                let interval = format!("{} to {}", percent(share.interval.low), percent(share.interval.high));
                row.extend([percent(share.value), interval]);
            }
            row.extend(histogram_cells(&figures.histogram(&Measure::Score(seat.0)), 1));
            table.row(row);
        }
        lines.extend(table.lines("  "));
        if is_compared {
            lines.push(format!("  fair share {}", percent(figures.fair_share())));
            lines.extend(place_lines(figures));
        }
        lines.extend(scenario_lines(model, figures));
        lines.push(String::new());
        lines.extend(measure_lines(model, figures));
        lines.push(String::new());
        let mut table = TextTable::new([
            Heading::text("ending"),
            Heading::number("games"),
            Heading::number("share"),
            Heading::text("95 %"),
        ]);
        for ending in &model.endings {
            let measure = Measure::Ending(ending.id.clone());
            let count = figures.histogram(&measure).sum();
            let share = figures.estimate(&measure);
            let name = ending.name.get(Language::English).to_owned();
            table.row(vec![name, count.to_string(), percent(share.value), span(&share, MeasureKind::Share)]);
        }
        lines.extend(table.lines("  "));
        lines.extend(result.stop_line().into_iter().flat_map(|line| [String::new(), format!("  {line}")]));
        let all = findings(model, figures);
        let expected = all.iter().filter(|finding| finding.weight == Weight::Expected).count();
        let shown = all.iter().filter(|finding| finding.weight != Weight::Expected);
        let shown = shown.filter(|finding| finding.weight != Weight::Note || finding.about == "win");
        for (at, finding) in shown.enumerate() {
            if at == 0 {
                lines.push(String::new());
            }
            lines.push(format!("  {} {}", if finding.weight == Weight::Note { "·" } else { "!" }, finding.text));
        }
        if expected > 0 {
            let confirm = if expected == 1 { "confirms" } else { "confirm" };
            let found = count_text(expected, "finding");
            lines.push(format!("  ✓ {found} {confirm} what the game's author expects: the report lists them"));
        }
        lines
    }

    fn document(&self, game: &Game, manifest: &Manifest, results: &[BatchResult]) -> Result<Value, Failure> {
        let mut batches = Vec::new();
        let mut timing = Vec::new();
        for result in results {
            let layout = game.layout(&result.setup).map_err(|_| usage("the game changed while it was played"))?;
            batches.push(self.batch_document(&layout.model, result));
            let pace = Speed::new(result);
            timing.push(json!({
                "players": result.setup.seats,
                "seconds": result.seconds,
                "games_per_second": pace.games,
                "decisions_per_second": pace.decisions,
            }));
        }
        Ok(json!({
            "format": 1,
            "game": game.id(),
            "seed": manifest.seed,
            "games": self.many.games,
            "until": self.until,
            "complete": manifest.complete,
            "options": results.first().map(|result| pairs(&result.setup.options)),
            "sets": results.first().map(|result| pairs(&result.setup.sets)),
            "batches": batches,
            "timing": { "jobs": self.many.jobs(), "batches": timing },
        }))
    }

    fn batch_document(&self, model: &Model, result: &BatchResult) -> Value {
        let figures = &result.figures;
        let seats = model.all_seats().map(|seat| {
            let measure = Measure::Win(seat.0);
            let share = figures.estimate(&measure);
            json!({
                "seat": seat.number(),
                "agent": self.many.agents.name_at(model, seat),
                "wins": figures.histogram(&measure).sum() as f64 / figures.win_unit() as f64,
                "win_share": share.value,
                "low": share.interval.low,
                "high": share.interval.high,
                "score": histogram_document(&figures.histogram(&Measure::Score(seat.0)), 1),
            })
        });
        let endings: Map<String, Value> = model
            .endings
            .iter()
            .map(|ending| {
                let measure = Measure::Ending(ending.id.clone());
                (ending.id.to_string(), json!(figures.histogram(&measure).sum() as u64))
            })
            .collect();
        let measures: Map<String, Value> = figures
            .measured()
            .into_iter()
            .map(|measure| {
                let (estimate, interval) = (figures.estimate(measure), figures.estimate(measure).interval);
                let mut document = histogram_document(&figures.histogram(measure), measure.unit(figures.seats));
                document["value"] = json!(estimate.value);
                document["low"] = json!(interval.low.is_finite().then_some(interval.low));
                document["high"] = json!(interval.high.is_finite().then_some(interval.high));
                document["count"] = json!(estimate.count);
                (measure.word(), document)
            })
            .collect();
        let targets: Vec<Value> = judge(model, figures)
            .iter()
            .map(|one| {
                json!({
                    "figure": *one.target.figure,
                    "value": one.estimate.map(|estimate| estimate.value),
                    "standing": one.standing,
                })
            })
            .collect();
        let faults = figures.faults.iter().map(|fault| {
            let mut document = fault.first.as_ref().map_or_else(|| json!({}), fault_document);
            document["count"] = json!(fault.count);
            document["first_game"] = json!(fault.game);
            document["first_seed"] = json!(fault.seed);
            document
        });
        json!({
            "players": model.seats,
            "games": figures.games,
            "finished": figures.finished,
            "until": result.look.as_ref().map(|(precision, look)| json!({
                "reached": look.is_enough,
                "within": precision.within(),
                "widest": look.widest,
                "reach": look.reach,
                "games_needed": look.games,
            })),
            "fair_share": figures.fair_share(),
            "seat_win_gap": figures.seat_gap().value,
            "seats": seats.collect::<Vec<_>>(),
            "measures": measures,
            "endings": endings,
            "targets": targets,
            "findings": findings(model, figures),
            "faults": faults.collect::<Vec<_>>(),
            "worlds": { "imagined": figures.imagined, "relaxed": figures.relaxed },
        })
    }
}

/// Returns the contents of the report for each number of players.
pub(super) fn batch_reports<'f>(
    game: &Game,
    manifest: &'f Manifest,
    figures: &'f [Figures],
    agents: &Agents,
    output: &mut Output,
) -> Result<Vec<BatchReport<'f>>, Failure> {
    let mut batch_reports = Vec::new();
    for (batch, figures) in manifest.batches.iter().zip(figures) {
        let (options, sets) = (manifest.options.clone(), manifest.sets.clone());
        let setup = Setup { options, sets, ..Setup::seats(batch.players) };
        let layout = game.layout(&setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
        if !figures.fits(&layout.model) {
            return Err(figures_of_other_game(batch.players));
        }
        // A campaign cannot be replayed from the answers in its last game alone.
        let stories =
            if manifest.campaigns { Vec::new() } else { stories(game, &setup, agents, figures, manifest.prospects) };
        let own_agent = game.agents().first().map(|source| Role::Agent.name(&source.path).to_owned());
        batch_reports.push(BatchReport { model: layout.model.clone(), batch, figures, stories, own_agent });
    }
    Ok(batch_reports)
}

/// Returns the failure for figures in a run's folder that do not fit the game.
pub(super) fn figures_of_other_game(players: u8) -> Failure {
    let message =
        format!("the figures of the run with {players} players do not belong to this game: the files were changed");
    Failure::Usage(message, Some("play again, with another `--out`".to_owned()))
}

/// Formats a table of win shares by place in turn order. Returns no lines if each place belonged to the same seat in all games.
fn place_lines(figures: &Figures) -> Vec<String> {
    let places = figures.places();
    if places.is_empty() {
        return Vec::new();
    }
    let mut table =
        TextTable::new([Heading::number("place in turn order"), Heading::number("wins"), Heading::text("95 %")]);
    for (at, share) in places.iter().enumerate() {
        table.row(vec![(at + 1).to_string(), percent(share.value), span(share, MeasureKind::Share)]);
    }
    std::iter::once(String::new()).chain(table.lines("  ")).collect()
}

/// Formats a table of the scenarios of campaigns. Returns no lines if there are no scenarios.
pub(super) fn scenario_lines(model: &Model, figures: &Figures) -> Vec<String> {
    let (heads, rows) = scenario_table(model, figures);
    if rows.is_empty() {
        return Vec::new();
    }
    let mut table = TextTable::new(heads);
    for row in rows {
        table.row(row);
    }
    std::iter::once(String::new()).chain(table.lines("  ")).collect()
}

/// Formats a table of general measures, which are not specific to a game. Leaves out measures that do not apply.
fn measure_lines(model: &Model, figures: &Figures) -> Vec<String> {
    let mut table = TextTable::new([
        Heading::text(""),
        Heading::number("mean"),
        Heading::text("95 %"),
        Heading::number("least"),
        Heading::number("median"),
        Heading::number("most"),
    ]);
    for measure in [
        Measure::CampaignGames,
        Measure::Margin,
        Measure::Rounds,
        Measure::Turns,
        Measure::Decisions,
        Measure::Options,
        Measure::LeadChanges,
        Measure::Hopeless,
    ] {
        let (estimate, unit) = (figures.estimate(&measure), measure.unit(figures.seats));
        if estimate.count == 0 || figures.success().is_some() && measure.is_between_seats() {
            continue;
        }
        let [mean, rest @ ..] = histogram_cells(&figures.histogram(&measure), unit);
        let mut row = vec![measure.definition().name.to_owned(), mean, span(&estimate, MeasureKind::Amount)];
        row.extend(rest);
        table.row(row);
    }
    for measure in [
        Measure::Forced,
        Measure::Tie,
        Measure::LeaderWins(1),
        Measure::LeaderWins(2),
        Measure::LeaderWins(3),
        Measure::WinnerChance(5),
        Measure::LeastChance,
        Measure::Kingmaking,
    ] {
        let estimate = figures.estimate(&measure);
        if estimate.count > 0 && !(figures.success().is_some() && measure.is_between_seats()) {
            let span = format!("{} to {}", percent(estimate.interval.low), percent(estimate.interval.high));
            let blank = [String::new(), String::new(), String::new()];
            let mut row = vec![measure.name(model), percent(estimate.value), span];
            row.extend(blank);
            table.row(row);
        }
    }
    table.lines("  ")
}

impl BatchResult {
    /// Returns the number of games after which the precision was reached, or `None` if it was not reached.
    fn games_until_precise(&self) -> Option<u64> {
        self.look.as_ref().filter(|(_, look)| look.is_enough).map(|_| self.figures.games)
    }

    /// Explains why a run with `--until` has ended. Returns `None` without `--until`.
    fn stop_line(&self) -> Option<String> {
        let (precision, look) = self.look.as_ref()?;
        let in_units = |width: f64| {
            let number = format_width(if precision.is_share() { width * 100.0 } else { width });
            let number =
                if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { &number };
            let unit = match (precision.is_share(), number) {
                (false, _) => "",
                (true, "1") => " point",
                (true, _) => " points",
            };
            format!("± {number}{unit}")
        };
        let (games, asked) = (grouped(self.figures.games as i64), in_units(precision.within()));
        let widest = &look.widest;
        Some(match (look.reach.map(in_units), look.games) {
            (Some(reach), _) if look.is_enough => {
                format!("Stopped after {games} games: {widest} is known to {reach}, and {asked} was asked for.")
            }
            (Some(reach), Some(needed)) => format!(
                "Not enough after {games} games: {widest} is known to {reach}, and {asked} was asked for, which {} gives by any \
                 number of looks. It takes about {} games.",
                in_units(look.allowed),
                grouped(needed as i64)
            ),
            _ => format!("Not enough after {games} games: too few of them have {widest} to tell how many it takes."),
        })
    }
}

/// Formats a width with enough decimals that a positive one never reads as zero.
fn format_width(width: f64) -> String {
    if width >= 0.1 || width <= 0.0 {
        amount(width)
    } else {
        format!("{width:.*}", (1.0 - width.log10().floor()) as usize)
    }
}

/// Games and decisions per second of a batch.
struct Speed {
    games: f64,
    decisions: f64,
}

impl Speed {
    fn new(result: &BatchResult) -> Self {
        let seconds = result.seconds.max(1e-9);
        let [games, decisions] = result.played.map(|count| count as f64 / seconds);
        Self { games, decisions }
    }
}

/// Formats the mean, minimum, median and maximum of a histogram, each divided by `unit`.
pub(super) fn histogram_cells(histogram: &Histogram, unit: i64) -> [String; 4] {
    let unit = unit as f64;
    let cell = |number: Option<f64>| number.map_or_else(String::new, |number| amount(number / unit));
    let integer_cell = |number: Option<i64>| match number {
        Some(number) if unit > 1.0 => amount(number as f64 / unit),
        Some(number) => number.to_string(),
        None => String::new(),
    };
    [cell(histogram.mean()), integer_cell(histogram.min()), cell(histogram.median()), integer_cell(histogram.max())]
}

/// Returns the mean, minimum, median and maximum of a histogram as JSON, each divided by `unit`.
pub(super) fn histogram_document(histogram: &Histogram, unit: i64) -> Value {
    let unit = unit as f64;
    let scaled = |number: Option<i64>| number.map(|number| number as f64 / unit);
    json!({
        "mean": histogram.mean().map(|mean| mean / unit),
        "min": scaled(histogram.min()),
        "median": histogram.median().map(|median| median / unit),
        "max": scaled(histogram.max()),
    })
}

/// Parses a shard such as `3/64`.
fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(part, of)| Some((part.trim().parse().ok()?, of.trim().parse().ok()?)));
    match parts {
        Some((part, of)) if part >= 1 && part <= of => Ok(Shard { part, of }),
        _ => Err("write a part and how many there are, as `3/64`; the first part is 1".to_owned()),
    }
}

//! `parlour sweep`: plays a game with many settings of its numbers, and shows which setting meets the targets best.

use super::arguments::{Agents, CampaignArgument, ChosenOrResumed, Format, check_players};
use super::check::count_text;
use super::interruption::{is_stopped, listen_to_games, stop};
use super::origin::{base_of, resumed_agents};
use super::output::{Failure, Output, usage};
use super::run::fault_document;
use super::running::{
    BatchArguments, Call, check_new, play_more, print_done, print_interrupted, print_resuming, print_unfinished,
    progress, progress_text, report_aborted_batch, without_default,
};
use super::saving::write_below;
use super::simulate::figures_of_other_game;
use super::table::TextTable;
use super::{examples, opening, stories};
use crate::diagnostic::shown;
use crate::model::Language;
use crate::report::Heading;
use crate::report::{
    Checkpoint, Finding, RunRequest, SweepRow, Weight, estimate_text, sweep_page, sweep_table, unfinished,
};
use crate::session::{Game, Setup};
use crate::simulation::{
    Batch, Dial, Estimate, Figures, Judgment, MAX_DIALS, MAX_SETTINGS, MeasureKind, Setting, TargetResult,
    check_figure, count_settings, distance, figure, game_seed, grid, judge, replay_faults, search,
};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Plays a game with many settings of its numbers; exits with code 1 if the best setting misses a target of the game
#[derive(Args, Debug, Serialize, Deserialize)]
#[command(help_template = examples!(
    "parlour sweep stockpile --vary params.start_cash=15..30/5 --players 4",
    "parlour sweep stockpile --vary params.start_cash.4=10..30/5 --vary params.majority_bonus=5,10,20 --search",
    "parlour sweep stockpile --vary params.rounds=5..7 --set targets.seat_win_gap=0.03 --out runs/rounds",
    "parlour sweep --resume runs/rounds",
))]
#[command(mut_arg("agents", without_default))]
pub(super) struct Sweep {
    #[command(flatten)]
    #[serde(flatten)]
    chosen: ChosenOrResumed,
    /// Values to try: a path or an option, `=`, and values such as `15..30/5` or `5,10,20`; may be repeated
    #[arg(long, value_name = "PATH=VALUES", required_unless_present = "resume", value_parser = parse_dial)]
    vary: Vec<Dial>,
    /// Number of players [default: the number of agents that `--agents` lists, otherwise the fewest the game allows]
    #[arg(long, short, value_name = "N", value_parser = super::arguments::players, allow_negative_numbers = true)]
    players: Option<u8>,
    #[command(flatten)]
    #[serde(flatten)]
    many: BatchArguments,
    /// Also show this figure, such as `score`, `ties` or `ending.broke`; may be repeated
    #[arg(long = "figure", value_name = "NAME")]
    figures: Vec<String>,
    /// Search for the setting that meets the targets best instead of playing all settings to the end. Bad settings are
    /// dropped early, and the best one is played again with other seeds
    #[arg(long)]
    search: bool,
    #[command(flatten)]
    #[serde(flatten)]
    campaign: CampaignArgument,
    /// New folder for the results of the sweep, as a page and as a table
    #[arg(long, short, value_name = "DIR")]
    #[serde(skip)]
    out: Option<PathBuf>,
    /// Resume an interrupted sweep. DIR is the folder that was given to `--out`; it contains the other arguments
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "game", "options", "sets", "vary", "players", "games", "seed", "figures", "search", "out",
        "campaign",
    ])]
    #[serde(skip)]
    resume: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    #[serde(skip)]
    format: Format,
    /// Working directory in which a resumed run was started, if it differs from the current one.
    #[arg(skip)]
    #[serde(skip)]
    base: Option<PathBuf>,
}

/// Files that are derived from the games. A resumed sweep deletes them, and writes them again at its end.
const DERIVED: [&str; 3] = ["sweep.csv", "sweep.json", "sweep.html"];

/// Figures that are shown in addition to those with targets.
const DEFAULT_FIGURES: [&str; 5] = ["seat_win_gap", "score", "margin", "rounds", "decisions"];

/// Like [`DEFAULT_FIGURES`], but for games that all players win or lose together.
const COOPERATIVE_FIGURES: [&str; 4] = ["success", "score", "rounds", "decisions"];

/// Results of one setting.
struct SettingResult {
    figures: Figures,
    judged: Vec<TargetResult>,
    shown: Vec<(String, Option<Estimate>)>,
    /// Fingerprint of the rules with all settings, in hexadecimal.
    rules: String,
}

impl SettingResult {
    /// Returns the number of failed games.
    fn failed_games(&self) -> u64 {
        self.figures.games - self.figures.finished
    }

    /// Prints each fault, with the name of the setting.
    fn print_faults(&self, name: &str, output: &mut Output) -> Result<(), Failure> {
        for fault in &self.figures.faults {
            let games = count_text(fault.count as usize, "game");
            output.remark(format!("\n{name}: {games} with this fault; the first:"))?;
            if let Some(first) = &fault.first {
                output.diagnostic(first)?;
            }
        }
        Ok(())
    }
}

/// Maximum size in bytes of the figures of all settings.
const MAX_SIZE: usize = 256 << 20;

/// State of a running sweep.
struct RunningSweep<'a> {
    game: &'a Game,
    sweep: &'a Sweep,
    seats: u8,
    seed: u64,
    words: Vec<String>,
    settings: usize,
    tried: BTreeMap<Setting, SettingResult>,
    /// Size in bytes of the figures in `tried`.
    size: usize,
    checkpoint: Option<&'a Checkpoint>,
    /// Whether games are played. Otherwise, only saved results are evaluated.
    plays: bool,
}

/// Request to play one setting.
struct Trial<'a> {
    setting: &'a Setting,
    /// Total number of games, including earlier ones.
    games: u64,
    seed: u64,
    /// Name of the trial's checkpoint.
    name: String,
}

impl Sweep {
    pub(super) fn run(mut self, output: &mut Output) -> Result<(), Failure> {
        let Some(run) = self.resume.take() else { return self.play(&Call::New, output) };
        let (mut kept, before) = RunRequest::<Self>::read(&run, "sweep")?.split();
        let agents = resumed_agents("--agents", self.many.agents.list(), kept.many.agents.list().to_vec(), &run)?;
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
            let (mut kept, before) = RunRequest::<Self>::read(run, "sweep")?.split();
            kept.base = base_of(run, before.directory.as_deref());
            kept.out = Some(run.to_owned());
            stop();
            kept.play(&Call::Report(before), output)?;
        }
        Ok("sweep.html")
    }

    fn play(mut self, call: &Call, output: &mut Output) -> Result<(), Failure> {
        let game = opening::open_from(&self.chosen.game, self.base.as_deref(), &[], output)?;
        let seats = self.players.unwrap_or_else(|| self.many.agents.usual_seats(&game));
        check_players(&game, seats)?;
        if call.plays() {
            self.many.agents.check(&game, seats, output)?;
        }
        if let (Some(out), Call::New) = (&self.out, call) {
            check_new(out)?;
        }
        let count = count_settings(&self.vary);
        if count > MAX_SETTINGS {
            let message = format!("there are {count} settings, but at most {MAX_SETTINGS} can be played");
            return Err(Failure::Usage(message, Some("vary fewer numbers at once, or in larger steps".to_owned())));
        }
        self.check_dials(&game)?;
        let settings = grid(&self.vary);
        let seed = self.many.seed(output)?;
        self.many.seed = Some(seed);
        let words = self.figure_names(&game, seats, output)?;
        let request = self.request(&game, seats, call, output)?;
        let start = |out: &PathBuf| Checkpoint::start_or_resume(out, &request, call.original_request(), &DERIVED);
        let checkpoint = match (&self.out, self.out.as_ref().map(start).transpose()?) {
            (Some(out), Some(None)) => return print_done(out, output),
            (_, checkpoint) => checkpoint.flatten(),
        };
        let mut running = RunningSweep {
            game: &game,
            sweep: &self,
            seats,
            seed,
            words,
            settings: settings.len(),
            tried: BTreeMap::new(),
            size: 0,
            checkpoint: checkpoint.as_ref(),
            plays: call.plays(),
        };
        if self.search && call.original_request().is_some() {
            output.remark("going on with the search")?;
        } else if let Call::Resume(_) = call {
            let kept = settings.iter().filter(|setting| running.is_kept(setting)).count();
            let played = progress_text(kept as u64, settings.len() as u64, "settings, played in part or whole");
            print_resuming(&played, output)?;
        }
        listen_to_games();
        let order = running.play(&settings, output)?;
        let again = if self.search && !is_stopped() { order.first().cloned() } else { None };
        let again = again.map(|best| running.verify_best(&best, output)).transpose()?;
        if let (Call::Report(_), Some(out)) = (call, &self.out) {
            let rows = running.rows(&order);
            self.write(out, &running, &rows, &running.verdict_so_far(&rows, &order, None))?;
            let played = progress_text(rows.len() as u64, settings.len() as u64, "settings");
            return print_unfinished(out, &format!("games of {played}"), output);
        }
        self.finish(&running, &order, again.as_ref(), request, output)
    }

    /// Returns the manifest for the folder of the run.
    fn request(&self, game: &Game, seats: u8, call: &Call, output: &mut Output) -> Result<RunRequest<&Self>, Failure> {
        let setup = self.chosen.setup(seats);
        let layout = game.layout(&setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
        let rules = vec![format!("{:016x}", layout.model.fingerprint)];
        let files = call.agent_files(|| self.many.agents.files());
        Ok(RunRequest::new("sweep", call.directory(self.out.as_deref()), self, rules, files))
    }

    /// Checks that no two dials vary the same path, that `--set` and `--option` do not change a varied path, and that no dial lists a value
    /// twice.
    fn check_dials(&self, game: &Game) -> Result<(), Failure> {
        if self.vary.len() > MAX_DIALS {
            return Err(usage(format!("{} numbers are varied, but at most {MAX_DIALS} can be", self.vary.len())));
        }
        let setup = self.chosen.setup(*game.players().start());
        let is_set = |path: &str| setup.sets.iter().chain(&setup.options).any(|(name, _)| name == path);
        for (at, dial) in self.vary.iter().enumerate() {
            let path = &dial.path;
            if self.vary[..at].iter().any(|other| other.path == *path) {
                return Err(usage(format!("`--vary {path}` is given twice: list all its values in one")));
            }
            if is_set(path) {
                return Err(usage(format!("`{path}` is both set and varied: remove one of them")));
            }
            let mut values = dial.values.iter().enumerate();
            if let Some((_, value)) = values.find(|(at, value)| dial.values[..*at].contains(value)) {
                return Err(usage(format!("`--vary {path}` lists {value} twice: remove one of them")));
            }
        }
        Ok(())
    }

    /// Returns the names of the figures to show. Figures with targets come first.
    fn figure_names(&self, game: &Game, seats: u8, output: &mut Output) -> Result<Vec<String>, Failure> {
        let setup = self.chosen.setup(seats);
        let layout = game.layout(&setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
        self.campaign.check(game, &layout.model)?;
        let usual: &[&str] = if layout.model.is_cooperative() { &COOPERATIVE_FIGURES } else { &DEFAULT_FIGURES };
        let of_campaigns = self.campaign.campaign.then(|| "campaign_games".to_owned());
        let usual = usual.iter().map(|figure| (*figure).to_owned()).chain(of_campaigns);
        let targets = layout.model.targets.iter().map(|target| target.figure.to_string());
        let mut words: Vec<String> = Vec::new();
        for word in targets.chain(self.figures.iter().cloned()).chain(usual) {
            if let Err(help) = check_figure(&layout.model, &word) {
                return Err(Failure::Usage(format!("there is no figure `{word}`"), Some(help)));
            }
            if !words.contains(&word) {
                words.push(word);
            }
        }
        if self.search && layout.model.targets.is_empty() {
            return Err(Failure::Usage(
                "there are no targets to search for".to_owned(),
                Some("write `[targets]` in game.toml, or give one as `--set targets.seat_win_gap=0.03`".to_owned()),
            ));
        }
        Ok(words)
    }

    fn finish(
        &self,
        running: &RunningSweep<'_>,
        order: &[Setting],
        again: Option<&SettingResult>,
        asked: RunRequest<&Self>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let rows = running.rows(order);
        let verdict = running.verdict_so_far(&rows, order, again);
        if let Some(out) = &self.out {
            self.write(out, running, &rows, &verdict)?;
            if let Some(checkpoint) = running.checkpoint.filter(|_| !is_stopped()) {
                asked.finish(checkpoint, &DERIVED)?;
            }
            output.remark(format!("written to {}: open {}", shown(out), shown(out.join("sweep.html"))))?;
        }
        match self.format {
            Format::Text => self.print(running, &rows, &verdict, again, output)?,
            Format::Json => output.json(&self.document(running, &rows, &verdict))?,
        }
        if is_stopped() {
            return print_interrupted("what was played is counted", "sweep", self.out.as_deref(), output);
        }
        let fails = again.is_some_and(|tried| tried.failed_games() > 0) || rows.iter().any(|row| row.failed > 0);
        if fails || running.is_missed(order, again) { Err(Failure::Fault) } else { Ok(()) }
    }

    fn print(
        &self,
        running: &RunningSweep<'_>,
        rows: &[SweepRow<'_>],
        verdict: &str,
        again: Option<&SettingResult>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let name = running.game.id();
        output.line(format!("{name} · {} players · seed {}\n", running.seats, running.seed))?;
        let mut heads: Vec<Heading> = self.vary.iter().map(|dial| Heading::number(dial.path.as_str())).collect();
        heads.extend(running.words.iter().map(Heading::number));
        heads.push(Heading::number("games"));
        let fails = rows.iter().any(|row| row.failed > 0);
        heads.extend(fails.then(|| Heading::number("failed")));
        heads.push(Heading::text("targets"));
        let mut table = TextTable::new(heads);
        for row in rows {
            let mut cells: Vec<String> =
                self.vary.iter().zip(row.setting).map(|(dial, at)| dial.values[*at].clone()).collect();
            let figures = row.figures.iter().map(|(_, estimate)| estimate.as_ref());
            cells.extend(
                figures
                    .map(|found| found.map_or_else(|| "–".to_owned(), |one| estimate_text(one, MeasureKind::Amount))),
            );
            cells.push(row.games.to_string());
            cells.extend(fails.then(|| row.failed.to_string()));
            cells.push(standings(row.judged));
            table.row(cells);
        }
        for line in table.lines("  ") {
            output.line(line)?;
        }
        output.line(format!("\n  {verdict}"))?;
        output.flush()?;
        for row in rows {
            running.tried[row.setting].print_faults(&running.setting_name(row.setting), output)?;
        }
        again.map_or(Ok(()), |tried| tried.print_faults("played again with other seeds", output))
    }

    fn document(&self, running: &RunningSweep<'_>, rows: &[SweepRow<'_>], verdict: &str) -> Value {
        let settings: Vec<Value> = rows
            .iter()
            .map(|row| {
                let set: Map<String, Value> = self
                    .vary
                    .iter()
                    .zip(row.setting)
                    .map(|(dial, at)| (dial.path.clone(), json!(dial.values[*at])))
                    .collect();
                let figures: Map<String, Value> = row
                    .figures
                    .iter()
                    .map(|(word, estimate)| {
                        let Some(estimate) = estimate else { return (word.clone(), Value::Null) };
                        let finite = |number: f64| number.is_finite().then_some(number);
                        let (low, high) = (finite(estimate.interval.low), finite(estimate.interval.high));
                        (word.clone(), json!({ "value": estimate.value, "low": low, "high": high }))
                    })
                    .collect();
                let targets: Map<String, Value> =
                    row.judged.iter().map(|one| (one.target.figure.to_string(), json!(one.standing))).collect();
                let faults = running.tried[row.setting].figures.faults.iter().map(|fault| {
                    json!({ "count": fault.count, "seed": fault.seed, "first": fault.first.as_ref().map(fault_document) })
                });
                json!({
                    "set": set,
                    "rules": row.rules,
                    "games": row.games,
                    "failed": row.failed,
                    "faults": faults.collect::<Vec<_>>(),
                    "figures": figures,
                    "targets": targets,
                })
            })
            .collect();
        json!({
            "format": 1,
            "parlour": env!("CARGO_PKG_VERSION"),
            "complete": !is_stopped(),
            "agents": self.many.agents.list(),
            "game": running.game.id(),
            "players": running.seats,
            "seed": running.seed,
            "settings": settings,
            "verdict": verdict,
        })
    }

    /// Returns a finding for each fault of each setting.
    fn faults_found(running: &RunningSweep<'_>, rows: &[SweepRow<'_>]) -> Vec<Finding> {
        let document = |row: &SweepRow<'_>| {
            let name = running.setting_name(row.setting);
            let faults = running.tried[row.setting].figures.faults.iter();
            faults
                .map(|fault| {
                    let games = count_text(fault.count as usize, "game");
                    let text = format!("{name}: {games} of {} failed: {}.", row.games, fault.message);
                    Finding { weight: Weight::Wrong, about: "coverage", text }
                })
                .collect::<Vec<_>>()
        };
        rows.iter().flat_map(document).collect()
    }

    /// Writes the first game with each fault as a playscript, for each setting that has faults.
    fn write_faults(&self, out: &Path, running: &RunningSweep<'_>, rows: &[SweepRow<'_>]) -> Result<(), Failure> {
        for (at, row) in rows.iter().enumerate().filter(|(_, row)| row.failed > 0) {
            let setup = running.setup(row.setting);
            let figures = &running.tried[row.setting].figures;
            for story in stories::faults(running.game, &setup, &self.many.agents, figures) {
                write_below(out, &story.file_in(&format!("setting-{}", at + 1)), &story.text)?;
            }
        }
        Ok(())
    }

    fn write(
        &self,
        out: &Path,
        running: &RunningSweep<'_>,
        rows: &[SweepRow<'_>],
        verdict: &str,
    ) -> Result<(), Failure> {
        write_below(out, "sweep.csv", sweep_table(&self.vary, rows))?;
        self.write_faults(out, running, rows)?;
        let document = serde_json::to_string_pretty(&self.document(running, rows, verdict))?;
        write_below(out, "sweep.json", format!("{document}\n"))?;
        let setup = self.chosen.setup(running.seats);
        let layout = running.game.layout(&setup);
        let (name, rules) = layout.map_or_else(
            |_| (String::new(), String::new()),
            |layout| {
                let model = &layout.model;
                (model.name.get(Language::English).to_owned(), format!("{:016x}", model.fingerprint))
            },
        );
        let pairs = |pairs: &[(String, String)]| {
            let text: Vec<String> = pairs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            if text.is_empty() { "none".to_owned() } else { text.join(", ") }
        };
        let finding = Finding { weight: Weight::Note, about: "seat_win_gap", text: verdict.to_owned() };
        let provenance = [
            ("Game".to_owned(), format!("{} ({})", running.game.id(), self.chosen.game)),
            ("Players".to_owned(), running.seats.to_string()),
            ("Options".to_owned(), pairs(&setup.options)),
            ("Changed data".to_owned(), pairs(&setup.sets)),
            ("Rules, before anything is varied".to_owned(), rules),
            ("Games of a setting at most".to_owned(), self.many.games.to_string()),
            ("Agents".to_owned(), self.many.agents.list().join(", ")),
            ("Seed".to_owned(), running.seed.to_string()),
            ("Program".to_owned(), format!("Parlour {}", env!("CARGO_PKG_VERSION"))),
        ];
        let dials: Vec<&str> = self.vary.iter().map(|dial| dial.path.as_str()).collect();
        let page = sweep_page(
            &format!("{name}: {}", dials.join(" and ")),
            &format!("{}, seed {}", count_text(rows.len(), "setting"), running.seed),
            (running.seats, self.many.agents.list()),
            &self.vary,
            rows,
            (
                Self::faults_found(running, rows).into_iter().chain([finding]).collect(),
                if is_stopped() { "the settings below are those that were played.".to_owned() } else { String::new() },
            ),
            &provenance,
        );
        write_below(out, "sweep.html", page)
    }
}

impl RunningSweep<'_> {
    /// Plays all settings, or searches among them. Returns the settings, best first if there are targets.
    fn play(&mut self, settings: &[Setting], output: &mut Output) -> Result<Vec<Setting>, Failure> {
        let games = self.sweep.many.games;
        if self.sweep.search {
            return search(settings, games, |setting, games| self.play_setting(setting, games, output));
        }
        let mut ranked = Vec::new();
        for setting in settings {
            if is_stopped() && !ranked.is_empty() && !self.is_kept(setting) {
                break;
            }
            ranked.push((self.play_setting(setting, games, output)?, setting.clone()));
        }
        // Without targets all distances are zero, and the stable sort keeps the order.
        ranked.sort_by(|(one, _), (two, _)| one.0.cmp(&two.0).then(one.1.total_cmp(&two.1)));
        Ok(ranked.into_iter().map(|(_, setting)| setting).collect())
    }

    /// Plays a setting until it has `games` games. Returns its distance from the targets.
    fn play_setting(&mut self, setting: &Setting, games: u64, output: &mut Output) -> Result<(usize, f64), Failure> {
        let before = self.tried.get(setting).map_or_else(|| Figures::new(self.seats), |tried| tried.figures.clone());
        let trial = Trial { setting, games, seed: self.seed, name: checkpoint_name(setting, games) };
        let tried = self.play_trial(&trial, before, output)?;
        // A setting without games occurs only after an interruption. It must rank last.
        let far = if tried.figures.games > 0 { distance(&tried.judged) } else { (usize::MAX, f64::INFINITY) };
        self.size += tried.figures.size();
        if let Some(before) = self.tried.insert(setting.clone(), tried) {
            self.size -= before.figures.size();
        }
        if self.size > MAX_SIZE {
            let (count, most) = (self.tried.len(), MAX_SIZE >> 20);
            let message = format!("the figures of {count} settings take more than {most} MB");
            return Err(Failure::Usage(message, Some("try fewer settings at once".to_owned())));
        }
        Ok(far)
    }

    /// Returns whether the checkpoint of the interrupted sweep contains results of a setting.
    fn is_kept(&self, setting: &Setting) -> bool {
        let name = checkpoint_name(setting, self.sweep.many.games);
        self.checkpoint.is_some_and(|checkpoint| checkpoint.load::<Figures>(&name).is_some())
    }

    /// Returns a table row for each setting in `order` that has been played.
    fn rows<'r>(&'r self, order: &'r [Setting]) -> Vec<SweepRow<'r>> {
        let row = |setting: &'r Setting| {
            let tried = self.tried.get(setting).filter(|tried| tried.figures.games > 0)?;
            Some(SweepRow {
                setting,
                figures: tried.shown.clone(),
                judged: &tried.judged,
                games: tried.figures.games,
                failed: tried.failed_games(),
                rules: tried.rules.clone(),
            })
        };
        order.iter().filter_map(row).collect()
    }

    /// Returns the verdict. If the sweep was interrupted, begins with the number of settings and games that were played.
    fn verdict_so_far(&self, rows: &[SweepRow<'_>], order: &[Setting], again: Option<&SettingResult>) -> String {
        let verdict = self.verdict(order, again);
        if !is_stopped() {
            return verdict;
        }
        let played: u64 = rows.iter().map(|row| row.games).sum();
        let (count, all) = (rows.len(), count_text(self.settings, "setting"));
        format!("Interrupted after {count} of {all}, {played} games. {verdict}")
    }

    /// Plays the best setting again with other seeds, because the best of many results is partly luck.
    fn verify_best(&self, setting: &Setting, output: &mut Output) -> Result<SettingResult, Failure> {
        let seed = game_seed(self.seed, u64::MAX);
        let trial = Trial { setting, games: self.sweep.many.games, seed, name: "again".to_owned() };
        self.play_trial(&trial, Figures::new(self.seats), output)
    }

    /// Plays the remaining games of a trial, and adds them to `figures`.
    fn continue_playing(
        &self,
        figures: &mut Figures,
        trial: &Trial<'_>,
        setup: &Setup,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let Trial { setting, games, seed, name } = trial;
        let many = &self.sweep.many;
        let bar = progress(games.saturating_sub(figures.games), self.setting_name(setting));
        let games = figures.games..figures.games.max(*games);
        let batch = Batch {
            games,
            seed: *seed,
            jobs: many.jobs(),
            setup: setup.clone(),
            prospects: None,
            campaigns: self.sweep.campaign.campaign,
        };
        let player = |seed, seat| many.agents.player(seed, seat);
        replay_faults(figures, self.game, &batch, &player)
            .map_err(|error| report_aborted_batch(error, setup, output))?;
        let kept = self.checkpoint.map(|checkpoint| (checkpoint, name.as_str()));
        play_more(figures, self.game, &batch, &many.agents, kept, &bar, output)
    }

    /// Plays the remaining games of a trial, and judges the results. Continues from the checkpoint if it can be used, otherwise from
    /// `before`.
    fn play_trial(&self, trial: &Trial<'_>, before: Figures, output: &mut Output) -> Result<SettingResult, Failure> {
        let Trial { setting, games, name, .. } = trial;
        let kept = self.checkpoint.and_then(|checkpoint| checkpoint.load::<Figures>(name));
        let kept = kept.filter(|kept| kept.seats == self.seats && (before.games..=*games).contains(&kept.games));
        let mut figures = kept.unwrap_or(before);
        let setup = self.setup(setting);
        let layout = self.game.layout(&setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
        if !figures.fits(&layout.model) {
            return Err(figures_of_other_game(self.seats));
        }
        if self.plays {
            self.continue_playing(&mut figures, trial, &setup, output)?;
        }
        let many = &self.sweep.many;
        let judged = judge(&layout.model, &figures);
        for fault in figures.diagnostics_mut() {
            if let Some(command) = fault.reproduce.as_mut().filter(|command| !command.contains(" --agents ")) {
                command.push_str(&many.agents.arguments());
            }
        }
        let found = |word: &String| figure(&layout.model, &figures, word).filter(|found| found.count > 0);
        let value = |word: &String| (word.clone(), found(word));
        let shown = self.words.iter().map(value).collect();
        let rules = format!("{:016x}", layout.model.fingerprint);
        Ok(SettingResult { figures, judged, shown, rules })
    }

    fn setup(&self, setting: &Setting) -> Setup {
        let mut setup = self.sweep.chosen.setup(self.seats);
        let options: Vec<String> = self.game.option_values().into_iter().map(|(name, _)| name).collect();
        for (dial, at) in self.sweep.vary.iter().zip(setting) {
            let list = if options.contains(&dial.path) { &mut setup.options } else { &mut setup.sets };
            list.push((dial.path.clone(), dial.values[*at].clone()));
        }
        setup
    }

    fn setting_name(&self, setting: &Setting) -> String {
        let dials = self.sweep.vary.iter().zip(setting);
        dials.map(|(dial, at)| format!("{} = {}", dial.path, dial.values[*at])).collect::<Vec<_>>().join(", ")
    }

    /// Returns whether the best setting misses a target. If the setting was played again with other seeds, only those games are judged.
    fn is_missed(&self, order: &[Setting], again: Option<&SettingResult>) -> bool {
        let best = order.first().and_then(|setting| self.tried.get(setting));
        let misses = |tried: &SettingResult| tried.judged.iter().any(|one| one.standing == Judgment::Missed);
        again.or(best).is_some_and(misses)
    }

    /// Returns a sentence about the failed games, or an empty string if no game failed.
    fn failures(&self) -> String {
        let failed: Vec<u64> = self.tried.values().map(SettingResult::failed_games).collect();
        let settings = failed.iter().filter(|failed| **failed > 0).count();
        if settings == 0 {
            return String::new();
        }
        let games = count_text(failed.iter().sum::<u64>() as usize, "game");
        format!(" {games} failed, in {} of {}.", settings, count_text(failed.len(), "setting"))
    }

    fn verdict(&self, order: &[Setting], again: Option<&SettingResult>) -> String {
        let is_played = |tried: &&SettingResult| tried.figures.games > 0;
        let best = order.first().and_then(|setting| Some((setting, self.tried.get(setting).filter(is_played)?)));
        let Some((setting, tried)) = best else { return "Nothing was played.".to_owned() };
        let failures = self.failures();
        if tried.judged.is_empty() {
            let none = "The game states no targets: write `[targets]` in game.toml to have settings judged.";
            return format!("{none}{failures}");
        }
        let mut text =
            format!("Nearest to the targets: {} ({}).", self.setting_name(setting), standings(&tried.judged));
        if let Some(again) = again {
            text.extend([" Played again with other seeds: ", &verification_text(again), "."]);
        }
        if self.is_missed(order, again) {
            text.push_str(" No setting meets the targets.");
        } else if again.unwrap_or(tried).judged.iter().any(|one| one.standing == Judgment::Open) {
            text.push_str(" Whether it meets them all is open: more games would settle it.");
        }
        text + failures.as_str()
    }
}

/// Returns the name of the checkpoint for a setting that is played for `games` games in total.
fn checkpoint_name(setting: &Setting, games: u64) -> String {
    let places: Vec<String> = setting.iter().map(usize::to_string).collect();
    format!("{}-of-{games}", places.join("-"))
}

fn verification_text(tried: &SettingResult) -> String {
    let one = |judged: &TargetResult| {
        let value = judged
            .estimate
            .map_or_else(String::new, |estimate| format!(" {}", estimate_text(&estimate, MeasureKind::Amount)));
        format!("{}{value} {}", judged.target.figure, judged.standing.word())
    };
    let failed =
        (tried.failed_games() > 0).then(|| format!("{} failed", count_text(tried.failed_games() as usize, "game")));
    tried.judged.iter().map(one).chain(failed).collect::<Vec<_>>().join(", ")
}

fn standings(judged: &[TargetResult]) -> String {
    let words = judged.iter().map(|one| format!("{} {}", one.target.figure, one.standing.word()));
    words.collect::<Vec<_>>().join(", ")
}

/// Maximum number of values in the range of a dial.
const MAX_VALUES: i64 = 1000;

/// Parses a dial: a path, `=`, and a list of values or a range with an optional step.
pub(super) fn parse_dial(text: &str) -> Result<Dial, String> {
    let (path, values) = text.split_once('=').ok_or("write a path, `=` and values such as `15..30/5`")?;
    let values = match values.split_once("..") {
        Some((low, rest)) => parse_range(low, rest)?,
        None => values.split(',').map(|value| value.trim().to_owned()).collect(),
    };
    if path.trim().is_empty() || values.iter().any(String::is_empty) {
        return Err("write a path, `=` and values such as `15..30/5` or `5,10,20`".to_owned());
    }
    Ok(Dial { path: path.trim().to_owned(), values })
}

fn parse_range(low: &str, rest: &str) -> Result<Vec<String>, String> {
    let wrong = || "write a range as `15..30` or `15..30/5`, in whole numbers".to_owned();
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| wrong());
    let (high, step) = match rest.split_once('/') {
        Some((high, step)) => (number(high)?, number(step)?),
        None => (number(rest)?, 1),
    };
    let low = number(low)?;
    let count = high.checked_sub(low).filter(|span| step > 0 && *span >= 0).ok_or_else(wrong)? / step + 1;
    if count > MAX_VALUES {
        return Err(format!("{count} values are too many: take larger steps"));
    }
    Ok((0..count).map(|at| (low + at * step).to_string()).collect())
}

//! `parlour sweep`: many settings of a game's numbers, and the one that meets the targets.

use super::arguments::{Agents, ChosenOrKept, Format, check_players};
use super::check::counted;
use super::interruption::{is_stopped, listen_to_games, stop};
use super::origin::{base_of, resumed_agents};
use super::output::{Failure, Output, usage};
use super::run::fault_document;
use super::running::{
    Call, Following, Many, Pace, Saves, check_new, given_up, part_of, print_done, print_going_on, print_interrupted,
    print_unfinished, progress, without_default,
};
use super::saving::write_below;
use super::simulate::other_figures;
use super::table::TextTable;
use super::{examples, opening, stories};
use crate::diagnostic::shown;
use crate::model::Language;
use crate::report::{
    Checkpoint, Finding, RunRequest, SweepRow, Weight, estimate_text, sweep_page, sweep_table, unfinished,
};
use crate::session::{Game, Setup};
use crate::simulation::{
    Batch, Dial, Estimate, Figures, Judged, Judgment, MOST_SETTINGS, MeasureKind, Setting, check_figure, distance,
    figure, game_seed, grid, judge, replay_faults, search, simulate,
};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Plays a game with many settings of its numbers; exits with 1 when the best of them misses a target of the game
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
    chosen: ChosenOrKept,
    /// What to vary: a path or an option, `=`, and values such as `15..30/5` or `5,10,20`; may be given several times
    #[arg(long, value_name = "PATH=VALUES", required_unless_present = "resume", value_parser = dial)]
    vary: Vec<Dial>,
    /// How many play [default: as many as `--agents` names, or as few as the game allows]
    #[arg(long, short, value_name = "N", value_parser = super::arguments::players, allow_negative_numbers = true)]
    players: Option<u8>,
    #[command(flatten)]
    #[serde(flatten)]
    many: Many,
    /// Show this figure too, such as `score`, `ties` or `ending.broke`; may be given several times
    #[arg(long = "figure", value_name = "NAME")]
    figures: Vec<String>,
    /// Look for the setting that meets the targets best instead of playing all of them to the end: bad ones are dropped
    /// early, and the best one is tried again with other seeds
    #[arg(long)]
    search: bool,
    /// Where to write the sweep as a page and as a table: a new folder
    #[arg(long, short, value_name = "DIR")]
    #[serde(skip)]
    out: Option<PathBuf>,
    /// Go on with a sweep that was ended before it was done, in the folder that `--out` named: what it plays stands there
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "game", "options", "sets", "vary", "players", "games", "seed", "figures", "search", "out",
    ])]
    #[serde(skip)]
    resume: Option<PathBuf>,
    /// How the sweep is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    #[serde(skip)]
    format: Format,
    /// Where a run began that goes on, if elsewhere.
    #[arg(skip)]
    #[serde(skip)]
    base: Option<PathBuf>,
}

/// What is written when a sweep is done.
const DERIVED: [&str; 3] = ["sweep.csv", "sweep.json", "sweep.html"];

/// Figures that are shown whatever the targets are.
const USUAL: [&str; 5] = ["seat_win_gap", "score", "margin", "rounds", "decisions"];

/// What came out of one setting.
struct Tried {
    figures: Figures,
    judged: Vec<Judged>,
    shown: Vec<(String, Option<Estimate>)>,
    /// The number of the rules with everything chosen, in hexadecimal.
    rules: String,
}

impl Tried {
    /// How many games failed.
    fn failed(&self) -> u64 {
        self.figures.games - self.figures.finished
    }

    /// Tells each fault, and of which setting.
    fn print_faults(&self, name: &str, output: &mut Output) -> Result<(), Failure> {
        for fault in &self.figures.faults {
            let games = counted(fault.count as usize, "game");
            output.remark(format!("\n{name}: {games} with this fault; the first:"))?;
            if let Some(first) = &fault.first {
                output.diagnostic(first)?;
            }
        }
        Ok(())
    }
}

/// A sweep under way.
struct Sweeping<'a> {
    game: &'a Game,
    sweep: &'a Sweep,
    seats: u8,
    seed: u64,
    words: Vec<String>,
    settings: usize,
    tried: BTreeMap<Setting, Tried>,
    checkpoint: Option<&'a Checkpoint>,
    /// Whether games are played, and not only counted that were played.
    plays: bool,
}

/// What one setting is played for.
struct Trial<'a> {
    setting: &'a Setting,
    /// How many games, those played before included.
    games: u64,
    seed: u64,
    /// What is kept of it, if the sweep is ended, stands under this name.
    name: String,
}

impl Sweep {
    pub(super) fn run(mut self, output: &mut Output) -> Result<(), Failure> {
        let Some(run) = self.resume.take() else { return self.play(&Call::New, output) };
        let (mut kept, before) = RunRequest::<Self>::read(&run, "sweep")?.split();
        let agents = resumed_agents(self.many.agents.list(), kept.many.agents.list().to_vec(), &run)?;
        kept.base = base_of(&run, before.directory.as_deref());
        kept.many.agents = Agents::given(agents, kept.base.clone());
        (kept.many.jobs, kept.many.memory) = (self.many.jobs, self.many.memory);
        (kept.format, kept.out) = (self.format, Some(run));
        kept.play(&Call::Resume(before), output)
    }

    /// Writes the page of a run, of one that was not finished with what was played; returns the page.
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
        self.check_dials(&game)?;
        let settings = grid(&self.vary);
        if settings.len() > MOST_SETTINGS {
            let message = format!("there are {} settings, and {MOST_SETTINGS} at most can be played", settings.len());
            return Err(Failure::Usage(message, Some("vary fewer numbers at once, or in larger steps".to_owned())));
        }
        let seed = self.many.seed(output)?;
        self.many.seed = Some(seed);
        let words = self.words(&game, seats, output)?;
        let asked = self.asked(&game, seats, call, output)?;
        let take_up = |out: &PathBuf| Checkpoint::take_up(out, &asked, call.before(), &DERIVED);
        let checkpoint = match (&self.out, self.out.as_ref().map(take_up).transpose()?) {
            (Some(out), Some(None)) => return print_done(out, output),
            (_, checkpoint) => checkpoint.flatten(),
        };
        let mut sweeping = Sweeping {
            game: &game,
            sweep: &self,
            seats,
            seed,
            words,
            settings: settings.len(),
            tried: BTreeMap::new(),
            checkpoint: checkpoint.as_ref(),
            plays: call.plays(),
        };
        if self.search && call.before().is_some() {
            output.remark("going on with the search")?;
        } else if let Call::Resume(_) = call {
            let kept = settings.iter().filter(|setting| sweeping.is_kept(setting)).count();
            let played = part_of(kept as u64, settings.len() as u64, "settings, played in part or whole");
            print_going_on(&played, output)?;
        }
        listen_to_games();
        let order = sweeping.play(&settings, output)?;
        let again = if self.search && !is_stopped() { order.first().cloned() } else { None };
        let again = again.map(|best| sweeping.again(&best, output)).transpose()?;
        if let (Call::Report(_), Some(out)) = (call, &self.out) {
            let rows = sweeping.rows(&order);
            self.write(out, &sweeping, &rows, &sweeping.verdict_so_far(&rows, &order, None))?;
            let played = part_of(rows.len() as u64, settings.len() as u64, "settings");
            return print_unfinished(out, &format!("games of {played}"), output);
        }
        self.finish(&sweeping, &order, again.as_ref(), asked, output)
    }

    /// What is asked, for the folder of the run.
    fn asked(&self, game: &Game, seats: u8, call: &Call, output: &mut Output) -> Result<RunRequest<&Self>, Failure> {
        let setup = self.chosen.setup(seats);
        let layout = game.layout(&setup).map_err(|mistakes| output.mistakes_with(&setup, &mistakes))?;
        let rules = vec![format!("{:016x}", layout.model.fingerprint)];
        let files = call.agent_files(|| self.many.agents.files());
        Ok(RunRequest::new("sweep", call.directory(self.out.as_deref()), self, rules, files))
    }

    /// Every dial turns something of its own, and to another value each time.
    fn check_dials(&self, game: &Game) -> Result<(), Failure> {
        let setup = self.chosen.setup(*game.players().start());
        let is_set = |path: &str| setup.sets.iter().chain(&setup.options).any(|(name, _)| name == path);
        for (at, dial) in self.vary.iter().enumerate() {
            let path = &dial.path;
            if self.vary[..at].iter().any(|other| other.path == *path) {
                return Err(usage(format!("`--vary {path}` is given twice: write all its values in one")));
            }
            if is_set(path) {
                return Err(usage(format!("`{path}` is both set and varied: leave one of them out")));
            }
            let mut values = dial.values.iter().enumerate();
            if let Some((_, value)) = values.find(|(at, value)| dial.values[..*at].contains(value)) {
                return Err(usage(format!("`--vary {path}` names {value} twice: leave one of them out")));
            }
        }
        Ok(())
    }

    /// The figures that are shown: those of targets first.
    fn words(&self, game: &Game, seats: u8, output: &mut Output) -> Result<Vec<String>, Failure> {
        let setup = self.chosen.setup(seats);
        let layout = game.layout(&setup).map_err(|mistakes| output.mistakes_with(&setup, &mistakes))?;
        let targets = layout.model.targets.iter().map(|target| target.figure.to_string());
        let mut words: Vec<String> = Vec::new();
        for word in targets.chain(self.figures.iter().cloned()).chain(USUAL.map(str::to_owned)) {
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
        sweeping: &Sweeping<'_>,
        order: &[Setting],
        again: Option<&Tried>,
        asked: RunRequest<&Self>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let rows = sweeping.rows(order);
        let verdict = sweeping.verdict_so_far(&rows, order, again);
        if let Some(out) = &self.out {
            self.write(out, sweeping, &rows, &verdict)?;
            if let Some(checkpoint) = sweeping.checkpoint.filter(|_| !is_stopped()) {
                asked.finish(checkpoint, &DERIVED)?;
            }
            output.remark(format!("written to {}: open {}", shown(out), shown(out.join("sweep.html"))))?;
        }
        match self.format {
            Format::Text => self.print(sweeping, &rows, &verdict, again, output)?,
            Format::Json => output.json(&self.document(sweeping, &rows, &verdict))?,
        }
        if is_stopped() {
            return print_interrupted("what was played is counted", "sweep", self.out.as_deref(), output);
        }
        let fails = again.is_some_and(|tried| tried.failed() > 0) || rows.iter().any(|row| row.failed > 0);
        if fails || sweeping.is_missed(order, again) { Err(Failure::Fault) } else { Ok(()) }
    }

    fn print(
        &self,
        sweeping: &Sweeping<'_>,
        rows: &[SweepRow<'_>],
        verdict: &str,
        again: Option<&Tried>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let name = sweeping.game.id();
        output.line(format!("{name} · {} players · seed {}\n", sweeping.seats, sweeping.seed))?;
        let mut heads: Vec<String> = self.vary.iter().map(|dial| format!("#{}", dial.path)).collect();
        heads.extend(sweeping.words.iter().map(|word| format!("#{word}")));
        heads.push("#games".to_owned());
        let fails = rows.iter().any(|row| row.failed > 0);
        heads.extend(fails.then(|| "#failed".to_owned()));
        heads.push("targets".to_owned());
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
            sweeping.tried[row.setting].print_faults(&sweeping.named(row.setting), output)?;
        }
        again.map_or(Ok(()), |tried| tried.print_faults("played again with other seeds", output))
    }

    fn document(&self, sweeping: &Sweeping<'_>, rows: &[SweepRow<'_>], verdict: &str) -> Value {
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
                let faults = sweeping.tried[row.setting].figures.faults.iter().map(|fault| {
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
            "game": sweeping.game.id(),
            "players": sweeping.seats,
            "seed": sweeping.seed,
            "settings": settings,
            "verdict": verdict,
        })
    }

    /// A sentence for each fault of each setting.
    fn faults_found(sweeping: &Sweeping<'_>, rows: &[SweepRow<'_>]) -> Vec<Finding> {
        let document = |row: &SweepRow<'_>| {
            let name = sweeping.named(row.setting);
            let faults = sweeping.tried[row.setting].figures.faults.iter();
            faults
                .map(|fault| {
                    let games = counted(fault.count as usize, "game");
                    let text = format!("{name}: {games} of {} failed: {}.", row.games, fault.message);
                    Finding { weight: Weight::Wrong, about: "coverage", text }
                })
                .collect::<Vec<_>>()
        };
        rows.iter().flat_map(document).collect()
    }

    /// The first game with each fault of each setting, as playscripts.
    fn write_faults(&self, out: &Path, sweeping: &Sweeping<'_>, rows: &[SweepRow<'_>]) -> Result<(), Failure> {
        for (at, row) in rows.iter().enumerate().filter(|(_, row)| row.failed > 0) {
            let setup = sweeping.setup(row.setting);
            let figures = &sweeping.tried[row.setting].figures;
            for story in stories::faults(sweeping.game, &setup, &self.many.agents, figures) {
                write_below(out, &story.file_of(&format!("setting-{}", at + 1)), &story.text)?;
            }
        }
        Ok(())
    }

    fn write(&self, out: &Path, sweeping: &Sweeping<'_>, rows: &[SweepRow<'_>], verdict: &str) -> Result<(), Failure> {
        write_below(out, "sweep.csv", sweep_table(&self.vary, rows))?;
        self.write_faults(out, sweeping, rows)?;
        let document = serde_json::to_string_pretty(&self.document(sweeping, rows, verdict))?;
        write_below(out, "sweep.json", format!("{document}\n"))?;
        let setup = self.chosen.setup(sweeping.seats);
        let layout = sweeping.game.layout(&setup);
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
            ("Game".to_owned(), format!("{} ({})", sweeping.game.id(), self.chosen.game)),
            ("Players".to_owned(), sweeping.seats.to_string()),
            ("Options".to_owned(), pairs(&setup.options)),
            ("Changed data".to_owned(), pairs(&setup.sets)),
            ("Rules, before anything is varied".to_owned(), rules),
            ("Games of a setting at most".to_owned(), self.many.games.to_string()),
            ("Agents".to_owned(), self.many.agents.list().join(", ")),
            ("Seed".to_owned(), sweeping.seed.to_string()),
            ("Program".to_owned(), format!("Parlour {}", env!("CARGO_PKG_VERSION"))),
        ];
        let dials: Vec<&str> = self.vary.iter().map(|dial| dial.path.as_str()).collect();
        let page = sweep_page(
            &format!("{name}: {}", dials.join(" and ")),
            &format!("{} players, {}, seed {}", sweeping.seats, counted(rows.len(), "setting"), sweeping.seed),
            self.many.agents.list(),
            &self.vary,
            rows,
            (
                Self::faults_found(sweeping, rows).into_iter().chain([finding]).collect(),
                if is_stopped() { "the settings below are those that were played.".to_owned() } else { String::new() },
            ),
            &provenance,
        );
        write_below(out, "sweep.html", page)
    }
}

impl Sweeping<'_> {
    /// Plays every setting, or searches among them; returns them in order, the best first where there are targets.
    fn play(&mut self, settings: &[Setting], output: &mut Output) -> Result<Vec<Setting>, Failure> {
        let games = self.sweep.many.games;
        if self.sweep.search {
            return search(settings, games, |setting, games| self.try_out(setting, games, output));
        }
        let mut ranked = Vec::new();
        for setting in settings {
            if is_stopped() && !ranked.is_empty() && !self.is_kept(setting) {
                break;
            }
            ranked.push((self.try_out(setting, games, output)?, setting.clone()));
        }
        // Without targets every distance is nothing, and the order stays what it is.
        ranked.sort_by(|(one, _), (two, _)| one.0.cmp(&two.0).then(one.1.total_cmp(&two.1)));
        Ok(ranked.into_iter().map(|(_, setting)| setting).collect())
    }

    /// Plays a setting up to so many games, those it has played already included; how far it is from the targets.
    fn try_out(&mut self, setting: &Setting, games: u64, output: &mut Output) -> Result<(usize, f64), Failure> {
        let before = self.tried.get(setting).map_or_else(|| Figures::new(self.seats), |tried| tried.figures.clone());
        let trial = Trial { setting, games, seed: self.seed, name: name_of(setting, games) };
        let tried = self.tried(&trial, before, output)?;
        // Only who is interrupted has a setting that was not played.
        let far = if tried.figures.games > 0 { distance(&tried.judged) } else { (usize::MAX, f64::INFINITY) };
        self.tried.insert(setting.clone(), tried);
        Ok(far)
    }

    /// Whether something is kept of a setting from before the sweep was ended.
    fn is_kept(&self, setting: &Setting) -> bool {
        let name = name_of(setting, self.sweep.many.games);
        self.checkpoint.is_some_and(|checkpoint| checkpoint.kept::<Figures>(&name).is_some())
    }

    /// The settings that were played, in order.
    fn rows<'r>(&'r self, order: &'r [Setting]) -> Vec<SweepRow<'r>> {
        let row = |setting: &'r Setting| {
            let tried = self.tried.get(setting).filter(|tried| tried.figures.games > 0)?;
            Some(SweepRow {
                setting,
                figures: tried.shown.clone(),
                judged: &tried.judged,
                games: tried.figures.games,
                failed: tried.failed(),
                rules: tried.rules.clone(),
            })
        };
        order.iter().filter_map(row).collect()
    }

    /// What came out, in a sentence or two.
    fn verdict_so_far(&self, rows: &[SweepRow<'_>], order: &[Setting], again: Option<&Tried>) -> String {
        let verdict = self.verdict(order, again);
        if !is_stopped() {
            return verdict;
        }
        let played: u64 = rows.iter().map(|row| row.games).sum();
        let (count, all) = (rows.len(), counted(self.settings, "setting"));
        format!("Interrupted after {count} of {all}, {played} games. {verdict}")
    }

    /// The best setting once more with other seeds: the best of many has been lucky too.
    fn again(&self, setting: &Setting, output: &mut Output) -> Result<Tried, Failure> {
        let seed = game_seed(self.seed, u64::MAX);
        let trial = Trial { setting, games: self.sweep.many.games, seed, name: "again".to_owned() };
        self.tried(&trial, Figures::new(self.seats), output)
    }

    /// Plays a setting on from where it is.
    fn play_on(
        &self,
        figures: &mut Figures,
        trial: &Trial<'_>,
        setup: &Setup,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let Trial { setting, games, seed, name } = trial;
        let many = &self.sweep.many;
        let bar = progress(games.saturating_sub(figures.games), self.named(setting));
        let games = figures.games..figures.games.max(*games);
        let batch = Batch { games, seed: *seed, jobs: many.jobs(), setup: setup.clone(), prospects: None };
        let player = |seed, seat| many.agents.player(seed, seat);
        replay_faults(figures, self.game, &batch, &player).map_err(|error| given_up(error, setup, output))?;
        let before = figures.clone();
        let save = |more: &Figures| {
            let mut figures = before.clone();
            figures.merge(more);
            self.checkpoint.map_or(Ok(()), |checkpoint| checkpoint.keep(name, &figures))
        };
        let following = Following {
            bar: &bar,
            keeps: None,
            saves: Some(Saves::Figures(&save)),
            enough: None,
            pace: Pace::default(),
        };
        let more = simulate(self.game, &batch, &player, &following);
        bar.finish_and_clear();
        let more = more.map_err(|error| given_up(error, setup, output))?;
        if more.games > 0 {
            save(&more)?;
        }
        figures.merge(&more);
        Ok(())
    }

    /// Plays a setting on from what was played before, or was kept when the sweep was ended.
    fn tried(&self, trial: &Trial<'_>, before: Figures, output: &mut Output) -> Result<Tried, Failure> {
        let Trial { setting, games, name, .. } = trial;
        let kept = self.checkpoint.and_then(|checkpoint| checkpoint.kept::<Figures>(name));
        let kept = kept.filter(|kept| kept.seats == self.seats && (before.games..=*games).contains(&kept.games));
        let mut figures = kept.unwrap_or(before);
        let setup = self.setup(setting);
        let layout = self.game.layout(&setup).map_err(|mistakes| output.mistakes_with(&setup, &mistakes))?;
        if !figures.fits(&layout.model) {
            return Err(other_figures(self.seats));
        }
        if self.plays {
            self.play_on(&mut figures, trial, &setup, output)?;
        }
        let many = &self.sweep.many;
        let judged = judge(&layout.model, &figures);
        for fault in figures.diagnostics_mut() {
            if let Some(command) = fault.reproduce.as_mut().filter(|command| !command.contains(" --agents ")) {
                command.push_str(&many.agents.words());
            }
        }
        let found = |word: &String| figure(&layout.model, &figures, word).filter(|found| found.count > 0);
        let value = |word: &String| (word.clone(), found(word));
        let shown = self.words.iter().map(value).collect();
        let rules = format!("{:016x}", layout.model.fingerprint);
        Ok(Tried { figures, judged, shown, rules })
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

    fn named(&self, setting: &Setting) -> String {
        let dials = self.sweep.vary.iter().zip(setting);
        dials.map(|(dial, at)| format!("{} = {}", dial.path, dial.values[*at])).collect::<Vec<_>>().join(", ")
    }

    /// Whether there are targets, and no setting keeps them.
    fn is_missed(&self, order: &[Setting], again: Option<&Tried>) -> bool {
        let best = order.first().and_then(|setting| self.tried.get(setting));
        let misses = |tried: &Tried| tried.judged.iter().any(|one| one.standing == Judgment::Missed);
        again.or(best).is_some_and(misses)
    }

    /// How many games failed, if any did.
    fn failures(&self) -> String {
        let failed: Vec<u64> = self.tried.values().map(Tried::failed).collect();
        let settings = failed.iter().filter(|failed| **failed > 0).count();
        if settings == 0 {
            return String::new();
        }
        let games = counted(failed.iter().sum::<u64>() as usize, "game");
        format!(" {games} failed, in {} of {}.", settings, counted(failed.len(), "setting"))
    }

    fn verdict(&self, order: &[Setting], again: Option<&Tried>) -> String {
        let is_played = |tried: &&Tried| tried.figures.games > 0;
        let best = order.first().and_then(|setting| Some((setting, self.tried.get(setting).filter(is_played)?)));
        let Some((setting, tried)) = best else { return "Nothing was played.".to_owned() };
        let failures = self.failures();
        if tried.judged.is_empty() {
            let none = "The game states no targets: write `[targets]` in game.toml to have settings judged.";
            return format!("{none}{failures}");
        }
        let mut text = format!("Nearest to the targets: {} ({}).", self.named(setting), standings(&tried.judged));
        if let Some(again) = again {
            text.extend([" Played again with other seeds: ", &verdict_again(again), "."]);
        }
        if self.is_missed(order, again) {
            text.push_str(" No setting meets the targets.");
        } else if again.unwrap_or(tried).judged.iter().any(|one| one.standing == Judgment::Open) {
            text.push_str(" Whether it meets them all is open: more games would settle it.");
        }
        text + failures.as_str()
    }
}

/// Under which name the games of a setting are kept.
fn name_of(setting: &Setting, games: u64) -> String {
    let places: Vec<String> = setting.iter().map(usize::to_string).collect();
    format!("{}-of-{games}", places.join("-"))
}

fn verdict_again(tried: &Tried) -> String {
    let one = |judged: &Judged| {
        let value = judged
            .estimate
            .map_or_else(String::new, |estimate| format!(" {}", estimate_text(&estimate, MeasureKind::Amount)));
        format!("{}{value} {}", judged.target.figure, judged.standing.word())
    };
    let failed = (tried.failed() > 0).then(|| format!("{} failed", counted(tried.failed() as usize, "game")));
    tried.judged.iter().map(one).chain(failed).collect::<Vec<_>>().join(", ")
}

fn standings(judged: &[Judged]) -> String {
    let words = judged.iter().map(|one| format!("{} {}", one.target.figure, one.standing.word()));
    words.collect::<Vec<_>>().join(", ")
}

/// The most values of one dial.
const MOST_VALUES: i64 = 1000;

/// A path, `=`, and a list of values or a range with a step.
fn dial(text: &str) -> Result<Dial, String> {
    let (path, values) = text.split_once('=').ok_or("write a path, `=` and values such as `15..30/5`")?;
    let values = match values.split_once("..") {
        Some((low, rest)) => stepped(low, rest)?,
        None => values.split(',').map(|value| value.trim().to_owned()).collect(),
    };
    if path.trim().is_empty() || values.iter().any(String::is_empty) {
        return Err("write a path, `=` and values such as `15..30/5` or `5,10,20`".to_owned());
    }
    Ok(Dial { path: path.trim().to_owned(), values })
}

fn stepped(low: &str, rest: &str) -> Result<Vec<String>, String> {
    let wrong = || "write a range as `15..30` or `15..30/5`, in whole numbers".to_owned();
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| wrong());
    let (high, step) = match rest.split_once('/') {
        Some((high, step)) => (number(high)?, number(step)?),
        None => (number(rest)?, 1),
    };
    let low = number(low)?;
    let count = high.checked_sub(low).filter(|span| step > 0 && *span >= 0).ok_or_else(wrong)? / step + 1;
    if count > MOST_VALUES {
        return Err(format!("{count} values are too many: take larger steps"));
    }
    Ok((0..count).map(|at| (low + at * step).to_string()).collect())
}

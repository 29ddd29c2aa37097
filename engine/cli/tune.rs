//! `parlour tune`: finds the smallest change of a game's numbers that meets its targets.

use super::arguments::{Agents, ChosenOrResumed, Format, check_players, players};
use super::check::count_text;
use super::interruption::{is_stopped, listen_to_games};
use super::origin::{base_of, resumed_agents};
use super::output::{Failure, Output, usage};
use super::running::{
    BatchArguments, Call, check_new, play_more, print_done, print_interrupted, print_resuming, progress,
    without_default,
};
use super::saving::write_below;
use super::sweep::parse_dial;
use super::table::TextTable;
use super::target_argument::{TargetArgument, parse_target_argument};
use super::{examples, opening};
use crate::diagnostic::{GAME, Role, shortened, shown};
use crate::files::{Directory, Refused};
use crate::loader::set_number;
use crate::model::{Language, Model, Setting as ParamValue};
use crate::report::Heading;
use crate::report::{
    Checkpoint, Finding, RunRequest, TunedRow, Weight, estimate_text, figure_kind, figure_name, tuning_page,
};
use crate::session::{Game, Setup, quoted};
use crate::simulation::{
    Batch, Dial, Figures, Judgment, Setting, TargetResult, TunableNumber, TunedSetting, change_size, distance,
    game_seed, judge, tune,
};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Searches for the smallest change of a game's numbers that meets its targets
#[derive(Args, Debug, Serialize, Deserialize)]
#[command(help_template = examples!(
    "parlour tune games/my-game --target 'seat gap < 3 points' --players 4",
    "parlour tune games/my-game --vary params.fee=1..6 --vary card.boom.count=2..8 --target 'rounds 5..8'",
    "parlour tune games/my-game --agents trader --out runs/tuned",
    "parlour tune games/my-game --target 'success >= 0.4' --apply",
    "parlour tune --resume runs/tuned",
    "parlour tune games/my-game --resume runs/tuned --apply",
))]
#[command(mut_arg("agents", without_default))]
pub(super) struct Tune {
    #[command(flatten)]
    #[serde(flatten)]
    chosen: ChosenOrResumed,
    /// Target besides those of the game, such as 'seat gap < 3 points', 'success >= 40 %' or 'rounds 5..8'; may be repeated
    #[arg(long = "target", value_name = "FIGURE < N", value_parser = parse_target_argument)]
    targets: Vec<TargetArgument>,
    /// Number that may change, as a path, `=`, and values such as `15..30/5` or `5,10,20`; may be repeated [default: the numbers of all
    /// params and the counts of all components with several copies]
    #[arg(long, value_name = "PATH=VALUES", value_parser = parse_dial)]
    vary: Vec<Dial>,
    /// Number of players [default: the number of agents that `--agents` lists, otherwise the fewest the game allows]
    #[arg(long, short, value_name = "N", value_parser = players, allow_negative_numbers = true)]
    players: Option<u8>,
    #[command(flatten)]
    #[serde(flatten)]
    many: BatchArguments,
    /// New folder for a page that shows the trade-off between the size of the change and the targets, and for an overlay with the change
    #[arg(long, short, value_name = "DIR")]
    #[serde(skip)]
    out: Option<PathBuf>,
    /// Resume an interrupted search. DIR is the folder that was given to `--out`; it contains the other arguments. With `--apply`, name the
    /// game too
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "options", "sets", "targets", "vary", "players", "games", "seed", "out",
    ])]
    #[serde(skip)]
    resume: Option<PathBuf>,
    /// Write the change into the files of the game
    #[arg(long)]
    #[serde(skip)]
    apply: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    #[serde(skip)]
    format: Format,
    /// Folder of the game that `--apply` changes, if the search is resumed.
    #[arg(skip)]
    #[serde(skip)]
    applies_to: Option<PathBuf>,
    /// Working directory in which a resumed search was started, if it differs from the current one.
    #[arg(skip)]
    #[serde(skip)]
    base: Option<PathBuf>,
}

/// Files written when the search is complete.
const DERIVED: [&str; 3] = ["tune.json", OVERLAY, "tune.html"];

/// Maximum number of numbers that are varied without `--vary`. Games with more numbers need `--vary`.
const MAX_NUMBERS: usize = 40;

/// Maximum number of values of all numbers together, with their present values. Each value is tried, and the search keeps the figures of each setting.
const MAX_VALUES: usize = 1_000;

/// Maximum number of settings that are played again because they meet the targets. Settings with smaller changes come first.
const MAX_VERIFIED: usize = 6;

/// Factors by which numbers are varied without `--vary`.
const FACTORS: [f64; 5] = [0.5, 0.75, 1.25, 1.5, 2.0];

/// Largest absolute value of the numbers that are also varied by one.
const MAX_VARIED_BY_ONE: i64 = 8;

/// Maximum size of a game's file that `--apply` edits, in bytes.
const LARGEST_FILE: u64 = 4 << 20;

/// Name of the overlay in the folder of a run.
const OVERLAY: &str = "tuned.toml";

/// Results of the search.
struct Tuning {
    /// Settings of the trade-off, from the present one to the one nearest to the targets.
    front: Vec<TunedSetting>,
    /// Index in `front` of the smallest change that also meets the targets in games with another seed, and the results of those games.
    found: Option<(usize, Vec<TargetResult>)>,
    /// Number of settings without results, for example because the game cannot be played with them.
    impossible: usize,
}

/// State of the search.
struct Search<'a> {
    tune: &'a Tune,
    game: &'a Game,
    seats: u8,
    seed: u64,
    numbers: &'a [TunableNumber],
    checkpoint: Option<&'a Checkpoint>,
    /// Figures of each setting that was tried; `None` if the game cannot be played with the setting, one of its games failed, or the search
    /// was interrupted.
    played: BTreeMap<Setting, Option<Figures>>,
}

impl Tune {
    pub(super) fn run(mut self, output: &mut Output) -> Result<(), Failure> {
        let Some(run) = self.resume.take() else { return self.play(&Call::New, output) };
        let (mut kept, before) = RunRequest::<Self>::read(&run, "tune")?.split();
        let agents = resumed_agents("--agents", self.many.agents.list(), kept.many.agents.list().to_vec(), &run)?;
        kept.base = base_of(&run, before.directory.as_deref());
        self.check_game(&kept, &run)?;
        kept.applies_to = Some(PathBuf::from(&self.chosen.game));
        kept.many.agents = Agents::from_command_line(agents, kept.base.clone());
        (kept.many.jobs, kept.many.memory) = (self.many.jobs, self.many.memory);
        (kept.format, kept.apply, kept.out) = (self.format, self.apply, Some(run));
        kept.play(&Call::Resume(before), output)
    }

    /// Checks that the game of a resumed search is the one that the command line names, if it names any. `--apply` writes into the files of
    /// the game, so only the command line may name it: the folder of the run may come from a stranger.
    fn check_game(&self, kept: &Self, run: &Path) -> Result<(), Failure> {
        let given = &self.chosen.game;
        let opened = kept.base.as_ref().map(|base| base.join(&kept.chosen.game)).filter(|folder| folder.exists());
        let opened = opened.unwrap_or_else(|| PathBuf::from(&kept.chosen.game));
        if !given.is_empty() {
            let resolved = |path: &Path| path.canonicalize().ok();
            if resolved(Path::new(given)) == resolved(&opened) && (given == &kept.chosen.game || opened.exists()) {
                return Ok(());
            }
            return Err(usage(format!("`{}` is not the game of the search in `{}`", shortened(given), shown(run))));
        }
        if !self.apply {
            return Ok(());
        }
        let message = format!("`--apply` would change the game that the folder `{}` names", shown(run));
        let help = format!("if it is the one that you mean, name it: `parlour tune {} …`", quoted(&shown(&opened)));
        Err(Failure::Usage(message, Some(help)))
    }

    fn play(mut self, call: &Call, output: &mut Output) -> Result<(), Failure> {
        let game = opening::open_from(&self.chosen.game, self.base.as_deref(), &[], output)?;
        let seats = self.players.unwrap_or_else(|| self.many.agents.usual_seats(&game));
        check_players(&game, seats)?;
        self.many.agents.check(&game, seats, output)?;
        if let (Some(out), Call::New) = (&self.out, call) {
            check_new(out)?;
        }
        let setup = self.setup(seats);
        let layout = game.layout(&setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
        let model = &layout.model;
        if model.targets.is_empty() {
            let help = "give one with `--target 'seat gap < 3 points'`, or write `[targets]` in `game.toml`".to_owned();
            return Err(Failure::Usage("there are no targets to tune for".to_owned(), Some(help)));
        }
        let numbers = self.numbers(model)?;
        let seed = self.many.seed(output)?;
        self.many.seed = Some(seed);
        let files = call.agent_files(|| self.many.agents.files());
        let rules = vec![format!("{:016x}", model.fingerprint)];
        let request = RunRequest::new("tune", call.directory(self.out.as_deref()), &self, rules, files);
        let start = |out: &PathBuf| Checkpoint::start_or_resume(out, &request, call.original_request(), &DERIVED);
        let checkpoint = match (&self.out, self.out.as_ref().map(start).transpose()?) {
            (Some(out), Some(None)) => return print_done(out, output),
            (_, checkpoint) => checkpoint.flatten(),
        };
        if call.original_request().is_some() {
            print_resuming("the games of the search that were played", output)?;
        }
        listen_to_games();
        let mut search = Search {
            tune: &self,
            game: &game,
            seats,
            seed,
            numbers: &numbers,
            checkpoint: checkpoint.as_ref(),
            played: BTreeMap::new(),
        };
        let tuning = search.run(output)?;
        if is_stopped() {
            let kept = if self.out.is_some() { "the games that were played are kept" } else { "nothing is kept" };
            return print_interrupted(kept, "tune", self.out.as_deref(), output);
        }
        if let Some(out) = &self.out {
            self.write(out, model, &search, &tuning)?;
            if let Some(checkpoint) = &checkpoint {
                request.finish(checkpoint, &DERIVED)?;
            }
            output.remark(format!("written to {}: open {}", shown(out), shown(out.join("tune.html"))))?;
        }
        match self.format {
            Format::Text => self.print(model, &search, &tuning, output)?,
            Format::Json => output.json(&document(&search, &tuning))?,
        }
        if let Some((at, _)) = tuning.found.as_ref().filter(|(at, _)| self.apply && *at > 0) {
            let folder = self.applies_to.as_deref().unwrap_or_else(|| Path::new(game.path()));
            Self::apply_changes(folder, &search.changes(&tuning.front[*at].setting), output)?;
        }
        if tuning.found.is_some() { Ok(()) } else { Err(Failure::Fault) }
    }

    /// Returns the setup of the search, including the targets given on the command line.
    fn setup(&self, seats: u8) -> Setup {
        let mut setup = self.chosen.setup(seats);
        setup.sets.extend(self.targets.iter().map(TargetArgument::to_set));
        setup
    }

    /// Returns the numbers that may change.
    fn numbers(&self, model: &Model) -> Result<Vec<TunableNumber>, Failure> {
        if self.vary.is_empty() {
            let numbers = usual_numbers(model);
            if numbers.is_empty() {
                return Err(usage("the game has no numbers in params and no counts: name some with `--vary`"));
            }
            if numbers.len() > MAX_NUMBERS {
                let message = format!("the game has {} numbers, which are too many to try them all", numbers.len());
                return Err(Failure::Usage(message, Some("name those that may change with `--vary`".to_owned())));
            }
            return Ok(numbers);
        }
        let values: usize = self.vary.iter().map(|dial| dial.values.len() + 1).sum();
        if values > MAX_VALUES {
            return Err(usage(format!("the numbers have {values} values, but at most {MAX_VALUES} can be tried")));
        }
        let number = |dial: &Dial| {
            let Some(present) = present_value(model, &dial.path) else {
                let message = format!("`{}` is no number of a param, and no count or number of a component", dial.path);
                return Err(Failure::Usage(
                    message,
                    Some("write a path such as `params.fee` or `card.ace.count`".to_owned()),
                ));
            };
            if let Some(value) = dial.values.iter().find(|value| value.parse::<i64>().is_err()) {
                return Err(usage(format!("`{value}` is no whole number for `{}`", dial.path)));
            }
            Ok(tunable(&dial.path, present, dial.values.iter().filter_map(|value| value.parse().ok())))
        };
        self.vary.iter().map(number).collect()
    }

    fn print(&self, model: &Model, search: &Search<'_>, tuning: &Tuning, output: &mut Output) -> Result<(), Failure> {
        let (name, agents) = (model.name.get(Language::English), self.many.agents.list().join(", "));
        let players = count_text(model.seats.into(), "player");
        output.line(format!("{name} · {players} · {agents} · seed {}\n", search.seed))?;
        let rows = search.rows(tuning);
        let figures = rows[0].judged.iter().map(|one| Heading::number(figure_name(&one.target.figure)));
        let heads = [Heading::text("change"), Heading::number("size")];
        let mut table = TextTable::new(heads.into_iter().chain(figures));
        for row in &rows {
            let mut cells = vec![row.name.clone(), format!("{:.0} %", row.size * 100.0)];
            cells.extend(row.judged.iter().map(target_text));
            table.row(cells);
        }
        table.lines("  ").into_iter().try_for_each(|line| output.line(line))?;
        output.line(format!("\n  {}", Self::verdict(search, tuning)))?;
        if let Some((at, _)) = tuning.found.as_ref().filter(|(at, _)| *at > 0) {
            let patch = overlay_toml(model, &search.changes(&tuning.front[*at].setting));
            output.line(format!("\n{}", patch.trim_end()))?;
        }
        Ok(())
    }

    /// Summarizes the result in a few sentences.
    fn verdict(search: &Search<'_>, tuning: &Tuning) -> String {
        let impossible = match tuning.impossible {
            0 => String::new(),
            count => format!(" The game cannot be played with {}.", count_text(count, "setting that was tried")),
        };
        let Some((at, again)) = &tuning.found else {
            let nearest = tuning.front.last().map_or_else(String::new, |last| search.name(&last.setting));
            return format!("No change that was tried meets the targets; the nearest is: {nearest}.{impossible}");
        };
        let is_open = again.iter().any(|one| one.standing == Judgment::Open);
        if *at == 0 {
            let text = if is_open {
                "As it is, the game may meet its targets: the figures do, but their intervals reach beyond. More `--games` would settle it."
            } else {
                "The game meets its targets as it is."
            };
            return format!("{text}{impossible}");
        }
        let again: Vec<String> =
            again.iter().map(|one| format!("{} {}", figure_name(&one.target.figure), target_text(one))).collect();
        let open =
            if is_open { " The intervals reach beyond the targets: more `--games` would settle it." } else { "" };
        format!(
            "Smallest change that meets the targets: {}. Played again with other seeds: {}.{open}{impossible}",
            search.name(&tuning.front[*at].setting),
            again.join(", ")
        )
    }

    fn write(&self, out: &Path, model: &Model, search: &Search<'_>, tuning: &Tuning) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(&document(search, tuning))?;
        write_below(out, "tune.json", format!("{text}\n"))?;
        let patch = tuning
            .found
            .as_ref()
            .filter(|(at, _)| *at > 0)
            .map(|(at, _)| overlay_toml(model, &search.changes(&tuning.front[*at].setting)));
        if let Some(patch) = &patch {
            write_below(out, OVERLAY, patch)?;
        }
        let weight = if tuning.found.is_some() { Weight::Note } else { Weight::Wrong };
        let verdict = Finding { weight, about: "", text: Self::verdict(search, tuning) };
        let name = model.name.get(Language::English);
        let varied: Vec<&str> = search.numbers.iter().map(|number| number.dial.path.as_str()).collect();
        let provenance = [
            ("Game".to_owned(), format!("{} ({})", search.game.id(), self.chosen.game)),
            ("Numbers that could change".to_owned(), varied.join(", ")),
            ("Games of a setting at most".to_owned(), self.many.games.to_string()),
            ("Agents".to_owned(), self.many.agents.list().join(", ")),
            ("Seed".to_owned(), search.seed.to_string()),
            ("Program".to_owned(), format!("Parlour {}", env!("CARGO_PKG_VERSION"))),
        ];
        let found = tuning.found.as_ref().map(|(at, _)| *at);
        let page = tuning_page(
            &format!("{name}: tuned"),
            (model.seats, self.many.agents.list()),
            &search.rows(tuning),
            found,
            verdict,
            &provenance,
        );
        write_below(out, "tune.html", page)
    }

    /// Writes the new numbers into the files of the game.
    fn apply_changes(folder: &Path, changes: &[Change], output: &mut Output) -> Result<(), Failure> {
        let unreadable = |error: Refused| usage(format!("`{}` cannot be read: {error}", shown(folder)));
        let directory = Directory::open(folder).map_err(|_| {
            let game = shown(folder);
            let message = format!("`{game}` comes with the program, whose files cannot be changed");
            Failure::Usage(message, Some(format!("copy it: `parlour new my-game --from {}`", quoted(&game))))
        })?;
        let mut files: Vec<(String, String)> = Vec::new();
        for name in game_files(&directory).map_err(unreadable)? {
            let bytes = directory.read(&name, LARGEST_FILE).map_err(unreadable)?;
            if let Ok(text) = String::from_utf8(bytes) {
                files.push((name, text));
            }
        }
        let mut edited: Vec<usize> = Vec::new();
        for change in changes {
            let path: Vec<&str> = change.path.split('.').collect();
            let place = files
                .iter()
                .enumerate()
                .find_map(|(at, (_, text))| Some((at, set_number(text, &path, &change.after)?)));
            let Some((at, text)) = place else {
                let message = format!("`{}` is not written as one number in the files of the game", change.path);
                let help =
                    format!("change it by hand, from {} to {}: nothing has been written", change.before, change.after);
                return Err(Failure::Usage(message, Some(help)));
            };
            files[at].1 = text;
            edited.push(at);
        }
        edited.sort_unstable();
        edited.dedup();
        for at in edited {
            let (name, text) = &files[at];
            let written = directory.write(name, text.as_bytes());
            written.map_err(|error| usage(format!("`{}` cannot be written: {error}", shown(folder.join(name)))))?;
            output.remark(format!("changed {}", shown(folder.join(name))))?;
        }
        Ok(())
    }
}

/// Returns the paths of the files that can contain tunable numbers: `game.toml` and the TOML files of components.
fn game_files(folder: &Directory) -> Result<Vec<String>, Refused> {
    let mut found = vec![GAME.to_owned()];
    let folder_name = Role::Components.folder();
    match folder.subfolder(folder_name) {
        Ok(components) => {
            let names = components.names(usize::MAX)?;
            let is_toml = |name: &String| Path::new(name).extension().is_some_and(|extension| extension == "toml");
            found.extend(names.into_iter().filter(is_toml).map(|name| format!("{folder_name}/{name}")));
        }
        Err(refused) if refused.is_missing() => {}
        Err(refused) => return Err(refused),
    }
    found.sort();
    Ok(found)
}

/// Change of one number.
struct Change {
    path: String,
    before: String,
    after: String,
}

impl Search<'_> {
    fn run(&mut self, output: &mut Output) -> Result<Tuning, Failure> {
        let numbers = self.numbers;
        let front = tune(numbers, self.tune.many.games, |setting, games| self.distance(setting, games, output))?;
        if front.is_empty() {
            return Err(usage("the game cannot be played as it is: `parlour check` says why"));
        }
        let mut tuning = Tuning { front, found: None, impossible: 0 };
        tuning.impossible = self.played.values().filter(|figures| figures.is_none()).count();
        let meeting = (0..tuning.front.len()).filter(|at| tuning.front[*at].distance == (0, 0.0));
        for at in meeting.take(MAX_VERIFIED).collect::<Vec<_>>() {
            if is_stopped() {
                break;
            }
            let setting = tuning.front[at].setting.clone();
            // The best of many settings is partly luck, so other games must confirm it.
            let trial = Trial {
                setting: &setting,
                games: self.tune.many.games,
                seed: game_seed(self.seed, u64::MAX),
                name: format!("{}-again", setting_places(&setting)),
            };
            let Some(figures) = self.play(&trial, Figures::new(self.seats), output)? else { continue };
            let judged = self.judge_setting(&setting, &figures);
            if judged.iter().all(|one| one.standing != Judgment::Missed && one.distance <= 0.0) {
                tuning.found = Some((at, judged));
                break;
            }
        }
        Ok(tuning)
    }

    /// Plays a setting until it has `games` games in total. Returns its distance from the targets, or `None` if the game cannot be played
    /// with the setting, a game fails, or the user interrupts.
    fn distance(
        &mut self,
        setting: &Setting,
        games: u64,
        output: &mut Output,
    ) -> Result<Option<(usize, f64)>, Failure> {
        let before = self.played.remove(setting).unwrap_or_else(|| Some(Figures::new(self.seats)));
        let Some(before) = before else {
            self.played.insert(setting.clone(), None);
            return Ok(None);
        };
        let name = format!("{}-of-{games}", setting_places(setting));
        let trial = Trial { setting, games, seed: self.seed, name };
        let figures = if is_stopped() { None } else { self.play(&trial, before, output)? };
        let found = figures.as_ref().map(|figures| {
            let judged = self.judge_setting(setting, figures);
            // A target counts as met here if its figure is within the bounds, however wide the interval is.
            let missed = judged.iter().filter(|one| one.distance > 0.0).count();
            (missed, distance(&judged).1)
        });
        self.played.insert(setting.clone(), figures);
        Ok(found)
    }

    /// Plays further games of a setting until it has the total number of games in `trial`. Returns `None` if the game cannot be played with
    /// the setting, a game fails, or an interruption prevents the first game.
    fn play(&self, trial: &Trial<'_>, before: Figures, output: &mut Output) -> Result<Option<Figures>, Failure> {
        let Trial { setting, games, seed, name } = trial;
        let setup = self.setup(setting);
        let Ok(layout) = self.game.layout(&setup) else { return Ok(None) };
        if before.games >= *games {
            return Ok(Some(before));
        }
        let kept = self.checkpoint.and_then(|checkpoint| checkpoint.load::<Figures>(name)).filter(|kept| {
            kept.seats == self.seats && (before.games..=*games).contains(&kept.games) && kept.fits(&layout.model)
        });
        let mut figures = kept.unwrap_or(before);
        let many = &self.tune.many;
        let bar = progress(games - figures.games, self.name(setting));
        let games = figures.games..*games;
        let batch = Batch { games, seed: *seed, jobs: many.jobs(), setup, prospects: None, campaigns: false };
        let kept = self.checkpoint.map(|checkpoint| (checkpoint, name.as_str()));
        play_more(&mut figures, self.game, &batch, &many.agents, kept, &bar, output)?;
        let is_sound = figures.games > 0 && figures.games == figures.finished;
        Ok(is_sound.then_some(figures))
    }

    fn judge_setting(&self, setting: &Setting, figures: &Figures) -> Vec<TargetResult> {
        self.game.layout(&self.setup(setting)).map_or_else(|_| Vec::new(), |layout| judge(&layout.model, figures))
    }

    fn setup(&self, setting: &Setting) -> Setup {
        let mut setup = self.tune.setup(self.seats);
        setup.sets.extend(self.changes(setting).into_iter().map(|change| (change.path, change.after)));
        setup
    }

    /// Returns the changes that a setting makes to the present numbers.
    fn changes(&self, setting: &Setting) -> Vec<Change> {
        let numbers = self.numbers.iter().zip(setting).filter(|(number, at)| number.present != **at);
        let change = |(number, at): (&TunableNumber, &usize)| {
            let values = &number.dial.values;
            Change {
                path: number.dial.path.clone(),
                before: values[number.present].clone(),
                after: values[*at].clone(),
            }
        };
        numbers.map(change).collect()
    }

    /// Returns the display name of a setting, which lists its changes.
    fn name(&self, setting: &Setting) -> String {
        let change = |change: &Change| {
            let path = change.path.trim_start_matches("params.").replace(['.', '_'], " ");
            format!("{path} {} → {}", change.before, change.after)
        };
        let changes: Vec<String> = self.changes(setting).iter().map(change).collect();
        if changes.is_empty() { "as it is".to_owned() } else { changes.join(", ") }
    }

    /// Returns a table row for each setting of the trade-off.
    fn rows(&self, tuning: &Tuning) -> Vec<TunedRow> {
        let row = |one: &TunedSetting| {
            let figures = self.played.get(&one.setting).and_then(Option::as_ref);
            let judged = figures.map_or_else(Vec::new, |figures| self.judge_setting(&one.setting, figures));
            TunedRow { name: self.name(&one.setting), size: change_size(self.numbers, &one.setting), judged }
        };
        tuning.front.iter().map(row).collect()
    }
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

/// Returns the part of a checkpoint's name that identifies a setting.
fn setting_places(setting: &Setting) -> String {
    setting.iter().map(usize::to_string).collect::<Vec<_>>().join("-")
}

/// Formats the figure of a target with its interval, and the verdict on the target.
fn target_text(one: &TargetResult) -> String {
    let kind = figure_kind(&one.target.figure);
    let value = one.estimate.map_or_else(|| "unknown".to_owned(), |found| estimate_text(&found, kind));
    format!("{value} {}", one.standing.word())
}

/// Returns the numbers that are varied by default: params that are single numbers, and counts of components with several copies. Each has
/// values around the present one.
fn usual_numbers(model: &Model) -> Vec<TunableNumber> {
    let mut found = Vec::new();
    for param in model.params.values() {
        let ParamValue::Number(present) = param.value else { continue };
        let of_players = if param.by_players.is_empty() { String::new() } else { format!(".{}", model.seats) };
        let path = format!("params.{}{of_players}", param.id);
        // 0 often switches off the feature that the number controls.
        let values = nearby_numbers(present).into_iter().chain([0]).filter(|number| param.bounds.contains(*number));
        found.push(tunable(&path, present, values));
    }
    for component in model.components.iter().filter(|component| component.count > 1) {
        let kind = &model.kinds[component.kind.index()].id;
        let present = i64::from(component.count);
        let values = nearby_numbers(present).into_iter().filter(|number| *number > 0);
        found.push(tunable(&format!("{kind}.{}.count", component.id), present, values));
    }
    found.retain(|number| number.dial.values.len() > 1);
    found
}

/// Returns numbers near `present`, but not `present` itself.
fn nearby_numbers(present: i64) -> Vec<i64> {
    let scaled = FACTORS.iter().map(|factor| (present as f64 * factor).round() as i64);
    let beside = [present - 1, present + 1].into_iter().filter(|_| present.abs() <= MAX_VARIED_BY_ONE);
    scaled.chain(beside).filter(|number| *number != present && (present < 0 || *number >= 0)).collect()
}

/// Creates a tunable number. Its values are sorted and include the present one.
fn tunable(path: &str, present: i64, values: impl Iterator<Item = i64>) -> TunableNumber {
    let mut values: Vec<i64> = values.chain([present]).collect();
    values.sort_unstable();
    values.dedup();
    let at = values.iter().position(|value| *value == present).unwrap_or(0);
    let values = values.into_iter().map(|value| value.to_string()).collect();
    TunableNumber { dial: Dial { path: path.to_owned(), values }, present: at }
}

/// Returns the present value at a path: a number of a param, the count of a component, or a number in a field of a component. Returns
/// `None` for any other path.
fn present_value(model: &Model, path: &str) -> Option<i64> {
    let parts: Vec<&str> = path.split('.').collect();
    let number = |setting: &ParamValue| match setting {
        ParamValue::Number(number) => Some(*number),
        _ => None,
    };
    match parts[..] {
        ["params", name] => number(&model.params.get(name)?.value),
        ["params", name, entry] => {
            let param = model.params.get(name)?;
            let by_players = param.by_players.iter().find(|(players, _)| players.to_string() == entry);
            match (&param.value, by_players) {
                (_, Some((_, value))) => number(value),
                (ParamValue::Table(entries), None) => number(&entries.iter().find(|(known, _)| **known == *entry)?.1),
                (value, None) if entry == model.seats.to_string() => number(value),
                _ => None,
            }
        }
        [kind, id, fact] => {
            let is_it = |one: &&crate::model::Component| *one.id == *id && *model.kinds[one.kind.index()].id == *kind;
            let component = model.components.iter().find(is_it)?;
            if fact == "count" {
                return Some(component.count.into());
            }
            let field = component.fields.iter().find(|(field, _)| *model.fields[field.index()] == *fact)?;
            model.field_text(field.1).parse().ok()
        }
        _ => None,
    }
}

/// Returns an overlay in TOML that makes the changes.
fn overlay_toml(model: &Model, changes: &[Change]) -> String {
    let (mut params, mut rows) = (String::new(), String::new());
    for change in changes {
        let parts: Vec<&str> = change.path.split('.').collect();
        match parts[..] {
            ["params", name] => params.extend([name, " = ", &change.after, "\n"]),
            ["params", name, entry] => {
                params.extend([name, " = ", &param_with(model, name, entry, &change.after), "\n"]);
            }
            [kind, id, fact] => {
                rows.extend(["\n[[", kind, "]]\nid = \"", id, "\"\n", fact, " = ", &change.after, "\n"]);
            }
            _ => {}
        }
    }
    let params = if params.is_empty() { params } else { format!("\n[params]\n{params}") };
    format!(
        "# An overlay: save it as {OVERLAY}, and compare it by `parlour compare GAME --b {OVERLAY}`.\n{params}{rows}"
    )
}

/// Returns a param as a TOML table in which the value of `entry` is replaced with `number`. A param with a single value is expanded to one
/// entry for each number of players.
fn param_with(model: &Model, name: &str, entry: &str, number: &str) -> String {
    let Some(param) = model.params.get(name) else { return number.to_owned() };
    let mut entries: Vec<(String, String)> = match &param.value {
        ParamValue::Table(entries) => entries.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        value if param.by_players.is_empty() => {
            model.players.clone().map(|players| (players.to_string(), value.to_string())).collect()
        }
        _ => param.by_players.iter().map(|(players, value)| (players.to_string(), value.to_string())).collect(),
    };
    entries.iter_mut().filter(|(key, _)| key == entry).for_each(|(_, value)| number.clone_into(value));
    let entries: Vec<String> = entries.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {} }}", entries.join(", "))
}

/// Returns the results as JSON.
fn document(search: &Search<'_>, tuning: &Tuning) -> Value {
    let judged = |judged: &[TargetResult]| -> Vec<Value> {
        let one = |one: &TargetResult| {
            json!({
                "figure": *one.target.figure,
                "value": one.estimate.map(|found| found.value),
                "standing": one.standing,
            })
        };
        judged.iter().map(one).collect()
    };
    let rows = search.rows(tuning).into_iter().zip(&tuning.front).map(|(row, one)| {
        let changes = search.changes(&one.setting).into_iter().map(|change| (change.path, json!(change.after)));
        json!({
            "set": Value::Object(changes.collect()),
            "size": row.size,
            "missed": one.distance.0,
            "distance": one.distance.1,
            "targets": judged(&row.judged),
        })
    });
    json!({
        "format": 1,
        "game": search.game.id(),
        "players": search.seats,
        "seed": search.seed,
        "games": search.tune.many.games,
        "trade_off": rows.collect::<Vec<_>>(),
        "found": tuning.found.as_ref().map(|(at, _)| at),
        "again": tuning.found.as_ref().map(|(_, again)| judged(again)),
    })
}

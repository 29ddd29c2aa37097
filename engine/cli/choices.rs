//! `parlour choices`: shows which decisions of a game are real choices.

use super::arguments::{Agents, ChosenOrResumed, Format, check_players, players};
use super::check::count_text;
use super::interruption::{is_aborted, is_stopped, listen_to_games};
use super::origin::{base_of, check_kept_worlds, resumed_agents};
use super::output::{Failure, Output};
use super::running::{
    BatchArguments, Call, CheckpointTimer, check_new, print_done, print_interrupted, print_resuming, progress,
    progress_text, report_aborted_batch, without_default,
};
use super::saving::write_below;
use super::table::TextTable;
use super::{examples, opening, stories};
use crate::diagnostic::shown;
use crate::model::{Language, Model};
use crate::report::Heading;
use crate::report::{
    Checkpoint, ExampleGames, RunRequest, Weight, choice_findings, choices_page, decision_name, percent, span,
};
use crate::session::{Game, Halt, Setup};
use crate::simulation::{
    ChoiceFollower, ChoiceMap, ChoicePlan, ChoiceProgress, DecisionChoices, Estimate, ExaminedQuestion, MeasureKind,
    map_choices,
};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Shows which decisions of a game are real choices, and which options are never worth taking
#[derive(Args, Debug, Serialize, Deserialize)]
#[command(help_template = examples!(
    "parlour choices stockpile --players 4 --games 100",
    "parlour choices games/my-game --agents trader --worlds 40 --out runs/choices",
    "parlour choices --resume runs/choices",
))]
#[command(mut_arg("agents", without_default))]
#[command(mut_arg("games", |games| games.default_value("100").help("Number of games whose questions are examined")))]
pub(super) struct Choices {
    #[command(flatten)]
    #[serde(flatten)]
    chosen: ChosenOrResumed,
    /// Number of players [default: the number of agents if `--agents` lists several, otherwise the fewest the game allows]
    #[arg(long, short, value_name = "N", value_parser = players, allow_negative_numbers = true)]
    players: Option<u8>,
    #[command(flatten)]
    #[serde(flatten)]
    many: BatchArguments,
    /// Number of imagined worlds in which the options of a decision are tried
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(i64::from(ChoicePlan::MIN_WORLDS)..=i64::from(ChoicePlan::MAX_WORLDS)))]
    worlds: u32,
    /// New folder for the results: the choice map as an HTML page, and examples as playscripts
    #[arg(long, short, value_name = "DIR")]
    #[serde(skip)]
    out: Option<PathBuf>,
    /// Resume the interrupted run stored in this folder (the one given to `--out`), with the arguments saved there
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "game", "options", "sets", "players", "games", "seed", "worlds", "out",
    ])]
    #[serde(skip)]
    resume: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    #[serde(skip)]
    format: Format,
    /// Directory in which a resumed run began, if it is not the working directory.
    #[arg(skip)]
    #[serde(skip)]
    base: Option<PathBuf>,
}

/// Files that are derived from the games, except for the examples. A resumed run deletes them, and writes them again at its end.
const DERIVED: [&str; 2] = ["choices.json", "choices.html"];

/// Name under which the counts are stored in the checkpoint.
const PROGRESS: &str = "choices";

impl Choices {
    pub(super) fn run(mut self, output: &mut Output) -> Result<(), Failure> {
        let Some(run) = self.resume.take() else { return self.play(&Call::New, output) };
        let (mut kept, before) = RunRequest::<Self>::read(&run, "choices")?.split();
        check_kept_worlds(kept.worlds, ChoicePlan::MIN_WORLDS..=ChoicePlan::MAX_WORLDS, &run)?;
        let agents = resumed_agents("--agents", self.many.agents.list(), kept.many.agents.list().to_vec(), &run)?;
        kept.base = base_of(&run, before.directory.as_deref());
        kept.many.agents = Agents::from_command_line(agents, kept.base.clone());
        (kept.many.jobs, kept.many.memory) = (self.many.jobs, self.many.memory);
        (kept.format, kept.out) = (self.format, Some(run));
        kept.play(&Call::Resume(before), output)
    }

    fn play(mut self, call: &Call, output: &mut Output) -> Result<(), Failure> {
        let game = opening::open_from(&self.chosen.game, self.base.as_deref(), &[], output)?;
        let seats = self.players.unwrap_or_else(|| self.many.agents.usual_seats(&game));
        check_players(&game, seats)?;
        self.many.agents.check(&game, seats, output)?;
        if let (Some(out), Call::New) = (&self.out, call) {
            check_new(out)?;
        }
        let setup = self.chosen.setup(seats);
        let layout = game.layout(&setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
        let model = &layout.model;
        let seed = self.many.seed(output)?;
        self.many.seed = Some(seed);
        let files = call.agent_files(|| self.many.agents.files());
        let rules = vec![format!("{:016x}", model.fingerprint)];
        let request = RunRequest::new("choices", call.directory(self.out.as_deref()), &self, rules, files);
        let start = |out: &PathBuf| Checkpoint::start_or_resume(out, &request, call.original_request(), &DERIVED);
        let checkpoint = match (&self.out, self.out.as_ref().map(start).transpose()?) {
            (Some(out), Some(None)) => return print_done(out, output),
            (_, checkpoint) => checkpoint.flatten(),
        };
        let kept = checkpoint.as_ref().and_then(|checkpoint| checkpoint.load::<ChoiceProgress>(PROGRESS));
        let begun = kept.filter(|kept| kept.fits(model, self.many.games)).unwrap_or_default();
        if call.original_request().is_some() {
            print_resuming(&progress_text(begun.played(), self.many.games, "games"), output)?;
        }
        listen_to_games();
        let bar = progress(self.many.games - begun.played().min(self.many.games), format!("{seats} players"));
        let plan = ChoicePlan {
            games: self.many.games,
            worlds: self.worlds,
            seed,
            jobs: self.many.jobs(),
            setup: setup.clone(),
        };
        let player = |seed, seat| self.many.agents.player(seed, seat);
        let halt = Halt::when(|| is_stopped() || is_aborted());
        let pace = CheckpointTimer::default();
        let save = |counts: &ChoiceProgress| {
            checkpoint.as_ref().map_or(Ok(()), |checkpoint| pace.save_if_due(|| checkpoint.save(PROGRESS, counts)))
        };
        let follower = ChoiceFollower { begun, progress: &|| bar.inc(1), save: &save };
        let map = map_choices(&game, &plan, &player, &halt, follower);
        bar.finish_and_clear();
        let map = map.map_err(|error| report_aborted_batch(error, &setup, output))?;
        if let Some(out) = &self.out {
            self.write(out, &game, &setup, model, seed, &map)?;
            if let Some(checkpoint) = checkpoint.as_ref().filter(|_| !is_stopped()) {
                request.finish(checkpoint, &DERIVED)?;
            }
            output.remark(format!("written to {}: open {}", shown(out), shown(out.join("choices.html"))))?;
        }
        match self.format {
            Format::Text => self.print(model, seed, &map, output)?,
            Format::Json => output.json(&document(&game, model, seed, &map))?,
        }
        if is_stopped() {
            return print_interrupted("what was examined is counted", "choices", self.out.as_deref(), output);
        }
        if map.games < self.many.games {
            let failed = count_text((self.many.games - map.games) as usize, "game");
            output.remark(format!("{failed} failed and are left out: `parlour simulate` shows why"))?;
            return Err(Failure::Fault);
        }
        Ok(())
    }

    fn print(&self, model: &Model, seed: u64, map: &ChoiceMap, output: &mut Output) -> Result<(), Failure> {
        output.line(format!(
            "{} · {} · {} · {} · seed {seed}\n",
            model.name.get(Language::English),
            count_text(model.seats.into(), "player"),
            count_text(map.games as usize, "game"),
            self.many.agents.list().join(", "),
        ))?;
        let mut table = TextTable::new([
            Heading::text("decision"),
            Heading::text("choice"),
            Heading::number("asked a game"),
            Heading::number("one option only"),
            Heading::number("best against worst"),
            Heading::text("95 %"),
            Heading::number("best against second"),
            Heading::text("95 %"),
        ]);
        for choices in &map.decisions {
            let shown = |estimate: &Estimate| {
                if estimate.count < 2 {
                    return [String::new(), String::new()];
                }
                [percent(estimate.value), span(estimate, MeasureKind::Share)]
            };
            let forced = choices.forced as f64 / (choices.asked + choices.forced).max(1) as f64;
            let mut row = vec![
                decision_name(model, choices.decision),
                choices.class.word().to_owned(),
                format!("{:.2}", choices.asked as f64 / map.games.max(1) as f64),
                percent(forced),
            ];
            row.extend(shown(&choices.spread).into_iter().chain(shown(&choices.lead)));
            table.row(row);
        }
        table.lines("  ").into_iter().try_for_each(|line| output.line(line))?;
        output.line("")?;
        for finding in choice_findings(model, map) {
            output.line(format!("  {} {}", if finding.weight == Weight::Note { "·" } else { "!" }, finding.text))?;
        }
        Ok(())
    }

    fn write(
        &self,
        out: &Path,
        game: &Game,
        setup: &Setup,
        model: &Model,
        seed: u64,
        map: &ChoiceMap,
    ) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(&document(game, model, seed, map))?;
        write_below(out, "choices.json", format!("{text}\n"))?;
        let example = |choices: &DecisionChoices, at: usize, question: &ExaminedQuestion| {
            let setup = setup.clone().seed(question.seed);
            let word = format!("choice-{}-{}", choices.decision.0, at + 1);
            stories::position(game, &setup, &self.many.agents, &question.answers, &word)
        };
        let games: ExampleGames = map
            .decisions
            .iter()
            .map(|choices| choices.examples.iter().enumerate().map(|(at, one)| example(choices, at, one)).collect())
            .collect();
        for found in games.iter().flatten().flatten() {
            write_below(out, &found.file, &found.text)?;
        }
        let provenance = [
            ("Game".to_owned(), format!("{} ({})", game.id(), self.chosen.game)),
            ("Worlds for each question".to_owned(), self.worlds.to_string()),
            ("Agents".to_owned(), self.many.agents.list().join(", ")),
            ("Seed".to_owned(), seed.to_string()),
            ("Program".to_owned(), format!("Parlour {}", env!("CARGO_PKG_VERSION"))),
        ];
        let title = format!("{}: choices", model.name.get(Language::English));
        let page = choices_page(&title, model, self.many.agents.list(), map, &games, &provenance);
        write_below(out, "choices.html", page)
    }
}

fn document(game: &Game, model: &Model, seed: u64, map: &ChoiceMap) -> Value {
    let estimate = |found: &Estimate| {
        let finite = |number: f64| number.is_finite().then_some(number);
        json!({ "value": found.value, "low": finite(found.interval.low), "high": finite(found.interval.high), "count": found.count })
    };
    let decision = |choices: &DecisionChoices| {
        json!({
            "decision": *model.decisions[choices.decision.index()].id,
            "phase": choices.phase.map(|phase| model.phases[usize::from(phase.0)].id.to_string()),
            "class": choices.class,
            "asked": choices.asked,
            "forced": choices.forced,
            "best_against_worst": estimate(&choices.spread),
            "best_against_second": estimate(&choices.lead),
            "dominated": choices.dominated.iter().map(|option| {
                json!({ "option": option.name, "difference": estimate(&option.difference), "best": option.best })
            }).collect::<Vec<_>>(),
            "duplicates": choices.duplicates.iter().map(|same| {
                json!({ "options": same.names, "questions": same.questions, "worlds": same.worlds })
            }).collect::<Vec<_>>(),
        })
    };
    json!({
        "format": 1,
        "game": game.id(),
        "players": model.seats,
        "seed": seed,
        "games": map.games,
        "decisions": map.decisions.iter().map(decision).collect::<Vec<_>>(),
    })
}

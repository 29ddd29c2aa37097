//! `parlour campaign`: plays many whole campaigns and shows their figures.

use super::arguments::{Agents, ChosenOrResumed, Format, GameSelection, check_players, players};
use super::check::count_text;
use super::interruption::{is_stopped, listen_to_games};
use super::output::{Failure, Output};
use super::run::fault_document;
use super::running::{
    BatchArguments, BatchProgress, CheckpointTimer, print_interrupted, progress, report_aborted_batch,
};
use super::simulate::{Simulate, histogram_cells, histogram_document, scenario_lines};
use super::table::TextTable;
use super::{examples, opening};
use crate::model::{Language, Model};
use crate::report::Heading;
use crate::report::{amount, percent, span};
use crate::session::Game;
use crate::simulation::{Batch, Campaigns, Figures, Measure, MeasureKind, simulate_campaigns};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Plays many campaigns, in which each game carries results over to the next, and shows who wins them
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour campaign games/my-game --games 1000 --players 4",
    "parlour campaign games/my-game --agents random,first --seed 7 --format json",
    "parlour campaign games/my-game --games 1000 --out runs/campaigns",
    "parlour run games/my-game --campaign --seed 7     one campaign, with its log",
))]
#[command(mut_arg("games", |games| games.help("Number of campaigns")))]
pub(super) struct Campaign {
    #[command(flatten)]
    chosen: GameSelection,
    /// Number of players [default: the number of agents if `--agents` lists several, otherwise the fewest the game allows]
    #[arg(long, short, value_name = "N", value_parser = players, allow_negative_numbers = true)]
    players: Option<u8>,
    #[command(flatten)]
    many: BatchArguments,
    /// Check the invariants of the rules at every decision, which is slower
    #[arg(long)]
    invariants: bool,
    /// New folder for the results: a row per campaign, all figures and a report, as written by `parlour simulate --campaign`
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Campaign {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let game = opening::open(&self.chosen.game, output)?;
        let game = if self.invariants { game.holding_invariants() } else { game };
        let seats = self.players.unwrap_or_else(|| self.many.agents.usual_seats(&game));
        check_players(&game, seats)?;
        self.many.agents.check(&game, seats, output)?;
        if let Some(out) = &self.out {
            return self.simulate(seats, out, output);
        }
        let setup = self.chosen.setup(seats);
        let layout = game.layout(&setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
        let model = &layout.model;
        if model.campaign.is_none() {
            let help = "declare `[campaign]` in `game.toml`, or play single games with `parlour simulate`".to_owned();
            return Err(Failure::Usage(format!("`{}` has no campaign", game.id()), Some(help)));
        }
        let seed = self.many.seed(output)?;
        listen_to_games();
        let bar = progress(self.many.games, format!("{seats} players"));
        let batch = Batch {
            games: 0..self.many.games,
            seed,
            jobs: self.many.jobs(),
            setup: setup.clone(),
            prospects: None,
            campaigns: false,
        };
        let following =
            BatchProgress { bar: &bar, keeps: None, saves: None, enough: None, pace: CheckpointTimer::default() };
        let player = |seed, seat| self.many.agents.player(seed, seat);
        let found = simulate_campaigns(&game, &batch, &player, &following);
        bar.finish_and_clear();
        let mut found = found.map_err(|error| report_aborted_batch(error, &setup, output))?;
        let of_scenarios = found.scenarios.iter_mut().flat_map(|scenario| scenario.figures.diagnostics_mut());
        for fault in found.whole.diagnostics_mut().chain(of_scenarios) {
            if let Some(command) = &mut fault.reproduce {
                command.push_str(&self.many.agents.arguments());
            }
        }
        match self.format {
            Format::Text => self.print(model, seed, &found, output)?,
            Format::Json => output.json(&self.document(&game, model, seed, &found))?,
        }
        if is_stopped() {
            return print_interrupted("what was played is counted", "campaign", None, output);
        }
        if found.whole.faults.is_empty() { Ok(()) } else { Err(Failure::Fault) }
    }

    /// Plays the campaigns with `parlour simulate --campaign`, which writes its results to the folder `out`.
    fn simulate(&self, seats: u8, out: &Path, output: &mut Output) -> Result<(), Failure> {
        let seed = self.many.seed(output)?;
        let agents = Agents::from_command_line(self.many.agents.list().to_vec(), None);
        let chosen = ChosenOrResumed { game: self.chosen.game.clone(), changes: self.chosen.changes.clone() };
        let many = self.many.resumed(self.many.games, seed, agents);
        Simulate::of_campaigns(chosen, seats, many, self.invariants, self.format, out.to_owned()).run(output)
    }

    fn print(&self, model: &Arc<Model>, seed: u64, found: &Campaigns, output: &mut Output) -> Result<(), Failure> {
        let whole = &found.whole;
        output.line(format!(
            "{} · {} · {} · seed {seed}\n",
            model.name.get(Language::English),
            count_text(model.seats as usize, "player"),
            count_text(whole.games as usize, "campaign"),
        ))?;
        let mut table = TextTable::new([
            Heading::number("seat"),
            Heading::text("agent"),
            Heading::number("wins"),
            Heading::text("95 %"),
            Heading::number("score at last"),
            Heading::number("least"),
            Heading::number("median"),
            Heading::number("most"),
        ]);
        for seat in model.all_seats() {
            let share = whole.estimate(&Measure::Win(seat.0));
            let mut row = vec![
                seat.number().to_string(),
                self.many.agents.name_at(model, seat).to_owned(),
                percent(share.value),
                span(&share, MeasureKind::Share),
            ];
            row.extend(histogram_cells(&whole.histogram(&Measure::Score(seat.0)), 1));
            table.row(row);
        }
        let mut lines = table.lines("  ");
        lines.push(format!("  fair share {}", percent(whole.fair_share())));
        lines.push(String::new());
        let mut table = TextTable::new([
            Heading::text("a campaign has"),
            Heading::number("mean"),
            Heading::number("least"),
            Heading::number("median"),
            Heading::number("most"),
        ]);
        let decisions = whole.histogram(&Measure::Decisions);
        let rounds = whole.histogram(&Measure::Rounds);
        for (what, histogram) in [("games", &found.games), ("rounds", &rounds), ("decisions", &decisions)] {
            let mut row = vec![what.to_owned()];
            row.extend(histogram_cells(histogram, 1));
            table.row(row);
        }
        lines.extend(table.lines("  "));
        lines.push(String::new());
        let wins = model.all_seats().map(|seat| Heading::number(format!("seat {} wins", seat.number())));
        let heads = [
            Heading::text("scenario"),
            Heading::number("of campaigns"),
            Heading::number("games"),
            Heading::number("rounds"),
        ];
        let mut table = TextTable::new(heads.into_iter().chain(wins));
        for scenario in &found.scenarios {
            let figures = &scenario.figures;
            let mut row = vec![
                model.named_word(&scenario.word, Language::English),
                percent(scenario.campaigns as f64 / whole.games.max(1) as f64),
                figures.games.to_string(),
                figures.histogram(&Measure::Rounds).mean().map_or_else(String::new, amount),
            ];
            row.extend(model.all_seats().map(|seat| percent(figures.estimate(&Measure::Win(seat.0)).value)));
            table.row(row);
        }
        lines.extend(table.lines("  "));
        lines.extend(scenario_lines(model, whole));
        lines.into_iter().try_for_each(|line| output.line(line))?;
        Self::faults(whole, output)
    }

    fn faults(whole: &Figures, output: &mut Output) -> Result<(), Failure> {
        for fault in &whole.faults {
            output.remark(format!("\n{} with this fault; the first:", count_text(fault.count as usize, "campaign")))?;
            if let Some(first) = &fault.first {
                output.diagnostic(first)?;
            }
        }
        Ok(())
    }

    fn document(&self, game: &Game, model: &Model, seed: u64, found: &Campaigns) -> Value {
        let seats = |figures: &Figures| -> Vec<Value> {
            let seat = |seat: crate::model::Seat| {
                let share = figures.estimate(&Measure::Win(seat.0));
                json!({
                    "seat": seat.number(),
                    "agent": self.many.agents.name_at(model, seat),
                    "win_share": share.value,
                    "low": share.interval.low,
                    "high": share.interval.high,
                    "score": histogram_document(&figures.histogram(&Measure::Score(seat.0)), 1),
                })
            };
            model.all_seats().map(seat).collect()
        };
        let scenarios: Vec<Value> = found
            .scenarios
            .iter()
            .map(|scenario| {
                json!({
                    "scenario": *scenario.word,
                    "campaigns": scenario.campaigns,
                    "games": scenario.figures.games,
                    "rounds": histogram_document(&scenario.figures.histogram(&Measure::Rounds), 1),
                    "seats": seats(&scenario.figures),
                })
            })
            .collect();
        let whole = &found.whole;
        let fault = |first: &crate::diagnostic::Diagnostic| fault_document(first);
        json!({
            "format": 1,
            "game": game.id(),
            "seed": seed,
            "players": model.seats,
            "campaigns": whole.games,
            "finished": whole.finished,
            "games": histogram_document(&found.games, 1),
            "rounds": histogram_document(&whole.histogram(&Measure::Rounds), 1),
            "decisions": histogram_document(&whole.histogram(&Measure::Decisions), 1),
            "seats": seats(whole),
            "scenarios": scenarios,
            "faults": whole.faults.iter().map(|group| json!({
                "count": group.count,
                "first": group.first.as_ref().map(fault),
            })).collect::<Vec<Value>>(),
        })
    }
}

//! `parlour simulate`: many games, and who wins them.

use super::arguments::{Agents, Chosen, Format, check_players, fresh_seed};
use super::check::counted;
use super::output::{Failure, Output, usage};
use super::run::{fault_document, pairs};
use super::table::Table;
use super::{examples, opening};
use crate::model::{EndingId, Language, Model};
use crate::session::{Game, Setup};
use crate::simulation::{Batch, Figures, Spread, simulate};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;
use std::time::Instant;

/// Plays many games and counts who wins, by how much and how long it takes
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour simulate stockpile --games 10000 --players 4",
    "parlour simulate stockpile --players 3..5 --set params.majority_bonus=20",
    "parlour simulate games/my-game --agents random,first --seed 7 --format json",
))]
pub(super) struct Simulate {
    #[command(flatten)]
    chosen: Chosen,
    /// How many games for each number of players
    #[arg(long, short, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// How many play: a number, or a range such as 3..5 [default: as few as the game allows]
    #[arg(long, short, value_name = "N", value_parser = range)]
    players: Option<RangeInclusive<u8>>,
    /// Where chance begins: the same seed gives the same figures [default: any]
    #[arg(long, short, value_name = "S")]
    seed: Option<u64>,
    /// How many games are played at once [default: one for each processor]
    #[arg(long, short, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    #[command(flatten)]
    agents: Agents,
    /// Ask at every decision whether the invariants of the rules hold: slower, the more they look at
    #[arg(long)]
    invariants: bool,
    /// How the figures are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The figures for one number of players.
struct Finished {
    setup: Setup,
    figures: Figures,
    seconds: f64,
}

impl Simulate {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let game = opening::open(&self.chosen.game, output)?;
        let game = if self.invariants { game.holding_invariants() } else { game };
        let smallest = *game.players().start();
        let players = self.players.clone().unwrap_or(smallest..=smallest);
        for seats in players.clone() {
            check_players(&game, seats)?;
            self.agents.check(&game, seats)?;
        }
        let seed = self.seed.unwrap_or_else(fresh_seed);
        if self.seed.is_none() {
            output.remark(format!("seed {seed}"))?;
        }
        let jobs = self.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
        let mut results = Vec::new();
        for seats in players {
            results.push(self.batch(&game, seats, seed, jobs, output)?);
        }
        match self.format {
            Format::Text => self.tell(&game, seed, jobs, &results, output)?,
            Format::Json => output.json(&self.document(&game, seed, jobs, &results)?)?,
        }
        if results.iter().all(|result| result.figures.faults.is_empty()) { Ok(()) } else { Err(Failure::Fault) }
    }

    fn batch(&self, game: &Game, seats: u8, seed: u64, jobs: usize, output: &mut Output) -> Result<Finished, Failure> {
        let setup = self.chosen.setup(seats);
        let batch = Batch { games: self.games, seed, jobs, setup: setup.clone() };
        let bar = progress(self.games, seats);
        let begin = Instant::now();
        let done = || bar.inc(1);
        let figures = simulate(game, &batch, &|seed, seat| self.agents.player(seed, seat), &done);
        bar.finish_and_clear();
        let mut figures = figures.map_err(|mistakes| output.mistakes_with(&setup, &mistakes))?;
        for fault in &mut figures.faults {
            if let Some(command) = &mut fault.first.reproduce {
                command.push_str(&self.agents.words());
            }
        }
        Ok(Finished { setup, figures, seconds: begin.elapsed().as_secs_f64() })
    }

    fn tell(
        &self,
        game: &Game,
        seed: u64,
        jobs: usize,
        results: &[Finished],
        output: &mut Output,
    ) -> Result<(), Failure> {
        for (at, result) in results.iter().enumerate() {
            if at > 0 {
                output.line("")?;
            }
            let layout =
                game.layout(&result.setup).map_err(|mistakes| output.mistakes_with(&result.setup, &mistakes))?;
            for line in self.figures(&layout.model, seed, result) {
                output.line(line)?;
            }
            output.flush()?;
            for fault in &result.figures.faults {
                output.remark(format!("\n{} with this fault; the first:", counted(fault.count as usize, "game")))?;
                output.diagnostic(&fault.first)?;
            }
            let pace = Speed::of(result);
            output.remark(format!(
                "{:.0} games and {:.0} decisions a second, {} at once, {:.1} s",
                pace.games, pace.decisions, jobs, result.seconds
            ))?;
        }
        Ok(())
    }

    fn figures(&self, model: &Model, seed: u64, result: &Finished) -> Vec<String> {
        let figures = &result.figures;
        let mut lines = vec![
            format!(
                "{} · {} · {} · seed {seed}",
                model.name.get(Language::English),
                counted(model.seats as usize, "player"),
                counted(figures.games as usize, "game")
            ),
            String::new(),
        ];
        let mut table = Table::new(["#seat", "agent", "#wins", "95 %", "#score", "#least", "#median", "#most"]);
        for seat in model.all_seats() {
            let (share, interval) = figures.win_share(seat.index());
            let scores = &figures.seats[seat.index()].scores;
            let mut row = vec![
                seat.number().to_string(),
                self.agents.name(seat).to_owned(),
                percent(share),
                format!("{} to {}", percent(interval.low), percent(interval.high)),
            ];
            row.extend(spread_cells(scores));
            table.row(row);
        }
        lines.extend(table.lines("  "));
        lines.push(format!(
            "  fair share {}; {} tied",
            percent(figures.fair_share()),
            counted(figures.ties as usize, "game")
        ));
        lines.push(String::new());
        let mut table = Table::new(["", "#mean", "#least", "#median", "#most"]);
        for (name, spread) in
            [("margin", &figures.margin), ("rounds", &figures.rounds), ("decisions", &figures.decisions)]
        {
            let mut row = vec![name.to_owned()];
            row.extend(spread_cells(spread));
            table.row(row);
        }
        lines.extend(table.lines("  "));
        lines.push(format!(
            "  {} of all decisions had one option and were taken without asking",
            percent(figures.forced_share())
        ));
        lines.push(String::new());
        let mut table = Table::new(["ending", "#games", "#share"]);
        for (at, ending) in model.endings.iter().enumerate() {
            let count = figures.ending(EndingId::at(at));
            let share = percent(figures.ending_share(EndingId::at(at)));
            table.row(vec![ending.name.get(Language::English).to_owned(), count.to_string(), share]);
        }
        lines.extend(table.lines("  "));
        let faults: u64 = figures.faults.iter().map(|fault| fault.count).sum();
        if faults > 0 {
            lines.push(format!("\n  {} of {} failed", counted(faults as usize, "game"), figures.games));
        }
        lines
    }

    fn document(&self, game: &Game, seed: u64, jobs: usize, results: &[Finished]) -> Result<Value, Failure> {
        let mut batches = Vec::new();
        let mut timing = Vec::new();
        for result in results {
            let layout = game.layout(&result.setup).map_err(|_| usage("the game changed while it was played"))?;
            batches.push(self.batch_document(&layout.model, result));
            let pace = Speed::of(result);
            timing.push(json!({
                "players": result.setup.seats,
                "seconds": result.seconds,
                "games_per_second": pace.games,
                "decisions_per_second": pace.decisions,
            }));
        }
        Ok(json!({
            "schema_version": 1,
            "game": game.id(),
            "seed": seed,
            "games": self.games,
            "options": results.first().map(|result| pairs(&result.setup.options)),
            "sets": results.first().map(|result| pairs(&result.setup.sets)),
            "batches": batches,
            "timing": { "jobs": jobs, "batches": timing },
        }))
    }

    fn batch_document(&self, model: &Model, result: &Finished) -> Value {
        let figures = &result.figures;
        let seats = model.all_seats().map(|seat| {
            let (share, interval) = figures.win_share(seat.index());
            let seat_figures = &figures.seats[seat.index()];
            json!({
                "seat": seat.number(),
                "agent": self.agents.name(seat),
                "wins": seat_figures.wins,
                "win_share": share,
                "low": interval.low,
                "high": interval.high,
                "score": spread_document(&seat_figures.scores),
            })
        });
        let endings: Map<String, Value> = model
            .endings
            .iter()
            .enumerate()
            .map(|(at, ending)| (ending.id.to_string(), json!(figures.ending(EndingId::at(at)))))
            .collect();
        let faults = figures.faults.iter().map(|fault| {
            let mut document = fault_document(&fault.first);
            document["count"] = json!(fault.count);
            document["first_game"] = json!(fault.game);
            document["first_seed"] = json!(fault.seed);
            document
        });
        json!({
            "players": model.seats,
            "games": figures.games,
            "finished": figures.finished,
            "fair_share": figures.fair_share(),
            "ties": figures.ties,
            "seats": seats.collect::<Vec<_>>(),
            "margin": spread_document(&figures.margin),
            "rounds": spread_document(&figures.rounds),
            "decisions": spread_document(&figures.decisions),
            "forced_share": figures.forced_share(),
            "endings": endings,
            "faults": faults.collect::<Vec<_>>(),
        })
    }
}

/// How fast a batch went.
struct Speed {
    games: f64,
    decisions: f64,
}

impl Speed {
    #[allow(clippy::cast_precision_loss, reason = "a speed needs no more digits")]
    fn of(result: &Finished) -> Self {
        let seconds = result.seconds.max(1e-9);
        Self { games: result.figures.games as f64 / seconds, decisions: result.figures.asked as f64 / seconds }
    }
}

/// A bar on standard error; indicatif hides it where nobody looks.
pub(super) fn progress(games: u64, seats: u8) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {per_sec} {eta}");
    let bar = ProgressBar::new(games).with_message(format!("{seats} players"));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn spread_cells(spread: &Spread) -> [String; 4] {
    let decimal = |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.1}"));
    let whole = |number: Option<i64>| number.map_or_else(String::new, |number| number.to_string());
    [decimal(spread.mean()), whole(spread.min()), decimal(spread.median()), whole(spread.max())]
}

fn spread_document(spread: &Spread) -> Value {
    json!({ "mean": spread.mean(), "min": spread.min(), "median": spread.median(), "max": spread.max() })
}

/// A number, or two with `..` between, both included.
fn range(text: &str) -> Result<RangeInclusive<u8>, String> {
    let number = |text: &str| text.trim().trim_start_matches('=').parse::<u8>().ok();
    let ends = match text.split_once("..") {
        Some((low, high)) => number(low).zip(number(high)),
        None => number(text).map(|number| (number, number)),
    };
    match ends {
        Some((low, high)) if low <= high => Ok(low..=high),
        _ => Err("write a number such as `4`, or a range such as `3..5`".to_owned()),
    }
}

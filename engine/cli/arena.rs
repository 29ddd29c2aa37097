//! `parlour arena`: agents against each other, with rotating seats.

use super::arguments::{Chosen, Format, check_players, fresh_seed, parse_agents};
use super::check::counted;
use super::output::{Failure, Output, usage};
use super::run::fault_document;
use super::running::{Interruptible, is_given_up, is_stopped, listen_to_games, progress};
use super::table::Table;
use super::{examples, opening};
use crate::agents::Spec;
use crate::model::Seat;
use crate::report::{percent, span, told};
use crate::session::{Game, Player, quoted};
use crate::simulation::{Contest, Estimate, Ladder, Sort, Spectator, arena};
use clap::Args;
use indicatif::ProgressBar;
use serde_json::{Value, json};

/// Lets agents play against each other, with rotating seats, and says who is better
#[derive(Args, Debug)]
#[command(help_template = examples!(
    "parlour arena stockpile --agents search:400,random,random --games 200",
    "parlour arena games/my-game --agents trader,search:100,search:2000,random --players 3",
    "parlour arena games/my-game --agents 'cmd:python3 my_agent.py,random' --all",
))]
pub(super) struct Arena {
    #[command(flatten)]
    chosen: Chosen,
    /// Who takes part: as for `parlour run`; one named twice takes part twice
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', required = true)]
    agents: Vec<String>,
    /// How many games at most
    #[arg(long, short, value_name = "N", default_value_t = 200, value_parser = super::arguments::times, allow_negative_numbers = true)]
    games: u64,
    /// How many play at a table [default: all agents, or as many as the game allows]
    #[arg(long, short, value_name = "N", value_parser = super::arguments::players, allow_negative_numbers = true)]
    players: Option<u8>,
    /// Play all games, even when the order is clear before
    #[arg(long)]
    all: bool,
    /// Where chance begins: the same seed gives the same games [default: any]
    #[arg(long, short, value_name = "S", value_parser = super::arguments::seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// How many games are played at once [default: one for each processor]
    #[arg(long, short, value_name = "J", value_parser = super::arguments::jobs, allow_negative_numbers = true)]
    jobs: Option<u16>,
    /// How the figures are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The agents by their names, each once, and the entrants as positions among them.
struct Field {
    names: Vec<String>,
    specs: Vec<Spec>,
    entrants: Vec<usize>,
}

/// Shows how far a contest is, and ends it when somebody interrupts.
struct Watching<'a>(&'a ProgressBar);

impl Spectator for Watching<'_> {
    fn game_is_over(&self) {
        self.0.inc(1);
    }

    fn stops(&self) -> bool {
        is_stopped()
    }

    fn gives_up(&self) -> bool {
        is_given_up()
    }
}

impl Arena {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let game = opening::open(&self.chosen.game, output)?;
        let players = self.table_size(&game)?;
        let field = self.field(&game)?;
        let seed = self.seed.unwrap_or_else(fresh_seed);
        if self.seed.is_none() {
            output.remark(format!("seed {seed}"))?;
        }
        let jobs = self.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
        let contest = Contest {
            entrants: field.entrants.clone(),
            games: self.games,
            stops_early: !self.all,
            seed,
            jobs,
            setup: self.chosen.setup(players),
        };
        let bar = progress(contest.games_in_full(), format!("{players} players"));
        let player = |agent: usize, seed: u64, seat: Seat| -> Box<dyn Player> {
            Box::new(Interruptible(field.specs[agent].player(seed, seat.index())))
        };
        listen_to_games();
        let ladder = arena(&game, &contest, &player, &Watching(&bar));
        bar.finish_and_clear();
        let ladder = ladder.map_err(|mistakes| output.mistakes_with(&contest.setup, &mistakes))?;
        match self.format {
            Format::Text => tell(&game, &field, &contest, &ladder, output)?,
            Format::Json => output.json(&document(&game, &field, &contest, &ladder))?,
        }
        if is_stopped() {
            output.remark("interrupted: the games that were over are counted")?;
            return Err(Failure::Interrupted);
        }
        if ladder.faults.is_empty() { Ok(()) } else { Err(Failure::Fault) }
    }

    fn table_size(&self, game: &Game) -> Result<u8, Failure> {
        let entrants = u8::try_from(self.agents.len()).unwrap_or(u8::MAX);
        let players = self.players.unwrap_or_else(|| entrants.min(*game.players().end()));
        check_players(game, players)?;
        if entrants < players {
            return Err(usage(format!(
                "`--agents` names {entrants} agents for {players} seats: name one for each seat"
            )));
        }
        Ok(players)
    }

    fn field(&self, game: &Game) -> Result<Field, Failure> {
        let mut names: Vec<String> = Vec::new();
        let mut entrants = Vec::new();
        for name in &self.agents {
            let at = names.iter().position(|known| known == name).unwrap_or(names.len());
            if at == names.len() {
                names.push(name.clone());
            }
            entrants.push(at);
        }
        let specs = parse_agents(game, &names)?;
        Ok(Field { names, specs, entrants })
    }
}

fn tell(game: &Game, field: &Field, contest: &Contest, ladder: &Ladder, output: &mut Output) -> Result<(), Failure> {
    let players = contest.setup.seats;
    let games = counted(ladder.games as usize, "game");
    output.line(format!("{} · {} · {games} · seed {}", game.id(), counted(players.into(), "player"), contest.seed))?;
    output.line("")?;
    let mut table = Table::new([
        "#rank",
        "agent",
        "#seated",
        "#wins",
        "95 %",
        "#score",
        "95 % ",
        "#rating",
        "±",
        "#beats the next",
    ]);
    let order = ladder.order();
    for (at, agent) in order.iter().enumerate() {
        let contestant = &ladder.contestants[*agent];
        let (share, interval) = ladder.win_share(*agent);
        let next = order.get(at + 1).and_then(|next| {
            let (value, interval) = ladder.beats(*agent, *next)?;
            Some(told(&Estimate { value, interval, count: 0 }, Sort::Share))
        });
        let score = ladder.mean_score(*agent);
        table.row(vec![
            (at + 1).to_string(),
            field.names[*agent].clone(),
            contestant.seated.to_string(),
            percent(share),
            format!("{} to {}", percent(interval.low), percent(interval.high)),
            if score.count > 0 { format!("{:.2}", score.value) } else { String::new() },
            if score.count > 0 { span(&score, Sort::Amount) } else { String::new() },
            format!("{:.1}", contestant.rating),
            format!("{:.1}", contestant.uncertainty),
            next.unwrap_or_default(),
        ]);
    }
    for line in table.lines("  ") {
        output.line(line)?;
    }
    output.line(format!("  fair share {}", percent(1.0 / f64::from(players))))?;
    if ladder.stopped {
        let left = contest.games_in_full() - ladder.games;
        output.line(format!("  the order is clear: stopped {left} games early"))?;
    } else if contest.games_in_full() < contest.games {
        let (played, asked) = (contest.games_in_full(), contest.games);
        output.line(format!(
            "  {played} games, not {asked}: seats rotate, so that {players} games make a block in which everybody sits once on \
             every seat; {asked} is no multiple of {players}"
        ))?;
    }
    let (all, played) = contest.choices();
    if played < all && !ladder.stopped {
        output.line(format!("  {played} of {all} choices of agents: more games seat them all"))?;
    }
    output.flush()?;
    tell_faults(field, contest, ladder, output)
}

fn tell_faults(field: &Field, contest: &Contest, ladder: &Ladder, output: &mut Output) -> Result<(), Failure> {
    for fault in &ladder.faults {
        output.remark(format!("\n{} with this fault; the first:", counted(fault.count as usize, "game")))?;
        let Some(mut first) = fault.first.clone() else { continue };
        if let Some(command) = &mut first.reproduce {
            let agents: Vec<&str> = contest.seated(fault.game).iter().map(|agent| &*field.names[*agent]).collect();
            command.extend([" --agents ", &quoted(&agents.join(","))]);
        }
        output.diagnostic(&first)?;
    }
    Ok(())
}

fn document(game: &Game, field: &Field, contest: &Contest, ladder: &Ladder) -> Value {
    let order = ladder.order();
    let agents = order.iter().copied().enumerate().map(|(at, agent)| {
        let score = ladder.mean_score(agent).interval;
        let finite = |number: f64| number.is_finite().then_some(number);
        let next = order.get(at + 1).and_then(|next| {
            let (share, interval) = ladder.beats(agent, *next)?;
            Some(json!({ "share": share, "interval": [interval.low, interval.high] }))
        });
        let contestant = &ladder.contestants[agent];
        let (share, interval) = ladder.win_share(agent);
        json!({
            "rank": at + 1,
            "agent": field.names[agent],
            "seated": contestant.seated,
            "wins": contestant.wins,
            "win_share": share,
            "interval": [interval.low, interval.high],
            "mean_score": contestant.scores.mean(),
            "score_interval": [finite(score.low), finite(score.high)],
            "beats_the_next": next,
            "rating": contestant.rating,
            "uncertainty": contestant.uncertainty,
        })
    });
    json!({
        "schema_version": 1,
        "game": game.id(),
        "players": contest.setup.seats,
        "seed": contest.seed,
        "asked": contest.games,
        "games": ladder.games,
        "finished": ladder.finished,
        "stopped_early": ladder.stopped,
        "agents": agents.collect::<Vec<_>>(),
        "faults": ladder.faults.iter().map(|fault| {
            json!({ "count": fault.count, "seed": fault.seed, "first": fault.first.as_ref().map(fault_document) })
        }).collect::<Vec<_>>(),
    })
}

//! `parlour arena`: plays agents against each other, with rotating seats.

use super::arguments::{Agents, ChosenOrResumed, Format, check_players, fresh_seed};
use super::check::count_text;
use super::entrants::{Entrants, contest_document, print_faults};
use super::interruption::{is_aborted, is_stopped, listen_to_games, stop};
use super::memory::Memory;
use super::origin::{base_of, resumed_agents};
use super::output::{Failure, Output, usage};
use super::running::{
    Call, CheckpointTimer, check_new, print_done, print_interrupted, print_resuming, print_unfinished, progress,
    progress_text, report_aborted_batch,
};
use super::saving::write_below;
use super::table::TextTable;
use super::{crew_standings, examples, opening};
use crate::agents::Interruptible;
use crate::desk;
use crate::diagnostic::shown;
use crate::model::{Model, Seat};
use crate::report::Heading;
use crate::report::{
    Checkpoint, RunJournal, RunRequest, arena_page, crews_page, estimate_text, grouped, percent, span, unfinished,
};
use crate::session::{Game, Halt, Player, quoted};
use crate::simulation::{Contest, ContestGame, ContestResult, Estimate, MeasureKind, Spectator, arena, standings};
use clap::Args;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Plays agents against each other, with rotating seats, and shows which is better
#[derive(Args, Debug, Serialize, Deserialize)]
#[command(help_template = examples!(
    "parlour arena stockpile --agents search:400,random,random --games 200",
    "parlour arena games/my-game --agents trader,search:100,search:2000,random --players 3",
    "parlour arena games/my-game --agents 'cmd:python3 my_agent.py,random' --all --out runs/mine",
    "parlour arena games/my-game --crews careful,random --games 500",
    "parlour arena --resume runs/mine",
))]
pub(super) struct Arena {
    #[command(flatten)]
    #[serde(flatten)]
    chosen: ChosenOrResumed,
    /// Agents that take part, as for `parlour run`. An agent listed twice takes part twice
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', required_unless_present_any = ["resume", "crews"])]
    agents: Vec<String>,
    /// Crews to compare in a cooperative or solo game. Each crew is one agent that plays all seats, and all crews play the same deals
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', conflicts_with = "agents")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    crews: Vec<String>,
    /// Maximum number of games
    #[arg(long, short, value_name = "N", default_value_t = 200, value_parser = super::arguments::times, allow_negative_numbers = true)]
    games: u64,
    /// Number of players in a game [default: the most for which there are enough agents; with `--crews`, the fewest the game allows]
    #[arg(long, short, value_name = "N", value_parser = super::arguments::players, allow_negative_numbers = true)]
    players: Option<u8>,
    /// Play all games, even if the ranking is clear earlier
    #[arg(long)]
    all: bool,
    /// Random seed: the same seed gives the same games [default: a random one]
    #[arg(long, short, value_name = "S", value_parser = super::arguments::seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Number of games played at the same time [default: one per processor]
    #[arg(long, short, value_name = "J", value_parser = super::arguments::jobs, allow_negative_numbers = true)]
    #[serde(skip)]
    jobs: Option<u16>,
    #[command(flatten)]
    #[serde(skip)]
    memory: Memory,
    /// New folder for the results: a row per game, and the ranking
    #[arg(long, short, value_name = "DIR")]
    #[serde(skip)]
    out: Option<PathBuf>,
    /// Resume the interrupted contest stored in this folder (the one given to `--out`), with the arguments saved there
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "game", "options", "sets", "games", "players", "all", "seed", "out",
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

/// Files that are derived from the games. A resumed arena deletes them, and writes them again at its end.
const DERIVED: [&str; 2] = ["arena.json", "arena.html"];

/// File with a line for each game.
const GAMES: &str = "games.jsonl";

/// Spectator that shows the progress, writes the journal, and handles interruptions.
struct ArenaProgress<'a> {
    bar: &'a ProgressBar,
    journal: Option<&'a RunJournal>,
    pace: CheckpointTimer,
}

impl Spectator for ArenaProgress<'_> {
    fn game_is_over(&self) {
        self.bar.inc(1);
    }

    fn take(&self, bout: &ContestGame) -> std::io::Result<()> {
        let Some(journal) = self.journal else { return Ok(()) };
        journal.add(bout)?;
        self.pace.save_if_due(|| journal.save())
    }

    fn stops(&self) -> bool {
        is_stopped()
    }

    fn gives_up(&self) -> bool {
        is_aborted()
    }
}

impl Arena {
    pub(super) fn run(mut self, output: &mut Output) -> Result<(), Failure> {
        let Some(run) = self.resume.take() else { return self.play(&Call::New, output) };
        let (mut kept, before) = RunRequest::<Self>::read(&run, "arena")?.split();
        kept.agents = resumed_agents("--agents", &self.agents, kept.agents, &run)?;
        kept.crews = resumed_agents("--crews", &self.crews, kept.crews, &run)?;
        kept.base = base_of(&run, before.directory.as_deref());
        (kept.jobs, kept.memory, kept.format, kept.out) = (self.jobs, self.memory, self.format, Some(run));
        kept.play(&Call::Resume(before), output)
    }

    /// Returns the file name of the page in a run's folder. If the run is unfinished, first writes a page about the games that have been
    /// played.
    pub(super) fn report(run: &Path, output: &mut Output) -> Result<&'static str, Failure> {
        if unfinished(run).is_some() {
            let (mut kept, before) = RunRequest::<Self>::read(run, "arena")?.split();
            kept.base = base_of(run, before.directory.as_deref());
            kept.out = Some(run.to_owned());
            stop();
            kept.play(&Call::Report(before), output)?;
        }
        Ok("arena.html")
    }

    fn play(mut self, call: &Call, output: &mut Output) -> Result<(), Failure> {
        let game = opening::open_from(&self.chosen.game, self.base.as_deref(), &[], output)?;
        let (players, sides, automas) = self.table_size(&game, output)?;
        let field = self.field(&game, call)?;
        desk::agents::check(&game, players, &field.specs).map_err(|mistakes| output.mistakes(&mistakes))?;
        if let (Some(out), Call::New) = (&self.out, call) {
            check_new(out)?;
        }
        let seed = self.seed.unwrap_or_else(fresh_seed);
        if self.seed.is_none() {
            output.remark(format!("seed {seed}"))?;
        }
        let jobs = self.memory.jobs(self.jobs);
        let contest = Contest {
            entrants: field.indices.clone(),
            games: self.games,
            stops_early: !self.all,
            seed,
            jobs,
            setup: self.chosen.setup(players),
            sides,
            automas,
        };
        if contest.has_too_many_seatings() {
            let (agents, sides) = (contest.entrants.len(), contest.side_count());
            let message = format!("there are too many ways to seat {agents} agents at a table for {sides}");
            return Err(Failure::Usage(message, Some("name fewer agents".to_owned())));
        }
        self.seed = Some(seed);
        let request = self.request(&game, players, call, output)?;
        let start = |out: &PathBuf| Checkpoint::start_or_resume(out, &request, call.original_request(), &DERIVED);
        let checkpoint = match (&self.out, self.out.as_ref().map(start).transpose()?) {
            (Some(out), Some(None)) => return print_done(out, output),
            (_, checkpoint) => checkpoint.flatten(),
        };
        let (journal, before) = self.out.as_ref().map(|out| open_journal(out, &contest)).transpose()?.unzip();
        let before = before.unwrap_or_default();
        let begin = before.len() as u64;
        if let Call::Resume(_) = call {
            print_resuming(&progress_text(begin, contest.games_in_full(), "games at most"), output)?;
        }
        let bar = progress(contest.games_in_full() - begin, format!("{players} players"));
        let player = |agent: usize, seed: u64, seat: Seat| -> Box<dyn Player> {
            Box::new(Interruptible::new(field.specs[agent].player(seed, seat.index()), Halt::when(is_aborted)))
        };
        listen_to_games();
        let watching = ArenaProgress { bar: &bar, journal: journal.as_ref(), pace: CheckpointTimer::default() };
        let ladder = match call {
            Call::Report(_) => Ok(standings(&contest, before)),
            _ => arena(&game, &contest, &player, &watching, before),
        };
        bar.finish_and_clear();
        let ladder = ladder.map_err(|error| report_aborted_batch(error, &contest.setup, output))?;
        if let (Some(out), Some(journal), Some(checkpoint)) = (&self.out, &journal, checkpoint) {
            journal.save()?;
            self.write(out, &game, &field, &contest, &ladder)?;
            if let Call::Report(_) = call {
                let played = progress_text(ladder.games, contest.games_in_full(), "games");
                return print_unfinished(out, &played, output);
            }
            if !is_stopped() {
                request.finish(&checkpoint, &[DERIVED[0], DERIVED[1], GAMES])?;
            }
            output.remark(format!("written to {}: open {}", shown(out), shown(out.join("arena.html"))))?;
        }
        match self.format {
            Format::Text if contest.is_of_crews() => crew_standings::print(&game, &field, &contest, &ladder, output)?,
            Format::Text => print(&game, &field, &contest, &ladder, output)?,
            Format::Json => output.json(&json_document(&game, &field, &contest, &ladder))?,
        }
        if is_stopped() {
            return print_interrupted("the games that were over are counted", "arena", self.out.as_deref(), output);
        }
        if ladder.faults.is_empty() { Ok(()) } else { Err(Failure::Fault) }
    }

    /// Returns the manifest to be written to the run's folder.
    fn request(
        &self,
        game: &Game,
        players: u8,
        call: &Call,
        output: &mut Output,
    ) -> Result<RunRequest<&Self>, Failure> {
        let setup = self.chosen.setup(players);
        let layout = game.layout(&setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
        let rules = vec![format!("{:016x}", layout.model.fingerprint)];
        let agents = Agents::from_command_line(self.entrants().to_vec(), self.base.clone());
        if call.plays() {
            agents.parse(game)?;
        }
        let files = call.agent_files(|| agents.files());
        Ok(RunRequest::new("arena", call.directory(self.out.as_deref()), self, rules, files))
    }

    /// Writes the results as JSON and as an HTML page.
    fn write(
        &self,
        out: &Path,
        game: &Game,
        field: &Entrants,
        contest: &Contest,
        ladder: &ContestResult,
    ) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(&json_document(game, field, contest, ladder))?;
        write_below(out, "arena.json", format!("{text}\n"))?;
        let (players, seed) = (contest.setup.seats, contest.seed);
        let incomplete = if is_stopped() {
            format!(
                "{} of {} games were played.",
                grouped(ladder.games as i64),
                grouped(contest.games_in_full() as i64)
            )
        } else {
            String::new()
        };
        let provenance = [
            ("Game".to_owned(), format!("{} ({})", game.id(), self.chosen.game)),
            ("Players".to_owned(), players.to_string()),
            ("Options".to_owned(), pairs_text(&contest.setup.options)),
            ("Changed data".to_owned(), pairs_text(&contest.setup.sets)),
            ("Games at most".to_owned(), self.games.to_string()),
            (if self.crews.is_empty() { "Agents" } else { "Crews" }.to_owned(), self.entrants().join(", ")),
            ("Seed".to_owned(), seed.to_string()),
            ("Program".to_owned(), format!("Parlour {}", env!("CARGO_PKG_VERSION"))),
        ];
        if contest.is_of_crews() {
            let subtitle = format!("{}, seed {seed}", count_text(players.into(), "player"));
            let title = format!("{}: crews", game.id());
            let page =
                crews_page(&title, &subtitle, &crew_standings::rows(field, ladder), incomplete, ladder, &provenance);
            return write_below(out, "arena.html", page);
        }
        let order = ladder.order();
        let standings: Vec<(&str, usize)> = order.iter().map(|agent| (&*field.names[*agent], *agent)).collect();
        let subtitle = format!("{players} players, {}, seed {seed}", count_text(ladder.games as usize, "game"));
        let page =
            arena_page(&format!("{}: agents", game.id()), &subtitle, &standings, ladder, incomplete, &provenance);
        write_below(out, "arena.html", page)
    }

    /// Returns the names of all agents that take part.
    fn entrants(&self) -> &[String] {
        if self.crews.is_empty() { &self.agents } else { &self.crews }
    }

    /// Determines the number of players for a contest of crews, the side of each seat (the same for all), and the seats of automas.
    fn crew_table(&self, game: &Game, output: &mut Output) -> Result<(u8, Vec<usize>, Vec<Seat>), Failure> {
        if let Some(twice) = (1..self.crews.len()).find(|at| self.crews[..*at].contains(&self.crews[*at])) {
            return Err(usage(format!("`--crews` names `{}` twice: leave one of them out", self.crews[twice])));
        }
        let players = self.players.unwrap_or(*game.players().start());
        check_players(game, players)?;
        let setup = self.chosen.setup(players);
        let layout = game.layout(&setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
        let model = &layout.model;
        if !model.is_cooperative() && players > 1 {
            let message = format!("the players of `{}` do not win or lose together", game.id());
            let help = format!("let agents play against each other: `--agents {}`", quoted(&self.crews.join(",")));
            return Err(Failure::Usage(message, Some(help)));
        }
        Ok((players, vec![0; players.into()], model.automas.clone()))
    }

    /// Determines the number of players, the side (team or single seat) of each seat, and the seats of automas.
    fn table_size(&self, game: &Game, output: &mut Output) -> Result<(u8, Vec<usize>, Vec<Seat>), Failure> {
        if !self.crews.is_empty() {
            return self.crew_table(game, output);
        }
        let entrants = self.agents.len();
        let sides = |players: u8| game.layout(&self.chosen.setup(players)).map(|layout| sides(&layout.model));
        // The largest number of players at which every side gets a different entrant. One agent plays all seats of a team; automas need no
        // agent.
        let fits = |players: &u8| sides(*players).is_ok_and(|(_, count)| (1..=entrants).contains(&count));
        let players = self.players.or_else(|| game.players().rev().find(fits));
        let players = players.unwrap_or_else(|| u8::try_from(entrants).unwrap_or(u8::MAX).min(*game.players().end()));
        check_players(game, players)?;
        let setup = self.chosen.setup(players);
        let layout = game.layout(&setup).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
        let (sides, wanted) = sides(players).map_err(|mistakes| output.report_mistakes_with(&setup, &mistakes))?;
        if wanted == 0 {
            let message = "the rules play all seats: no agent can sit anywhere".to_owned();
            return Err(Failure::Usage(message, Some("remove the option or setting that causes this".to_owned())));
        }
        if layout.model.is_cooperative() {
            let message = format!("the players of `{}` win or lose together: no agent can beat another", game.id());
            let help = format!("compare them on the same deals: `--crews {}`", quoted(&self.agents.join(",")));
            return Err(Failure::Usage(message, Some(help)));
        }
        if entrants < wanted {
            let side_word = if layout.model.teams.is_empty() { "seat" } else { "team" };
            return Err(usage(format!(
                "`--agents` names {entrants} agents for {wanted} {side_word}s: name one for each {side_word}"
            )));
        }
        Ok((players, sides, layout.model.automas.clone()))
    }

    /// Returns the entrants and their agents, each agent once. Agents are parsed only if games are played.
    fn field(&self, game: &Game, call: &Call) -> Result<Entrants, Failure> {
        let mut names: Vec<String> = Vec::new();
        let mut entrants = Vec::new();
        for name in self.entrants() {
            let at = names.iter().position(|known| known == name).unwrap_or(names.len());
            if at == names.len() {
                names.push(name.clone());
            }
            entrants.push(at);
        }
        let specs = if call.plays() {
            desk::agents::parse_agents_from(game, &names, self.base.as_deref())?
        } else {
            Vec::new()
        };
        Ok(Entrants { names, specs, indices: entrants })
    }
}

/// Returns the index of each seat's side, and the number of sides that agents play. The sides that agents play have the lowest indices.
fn sides(model: &Model) -> (Vec<usize>, usize) {
    let sides = model.side_indices();
    let mut seats: Vec<Seat> = model.all_seats().collect();
    seats.sort_by_key(|seat| model.automas.contains(seat));
    let (mut order, mut count) = (Vec::new(), 0);
    for seat in seats {
        let side = sides[seat.index()];
        if !order.contains(&side) {
            order.push(side);
            count += usize::from(!model.automas.contains(&seat));
        }
    }
    (sides.iter().filter_map(|side| order.iter().position(|known| known == side)).collect(), count)
}

/// Opens the journal for appending, and returns the games in it that belong to this contest.
fn open_journal(out: &Path, contest: &Contest) -> Result<(RunJournal, Vec<ContestGame>), Failure> {
    let mut ends: Vec<u64> = Vec::new();
    // Reading stops at the first line that does not belong to this contest. This line and all later ones are dropped.
    let bouts = contest.own(RunJournal::read(out, GAMES).map(|(bout, end)| {
        ends.push(end);
        bout
    }));
    let end = bouts.len().checked_sub(1).map_or(0, |last| ends[last]);
    Ok((RunJournal::open(out, GAMES, end)?, bouts))
}

fn pairs_text(pairs: &[(String, String)]) -> String {
    let text: Vec<String> = pairs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if text.is_empty() { "none".to_owned() } else { text.join(", ") }
}

fn print(
    game: &Game,
    field: &Entrants,
    contest: &Contest,
    ladder: &ContestResult,
    output: &mut Output,
) -> Result<(), Failure> {
    let players = contest.setup.seats;
    let games = count_text(ladder.games as usize, "game");
    output.line(format!(
        "{} · {} · {games} · seed {}",
        game.id(),
        count_text(players.into(), "player"),
        contest.seed
    ))?;
    output.line("")?;
    let mut table = TextTable::new([
        Heading::number("rank"),
        Heading::text("agent"),
        Heading::number("seated"),
        Heading::number("wins"),
        Heading::text("95 %"),
        Heading::number("score"),
        Heading::text("95 %"),
        Heading::number("rating"),
        Heading::text("±"),
        Heading::number("beats the next"),
    ]);
    let order = ladder.order();
    for (at, agent) in order.iter().enumerate() {
        let contestant = &ladder.contestants[*agent];
        let (share, interval) = ladder.win_share(*agent);
        let next = order.get(at + 1).and_then(|next| {
            let (value, interval) = ladder.win_rate_against(*agent, *next)?;
            Some(estimate_text(&Estimate { value, interval, count: 0 }, MeasureKind::Share))
        });
        let score = ladder.mean_score(*agent);
        table.row(vec![
            (at + 1).to_string(),
            field.names[*agent].clone(),
            contestant.seated.to_string(),
            percent(share),
            format!("{} to {}", percent(interval.low), percent(interval.high)),
            if score.count > 0 { format!("{:.2}", score.value) } else { String::new() },
            if score.count > 0 { span(&score, MeasureKind::Amount) } else { String::new() },
            format!("{:.1}", contestant.rating),
            format!("{:.1}", contestant.uncertainty),
            next.unwrap_or_default(),
        ]);
    }
    for line in table.lines("  ") {
        output.line(line)?;
    }
    output.line(format!("  fair share {}", percent(1.0 / contest.rivals() as f64)))?;
    if ladder.stopped {
        let left = contest.games_in_full() - ladder.games;
        output.line(format!("  the order is clear: stopped {left} games early"))?;
    } else if contest.games_in_full() < contest.games {
        let (played, asked, sides) = (contest.games_in_full(), contest.games, contest.side_count());
        let side_word = if contest.rivals() < usize::from(players) { "team" } else { "seat" };
        output.line(format!(
            "  {played} games, not {asked}: {side_word}s rotate, so that {sides} games make a block in which everybody sits once on \
             every {side_word}; {asked} is no multiple of {sides}"
        ))?;
    }
    let (all, played) = contest.choices();
    if played < all && !ladder.stopped {
        output.line(format!("  {played} of {all} choices of agents: more games seat them all"))?;
    }
    output.flush()?;
    print_faults(field, contest, ladder, output)
}

/// Returns the results as JSON.
fn json_document(game: &Game, field: &Entrants, contest: &Contest, ladder: &ContestResult) -> Value {
    if contest.is_of_crews() {
        return crew_standings::document(game, field, contest, ladder);
    }
    document(game, field, contest, ladder)
}

fn document(game: &Game, field: &Entrants, contest: &Contest, ladder: &ContestResult) -> Value {
    let order = ladder.order();
    let agents = order.iter().copied().enumerate().map(|(at, agent)| {
        let score = ladder.mean_score(agent).interval;
        let finite = |number: f64| number.is_finite().then_some(number);
        let next = order.get(at + 1).and_then(|next| {
            let (share, interval) = ladder.win_rate_against(agent, *next)?;
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
    contest_document(game, contest, ladder, "agents", &agents.collect::<Vec<_>>())
}

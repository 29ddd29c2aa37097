//! Batches of games that a page plays itself. A batch is played in steps, so that the page can show its progress and stop it.

use super::pages::{Pages, base, section};
use super::set_up::{Field, sent};
use super::table::offered_agents;
use super::trial::PlayedBatch;
use crate::agents::Spec;
use crate::desk::agents::parse_agents;
use crate::model::{Language, Seat};
use crate::phrases::{Phrases, filled};
use crate::report::{amount, grouped, percent, span};
use crate::session::{Game, Player, Setup, quoted};
use crate::simulation::{Batch, BatchError, Figures, Follower, Measure, MeasureKind, Record, simulate};
use minijinja::context;
use minijinja::value::Value;
use std::ops::Range;

/// Numbers of games offered in the form.
const GAMES: [u64; 4] = [100, 1_000, 5_000, 20_000];

/// Measures that the page shows. The report contains all measures.
const MEASURES: [Measure; 5] =
    [Measure::Rounds, Measure::Turns, Measure::Decisions, Measure::Margin, Measure::LeadChanges];

/// A running or finished batch.
pub(super) struct PageBatch {
    game: Game,
    setup: Setup,
    agent: String,
    spec: Spec,
    seed: u64,
    games: u64,
    figures: Figures,
    is_stopped: bool,
    failed: Option<String>,
}

impl PageBatch {
    /// Starts a batch with the fields of the form. A missing value, or one that the form does not offer, is replaced with a default.
    ///
    /// # Errors
    /// Returns the reason why the batch cannot be played.
    pub(super) fn begin(game: &Game, given: &[Field], seed: u64) -> Result<Self, String> {
        let number = |name: &str| sent(given, name).and_then(|value| value.parse::<u64>().ok());
        let seats = number("players").and_then(|seats| u8::try_from(seats).ok());
        let seats = seats.filter(|seats| game.players().contains(seats)).unwrap_or(*game.players().start());
        let games = number("games").filter(|games| GAMES.contains(games)).unwrap_or(GAMES[0]);
        let offered = offered_agents(game);
        let agent = sent(given, "agent").filter(|agent| offered.iter().any(|known| known == agent));
        Self::new(game, Setup::seats(seats), agent.unwrap_or("random"), seed, games)
    }

    fn new(game: &Game, setup: Setup, agent: &str, seed: u64, games: u64) -> Result<Self, String> {
        let mut specs = parse_agents(game, &[agent.to_owned()]).map_err(|why| why.message)?;
        crate::desk::agents::check(game, setup.seats, &specs).map_err(|found| found.in_plain_text())?;
        let figures = Figures::new(setup.seats);
        let (game, agent, spec) = (game.clone(), agent.to_owned(), specs.remove(0));
        Ok(Self { game, setup, agent, spec, seed, games, figures, is_stopped: false, failed: None })
    }

    /// Returns whether there are games left to play.
    pub(super) fn is_running(&self) -> bool {
        !self.is_stopped && self.failed.is_none() && self.figures.games < self.games
    }

    /// Stops the batch. The results cover the games played so far.
    pub(super) fn stop(&mut self) {
        self.is_stopped = true;
    }

    /// Plays up to `count` further games, at least one unless all games are played.
    pub(super) fn play(&mut self, count: u64) {
        let begin = self.figures.games;
        let games = begin..self.games.min(begin.saturating_add(count.max(1)));
        match run(&self.game, &self.setup, &self.spec, self.seed, games, &()) {
            Ok(figures) if figures.games > 0 => self.figures.merge(&figures),
            Ok(_) => self.is_stopped = true,
            Err(why) => self.failed = Some(why),
        }
    }

    /// Renders the report of the batch.
    ///
    /// # Errors
    /// Returns the mistakes of the game's files.
    pub(super) fn report(&self) -> Result<String, String> {
        let path = self.game.id().to_owned();
        let Self { setup, agent, seed, games, .. } = self;
        PlayedBatch { setup, path, agent, seed: *seed, games: *games }.report(&self.game, &self.figures)
    }

    /// Returns the template values of the results.
    fn results(&self, language: Language) -> Value {
        let Self { setup, figures, agent, .. } = self;
        let row = |name: String, value: String, interval: String| vec![name, value, interval];
        let seats: Vec<Vec<String>> = (0..setup.seats)
            .map(|seat| {
                let share = figures.estimate(&Measure::Win(seat));
                let interval = format!("{}–{}", percent(share.interval.low), percent(share.interval.high));
                row(setup.name(Seat(seat)).to_owned(), percent(share.value), interval)
            })
            .collect();
        let measures: Vec<Vec<String>> = MEASURES
            .into_iter()
            .map(|measure| (figures.estimate(&measure), measure))
            .filter(|(estimate, _)| estimate.count > 0)
            .map(|(estimate, measure)| {
                let name = measure.definition().name.to_owned();
                row(name, amount(estimate.value), span(&estimate, MeasureKind::Amount))
            })
            .collect();
        let (game, agents) = (quoted(self.game.id()), quoted(agent));
        let command = format!(
            "parlour simulate {game} --players {} --games {} --agents {agents} --seed {}",
            setup.seats, figures.games, self.seed
        );
        let same_games = filled(Phrases::for_language(language).page.same_games, &[("command", &command)]);
        context! { seats, measures, same_games, ..self.progress(language) }
    }

    fn progress(&self, language: Language) -> Value {
        let web = &Phrases::for_language(language).web;
        let (played, games) = (grouped(self.figures.games as i64), grouped(self.games as i64));
        let count = filled(web.trial_played, &[("count", &played), ("games", &games)]);
        context! { count, agent => self.agent.as_str(), games => self.games, played => self.figures.games }
    }
}

/// Renders the form and, if there is a batch, its progress or results.
pub(super) fn part(
    pages: &Pages,
    game: &Game,
    batch: Option<&PageBatch>,
    failed: Option<&str>,
    language: Language,
) -> String {
    let running = batch.filter(|batch| batch.is_running()).map(|batch| batch.progress(language));
    let done =
        batch.filter(|batch| !batch.is_running() && batch.figures.games > 0).map(|batch| batch.results(language));
    let failed = failed.or(batch.and_then(|batch| batch.failed.as_deref()));
    let players: Vec<u8> = game.players().collect();
    let chosen = batch.map_or(*game.players().start(), |batch| batch.setup.seats);
    let page = section("page", language);
    let agents = offered_agents(game);
    pages.render(
        "simulate.html",
        context! { running, done, failed, players, chosen, games => GAMES, agents, page, ..base(language) },
    )
}

/// Plays the games of a batch whose indices are in `games`. Returns the fingerprint of the table at the end of each game.
///
/// # Errors
/// Returns the mistakes of the game's files or of the agent.
pub(super) fn fingerprints(
    game: &Game,
    seats: u8,
    agent: &str,
    seed: u64,
    games: Range<u64>,
) -> Result<Vec<u64>, String> {
    let batch = PageBatch::new(game, Setup::seats(seats), agent, seed, games.end)?;
    let ends = Ends::default();
    run(game, &batch.setup, &batch.spec, seed, games, &ends)?;
    Ok(ends.0.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// Follower that collects the fingerprint of the table at the end of each game.
#[derive(Default)]
struct Ends(std::sync::Mutex<Vec<u64>>);

impl Follower for Ends {
    type GameData = u64;

    fn keep(&self, record: &Record) -> u64 {
        record.fingerprint
    }

    fn take(&self, fingerprint: u64) -> std::io::Result<()> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(fingerprint);
        Ok(())
    }
}

fn run<F: Follower>(
    game: &Game,
    setup: &Setup,
    spec: &Spec,
    seed: u64,
    games: Range<u64>,
    follower: &F,
) -> Result<Figures, String> {
    let batch = Batch { games, seed, jobs: 1, setup: setup.clone(), prospects: None, campaigns: false };
    let player = |seed, seat: Seat| spec.player(seed, seat.index()) as Box<dyn Player>;
    simulate(game, &batch, &player, follower).map_err(|why| match why {
        BatchError::Game(found) => found.in_plain_text(),
        BatchError::Output(error) => error.to_string(),
    })
}

//! Batches that run beside a table: a simulation of the game with its current files, or a comparison with the files at the time when the
//! table was opened. One batch runs at a time, on threads of its own.

use crate::agents::{Spec, suggested_agents};
use crate::desk::agents::parse_agents;
use crate::diagnostic::{Diagnostics, Role, shown};
use crate::model::{Language, Seat};
use crate::report::{BatchManifest, BatchReport, ComparedPlayers, FORMAT, Manifest, comparison_page, grouped, page};
use crate::session::{Game, Player, Setup};
use crate::simulation::{Batch, BatchError, Comparison, Figures, Follower, Margin, Record, compare, simulate};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Numbers of games offered in the form.
pub(super) const GAMES: [u64; 4] = [100, 500, 2_000, 10_000];

/// Number of playouts with which the offered agents search.
const WORLDS: u32 = 50;

/// Smallest relevant difference, as in `parlour compare`.
const MARGIN: Margin = Margin { share: 0.01, amount: 0.01 };

/// Kind of batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Simulation of the current files.
    Simulate,
    /// Comparison of the current files with the files at the time when the table was opened, in pairs of games.
    Compare,
}

/// Batches of one table.
pub(super) struct Trials {
    /// Game at the time when the table was opened.
    opened: Game,
    /// Setup of the table.
    setup: Mutex<Setup>,
    /// Folder of the game; `None` for a bundled game.
    folder: Option<PathBuf>,
    /// The running batch, or the last one if none is running.
    latest: Mutex<Option<Arc<Trial>>>,
}

/// One batch.
pub(super) struct Trial {
    pub(super) sort: Sort,
    pub(super) games: u64,
    pub(super) agent: String,
    /// Seed of the batch. It is drawn separately, since the seed of the table would reveal future random results.
    seed: u64,
    played: AtomicU64,
    is_stopped: AtomicBool,
    outcome: Mutex<Option<Outcome>>,
}

/// Result of a batch.
#[derive(Clone)]
pub(super) enum Outcome {
    /// Page with the report.
    Report(Arc<str>),
    /// Message of a failure, such as mistakes in the files.
    Failed(Arc<str>),
}

impl Trial {
    /// Returns the number of games or pairs played so far.
    pub(super) fn played(&self) -> u64 {
        self.played.load(Ordering::Relaxed)
    }

    /// Returns the result, or `None` while the batch is running.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops the batch. The report covers the games played so far.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

impl Follower for Trial {
    type GameData = ();

    fn keep(&self, _record: &Record) {
        self.played.fetch_add(1, Ordering::Relaxed);
    }

    fn take(&self, (): ()) -> std::io::Result<()> {
        Ok(())
    }

    fn stops(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

impl Trials {
    /// Creates the batches of a newly opened table. `opened` is the game of the table.
    pub(super) fn new(opened: Game, setup: Setup, folder: Option<PathBuf>) -> Self {
        Self { opened, setup: Mutex::new(setup), folder, latest: Mutex::default() }
    }

    /// Sets the setup when the table begins another game.
    pub(super) fn follow(&self, setup: Setup) {
        *self.setup.lock().unwrap_or_else(PoisonError::into_inner) = setup;
    }

    /// Returns the setup of the table, without its seed.
    fn setup(&self) -> Setup {
        let setup = self.setup.lock().unwrap_or_else(PoisonError::into_inner).clone();
        setup.seed(0)
    }

    /// Returns the running batch, or the last one if none is running.
    pub(super) fn latest(&self) -> Option<Arc<Trial>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns whether the game has files that may have changed since the table was opened.
    pub(super) const fn can_compare(&self) -> bool {
        self.folder.is_some()
    }

    /// Returns the agents offered in the form.
    pub(super) fn agents(&self) -> Vec<String> {
        suggested_agents(self.opened.agents(), WORLDS)
    }

    /// Starts a batch, and returns whether it was started. A batch is not started while another one is running, or with settings that the
    /// form does not offer.
    pub(super) fn begin(self: &Arc<Self>, sort: Sort, games: u64, agent: &str) -> bool {
        let is_offered = GAMES.contains(&games)
            && self.agents().iter().any(|known| known == agent)
            && (sort == Sort::Simulate || self.can_compare());
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let is_free = latest.as_ref().is_none_or(|trial| trial.outcome().is_some());
        if !is_offered || !is_free {
            return false;
        }
        let Ok(seed) = super::links::seed() else { return false };
        let trial = Arc::new(Trial {
            sort,
            games,
            agent: agent.to_owned(),
            seed,
            played: AtomicU64::new(0),
            is_stopped: AtomicBool::new(false),
            outcome: Mutex::default(),
        });
        let (trials, running) = (self.clone(), trial.clone());
        let play = move || {
            let outcome = trials.play(&running);
            *running.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        };
        let is_begun = crate::system::thread("trial").spawn(play).is_ok();
        if is_begun {
            *latest = Some(trial);
        }
        is_begun
    }

    /// Stops the running batch.
    pub(super) fn stop(&self) {
        if let Some(trial) = self.latest() {
            trial.stop();
        }
    }

    fn play(&self, trial: &Trial) -> Outcome {
        let played = self.current_game().map_err(|found| found.in_plain_text()).and_then(|game| match trial.sort {
            Sort::Simulate => self.run_trial(&game, trial),
            Sort::Compare => self.compared(&game, trial),
        });
        match played {
            Ok(report) => Outcome::Report(report.into()),
            Err(why) => Outcome::Failed(why.into()),
        }
    }

    /// Loads the game from its current files.
    #[cfg(feature = "system")]
    fn current_game(&self) -> Result<Game, Diagnostics> {
        self.folder.as_ref().map_or_else(|| Ok(self.opened.clone()), crate::load)
    }

    /// Returns the game as it was opened, because this build cannot read folders.
    #[cfg(not(feature = "system"))]
    #[expect(clippy::unnecessary_wraps, reason = "loading a game may fail")]
    fn current_game(&self) -> Result<Game, Diagnostics> {
        Ok(self.opened.clone())
    }

    fn batch(&self, trial: &Trial) -> Batch {
        // Games are played one at a time, so that the table keeps the other processors.
        Batch {
            games: 0..trial.games,
            seed: trial.seed,
            jobs: 1,
            setup: self.setup(),
            prospects: None,
            campaigns: false,
        }
    }

    fn path(&self, game: &Game) -> String {
        self.folder.as_deref().map_or_else(|| game.id().to_owned(), shown)
    }

    fn run_trial(&self, game: &Game, trial: &Trial) -> Result<String, String> {
        let spec = self.spec(game, trial)?;
        let player = |seed, seat: Seat| player(&spec, seed, seat);
        let figures: Figures =
            simulate(game, &self.batch(trial), &player, trial).map_err(|why| batch_error_text(&why))?;
        let played = PlayedBatch {
            setup: &self.setup(),
            path: self.path(game),
            agent: &trial.agent,
            seed: trial.seed,
            games: trial.games,
        };
        played.report(game, &figures)
    }

    fn compared(&self, game: &Game, trial: &Trial) -> Result<String, String> {
        let (one, two) = (self.spec(&self.opened, trial)?, self.spec(game, trial)?);
        let batch = self.batch(trial);
        let players = [&|seed, seat: Seat| player(&one, seed, seat) as Box<dyn Player>, &|seed, seat: Seat| {
            player(&two, seed, seat)
        }] as [&(dyn Fn(u64, Seat) -> Box<dyn Player> + Sync); 2];
        let comparison: Comparison =
            compare((&self.opened, &batch), (game, &batch), players, trial).map_err(|why| batch_error_text(&why))?;
        let rows = comparison.rows(MARGIN);
        let layout = |game: &Game| game.layout(&self.setup()).map_err(|found| found.in_plain_text());
        let (before, layout) = (layout(&self.opened)?, layout(game)?);
        let rules = [&before, &layout].map(|layout| format!("{:016x}", layout.model.fingerprint));
        let own_agent = game.agents().first().map(|source| Role::Agent.name(&source.path).to_owned());
        let agents = [std::slice::from_ref(&trial.agent); 2];
        let part = ComparedPlayers {
            model: &layout.model,
            before: &before.model,
            agents,
            commands: &[],
            suggested_agent: own_agent.as_deref().filter(|_| trial.agent == "random"),
            planned: trial.games,
            rules: &rules,
            comparison: &comparison,
            rows: &rows,
        };
        let name = layout.model.name.get(Language::English);
        let pairs = grouped(comparison.b.games as i64);
        let versions = ["as it was when the table was opened", "as it is"];
        let subtitle = format!("A: {}. B: {}. {pairs} pairs of games, seed {}", versions[0], versions[1], trial.seed);
        let provenance = [
            ("Game", format!("{} ({})", game.id(), self.path(game))),
            ("A", versions[0].to_owned()),
            ("B", versions[1].to_owned()),
            ("Agents", trial.agent.clone()),
            ("Seed", trial.seed.to_string()),
            ("Pairs of games", grouped(trial.games as i64)),
            ("Program", format!("Parlour {}", env!("CARGO_PKG_VERSION"))),
        ]
        .map(|(name, text)| (name.to_owned(), text));
        let title = format!("{name}: what a change does");
        Ok(comparison_page(&title, &subtitle, agents, &[part], &provenance))
    }

    fn spec(&self, game: &Game, trial: &Trial) -> Result<Spec, String> {
        let mut specs = parse_agents(game, std::slice::from_ref(&trial.agent)).map_err(|why| why.message)?;
        crate::desk::agents::check(game, self.setup().seats, &specs).map_err(|found| found.in_plain_text())?;
        Ok(specs.remove(0))
    }
}

/// Data for the report of a batch with one agent in all seats.
pub(super) struct PlayedBatch<'a> {
    pub(super) setup: &'a Setup,
    /// Path of the game's folder, or its id.
    pub(super) path: String,
    pub(super) agent: &'a str,
    pub(super) seed: u64,
    /// Number of games that were to be played.
    pub(super) games: u64,
}

impl PlayedBatch<'_> {
    /// Renders the report of the batch.
    ///
    /// # Errors
    /// Returns the mistakes of the game's files.
    pub(super) fn report(self, game: &Game, figures: &Figures) -> Result<String, String> {
        let Self { setup, path, agent, seed, games } = self;
        let layout = game.layout(setup).map_err(|found| found.in_plain_text())?;
        let batch = BatchManifest {
            players: setup.seats,
            rules: format!("{:016x}", layout.model.fingerprint),
            played: vec![(0, figures.games)],
            enough: None,
        };
        let manifest = Manifest {
            format: FORMAT,
            parlour: env!("CARGO_PKG_VERSION").to_owned(),
            game: game.id().to_owned(),
            path,
            directory: None,
            seed,
            games,
            until: None,
            agents: vec![agent.to_owned()],
            agent_files: Vec::new(),
            options: setup.options.clone(),
            sets: setup.sets.clone(),
            invariants: false,
            campaigns: false,
            prospects: None,
            shard: None,
            complete: figures.games == games,
            batches: vec![batch],
            files: Vec::new(),
        };
        let own_agent = game.agents().first().map(|source| Role::Agent.name(&source.path).to_owned());
        let batch = &manifest.batches[0];
        let shelf = BatchReport { model: layout.model.clone(), batch, figures, stories: Vec::new(), own_agent };
        Ok(page(&manifest, &[shelf]))
    }
}

fn player(spec: &Spec, seed: u64, seat: Seat) -> Box<dyn Player> {
    spec.player(seed, seat.index())
}

fn batch_error_text(why: &BatchError) -> String {
    match why {
        BatchError::Game(found) => found.in_plain_text(),
        BatchError::Output(error) => error.to_string(),
    }
}

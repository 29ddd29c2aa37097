//! Complete games played by agents.

use super::game::Game;
use super::halt::Halt;
use super::observation::{GameOver, Observation};
use super::opening::Opening;
use super::outcome::Outcome;
use super::status::{Checkpoints, Progress, RecordingSettings, Session, placed};
use super::world_counts::WorldCounts;
use crate::decision::{Event, Log, Observer, RecordedAnswer};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::library::{LaidByChance, State};
use crate::model::Setup;
use crate::model::{FamilyId, Seat};
use crate::script::{self, Host};
use crate::table::{Chance, Layout, Table};
use std::sync::{Arc, Mutex, PoisonError};

/// A player, which chooses for a seat. It receives observations of the seat and nothing else.
pub trait Player {
    /// Returns the index of the chosen option.
    ///
    /// # Errors
    /// Returns the reason if there is no answer. The game is then abandoned.
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer>;

    /// Called when a game is resumed at a later decision. `answered` is the number of decisions that the seat has already answered, not
    /// counting decisions with only one possible answer.
    fn taken_up(&mut self, _answered: usize) {}

    /// Returns the random numbers of the player, if it has any. If answers are taken back, the numbers can be taken back as well.
    fn chance(&mut self) -> Option<&mut Chance> {
        None
    }

    /// Returns whether the player imagines worlds. If so, games keep checkpoints.
    fn imagines(&self) -> bool {
        false
    }

    /// Returns whether the player weighs worlds by earlier choices of others. If so, games keep earlier steps.
    fn looks_back(&self) -> bool {
        false
    }

    /// Returns whether the player reads events. If so, games record them.
    fn hears(&self) -> bool {
        false
    }

    /// Called when the game is over.
    fn over(&mut self, _over: &GameOver<'_>, _seat: Seat) {}

    /// Gives the player a cancellation flag. A player that computes for a long time should poll it.
    fn heeds(&mut self, _halt: &Halt) {}
}

/// Reason why a player gives no answer: a sentence, or a mistake in an agent's file.
#[derive(Debug, Clone)]
pub struct NoAnswer(Box<Diagnostic>);

impl NoAnswer {
    /// Converts the reason to a diagnostic, with its place if it is a mistake in a file.
    pub fn diagnostic(self) -> Box<Diagnostic> {
        self.0
    }
}

impl From<String> for NoAnswer {
    fn from(message: String) -> Self {
        Self(Box::new(Diagnostic::error("no-answer", message)))
    }
}

impl From<Box<Diagnostic>> for NoAnswer {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self(diagnostic)
    }
}

impl From<Diagnostics> for NoAnswer {
    /// Converts the first of several mistakes.
    fn from(mistakes: Diagnostics) -> Self {
        mistakes.0.into_iter().next().map_or_else(|| "no reason given".to_owned().into(), |one| Self(one.into()))
    }
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.in_a_line())
    }
}

impl std::error::Error for NoAnswer {}

/// Record of a game that was played to its end or to a fault.
#[derive(Debug, Clone)]
pub struct PlayedGame {
    /// The outcome, or the fault that stopped the game.
    pub outcome: Result<Outcome, Box<Diagnostic>>,
    /// Number of decisions put to agents.
    pub decisions: u64,
    /// Number of decisions with only one possible answer.
    pub forced: u64,
    /// Every answer, in order.
    pub chosen: Log<RecordedAnswer>,
    /// All events, if they were recorded.
    pub events: Log<Event>,
    /// Final counts of the rules' tallies.
    pub tallies: Vec<(Arc<str>, Option<Seat>, i64)>,
    /// Piles whose order some seat knew, at least in part, right after a shuffle.
    pub seen_orders: Vec<FamilyId>,
    /// Pairs of pieces that set the same quantity to different values, although chance decided which piece was laid last.
    pub laid_by_chance: Vec<LaidByChance>,
    /// Fingerprint of the final table.
    pub fingerprint: u64,
    /// Counts of the worlds that players imagined.
    pub worlds: WorldCounts,
    /// Setup of the next game in the campaign, if there is one.
    pub next: Option<Setup>,
}

impl PlayedGame {
    /// Returns the warnings about the rules that result from this game.
    pub fn remarks(&self, host: &Host) -> Vec<Diagnostic> {
        let odd = self.outcome.as_ref().ok().and_then(|outcome| outcome.warn_of_odd_winner(host));
        let orders = self.seen_orders.iter().map(|family| host.seen_order(*family));
        let laid = self.laid_by_chance.iter().map(|laid| host.laid_by_chance(laid));
        odd.into_iter().chain(orders).chain(laid).chain(self.worlds.warnings()).collect()
    }
}

/// Code of the diagnostic for endless games.
const ENDLESS: &str = "endless";

/// Maximum number of decisions in a game.
pub const MAX_DECISIONS: u64 = 20_000;

/// The players of a game, indexed by seat.
pub(super) struct SeatedPlayers {
    players: Vec<Box<dyn Player>>,
    setup: Arc<Setup>,
    pub(super) decisions: u64,
    observer: Option<Arc<Mutex<dyn Observer>>>,
    /// The rules whose invariants are checked; `None` if they are not checked.
    watched: Option<Arc<Host>>,
    /// Whether an invariant was violated.
    has_broken: bool,
}

impl SeatedPlayers {
    fn new(players: Vec<Box<dyn Player>>, setup: Arc<Setup>, watched: Option<Arc<Host>>) -> Self {
        Self { players, setup, decisions: 0, observer: None, watched, has_broken: false }
    }

    fn observed(self, observer: Option<&Arc<Mutex<dyn Observer>>>) -> Self {
        Self { observer: observer.cloned(), ..self }
    }

    /// Checks the invariants on a copy of the table, so that the step under way is not affected.
    fn watch(&mut self, table: &Table) -> Result<(), Box<Diagnostic>> {
        let Some(host) = &self.watched else { return Ok(()) };
        let held = script::invariants(host, &mut State::new(table.clone()));
        self.has_broken = held.is_err();
        held
    }
}

impl SeatedPlayers {
    /// Asks the player of a seat and returns the index of the chosen option.
    ///
    /// # Errors
    /// Fails if the player gives no valid answer, if an invariant does not hold, or after [`MAX_DECISIONS`] decisions.
    pub(super) fn ask(&mut self, observation: &Observation<'_>) -> Result<usize, Box<Diagnostic>> {
        self.decisions += 1;
        if self.decisions > MAX_DECISIONS {
            return Err(Box::new(without_end()));
        }
        self.watch(observation.table())?;
        let at = self.players[observation.seat().index()].choose(observation).map_err(NoAnswer::diagnostic)?;
        let count = observation.decision().count();
        if at >= count {
            return Err(NoAnswer::from(format!("option {at} was chosen of {count}")).diagnostic());
        }
        if let Some(observer) = &self.observer {
            observer.lock().unwrap_or_else(PoisonError::into_inner).chose(
                observation.table(),
                observation.decision(),
                at,
            );
        }
        Ok(at)
    }

    /// Adds to a diagnostic the phase, the round, and the command that reproduces the fault.
    fn placed(&self, diagnostic: Diagnostic, state: &State, game: &Game) -> Box<Diagnostic> {
        let mut diagnostic = placed(diagnostic, state, game, &self.setup);
        if self.has_broken {
            diagnostic.reproduce.as_mut().expect("a fault of a game has its command").push_str(" --invariants");
        }
        Box::new(diagnostic)
    }
}

/// Creates the diagnostic for a game with more than [`MAX_DECISIONS`] decisions.
pub fn without_end() -> Diagnostic {
    Diagnostic::error(ENDLESS, format!("the game did not end within {MAX_DECISIONS} decisions"))
        .help("check whether the game can reach its ending")
}

impl Game {
    /// Plays a whole game with one player for each seat. Events are recorded if `noting` is set.
    ///
    /// # Errors
    /// Returns all mistakes in the game's files and in the setup.
    pub fn play(&self, setup: &Setup, players: Vec<Box<dyn Player>>, noting: bool) -> Result<PlayedGame, Diagnostics> {
        // Mistakes in the rules are reported before anything is played.
        let compiled = self.host(setup)?;
        let played = script::catch_panics(|| self.play_through(setup, compiled, players, noting, None));
        Ok(played.unwrap_or_else(|diagnostic| failed_game(with_command(*diagnostic, self, setup))))
    }

    /// Like [`Game::play`], but with an observer, which is returned with the game. The observer is lost if the engine panics during the
    /// game.
    ///
    /// # Errors
    /// Returns all mistakes in the game's files and in the setup.
    pub fn watch<O: Observer + 'static>(
        &self,
        setup: &Setup,
        players: Vec<Box<dyn Player>>,
        observer: O,
        noting: bool,
    ) -> Result<(PlayedGame, Option<O>), Diagnostics> {
        let compiled = self.host(setup)?;
        let played = script::catch_panics(|| {
            let observer = Arc::new(Mutex::new(observer));
            let played = self.play_through(setup, compiled, players, noting, Some(observer.clone()));
            (
                played,
                Arc::into_inner(observer).map(|observer| observer.into_inner().unwrap_or_else(PoisonError::into_inner)),
            )
        });
        Ok(played.unwrap_or_else(|diagnostic| (failed_game(with_command(*diagnostic, self, setup)), None)))
    }

    /// Plays to the end or to the first fault. Checkpoints are kept if a player imagines worlds.
    fn play_through(
        &self,
        setup: &Setup,
        compiled: (Arc<Layout>, Arc<Host>),
        players: Vec<Box<dyn Player>>,
        noting: bool,
        observer: Option<Arc<Mutex<dyn Observer>>>,
    ) -> PlayedGame {
        let checkpoints = if players.iter().any(|player| player.looks_back()) {
            Checkpoints::Past
        } else if players.iter().any(|player| player.imagines()) {
            Checkpoints::Present
        } else {
            Checkpoints::None
        };
        let watched = self.holds_invariants().then(|| compiled.1.clone());
        let shared_setup = Arc::new(setup.clone());
        let mut seated = SeatedPlayers::new(players, shared_setup.clone(), watched).observed(observer.as_ref());
        let events = noting || seated.players.iter().any(|player| player.hears());
        let keeping = RecordingSettings { observer, events, checkpoints, copies: false };
        #[cfg(feature = "walker")]
        if self.is_walked() {
            return self.play_walked(setup, seated, keeping);
        }
        let opened = Session::open_keeping((self, compiled), shared_setup, Opening::default(), keeping);
        let mut session = match opened {
            Ok(session) => session,
            Err(mistakes) => return failed_game(*NoAnswer::from(mistakes).diagnostic()),
        };
        let outcome = loop {
            let Some(observation) = session.observation() else { break session.take_outcome() };
            match seated.ask(&observation) {
                Ok(at) => session.choose(at).expect("the position was looked at"),
                Err(mut why) => {
                    if why.code == ENDLESS {
                        script::explain_trigger_cycle(&session.state, &mut why);
                    }
                    break Err(Box::new(session.unanswered(*why)));
                }
            }
        };
        let outcome = outcome.and_then(|outcome| seated.watch(session.table()).map(|()| outcome));
        if let Ok(outcome) = &outcome {
            let over = GameOver::new(&session, outcome);
            for (at, player) in seated.players.iter_mut().enumerate() {
                player.over(&over, Seat(at as u8));
            }
        }
        let next = outcome.is_ok().then(|| session.following_game()).transpose();
        let (outcome, next) = match next {
            Ok(next) => (outcome, next.flatten()),
            Err(why) => (Err(why), None),
        };
        let outcome = outcome.map_err(|why| match why.reproduce {
            Some(_) => why,
            None => seated.placed(*why, &session.state, self),
        });
        PlayedGame { next, ..session.into_played(outcome, seated.decisions) }
    }
}

impl Session {
    /// Returns the outcome of the session, or the fault that stopped it. Fails if the game is not over.
    pub(super) fn ended(&self) -> Result<Outcome, Box<Diagnostic>> {
        match &self.progress {
            Progress::Over(outcome) => Ok(outcome.clone()),
            Progress::Failed(diagnostic) => Err(diagnostic.clone()),
            Progress::Waiting(_) | Progress::Idle | Progress::Resting => {
                Err(Box::new(Diagnostic::error("not-over", "the game is not over")))
            }
        }
    }

    /// Like [`ended`](Self::ended), but takes the outcome out of the session, which must not be used afterwards.
    fn take_outcome(&mut self) -> Result<Outcome, Box<Diagnostic>> {
        match std::mem::replace(&mut self.progress, Progress::Idle) {
            Progress::Over(outcome) => Ok(outcome),
            progress => {
                self.progress = progress;
                self.ended()
            }
        }
    }

    /// Adds a place to a diagnostic about a missing answer: where the rules ask the open decision.
    fn unanswered(&self, why: Diagnostic) -> Diagnostic {
        match &self.progress {
            Progress::Waiting(step) => step.unanswered(why),
            _ => why,
        }
    }

    /// Converts a finished session to its record. `decisions` is the number of decisions put to agents.
    pub(super) fn into_played(self, outcome: Result<Outcome, Box<Diagnostic>>, decisions: u64) -> PlayedGame {
        let worlds = self.world_counts();
        let State { table, journal, answers, tallies, .. } = self.state;
        PlayedGame {
            worlds,
            outcome,
            decisions,
            forced: answers.forced,
            chosen: answers.chosen,
            events: journal.events,
            tallies: tallies.all().to_vec(),
            seen_orders: journal.seen_orders,
            laid_by_chance: journal.laid_by_chance,
            fingerprint: table.fingerprint(),
            next: None,
        }
    }
}

fn failed_game(diagnostic: Diagnostic) -> PlayedGame {
    PlayedGame {
        outcome: Err(Box::new(diagnostic)),
        decisions: 0,
        forced: 0,
        chosen: Log::default(),
        events: Log::default(),
        tallies: Vec::new(),
        seen_orders: Vec::new(),
        laid_by_chance: Vec::new(),
        fingerprint: 0,
        worlds: WorldCounts::default(),
        next: None,
    }
}

fn with_command(mut diagnostic: Diagnostic, game: &Game, setup: &Setup) -> Diagnostic {
    diagnostic.reproduce = Some(setup.command(game.path()));
    diagnostic
}

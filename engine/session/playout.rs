//! A whole game played by agents.

use super::game::Game;
use super::halt::Halt;
use super::observation::{GameOver, Observation};
use super::opening::Opening;
use super::outcome::Outcome;
use super::status::{Checkpoints, Keeping, Progress, Session, placed};
use super::world_counts::WorldCounts;
use crate::decision::{Chosen, Event, Log, Observer};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::library::State;
use crate::model::Setup;
use crate::model::{FamilyId, Seat};
use crate::script::{self, Host};
use crate::table::Table;
use std::sync::{Arc, Mutex, PoisonError};

/// The player of a seat, which chooses for it. It is given what the seat may go by, and nothing else.
pub trait Player {
    /// The position of the option chosen.
    ///
    /// # Errors
    /// Why no answer can be had; the game is given up.
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer>;

    /// The game is taken up at another place than where it was left: the seat has answered so many decisions before it, those
    /// with one answer alone not counted.
    fn taken_up(&mut self, _answered: usize) {}

    /// Whether it imagines worlds: games then keep what that takes.
    fn imagines(&self) -> bool {
        false
    }

    /// Whether it weighs them by what others chose before.
    fn looks_back(&self) -> bool {
        false
    }

    /// Whether it is told what has happened: games then note it.
    fn hears(&self) -> bool {
        false
    }

    /// The game in which it had a seat is over.
    fn over(&mut self, _over: &GameOver<'_>, _seat: Seat) {}

    /// From now on it gives up, without an answer, soon after this says so; who thinks no longer than a moment need not look.
    fn heeds(&mut self, _halt: &Halt) {}
}

/// Why no answer can be had: a sentence, or a mistake in the file that an agent goes by.
#[derive(Debug, Clone)]
pub struct NoAnswer(Box<Diagnostic>);

impl NoAnswer {
    /// What went wrong; a mistake in a file has its place there.
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
    /// The first of several mistakes.
    fn from(mistakes: Diagnostics) -> Self {
        mistakes.0.into_iter().next().map_or_else(|| "nothing is said of why".to_owned().into(), |one| Self(one.into()))
    }
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.in_a_line())
    }
}

impl std::error::Error for NoAnswer {}

/// A game that was played to its end, or as far as it went.
#[derive(Debug, Clone)]
pub struct Played {
    /// How it ended, or why it did not.
    pub outcome: Result<Outcome, Box<Diagnostic>>,
    /// How many decisions were put to agents.
    pub decisions: u64,
    /// How many decisions had only one answer.
    pub forced: u64,
    /// Every answer, in order.
    pub chosen: Log<Chosen>,
    /// What happened, if it was noted.
    pub events: Log<Event>,
    /// The counters the rules keep for statistics.
    pub tallies: Vec<(Arc<str>, Option<Seat>, i64)>,
    /// The piles of which a seat knew the order as soon as they had been shuffled.
    pub seen_orders: Vec<FamilyId>,
    /// One stable number computed from the table at the end.
    pub fingerprint: u64,
    /// The worlds that its players imagined.
    pub worlds: WorldCounts,
    /// The game that follows in the campaign, if one does.
    pub next: Option<Setup>,
}

impl Played {
    /// What its author should look at, though the game went well.
    pub fn remarks(&self, host: &Host) -> Vec<Diagnostic> {
        let odd = self.outcome.as_ref().ok().and_then(|outcome| outcome.odd_winner(host));
        let orders = self.seen_orders.iter().map(|family| host.seen_order(*family));
        odd.into_iter().chain(orders).chain(self.worlds.warnings()).collect()
    }
}

/// The code of what goes on without end.
const ENDLESS: &str = "endless";

/// More decisions than any game asks.
pub const MOST_DECISIONS: u64 = 20_000;

/// The players of a game, asked by seat.
pub(super) struct Seated {
    players: Vec<Box<dyn Player>>,
    setup: Arc<Setup>,
    pub(super) decisions: u64,
    /// The observer.
    observer: Option<Arc<Mutex<dyn Observer>>>,
    /// The rules whose invariants must hold, if they must.
    watched: Option<Arc<Host>>,
    /// Whether one of them did not hold.
    has_broken: bool,
}

impl Seated {
    fn new(players: Vec<Box<dyn Player>>, setup: &Setup, watched: Option<Arc<Host>>) -> Self {
        Self { players, setup: Arc::new(setup.clone()), decisions: 0, observer: None, watched, has_broken: false }
    }

    fn observed(self, observer: Option<&Arc<Mutex<dyn Observer>>>) -> Self {
        Self { observer: observer.cloned(), ..self }
    }

    /// Asks whether the invariants hold, aside from the step under way.
    fn watch(&mut self, table: &Table) -> Result<(), Box<Diagnostic>> {
        let Some(host) = &self.watched else { return Ok(()) };
        let held = script::invariants(host, &mut State::new(table.clone()));
        self.has_broken = held.is_err();
        held
    }
}

impl Seated {
    pub(super) fn ask(&mut self, observation: &Observation<'_>) -> Result<usize, Box<Diagnostic>> {
        self.decisions += 1;
        if self.decisions > MOST_DECISIONS {
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

    /// What went wrong, with its place in the game and the command that shows it again.
    fn placed(&self, diagnostic: Diagnostic, state: &State, game: &Game) -> Box<Diagnostic> {
        let mut diagnostic = placed(diagnostic, state, game, &self.setup);
        if self.has_broken {
            diagnostic.reproduce.as_mut().expect("a fault of a game has its command").push_str(" --invariants");
        }
        Box::new(diagnostic)
    }
}

/// A game that asks more than [`MOST_DECISIONS`] decisions.
pub fn without_end() -> Diagnostic {
    Diagnostic::error(ENDLESS, format!("the game went on after {MOST_DECISIONS} decisions"))
        .help("look for an ending that is never reached")
}

impl Game {
    /// Plays a whole game with one player for each seat; `noting` says whether to note what happens.
    ///
    /// # Errors
    /// Every mistake in the game's files, and in the setup.
    pub fn play(&self, setup: &Setup, players: Vec<Box<dyn Player>>, noting: bool) -> Result<Played, Diagnostics> {
        // The rules are compiled before anything is played: their mistakes are the author's.
        let (_, host) = self.host(setup)?;
        let played = script::catch_panics(|| self.play_through(setup, &host, players, noting, None));
        Ok(played.unwrap_or_else(|diagnostic| failed(with_command(*diagnostic, self, setup))))
    }

    /// The same with an observer; what the observer has gathered is lost when the program itself is at fault.
    ///
    /// # Errors
    /// Every mistake in the game's files, and in the setup.
    ///
    /// # Panics
    /// Never: nothing but the game holds on to the observer.
    pub fn watch<O: Observer + 'static>(
        &self,
        setup: &Setup,
        players: Vec<Box<dyn Player>>,
        observer: O,
        noting: bool,
    ) -> Result<(Played, Option<O>), Diagnostics> {
        let (_, host) = self.host(setup)?;
        let played = script::catch_panics(|| {
            let observer = Arc::new(Mutex::new(observer));
            let played = self.play_through(setup, &host, players, noting, Some(observer.clone()));
            (
                played,
                Arc::into_inner(observer).map(|observer| observer.into_inner().unwrap_or_else(PoisonError::into_inner)),
            )
        });
        Ok(played.unwrap_or_else(|diagnostic| (failed(with_command(*diagnostic, self, setup)), None)))
    }

    /// Plays to the end, or to the first mistake. What it takes to imagine worlds is kept where a player does.
    fn play_through(
        &self,
        setup: &Setup,
        host: &Arc<Host>,
        players: Vec<Box<dyn Player>>,
        noting: bool,
        observer: Option<Arc<Mutex<dyn Observer>>>,
    ) -> Played {
        let checkpoints = if players.iter().any(|player| player.looks_back()) {
            Checkpoints::Past
        } else if players.iter().any(|player| player.imagines()) {
            Checkpoints::Present
        } else {
            Checkpoints::None
        };
        let watched = self.holds_invariants().then(|| host.clone());
        let mut seated = Seated::new(players, setup, watched).observed(observer.as_ref());
        let events = noting || seated.players.iter().any(|player| player.hears());
        let keeping = Keeping { observer, events, checkpoints, copies: false };
        #[cfg(feature = "walker")]
        if self.is_walked() {
            return self.play_walked(setup, seated, keeping);
        }
        let mut session = match Session::open_keeping(self, setup, Opening::default(), keeping) {
            Ok(session) => session,
            Err(mistakes) => return failed(*NoAnswer::from(mistakes).diagnostic()),
        };
        let outcome = loop {
            let Some(observation) = session.observation() else { break session.ended() };
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
        let next = outcome.is_ok().then(|| session.next_game()).transpose();
        let (outcome, next) = match next {
            Ok(next) => (outcome, next.flatten()),
            Err(why) => (Err(why), None),
        };
        let outcome = outcome.map_err(|why| match why.reproduce {
            Some(_) => why,
            None => seated.placed(*why, &session.state, self),
        });
        Played { next, ..session.into_played(outcome, seated.decisions) }
    }
}

impl Session {
    /// How a game ended in which nobody is asked any more.
    pub(super) fn ended(&self) -> Result<Outcome, Box<Diagnostic>> {
        match &self.progress {
            Progress::Over(outcome) => Ok(outcome.clone()),
            Progress::Failed(diagnostic) => Err(diagnostic.clone()),
            Progress::Waiting(_) | Progress::Idle | Progress::Resting => {
                Err(Box::new(Diagnostic::error("not-over", "the game is not over")))
            }
        }
    }

    /// Why the open decision has no answer, with its place in the rules.
    fn unanswered(&self, why: Diagnostic) -> Diagnostic {
        match &self.progress {
            Progress::Waiting(step) => step.unanswered(why),
            _ => why,
        }
    }

    /// What came of it, once it is over, after so many decisions.
    pub(super) fn into_played(self, outcome: Result<Outcome, Box<Diagnostic>>, decisions: u64) -> Played {
        let worlds = self.world_counts();
        let State { table, journal, answers, tallies, .. } = self.state;
        Played {
            worlds,
            outcome,
            decisions,
            forced: answers.forced,
            chosen: answers.chosen,
            events: journal.events,
            tallies: tallies.all().to_vec(),
            seen_orders: journal.seen_orders,
            fingerprint: table.fingerprint(),
            next: None,
        }
    }
}

fn failed(diagnostic: Diagnostic) -> Played {
    Played {
        outcome: Err(Box::new(diagnostic)),
        decisions: 0,
        forced: 0,
        chosen: Log::default(),
        events: Log::default(),
        tallies: Vec::new(),
        seen_orders: Vec::new(),
        fingerprint: 0,
        worlds: WorldCounts::default(),
        next: None,
    }
}

fn with_command(mut diagnostic: Diagnostic, game: &Game, setup: &Setup) -> Diagnostic {
    diagnostic.reproduce = Some(setup.command(game.path()));
    diagnostic
}

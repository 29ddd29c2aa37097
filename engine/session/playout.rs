//! A whole game played by agents on the spot: no checkpoints, no suspension, one stack.

use super::flow::{self, Next};
use super::outcome::{self, Outcome};
use super::setup::{Game, Setup};
use super::status::placed;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::Seat;
use crate::script::{self, Answerer, Asking, Call, Chosen, Decision, Ended, Event, Host, Stage, Step};
use crate::table::{Chance, Layout, Table, View};
use std::rc::Rc;
use std::sync::Arc;

/// Whoever chooses for a seat. It is given what the seat may see, and nothing else.
pub trait Player {
    /// The position of the option chosen.
    ///
    /// # Errors
    /// A message when no answer can be had; the game is given up.
    fn choose(&mut self, view: &View<'_>, decision: &Decision) -> Result<usize, String>;
}

/// A game that was played to its end, or as far as it went.
#[derive(Debug, Clone)]
pub struct Played {
    /// How it ended, or why it did not.
    pub outcome: Result<Outcome, Box<Diagnostic>>,
    /// How many questions were put to agents.
    pub decisions: u64,
    /// How many questions had only one answer.
    pub forced: u64,
    /// Every answer, in order.
    pub chosen: Vec<Chosen>,
    /// What happened, if it was noted.
    pub events: Vec<Event>,
    /// The counters the rules keep for statistics.
    pub tallies: Vec<(Arc<str>, Option<Seat>, i64)>,
    /// One stable number computed from the table at the end.
    pub fingerprint: u64,
}

/// More questions than any game asks.
const MOST_DECISIONS: u64 = 100_000;

/// The players of a game, asked by seat.
struct Seated {
    players: Vec<Box<dyn Player>>,
    decisions: u64,
    /// The rules whose invariants must hold, if they must.
    watched: Option<Rc<Host>>,
    /// Whether one of them did not hold.
    has_broken: bool,
}

impl Seated {
    /// Asks whether the invariants hold, aside from the step under way.
    fn watch(&mut self, table: &Table) -> Result<(), Box<Diagnostic>> {
        let Some(host) = &self.watched else { return Ok(()) };
        let aside = Box::new(Stage::new(table.clone(), Asking::Rerun));
        let (_, held) = script::invariants(host, aside);
        self.has_broken = held.is_err();
        held
    }
}

impl Answerer for Seated {
    fn answer(&mut self, table: &Table, decision: &Decision) -> Result<usize, Box<Diagnostic>> {
        self.decisions += 1;
        if self.decisions > MOST_DECISIONS {
            return Err(Box::new(without_end()));
        }
        self.watch(table)?;
        let view = View::new(table, Some(decision.seat));
        let at = self.players[decision.seat.index()].choose(&view, decision).map_err(no_answer)?;
        let count = decision.count();
        if at < count { Ok(at) } else { Err(no_answer(format!("option {at} was chosen of {count}"))) }
    }
}

fn no_answer(message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("no-answer", message))
}

fn without_end() -> Diagnostic {
    Diagnostic::error("endless", format!("the game went on after {MOST_DECISIONS} decisions"))
        .help("look for an ending that is never reached")
}

impl Game {
    /// Plays a whole game with one player for each seat; `noting` says whether to note what happens.
    ///
    /// # Errors
    /// Every mistake in the game's files, and in the setup.
    pub fn play(&self, setup: &Setup, players: Vec<Box<dyn Player>>, noting: bool) -> Result<Played, Diagnostics> {
        let (layout, host) = self.host(setup)?;
        let (game, own) = (self.clone(), setup.clone());
        let played = script::playing(move || play_through(&game, &own, layout, &host, players, noting));
        Ok(played.unwrap_or_else(|diagnostic| failed(with_command(*diagnostic, self, setup))))
    }
}

fn play_through(
    game: &Game,
    setup: &Setup,
    layout: Arc<Layout>,
    host: &Rc<Host>,
    players: Vec<Box<dyn Player>>,
    noting: bool,
) -> Played {
    let table = Table::new(layout, Chance::new(setup.seed, "table"));
    let watched = game.holds_invariants().then(|| host.clone());
    let seated = SharedSeated::new(players, watched);
    let mut stage = Box::new(Stage::new(table, Asking::Inline(Box::new(seated.clone()))));
    stage.noting = noting;
    flow::choose_first(&mut stage);
    let (stage, outcome) = run(host, stage);
    let outcome = outcome.and_then(|outcome| seated.watch(&stage.table).map(|()| outcome)).map_err(|diagnostic| {
        let mut diagnostic = placed(*diagnostic, &stage, game, setup);
        if seated.has_broken() {
            diagnostic.reproduce.as_mut().expect("a fault of a game has its command").push_str(" --invariants");
        }
        Box::new(diagnostic)
    });
    Played {
        outcome,
        decisions: seated.decisions(),
        forced: stage.forced,
        chosen: stage.chosen,
        events: stage.events,
        tallies: stage.tallies,
        fingerprint: stage.table.fingerprint(),
    }
}

/// The players, with a way to ask afterwards how often they were asked.
#[derive(Clone)]
struct SharedSeated(Rc<std::cell::RefCell<Seated>>);

impl SharedSeated {
    fn new(players: Vec<Box<dyn Player>>, watched: Option<Rc<Host>>) -> Self {
        Self(Rc::new(std::cell::RefCell::new(Seated { players, decisions: 0, watched, has_broken: false })))
    }

    fn decisions(&self) -> u64 {
        self.0.borrow().decisions
    }

    fn watch(&self, table: &Table) -> Result<(), Box<Diagnostic>> {
        self.0.borrow_mut().watch(table)
    }

    fn has_broken(&self) -> bool {
        self.0.borrow().has_broken
    }
}

impl Answerer for SharedSeated {
    fn answer(&mut self, table: &Table, decision: &Decision) -> Result<usize, Box<Diagnostic>> {
        self.0.borrow_mut().answer(table, decision)
    }
}

fn run(host: &Rc<Host>, stage: Box<Stage>) -> (Box<Stage>, Result<Outcome, Box<Diagnostic>>) {
    let mut stage = stage;
    loop {
        let (back, next) = flow::advance(host, stage);
        stage = back;
        let (function, seat) = match next {
            Next::Step { function, seat } => (function, seat),
            Next::Over => {
                let (stage, result) = outcome::score(host, stage);
                return (stage, result);
            }
            Next::Fault(diagnostic) => return (stage, Err(diagnostic)),
        };
        let (back, ended) = Step::begin(host, stage, &Call::Function(function, seat));
        stage = back;
        match ended {
            Ended::Done => flow::step_ends(&mut stage),
            Ended::GameEnded => flow::end_game(&mut stage),
            Ended::Fault(diagnostic) => return (stage, Err(diagnostic)),
            Ended::Asked(_) | Ended::NotOffered => {
                return (stage, Err(Box::new(Diagnostic::error("internal", "a question was left open"))));
            }
        }
    }
}

fn failed(diagnostic: Diagnostic) -> Played {
    Played {
        outcome: Err(Box::new(diagnostic)),
        decisions: 0,
        forced: 0,
        chosen: Vec::new(),
        events: Vec::new(),
        tallies: Vec::new(),
        fingerprint: 0,
    }
}

fn with_command(mut diagnostic: Diagnostic, game: &Game, setup: &Setup) -> Diagnostic {
    diagnostic.reproduce = Some(setup.command(game.path()));
    diagnostic
}

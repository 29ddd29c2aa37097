//! A whole game played by agents on the spot: no checkpoints, no suspension, one stack.

use super::flow::{self, Next};
use super::outcome::{self, Outcome};
use super::setup::{Game, Setup};
use super::status::placed;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::Seat;
use crate::script::{self, Answerer, Asking, Call, Chosen, Decision, Ended, Event, Host, Stage, Step};
use crate::table::{Chance, Layout, Position, Table, View};
use std::cell::RefCell;
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

/// Whoever keeps the books of a game: it sees everything, is asked nothing and changes nothing.
pub trait Observer {
    /// A seat chose the option at a position, among several.
    fn chose(&mut self, table: &Table, decision: &Decision, at: usize);

    /// A function of the rules begins, for the seat whose turn it is or for none.
    fn step_begins(&mut self, function: &Arc<str>, seat: Option<Seat>);

    /// A round is over, or a step of a game that has only one round and says how seats stand: the table, and how well every
    /// seat stands (larger is better) where the rules can tell.
    fn rests(&mut self, table: &Table, standings: Option<&[i64]>);
}

/// An observer who looks away.
impl Observer for () {
    fn chose(&mut self, _table: &Table, _decision: &Decision, _at: usize) {}
    fn step_begins(&mut self, _function: &Arc<str>, _seat: Option<Seat>) {}
    fn rests(&mut self, _table: &Table, _standings: Option<&[i64]>) {}
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
struct Seated<O> {
    players: Vec<Box<dyn Player>>,
    decisions: u64,
    observer: O,
    /// The rules whose invariants must hold, if they must.
    watched: Option<Rc<Host>>,
    /// Whether one of them did not hold.
    has_broken: bool,
}

impl<O> Seated<O> {
    /// Asks whether the invariants hold, aside from the step under way.
    fn watch(&mut self, table: &Table) -> Result<(), Box<Diagnostic>> {
        let Some(host) = &self.watched else { return Ok(()) };
        let aside = Box::new(Stage::new(table.clone(), Asking::Rerun));
        let (_, held) = script::invariants(host, aside);
        self.has_broken = held.is_err();
        held
    }
}

impl<O: Observer> Answerer for Seated<O> {
    fn answer(&mut self, table: &Table, decision: &Decision) -> Result<usize, Box<Diagnostic>> {
        self.decisions += 1;
        if self.decisions > MOST_DECISIONS {
            return Err(Box::new(without_end()));
        }
        self.watch(table)?;
        let view = View::new(table, Some(decision.seat));
        let at = self.players[decision.seat.index()].choose(&view, decision).map_err(no_answer)?;
        let count = decision.count();
        if at >= count {
            return Err(no_answer(format!("option {at} was chosen of {count}")));
        }
        self.observer.chose(table, decision, at);
        Ok(at)
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
        self.playing::<()>(setup, players, noting, None).map(|(played, _)| played)
    }

    /// The same with somebody who keeps the books; they are lost when the program itself is at fault.
    ///
    /// # Errors
    /// Every mistake in the game's files, and in the setup.
    pub fn watch<O: Observer + 'static>(
        &self,
        setup: &Setup,
        players: Vec<Box<dyn Player>>,
        observer: O,
    ) -> Result<(Played, Option<O>), Diagnostics> {
        self.playing(setup, players, true, Some(observer))
    }

    fn playing<O: Observer + 'static>(
        &self,
        setup: &Setup,
        players: Vec<Box<dyn Player>>,
        noting: bool,
        observer: Option<O>,
    ) -> Result<(Played, Option<O>), Diagnostics> {
        let (layout, host) = self.host(setup)?;
        let (game, own) = (self.clone(), setup.clone());
        let played = script::playing(move || match observer {
            Some(observer) => {
                let (played, observer) = play_through(&game, &own, layout, &host, players, (noting, true), observer);
                (played, Some(observer))
            }
            None => (play_through(&game, &own, layout, &host, players, (noting, false), ()).0, None),
        });
        Ok(played.unwrap_or_else(|diagnostic| (failed(with_command(*diagnostic, self, setup)), None)))
    }
}

fn play_through<O: Observer + 'static>(
    game: &Game,
    setup: &Setup,
    layout: Arc<Layout>,
    host: &Rc<Host>,
    players: Vec<Box<dyn Player>>,
    (noting, observed): (bool, bool),
    observer: O,
) -> (Played, O) {
    let table = Table::new(layout, Chance::new(setup.seed, "table"));
    let watched = game.holds_invariants().then(|| host.clone());
    let seated = Shared(Rc::new(RefCell::new(Seated { players, decisions: 0, observer, watched, has_broken: false })));
    let mut stage = Box::new(Stage::new(table, Asking::Inline(Box::new(seated.clone()))));
    stage.noting = noting;
    flow::choose_first(&mut stage);
    let (mut stage, outcome) = run(host, stage, observed.then_some(&seated));
    stage.asking = Asking::Rerun;
    let mut seated = Rc::into_inner(seated.0).expect("the stage has let go of its players").into_inner();
    let outcome = outcome.and_then(|outcome| seated.watch(&stage.table).map(|()| outcome)).map_err(|diagnostic| {
        let mut diagnostic = placed(*diagnostic, &stage, game, setup);
        if seated.has_broken {
            diagnostic.reproduce.as_mut().expect("a fault of a game has its command").push_str(" --invariants");
        }
        Box::new(diagnostic)
    });
    let played = Played {
        outcome,
        decisions: seated.decisions,
        forced: stage.forced,
        fingerprint: stage.table.fingerprint(),
        chosen: stage.chosen,
        events: stage.events,
        tallies: stage.tallies,
    };
    (played, seated.observer)
}

/// The players of a game on its stage, with a way to reach them from beside it.
struct Shared<O>(Rc<RefCell<Seated<O>>>);

impl<O> Clone for Shared<O> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<O: Observer> Answerer for Shared<O> {
    fn answer(&mut self, table: &Table, decision: &Decision) -> Result<usize, Box<Diagnostic>> {
        self.0.borrow_mut().answer(table, decision)
    }
}

/// Whether a moment between two steps is one at which a game is looked at: the end of a round, or, where all is one round and
/// the rules say how seats stand, the end of any step.
struct Moments {
    round: i64,
    finishing: bool,
    every_step: bool,
}

impl Moments {
    fn new(host: &Host) -> Self {
        let flow = &host.model.flow;
        let one_round = flow.rounds == Some(1) || (flow.rounds.is_none() && flow.rounds_until.is_none());
        Self { round: 0, finishing: false, every_step: one_round && host.has("standing") }
    }

    fn is_one(&mut self, position: &Position) -> bool {
        let before = (self.round, self.finishing);
        (self.round, self.finishing) = (position.round, position.finishing);
        let is_under_way = before.0 > 0 && !before.1;
        is_under_way && (self.every_step || before != (self.round, self.finishing))
    }
}

/// Lets the observer look at the table, if it is time to.
fn rest<O: Observer>(host: &Rc<Host>, stage: Box<Stage>, observed: &Shared<O>, moments: &mut Moments) -> Box<Stage> {
    if !moments.is_one(&stage.table.position) {
        return stage;
    }
    let (stage, standings) = outcome::standings(host, stage);
    observed.0.borrow_mut().observer.rests(&stage.table, standings.as_deref());
    stage
}

fn run<O: Observer>(
    host: &Rc<Host>,
    stage: Box<Stage>,
    observed: Option<&Shared<O>>,
) -> (Box<Stage>, Result<Outcome, Box<Diagnostic>>) {
    let mut stage = stage;
    let mut moments = Moments::new(host);
    loop {
        let (back, next) = flow::advance(host, stage);
        stage = back;
        if let Some(observed) = observed {
            stage = rest(host, stage, observed, &mut moments);
        }
        let (function, seat) = match next {
            Next::Step { function, seat } => (function, seat),
            Next::Over => {
                let (stage, result) = outcome::score(host, stage);
                return (stage, result);
            }
            Next::Fault(diagnostic) => return (stage, Err(diagnostic)),
        };
        if let Some(observed) = observed {
            observed.0.borrow_mut().observer.step_begins(&function, seat);
        }
        let (back, ended) = Step::begin(host, stage, &Call::Function(function, seat));
        stage = back;
        match ended {
            Ended::Done => flow::step_ends(&mut stage),
            Ended::GameEnded => {
                flow::step_ends(&mut stage);
                flow::end_game(&mut stage);
            }
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

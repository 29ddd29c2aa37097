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

    /// A seat's turn begins, or a function of the rules without one.
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
const MOST_DECISIONS: u64 = 1_000_000;

/// The players of a game, asked by seat.
struct Seated<O> {
    players: Vec<Box<dyn Player>>,
    decisions: u64,
    observer: O,
}

impl<O: Observer> Answerer for Seated<O> {
    fn answer(&mut self, table: &Table, decision: &Decision) -> Result<usize, String> {
        self.decisions += 1;
        if self.decisions > MOST_DECISIONS {
            return Err(format!("the game went on after {MOST_DECISIONS} decisions"));
        }
        let view = View::new(table, Some(decision.seat));
        let at = self.players[decision.seat.index()].choose(&view, decision)?;
        let count = decision.count();
        if at >= count {
            return Err(format!("option {at} was chosen of {count}"));
        }
        self.observer.chose(table, decision, at);
        Ok(at)
    }
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
    (noting, watched): (bool, bool),
    observer: O,
) -> (Played, O) {
    let table = Table::new(layout, Chance::new(setup.seed, "table"));
    let seated = Shared(Rc::new(RefCell::new(Seated { players, decisions: 0, observer })));
    let mut stage = Box::new(Stage::new(table, Asking::Inline(Box::new(seated.clone()))));
    stage.noting = noting;
    flow::choose_first(&mut stage);
    let (mut stage, outcome) = run(host, stage, watched.then_some(&seated));
    stage.asking = Asking::Rerun;
    let outcome = outcome.map_err(|diagnostic| Box::new(placed(*diagnostic, &stage, game, setup)));
    let seated = Rc::into_inner(seated.0).expect("the stage has let go of its players").into_inner();
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
    fn answer(&mut self, table: &Table, decision: &Decision) -> Result<usize, String> {
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
        let every_step = one_round && host.has("standing");
        Self { round: 0, finishing: false, every_step }
    }

    fn is_one(&mut self, position: &Position) -> bool {
        let before = (self.round, self.finishing);
        (self.round, self.finishing) = (position.round, position.finishing);
        let ends = before != (self.round, self.finishing) && before.0 > 0 && !before.1;
        ends || (self.every_step && before.0 > 0 && !before.1)
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
                return (stage, result.map_err(Box::new));
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
            Ended::NoAnswer(message) => {
                return (stage, Err(Box::new(Diagnostic::error("no-answer", message))));
            }
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

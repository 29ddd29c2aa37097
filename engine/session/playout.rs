//! A whole game played by agents on the spot: no checkpoints, nothing waits.

use super::flow::{self, Next};
use super::game::Game;
use super::outcome::{self, Outcome};
use super::outlook::Outlook;
use super::status::{Session, Status, placed};
use crate::decision::{Decision, Event, Observer};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::Setup;
use crate::model::{FamilyId, Seat};
use crate::script::{self, Answerer, Asking, Call, Chosen, Ended, Host, Stage, Step};
use crate::table::{Chance, Layout, Table};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Whoever chooses for a seat. It is given what the seat may go by, and nothing else.
pub trait Player {
    /// The position of the option chosen.
    ///
    /// # Errors
    /// Why no answer can be had; the game is given up.
    fn choose(&mut self, outlook: &Outlook<'_>) -> Result<usize, NoAnswer>;

    /// The game is taken up at another place than where it was left: the seat has answered so many questions before it, those
    /// with one answer alone not counted.
    fn taken_up(&mut self, _answered: usize) {}

    /// Whether it imagines worlds: games then keep what that takes.
    fn imagines(&self) -> bool {
        false
    }
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
    /// The piles of which somebody knew the order as soon as they had been shuffled.
    pub seen_orders: Vec<FamilyId>,
    /// One stable number computed from the table at the end.
    pub fingerprint: u64,
}

impl Played {
    /// What its author should look at, though the game went well.
    pub fn remarks(&self, host: &Host) -> Vec<Diagnostic> {
        let odd = self.outcome.as_ref().ok().and_then(|outcome| outcome.odd_winner(host));
        odd.into_iter().chain(self.seen_orders.iter().map(|family| host.seen_order(*family))).collect()
    }
}

/// More questions than any game asks.
pub const MOST_DECISIONS: u64 = 20_000;

/// The players of a game, asked by seat.
struct Seated {
    players: Vec<Box<dyn Player>>,
    setup: Rc<Setup>,
    decisions: u64,
    /// Whoever keeps the books.
    observer: Option<Rc<RefCell<dyn Observer>>>,
    /// The rules whose invariants must hold, if they must.
    watched: Option<Rc<Host>>,
    /// Whether one of them did not hold.
    has_broken: bool,
}

impl Seated {
    fn new(players: Vec<Box<dyn Player>>, setup: &Setup, watched: Option<Rc<Host>>) -> Self {
        Self { players, setup: Rc::new(setup.clone()), decisions: 0, observer: None, watched, has_broken: false }
    }

    fn observed(self, observer: Option<&Rc<RefCell<dyn Observer>>>) -> Self {
        Self { observer: observer.cloned(), ..self }
    }

    /// Asks whether the invariants hold, aside from the step under way.
    fn watch(&mut self, table: &Table) -> Result<(), Box<Diagnostic>> {
        let Some(host) = &self.watched else { return Ok(()) };
        let aside = Box::new(Stage::new(table.clone(), Asking::Suspend));
        let (_, held) = script::invariants(host, aside);
        self.has_broken = held.is_err();
        held
    }
}

impl Seated {
    fn ask(&mut self, outlook: &Outlook<'_>) -> Result<usize, Box<Diagnostic>> {
        self.decisions += 1;
        if self.decisions > MOST_DECISIONS {
            return Err(Box::new(without_end()));
        }
        self.watch(outlook.table())?;
        let at = self.players[outlook.seat().index()].choose(outlook).map_err(NoAnswer::diagnostic)?;
        let count = outlook.decision().count();
        if at >= count {
            return Err(NoAnswer::from(format!("option {at} was chosen of {count}")).diagnostic());
        }
        if let Some(observer) = &self.observer {
            observer.borrow_mut().chose(outlook.table(), outlook.decision(), at);
        }
        Ok(at)
    }

    /// What went wrong, with its place in the game and the command that shows it again.
    fn placed(&self, diagnostic: Diagnostic, stage: &Stage, game: &Game) -> Box<Diagnostic> {
        let mut diagnostic = placed(diagnostic, stage, game, &self.setup);
        if self.has_broken {
            diagnostic.reproduce.as_mut().expect("a fault of a game has its command").push_str(" --invariants");
        }
        Box::new(diagnostic)
    }
}

impl Answerer for Seated {
    fn answer(&mut self, table: &Table, decision: &Decision) -> Result<usize, Box<Diagnostic>> {
        let setup = self.setup.clone();
        self.ask(&Outlook::of_table(table, decision, &setup))
    }
}

/// A game that asks more than [`MOST_DECISIONS`] questions.
pub fn without_end() -> Diagnostic {
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
        if players.iter().any(|player| player.imagines()) {
            return self.play_session(setup, players, noting, None);
        }
        let (game, own) = (self.clone(), setup.clone());
        let played = script::guarded(|| play_through(&game, &own, layout, &host, players, noting, None));
        Ok(played.unwrap_or_else(|diagnostic| failed(with_command(*diagnostic, self, setup))))
    }

    /// The same with somebody who keeps the books; they are lost when the program itself is at fault.
    ///
    /// # Errors
    /// Every mistake in the game's files, and in the setup.
    ///
    /// # Panics
    /// Never: nothing but the game holds on to whoever keeps the books.
    pub fn watch<O: Observer + 'static>(
        &self,
        setup: &Setup,
        players: Vec<Box<dyn Player>>,
        observer: O,
    ) -> Result<(Played, Option<O>), Diagnostics> {
        let (layout, host) = self.host(setup)?;
        if players.iter().any(|player| player.imagines()) {
            let observer = Rc::new(RefCell::new(observer));
            let kept: Rc<RefCell<dyn Observer>> = observer.clone();
            let played = self.play_session(setup, players, true, Some(&kept))?;
            drop(kept);
            return Ok((played, Rc::into_inner(observer).map(RefCell::into_inner)));
        }
        let (game, own) = (self.clone(), setup.clone());
        let played = script::guarded(|| {
            let observer = Rc::new(RefCell::new(observer));
            let played = play_through(&game, &own, layout, &host, players, true, Some(observer.clone()));
            (played, Rc::into_inner(observer).map(RefCell::into_inner))
        });
        Ok(played.unwrap_or_else(|diagnostic| (failed(with_command(*diagnostic, self, setup)), None)))
    }

    /// The same through a session, which keeps what it takes to imagine worlds.
    fn play_session(
        &self,
        setup: &Setup,
        players: Vec<Box<dyn Player>>,
        noting: bool,
        observer: Option<&Rc<RefCell<dyn Observer>>>,
    ) -> Result<Played, Diagnostics> {
        let mut session = Session::start_observed(self, setup, observer)?;
        if !noting {
            session.forget_events();
        }
        let watched = self.holds_invariants().then(|| session.host.clone());
        let mut seated = Seated::new(players, setup, watched).observed(observer);
        let outcome = loop {
            let Some(outlook) = session.outlook() else { break ended(session.status()) };
            match seated.ask(&outlook) {
                Ok(at) => session.choose(at).expect("the position was looked at"),
                Err(why) => break Err(why),
            }
        };
        let outcome = outcome.and_then(|outcome| seated.watch(session.table()).map(|()| outcome));
        let outcome = outcome.map_err(|why| match why.reproduce {
            Some(_) => why,
            None => seated.placed(*why, session.stage(), self),
        });
        Ok(Played { outcome, decisions: seated.decisions, ..session.played() })
    }
}

fn ended(status: &Status) -> Result<Outcome, Box<Diagnostic>> {
    match status {
        Status::Over(outcome) => Ok(outcome.clone()),
        Status::Failed(diagnostic) => Err(diagnostic.clone()),
        Status::Waiting(_) => unreachable!("an open question has an outlook"),
    }
}

fn played(stage: Box<Stage>, outcome: Result<Outcome, Box<Diagnostic>>, decisions: u64) -> Played {
    Played {
        outcome,
        decisions,
        forced: stage.forced,
        fingerprint: stage.table.fingerprint(),
        chosen: stage.chosen,
        events: stage.events,
        seen_orders: stage.seen_orders,
        tallies: stage.tallies,
    }
}

fn play_through(
    game: &Game,
    setup: &Setup,
    layout: Arc<Layout>,
    host: &Rc<Host>,
    players: Vec<Box<dyn Player>>,
    noting: bool,
    observer: Option<Rc<RefCell<dyn Observer>>>,
) -> Played {
    let table = Table::new(layout, Chance::new(setup.seed, "table"));
    let watched = game.holds_invariants().then(|| host.clone());
    let seated = Seated::new(players, setup, watched).observed(observer.as_ref());
    let seated = SharedSeated(Rc::new(RefCell::new(seated)));
    let mut stage = Box::new(Stage::new(table, Asking::Inline(Box::new(seated.clone()))));
    stage.noting = noting;
    stage.observed = observer.map(|observer| flow::observed(host, observer));
    flow::choose_first(&mut stage);
    let (stage, outcome) = run(host, stage, Ended::Done);
    let mut seated = seated.0.borrow_mut();
    let outcome = outcome
        .and_then(|outcome| seated.watch(&stage.table).map(|()| outcome))
        .map_err(|why| seated.placed(*why, &stage, game));
    played(stage, outcome, seated.decisions)
}

/// The players, with a way to ask afterwards how often they were asked.
#[derive(Clone)]
struct SharedSeated(Rc<RefCell<Seated>>);

impl Answerer for SharedSeated {
    fn answer(&mut self, table: &Table, decision: &Decision) -> Result<usize, Box<Diagnostic>> {
        self.0.borrow_mut().answer(table, decision)
    }
}

/// Goes on after a step, or from the beginning, to the end of the game; every question is answered on the spot.
pub(super) fn run(host: &Rc<Host>, stage: Box<Stage>, ended: Ended) -> (Box<Stage>, Result<Outcome, Box<Diagnostic>>) {
    let (mut stage, mut ended) = (stage, ended);
    loop {
        match ended {
            Ended::Done => flow::step_ends(&mut stage),
            Ended::GameEnded => flow::end_game(&mut stage),
            Ended::Fault(diagnostic) => return (stage, Err(diagnostic)),
            Ended::Asked(_) | Ended::NotOffered => {
                return (stage, Err(Box::new(Diagnostic::error("internal", "a question was left open"))));
            }
        }
        let (back, next) = flow::advance(host, stage, None);
        stage = back;
        let (function, seat) = match next {
            Next::Step { function, seat } => (function, seat),
            Next::Over => {
                let (stage, result) = outcome::score(host, stage);
                return (stage, result);
            }
            Next::Rests => unreachable!("a playout is not told to rest"),
            Next::Fault(diagnostic) => return (stage, Err(diagnostic)),
        };
        (stage, ended) = Step::begin(host, stage, &Call::Function(function, seat));
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
        seen_orders: Vec::new(),
        fingerprint: 0,
    }
}

fn with_command(mut diagnostic: Diagnostic, game: &Game, setup: &Setup) -> Diagnostic {
    diagnostic.reproduce = Some(setup.command(game.path()));
    diagnostic
}

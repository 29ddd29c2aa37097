//! A session: what it waits for, and how it goes on.

use super::flow::{self, Next};
use super::game::Game;
use super::imagine::{self, Basis};
use super::opening::{Opening, Rest, Start};
use super::outcome::{self, Outcome};
use super::outlook::Outlook;
use super::playout::Played;
use crate::decision::{Choice, Decision, Event, Observer};
use crate::diagnostic::{Diagnostic, Diagnostics, Place};
use crate::model::Setup;
use crate::model::{Model, Seat};
use crate::script::{Asking, Call, Covered, Ended, Host, Stage, Step};
use crate::table::{Chance, Table, View};
use crate::wording::{Row, listing};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The three states of a session.
#[derive(Debug, Clone)]
pub enum Status {
    /// A seat is asked.
    Waiting(Decision),
    /// The game is over.
    Over(Outcome),
    /// The author made a mistake.
    Failed(Box<Diagnostic>),
}

/// Why a choice was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChooseError {
    /// There are not so many options.
    #[error("there is no option {given}: {count} are offered")]
    NoSuchOption {
        /// The position given, from 0.
        given: usize,
        /// How many there are.
        count: usize,
    },
    /// It is none of the options.
    #[error("this is not among the {count} options offered")]
    NotOffered {
        /// How many there are.
        count: usize,
    },
    /// Nobody is asked.
    #[error("nobody is asked anything now: the game {state}")]
    NotAsked {
        /// What it is instead.
        state: &'static str,
    },
    /// There is nothing to take back.
    #[error("there is nothing to take back")]
    NothingToUndo,
    /// The world is imagined: what led to it was never played.
    #[error("in an imagined world nothing can be taken back")]
    Imagined,
}

/// The step under way, and the table as it was before it.
#[derive(Clone)]
pub(super) struct Checkpoint {
    pub(super) table: Table,
    pub(super) call: Call,
}

/// One game being played.
pub struct Session {
    pub(super) host: Rc<Host>,
    game: Game,
    pub(super) setup: Rc<Setup>,
    pub(super) stage: Option<Box<Stage>>,
    pub(super) step: Option<Step>,
    pub(super) checkpoint: Option<Rc<Checkpoint>>,
    answers: Vec<u32>,
    pub(super) opening: Rc<Opening>,
    pub(super) status: Status,
    rest: Option<Rest>,
    is_resting: bool,
    is_imagined: bool,
    /// Whether it is only played on, and never forked, imagined or taken back: nothing is kept for that.
    pub(super) is_passing: bool,
}

impl Session {
    /// Sits down and plays up to the first decision.
    ///
    /// # Errors
    /// Every mistake in the game's files, and in the setup.
    pub fn start(game: &Game, setup: &Setup) -> Result<Self, Diagnostics> {
        Self::open(game, setup, Opening::default())
    }

    /// The same, begun in another way than from the opened box by the rules' own setup.
    ///
    /// # Errors
    /// Every mistake in the game's files, and in the setup.
    pub fn open(game: &Game, setup: &Setup, opening: Opening) -> Result<Self, Diagnostics> {
        Self::open_observed(game, setup, opening, None)
    }

    /// The same as [`Session::start`], with somebody who keeps the books; forks are not observed.
    pub(super) fn start_observed(
        game: &Game,
        setup: &Setup,
        observer: Option<&Rc<RefCell<dyn Observer>>>,
    ) -> Result<Self, Diagnostics> {
        Self::open_observed(game, setup, Opening::default(), observer)
    }

    fn open_observed(
        game: &Game,
        setup: &Setup,
        opening: Opening,
        observer: Option<&Rc<RefCell<dyn Observer>>>,
    ) -> Result<Self, Diagnostics> {
        let (layout, host) = game.host(setup)?;
        let mut table = Table::new(layout, Chance::new(setup.seed, "table"));
        table.chance.set_fixed((!opening.fixed.is_empty()).then(|| Box::new(opening.fixed.clone())));
        let mut stage = Box::new(Stage::new(table, Asking::Suspend));
        stage.noting = true;
        stage.observed = observer.map(|observer| flow::observed(&host, observer.clone()));
        flow::choose_first(&mut stage);
        let mut session = Self {
            host,
            game: game.clone(),
            setup: Rc::new(setup.clone()),
            stage: None,
            step: None,
            checkpoint: None,
            answers: Vec::new(),
            rest: opening.rest,
            is_resting: false,
            opening: Rc::new(opening),
            status: idle(),
            is_imagined: false,
            is_passing: false,
        };
        session.begin(stage);
        Ok(session)
    }

    /// Arranges the position, if that is asked for before play, and goes to the first decision.
    fn begin(&mut self, stage: Box<Stage>) {
        let opening = self.opening.clone();
        let mut stage = stage;
        match &opening.start {
            Start::Setup | Start::Phase { after_setup: true, .. } => {
                self.go_on(stage, Ended::Done);
                return;
            }
            Start::Phase { phase, round, seat, .. } => flow::enter_phase(&mut stage, *phase, *round, *seat),
            Start::Nowhere => {}
        }
        let (back, result) = self.arranged(stage, &opening.arrange);
        stage = back;
        if let Err(diagnostic) = result {
            self.stage = Some(stage);
            self.status = Status::Failed(diagnostic);
            return;
        }
        stage.table.hide_what_is_hidden();
        match &opening.start {
            Start::Phase { .. } => self.go_on(stage, Ended::Done),
            Start::Setup | Start::Nowhere => self.stage = Some(stage),
        }
    }

    /// A session brought to where a list of answers leads.
    ///
    /// # Errors
    /// Every mistake in the game's files, and in the setup.
    ///
    /// # Panics
    /// Never for answers taken from [`Session::answers`] of the same game and setup.
    pub fn replay(game: &Game, setup: &Setup, answers: &[u32]) -> Result<Self, Diagnostics> {
        let mut session = Self::start(game, setup)?;
        for &answer in answers {
            session.choose(answer as usize).expect("a session repeats the choices it has made");
        }
        Ok(session)
    }

    /// What it waits for, or how it ended.
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// How it ended, once it is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.status {
            Status::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// The open question.
    pub fn decision(&self) -> Option<&Decision> {
        match &self.status {
            Status::Waiting(decision) => Some(decision),
            _ => None,
        }
    }

    /// The game's model.
    pub fn model(&self) -> &Arc<Model> {
        &self.host.model
    }

    /// What was chosen before play.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The positions of the options chosen so far, in order: with the game and the setup they determine everything.
    pub fn answers(&self) -> &[u32] {
        &self.answers
    }

    /// What came of it so far, as of a game that agents played; one that waits has not come to its end.
    pub fn played(&self) -> Played {
        let stage = self.stage();
        Played {
            outcome: match &self.status {
                Status::Over(outcome) => Ok(outcome.clone()),
                Status::Failed(diagnostic) => Err(diagnostic.clone()),
                Status::Waiting(_) => Err(Box::new(Diagnostic::error("not-over", "the game is not over"))),
            },
            decisions: self.answers.len() as u64,
            forced: stage.forced,
            chosen: stage.chosen.clone(),
            events: stage.events.clone(),
            tallies: stage.tallies.clone(),
            seen_orders: stage.seen_orders.clone(),
            fingerprint: self.fingerprint(),
        }
    }

    /// Whether it goes through the flow of the rules, as a scene does that does not begin by carrying something out.
    pub fn is_in_flow(&self) -> bool {
        self.opening.start != Start::Nowhere
    }

    /// Where play is to rest from now on, if nothing is asked there.
    pub fn rest_at(&mut self, rest: Option<Rest>) {
        self.rest = rest;
    }

    /// Whether it rests: nobody is asked anything, though the game is not over.
    pub fn is_resting(&self) -> bool {
        self.is_resting
    }

    /// Goes on from where it rests.
    pub fn go_on_from_rest(&mut self) {
        if !std::mem::take(&mut self.is_resting) {
            return;
        }
        let stage = self.stage.take().expect("a session has its stage between choices");
        self.go_on(stage, Ended::Done);
    }

    /// What ran of the rules since this was last asked on this thread, in a game that is watched.
    pub fn covered(&self) -> Option<Covered> {
        self.host.covered()
    }

    /// Every function of the rules that has a name, with the place of the name.
    pub fn functions(&self) -> Vec<(String, Place)> {
        self.host.named_functions().map(|(function, place)| (function.name.clone(), place)).collect()
    }

    /// The table in rows, as a seat sees it; without a seat, all of it.
    pub fn listing(&self, seat: Option<Seat>) -> Vec<Row> {
        let table = self.table();
        let view = seat.map_or_else(|| View::whole(table), |seat| View::new(table, Some(seat)));
        listing(&view, &self.setup)
    }

    /// What has happened so far.
    pub fn events(&self) -> &[Event] {
        &self.stage().events
    }

    /// What a seat may see.
    pub fn view(&self, seat: Seat) -> View<'_> {
        View::new(&self.stage().table, Some(seat))
    }

    /// What anybody may see.
    pub fn public_view(&self) -> View<'_> {
        View::new(&self.stage().table, None)
    }

    /// The whole table, for whoever runs the game; agents get [`Session::view`].
    pub fn table(&self) -> &Table {
        &self.stage().table
    }

    /// One stable number computed from the table.
    pub fn fingerprint(&self) -> u64 {
        self.stage().table.fingerprint()
    }

    /// Answers the open question with the option at a position.
    ///
    /// # Errors
    /// When there is no such option, or no question.
    pub fn choose(&mut self, at: usize) -> Result<(), ChooseError> {
        let count = self.asked()?.count();
        if at >= count {
            return Err(ChooseError::NoSuchOption { given: at, count });
        }
        self.answers.push(at as u32);
        let mut stage = self.stage.take().expect("a session has its stage while it waits");
        stage.answer = Some(at);
        let step = self.step.take().expect("a session has its step while it waits");
        let (stage, ended) = step.resume(stage);
        self.go_on(stage, ended);
        Ok(())
    }

    /// Answers the open question.
    ///
    /// # Errors
    /// When this is not offered, or nobody is asked.
    pub fn choose_value(&mut self, choice: &Choice) -> Result<(), ChooseError> {
        let decision = self.asked()?;
        let at = decision.position(choice).ok_or(ChooseError::NotOffered { count: decision.count() })?;
        self.choose(at)
    }

    /// An independent copy at the present decision.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            host: self.host.clone(),
            game: self.game.clone(),
            setup: self.setup.clone(),
            stage: Some(Box::new(self.stage().copied())),
            step: self.step.clone(),
            checkpoint: self.checkpoint.clone(),
            answers: self.answers.clone(),
            opening: self.opening.clone(),
            status: self.status.clone(),
            rest: self.rest,
            is_resting: self.is_resting,
            is_imagined: self.is_imagined,
            is_passing: self.is_passing,
        }
    }

    /// Stops noting what happens, for search: forks of this session note nothing either.
    pub fn forget_events(&mut self) {
        let stage = self.stage.as_mut().expect("a session has its stage between choices");
        stage.noting = false;
        stage.events = Vec::new();
        stage.pending = Vec::new();
        stage.chosen = Vec::new();
    }

    /// Takes the last answer back.
    ///
    /// # Errors
    /// When there is none, or the world is imagined.
    pub fn undo(&mut self) -> Result<(), ChooseError> {
        if self.is_imagined {
            return Err(ChooseError::Imagined);
        }
        let Some((_, before)) = self.answers.split_last() else { return Err(ChooseError::NothingToUndo) };
        let before = before.to_vec();
        let again = Self::replay(&self.game, &self.setup, &before);
        *self = again.expect("a session's game loads as it did before");
        Ok(())
    }

    /// A world that a seat cannot tell from this one: a fork in which everything it does not know has been dealt again.
    /// Nothing when a bounded number of deals gave no world that explains what the seat has seen.
    pub fn imagine(&self, seat: Seat, chance: &mut Chance) -> Option<Self> {
        let basis = self.basis(seat)?;
        let dealt = basis.deal(&self.host, chance, |table| {
            let mut stage = Box::new(self.stage().copied());
            stage.forget_pending(seat);
            stage.table = table;
            stage
        })?;
        let mut world = self.fork();
        world.is_imagined = true;
        world.take_on(dealt);
        Some(world)
    }

    /// What is needed to imagine other worlds at the open question.
    pub(super) fn basis(&self, seat: Seat) -> Option<Basis<'_>> {
        let checkpoint = self.checkpoint.as_deref()?;
        Some(Basis::new(checkpoint, self.stage(), seat, self.decision()?))
    }

    /// A session that knows nothing of this one but what was dealt: neither its seed nor what led to it.
    pub(super) fn apart(game: Game, host: Rc<Host>, setup: &Setup, dealt: imagine::Dealt) -> Self {
        let mut world = Self {
            host,
            game,
            setup: Rc::new(Setup { seed: 0, ..setup.clone() }),
            stage: None,
            step: None,
            checkpoint: None,
            answers: Vec::new(),
            opening: Rc::default(),
            status: idle(),
            rest: None,
            is_resting: false,
            is_imagined: true,
            is_passing: true,
        };
        world.take_on(dealt);
        world
    }

    fn take_on(&mut self, dealt: imagine::Dealt) {
        self.checkpoint = dealt.checkpoint.map(Rc::new);
        self.status = Status::Waiting(dealt.step.decision().clone());
        self.step = Some(dealt.step);
        self.stage = Some(dealt.stage);
    }

    /// What whoever chooses for the seat that is asked may go by.
    pub fn outlook(&self) -> Option<Outlook<'_>> {
        Some(Outlook::of_session(self, self.decision()?))
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    fn asked(&self) -> Result<&Decision, ChooseError> {
        match &self.status {
            Status::Waiting(decision) => Ok(decision),
            Status::Over(_) => Err(ChooseError::NotAsked { state: "is over" }),
            Status::Failed(_) => Err(ChooseError::NotAsked { state: "has failed" }),
        }
    }

    pub(super) fn stage(&self) -> &Stage {
        self.stage.as_ref().expect("a session has its stage between choices")
    }

    /// Goes through the flow until a question is open or the game is over.
    pub(super) fn go_on(&mut self, stage: Box<Stage>, ended: Ended) {
        let (mut stage, mut ended) = (stage, ended);
        self.is_resting = false;
        loop {
            match ended {
                Ended::Done | Ended::GameEnded if self.opening.start == Start::Nowhere => {
                    self.status = idle();
                    break;
                }
                Ended::Done => flow::step_ends(&mut stage),
                Ended::GameEnded => flow::end_game(&mut stage),
                Ended::Asked(step) => {
                    self.status = Status::Waiting(step.decision().clone());
                    self.step = Some(step);
                    break;
                }
                Ended::Fault(diagnostic) => {
                    self.status = Status::Failed(Box::new(self.placed(*diagnostic, &stage)));
                    break;
                }
                Ended::NotOffered => {
                    let diagnostic = Diagnostic::error("internal", "a step of a session was answered by nobody");
                    self.status = Status::Failed(Box::new(diagnostic));
                    break;
                }
            }
            if let Start::Phase { phase, round, seat, after_setup: true } = &self.opening.start
                && flow::setup_is_over(&stage)
            {
                flow::enter_phase(&mut stage, *phase, *round, *seat);
                let (back, result) = self.arranged(stage, &self.opening.arrange);
                stage = back;
                if let Err(diagnostic) = result {
                    self.status = Status::Failed(diagnostic);
                    break;
                }
            }
            let (back, next) = flow::advance(&self.host, stage, self.rest);
            stage = back;
            match next {
                Next::Step { function, seat } => {
                    let call = Call::Function(function, seat);
                    self.keep_checkpoint(&mut stage, &call);
                    (stage, ended) = Step::begin(&self.host, stage, &call);
                }
                Next::Rests => {
                    self.is_resting = true;
                    self.status = idle();
                    break;
                }
                Next::Over => {
                    let (back, result) = outcome::score(&self.host, stage);
                    stage = back;
                    self.status = match result {
                        Ok(outcome) => Status::Over(outcome),
                        Err(diagnostic) => Status::Failed(Box::new(self.placed(*diagnostic, &stage))),
                    };
                    break;
                }
                Next::Fault(diagnostic) => {
                    self.status = Status::Failed(Box::new(self.placed(*diagnostic, &stage)));
                    break;
                }
            }
        }
        self.stage = Some(stage);
    }

    fn keep_checkpoint(&mut self, stage: &mut Stage, call: &Call) {
        if !self.is_passing {
            stage.table.mark_checkpoint();
            self.checkpoint = Some(Rc::new(Checkpoint { table: stage.table.clone(), call: call.clone() }));
        }
    }

    fn placed(&self, diagnostic: Diagnostic, stage: &Stage) -> Diagnostic {
        placed(diagnostic, stage, &self.game, &self.setup)
    }
}

/// The state of a session that is not in the flow and waits for nothing.
pub(super) fn idle() -> Status {
    Status::Over(Outcome { ending: crate::model::EndingId(0), standings: Vec::new(), rounds: 0 })
}

/// Adds where in the game it happened, and the command that shows it again.
pub(super) fn placed(mut diagnostic: Diagnostic, stage: &Stage, game: &Game, setup: &Setup) -> Diagnostic {
    let model = stage.table.model();
    let position = &stage.table.position;
    if let Some(phase) = position.phase {
        let here = format!("phase `{}`, round {}", model.phases[phase.index()].id, position.round);
        match diagnostic.trace.last_mut() {
            Some(last) => *last = format!("{last}, {here}"),
            None => diagnostic.trace.push(here),
        }
    }
    diagnostic.reproduce = Some(setup.command(game.path()));
    diagnostic
}

//! A session: what it waits for, and how it goes on.

use super::flow::{self, Next};
use super::opening::{Opening, Start};
use super::outcome::{self, Outcome};
use super::setup::{Game, Setup};
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source};
use crate::model::{Model, Seat};
use crate::script::{self, Asking, Call, Choice, Decision, Ended, Event, Given, Host, Stage, Step};
use crate::table::{Chance, Fixed, Table, View};
use std::collections::VecDeque;
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

/// How steps wait for answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Suspension {
    /// On a stack of their own, which is put aside.
    #[default]
    Coroutine,
    /// They are given up and run again after each answer: for targets without coroutines, and to test the other way.
    Rerun,
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
struct Checkpoint {
    table: Table,
    call: Call,
}

/// One game being played.
pub struct Session {
    host: Rc<Host>,
    game: Game,
    setup: Setup,
    suspension: Suspension,
    stage: Option<Box<Stage>>,
    step: Option<Step>,
    checkpoint: Option<Rc<Checkpoint>>,
    answers: Vec<u32>,
    opening: Rc<Opening>,
    status: Status,
    is_imagined: bool,
}

impl Session {
    /// Sits down and plays up to the first decision.
    ///
    /// # Errors
    /// Every mistake in the game's files, and in the setup.
    pub fn start(game: &Game, setup: &Setup) -> Result<Self, Diagnostics> {
        Self::start_with(game, setup, Suspension::default())
    }

    /// The same, with a choice of how steps wait.
    ///
    /// # Errors
    /// Every mistake in the game's files, and in the setup.
    pub fn start_with(game: &Game, setup: &Setup, suspension: Suspension) -> Result<Self, Diagnostics> {
        Self::open(game, setup, suspension, Opening::default())
    }

    /// The same, begun in another way than from the opened box by the rules' own setup.
    ///
    /// # Errors
    /// Every mistake in the game's files, and in the setup.
    pub fn open(game: &Game, setup: &Setup, suspension: Suspension, opening: Opening) -> Result<Self, Diagnostics> {
        let (layout, host) = game.host(setup)?;
        let mut table = Table::new(layout, Chance::new(setup.seed, "table"));
        table.chance.set_fixed((!opening.fixed.is_empty()).then(|| Box::new(opening.fixed.clone())));
        let mut stage = Box::new(Stage::new(table, suspension.asking()));
        stage.noting = true;
        flow::choose_first(&mut stage);
        let mut session = Self {
            host,
            game: game.clone(),
            setup: setup.clone(),
            suspension,
            stage: None,
            step: None,
            checkpoint: None,
            answers: Vec::new(),
            opening: Rc::new(opening),
            status: idle(),
            is_imagined: false,
        };
        session.begin(stage);
        Ok(session)
    }

    /// Arranges the position, if that is asked for before play, and goes to the first decision.
    fn begin(&mut self, stage: Box<Stage>) {
        let opening = self.opening.clone();
        let mut stage = stage;
        if opening.start == Start::Setup {
            self.go_on(stage, Ended::Done);
            return;
        }
        if let Some(source) = &opening.arrange {
            let (back, result) = self.arranged(stage, source);
            stage = back;
            if let Err(diagnostic) = result {
                self.stage = Some(stage);
                self.status = Status::Failed(diagnostic);
                return;
            }
        }
        stage.table.hide_what_is_hidden();
        match &opening.start {
            Start::Phase { phase, round, seat } => {
                flow::enter_phase(&mut stage, *phase, *round, *seat);
                self.go_on(stage, Ended::Done);
            }
            Start::Setup | Start::Nowhere => self.stage = Some(stage),
        }
    }

    /// Changes the position at the open question, before anything was answered in this step.
    ///
    /// # Errors
    /// What is wrong with the text, or that answers were given in this step.
    pub fn arrange(&mut self, source: &Arc<Source>) -> Result<(), Box<Diagnostic>> {
        let Some(checkpoint) = self.checkpoint.clone() else {
            let found = Diagnostic::error("arrange", "there is nothing to arrange here");
            return Err(Box::new(found.mark(Place::at(source, 1, 1), "no step is under way")));
        };
        self.step = None;
        let mut stage = self.stage.take().expect("a session has its stage between choices");
        stage.table = checkpoint.table.clone();
        let (mut stage, result) = self.arranged(stage, source);
        if let Err(diagnostic) = result {
            self.stage = Some(stage);
            return Err(diagnostic);
        }
        stage.table.mark_checkpoint();
        let arranged = Checkpoint { table: stage.table.clone(), call: checkpoint.call.clone() };
        self.checkpoint = Some(Rc::new(arranged));
        let (stage, ended) = Step::begin(&self.host, stage, &checkpoint.call);
        self.go_on(stage, ended);
        Ok(())
    }

    fn arranged(&self, mut stage: Box<Stage>, source: &Arc<Source>) -> (Box<Stage>, Result<(), Box<Diagnostic>>) {
        let noting = std::mem::replace(&mut stage.noting, false);
        stage.arranging = true;
        let (mut stage, result) = script::evaluate(&self.host, stage, source, &self.seat_names(), true);
        stage.arranging = false;
        stage.noting = noting;
        (stage, result.map(|_| ()).map_err(Box::new))
    }

    /// Carries out a text in the game's own vocabulary as a step of its own, outside the flow.
    pub fn carry_out(&mut self, source: &Arc<Source>) {
        let mut stage = self.stage.take().expect("a session has its stage between choices");
        stage.table.mark_checkpoint();
        let call = Call::Text(source.clone(), self.seat_names().into());
        self.checkpoint = Some(Rc::new(Checkpoint { table: stage.table.clone(), call: call.clone() }));
        let (stage, ended) = Step::begin(&self.host, stage, &call);
        self.go_on(stage, ended);
    }

    /// The results of chance to come that are given instead of drawn.
    pub fn fix_chance(&mut self) -> &mut Fixed {
        self.stage.as_mut().expect("a session has its stage between choices").table.chance.fix()
    }

    /// A session brought to where a list of answers leads.
    ///
    /// # Errors
    /// Every mistake in the game's files, and in the setup.
    ///
    /// # Panics
    /// Never for answers taken from [`Session::answers`] of the same game and setup.
    pub fn replay(game: &Game, setup: &Setup, suspension: Suspension, answers: &[u32]) -> Result<Self, Diagnostics> {
        let mut session = Self::start_with(game, setup, suspension)?;
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
        let (stage, ended) = match self.step.take() {
            Some(step) => step.resume(stage),
            None => self.run_again(stage),
        };
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
        let stage = self.stage();
        let mut copy = Stage::new(stage.table.clone(), self.suspension.asking());
        copy.noting = stage.noting;
        copy.events.clone_from(&stage.events);
        copy.pending.clone_from(&stage.pending);
        copy.given.clone_from(&stage.given);
        copy.chosen.clone_from(&stage.chosen);
        copy.forced = stage.forced;
        copy.tallies.clone_from(&stage.tallies);
        Self {
            host: self.host.clone(),
            game: self.game.clone(),
            setup: self.setup.clone(),
            suspension: self.suspension,
            stage: Some(Box::new(copy)),
            step: None,
            checkpoint: self.checkpoint.clone(),
            answers: self.answers.clone(),
            opening: self.opening.clone(),
            status: self.status.clone(),
            is_imagined: self.is_imagined,
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
        let again = Self::replay(&self.game, &self.setup, self.suspension, &before);
        *self = again.expect("a session's game loads as it did before");
        Ok(())
    }

    /// A world that a seat cannot tell from this one: a fork in which everything it does not know has been dealt again.
    /// Nothing when a bounded number of deals gave no world that explains what the seat has seen.
    pub fn imagine(&self, seat: Seat, chance: &mut Chance) -> Option<Self> {
        let decision = self.decision()?;
        let checkpoint = self.checkpoint.as_ref()?;
        let known = View::memory(self.table(), Some(seat)).digest();
        for _ in 0..DEALS {
            let mut table = checkpoint.table.redealt(&self.stage().table, seat, chance)?;
            table.chance = checkpoint.table.chance.clone();
            let mut world = self.fork();
            world.is_imagined = true;
            let replay = remembered(&self.stage().given, seat);
            let forgot = replay.len() < self.stage().given.len();
            let imagined = Rc::new(Checkpoint { table, ..(**checkpoint).clone() });
            let stage = world.stage.as_mut().expect("a fork has its stage");
            stage.forget_pending(seat);
            stage.table = imagined.table.clone();
            stage.replay = replay;
            stage.verify = true;
            stage.rerunning = true;
            stage.chance_after_rerun = Some(Chance::new(chance.next_bits(), "imagined"));
            world.checkpoint = Some(imagined.clone());
            let stage = world.stage.take().expect("a fork has its stage");
            let (mut stage, ended) = Step::begin(&self.host, stage, &imagined.call);
            stage.verify = false;
            let Ended::Asked(step) = ended else { continue };
            let open = stage.open.take()?;
            let is_same_question = forgot || (open.seat, open.id) == (decision.seat, decision.id);
            if !is_same_question || View::memory(&stage.table, Some(seat)).digest() != known {
                continue;
            }
            world.step = step;
            world.stage = Some(stage);
            world.status = Status::Waiting(open);
            return Some(world);
        }
        None
    }

    /// Checks every invariant of the rules here.
    ///
    /// # Errors
    /// The first that does not hold.
    pub fn check_invariants(&mut self) -> Result<(), Box<Diagnostic>> {
        let stage = self.stage.take().expect("a session has its stage between choices");
        let (stage, result) = script::invariants(&self.host, stage);
        self.stage = Some(stage);
        result
    }

    /// Works out an expression of the game's own vocabulary.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn evaluate(&mut self, expression: &Arc<Source>) -> Result<Choice, Box<Diagnostic>> {
        let mut scratch = Box::new(Stage::new(self.stage().table.clone(), Asking::Rerun));
        scratch.noting = false;
        let (_, result) = script::evaluate(&self.host, scratch, expression, &self.seat_names(), true);
        result.map_err(Box::new)
    }

    fn seat_names(&self) -> Vec<(String, Seat)> {
        self.model().all_seats().map(|seat| (self.setup.name(seat).to_owned(), seat)).collect()
    }

    fn asked(&self) -> Result<&Decision, ChooseError> {
        match &self.status {
            Status::Waiting(decision) => Ok(decision),
            Status::Over(_) => Err(ChooseError::NotAsked { state: "is over" }),
            Status::Failed(_) => Err(ChooseError::NotAsked { state: "has failed" }),
        }
    }

    fn stage(&self) -> &Stage {
        self.stage.as_ref().expect("a session has its stage between choices")
    }

    /// Runs the step again from its checkpoint, with the answers it was given and one more.
    fn run_again(&self, mut stage: Box<Stage>) -> (Box<Stage>, Ended) {
        let checkpoint = self.checkpoint.as_ref().expect("a question is asked in a step");
        let fixed = stage.table.chance.fixed().cloned();
        stage.table = checkpoint.table.clone();
        stage.fixed_after_rerun = Some(fixed.map(Box::new));
        stage.replay = std::mem::take(&mut stage.given).into();
        stage.rerunning = true;
        Step::begin(&self.host, stage, &checkpoint.call)
    }

    /// Goes through the flow until a question is open or the game is over.
    fn go_on(&mut self, stage: Box<Stage>, ended: Ended) {
        let (mut stage, mut ended) = (stage, ended);
        loop {
            match ended {
                Ended::Done | Ended::GameEnded if self.opening.start == Start::Nowhere => {
                    self.status = idle();
                    break;
                }
                Ended::Done => flow::step_ends(&mut stage),
                Ended::GameEnded => {
                    flow::step_ends(&mut stage);
                    flow::end_game(&mut stage);
                }
                Ended::Asked(step) => {
                    self.step = step;
                    let open = stage.open.take().expect("a step that asks leaves its question");
                    self.status = Status::Waiting(open);
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
            let (back, next) = flow::advance(&self.host, stage);
            stage = back;
            match next {
                Next::Step { function, seat } => {
                    stage.table.mark_checkpoint();
                    let call = Call::Function(function, seat);
                    self.checkpoint = Some(Rc::new(Checkpoint { table: stage.table.clone(), call: call.clone() }));
                    (stage, ended) = Step::begin(&self.host, stage, &call);
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

    fn placed(&self, diagnostic: Diagnostic, stage: &Stage) -> Diagnostic {
        placed(diagnostic, stage, &self.game, &self.setup)
    }
}

/// The state of a session that is not in the flow and waits for nothing.
fn idle() -> Status {
    Status::Over(Outcome { ending: crate::model::EndingId(0), standings: Vec::new(), rounds: 0 })
}

/// How often a world is dealt before giving up.
const DEALS: usize = 100;

impl Suspension {
    fn asking(self) -> Asking {
        match self {
            Self::Coroutine => Asking::Suspend,
            Self::Rerun => Asking::Rerun,
        }
    }
}

/// The answers of a step that a seat may build on: those of others who are being asked at the same time are forgotten.
fn remembered(given: &[Given], seat: Seat) -> VecDeque<Given> {
    given.iter().filter(|given| !given.pending || given.seat == seat).cloned().collect()
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

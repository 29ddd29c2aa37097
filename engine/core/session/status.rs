//! The session: its state, and how it advances.

use super::campaign_state;
use super::checkpoint::Checkpoint;
use super::flow::{self, FlowAction};
use super::game::Game;
use super::imagine::{Basis, DealtStep};
use super::observation::Observation;
use super::opening::{Opening, Rest, Start};
use super::outcome::Outcome;
use super::past::PastSteps;
use super::playout::PlayedGame;
use super::undo::KeptCopies;
use super::world_counts::WorldCounts;
use crate::decision::{Choice, Decision, Event, Log, Observer};
use crate::diagnostic::{Diagnostic, Diagnostics, Place};
use crate::library::State;
use crate::model::Setup;
use crate::model::{Model, Seat};
use crate::script::{Call, CoverageDelta, Ended, Host, Step};
use crate::table::{Chance, Layout, Table, View};
use crate::wording::{Row, listing};
use std::sync::{Arc, Mutex, PoisonError};

/// State of a session.
#[derive(Debug, Clone, Copy)]
pub enum Status<'a> {
    /// A decision is open.
    Waiting(&'a Decision),
    /// No decision is open, and the game is not over: play rests, or the session is outside the flow.
    Resting,
    /// The game is over.
    Over(&'a Outcome),
    /// The rules failed.
    Failed(&'a Diagnostic),
}

/// Internal state of a session. Unlike [`Status`], it includes the data needed to continue.
#[derive(Clone)]
pub(super) enum Progress {
    /// A step waits at a decision.
    Waiting(Step),
    /// The session has not begun, or it is outside the flow and no decision is open.
    Idle,
    /// Play rests until it is resumed.
    Resting,
    /// The game is over.
    Over(Outcome),
    /// The rules failed.
    Failed(Box<Diagnostic>),
}

/// Reason why a choice was rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChooseError {
    /// The index is out of range.
    #[error("there is no option {given}: {count} options are offered")]
    NoSuchOption {
        /// The given index, counted from 0.
        given: usize,
        /// Number of options.
        count: usize,
    },
    /// The choice is not among the options.
    #[error("this is not among the {count} options offered")]
    NotOffered {
        /// Number of options.
        count: usize,
    },
    /// No decision is open.
    #[error("no decision is open: the game {state}")]
    NotAsked {
        /// State of the game, completing the sentence "the game …".
        state: &'static str,
    },
    /// There is nothing to take back.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// The session keeps no copies for undo. In particular, an imagined world has none, since its history was never played.
    #[error("nothing can be undone in an imagined world")]
    Imagined,
}

/// A game in progress.
pub struct Session {
    pub(super) host: Arc<Host>,
    pub(super) game: Game,
    pub(super) setup: Arc<Setup>,
    pub(super) state: State,
    pub(super) progress: Progress,
    pub(super) checkpoint: Option<Arc<Checkpoint>>,
    pub(super) opening: Arc<Opening>,
    pub(super) rest: Option<Rest>,
    /// The earlier steps, if a player draws conclusions from the choices in them.
    pub(super) past: Option<Arc<PastSteps>>,
    /// The copies for undo, if answers can be taken back.
    pub(super) kept: Option<KeptCopies>,
    /// Whether the game only goes forward: answers are never taken back, and no worlds are imagined. Checkpoints and
    /// the answers of each step are then not kept.
    pub(super) is_playout: bool,
    /// Counts of the worlds imagined at the session's decisions.
    pub(super) worlds: Arc<Mutex<WorldCounts>>,
}

/// Settings that determine what a session records: its observer, events, checkpoints and copies for undo.
pub(super) struct RecordingSettings {
    /// The observer. Forks have none.
    pub(super) observer: Option<Arc<Mutex<dyn Observer>>>,
    /// Whether events are recorded.
    pub(super) events: bool,
    /// The steps that can be run again.
    pub(super) checkpoints: Checkpoints,
    /// Whether answers can be taken back.
    pub(super) copies: bool,
}

/// The steps of a game that can be run again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Checkpoints {
    /// No steps: no worlds are imagined and no answers taken back.
    None,
    /// The step under way, from which worlds can be imagined.
    Present,
    /// Earlier steps too, so that players can draw conclusions from the choices in them.
    Past,
}

impl Session {
    /// Starts a game and advances to the first decision.
    ///
    /// # Errors
    /// Returns all mistakes in the game's files and in the setup.
    pub fn start(game: &Game, setup: &Setup) -> Result<Self, Diagnostics> {
        Self::open(game, setup, Opening::default())
    }

    /// Like [`Session::start`], but may begin with something other than the rules' own setup.
    ///
    /// # Errors
    /// Returns all mistakes in the game's files and in the setup.
    pub fn open(game: &Game, setup: &Setup, opening: Opening) -> Result<Self, Diagnostics> {
        let keeping = RecordingSettings { observer: None, events: true, checkpoints: Checkpoints::Past, copies: true };
        let compiled = game.host(setup)?;
        Self::open_keeping((game, compiled), Arc::new(setup.clone()), opening, keeping)
    }

    /// Like [`Session::open`], but keeps only what `keeping` asks for. The layout and the rules must come from [`Game::host`] with this
    /// setup.
    pub(super) fn open_keeping(
        (game, (layout, host)): (&Game, (Arc<Layout>, Arc<Host>)),
        setup: Arc<Setup>,
        opening: Opening,
        keeping: RecordingSettings,
    ) -> Result<Self, Diagnostics> {
        let mut table = Table::new(layout, Chance::new(setup.seed, "table"));
        table.chance.set_fixed((!opening.fixed.is_empty()).then(|| Box::new(opening.fixed.clone())));
        if keeping.copies {
            table.count_disclosures();
        }
        let mut state = State::new(table);
        campaign_state::place_carried_state(&mut state, &setup)?;
        state.journal = host.journal();
        state.journal.is_kept = keeping.events;
        let is_playout = keeping.checkpoints == Checkpoints::None;
        state.answers.is_playout = is_playout;
        state.journal.observed = keeping.observer.map(|observer| flow::observed(&host, observer));
        flow::choose_first(&mut state);
        let mut session = Self {
            host,
            game: game.clone(),
            setup,
            state,
            progress: Progress::Idle,
            checkpoint: None,
            rest: opening.rest,
            opening: Arc::new(opening),
            past: (keeping.checkpoints == Checkpoints::Past).then(Arc::default),
            kept: keeping.copies.then(KeptCopies::default),
            is_playout,
            worlds: Arc::default(),
        };
        session.begin();
        Ok(session)
    }

    /// Begins play as the opening demands: arranges the position, and advances to the first decision unless the session starts outside the
    /// flow.
    fn begin(&mut self) {
        let opening = self.opening.clone();
        match &opening.start {
            Start::Setup | Start::Phase { after_setup: true, .. } => return self.advance(Ended::Done),
            Start::Phase { phase, round, seat, .. } => flow::enter_phase(&mut self.state, *phase, *round, *seat),
            Start::Nowhere => {}
        }
        if let Err(diagnostic) = self.arrange_here(&opening.arrange) {
            self.progress = Progress::Failed(diagnostic);
            return;
        }
        self.state.table.hide_what_is_hidden();
        if let Start::Phase { .. } = opening.start {
            self.advance(Ended::Done);
        }
    }

    /// Starts a game and repeats a list of answers.
    ///
    /// # Errors
    /// Returns all mistakes in the game's files and in the setup.
    ///
    /// # Panics
    /// Panics if an answer is not offered. This does not happen with answers from [`Session::answers`] of the same game
    /// and setup.
    pub fn replay(game: &Game, setup: &Setup, answers: &[u64]) -> Result<Self, Diagnostics> {
        let mut session = Self::start(game, setup)?;
        for &answer in answers {
            session.choose(answer as usize).expect("a session repeats the choices it has made");
        }
        Ok(session)
    }

    /// Returns the state of the session.
    pub fn status(&self) -> Status<'_> {
        match &self.progress {
            Progress::Waiting(step) => Status::Waiting(step.decision()),
            Progress::Idle | Progress::Resting => Status::Resting,
            Progress::Over(outcome) => Status::Over(outcome),
            Progress::Failed(diagnostic) => Status::Failed(diagnostic),
        }
    }

    /// Returns the outcome once the game is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.progress {
            Progress::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Returns the open decision.
    pub fn decision(&self) -> Option<&Decision> {
        match &self.progress {
            Progress::Waiting(step) => Some(step.decision()),
            _ => None,
        }
    }

    /// Returns the game's model.
    pub fn model(&self) -> &Arc<Model> {
        &self.host.model
    }

    /// Returns the setup.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the indices of the options chosen so far, in order. [`Session::acts`] includes redeals.
    pub fn answers(&self) -> &Log<u64> {
        &self.state.answers.positions
    }

    /// Returns the number of answers so far, including automatic answers to questions with a single option.
    pub fn answered(&self) -> u64 {
        self.state.answers.positions.len() as u64 + self.state.answers.forced
    }

    /// Returns the record of the game so far, as for a game played by agents.
    pub fn played(&self) -> PlayedGame {
        let state = &self.state;
        PlayedGame {
            outcome: match &self.progress {
                Progress::Over(outcome) => Ok(outcome.clone()),
                Progress::Failed(diagnostic) => Err(diagnostic.clone()),
                _ => Err(Box::new(Diagnostic::error("not-over", "the game is not over"))),
            },
            decisions: state.answers.positions.len() as u64,
            forced: state.answers.forced,
            chosen: state.answers.chosen.clone(),
            events: state.journal.events.clone(),
            tallies: state.tallies.all().to_vec(),
            seen_orders: state.journal.seen_orders.clone(),
            laid_by_chance: state.journal.laid_by_chance.clone(),
            fingerprint: self.fingerprint(),
            worlds: self.world_counts(),
            next: None,
        }
    }

    /// Returns whether the session runs the flow of the rules. A playscript scene whose first statement is `do` does not run it.
    pub fn is_in_flow(&self) -> bool {
        self.opening.start != Start::Nowhere
    }

    /// Sets the part of the flow at whose end play rests, unless a decision is opened first.
    pub fn rest_at(&mut self, rest: Option<Rest>) {
        self.changes();
        self.rest = rest;
    }

    /// Returns whether play rests.
    pub fn is_resting(&self) -> bool {
        matches!(self.progress, Progress::Resting)
    }

    /// Resumes play from where it rests.
    pub fn resume_from_rest(&mut self) {
        if self.is_resting() {
            self.changes();
            self.advance(Ended::Done);
        }
    }

    /// Returns the statements that ran on this thread since the last call. Returns `None` if the game does not record them.
    pub fn take_coverage(&self) -> Option<CoverageDelta> {
        self.host.take_coverage()
    }

    /// Returns every named function of the rules with the place of its name.
    pub fn functions(&self) -> Vec<(String, Place)> {
        self.host.functions().iter().map(|function| (function.name.clone(), function.place.clone())).collect()
    }

    /// Returns the table as rows, limited to what `seat` knows. Returns the complete table if `seat` is `None`.
    pub fn listing(&self, seat: Option<Seat>) -> Vec<Row> {
        let table = self.table();
        let view = seat.map_or_else(|| View::whole(table), |seat| self.memory(Some(seat)));
        listing(&view, &self.setup)
    }

    /// Returns the events so far.
    pub fn events(&self) -> &Log<Event> {
        &self.state.journal.events
    }

    /// Returns what a seat sees.
    pub fn view(&self, seat: Seat) -> View<'_> {
        View::new(&self.state.table, Some(seat))
    }

    /// Returns what a seat sees and remembers, and what follows from this and from learned conditions. If `seat` is
    /// `None`, returns what everybody knows.
    pub fn memory(&self, seat: Option<Seat>) -> View<'_> {
        View::memory(&self.state.table, seat).with_judges(&self.host)
    }

    /// Returns what everybody sees.
    pub fn public_view(&self) -> View<'_> {
        View::new(&self.state.table, None)
    }

    /// Returns the complete table, for the program that runs the game. Agents receive [`Session::view`] instead.
    pub fn table(&self) -> &Table {
        &self.state.table
    }

    /// Returns the fingerprint of the table.
    pub fn fingerprint(&self) -> u64 {
        self.state.table.fingerprint()
    }

    /// Answers the open decision with the option at index `at`.
    ///
    /// # Errors
    /// Returns an error if the index is out of range or no decision is open.
    pub fn choose(&mut self, at: usize) -> Result<(), ChooseError> {
        let count = self.asked()?.count();
        if at >= count {
            return Err(ChooseError::NoSuchOption { given: at, count });
        }
        self.keep();
        if let Progress::Waiting(step) = std::mem::replace(&mut self.progress, Progress::Idle) {
            self.state.answers.positions.push(at as u64);
            self.state.table.begin_answer();
            let ended = step.resume(&mut self.state, at);
            self.advance(ended);
            self.state.table.end_answer();
        }
        Ok(())
    }

    /// Answers the open decision with a choice.
    ///
    /// # Errors
    /// Returns an error if the choice is not offered or no decision is open.
    pub fn choose_value(&mut self, choice: &Choice) -> Result<(), ChooseError> {
        let decision = self.asked()?;
        let at = decision.position(choice).ok_or(ChooseError::NotOffered { count: decision.count() })?;
        self.choose(at)
    }

    /// Copies the session at its current decision. The copies are independent.
    #[must_use]
    pub fn fork(&self) -> Self {
        self.fork_to(self.state.fork(self.state.table.clone()), self.progress.clone())
    }

    fn fork_to(&self, state: State, progress: Progress) -> Self {
        Self {
            host: self.host.clone(),
            game: self.game.clone(),
            setup: self.setup.clone(),
            state,
            progress,
            checkpoint: self.checkpoint.clone(),
            opening: self.opening.clone(),
            rest: self.rest,
            past: self.past.clone(),
            kept: self.kept.clone(),
            is_playout: self.is_playout,
            worlds: Arc::default(),
        }
    }

    /// Discards all events and stops recording them. Also discards the list of `RecordedAnswer`s. Forks of this session do not record
    /// events either.
    pub fn forget_events(&mut self) {
        self.state.journal.close();
        self.state.answers.chosen = Log::default();
    }

    /// Imagines a world that a seat cannot tell from this game: a fork in which everything that the seat does not know has been dealt
    /// again. If the world had to be [relaxed](super::Relaxation), it may be impossible to imagine further worlds from it.
    ///
    /// Returns `None` if no decision is open, if the session keeps no checkpoints, or if the rules fail in a learned condition.
    pub fn imagine(&self, seat: Seat, chance: &mut Chance) -> Option<Self> {
        let Progress::Waiting(step) = &self.progress else { return None };
        let state_at = |table| {
            let mut state = self.state.fork(table);
            state.journal.forget_pending(seat);
            state
        };
        let copy_at = |table| Ok(DealtStep { checkpoint: None, state: state_at(table), step: step.clone() });
        let dealt = self.basis(seat)?.deal(&self.host, chance, (&state_at, &copy_at)).ok()?;
        let past = self.past.as_ref().map(|past| past.in_world(&dealt.state.table, seat, chance));
        let mut world = self.fork_to(dealt.state, Progress::Waiting(dealt.step));
        world.checkpoint = dealt.checkpoint.map(Arc::new);
        world.past = past.map(Arc::new);
        world.kept = None;
        Some(world)
    }

    /// Returns the counts of the worlds imagined so far at decisions of this session.
    pub fn world_counts(&self) -> WorldCounts {
        self.worlds.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the data from which worlds of a seat are dealt at the open decision.
    pub(super) fn basis(&self, seat: Seat) -> Option<Basis<'_>> {
        let checkpoint = self.checkpoint.as_deref()?;
        Some(Basis::new(checkpoint, &self.state, (seat, self.decision()?), &self.worlds))
    }

    /// Creates the session of a dealt world. It has neither the seed nor the history of the actual game.
    pub(super) fn apart(game: Game, host: Arc<Host>, setup: &Setup, dealt: DealtStep) -> Self {
        Self {
            host,
            game,
            setup: Arc::new(Setup { seed: 0, ..setup.clone() }),
            state: dealt.state,
            progress: Progress::Waiting(dealt.step),
            checkpoint: dealt.checkpoint.map(Arc::new),
            opening: Arc::default(),
            rest: None,
            past: None,
            kept: None,
            is_playout: true,
            worlds: Arc::default(),
        }
    }

    /// Returns the observation for the player of the asked seat.
    pub fn observation(&self) -> Option<Observation<'_>> {
        Some(Observation::of_session(self, self.decision()?))
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    fn asked(&self) -> Result<&Decision, ChooseError> {
        match &self.progress {
            Progress::Waiting(step) => Ok(step.decision()),
            Progress::Idle | Progress::Resting => Err(ChooseError::NotAsked { state: "rests" }),
            Progress::Over(_) => Err(ChooseError::NotAsked { state: "is over" }),
            Progress::Failed(_) => Err(ChooseError::NotAsked { state: "has failed" }),
        }
    }

    /// Advances through the flow until a decision is open, play rests, the game is over, or the rules fail.
    pub(super) fn advance(&mut self, ended: Ended) {
        self.progress = match self.try_advance(ended) {
            Ok(progress) => progress,
            Err(diagnostic) => Progress::Failed(Box::new(placed(*diagnostic, &self.state, &self.game, &self.setup))),
        };
    }

    fn try_advance(&mut self, mut ended: Ended) -> Result<Progress, Box<Diagnostic>> {
        loop {
            match ended {
                // A step outside the flow does not continue into it, unless it ended the game.
                Ended::Done if self.opening.start == Start::Nowhere && !self.state.table.position.finishing => {
                    return Ok(Progress::Idle);
                }
                Ended::Done => flow::end_step(&mut self.state),
                Ended::GameEnded => flow::end_game(&mut self.state),
                Ended::Asked(step) => return Ok(Progress::Waiting(step)),
                Ended::Fault(diagnostic) => return Err(diagnostic),
                Ended::NotOffered => {
                    return Err(Box::new(Diagnostic::error("internal", "a step of a session was answered by nobody")));
                }
            }
            if let Start::Phase { phase, round, seat, after_setup: true } = self.opening.start
                && flow::setup_is_over(&self.state)
            {
                flow::enter_phase(&mut self.state, phase, round, seat);
                let opening = self.opening.clone();
                self.arrange_here(&opening.arrange)?;
            }
            match flow::advance(&self.host, &mut self.state, self.rest) {
                FlowAction::Step { function, seat } => ended = self.begin_step(Call::Function(function, seat)),
                FlowAction::Rests => return Ok(Progress::Resting),
                FlowAction::Over => return Ok(Progress::Over(flow::conclude(&self.host, &mut self.state)?)),
                FlowAction::Fault(diagnostic) => return Err(diagnostic),
            }
        }
    }

    fn begin_step(&mut self, call: Call) -> Ended {
        if self.is_playout {
            return Step::begin(&self.host, &mut self.state, &call);
        }
        if let (Some(past), Some(step)) = (&mut self.past, &self.checkpoint) {
            Arc::make_mut(past).keep(step, &self.state);
        }
        let checkpoint = self.checkpoint_before(call);
        let ended = Step::begin(&self.host, &mut self.state, &checkpoint.call);
        self.checkpoint = Some(checkpoint);
        ended
    }
}

/// Adds to a diagnostic the phase, the round, and the command that reproduces the fault.
pub(super) fn placed(mut diagnostic: Diagnostic, state: &State, game: &Game, setup: &Setup) -> Diagnostic {
    let model = state.table.model();
    let position = &state.table.position;
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

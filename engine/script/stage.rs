//! What the words of the vocabulary work on: the game in progress on this thread, and how its questions are answered.
//!
//! A session puts its stage here before it runs a step and takes it away when the step waits or ends. Words reach it
//! with [`with`]. An agent that is asked inline may run other sessions meanwhile: the stage steps aside for them.

use super::cover::Cover;
use super::fault::{Answer, Failure, Fault};
use super::host::Host;
use super::part_types;
use super::vocabulary::FactTable;
use crate::decision::{Choice, Decision, Event, Happening, Look, Observed, Pass, look};
use crate::diagnostic::Diagnostic;
use crate::model::{DecisionId, FamilyId, Lasts, PieceId, Seat, SpaceId};
use crate::table::{Chance, End, Layout, SeatSet, Table};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// Whoever answers a question on the spot.
pub trait Answerer {
    /// The position of the option chosen.
    ///
    /// # Errors
    /// Why there is none: what has no place is placed where the question is asked.
    fn answer(&mut self, table: &Table, decision: &Decision) -> Result<usize, Box<Diagnostic>>;
}

/// How a question gets its answer.
pub enum Asking {
    /// At once, from whoever plays.
    Inline(Box<dyn Answerer>),
    /// The step is put aside until the answer comes.
    Suspend,
}

/// An answer given in a step, kept so that the step can be run again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// Who was asked.
    pub seat: Seat,
    /// What was asked.
    pub decision: DecisionId,
    /// What was chosen; nothing when there was nothing to choose.
    pub choice: Option<Choice>,
    /// Whether others may not know of it yet, because they are being asked at the same time.
    pub pending: bool,
    /// Whether everybody is told, if not now then once all have answered; otherwise the seat alone knows that it was asked.
    pub told: bool,
}

/// A step that is run again as one seat imagines it: what others were asked and answered without its knowledge goes by lot.
#[derive(Debug)]
pub struct Imagining {
    /// Who imagines.
    pub seat: Seat,
    /// The question that is open, where the step is to arrive.
    pub asked: (Seat, DecisionId),
    /// The number of the round of questions put together that is open, if one is.
    pub together: Option<u32>,
    /// Where lots come from.
    pub chance: Chance,
}

/// Why a step stopped before its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// More operations than a step may take.
    Budget,
    /// There is no answer, and this is why.
    NoAnswer(Box<Diagnostic>),
    /// A logged choice is not offered in this world.
    NotOffered,
    /// The script ended the game.
    Ended,
}

/// One entry of the list that determines a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// Who was asked.
    pub seat: Seat,
    /// What was asked.
    pub decision: DecisionId,
    /// What was chosen.
    pub choice: Choice,
    /// How many options there were.
    pub offered: u32,
}

/// A move that is still to be made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Move {
    /// What goes.
    pub piece: PieceId,
    /// Where it goes.
    pub to: SpaceId,
    /// Which end of what lies there.
    pub end: End,
    /// On which side it arrives, if the rules say so.
    pub up: Option<bool>,
}

/// A game in progress as scripts work on it.
#[expect(clippy::struct_excessive_bools, reason = "independent switches, each with its own owner")]
pub struct Stage {
    /// The table.
    pub table: Table,
    /// How questions get their answers.
    pub asking: Asking,
    /// What has happened, if it is being noted.
    pub events: Vec<Event>,
    /// Which of these are answers of seats that are asked together: nobody else learns of them before all have answered.
    pub pending: Vec<usize>,
    /// Whether to note what happens.
    pub noting: bool,
    /// The answers already known for this step, first to be used first.
    pub replay: VecDeque<Given>,
    /// Whether this step is being run again up to the open question: nothing is noted or counted meanwhile.
    pub rerunning: bool,
    /// The randomness that takes over where the re-run arrives at the open question.
    pub chance_after_rerun: Option<Chance>,
    /// The answers given in this step so far.
    pub given: Vec<Given>,
    /// Every answer since the game began.
    pub chosen: Vec<Chosen>,
    /// How many questions had only one answer.
    pub forced: u64,
    /// How many steps have run since somebody was last asked.
    pub steps_unasked: u32,
    /// The position of the option chosen, on its way to the script.
    pub answer: Option<usize>,
    /// Why the step is being given up.
    pub stop: Option<Stop>,
    /// Who is being asked at the same time, if anybody: nothing may change meanwhile.
    pub together: Option<SeatSet>,
    /// How often seats were asked together in this step.
    pub togethers: u32,
    /// Who imagines this step while it is run again, if anybody.
    pub imagining: Option<Imagining>,
    /// Whether decisions may be asked where the script is now.
    pub may_ask: bool,
    /// Whether anything may change.
    pub may_change: bool,
    /// While moves are gathered that happen at once: those so far, in order.
    pub(super) at_once: Option<Vec<Move>>,
    /// The facts of the game, by name.
    facts: Option<Rc<FactTable>>,
    /// What ran of the rules, if they are watched.
    cover: Option<Rc<Cover>>,
    /// While a position is being set up by hand, and pieces may be taken from anywhere: those that were put somewhere.
    pub arranged: Option<Vec<PieceId>>,
    /// Whoever keeps the books of the game.
    pub observed: Option<Observed>,
    /// The piles of which somebody knew the order as soon as they had been shuffled.
    pub seen_orders: Vec<FamilyId>,
    /// Counters the script keeps for statistics.
    pub tallies: Vec<(Arc<str>, Option<Seat>, i64)>,
}

thread_local! {
    static STAGE: RefCell<Option<Box<Stage>>> = const { RefCell::new(None) };
    static OPERATIONS: Cell<u64> = const { Cell::new(0) };
    static ANSWERED: Cell<bool> = const { Cell::new(false) };
}

/// How many operations a script may take between two decisions.
pub const OPERATION_BUDGET: u64 = 2_000_000;

impl Stage {
    /// A stage at the start of a game.
    pub fn new(table: Table, asking: Asking) -> Self {
        Self {
            table,
            asking,
            events: Vec::new(),
            pending: Vec::new(),
            noting: false,
            replay: VecDeque::new(),
            rerunning: false,
            chance_after_rerun: None,
            given: Vec::new(),
            chosen: Vec::new(),
            forced: 0,
            steps_unasked: 0,
            answer: None,
            stop: None,
            together: None,
            togethers: 0,
            imagining: None,
            may_ask: true,
            may_change: true,
            at_once: None,
            arranged: None,
            facts: None,
            cover: None,
            observed: None,
            seen_orders: Vec::new(),
            tallies: Vec::new(),
        }
    }

    /// A copy on its own: nobody keeps its books, and its questions are left open.
    #[must_use]
    pub fn copied(&self) -> Self {
        Self {
            events: self.events.clone(),
            pending: self.pending.clone(),
            noting: self.noting,
            replay: self.replay.clone(),
            given: self.given.clone(),
            chosen: self.chosen.clone(),
            forced: self.forced,
            steps_unasked: self.steps_unasked,
            together: self.together,
            togethers: self.togethers,
            may_ask: self.may_ask,
            may_change: self.may_change,
            seen_orders: self.seen_orders.clone(),
            tallies: self.tallies.clone(),
            ..Self::new(self.table.clone(), Asking::Suspend)
        }
    }

    /// What somebody else answers to a question of which a seat that imagines the step knows nothing: by lot where it is
    /// secret; where it is not, nothing, because anything else would have been told.
    fn by_lot(&mut self, decision: &Decision) -> Option<Choice> {
        let imagining = self.imagining.as_mut().filter(|_| self.rerunning)?;
        let is_open = self.replay.is_empty() && (decision.seat, decision.id) == imagining.asked;
        let is_together = self.together.is_some() && imagining.together == Some(self.togethers);
        if decision.seat == imagining.seat || is_open || is_together {
            return None;
        }
        if self.table.model().decisions[decision.id.index()].is_secret {
            return Some(decision.option(imagining.chance.below(decision.count() as u32) as usize));
        }
        let is_told =
            self.replay.front().is_some_and(|next| (next.seat, next.decision) == (decision.seat, decision.id));
        (!is_told && decision.pass == Some(Pass::Pass)).then_some(Choice::Nothing)
    }

    /// Notes an event for everybody.
    pub fn note(&mut self, what: impl FnOnce(&Table) -> Happening) {
        let everybody = self.table.layout().everybody;
        self.note_to(everybody, what);
    }

    /// Notes an event for some seats.
    pub fn note_to(&mut self, to: SeatSet, what: impl FnOnce(&Table) -> Happening) {
        if self.noting && !self.rerunning {
            let what = what(&self.table);
            if let Some(cover) = &self.cover {
                cover.causes(self.events.len());
            }
            self.events.push(Event { what, to });
        }
    }

    /// Counts work that a word of the vocabulary does natively, in operations of the script engine.
    pub(super) fn spend(&mut self, operations: usize) -> Answer<()> {
        charge(operations);
        if OPERATIONS.get() <= OPERATION_BUDGET {
            return Ok(());
        }
        self.stop = self.stop.take().or(Some(Stop::Budget));
        Err(terminated())
    }

    /// The facts of the game, by name.
    pub(super) fn facts(&self) -> &FactTable {
        self.facts.as_ref().expect("a script runs within a call of the host")
    }

    /// Lets everybody learn of the answers given together, now that all have answered.
    pub fn publish(&mut self) {
        let everybody = self.table.layout().everybody;
        for at in self.pending.drain(..) {
            self.events[at].to = everybody;
        }
        // What follows is no answer's doing alone.
        self.note(|_| Happening::Step);
    }

    /// Takes the answers that others gave while a seat is asked together with them out of what happened.
    pub fn forget_pending(&mut self, seat: Seat) {
        let mut gone = 0;
        for at in std::mem::take(&mut self.pending) {
            let at = at - gone;
            if self.events[at].to == Layout::only(seat) {
                self.pending.push(at);
            } else {
                self.events.remove(at);
                gone += 1;
            }
        }
    }

    /// How a piece looks now.
    pub fn look(&self, piece: PieceId) -> Look {
        look(&self.table, piece)
    }

    /// Refuses a change where nothing may change.
    pub(super) fn changing(&self) -> Answer<()> {
        if self.may_change {
            return Ok(());
        }
        let fault = if self.together.is_some() {
            Fault::new(
                "change-while-asking",
                "nothing may change while several seats are asked together",
                "changes the table",
            )
            .help("return the answer from the function given to `together`, and change the table afterwards")
        } else if self.at_once.is_some() {
            Fault::new("change-at-once", "only whole moves happen at once", "changes the table otherwise")
                .help("use `move_to` or `move_under` here; do the rest before or after `at_once`")
        } else {
            Fault::new("change-while-looking", "this function may only look at the table", "changes the table")
                .help("change the table in a step of a phase; where options are listed, after the answer")
        };
        Err(fault.into())
    }

    /// Ends what lasts only for a turn, a phase or a round.
    pub fn expire(&mut self, span: Lasts) {
        self.table.expire(span);
    }
}

/// Counts work that is done natively where no stage is at hand: the script is stopped at its next operation if it was too much.
pub(super) fn charge(operations: usize) {
    OPERATIONS.set(OPERATIONS.get().saturating_add(operations as u64));
}

/// Works on the game in progress.
///
/// # Panics
/// When no game is in progress on this thread: a script only runs while one is.
pub(super) fn with<T>(work: impl FnOnce(&mut Stage) -> T) -> T {
    STAGE.with_borrow_mut(|stage| work(stage.as_mut().expect("a script runs only while a game is on stage")))
}

/// Puts a stage on this thread while `run` runs; gives it back with what came out.
pub(super) fn enact<T>(host: &Host, mut stage: Box<Stage>, run: impl FnOnce() -> T) -> (Box<Stage>, T) {
    stage.facts = Some(host.facts().clone());
    stage.cover = host.cover().cloned();
    let before = STAGE.replace(Some(stage));
    let operations = OPERATIONS.replace(0);
    let out = run();
    OPERATIONS.set(operations);
    let stage = STAGE.replace(before).expect("the stage is given back by whoever borrows it");
    (stage, out)
}

/// How many operations have been counted since this was last asked, or since somebody answered.
pub(super) fn take_operations() -> u64 {
    OPERATIONS.replace(0)
}

/// Whether somebody has answered since this was last asked.
pub(super) fn take_answered() -> bool {
    ANSWERED.replace(false)
}

/// From here on the rules may do as much again: they have been answered.
fn answered() {
    OPERATIONS.set(0);
    ANSWERED.set(true);
}

/// Gives the step up.
pub(super) fn stop(why: Stop) -> Box<Failure> {
    with(|stage| stage.stop = stage.stop.take().or(Some(why)));
    terminated()
}

fn terminated() -> Box<Failure> {
    Box::new(Failure::Stopped)
}

/// Puts a question to a seat: the answer, if it need not be waited for. Otherwise the question is open, and [`answer_of`] goes
/// on.
pub(super) fn ask(decision: &Decision) -> Answer<Option<Choice>> {
    if !with(|stage| stage.may_ask) {
        let fault = Fault::new("choice-out-of-place", "no decision can be asked here", "asks a seat")
            .help("ask in a step of a phase; `until`, `when`, `order`, `score` and `rank` only look");
        return Err(fault.into());
    }
    if let Some(choice) = with(|stage| stage.by_lot(decision)) {
        answered();
        with(|stage| give(stage, decision.seat, decision.id, Some(choice.clone()), false));
        return Ok(Some(choice));
    }
    match replayed(decision.seat, decision.id) {
        Some(Some(choice)) if decision.position(&choice).is_some() => Ok(Some(choice)),
        Some(_) => Err(stop(Stop::NotOffered)),
        None => live(decision),
    }
}

/// The answer to the open question, which lies on the stage.
pub(super) fn answer_of(decision: &Decision) -> Answer<Choice> {
    let at = with(|stage| stage.answer.take()).ok_or_else(terminated)?;
    Ok(taken(decision, at))
}

/// Notes that a seat had nothing to choose from.
pub(super) fn nothing_to_choose(seat: Seat, decision: DecisionId) -> Answer<()> {
    if with(|stage| stage.rerunning && stage.imagining.as_ref().is_some_and(|imagining| imagining.seat != seat)) {
        with(|stage| give(stage, seat, decision, None, false));
        return Ok(());
    }
    match replayed(seat, decision) {
        Some(Some(_)) => Err(stop(Stop::NotOffered)),
        Some(None) => Ok(()),
        None => {
            with(|stage| give(stage, seat, decision, None, false));
            Ok(())
        }
    }
}

/// The answer this step was given before, if it is being run again: what was chosen, or that there was nothing to choose.
#[expect(clippy::option_option, reason = "no answer known, and nothing to choose from, are two things")]
fn replayed(seat: Seat, decision: DecisionId) -> Option<Option<Choice>> {
    let next = with(|stage| match stage.replay.front() {
        Some(next) if next.seat == seat && next.decision == decision => stage.replay.pop_front(),
        _ => None,
    })?;
    answered();
    with(|stage| give(stage, seat, decision, next.choice.clone(), next.told));
    Some(next.choice)
}

fn give(stage: &mut Stage, seat: Seat, decision: DecisionId, choice: Option<Choice>, told: bool) {
    let pending = stage.together.is_some();
    stage.given.push(Given { seat, decision, choice, pending, told });
}

/// Asks whoever plays.
fn live(decision: &Decision) -> Answer<Option<Choice>> {
    with(|stage| part_types::check(&stage.table, decision))?;
    if decision.count() == 1 {
        with(|stage| stage.forced += u64::from(!stage.rerunning));
        return Ok(Some(taken(decision, 0)));
    }
    Ok(put(decision)?.map(|at| taken(decision, at)))
}

/// The option at a position, which has been chosen.
fn taken(decision: &Decision, at: usize) -> Choice {
    let choice = decision.option(at);
    with(|stage| {
        let told = !stage.table.model().decisions[decision.id.index()].is_secret;
        give(stage, decision.seat, decision.id, Some(choice.clone()), told);
    });
    choice
}

/// Puts a question to whoever answers on the spot; without, it stays open.
fn put(decision: &Decision) -> Answer<Option<usize>> {
    answered();
    let mut stage = STAGE.take().expect("a script runs only while a game is on stage");
    stage.steps_unasked = 0;
    if let Some(chance) = stage.chance_after_rerun.take() {
        stage.table.chance = chance;
    }
    stage.rerunning = false;
    let answer = match &mut stage.asking {
        Asking::Inline(answerer) => Some(answerer.answer(&stage.table, decision)),
        Asking::Suspend => None,
    };
    STAGE.set(Some(stage));
    answer.transpose().map_err(|why| stop(Stop::NoAnswer(why)))
}

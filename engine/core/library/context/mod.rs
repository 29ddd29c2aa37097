//! The execution context of rules: the game, and the work that the current run has done.

#![allow(clippy::inline_always, reason = "each call of the rules goes through it")]

pub(crate) mod fact_table;
pub(crate) mod facts;
pub(crate) mod fault;
pub(crate) mod journal;
pub(crate) mod names;
pub(crate) mod part_types;
pub(crate) mod permissions;
pub(crate) mod plain;
pub(crate) mod running_effects;
pub(crate) mod state;
pub(crate) mod stored;
pub(crate) mod tallies;
pub(crate) mod triggers;

use crate::decision::{Choice, ChosenFace, Decision, EventKind, HandleList, Pass, Rerun, StepAnswer};
use crate::library::entry::stored_closure::StoredClosure;
use crate::model::{ComponentId, DecisionId, PieceId, Seat};
use crate::table::{Layout, SeatSet, Table};
use fact_table::{Column, FactTable, NamedFacts};
use facts::Item;
use fault::{Answer, Failure, Fault};
use permissions::OnlyKnown;
use state::State;
use std::cell::Cell;
use std::ops::{Deref, DerefMut};

/// Number of operations that the rules may use between two decisions.
pub const OPERATION_BUDGET: u64 = 1_000_000;

/// Number of game objects that can be visited for one operation.
pub(crate) const OBJECTS_PER_OPERATION: usize = 16;

/// Number of pieces of a stack that can be visited for one operation when an event describes one of the pieces.
const PIECES_PER_OPERATION: usize = 64;

/// Operations charged for an event.
const EVENT_COST: usize = 24;

/// Code of the fault for reading something that a seat does not know. It is used internally and never shown.
pub(crate) const UNKNOWN_READ: &str = "unknown-read";

/// Reason for stopping a step early, other than a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The budget of operations is used up.
    Budget,
    /// A recorded answer is not among the options in this world.
    NotOffered,
    /// The rules ended the game.
    Ended,
}

/// The context that library functions receive.
pub(crate) struct Context<'a> {
    /// The game in progress.
    pub(crate) state: &'a mut State,
    /// Facts of the game, by name.
    facts: &'a FactTable,
    /// Meanings of the string literal in the current library call; `None` if the call looks up no name or has no literal.
    pub(crate) quoted: Option<&'a NamedFacts>,
    /// Number of operations used since the machine last collected this count.
    pub(crate) work: Cell<u64>,
    /// Whether a seat has answered since the machine last checked this flag. If so, a new budget begins.
    pub(crate) is_refueled: bool,
    /// Reason for stopping, if the step is being stopped.
    pub(crate) stop: Option<Stop>,
    /// Closure argument of the current library call, which the function may store.
    pub(crate) closure: Option<StoredClosure>,
}

impl Deref for Context<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        self.state
    }
}

impl DerefMut for Context<'_> {
    fn deref_mut(&mut self) -> &mut State {
        self.state
    }
}

impl<'a> Context<'a> {
    /// Creates a context for running rules in a game.
    pub(crate) fn new(state: &'a mut State, facts: &'a FactTable) -> Self {
        Self { state, facts, quoted: None, work: Cell::new(0), is_refueled: false, stop: None, closure: None }
    }

    /// Returns the facts of the game.
    pub(crate) fn facts(&self) -> &'a FactTable {
        self.facts
    }

    /// Returns the facts called `name` of one type of game object.
    #[inline]
    pub(crate) fn facts_named<T: Item>(&self, name: &str) -> Option<&'a [Column]> {
        let found = match self.quoted {
            Some(quoted) if quoted.is_named(name) => quoted.facts[T::TABLE].as_ref(),
            _ => self.facts.facts_of::<T>().get(name),
        };
        debug_assert_eq!(
            found.map(|columns| columns.as_ptr()),
            self.facts.facts_of::<T>().get(name).map(|columns| columns.as_ptr()),
            "`{name}` means the same as when it was resolved"
        );
        found.map(|columns| &**columns)
    }

    /// Returns the components of the kind called `name`.
    #[inline]
    pub(crate) fn components_of_kind(&self, name: &str) -> Option<&'a HandleList<ComponentId>> {
        match self.quoted {
            Some(quoted) if quoted.is_named(name) => quoted.kind.as_ref(),
            _ => self.facts.of_kind(name),
        }
    }

    /// Checks that the game may be changed and that the record has not exceeded its maximum size.
    pub(crate) fn check_may_change(&self) -> Answer<()> {
        self.state.permissions.check_may_change()?;
        self.state.journal.check_room()
    }

    /// In a restricted run, checks that the seat knows everything that was read.
    #[inline(always)]
    pub(crate) fn check_known(&self) -> Answer<()> {
        self.permissions.only_known.as_ref().map_or(Ok(()), |only| self.check_known_to(only))
    }

    #[cold]
    fn check_known_to(&self, only: &OnlyKnown) -> Answer<()> {
        if self.table.is_read_as_known(only.seat) {
            return Ok(());
        }
        if only.allow_one() {
            self.table.ignore_reads();
            return Ok(());
        }
        Err(Fault::new(UNKNOWN_READ, "reads hidden information", "is hidden").into())
    }

    /// Charges work. If the work exceeds the budget, the run stops at its next operation.
    pub(crate) fn charge(&self, operations: usize) {
        self.work.set(self.work.get().saturating_add(operations as u64));
    }

    /// Charges work, and fails immediately if the work exceeds the budget.
    pub(crate) fn spend(&mut self, operations: usize) -> Answer<()> {
        self.charge(operations);
        if self.work.get() <= OPERATION_BUDGET { Ok(()) } else { Err(self.stop(Stop::Budget)) }
    }

    /// Records an event for everybody. The work is charged even if recording is off, so that the budget does not depend on recording.
    pub(crate) fn note(&mut self, what: impl FnOnce(&Table) -> EventKind) {
        self.charge(EVENT_COST);
        self.state.note(what);
    }

    /// Records an event for some seats, charged like [`Self::note`].
    pub(crate) fn note_to(&mut self, to: SeatSet, what: impl FnOnce(&Table) -> EventKind) {
        self.charge(EVENT_COST);
        self.state.note_to(to, what);
    }

    /// Charges the work of describing a piece in an event, which visits all pieces of its stack.
    pub(crate) fn charge_look(&self, piece: PieceId) {
        self.charge(self.table.height(self.table.space_of(piece)) / PIECES_PER_OPERATION);
    }

    /// Like [`Self::charge_look`], but fails immediately if the budget is exceeded. Use it in calls that describe many pieces.
    pub(crate) fn spend_look(&mut self, piece: PieceId) -> Answer<()> {
        self.charge_look(piece);
        self.spend(0)
    }

    /// Draws one of `among` outcomes in an imagined world. Returns `None` outside imagined worlds, and if the imagining seat is one of
    /// `seats`, which saw the real outcome.
    pub(crate) fn imagined_draw(&mut self, seats: SeatSet, among: usize) -> Option<usize> {
        self.table.note_unknown_to(!seats);
        let imagining = self.answers.rerun.as_mut()?.imagining.as_mut()?;
        (seats & Layout::only(imagining.seat) == 0).then(|| imagining.chance.below(among as u32) as usize)
    }

    /// Like [`Self::imagined_draw`], but for a random pick that was not announced. `seats` are the seats that cannot tell the candidates
    /// apart, so that any pick looks the same to them. Also returns `None` if imagined worlds keep the real picks.
    pub(crate) fn imagined_pick(&mut self, seats: SeatSet, among: usize) -> Option<usize> {
        let drawn = self.imagined_draw(seats, among);
        let keeps_picks = |rerun: &Rerun| rerun.imagining.as_ref().is_some_and(|imagining| imagining.keeps_picks);
        drawn.filter(|_| !self.answers.rerun.as_deref().is_some_and(keeps_picks))
    }

    /// Stops the step. The first reason given is kept.
    pub(crate) fn stop(&mut self, why: Stop) -> Box<Failure> {
        self.stop = self.stop.or(Some(why));
        Box::new(Failure::Stopped)
    }

    /// Starts a new budget after a seat has answered.
    fn refuel(&mut self) {
        self.work.set(0);
        self.is_refueled = true;
    }

    // ----- asking

    /// Returns a seat's answer to a decision if it is known already: recorded, imagined, or the only option. Returns `None` if the seat
    /// must be asked first.
    pub(crate) fn ask(&mut self, decision: &Decision) -> Answer<Option<Choice>> {
        self.permissions.check_may_ask()?;
        if let Some(choice) = self.imagined_answer(decision) {
            self.refuel();
            self.record_answer(decision.seat, decision.id, Some(&choice), false);
            return Ok(Some(choice));
        }
        let Some(given) = self.answers.take_replayed(decision.seat, decision.id) else { return self.ask_now(decision) };
        self.refuel();
        let chosen = given.choice.as_ref().and_then(|choice| self.equivalent_option(decision, choice));
        self.record_answer(decision.seat, decision.id, chosen.as_ref(), given.is_public);
        match chosen {
            Some(choice) => Ok(Some(choice)),
            None => Err(self.stop(Stop::NotOffered)),
        }
    }

    /// Returns the option at this table that corresponds to `choice`, which was chosen at another table. This is the same option, or one
    /// that looks the same to the seat.
    ///
    /// Only one of several indistinguishable pieces is offered as an option, and an imagined world may offer a different one of them. If
    /// the imagining seat has learned since then which face was chosen, an option with this face is returned, whichever piece in the same
    /// place has it.
    fn equivalent_option(&self, decision: &Decision, choice: &Choice) -> Option<Choice> {
        let faces = self.answers.chosen_faces(decision.seat);
        if !faces.is_empty() && !self.names_faces(choice, choice, &faces) {
            let mut options = (0..decision.count()).map(|at| decision.option(at));
            if let Some(option) = options.find(|option| self.names_faces(option, choice, &faces)) {
                return Some(option);
            }
        }
        if decision.position(choice).is_some() {
            return Some(choice.clone());
        }
        let code = |choice: &Choice| choice.code(&self.table, decision.seat);
        decision.options.position_like(choice, &code).map(|at| decision.options.get(at))
    }

    /// Returns whether `option` corresponds to `chosen`, an option of another table where the chosen pieces had the given faces.
    fn names_faces(&self, option: &Choice, chosen: &Choice, faces: &[ChosenFace]) -> bool {
        match (option, chosen) {
            (Choice::Piece(one), Choice::Piece(other)) => match faces.iter().find(|(piece, _)| piece == other) {
                Some((_, face)) => {
                    self.table.space_of(*one) == self.table.space_of(*other) && self.table.has_face(*one, *face)
                }
                None => one == other,
            },
            (Choice::Parts(one), Choice::Parts(other)) => {
                one.len() == other.len()
                    && one
                        .iter()
                        .zip(&**other)
                        .all(|((name, one), (known, other))| name == known && self.names_faces(one, other, faces))
            }
            (Choice::Many(one), Choice::Many(other)) => {
                one.len() == other.len()
                    && one.iter().zip(&**other).all(|(one, other)| self.names_faces(one, other, faces))
            }
            _ => option == chosen,
        }
    }

    /// Returns the answer of another seat in an imagined world if the imagining seat does not know the real answer. Returns `None` if the
    /// answer has to be replayed or asked.
    ///
    /// A secret decision is answered at random. In a public decision that may be passed, the seat must have passed, since any other answer
    /// would have been announced.
    fn imagined_answer(&mut self, decision: &Decision) -> Option<Choice> {
        let round = self.permissions.open_round();
        let State { table, answers, .. } = &mut *self.state;
        let imagining = answers.rerun.as_mut()?.imagining.as_mut()?;
        let is_open = answers.replay.is_empty() && (decision.seat, decision.id) == imagining.asked;
        let is_together = round.is_some() && imagining.together == round;
        if decision.seat == imagining.seat || is_open || is_together {
            return None;
        }
        if table.model().decisions[decision.id.index()].is_secret {
            return Some(decision.option(decision.draw(&mut imagining.chance)));
        }
        let is_asked =
            answers.replay.front().is_some_and(|next| (next.seat, next.decision) == (decision.seat, decision.id));
        (!is_asked && decision.pass == Some(Pass::Pass)).then_some(Choice::Nothing)
    }

    /// Takes a seat's answer to a decision from the replay and records it again. Returns `None` if the next answer in the replay, if any,
    /// belongs to another decision. The inner `None` means that the seat had no options.
    fn replay_answer(&mut self, seat: Seat, decision: DecisionId) -> Option<Option<Choice>> {
        let next = self.answers.take_replayed(seat, decision)?;
        self.refuel();
        self.record_answer(seat, decision, next.choice.as_ref(), next.is_public);
        Some(next.choice)
    }

    /// Handles a decision without a recorded answer. Returns `None` if the seat must be asked. Chooses a single option without asking,
    /// unless the seat is always asked or this is the open decision of the seat that imagines the world.
    fn ask_now(&mut self, decision: &Decision) -> Answer<Option<Choice>> {
        part_types::check(&self.state.table, decision)?;
        // If a decision consists of several picks, only the first pick reveals whether the seat was asked at all.
        let is_always = decision.picked.is_empty() && self.table.model().decisions[decision.id.index()].is_always;
        if decision.count() == 1 && !is_always && !self.answers.is_at_open(decision.seat, decision.id) {
            self.answers.forced += u64::from(!self.answers.is_rerunning());
            return Ok(Some(self.record_choice(decision, 0)));
        }
        self.steps_unasked = 0;
        // The replay ends at the first decision without a recorded answer. From here on, the game continues with its
        // own randomness.
        if let Some(rerun) = self.answers.rerun.take() {
            self.table.chance = rerun.chance_after;
        }
        Ok(None)
    }

    /// Records the choice of the option at index `at`, and returns it.
    pub(crate) fn record_choice(&mut self, decision: &Decision, at: usize) -> Choice {
        let choice = decision.option(at);
        let is_public = !self.table.model().decisions[decision.id.index()].is_secret;
        self.record_answer(decision.seat, decision.id, Some(&choice), is_public);
        choice
    }

    /// Records that a seat has no options. Stops the step with [`Stop::NotOffered`] if the seat chose an option in the recorded game, or if
    /// this is the open decision of the seat that imagines the world.
    pub(crate) fn record_no_options(&mut self, seat: Seat, decision: DecisionId) -> Answer<()> {
        let imagining = self.answers.rerun.as_ref().and_then(|rerun| rerun.imagining.as_ref());
        let is_anothers = imagining.is_some_and(|imagining| imagining.seat != seat);
        match if is_anothers { None } else { self.replay_answer(seat, decision) } {
            Some(Some(_)) => Err(self.stop(Stop::NotOffered)),
            Some(None) => Ok(()),
            None if self.answers.is_at_open(seat, decision) => {
                self.answers.set_has_nothing();
                Err(self.stop(Stop::NotOffered))
            }
            None => {
                self.record_answer(seat, decision, None, false);
                Ok(())
            }
        }
    }

    fn record_answer(&mut self, seat: Seat, decision: DecisionId, choice: Option<&Choice>, is_public: bool) {
        if self.answers.is_playout {
            return;
        }
        let choice = choice.cloned();
        let pending = self.permissions.together.is_some();
        self.answers.given.push(StepAnswer { seat, decision, choice, pending, is_public });
    }
}

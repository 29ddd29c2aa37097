//! The execution context of rules: the game that they run in, and what the run has done.

#![allow(clippy::inline_always, reason = "each call of the rules goes through it")]

pub(crate) mod fact_table;
pub(crate) mod facts;
pub(crate) mod fault;
pub(crate) mod journal;
pub(crate) mod names;
mod part_types;
pub(crate) mod permissions;
pub(crate) mod plain;
pub(crate) mod state;
pub(crate) mod stored;
pub(crate) mod tallies;
pub(crate) mod triggers;

use crate::decision::{Choice, ChosenFace, Decision, EventKind, Given, Pass};
use crate::library::entry::kept::KeptFunction;
use crate::model::{DecisionId, PieceId, Seat};
use crate::table::{Layout, SeatSet, Table};
use fact_table::FactTable;
use fault::{Answer, Failure, Fault};
use state::State;
use std::cell::Cell;
use std::ops::{Deref, DerefMut};

/// How much a script may do between two decisions, in operations.
pub const OPERATION_BUDGET: u64 = 1_000_000;

/// So many things are looked through in the time of one operation.
pub(crate) const THINGS: usize = 16;

/// So many pieces are iterated in the time of one operation, to tell how one of them looks.
const LOOKED: usize = 64;

/// How many operations an event counts as.
const NOTED: usize = 24;

/// That something was read which a seat does not know: rules that run so are never shown it.
pub(crate) const UNKNOWN_READ: &str = "unknown-read";

/// Why a step stopped before its end, but for a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// More operations than a step may take.
    Budget,
    /// A logged choice is not offered in this world.
    NotOffered,
    /// The script ended the game.
    Ended,
}

/// What rules run in: natives are given it, and the values that they are called with.
pub(crate) struct Context<'a> {
    /// The game in progress.
    pub(crate) state: &'a mut State,
    /// The facts of the game, by name.
    facts: &'a FactTable,
    /// What was done since the machine last asked, in operations.
    pub(crate) work: Cell<u64>,
    /// Whether a seat has answered since the machine last asked.
    pub(crate) is_refueled: bool,
    /// Why the step is given up, if it is.
    pub(crate) stop: Option<Stop>,
    /// The function `|…|` that the native under way was given and may keep.
    pub(crate) kept: Option<KeptFunction>,
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
    /// A game in which rules are to run.
    pub(crate) fn new(state: &'a mut State, facts: &'a FactTable) -> Self {
        Self { state, facts, work: Cell::new(0), is_refueled: false, stop: None, kept: None }
    }

    /// The facts of the game, by name.
    pub(crate) fn facts(&self) -> &'a FactTable {
        self.facts
    }

    /// Refuses a change where nothing may change, and where so much has happened that there is no room to note it.
    pub(crate) fn changing(&self) -> Answer<()> {
        self.state.permissions.changing()?;
        self.state.journal.check_room()
    }

    /// Refuses to go on where something was read that a seat does not know, if that is asked for.
    #[inline(always)]
    pub(crate) fn check_known(&self) -> Answer<()> {
        self.permissions.only_known_to.map_or(Ok(()), |seat| self.check_known_to(seat))
    }

    #[cold]
    fn check_known_to(&self, seat: Seat) -> Answer<()> {
        if self.table.is_read_as_known(seat) {
            return Ok(());
        }
        Err(Fault::new(UNKNOWN_READ, "something hidden is looked at here", "is hidden").into())
    }

    /// Counts work: the run is stopped at its next operation if it was too much.
    pub(crate) fn charge(&self, operations: usize) {
        self.work.set(self.work.get().saturating_add(operations as u64));
    }

    /// Counts work that is stopped at once if it is too much.
    pub(crate) fn spend(&mut self, operations: usize) -> Answer<()> {
        self.charge(operations);
        if self.work.get() <= OPERATION_BUDGET { Ok(()) } else { Err(self.stop(Stop::Budget)) }
    }

    /// Notes an event for everybody, which counts as work whether it is noted or not: what a step notes takes memory.
    pub(crate) fn note(&mut self, what: impl FnOnce(&Table) -> EventKind) {
        self.charge(NOTED);
        self.state.note(what);
    }

    /// The same for some seats.
    pub(crate) fn note_to(&mut self, to: SeatSet, what: impl FnOnce(&Table) -> EventKind) {
        self.charge(NOTED);
        self.state.note_to(to, what);
    }

    /// Counts as work that an event tells how a piece looks, whether it is noted or not: all that lies with it is iterated.
    pub(crate) fn charge_look(&self, piece: PieceId) {
        self.charge(self.table.height(self.table.space_of(piece)) / LOOKED);
    }

    /// The same, where there may be more of them before the script goes on.
    pub(crate) fn spend_look(&mut self, piece: PieceId) -> Answer<()> {
        self.charge_look(piece);
        self.spend(0)
    }

    /// A lot that the seat which imagines this step was not shown falls anew in the world it imagines: one of so many.
    pub(crate) fn imagined_draw(&mut self, seats: SeatSet, among: usize) -> Option<usize> {
        self.table.note_unknown_to(!seats);
        let imagining = self.answers.rerun.as_mut()?.imagining.as_mut()?;
        (seats & Layout::only(imagining.seat) == 0).then(|| imagining.chance.below(among as u32) as usize)
    }

    /// Gives the step up.
    pub(crate) fn stop(&mut self, why: Stop) -> Box<Failure> {
        self.stop = self.stop.or(Some(why));
        Box::new(Failure::Stopped)
    }

    /// From here on the rules may do as much again: they have been answered.
    fn refuel(&mut self) {
        self.work.set(0);
        self.is_refueled = true;
    }

    // ----- asking

    /// Puts a decision to a seat: the answer, if it need not be waited for.
    pub(crate) fn ask(&mut self, decision: &Decision) -> Answer<Option<Choice>> {
        self.permissions.asking()?;
        if let Some(choice) = self.at_random(decision) {
            self.refuel();
            self.give(decision.seat, decision.id, Some(&choice), false);
            return Ok(Some(choice));
        }
        let Some(given) = self.answers.take_replayed(decision.seat, decision.id) else { return self.put(decision) };
        self.refuel();
        let chosen = given.choice.as_ref().and_then(|choice| self.option_like(decision, choice));
        self.give(decision.seat, decision.id, chosen.as_ref(), given.is_public);
        match chosen {
            Some(choice) => Ok(Some(choice)),
            None => Err(self.stop(Stop::NotOffered)),
        }
    }

    /// Returns the option that a seat would choose where it chose `choice` at another table: the same one, or one that looks the same to it.
    ///
    /// Only one of several indistinguishable pieces is offered as an option. An imagined world may offer a different one of them. If the seat
    /// that imagines the world knows by now which face was chosen, that face is chosen there, on whatever piece of the same place it lies.
    fn option_like(&self, decision: &Decision, choice: &Choice) -> Option<Choice> {
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

    /// Whether an option is what was chosen at another table, where the pieces that were chosen there have these faces.
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

    /// What another seat answers to a decision of which the seat that imagines the step knows nothing: at random where it is
    /// secret; where it is not, nothing, because anything else would have been told.
    fn at_random(&mut self, decision: &Decision) -> Option<Choice> {
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

    /// The answer that a step was given before, if it is being run again: what was chosen, or that there was nothing to choose.
    fn replayed(&mut self, seat: Seat, decision: DecisionId) -> Option<Option<Choice>> {
        let next = self.answers.take_replayed(seat, decision)?;
        self.refuel();
        self.give(seat, decision, next.choice.as_ref(), next.is_public);
        Some(next.choice)
    }

    /// Puts a decision that has not been answered yet: one with a single option is answered by that.
    fn put(&mut self, decision: &Decision) -> Answer<Option<Choice>> {
        part_types::check(&self.state.table, decision)?;
        // Of several picks the first alone tells whether the seat is asked.
        let is_always = decision.picked.is_empty() && self.table.model().decisions[decision.id.index()].is_always;
        if decision.count() == 1 && !is_always && !self.answers.is_at_open(decision.seat, decision.id) {
            self.answers.forced += u64::from(!self.answers.is_rerunning());
            return Ok(Some(self.taken(decision, 0)));
        }
        self.steps_unasked = 0;
        if let Some(rerun) = self.answers.rerun.take() {
            self.table.chance = rerun.chance_after;
        }
        Ok(None)
    }

    /// The option at a position, which has been chosen.
    pub(crate) fn taken(&mut self, decision: &Decision, at: usize) -> Choice {
        let choice = decision.option(at);
        let is_public = !self.table.model().decisions[decision.id.index()].is_secret;
        self.give(decision.seat, decision.id, Some(&choice), is_public);
        choice
    }

    /// Notes that a seat had nothing to choose from.
    pub(crate) fn nothing_to_choose(&mut self, seat: Seat, decision: DecisionId) -> Answer<()> {
        let imagining = self.answers.rerun.as_ref().and_then(|rerun| rerun.imagining.as_ref());
        let is_anothers = imagining.is_some_and(|imagining| imagining.seat != seat);
        match if is_anothers { None } else { self.replayed(seat, decision) } {
            Some(Some(_)) => Err(self.stop(Stop::NotOffered)),
            Some(None) => Ok(()),
            None if self.answers.is_at_open(seat, decision) => {
                self.answers.set_has_nothing();
                Err(self.stop(Stop::NotOffered))
            }
            None => {
                self.give(seat, decision, None, false);
                Ok(())
            }
        }
    }

    fn give(&mut self, seat: Seat, decision: DecisionId, choice: Option<&Choice>, is_public: bool) {
        if self.answers.is_passing {
            return;
        }
        let choice = choice.cloned();
        let pending = self.permissions.together.is_some();
        self.answers.given.push(Given { seat, decision, choice, pending, is_public });
    }
}

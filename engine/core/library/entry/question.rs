//! Questions that library functions ask seats. A pending question is plain data, so that it can be copied while a seat thinks.

use super::argument::Handle;
use super::reply::{PendingQuestion, Reply, Then};
use crate::decision::{
    About, AnswerSpace, Choice, Copies, Decision, EventKind, OptionSet, Ordering, Pass, RecordedAnswer, Subset, Type,
    Value, appearances_among, group_equivalent, offered_pieces,
};
use crate::library::context::Context;
use crate::library::context::fault::Answer;
use crate::model::{ComponentId, DecisionId, PieceId, Seat, SpaceId, ZoneId};
use crate::table::{Layout, Table};
use std::iter;

/// A decision for a seat, with the facts that its question mentions.
pub(crate) struct Question {
    pub seat: Seat,
    pub id: DecisionId,
    pub about: About,
}

/// Candidates of a decision with several picks.
pub(crate) struct Candidates {
    pub things: Vec<Choice>,
    /// Type of the collection in which the picks are returned.
    pub several: Type,
}

impl PendingQuestion {
    /// Asks a seat to choose one option.
    pub(crate) fn ask_one(ctx: &mut Context<'_>, decision: Decision) -> Answer<Reply> {
        Self { decision, then: Then::One, several: Type::List }.ask(ctx)
    }

    /// Asks a seat to pick between `min` and `max` of `things`, one after another. Indistinguishable things are offered
    /// as a single option.
    pub(crate) fn ask_some(
        ctx: &mut Context<'_>,
        question: Question,
        candidates: Candidates,
        min: usize,
        max: usize,
    ) -> Answer<Reply> {
        let (Question { seat, id, about }, Candidates { things, several }) = (question, candidates);
        let (among, ends) = group_indistinguishable(ctx, seat, things);
        let answers = AnswerSpace::Subset(Subset::new(among.len(), (min, max), ends.into()));
        let (picks, among) = (Some((min as u32, max as u32)), among.into());
        let decision = Decision { picks, among, about, answers, ..Decision::single(seat, id, nothing(), None) };
        Self { decision, then: Then::Some, several }.ask_next_pick(ctx)
    }

    /// Asks a seat to put `things` in order, from first to last.
    pub(crate) fn ask_order(ctx: &mut Context<'_>, question: Question, candidates: Candidates) -> Answer<Reply> {
        let (Question { seat, id, about }, Candidates { things, several }) = (question, candidates);
        let (left, ends) = group_indistinguishable(ctx, seat, things);
        let all = left.len() as u32;
        let counts: Vec<u32> = if ends.is_empty() {
            vec![1; left.len()]
        } else {
            iter::once(&0).chain(&ends).zip(&ends).map(|(begin, end)| end - begin).collect()
        };
        let answers = AnswerSpace::Order(Ordering::new(counts.into_iter()));
        let decision =
            Decision { picks: Some((all, all)), about, answers, ..Decision::single(seat, id, nothing(), None) };
        Self { decision, then: Then::Order { left }, several }.ask_next_pick(ctx)
    }

    /// Returns the decision.
    pub(crate) fn decision(&self) -> &Decision {
        &self.decision
    }

    /// Answers the question with the option at index `at`, and continues the library function.
    pub(crate) fn resume(self, ctx: &mut Context<'_>, at: usize) -> Answer<Reply> {
        let choice = ctx.record_choice(&self.decision, at);
        self.accept(ctx, choice)
    }

    /// Asks the question. If the answer is already known, continues immediately.
    fn ask(self, ctx: &mut Context<'_>) -> Answer<Reply> {
        ctx.journal.check_room()?;
        ctx.table.look_away(Some(self.decision.seat));
        match ctx.ask(&self.decision)? {
            Some(choice) => self.accept(ctx, choice),
            None => Ok(Reply::Question(Box::new(self))),
        }
    }

    fn accept(mut self, ctx: &mut Context<'_>, choice: Choice) -> Answer<Reply> {
        let Decision { id, pass, options, answers, .. } = &mut self.decision;
        let is_declined = pass.is_some() && choice == Choice::Nothing;
        match (&mut self.then, answers) {
            (Then::One, _) => {
                let offered = options.len() + usize::from(pass.is_some());
                // If the seat is always asked, declining reveals nothing, so the answer need not be private.
                let is_always = ctx.table.model().decisions[id.index()].is_always;
                let is_private = is_declined && !is_always && !has_public_option(&ctx.table, options);
                conclude(ctx, &self.decision, &choice, offered, is_private);
                return Ok(choice.to_value().into());
            }
            _ if is_declined => return Ok(self.finish(ctx).into()),
            (Then::Some, AnswerSpace::Subset(subset)) => {
                let at = options.position(&choice).unwrap_or_default();
                subset.pick(at);
            }
            (Then::Order { left }, AnswerSpace::Order(order)) => {
                let at = options.position(&choice).unwrap_or_default();
                left.remove(order.start_of(at));
                order.pick(at);
            }
            _ => {}
        }
        self.decision.picked.push(choice);
        self.ask_next_pick(ctx)
    }

    /// Asks for the next pick. Finishes if nothing is left to pick.
    fn ask_next_pick(mut self, ctx: &mut Context<'_>) -> Answer<Reply> {
        let picked = self.decision.picked.len();
        // Only the first of several indistinguishable things is offered.
        let (left, pass): (Vec<Choice>, Option<Pass>) = match (&self.then, &self.decision.answers) {
            (Then::Some, AnswerSpace::Subset(subset)) => {
                let is_enough = self.decision.picks.is_some_and(|(min, _)| picked >= min as usize);
                let all = &self.decision.among;
                (subset.offered().map(|at| all[at].clone()).collect(), is_enough.then_some(Pass::Done))
            }
            (Then::Order { left }, AnswerSpace::Order(order)) => {
                (order.starts().map(|at| left[at].clone()).collect(), None)
            }
            _ => (Vec::new(), None),
        };
        let is_always = picked == 0 && ctx.table.model().decisions[self.decision.id.index()].is_always;
        if left.is_empty() && !is_always {
            return Ok(self.finish(ctx).into());
        }
        let pass = if left.is_empty() { Some(Pass::Done) } else { pass };
        self.decision.options = OptionSet::List(left.into());
        self.decision.pass = pass;
        self.ask(ctx)
    }

    /// Records the answer and returns the picked things.
    fn finish(&self, ctx: &mut Context<'_>) -> Value {
        let Decision { picked, among, .. } = &self.decision;
        let offered = if let Then::Order { .. } = self.then { picked.len() } else { among.len() };
        let choice = Choice::Many(picked.clone().into());
        conclude(ctx, &self.decision, &choice, offered, false);
        let things = || picked.iter().map(Choice::to_value);
        match self.several {
            Type::Seats => to_collection::<Seat>(things()),
            Type::Zones => to_collection::<ZoneId>(things()),
            Type::Spaces => to_collection::<SpaceId>(things()),
            Type::Components => to_collection::<ComponentId>(things()),
            Type::Pieces => to_collection::<PieceId>(things()),
            _ => choice.to_value(),
        }
    }
}

/// Converts `things` to a collection of `T`. Skips values of other types.
fn to_collection<T: Handle>(things: impl Iterator<Item = Value>) -> Value {
    T::several(things.filter_map(|mut thing| T::take(&mut thing)).collect())
}

/// Reorders `things` so that things that look alike to the seat are adjacent. Also returns the end index of each group, or an empty list if
/// no two things look alike.
fn group_indistinguishable(ctx: &mut Context<'_>, seat: Seat, things: Vec<Choice>) -> (Vec<Choice>, Vec<u32>) {
    ctx.table.look_away(Some(seat));
    group_equivalent(&ctx.table, seat, things)
}

fn nothing() -> (OptionSet, Copies) {
    (OptionSet::none(), Copies::One)
}

/// Returns whether every seat can tell that at least one of the options exists, because all seats know the pieces in that option.
///
/// If there is no such option, declining reveals that the seat has options, since a seat without options is not asked.
fn has_public_option(table: &Table, options: &OptionSet) -> bool {
    match options {
        OptionSet::Union(sets) => sets.iter().any(|set| has_public_option(table, set)),
        OptionSet::Product(parts) => parts.iter().all(|(_, part)| has_public_option(table, part)),
        OptionSet::Numbers(..) => !options.is_empty(),
        listed => listed.iter().any(|option| {
            let mut is_open = true;
            option.each_piece(|piece| is_open &= table.knowers(piece) == table.layout().everybody);
            is_open
        }),
    }
}

/// Records an answer in the answer log and as an event.
fn conclude(ctx: &mut Context<'_>, decision: &Decision, choice: &Choice, offered: usize, is_private: bool) {
    let (seat, id) = (decision.seat, decision.id);
    // A replayed answer was recorded when it was first given.
    if ctx.answers.is_rerunning() {
        return;
    }
    let last = ctx.answers.given.len().wrapping_sub(1);
    if is_private && let Some(given) = ctx.answers.given.get_mut(last) {
        given.is_public = false;
    }
    ctx.journal.weight += choice.weight();
    choice.each_piece(|piece| ctx.charge_look(piece));
    ctx.observe(|observer| observer.answered(id, offered));
    if ctx.journal.is_kept {
        ctx.answers.chosen.push(RecordedAnswer {
            seat,
            decision: id,
            choice: choice.clone(),
            offered: u32::try_from(offered).unwrap_or(u32::MAX),
        });
    }
    let secret = is_private || ctx.table.model().decisions[id.index()].is_secret;
    let waits = ctx.permissions.together.is_some();
    let to = if secret || waits { Layout::only(seat) } else { ctx.table.layout().everybody };
    ctx.note_to(to, |table| EventKind::Chose {
        seat,
        decision: id,
        choice: choice.clone(),
        appearances: {
            let offered = if choice.has_piece() { offered_pieces(decision) } else { Vec::new() };
            appearances_among(table, choice, &offered).into()
        },
    });
    // `State::publish` shows the answer to everybody once all seats have answered.
    if waits && !secret && ctx.is_noting() {
        let at = ctx.journal.events.len() - 1;
        ctx.journal.pending.push(at);
    }
}

//! What a call of a function results in: a value, or a question that it puts to a seat first, with how the function goes on
//! with the answer: plain data, that can be kept and copied while the seat thinks.

use super::argument::Handle;
use super::reply::{PendingQuestion, Reply, Then};
use crate::decision::{
    About, Choice, Chosen, Decision, EventKind, OptionSet, Pass, Type, Value, folded, looks_among, offered_pieces,
};
use crate::library::context::Context;
use crate::library::context::fault::Answer;
use crate::model::{ComponentId, DecisionId, PieceId, Seat, SpaceId, ZoneId};
use crate::table::{Layout, Table};
use std::sync::Arc;

impl PendingQuestion {
    /// Asks for one thing.
    pub(crate) fn one(ctx: &mut Context<'_>, decision: Decision) -> Answer<Reply> {
        Self { decision, then: Then::One, several: Type::List }.put(ctx)
    }

    /// Asks for so many of some things, one by one in their order.
    pub(crate) fn some(
        ctx: &mut Context<'_>,
        (seat, id, about): (Seat, DecisionId, About),
        (among, several): (Arc<[Choice]>, Type),
        (min, max): (usize, usize),
    ) -> Answer<Reply> {
        let picks = Some((min as u32, max as u32));
        let none = OptionSet::List(Arc::default());
        let decision = Decision { picks, among, about, ..Decision::single(seat, id, none, None) };
        Self { decision, then: Then::Some { min, max, from: 0 }, several }.pick(ctx)
    }

    /// Asks for an order of some things, first to last.
    pub(crate) fn order(
        ctx: &mut Context<'_>,
        (seat, id, about): (Seat, DecisionId, About),
        (left, several): (Vec<Choice>, Type),
    ) -> Answer<Reply> {
        let all = left.len() as u32;
        let (picks, none) = (Some((all, all)), OptionSet::List(Arc::default()));
        let decision = Decision { picks, about, ..Decision::single(seat, id, none, None) };
        Self { decision, then: Then::Order { left }, several }.pick(ctx)
    }

    /// What is asked.
    pub(crate) fn decision(&self) -> &Decision {
        &self.decision
    }

    /// Goes on with the option at a position, which has been chosen.
    pub(crate) fn answered(self, ctx: &mut Context<'_>, at: usize) -> Answer<Reply> {
        let choice = ctx.taken(&self.decision, at);
        self.take(ctx, choice)
    }

    /// Asks, and goes on where nobody has to be waited for.
    fn put(self, ctx: &mut Context<'_>) -> Answer<Reply> {
        ctx.journal.check_room()?;
        ctx.table.look_away(Some(self.decision.seat));
        match ctx.ask(&self.decision)? {
            Some(choice) => self.take(ctx, choice),
            None => Ok(Reply::Question(Box::new(self))),
        }
    }

    fn take(mut self, ctx: &mut Context<'_>, choice: Choice) -> Answer<Reply> {
        let Decision { id, pass, among, .. } = &self.decision;
        match &mut self.then {
            Then::One => {
                let (options, offered) = (&self.decision.options, self.decision.count());
                let declined = pass.is_some() && choice == Choice::Nothing;
                let is_open = |option: Choice| is_open(&ctx.table, &option);
                // A seat that is asked in any case tells nothing by declining.
                let is_always = ctx.table.model().decisions[id.index()].is_always;
                let is_private = declined && !is_always && !options.iter().any(is_open);
                conclude(ctx, &self.decision, &choice, offered, is_private);
                return Ok(choice.to_value().into());
            }
            Then::Some { .. } | Then::Order { .. } if pass.is_some() && choice == Choice::Nothing => {
                return Ok(self.done(ctx).into());
            }
            Then::Some { min, from, .. } => {
                let needed = min.saturating_sub(self.decision.picked.len() + 1);
                let left = &among[*from..among.len() - needed];
                *from += left.iter().position(|one| *one == choice).unwrap_or(0) + 1;
            }
            Then::Order { left } => {
                left.iter().position(|one| *one == choice).map(|at| left.remove(at));
            }
        }
        self.decision.picked.push(choice);
        self.pick(ctx)
    }

    /// Asks for the next of several things, if there is one to be picked.
    fn pick(mut self, ctx: &mut Context<'_>) -> Answer<Reply> {
        let (seat, picked) = (self.decision.seat, self.decision.picked.len());
        let (left, pass): (&[Choice], Option<Pass>) = match &self.then {
            Then::Some { min, max, from } if picked < *max => {
                let needed = min.saturating_sub(picked + 1);
                let all = &self.decision.among;
                (&all[*from..all.len() - needed], (picked >= *min).then_some(Pass::Done))
            }
            Then::Order { left } => (left, None),
            _ => (&[], None),
        };
        let is_always = picked == 0 && ctx.table.model().decisions[self.decision.id.index()].is_always;
        if left.is_empty() && !is_always {
            return Ok(self.done(ctx).into());
        }
        let pass = if left.is_empty() { Some(Pass::Done) } else { pass };
        // Alike ones are offered once.
        self.decision.options = folded(&ctx.table, seat, OptionSet::List(left.into()));
        self.decision.pass = pass;
        self.put(ctx)
    }

    /// All that was picked.
    fn done(&self, ctx: &mut Context<'_>) -> Value {
        let Decision { picked, among, .. } = &self.decision;
        let offered = if let Then::Order { .. } = self.then { picked.len() } else { among.len() };
        let choice = Choice::Many(picked.clone().into());
        conclude(ctx, &self.decision, &choice, offered, false);
        let things = || picked.iter().map(Choice::to_value);
        match self.several {
            Type::Seats => gathered::<Seat>(things()),
            Type::Zones => gathered::<ZoneId>(things()),
            Type::Spaces => gathered::<SpaceId>(things()),
            Type::Components => gathered::<ComponentId>(things()),
            Type::Pieces => gathered::<PieceId>(things()),
            _ => choice.to_value(),
        }
    }
}

/// Things of one type as several of them.
fn gathered<T: Handle>(things: impl Iterator<Item = Value>) -> Value {
    T::several(things.filter_map(|mut thing| T::take(&mut thing)).collect())
}

/// Whether every seat can tell that an option is there: all know every piece that it names. That a seat declines other options
/// tells that it has them, since a seat without options is not asked.
fn is_open(table: &Table, option: &Choice) -> bool {
    let mut is_open = true;
    option.each_piece(|piece| is_open &= table.knowers(piece) == table.layout().everybody);
    is_open
}

/// Keeps an answer in the log.
fn conclude(ctx: &mut Context<'_>, decision: &Decision, choice: &Choice, offered: usize, is_private: bool) {
    let (seat, id) = (decision.seat, decision.id);
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
        ctx.answers.chosen.push(Chosen { seat, decision: id, choice: choice.clone(), offered: offered as u32 });
    }
    let secret = is_private || ctx.table.model().decisions[id.index()].is_secret;
    let waits = ctx.permissions.together.is_some();
    let to = if secret || waits { Layout::only(seat) } else { ctx.table.layout().everybody };
    if waits && !secret && ctx.is_noting() {
        let at = ctx.journal.events.len();
        ctx.journal.pending.push(at);
    }
    ctx.note_to(to, |table| EventKind::Chose {
        seat,
        decision: id,
        choice: choice.clone(),
        looks: {
            let offered = if choice.has_piece() { offered_pieces(decision) } else { Vec::new() };
            looks_among(table, choice, &offered).into()
        },
    });
}

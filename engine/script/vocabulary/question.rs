//! A question that a word puts to a seat, and how the word goes on with the answer: plain data, that can be kept and copied
//! while the seat thinks.

use super::super::fault::Answer;
use super::super::stage::{self, Chosen, Stage};
use super::book::{Reply, with};
use crate::decision::{Choice, Decision, Happening, OptionSet, Pass, Value, folded, looks};
use crate::model::{DecisionId, Seat};
use crate::table::{Layout, Table};
use std::sync::Arc;

/// A word that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    decision: Decision,
    then: Then,
}

/// What a word does with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Then {
    /// It is the result.
    One,
    /// It is one of several that are picked in their order, from a position on.
    Some { min: usize, max: usize, from: usize },
    /// It is the next of all of them.
    Order { left: Vec<Choice> },
}

impl Question {
    /// Asks for one thing.
    pub(super) fn one(decision: Decision) -> Answer<Reply> {
        Self { decision, then: Then::One }.put()
    }

    /// Asks for so many of some things, one by one in their order.
    pub(super) fn some(seat: Seat, id: DecisionId, among: Arc<[Choice]>, (min, max): (usize, usize)) -> Answer<Reply> {
        let picks = Some((min as u32, max as u32));
        let decision = Decision { picks, among, ..Decision::single(seat, id, OptionSet::List(Arc::default()), None) };
        Self { decision, then: Then::Some { min, max, from: 0 } }.pick()
    }

    /// Asks for an order of some things, first to last.
    pub(super) fn order(seat: Seat, id: DecisionId, left: Vec<Choice>) -> Answer<Reply> {
        let all = left.len() as u32;
        let decision =
            Decision { picks: Some((all, all)), ..Decision::single(seat, id, OptionSet::List(Arc::default()), None) };
        Self { decision, then: Then::Order { left } }.pick()
    }

    /// What is asked.
    pub(crate) fn decision(&self) -> &Decision {
        &self.decision
    }

    /// Goes on with the answer that lies on the stage.
    pub(crate) fn answered(self) -> Answer<Reply> {
        let choice = stage::answer_of(&self.decision)?;
        self.take(choice)
    }

    /// Asks, and goes on where nobody has to be waited for.
    fn put(self) -> Answer<Reply> {
        match stage::ask(&self.decision)? {
            Some(choice) => self.take(choice),
            None => Ok(Reply::Question(Box::new(self))),
        }
    }

    fn take(mut self, choice: Choice) -> Answer<Reply> {
        let Decision { seat, id, pass, among, .. } = &self.decision;
        match &mut self.then {
            Then::One => {
                let (options, offered) = (&self.decision.options, self.decision.count());
                let declined = pass.is_some() && choice == Choice::Nothing;
                with(|stage| {
                    let is_open = |option: Choice| is_open(&stage.table, &option);
                    let is_private = declined && !options.iter().any(is_open);
                    conclude(stage, *seat, *id, &choice, offered, is_private);
                });
                return Ok(choice.to_value().into());
            }
            Then::Some { .. } if pass.is_some() && choice == Choice::Nothing => return Ok(self.done().into()),
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
        self.pick()
    }

    /// Asks for the next of several things, if there is one to be picked.
    fn pick(mut self) -> Answer<Reply> {
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
        if left.is_empty() {
            return Ok(self.done().into());
        }
        // Alike ones are offered once.
        self.decision.options = with(|stage| folded(&stage.table, seat, OptionSet::List(left.into())));
        self.decision.pass = pass;
        self.put()
    }

    /// All that was picked.
    fn done(&self) -> Value {
        let Decision { seat, id, picked, among, .. } = &self.decision;
        let offered = if let Then::Order { .. } = self.then { picked.len() } else { among.len() };
        let choice = Choice::Many(picked.clone().into());
        with(|stage| conclude(stage, *seat, *id, &choice, offered, false));
        choice.to_value()
    }
}

/// Whether everybody can tell that an option is there: it names no piece that somebody does not know. That a seat declines
/// others tells that it has them, since without options nobody is asked.
fn is_open(table: &Table, option: &Choice) -> bool {
    let mut is_open = true;
    option.each_piece(|piece| is_open &= table.knowers(piece) == table.layout().everybody);
    is_open
}

/// Keeps an answer in the log.
fn conclude(stage: &mut Stage, seat: Seat, id: DecisionId, choice: &Choice, offered: usize, is_private: bool) {
    if stage.rerunning {
        return;
    }
    if is_private && let Some(given) = stage.given.last_mut() {
        given.told = false;
    }
    stage.chosen.push(Chosen { seat, decision: id, choice: choice.clone(), offered: offered as u32 });
    let secret = is_private || stage.table.model().decisions[id.index()].is_secret;
    let waits = stage.together.is_some();
    let to = if secret || waits { Layout::only(seat) } else { stage.table.layout().everybody };
    if waits && !secret && stage.noting {
        stage.pending.push(stage.events.len());
    }
    stage.note_to(to, |table| Happening::Chose {
        seat,
        decision: id,
        choice: choice.clone(),
        looks: looks(table, choice).into(),
    });
}

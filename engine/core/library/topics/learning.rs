//! Functions that let seats learn facts about hidden pieces.

use super::moves::pieces_of;
use super::seats::seat_or_seats;
use crate::decision::{Choice, Value};
use crate::diagnostic::Diagnostic;
use crate::library::context::fault::{Answer, Failure, Fault};
use crate::library::context::permissions::Permissions;
use crate::library::context::plain::plain;
use crate::library::context::{OBJECTS_PER_OPERATION, Stop};
use crate::library::effect::Effects;
use crate::library::entry::argument::FunctionArgument;
use crate::library::entry::builder::RegistryBuilder;
use crate::library::entry::caller::Caller;
use crate::library::entry::stored_closure::StoredClosure;
use crate::model::PieceId;
use crate::table::{Condition, Judge, Layout, LearnedCondition, SeatSet, Table, mixed};
use std::sync::Arc;

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Learned information");
    registry.effects(Effects::CHANGES.union(Effects::KEEPS));
    registry.function(
        "learn",
        "seats:whom pieces:movable holds:piece=>flag!asks!changes|()=>flag!asks!changes",
        "Lets one or more seats learn a condition about pieces that they do not see. A condition `|piece| …` holds for each of the pieces, and a condition `|| …` for all of them together, as they lie now. The condition holds in all worlds that these seats imagine, wherever the pieces go, until all of these pieces are shuffled together. The log does not mention the condition.",
        "deck.draw(first.hand); seats.learn(first.hand, |piece| piece.kind == \"card\"); first.hand.count() // 1",
        learn,
    );
}

fn learn(caller: &mut Caller<'_, '_>, seats: Value, pieces: Value, _holds: FunctionArgument) -> Answer<()> {
    caller.check_may_change()?;
    if caller.permissions.trials > 0 {
        // In a trial, nobody learns anything, since the effects of a trial are discarded.
        return Ok(());
    }
    let seats = seat_or_seats(&seats)?.iter().fold(0, |set: SeatSet, seat| set | Layout::only(*seat));
    let mut about: Vec<PieceId> = pieces_of(caller, &pieces)?.into_vec();
    about.sort_unstable();
    about.dedup();
    // Charges the work of copying the table twice and of visiting all learned conditions once.
    let size = caller.table.all_pieces().count() + caller.table.model().slots;
    let learned = caller.table.learned_size();
    caller.spend((2 * size + learned) / OBJECTS_PER_OPERATION + about.len())?;
    let kept = match caller.take_closure() {
        Some(kept) => kept,
        None if caller.can_store_closures() => return Err(cannot_store()),
        None => return check_only(caller, &about),
    };
    let codes = captured_values(&kept)?;
    let is_each = kept.arity > 0;
    let seed = mixed(&[u64::from(kept.function), u64::from(kept.next)]);
    let lesson = caller.table.create_learned_condition(seats, &about, is_each, Arc::new(kept));
    if !is_true(caller, &lesson)? {
        return Err(condition_failed(caller));
    }
    if lesson.is_open() {
        caller.table.note_unknown_to(!seats);
    }
    let code = |table: &Table, seat| codes.iter().fold(seed, |code, value| mixed(&[code, value.code(table, seat)]));
    caller.table.learn(lesson, code);
    Ok(())
}

/// Returns the values of the variables that the condition captured.
fn captured_values(kept: &StoredClosure) -> Answer<Vec<Choice>> {
    kept.captured.iter().map(|(_, value)| plain(value)).collect()
}

/// Fallback for the script engine, which does not imagine worlds: only checks the condition.
fn check_only(caller: &mut Caller<'_, '_>, about: &[PieceId]) -> Answer<()> {
    for piece in about {
        if !caller.call_closure::<bool>(&[Value::from(*piece)])? {
            return Err(condition_failed(caller));
        }
    }
    Ok(())
}

/// Returns whether the learned condition is true. Fails if the condition reads hidden facts other than the faces of the pieces that it is
/// about.
fn is_true(caller: &mut Caller<'_, '_>, lesson: &LearnedCondition) -> Answer<bool> {
    let mut judge = ClosureJudge { caller, failure: None };
    let answer = lesson.is_true(&mut judge);
    if let Some(failure) = judge.failure {
        return Err(failure);
    }
    answer.map_err(|found| {
        let note = found.marks.first().map_or_else(String::new, |mark| mark.note.clone());
        Fault::new("learned-of-others", found.message.clone(), note).maybe_help(found.help.clone()).into()
    })
}

/// Judge that evaluates the closure of the current call on other tables.
struct ClosureJudge<'s, 'c, 'a> {
    caller: &'s mut Caller<'c, 'a>,
    failure: Option<Box<Failure>>,
}

impl Judge for ClosureJudge<'_, '_, '_> {
    fn holds(&mut self, _: &dyn Condition, table: &mut Table, piece: Option<PieceId>) -> Result<bool, Box<Diagnostic>> {
        let arguments: Vec<Value> = piece.map(Value::from).into_iter().collect();
        std::mem::swap(&mut self.caller.table, table);
        let permissions = std::mem::replace(&mut self.caller.permissions, Permissions::read_only());
        let answer = self.caller.call_closure::<bool>(&arguments);
        self.caller.permissions = permissions;
        std::mem::swap(&mut self.caller.table, table);
        answer.map_err(|failure| {
            self.failure = Some(failure);
            Box::new(Diagnostic::error("learned-of-others", "the condition fails"))
        })
    }
}

/// Creates the failure for a condition that is false. In an imagined world, this rules out the world. On the real table, it is a mistake in
/// the rules.
#[cold]
fn condition_failed(caller: &mut Caller<'_, '_>) -> Box<Failure> {
    if caller.answers.is_rerunning() {
        return caller.stop(Stop::NotOffered);
    }
    Fault::new("learned-untrue", "what is learned here does not hold", "this would tell the players something untrue")
        .help("let seats learn what is so: look first, and write another `learn` for either case")
        .into()
}

#[cold]
fn cannot_store() -> Box<Failure> {
    Fault::new("not-kept", "`learn` cannot keep this function", "is no `|…|` in the call")
        .help("write the condition as `|piece| …` or `|| …` in the call, within a function of the rules")
        .into()
}

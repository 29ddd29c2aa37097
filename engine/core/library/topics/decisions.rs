//! Decisions of seats.

use super::seats::seats_in_play;
use crate::decision::{
    ASK_FIRST, About, Choice, Copies, Decision, MAX_LISTED, Map, OptionSet, Pass, Type, Value, dedup, dedup_handles,
    merge_equivalent,
};
use crate::diagnostic::{choice_out_of_place, sentence};
use crate::library::context::Context;
use crate::library::context::fault::{Answer, Failure, Fault};
use crate::library::context::plain::plain;
use crate::library::effect::Effects;
use crate::library::entry::argument::{AskingReply, FunctionArgument};
use crate::library::entry::builder::RegistryBuilder;
use crate::library::entry::caller::Caller;
use crate::library::entry::code::InlinedCall;
use crate::library::entry::question::{Candidates, Question};
use crate::library::entry::reply::{PendingQuestion, Reply};
use crate::library::pattern::NameRole;
use crate::library::unknown_name::unknown_quoted;
use crate::library::well_known::{IS_EMPTY, RESPOND};
use crate::model::{DecisionId, Seat};
use crate::table::{Layout, SeatSet};
use arcstr::ArcStr;
use rustc_hash::FxHashSet;
use std::iter;
use std::sync::Arc;

/// Answers of a simultaneous decision.
type Answers = Arc<Vec<(Seat, Value)>>;

/// Arguments that all decision functions have in common.
struct DecisionCall<'a> {
    seat: Seat,
    name: &'a str,
    facts: Option<&'a Map>,
}

/// Documentation of the overloads that take facts.
const ABOUT_SOMETHING: &str =
    "Like the function without `facts`; the facts fill the placeholders in the decision's `ask`.";

/// Adds a function that asks a seat, with two overloads. The second takes facts about the question.
macro_rules! asking {
    ($registry:ident, $name:ident($($given:ident: $of:ty),*), $rest:literal, $sentence:literal, [$example:literal, $about:literal]) => {
        $registry.function(
            stringify!($name),
            concat!("seat decision:decision ", $rest),
            $sentence,
            $example,
            |ctx: &mut Caller<'_, '_>, seat: Seat, name: ArcStr, $($given: $of),*| {
                $name(ctx, &DecisionCall { seat, name: &name, facts: None }, $($given),*)
            },
        );
        $registry.function(
            stringify!($name),
            concat!("seat decision:decision facts ", $rest),
            ABOUT_SOMETHING,
            $about,
            |ctx: &mut Caller<'_, '_>, seat: Seat, name: ArcStr, facts: Arc<Map>, $($given: $of),*| {
                $name(ctx, &DecisionCall { seat, name: &name, facts: Some(&facts) }, $($given),*)
            },
        );
    };
}

pub(super) fn register(registry: &mut RegistryBuilder) {
    registry.topic("Decisions");
    registry.effects(Effects::ASKS);
    asking!(
        registry,
        choose(options: Value),
        "options:choices<T>|()=>choices<T>!asks!changes -> T",
        "Asks a seat to choose one of the options. If there is only one option, it is chosen without asking. An empty list of options is a fault.",
        ["choose(seat, \"pick\", [3, 5]) in [3, 5] // true", "choose(seat, \"pick\", #{ from: seat }, [3, 5]) in [3, 5] // true"]
    );
    asking!(
        registry,
        choose_if_any(options: Value),
        "options:choices<T>|()=>choices<T>!asks!changes -> T|()",
        "Like `choose`, but returns `()` if there are no options.",
        ["choose_if_any(seat, \"pick\", []) // ()", "choose_if_any(seat, \"pick\", #{ from: seat }, []) // ()"]
    );
    asking!(
        registry,
        choose_or_pass(options: Value),
        "options:choices<T>|()=>choices<T>!asks!changes -> T|()",
        "Asks a seat to choose one of the options or to pass. Returns `()` for a pass.",
        ["choose_or_pass(seat, \"pick\", []) // ()", "choose_or_pass(seat, \"pick\", #{ from: seat }, []) // ()"]
    );
    asking!(
        registry,
        choose_number(low: i64, high: i64),
        "low high",
        "Asks a seat for a number from `low` to `high`.",
        ["choose_number(seat, \"pick\", 2, 2) // 2", "choose_number(seat, \"pick\", #{ from: seat }, 2, 2) // 2"]
    );
    asking!(
        registry,
        choose_some(options: Value, min: i64, max: i64),
        "options:choices<T>|()=>choices<T>!asks!changes min max -> picked",
        "Asks a seat to choose at least `min` and at most `max` of the options, one after the other. Returns a set if the options are seats, pieces or other things of the game, otherwise a list.",
        ["choose_some(seat, \"pick\", [3, 5], 2, 2) // [3, 5]", "choose_some(seat, \"pick\", #{ from: seat }, [3, 5], 2, 2) // [3, 5]"]
    );
    asking!(
        registry,
        choose_order(options: Value),
        "options:choices<T>|()=>choices<T>!asks!changes -> picked",
        "Asks a seat to put the options in order, from first to last. Returns them in this order: as a set if they are seats, pieces or other things of the game, otherwise as a list.",
        ["choose_order(seat, \"pick\", [4]) // [4]", "choose_order(seat, \"pick\", #{ from: seat }, [4]) // [4]"]
    );
    asking!(
        registry,
        confirm(),
        "",
        "Asks a seat a yes-or-no question.",
        [
            "confirm(seat, \"sure\") in [true, false] // true",
            "confirm(seat, \"sure\", #{ of: seat }) in [true, false] // true"
        ]
    );
    registry.function(
        RESPOND,
        "seats:whom decision:decision options:seat=>choices<T>!asks!changes|(seat,list<{seat:seat,choice:T}>)=>choices<T>!asks!changes answered:(seat,T)=>any -> list<{seat:seat,choice:T}>",
        "Lets seats respond to an action before it resolves, and to each other's responses. In order, each seat chooses one of the options that `options` returns for it, or passes; after a choice, `answered` is called with the seat and the choice, and all other seats are asked again. The exchange ends when all seats have passed in a row. Returns the responses, last one first, each with `seat` and `choice`.",
        "respond(seats, \"pick\", |seat| [], |seat, choice| seat.cash += choice).len() // 0",
        |ctx: &mut Caller<'_, '_>, _: Value, _: ArcStr, _: FunctionArgument, _: FunctionArgument| respond(ctx),
    );
    registry.mark_inlined(InlinedCall::Respond);
    registry.function(
        RESPOND,
        "seats:whom decision:decision facts options:seat=>choices<T>!asks!changes|(seat,list<{seat:seat,choice:T}>)=>choices<T>!asks!changes answered:(seat,T)=>any -> list<{seat:seat,choice:T}>",
        ABOUT_SOMETHING,
        "respond(seats, \"pick\", #{ of: seat }, |seat| [], |seat, choice| seat.cash += choice).len() // 0",
        |ctx: &mut Caller<'_, '_>, _: Value, _: ArcStr, _: Arc<Map>, _: FunctionArgument, _: FunctionArgument| respond(ctx),
    );
    registry.effects(Effects::CHANGES);
    registry.function("together", "seats:whom ask:seat=>T!changes -> answers<T>", "Asks several seats simultaneously: nobody learns an answer, or who had to answer, until all have answered. `ask` is called with each seat and must not change the table.", "together(seats, |seat| seat.number)[first] // 1", together);
    registry.mark_inlined(InlinedCall::Together);
    registry.effects(Effects::NONE);
    registry.index(
        "answers:answers<T> seat -> T",
        "The answer of a seat in a simultaneous decision.",
        "together(seats, |seat| 7)[first] // 7",
        |answers: Answers, seat: Seat| -> Answer<Value> {
            let found = answers.iter().find(|(known, _)| *known == seat).map(|(_, answer)| answer.clone());
            found.ok_or_else(|| {
                Fault::new("no-answer", "this seat was not asked", "not one of the seats asked together").into()
            })
        },
    );
    registry.function(
        "each_of",
        "parts -> product",
        "Options with named parts: every combination of one option for each part.",
        "each_of(#{ up: [1, 2], lot: [3, 4, 5] }).count() // 6",
        each_of,
    );
    registry.function(
        "pairs_of",
        "first:part second:part firsts:choices<T> seconds:T=>choices<U> -> pair",
        "Options with two named parts: each of `firsts`, combined with each option that `seconds` returns for it.",
        "pairs_of(\"low\", \"high\", [1, 2], |low| [low + 1]).count() // 2",
        pairs_of,
    );
    registry.function(
        "options",
        "list:choices<T> -> options<T>",
        "Converts a list to options, which can be joined with `+`.",
        "(options([1, 2]) + options([3])).count() // 3",
        |ctx: &mut Context<'_>, list: Value| options_from(ctx, &list),
    );
    registry.operator(
        "+",
        "a:options<T> b:options<T> -> options<T>",
        "The options of both sets, without duplicates, beginning with those of the first set.",
        "(options([1]) + options([2])).count() // 2",
        |ctx: &mut Context<'_>, a: Arc<OptionSet>, b: Arc<OptionSet>| -> Answer<OptionSet> {
            // Finding duplicates is charged, since options may have to be compared one by one.
            ctx.spend(32 + 4 * (a.len().min(MAX_LISTED) + b.len().min(MAX_LISTED)))?;
            check_size(a.union(&b))
        },
    );
    registry.function(
        "count",
        "options",
        "Number of options.",
        "options([3, 4]).count() // 2",
        |options: Arc<OptionSet>| options.len() as i64,
    );
    registry.function(
        IS_EMPTY,
        "options",
        "Returns whether there are no options.",
        "options([]).is_empty() // true",
        |options: Arc<OptionSet>| options.is_empty(),
    );
}

/// Looks up a decision by name, and collects the facts that its question mentions. Fails if the seat has been eliminated or a fact is
/// missing.
fn resolve(ctx: &mut Context<'_>, call: &DecisionCall<'_>) -> Answer<(DecisionId, About)> {
    let id = decision(ctx, call.name)?;
    if !ctx.table.position.is_in_play(call.seat) {
        return Err(eliminated_seat_fault(call).into());
    }
    let model = ctx.table.model();
    let names = &model.decisions[id.index()].about;
    if names.is_empty() {
        return Ok((id, About::default()));
    }
    let fact = |room: &Arc<str>| {
        let Some(fact) = call.facts.and_then(|facts| facts.get(room)) else {
            return Err(sentence::unfilled_question(call.name, room).into());
        };
        ctx.charge(fact.weight());
        Ok((room.clone(), plain(fact)?))
    };
    let about: About = names.iter().map(fact).collect::<Answer<Vec<_>>>()?.into();
    about.iter().for_each(|(_, fact)| fact.each_piece(|piece| ctx.charge_look(piece)));
    ctx.spend(0)?;
    Ok((id, about))
}

/// Creates the fault for asking a seat that has been eliminated.
fn eliminated_seat_fault(call: &DecisionCall<'_>) -> Fault {
    let message = format!("player {} is out of the game and cannot be asked `{}`", call.seat.number(), call.name);
    Fault::new("eliminated-seat", message, "asks a seat that was eliminated")
        .help("ask `turn_order()` or `others(seat)`, which leave it out, or ask before `eliminate()`")
}

fn choose(ctx: &mut Caller<'_, '_>, call: &DecisionCall<'_>, options: Value) -> Answer<AskingReply<Value>> {
    let (id, about) = resolve(ctx, call)?;
    let options = options_for_seat(ctx, call.seat, options)?;
    if options.0.is_empty() {
        let fault =
            Fault::new("no-options", format!("`{}` has no options", call.name), "there is nothing to choose from");
        return Err(fault.help("ask whether there are any first, or use `choose_if_any` or `choose_or_pass`").into());
    }
    PendingQuestion::ask_one(ctx, Decision::single(call.seat, id, options, None).about(about)).map(Into::into)
}

fn choose_if_any(ctx: &mut Caller<'_, '_>, call: &DecisionCall<'_>, options: Value) -> Answer<AskingReply<Value>> {
    choose_or_nothing(ctx, call, options, None)
}

fn choose_or_pass(ctx: &mut Caller<'_, '_>, call: &DecisionCall<'_>, options: Value) -> Answer<AskingReply<Value>> {
    choose_or_nothing(ctx, call, options, Some(Pass::Pass))
}

/// Asks a seat to choose an option. If there are no options, the seat is not asked and the result is `()`, unless the
/// decision is always asked.
fn choose_or_nothing(
    ctx: &mut Caller<'_, '_>,
    call: &DecisionCall<'_>,
    options: Value,
    pass: Option<Pass>,
) -> Answer<AskingReply<Value>> {
    let (id, about) = resolve(ctx, call)?;
    let options = options_for_seat(ctx, call.seat, options)?;
    let is_always = ctx.table.model().decisions[id.index()].is_always;
    // A seat that is always asked and has no options can only pass.
    let pass = if options.0.is_empty() && is_always { Some(Pass::Pass) } else { pass };
    if options.0.is_empty() && !is_always {
        return ctx.record_no_options(call.seat, id).map(|()| Reply::from(Value::Nothing).into());
    }
    PendingQuestion::ask_one(ctx, Decision::single(call.seat, id, options, pass).about(about)).map(Into::into)
}

fn choose_number(ctx: &mut Context<'_>, call: &DecisionCall<'_>, low: i64, high: i64) -> Answer<AskingReply<i64>> {
    let (id, about) = resolve(ctx, call)?;
    if low > high {
        let message = format!("`{}` has no options", call.name);
        let fault = Fault::new("no-options", message, format!("no number from {low} to {high}"));
        return Err(fault.help("ask only where there is a number to choose").into());
    }
    let options = check_size(OptionSet::Numbers(low, high))?;
    PendingQuestion::ask_one(ctx, Decision::single(call.seat, id, (options, Copies::One), None).about(about))
        .map(Into::into)
}

fn confirm(ctx: &mut Context<'_>, call: &DecisionCall<'_>) -> Answer<AskingReply<bool>> {
    let (id, about) = resolve(ctx, call)?;
    let options = OptionSet::List(Arc::new([Choice::Flag(true), Choice::Flag(false)]));
    PendingQuestion::ask_one(ctx, Decision::single(call.seat, id, (options, Copies::One), None).about(about))
        .map(Into::into)
}

fn choose_some(
    ctx: &mut Caller<'_, '_>,
    call: &DecisionCall<'_>,
    options: Value,
    min: i64,
    max: i64,
) -> Answer<AskingReply<Value>> {
    let (id, about) = resolve(ctx, call)?;
    let candidates = pick_options(ctx, call.name, options)?;
    if min > max {
        let message = format!("`{}` asks for at least {min} and at most {max}", call.name);
        return Err(Fault::new("no-options", message, "no number is both")
            .help("give the smaller number first")
            .into());
    }
    let (min, max) = (min.max(0) as usize, (max.max(0) as usize).min(candidates.things.len()));
    if min > max {
        let fault = Fault::new(
            "no-options",
            format!("`{}` asks for at least {min} of {}", call.name, candidates.things.len()),
            "there are not so many options",
        );
        return Err(fault.help("ask for no more than there are").into());
    }
    PendingQuestion::ask_some(ctx, Question { seat: call.seat, id, about }, candidates, min, max).map(Into::into)
}

fn choose_order(ctx: &mut Caller<'_, '_>, call: &DecisionCall<'_>, options: Value) -> Answer<AskingReply<Value>> {
    let (id, about) = resolve(ctx, call)?;
    let candidates = pick_options(ctx, call.name, options)?;
    PendingQuestion::ask_order(ctx, Question { seat: call.seat, id, about }, candidates).map(Into::into)
}

fn together(ctx: &mut Caller<'_, '_>, seats: Value, _ask: FunctionArgument) -> Answer<Value> {
    let seats = seats_in_play(ctx, &seats)?;
    begin_together(ctx, &seats)?;
    let answers = seats.iter().map(|seat| ctx.call_closure(&[Value::from(*seat)])).collect::<Answer<Vec<Value>>>()?;
    Ok(end_together(ctx, &seats, &answers))
}

/// Fallback for calls of `respond` that the compiler does not inline, and for the script engine. No seat can be asked here.
fn respond(ctx: &mut Caller<'_, '_>) -> Answer<AskingReply<Value>> {
    ctx.permissions.check_may_ask()?;
    Err(choice_out_of_place().help("give `respond` both functions as `|…|`").into())
}

/// Maximum number of responses to one action.
const MAX_RESPONSES: i64 = 1000;

/// Returns the seat to ask next in a response window, or `None` after all seats have passed in a row.
///
/// # Errors
/// Returns a fault after too many responses, which suggests that responding costs nothing.
pub(crate) fn next_responder(seats: &[Seat], asked: i64, passed: i64, given: i64) -> Answer<Option<Seat>> {
    if given >= MAX_RESPONSES {
        let message =
            format!("the answers to an action never end: {MAX_RESPONSES} have been given, and all are asked again");
        let fault = Fault::new("endless", message, "asks for still more");
        return Err(fault
            .help("let an answer use something up, as a card that leaves the hand, so that it is not offered again")
            .into());
    }
    let asked = usize::try_from(asked).unwrap_or_default();
    Ok((usize::try_from(passed).unwrap_or_default() < seats.len()).then(|| seats[asked % seats.len()]))
}

/// Starts a simultaneous decision. The game is read-only until the decision ends.
pub(crate) fn begin_together(ctx: &mut Context<'_>, seats: &[Seat]) -> Answer<()> {
    ctx.check_may_change()?;
    ctx.permissions.rounds_together += 1;
    ctx.permissions.together = Some(seats.iter().fold(0, |set: SeatSet, seat| set | Layout::only(*seat)));
    ctx.permissions.may_change = false;
    Ok(())
}

/// Ends a simultaneous decision and publishes the answers, except those of secret decisions. Returns the answers.
pub(crate) fn end_together(ctx: &mut Context<'_>, seats: &[Seat], answers: &[Value]) -> Value {
    ctx.permissions.together = None;
    ctx.permissions.may_change = true;
    let given = &mut ctx.answers.given;
    let pending: Vec<usize> = (0..given.len()).filter(|at| given[*at].pending).collect();
    for at in pending {
        given.get_mut(at).expect("it was found there").pending = false;
    }
    ctx.publish();
    Value::Answers(Arc::new(seats.iter().copied().zip(answers.iter().cloned()).collect()))
}

fn decision(ctx: &Context<'_>, name: &str) -> Answer<DecisionId> {
    ctx.permissions.check_may_ask()?;
    let model = ctx.table.model();
    let known = || model.decisions.iter().map(|decision| &*decision.id);
    model.find_decision(name).ok_or_else(|| unknown_quoted(&[NameRole::Decision], name, known()).into())
}

/// Converts a value to the options for a seat. Merges indistinguishable options into one, and also returns the number of copies of each
/// option.
fn options_for_seat(ctx: &mut Caller<'_, '_>, seat: Seat, options: Value) -> Answer<(OptionSet, Copies)> {
    let options = check_size(options_given(ctx, options)?)?;
    ctx.spend(options.weight())?;
    // Which options look alike depends on what the seat currently knows.
    ctx.table.look_away(Some(seat));
    Ok(merge_equivalent(&ctx.table, seat, options))
}

/// Converts a value to options. If the value is a function, calls it first.
fn options_given(ctx: &mut Caller<'_, '_>, options: Value) -> Answer<OptionSet> {
    let written = evaluate_options(ctx, options)?;
    options_from(ctx, &written)
}

/// Returns `options`. If they are given as a function, calls the function and returns its result. The function must not change the game.
fn evaluate_options(ctx: &mut Caller<'_, '_>, options: Value) -> Answer<Value> {
    let Value::Function(_) = options else { return Ok(options) };
    let may_change = std::mem::replace(&mut ctx.permissions.may_change, false);
    let listed = ctx.call_closure::<Value>(&[]);
    ctx.permissions.may_change = may_change;
    listed
}

/// Checks that the number of options is within the limits.
fn check_size(options: OptionSet) -> Answer<OptionSet> {
    if options.is_within_limits() {
        return Ok(options);
    }
    Err(too_many())
}

#[cold]
fn too_many() -> Box<Failure> {
    Fault::new("too-many-options", "there are more options than anybody can choose from", "too many options")
        .help("leave out what may not be chosen before options are put together")
        .into()
}

/// Returns the candidates for a decision with several picks, and the type of the collection in which the picks are returned. Values that
/// are not on the table may occur several times.
fn pick_options(ctx: &mut Caller<'_, '_>, name: &str, options: Value) -> Answer<Candidates> {
    let written = evaluate_options(ctx, options)?;
    let options = match &written {
        // Values that are not on the table, such as components and strings, may be picked as often as they are listed.
        Value::List(list) => plain_list(ctx, list)?,
        Value::Components(components) => OptionSet::Components(components.clone()),
        other => options_from(ctx, other)?,
    };
    if options.len() <= MAX_PICK_OPTIONS {
        let several = match written.sort() {
            Type::Zone | Type::Pieces => Type::Pieces,
            things @ (Type::Seats | Type::Zones | Type::Spaces | Type::Components) => things,
            _ => Type::List,
        };
        return Ok(Candidates { things: options.iter().collect(), several });
    }
    let message =
        format!("`{name}` has {} options, and at most {MAX_PICK_OPTIONS} where several are chosen", options.len());
    Err(Fault::new("too-many-options", message, "too many options").into())
}

/// Maximum number of options of a decision with several picks.
const MAX_PICK_OPTIONS: usize = 1_000;

/// Converts a list, a range, a collection, a zone with its pieces, or an option set to options. Fails for other values.
pub(super) fn options_from(ctx: &mut Context<'_>, given: &Value) -> Answer<OptionSet> {
    match given {
        Value::Options(options) => return Ok((**options).clone()),
        Value::Pieces(pieces) => return Ok(OptionSet::Pieces(dedup_handles(pieces))),
        Value::Spaces(spaces) => return Ok(OptionSet::Spaces(dedup_handles(spaces))),
        Value::Zones(zones) => return Ok(OptionSet::Zones(dedup_handles(zones))),
        Value::Components(components) => return Ok(OptionSet::Components(dedup_handles(components))),
        Value::Seats(seats) => return Ok(OptionSet::Seats(dedup_handles(seats))),
        Value::Zone(zone) => return Ok(OptionSet::Pieces(ctx.table.pieces(zone.get()).collect())),
        Value::List(list) => return options_from_list(ctx, list),
        Value::Range(range) => {
            let last = if range.is_inclusive { range.end } else { range.end.saturating_sub(1) };
            return Ok(OptionSet::Numbers(range.start, last));
        }
        _ => {}
    }
    let help = (*given == Value::Nothing).then_some(ASK_FIRST);
    Err(sentence::not_options(&format!("{} is", given.kind()), help).into())
}

/// Converts a list to options. Objects on the table are listed once, other values as many times as in the list.
fn plain_list(ctx: &mut Context<'_>, list: &[Value]) -> Answer<OptionSet> {
    let mut all = plain_entries(ctx, list)?;
    let mut seen = FxHashSet::default();
    all.retain(|one| {
        let is_of_table = matches!(one, Choice::Piece(_) | Choice::Space(_) | Choice::Zone(_) | Choice::Seat(_));
        !is_of_table || seen.insert(one.clone())
    });
    Ok(OptionSet::List(all.into()))
}

fn plain_entries(ctx: &mut Context<'_>, list: &[Value]) -> Answer<Vec<Choice>> {
    ctx.spend(list.len() / 16)?;
    list.iter().map(plain).collect()
}

fn options_from_list(ctx: &mut Context<'_>, list: &[Value]) -> Answer<OptionSet> {
    let all = plain_entries(ctx, list)?;
    // Strictly increasing lists, which are common, have no duplicates.
    let is_rising = all.windows(2).all(|pair| pair[0] < pair[1]);
    Ok(OptionSet::List(if is_rising { all } else { dedup(all) }.into()))
}

fn each_of(ctx: &mut Context<'_>, parts: Arc<Map>) -> Answer<OptionSet> {
    let parts: Answer<Vec<(ArcStr, OptionSet)>> =
        parts.iter().map(|(name, part)| Ok((name.clone(), options_from(ctx, part)?))).collect();
    check_size(OptionSet::Product(parts?.into()))
}

fn pairs_of(
    ctx: &mut Caller<'_, '_>,
    first: ArcStr,
    second: ArcStr,
    firsts: Value,
    _seconds: FunctionArgument,
) -> Answer<OptionSet> {
    let firsts = options_from(ctx, &firsts)?;
    let (mut ones, mut twos) = (Vec::new(), Vec::new());
    for one in firsts.iter() {
        let found = ctx.call_closure::<Value>(&[one.to_value()])?;
        let found = options_from(ctx, &found)?;
        ctx.spend(found.len())?;
        if twos.len() + found.len() > MAX_LISTED {
            return Err(too_many());
        }
        ones.extend(iter::repeat_n(one, found.len()));
        twos.extend(found.iter());
    }
    let (ones, twos) = (OptionSet::List(ones.into()), OptionSet::List(twos.into()));
    check_size(OptionSet::Rows(Arc::new([(first, ones), (second, twos)])))
}

//! Asking seats.

use super::super::fault::{Answer, Fault};
use super::super::stage::{self, Chosen, Stage};
use super::Book;
use super::book::{Caller, Function, with};
use super::facts::{describe, plain};
use crate::decision::{Choice, Decision, Happening, Map, OptionSet, Pass, Set, Value, folded, looks, once};
use crate::diagnostic::{did_you_mean, how_to_declare};
use crate::model::{DecisionId, Seat};
use crate::table::{Layout, SeatSet, Table};
use arcstr::ArcStr;
use std::sync::Arc;

/// What several seats answered when they were asked together.
type Answers = Arc<Vec<(Seat, Value)>>;

pub(super) fn write(book: &mut Book) {
    book.topic("Decisions");
    book.word(
        "choose",
        "seat decision options",
        "Asks a seat to choose one of some options. A single option is taken without asking; none is a fault.",
        "choose(seat, \"pick\", [3, 5]) in [3, 5] // true",
        choose,
    );
    book.word(
        "choose_if_any",
        "seat decision options",
        "Asks a seat to choose one of some options; gives `()` when there are none.",
        "choose_if_any(seat, \"pick\", []) // ()",
        choose_if_any,
    );
    book.word(
        "choose_or_pass",
        "seat decision options",
        "Asks a seat to choose one of some options or to pass, which gives `()`.",
        "choose_or_pass(seat, \"pick\", []) // ()",
        choose_or_pass,
    );
    book.word(
        "choose_number",
        "seat decision low high",
        "Asks a seat for a number from `low` to `high`.",
        "choose_number(seat, \"pick\", 2, 2) // 2",
        choose_number,
    );
    book.word(
        "choose_some",
        "seat decision options min max",
        "Asks a seat to choose at least `min` and at most `max` of some options, one by one in their order.",
        "choose_some(seat, \"pick\", [3, 5], 2, 2) // [3, 5]",
        choose_some,
    );
    book.word(
        "choose_order",
        "seat decision options",
        "Asks a seat to put things in an order, first to last.",
        "choose_order(seat, \"pick\", [4]) // [4]",
        choose_order,
    );
    book.word(
        "confirm",
        "seat decision",
        "Asks a seat yes or no.",
        "confirm(seat, \"sure\") in [true, false] // true",
        confirm,
    );
    book.word("together", "seats ask", "Asks several seats as if at once: nobody learns an answer, nor who had to answer, before all have. `ask` is called with each seat; nothing may change meanwhile.", "together(seats, |seat| seat.number)[first] // 1", together);
    book.index(
        "answers seat",
        "What a seat answered when it was asked together with others.",
        "together(seats, |seat| 7)[first] // 7",
        |answers: Answers, seat: Seat| -> Answer<Value> {
            let found = answers.iter().find(|(known, _)| *known == seat).map(|(_, answer)| answer.clone());
            found.ok_or_else(|| {
                Fault::new("no-answer", "this seat was not asked", "not one of the seats asked together").into()
            })
        },
    );
    book.word(
        "each_of",
        "parts",
        "Options with named parts: every combination of one option from each part.",
        "each_of(#{ up: [1, 2], lot: [3, 4, 5] }).count() // 6",
        each_of,
    );
    book.word(
        "pairs_of",
        "first second firsts seconds",
        "Options with two named parts: each of `firsts` with each of what `seconds` gives for it.",
        "pairs_of(\"low\", \"high\", [1, 2], |low| [low + 1]).count() // 2",
        pairs_of,
    );
    book.word(
        "options",
        "list",
        "Some things as options, to be joined with `+`.",
        "(options([1, 2]) + options([3])).count() // 3",
        |list: Value| with(|stage| options_from(stage, &list)),
    );
    book.word(
        "+",
        "a b",
        "The options of one set and then those of the other, each once.",
        "(options([1]) + options([2])).count() // 2",
        |a: Arc<OptionSet>, b: Arc<OptionSet>| -> Answer<OptionSet> {
            with(|stage| stage.spend((a.weight() + b.weight()) / 16))?;
            sensible(a.joined(&b))
        },
    );
    book.word(
        "count",
        "options",
        "How many options there are.",
        "options([3, 4]).count() // 2",
        |options: Arc<OptionSet>| options.len() as i64,
    );
    book.word(
        "is_empty",
        "options",
        "Whether there are no options.",
        "options([]).is_empty() // true",
        |options: Arc<OptionSet>| options.is_empty(),
    );
}

fn choose(caller: &mut Caller<'_>, seat: Seat, name: ArcStr, options: Value) -> Answer<Value> {
    let id = decision(&name)?;
    if let Some(choice) = known_answer(seat, id) {
        return Ok(choice.to_value());
    }
    let options = list(caller, seat, options)?;
    if options.is_empty() {
        let fault = Fault::new("no-options", format!("`{name}` has no options"), "there is nothing to choose from");
        return Err(fault.help("ask whether there are any first, or use `choose_if_any` or `choose_or_pass`").into());
    }
    one(Decision::single(seat, id, options, None)).map(|choice| choice.to_value())
}

fn choose_if_any(caller: &mut Caller<'_>, seat: Seat, name: ArcStr, options: Value) -> Answer<Value> {
    choose_or_nothing(caller, seat, &name, options, None)
}

fn choose_or_pass(caller: &mut Caller<'_>, seat: Seat, name: ArcStr, options: Value) -> Answer<Value> {
    choose_or_nothing(caller, seat, &name, options, Some(Pass::Pass))
}

/// Asks for one of some options; without any, nobody is asked and nothing is chosen.
fn choose_or_nothing(
    caller: &mut Caller<'_>,
    seat: Seat,
    name: &str,
    options: Value,
    pass: Option<Pass>,
) -> Answer<Value> {
    let id = decision(name)?;
    if let Some(choice) = known_answer(seat, id) {
        return Ok(choice.to_value());
    }
    let options = list(caller, seat, options)?;
    if options.is_empty() {
        return stage::nothing_to_choose(seat, id).map(|()| Value::Nothing);
    }
    one(Decision::single(seat, id, options, pass)).map(|choice| choice.to_value())
}

fn choose_number(seat: Seat, name: ArcStr, low: i64, high: i64) -> Answer<i64> {
    let id = decision(&name)?;
    if low > high {
        let fault =
            Fault::new("no-options", format!("`{name}` has no options"), format!("no number from {low} to {high}"));
        return Err(fault.help("ask only where there is a number to choose").into());
    }
    let options = sensible(OptionSet::Numbers(low, high))?;
    match one(Decision::single(seat, id, options, None))? {
        Choice::Number(number) => Ok(number),
        other => {
            Err(Fault::new("wrong-value", format!("the answer was {}", describe(&other)), "asks for a number").into())
        }
    }
}

fn confirm(seat: Seat, name: ArcStr) -> Answer<bool> {
    let id = decision(&name)?;
    let options = OptionSet::List(Arc::new([Choice::Flag(true), Choice::Flag(false)]));
    one(Decision::single(seat, id, options, None)).map(|choice| choice == Choice::Flag(true))
}

fn choose_some(caller: &mut Caller<'_>, seat: Seat, name: ArcStr, options: Value, min: i64, max: i64) -> Answer<Value> {
    let id = decision(&name)?;
    let all: Arc<[Choice]> = listed(caller, &name, options)?.into();
    if min > max {
        let message = format!("`{name}` asks for at least {min} and at most {max}");
        return Err(Fault::new("no-options", message, "no number is both")
            .help("give the smaller number first")
            .into());
    }
    let (min, max) = (min.max(0) as usize, (max.max(0) as usize).min(all.len()));
    if min > max {
        let fault = Fault::new(
            "no-options",
            format!("`{name}` asks for at least {min} of {}", all.len()),
            "there are not so many options",
        );
        return Err(fault.help("ask for no more than there are").into());
    }
    let picks = Some((min as u32, max as u32));
    let (mut picked, mut from) = (Vec::new(), 0);
    while picked.len() < max {
        let needed = min.saturating_sub(picked.len() + 1);
        let left = &all[from..all.len() - needed];
        if left.is_empty() {
            break;
        }
        let pass = (picked.len() >= min).then_some(Pass::Done);
        let options = each_once(seat, left);
        match pick(Decision { seat, id, options, pass, picked: picked.clone(), picks, among: all.clone() })? {
            Choice::Nothing if pass.is_some() => break,
            choice => {
                from += left.iter().position(|one| *one == choice).unwrap_or(0) + 1;
                picked.push(choice);
            }
        }
    }
    Ok(done(seat, id, &Choice::Many(picked.into()), all.len()))
}

fn choose_order(caller: &mut Caller<'_>, seat: Seat, name: ArcStr, options: Value) -> Answer<Value> {
    let id = decision(&name)?;
    let mut left = listed(caller, &name, options)?;
    let all = left.len();
    let picks = Some((all as u32, all as u32));
    let mut picked = Vec::new();
    while !left.is_empty() {
        let options = each_once(seat, &left);
        let choice = pick(Decision { picked: picked.clone(), picks, ..Decision::single(seat, id, options, None) })?;
        left.iter().position(|one| *one == choice).map(|at| left.remove(at));
        picked.push(choice);
    }
    Ok(done(seat, id, &Choice::Many(picked.into()), all))
}

/// Asks for one thing, and notes the answer.
fn one(decision: Decision) -> Answer<Choice> {
    let (seat, id, offered) = (decision.seat, decision.id, decision.count());
    let options = decision.pass.map(|_| decision.options.clone());
    let choice = stage::ask(decision)?;
    with(|stage| {
        let declined = options.filter(|_| choice == Choice::Nothing);
        let is_private = declined.is_some_and(|options| !options.iter().any(|option| is_open(&stage.table, &option)));
        conclude(stage, seat, id, &choice, offered, is_private);
    });
    Ok(choice)
}

/// Whether everybody can tell that an option is there: it names no piece that somebody does not know. That a seat declines
/// others tells that it has them, since without options nobody is asked.
fn is_open(table: &Table, option: &Choice) -> bool {
    let mut is_open = true;
    option.each_piece(|piece| is_open &= table.knowers(piece) == table.layout().everybody);
    is_open
}

/// Asks for one of several things.
fn pick(decision: Decision) -> Answer<Choice> {
    stage::ask(decision)
}

fn done(seat: Seat, id: DecisionId, choice: &Choice, offered: usize) -> Value {
    with(|stage| conclude(stage, seat, id, choice, offered, false));
    choice.to_value()
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

/// The answer that a re-run already has, so that options need not be listed.
fn known_answer(seat: Seat, id: DecisionId) -> Option<Choice> {
    if with(|stage| stage.verify || stage.replay.is_empty()) {
        return None;
    }
    stage::replayed(seat, id).map(Option::unwrap_or_default)
}

fn together(caller: &mut Caller<'_>, seats: Set<Seat>, _ask: Function) -> Answer<Value> {
    with(|stage| begin_together(stage, &seats))?;
    let answers = seats.iter().map(|seat| caller.of(&[Value::Seat(*seat)])).collect::<Answer<Vec<Value>>>()?;
    Ok(with(|stage| end_together(stage, &seats, &answers)))
}

/// From here on several seats are asked at the same time, and nothing may change.
pub(crate) fn begin_together(stage: &mut Stage, seats: &[Seat]) -> Answer<()> {
    stage.changing()?;
    stage.togethers += 1;
    stage.together = Some(seats.iter().fold(0, |set: SeatSet, seat| set | Layout::only(*seat)));
    stage.may_change = false;
    Ok(())
}

/// All have answered: everybody learns of it.
pub(crate) fn end_together(stage: &mut Stage, seats: &[Seat], answers: &[Value]) -> Value {
    stage.together = None;
    stage.may_change = true;
    for given in &mut stage.given {
        given.pending = false;
    }
    stage.publish();
    Value::Answers(Arc::new(seats.iter().copied().zip(answers.iter().cloned()).collect()))
}

fn decision(name: &str) -> Answer<DecisionId> {
    with(|stage| {
        let model = stage.table.model();
        model.find_decision(name).ok_or_else(|| {
            let fault =
                Fault::new("unknown-decision", format!("there is no decision `{name}`"), "not a decision of the game");
            let help = did_you_mean(name, model.decisions.iter().map(|d| &*d.id));
            fault.maybe_help(help.or_else(|| how_to_declare("unknown-decision", name))).into()
        })
    })
}

/// The options a script gave to ask a seat, alike ones once.
fn list(caller: &mut Caller<'_>, seat: Seat, options: Value) -> Answer<OptionSet> {
    let options = given(caller, options)?;
    with(|stage| {
        stage.spend(options.weight())?;
        Ok(folded(&stage.table, seat, options))
    })
}

/// The options a script gave, a function that lists them called first.
fn given(caller: &mut Caller<'_>, options: Value) -> Answer<OptionSet> {
    let options = if let Value::Function(_) = options {
        let may_change = with(|stage| std::mem::replace(&mut stage.may_change, false));
        let listed = caller.of::<Value>(&[]);
        with(|stage| stage.may_change = may_change);
        listed?
    } else {
        options
    };
    with(|stage| options_from(stage, &options))
}

/// Refuses options that are beyond all measure.
fn sensible(options: OptionSet) -> Answer<OptionSet> {
    if options.is_sensible() {
        return Ok(options);
    }
    let fault =
        Fault::new("too-many-options", "there are more options than anybody can choose from", "too many options");
    Err(fault.help("leave out what may not be chosen before options are put together").into())
}

/// Options one by one, where several are chosen: alike ones as often as there are.
fn listed(caller: &mut Caller<'_>, name: &str, options: Value) -> Answer<Vec<Choice>> {
    let options = given(caller, options)?;
    if options.len() <= MOST_PICKED {
        return Ok(options.iter().collect());
    }
    let message = format!("`{name}` has {} options, and at most {MOST_PICKED} where several are chosen", options.len());
    Err(Fault::new("too-many-options", message, "too many options").into())
}

/// Options that are left to pick from, alike ones once.
fn each_once(seat: Seat, left: &[Choice]) -> OptionSet {
    with(|stage| folded(&stage.table, seat, OptionSet::List(left.into())))
}

/// The most options where several are chosen.
const MOST_PICKED: usize = 1_000;

/// A list of any kind as options.
pub(super) fn options_from(stage: &mut Stage, given: &Value) -> Answer<OptionSet> {
    match given {
        Value::Options(options) => return Ok((**options).clone()),
        Value::Pieces(pieces) => return Ok(OptionSet::Pieces(once(pieces.iter().copied()))),
        Value::Spaces(spaces) => return Ok(OptionSet::Spaces(once(spaces.iter().copied()))),
        Value::Zones(zones) => return Ok(OptionSet::Zones(once(zones.iter().copied()))),
        Value::Components(components) => return Ok(OptionSet::Components(once(components.iter().copied()))),
        Value::Seats(seats) => return Ok(OptionSet::Seats(once(seats.iter().copied()))),
        Value::Zone(zone) => return Ok(OptionSet::Pieces(stage.table.pieces(*zone).collect())),
        Value::List(list) => return options_from_list(stage, list),
        Value::Range(range) => {
            let last = if range.is_inclusive { range.end } else { range.end.saturating_sub(1) };
            return Ok(OptionSet::Numbers(range.start, last));
        }
        _ => {}
    }
    let fault = Fault::new(
        "wrong-options",
        format!("{} is not a list of options", given.kind()),
        "neither a list nor a set nor options",
    );
    Err(fault.help("write several in `[…]`, or ask a zone for its `pieces`").into())
}

fn options_from_list(stage: &mut Stage, list: &[Value]) -> Answer<OptionSet> {
    stage.spend(list.len() / 16)?;
    let all = list.iter().map(plain).collect::<Answer<Vec<Choice>>>()?;
    Ok(OptionSet::List(once(all.into_iter())))
}

fn each_of(parts: Arc<Map>) -> Answer<OptionSet> {
    let parts: Answer<Vec<(Arc<str>, OptionSet)>> =
        parts.iter().map(|(name, part)| Ok((name.as_str().into(), with(|stage| options_from(stage, part))?))).collect();
    sensible(OptionSet::Product(parts?.into()))
}

fn pairs_of(
    caller: &mut Caller<'_>,
    first: ArcStr,
    second: ArcStr,
    firsts: Value,
    _seconds: Function,
) -> Answer<OptionSet> {
    let firsts = with(|stage| options_from(stage, &firsts))?;
    let mut items = Vec::new();
    for one in firsts.iter() {
        let found = caller.of::<Value>(&[one.to_value()])?;
        let found = with(|stage| options_from(stage, &found))?;
        with(|stage| stage.spend(found.len()))?;
        items.extend(found.iter().map(|two| (one.clone(), two)));
    }
    sensible(OptionSet::Pairs(first.as_str().into(), second.as_str().into(), items.into()))
}

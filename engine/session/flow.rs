//! Going through the compiled flow, from one script function to the next.

use super::opening::Rest;
use super::outcome;
use crate::decision::{Choice, Happening, Observed, Observer};
use crate::diagnostic::Diagnostic;
use crate::model::{First, Lasts, Model, Op, PhaseId, Seat, Setting};
use crate::script::{self, Host, Stage};
use crate::table::{Layout, Loop, Stream};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// What comes next in a game.
pub(super) enum Next {
    /// Run a function of the rules.
    Step {
        /// Its name.
        function: Arc<str>,
        /// The seat it is given.
        seat: Option<Seat>,
    },
    /// Nothing, until play is to go on.
    Rests,
    /// The game is over.
    Over,
    /// The author made a mistake.
    Fault(Box<Diagnostic>),
}

/// Finds the seat that begins.
pub(super) fn choose_first(stage: &mut Stage) {
    let model = stage.table.model().clone();
    let named = match &model.flow.first {
        First::FirstSeat => Some(Seat(0)),
        First::Random => None,
        First::Option(option) => match model.options.get(option).map(|option| &option.value) {
            Some(Setting::Seat(seat)) => Some(*seat),
            _ => None,
        },
    };
    let chance = &mut stage.table.chance;
    let fixed = if named.is_none() { chance.fixed_first() } else { None };
    stage.table.position.first =
        named.or(fixed).unwrap_or_else(|| Seat(chance.event(Stream::FIRST).below(u32::from(model.seats)) as u8));
}

/// Puts the flow at the beginning of a phase.
pub(super) fn enter_phase(stage: &mut Stage, phase: PhaseId, round: i64, seat: Option<Seat>) {
    let model = stage.table.model().clone();
    let begins = |op: &Op| matches!(op, Op::PhaseBegins { phase: other, .. } if *other == phase);
    let at = model.flow.ops.iter().position(begins).unwrap_or_default();
    let position = &mut stage.table.position;
    position.op = at as u16;
    position.round = round;
    position.enter_with = seat;
}

/// Whether the setup of the rules is over and nothing else has begun.
pub(super) fn setup_is_over(stage: &Stage) -> bool {
    let position = &stage.table.position;
    let next = &stage.table.model().flow.ops[position.op as usize];
    position.round == 0 && !position.finishing && matches!(next, Op::RoundBegins)
}

/// How many steps may run without anybody being asked anything: far more than any honest game needs.
const MOST_UNASKED: u32 = 10_000;

/// The flow does not come to a question any more; `function` is what it calls meanwhile, if it calls anything.
fn endless(model: &Model, function: Option<&str>) -> Diagnostic {
    let found = Diagnostic::error("endless", "the flow goes round and nobody is asked anything")
        .help("check the `until` and `when` of the phases, and whether their steps come to a choice");
    let place = function.and_then(|function| model.flow.place_of(function)).or(model.flow.place.as_ref());
    match place {
        Some(place) => found.mark(place.clone(), "comes round again and again"),
        None => found,
    }
}

/// What an instruction calls.
fn called(op: &Op) -> Option<&Arc<str>> {
    match op {
        Op::Call(call) => Some(&call.function),
        Op::EachSeat { order: function, .. }
        | Op::Turns { order: function }
        | Op::Until { function, .. }
        | Op::PhaseBegins { when: function, .. } => function.as_ref(),
        _ => None,
    }
}

/// How many instructions may pass without a step: more than any flow has.
const PATIENCE: usize = 10_000;

/// Goes on to the next step, and shows whoever keeps the books how things stand.
pub(super) fn advance(host: &Rc<Host>, stage: Box<Stage>, rest: Option<Rest>) -> (Box<Stage>, Next) {
    let (mut stage, next) = next_step(host, stage, rest);
    let Some(mut observed) = stage.observed.take() else { return (stage, next) };
    if observed.looks(&stage.table.position) {
        let (back, standings) = outcome::standings(host, stage);
        stage = back;
        observed.observer.borrow_mut().rests(&stage.table, standings.as_deref());
    }
    if let Next::Step { function, .. } = &next {
        observed.observer.borrow_mut().step_begins(function);
    }
    stage.observed = Some(observed);
    (stage, next)
}

/// An observer of a game that begins. It is shown every step where all is one round and the rules say how seats stand.
pub(super) fn observed(host: &Host, observer: Rc<RefCell<dyn Observer>>) -> Observed {
    let flow = &host.model.flow;
    let is_one_round = flow.rounds == Some(1) || (flow.rounds.is_none() && flow.rounds_until.is_none());
    Observed::new(observer, is_one_round && host.has("standing"))
}

fn next_step(host: &Rc<Host>, mut stage: Box<Stage>, rest: Option<Rest>) -> (Box<Stage>, Next) {
    let model = host.model.clone();
    let mut last_called = None;
    for _ in 0..PATIENCE {
        let at = stage.table.position.op;
        // Behind the last instruction the game is over already.
        let Some(op) = model.flow.ops.get(at as usize) else { return (stage, Next::Over) };
        if rest.is_some_and(|rest| rest.is_left_by(op, &stage.table.position)) {
            return (stage, Next::Rests);
        }
        stage.table.position.op = at + 1;
        last_called = called(op).or(last_called);
        let result = match op {
            Op::Call(call) if stage.steps_unasked >= MOST_UNASKED => {
                return (stage, Next::Fault(Box::new(endless(&model, Some(&call.function)))));
            }
            Op::Call(call) => {
                stage.steps_unasked += 1;
                let seat = call.takes_seat.then_some(stage.table.position.active).flatten();
                stage.note(|_| Happening::Step);
                return (stage, Next::Step { function: call.function.clone(), seat });
            }
            Op::Over => {
                show_grids(&mut stage);
                let ending = stage.table.position.ending.unwrap_or(host.model.flow.ending);
                stage.note(|_| Happening::Ended(ending));
                return (stage, Next::Over);
            }
            op => {
                let (back, result) = carry_out(host, stage, op);
                stage = back;
                result
            }
        };
        if let Err(diagnostic) = result {
            return (stage, Next::Fault(Box::new(diagnostic)));
        }
    }
    (stage, Next::Fault(Box::new(endless(&model, last_called.map(|name| &**name)))))
}

/// After a step that is nobody's turn: what lasts for a turn ends.
pub(super) fn step_ends(stage: &mut Stage) {
    if stage.table.position.active.is_none() {
        stage.expire(Lasts::Turn);
    }
}

/// After the last step of a seat's turn: what lasts for a turn ends, unless this turn is part of another one.
fn turn_ends(stage: &mut Stage) {
    let [outer @ .., _] = stage.table.position.loops.as_slice() else { return };
    if outer.iter().all(|outer| outer.order.is_empty()) {
        turn_is_over(stage);
    }
}

fn turn_is_over(stage: &mut Stage) {
    stage.expire(Lasts::Turn);
    if let Some(observed) = stage.observed.as_ref().filter(|_| stage.table.position.active.is_some()) {
        observed.observer.borrow_mut().turn_ends();
    }
}

/// The script ended the game: straight to the finish.
pub(super) fn end_game(stage: &mut Stage) {
    turn_is_over(stage);
    let model = stage.table.model().clone();
    let position = &mut stage.table.position;
    position.loops.clear();
    position.phase = None;
    position.active = None;
    position.again = false;
    position.next_turn = None;
    position.op = if position.finishing { model.flow.ops.len() as u16 - 1 } else { model.flow.finish };
}

/// Notes how the grids lie that pieces with cells lie on, for whoever reads the story.
fn show_grids(stage: &mut Stage) {
    if !stage.noting || stage.rerunning || stage.table.model().cells.prints.is_empty() {
        return;
    }
    for picture in stage.table.pictures() {
        stage.note(|_| Happening::Pictured(Arc::new(picture)));
    }
}

type Advanced = (Box<Stage>, Result<(), Diagnostic>);

fn carry_out(host: &Rc<Host>, mut stage: Box<Stage>, op: &Op) -> Advanced {
    match op {
        Op::EachSeat { order, end } => {
            let (mut stage, seats) = order_of(host, stage, order.as_ref());
            let result = seats.map(|seats| match seats.first() {
                None => stage.table.position.op = *end,
                Some(_) => begin_loop(&mut stage, seats, *end),
            });
            (stage, result)
        }
        Op::NextSeat { body } => {
            next_seat(&mut stage, *body);
            (stage, Ok(()))
        }
        Op::Turns { order } => {
            let (mut stage, seats) = order_of(host, stage, order.as_ref());
            let result = seats.and_then(|seats| {
                if seats.is_empty() {
                    return Err(nobody(host, order.as_ref()));
                }
                begin_loop(&mut stage, seats, 0);
                Ok(())
            });
            (stage, result)
        }
        Op::Until { function, end } => until(host, stage, function.as_ref(), *end),
        Op::NextTurn { body } => {
            let result = next_turn(host, &mut stage, *body);
            (stage, result)
        }
        Op::Run => {
            stage.table.position.loops.push(Loop { order: SmallVec::new(), at: 0, end: 0 });
            (stage, Ok(()))
        }
        Op::Repeat { body } => {
            stage.table.position.op = *body;
            (stage, Ok(()))
        }
        Op::PhaseBegins { phase, when, end } => {
            let (mut stage, takes_place) = ask_flag(host, stage, when.as_ref(), true);
            let result = takes_place.map(|takes_place| {
                if takes_place {
                    stage.table.position.phase = Some(*phase);
                    stage.table.position.phase_end = *end;
                    stage.note(|_| Happening::Phase(*phase));
                } else {
                    stage.table.position.op = *end;
                }
            });
            (stage, result)
        }
        Op::PhaseEnds => {
            stage.expire(Lasts::Phase);
            stage.table.position.phase = None;
            (stage, Ok(()))
        }
        Op::RoundBegins => {
            stage.table.position.round += 1;
            let round = stage.table.position.round;
            show_grids(&mut stage);
            stage.note(|_| Happening::Round(round));
            (stage, Ok(()))
        }
        Op::RoundEnds { begin } => round_ends(host, stage, *begin),
        Op::FinishBegins => {
            stage.table.position.finishing = true;
            let ending = stage.table.position.ending.unwrap_or(host.model.flow.ending);
            stage.table.position.ending = Some(ending);
            stage.note(|_| Happening::Finish);
            (stage, Ok(()))
        }
        Op::Call(_) | Op::Over => (stage, Ok(())),
    }
}

fn order_of(
    host: &Rc<Host>,
    stage: Box<Stage>,
    function: Option<&Arc<str>>,
) -> (Box<Stage>, Result<SmallVec<[Seat; 8]>, Diagnostic>) {
    let seats = host.model.seats;
    let Some(function) = function else {
        let first = stage.table.position.first.0;
        let order = (0..seats).map(|step| Seat((first + step) % seats)).collect();
        return (stage, Ok(order));
    };
    let (stage, result) = script::call(host, stage, function, None);
    let order = result.and_then(|choice| match &choice {
        Choice::Many(all) => all
            .iter()
            .map(|one| if let Choice::Seat(seat) = one { Ok(*seat) } else { Err(not_seats(host, function)) })
            .collect(),
        _ => Err(not_seats(host, function)),
    });
    (stage, order)
}

fn not_seats(host: &Host, function: &str) -> Diagnostic {
    host.wrong_result(function, "something else than seats in order")
        .help("give a list of seats, such as `turn_order()`")
}

fn nobody(host: &Host, order: Option<&Arc<str>>) -> Diagnostic {
    let found = Diagnostic::error("no-seats", "nobody takes turns here").help("give at least one seat in `order`");
    match order.and_then(|function| host.place_of(function)) {
        Some(place) => found.mark(place, "gives no seat"),
        None => found,
    }
}

fn begin_loop(stage: &mut Stage, order: SmallVec<[Seat; 8]>, end: u16) {
    let entered = stage.table.position.enter_with.take();
    let at = entered.and_then(|seat| order.iter().position(|other| *other == seat)).unwrap_or(0);
    let seat = order[at];
    stage.table.position.loops.push(Loop { order, at: at as u8, end });
    turn_begins(stage, seat);
}

fn turn_begins(stage: &mut Stage, seat: Seat) {
    stage.table.position.active = Some(seat);
    stage.table.position.again = false;
    stage.table.position.next_turn = None;
    stage.note_to(Layout::only(seat), |_| Happening::Turn(seat));
}

fn next_seat(stage: &mut Stage, body: u16) {
    turn_ends(stage);
    let current = stage.table.position.loops.last_mut().expect("the flow's loops nest");
    current.at += 1;
    match current.order.get(current.at as usize).copied() {
        Some(seat) => {
            stage.table.position.op = body;
            turn_begins(stage, seat);
        }
        None => leave_loop(stage),
    }
}

/// The innermost loop is over: the seat of the loop around it is on turn again.
fn leave_loop(stage: &mut Stage) {
    let position = &mut stage.table.position;
    position.loops.pop();
    position.active = position.loops.iter().rev().find_map(|outer| outer.order.get(outer.at as usize).copied());
}

fn until(host: &Rc<Host>, stage: Box<Stage>, function: Option<&Arc<str>>, end: u16) -> Advanced {
    let (mut stage, over) = ask_flag(host, stage, function, false);
    let result = over.map(|over| {
        if over {
            leave_loop(&mut stage);
            stage.table.position.op = end;
        }
    });
    (stage, result)
}

fn next_turn(host: &Host, stage: &mut Stage, body: u16) -> Result<(), Diagnostic> {
    turn_ends(stage);
    let position = &mut stage.table.position;
    let current = position.loops.last_mut().expect("the flow's loops nest");
    if let Some(seat) = position.next_turn {
        let found = current.order.iter().position(|other| *other == seat);
        current.at = found.ok_or_else(|| not_in_turn(host, body))? as u8;
    } else if !position.again {
        current.at = (current.at + 1) % current.order.len() as u8;
    }
    let seat = current.order[current.at as usize];
    position.op = body;
    turn_begins(stage, seat);
    Ok(())
}

/// The step of the loop that was left just now has given the next turn to a seat that has none in it.
fn not_in_turn(host: &Host, body: u16) -> Diagnostic {
    let found = Diagnostic::error("no-seats", "the next turn was given to a seat that takes no turns here")
        .help("give it to one of the seats in `order`");
    let step = host.model.flow.ops[body as usize..].iter().find_map(|op| match op {
        Op::Call(call) => host.place_of(&call.function),
        _ => None,
    });
    match step {
        Some(place) => found.mark(place, "gives the next turn away"),
        None => found,
    }
}

fn round_ends(host: &Rc<Host>, stage: Box<Stage>, begin: u16) -> Advanced {
    let (mut stage, said_last) = ask_flag(host, stage, host.model.flow.rounds_until.as_ref(), false);
    let result = said_last.map(|said_last| {
        stage.expire(Lasts::Round);
        let position = &mut stage.table.position;
        let counted_out = host.model.flow.rounds.is_some_and(|rounds| position.round >= rounds);
        if !(said_last || counted_out || position.last_round) {
            position.op = begin;
        }
    });
    (stage, result)
}

/// Asks a function that says yes or no; the default where there is none.
fn ask_flag(
    host: &Rc<Host>,
    stage: Box<Stage>,
    function: Option<&Arc<str>>,
    default: bool,
) -> (Box<Stage>, Result<bool, Diagnostic>) {
    let Some(function) = function else { return (stage, Ok(default)) };
    let (stage, result) = script::call(host, stage, function, None);
    let flag = result.and_then(|choice| match choice {
        Choice::Flag(flag) => Ok(flag),
        _ => Err(host.wrong_result(function, "something else than yes or no").help("end it with a comparison")),
    });
    (stage, flag)
}

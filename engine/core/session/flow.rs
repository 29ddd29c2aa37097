//! Runs the compiled flow from one step to the next.

use super::opening::Rest;
use super::outcome::{self, Outcome};
use crate::decision::{Choice, EventKind, Observer, ObserverHandle};
use crate::diagnostic::Diagnostic;
use crate::library::State;
use crate::model::{First, Flow, Model, Op, PhaseId, ResetPeriod, STANDING_FUNCTION, Seat, Setting};
use crate::script::{self, Host};
use crate::table::{Layout, Loop, Stream};
use smallvec::SmallVec;
use std::sync::{Arc, Mutex};

/// Next action of the flow.
pub(super) enum FlowAction {
    /// Call a function of the rules as the next step.
    Step {
        /// Name of the function.
        function: Arc<str>,
        /// The seat that is passed to the function, if any.
        seat: Option<Seat>,
    },
    /// Play rests until it is resumed.
    Rests,
    /// The game is over.
    Over,
    /// The rules or the flow failed.
    Fault(Box<Diagnostic>),
}

/// Determines the seat that goes first. A random result is recorded as an event, if events are kept and several seats take turns in order.
pub(super) fn choose_first(state: &mut State) {
    let model = state.table.model().clone();
    let named = match &model.flow.first {
        First::FirstSeat => Some(Seat(0)),
        First::Random => None,
        First::Option(option) => match model.options.get(option).map(|option| &option.value) {
            Some(Setting::Seat(seat)) => Some(*seat),
            _ => None,
        },
    };
    let chance = &mut state.table.chance;
    let fixed = if named.is_none() { chance.fixed_first() } else { None };
    state.table.position.first =
        named.or(fixed).unwrap_or_else(|| Seat(chance.event(Stream::FIRST).below(u32::from(model.seats)) as u8));
    if named.is_none() && model.seats > 1 && is_in_order(&model.flow) {
        state.note(|table| EventKind::First(table.position.first));
    }
}

/// Moves the flow to the beginning of a phase in the given round. `seat` is the seat whose turn comes first, if not the first seat.
pub(super) fn enter_phase(state: &mut State, phase: PhaseId, round: i64, seat: Option<Seat>) {
    let model = state.table.model().clone();
    let begins = |op: &Op| matches!(op, Op::PhaseBegins { phase: other, .. } if *other == phase);
    let at = model.flow.ops.iter().position(begins).unwrap_or_default();
    let position = &mut state.table.position;
    position.op = at as u16;
    position.round = round;
    position.enter_with = seat;
}

/// Returns whether the setup is over and the first round has not begun.
pub(super) fn setup_is_over(state: &State) -> bool {
    let position = &state.table.position;
    let next = &state.table.model().flow.ops[position.op as usize];
    position.round == 0 && !position.finishing && matches!(next, Op::RoundBegins)
}

/// Maximum number of steps without a decision: far more than any sensible game needs.
const MAX_UNASKED: u32 = 10_000;

/// Creates the diagnostic for a flow that no longer reaches a decision. `function` is a function that the flow calls, if any; the
/// diagnostic marks the place that names it.
fn endless_flow(model: &Model, function: Option<&str>) -> Diagnostic {
    let found = Diagnostic::error("endless", "the flow loops without asking anybody")
        .help("check the `until` and `when` of the phases, and whether their steps ask anything");
    let place = function.and_then(|function| model.flow.place_of(function)).or(model.flow.place.as_ref());
    match place {
        Some(place) => found.mark(place.clone(), "loops forever"),
        None => found,
    }
}

/// Returns the function that an instruction calls, if it calls one.
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

/// Maximum number of instructions executed to reach the next step. No sensible flow needs that many.
const PATIENCE: usize = 10_000;

/// Advances to the next step. Shows the observer the table and the standings if they are due, and then notifies it that the step begins.
pub(super) fn advance(host: &Host, state: &mut State, rest: Option<Rest>) -> FlowAction {
    let next = next_step(host, state, rest);
    if !matches!(next, FlowAction::Over) {
        show_standings(state, |state| outcome::standings(host, state));
    }
    if let (FlowAction::Step { function, .. }, Some(observed)) = (&next, &state.journal.observed) {
        observed.observer().step_begins(function);
    }
    next
}

/// Determines the outcome of a finished game. Also shows the observer the final standings, which reuse the scores of the outcome if
/// possible.
pub(super) fn conclude(host: &Host, state: &mut State) -> Result<Outcome, Diagnostic> {
    let outcome = outcome::score(host, state);
    show_standings(state, |state| match &outcome {
        Ok(outcome) => outcome::last_standings(host, state, outcome),
        Err(_) => outcome::standings(host, state),
    });
    outcome
}

/// Shows the observer the table and the standings if they are due.
fn show_standings(state: &mut State, standings: impl FnOnce(&mut State) -> Option<Vec<i64>>) {
    let Some(mut observed) = state.journal.observed.take() else { return };
    if observed.advance(&state.table.position) {
        let standings = standings(state);
        observed.observer().rests(&state.table, standings.as_deref());
    }
    state.journal.observed = Some(observed);
}

/// Prepares the observer of a new game. If the game has only one round and the rules have `standing`, the observer is shown the table after
/// every step, not only after rounds.
pub(super) fn observed(host: &Host, observer: Arc<Mutex<dyn Observer>>) -> ObserverHandle {
    let flow = &host.model.flow;
    let is_one_round = flow.rounds == Some(1) || (flow.rounds.is_none() && flow.rounds_until.is_none());
    ObserverHandle::new(observer, is_one_round && host.has(STANDING_FUNCTION))
}

fn next_step(host: &Host, state: &mut State, rest: Option<Rest>) -> FlowAction {
    let mut last_called = None;
    for _ in 0..PATIENCE {
        let at = state.table.position.op;
        // There is no instruction after the end of the game.
        let Some(op) = host.model.flow.ops.get(at as usize) else { return FlowAction::Over };
        if rest.is_some_and(|rest| rest.is_left_by(op, &state.table.position)) {
            return FlowAction::Rests;
        }
        state.table.position.op = at + 1;
        last_called = called(op).or(last_called);
        let result = match op {
            Op::Call(call) if call.takes_seat && is_over_for_seat(state) => Ok(()),
            Op::Call(call) if state.steps_unasked >= MAX_UNASKED => {
                return FlowAction::Fault(Box::new(endless_flow(&host.model, Some(&call.function))));
            }
            Op::Call(call) => {
                state.steps_unasked += 1;
                let seat = call.takes_seat.then_some(state.table.position.active).flatten();
                state.note_step();
                return FlowAction::Step { function: call.function.clone(), seat };
            }
            Op::Over => {
                show_grids(state);
                let ending = state.table.position.ending.unwrap_or(host.model.flow.ending);
                state.note(|_| EventKind::Ended(ending));
                return FlowAction::Over;
            }
            op => carry_out(host, state, op),
        };
        if let Err(diagnostic) = result {
            return FlowAction::Fault(Box::new(diagnostic));
        }
    }
    FlowAction::Fault(Box::new(endless_flow(&host.model, last_called.map(|name| &**name))))
}

/// Resets the values that last for a turn if the step that ends is not part of a turn. Within a turn, they are reset when the turn ends.
pub(super) fn end_step(state: &mut State) {
    if state.table.position.active.is_none() {
        state.expire(ResetPeriod::Turn);
    }
}

/// Ends a turn: resets the values that last for a turn, and notifies the observer. Does nothing if the turn is nested in another turn.
fn turn_ends(state: &mut State) {
    let [outer @ .., _] = state.table.position.loops.as_slice() else { return };
    if outer.iter().all(|outer| outer.order.is_empty()) {
        turn_is_over(state);
    }
}

fn turn_is_over(state: &mut State) {
    state.expire(ResetPeriod::Turn);
    if let Some(observed) = state.journal.observed.as_ref().filter(|_| state.table.position.active.is_some()) {
        observed.observer().turn_ends();
    }
}

/// Jumps to the finishing section of the flow because the script ended the game. If this section is already running, jumps to its end.
pub(super) fn end_game(state: &mut State) {
    turn_is_over(state);
    let model = state.table.model().clone();
    let position = &mut state.table.position;
    position.loops.clear();
    position.phase = None;
    position.active = None;
    position.op = if position.finishing { model.flow.ops.len() as u16 - 1 } else { model.flow.finish };
}

/// Records a picture of each grid that has printed contents or pieces to show.
fn show_grids(state: &mut State) {
    state.journal.weight += state.table.picture_size();
    if !state.is_noting() {
        return;
    }
    for picture in state.table.pictures() {
        state.note(|_| EventKind::Pictured(Arc::new(picture)));
    }
}

fn carry_out(host: &Host, state: &mut State, op: &Op) -> Result<(), Diagnostic> {
    match op {
        Op::EachSeat { order, end } => {
            let seats = determine_order(host, state, order.as_ref())?;
            skip_eliminated_entry(state, &seats);
            let seats = retain_seats_in_play(state, seats);
            if seats.is_empty() {
                state.table.position.op = *end;
            } else {
                begin_loop(state, seats, false);
            }
        }
        Op::NextSeat { body } => next_seat(state, *body),
        Op::Turns { order } => {
            let seats = determine_order(host, state, order.as_ref())?;
            if seats.is_empty() {
                return Err(nobody_takes_turns(host, order.as_ref()));
            }
            skip_eliminated_entry(state, &seats);
            let seats = retain_seats_in_play(state, seats);
            if seats.is_empty() {
                // If all seats are eliminated, there are no turns.
                state.table.position.op = end_of_loop(host, state.table.position.op);
            } else {
                begin_loop(state, seats, true);
            }
        }
        Op::Until { function, end } => {
            if ask_flag(host, state, function.as_ref(), false)? {
                leave_loop(state);
                state.table.position.op = *end;
            }
        }
        Op::NextTurn { body } => next_turn(host, state, *body),
        Op::Run => state.table.position.loops.push(Loop::new(SmallVec::new(), 0, true)),
        Op::Repeat { body } if is_over_for_seat(state) => {
            leave_loop(state);
            state.table.position.op = end_of_loop(host, *body);
        }
        Op::Repeat { body } => state.table.position.op = *body,
        Op::PhaseBegins { phase, when, end } => {
            if ask_flag(host, state, when.as_ref(), true)? {
                state.table.position.phase = Some(*phase);
                state.table.position.phase_end = *end;
                state.note(|_| EventKind::Phase(*phase));
                state.observe(|observer| observer.phase_begins(*phase));
            } else {
                state.table.position.op = *end;
            }
        }
        Op::PhaseEnds => {
            state.expire(ResetPeriod::Phase);
            state.table.position.phase = None;
        }
        Op::RoundBegins => {
            state.table.position.round += 1;
            let round = state.table.position.round;
            show_grids(state);
            state.note(|_| EventKind::Round(round));
            let first = state.table.position.first;
            state.observe(|observer| observer.round_begins(round, first));
            if logs_first_seat(host, round) {
                state.note(|table| EventKind::First(table.position.first));
            }
        }
        Op::RoundEnds { begin } => end_round(host, state, *begin)?,
        Op::FinishBegins => {
            state.table.position.finishing = true;
            let ending = state.table.position.ending.unwrap_or(host.model.flow.ending);
            state.table.position.ending = Some(ending);
            state.note(|_| EventKind::Finish);
        }
        Op::Call(_) | Op::Over => {}
    }
    Ok(())
}

/// Returns whether the log names the first seat of a round. If turns are taken in order, the log names it in the first round. If the rules
/// may also change who goes first, it does so in every round.
fn logs_first_seat(host: &Host, round: i64) -> bool {
    host.model.seats > 1 && (round == 1 || host.may_change_first_seat()) && is_in_order(&host.model.flow)
}

/// Returns whether the flow has turns that are taken in seating order, beginning with the first seat.
fn is_in_order(flow: &Flow) -> bool {
    flow.ops.iter().any(|op| matches!(op, Op::EachSeat { order: None, .. } | Op::Turns { order: None }))
}

fn determine_order(
    host: &Host,
    state: &mut State,
    function: Option<&Arc<str>>,
) -> Result<SmallVec<[Seat; 8]>, Diagnostic> {
    let seats = host.model.seats;
    let Some(function) = function else {
        let first = state.table.position.first.0;
        return Ok((0..seats).map(|step| Seat((first + step) % seats)).collect());
    };
    let Choice::Many(all) = script::call(host, state, function, None)? else { return Err(not_seats(host, function)) };
    let seat = |one: &Choice| if let Choice::Seat(seat) = one { Ok(*seat) } else { Err(not_seats(host, function)) };
    all.iter().map(seat).collect()
}

fn not_seats(host: &Host, function: &str) -> Diagnostic {
    host.wrong_result(function, "not a list of seats").help("give a list of seats, such as `turn_order()`")
}

fn nobody_takes_turns(host: &Host, order: Option<&Arc<str>>) -> Diagnostic {
    let found = Diagnostic::error("no-seats", "nobody takes turns here").help("give at least one seat in `order`");
    match order.and_then(|function| host.place_of(function)) {
        Some(place) => found.mark(place, "returns no seat"),
        None => found,
    }
}

fn begin_loop(state: &mut State, order: SmallVec<[Seat; 8]>, is_endless: bool) {
    let entered = state.table.position.enter_with.take();
    let at = entered.and_then(|seat| order.iter().position(|other| *other == seat)).unwrap_or(0);
    let seat = order[at];
    state.observe(|observer| observer.turns_begin(&order));
    state.table.position.loops.push(Loop::new(order, at as u8, is_endless));
    begin_turn(state, seat);
}

fn begin_turn(state: &mut State, seat: Seat) {
    state.table.position.active = Some(seat);
    state.note_to(Layout::only(seat), |_| EventKind::Turn(seat));
}

/// Ends a turn of a loop that visits each seat once. Continues with another turn of the same seat, with the next seat,
/// or after the loop.
fn next_seat(state: &mut State, body: u16) {
    turn_ends(state);
    let position = &mut state.table.position;
    let out = position.eliminated;
    let current = position.loops.last_mut().expect("the flow's loops nest");
    if current.again > 0 {
        current.again -= 1;
    } else {
        current.at += 1;
    }
    while current.seat().is_some_and(|seat| out & Layout::only(seat) != 0) {
        current.at += 1;
    }
    match current.seat() {
        Some(seat) => {
            state.table.position.op = body;
            begin_turn(state, seat);
        }
        None => leave_loop(state),
    }
}

/// Returns `seats` without the eliminated seats.
fn retain_seats_in_play(state: &State, mut seats: SmallVec<[Seat; 8]>) -> SmallVec<[Seat; 8]> {
    seats.retain(|seat| state.table.position.is_in_play(*seat));
    seats
}

/// If play begins with the turn of a seat that was eliminated, lets it begin with the next seat of the order.
fn skip_eliminated_entry(state: &mut State, order: &[Seat]) {
    let position = &mut state.table.position;
    let Some(at) = position.enter_with.and_then(|seat| order.iter().position(|other| *other == seat)) else { return };
    let next = order[at..].iter().copied().find(|seat| position.is_in_play(*seat));
    position.enter_with = next.or(position.enter_with);
}

/// Returns whether the active seat was eliminated, so that the rest of its turn is skipped.
fn is_over_for_seat(state: &State) -> bool {
    state.table.position.active.is_some_and(|seat| !state.table.position.is_in_play(seat))
}

/// Returns the index of the instruction after the loop whose `Until` is at index `until`.
fn end_of_loop(host: &Host, until: u16) -> u16 {
    match host.model.flow.ops.get(usize::from(until)) {
        Some(Op::Until { end, .. }) => *end,
        _ => until,
    }
}

/// Leaves the innermost loop. The seat of the enclosing loop becomes the active seat again.
fn leave_loop(state: &mut State) {
    let position = &mut state.table.position;
    position.loops.pop();
    position.active = position.loops.iter().rev().find_map(Loop::seat);
}

/// Ends a turn of a loop that goes around the table repeatedly. Continues with another turn of the same seat, with the
/// seat that was given the next turn, or with the next seat in order.
fn next_turn(host: &Host, state: &mut State, body: u16) {
    turn_ends(state);
    let position = &mut state.table.position;
    let out = position.eliminated;
    let current = position.loops.last_mut().expect("the flow's loops nest");
    if current.again > 0 {
        current.again -= 1;
    } else if current.given.is_empty() {
        current.at = (current.at + 1) % current.order.len() as u8;
    } else {
        current.at = current.given.remove(0);
    }
    let count = current.order.len();
    let next = (0..count).map(|step| (usize::from(current.at) + step) % count);
    let Some(at) = { next }.find(|at| out & Layout::only(current.order[*at]) == 0) else {
        leave_loop(state);
        state.table.position.op = end_of_loop(host, body);
        return;
    };
    current.at = at as u8;
    let seat = current.order[at];
    position.op = body;
    begin_turn(state, seat);
}

fn end_round(host: &Host, state: &mut State, begin: u16) -> Result<(), Diagnostic> {
    let said_last = ask_flag(host, state, host.model.flow.rounds_until.as_ref(), false)?;
    state.expire(ResetPeriod::Round);
    let position = &mut state.table.position;
    let counted_out = host.model.flow.rounds.is_some_and(|rounds| position.round >= rounds);
    if !(said_last || counted_out || position.last_round) {
        position.op = begin;
    }
    Ok(())
}

/// Calls a function that returns a flag. If `function` is `None`, returns the default.
fn ask_flag(host: &Host, state: &mut State, function: Option<&Arc<str>>, default: bool) -> Result<bool, Diagnostic> {
    let Some(function) = function else { return Ok(default) };
    match script::call(host, state, function, None)? {
        Choice::Flag(flag) => Ok(flag),
        _ => Err(host.wrong_result(function, "not `true` or `false`").help("end it with a comparison")),
    }
}

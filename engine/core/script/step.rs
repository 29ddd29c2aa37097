//! Steps: runs of a rule function or a script fragment, which end or wait for a decision.

use super::advice_cache::Advice;
use super::host::Host;
use super::machine::{Machine, Progress};
use crate::decision::{Choice, Decision, Value};
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::context::UNKNOWN_READ;
use crate::library::context::permissions::OnlyKnown;
use crate::library::context::triggers::{EFFECT, PIECE, TriggerRecord};
use crate::library::entry::reply::PendingQuestion;
use crate::library::{OPERATION_BUDGET, State};
use crate::model::{Seat, TriggerOrder};
use crate::vm::Run;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Code that a step runs.
#[derive(Debug, Clone)]
pub enum Call {
    /// A rule function. Its argument, if any, is the seat on turn.
    Function(Arc<str>, Option<Seat>),
    /// A script fragment, with the names that exist only in it and their values.
    Text(Arc<Source>, Arc<[(String, Value)]>),
}

/// A step that waits for an answer, and the rules that run it.
#[derive(Clone)]
pub struct Step {
    run: Run,
    question: Box<PendingQuestion>,
    rules: Rules,
}

/// A step that waits for an answer, without its rules. It can be resumed on another thread with the same rules.
#[derive(Clone)]
pub struct Waiting {
    run: Run,
    question: Box<PendingQuestion>,
    /// Source and additional names of the fragment. `None` if the step is part of the flow.
    text: Option<(Arc<Source>, Arc<[(String, Value)]>)>,
}

impl Waiting {
    /// Returns whether the step is a fragment rather than part of the flow.
    pub const fn is_fragment(&self) -> bool {
        self.text.is_some()
    }
}

#[cfg(feature = "walker")]
impl Waiting {
    /// Returns whether `other` waits for an answer to an equal question, at the same instruction and with equal variables.
    pub fn is_at(&self, other: &Self) -> bool {
        self.question == other.question && self.run.is_at(&other.run)
    }
}

/// The rules that run a step, in compiled form.
#[derive(Clone)]
struct Rules {
    host: Arc<Host>,
    machine: Arc<Machine>,
    /// Source and additional names of the fragment. `None` if the step is part of the flow.
    text: Option<(Arc<Source>, Arc<[(String, Value)]>)>,
}

/// Result of running a step.
pub enum Ended {
    /// The step is complete.
    Done,
    /// The rules ended the game.
    GameEnded,
    /// A decision is pending.
    Asked(Step),
    /// A recorded answer is not among the options in this world.
    NotOffered,
    /// The step stopped with a fault, usually a mistake in the rules.
    Fault(Box<Diagnostic>),
}

impl Step {
    /// Estimates the number of bytes that a copy takes. The estimate does not depend on the machine.
    pub fn size(&self) -> usize {
        self.run.size() + self.question.size()
    }

    /// Runs a step until it ends or asks.
    pub fn begin(host: &Arc<Host>, state: &mut State, call: &Call) -> Ended {
        state.begin_step();
        let begun = match call {
            #[cfg(feature = "walker")]
            Call::Function(function, seat) if host.is_walked() => {
                let progress = catch_panic(|| host.walk(state, function, seat.map(Value::from).as_ref()));
                // The script engine does not run triggered functions.
                return Rules { host: host.clone(), machine: host.machine().clone(), text: None }.ended(
                    state,
                    progress,
                    Run::default(),
                );
            }
            Call::Function(function, seat) => host.prepare_run(function, seat.map(Value::from).as_ref()),
            Call::Text(source, names) => host.prepare_fragment(source, names),
        };
        let text = if let Call::Text(source, names) = call { Some((source.clone(), names.clone())) } else { None };
        let (machine, mut run) = match begun {
            Ok(begun) => begun,
            Err(diagnostic) => return Ended::Fault(Box::new(diagnostic)),
        };
        let progress = catch_panic(|| machine.resume(state, &mut run));
        Rules { host: host.clone(), machine, text }.run_triggers(state, progress, run)
    }

    /// Resumes the step with the option at index `at`.
    pub fn resume(self, state: &mut State, at: usize) -> Ended {
        let Self { mut run, question, rules } = self;
        let progress = rules.answer(state, &mut run, *question, at, OPERATION_BUDGET);
        rules.run_triggers(state, progress, run)
    }

    /// Returns the place where a call first reads something that a seat does not know. Returns `None` if the call ends, fails or asks a
    /// decision before such a read.
    pub fn first_unknown(host: &Arc<Host>, state: &mut State, call: &Call, seat: Seat) -> Option<Place> {
        Self::unknown_after(host, state, call, OnlyKnown::new(seat, 0))
    }

    /// Returns the place where a call last reads something that a seat does not know before it ends, fails or asks a decision. Returns
    /// `None` if there is no such read. `state` returns the game before the call.
    pub fn last_unknown(host: &Arc<Host>, state: &dyn Fn() -> State, call: &Call, seat: Seat) -> Option<Place> {
        let all = OnlyKnown::new(seat, u32::MAX);
        Self::unknown_after(host, &mut state(), call, all.clone());
        let before = (u32::MAX - all.allowed()).checked_sub(1)?;
        Self::unknown_after(host, &mut state(), call, OnlyKnown::new(seat, before))
    }

    /// Returns the place of the first read that a restriction does not allow.
    fn unknown_after(host: &Arc<Host>, state: &mut State, call: &Call, only: OnlyKnown) -> Option<Place> {
        state.permissions.only_known = Some(only);
        match Self::begin(host, state, call) {
            Ended::Fault(found) if found.code == UNKNOWN_READ => found.marks.first().map(|mark| mark.place.clone()),
            _ => None,
        }
    }

    /// Returns the place where the pending decision was asked.
    pub fn place(&self) -> Option<Place> {
        let asked = self.unanswered(Diagnostic::error(UNKNOWN_READ, String::new()));
        asked.marks.into_iter().next().map(|mark| mark.place)
    }

    /// Adds the place where the decision was asked to a diagnostic about its missing answer. Leaves a diagnostic that already has a place
    /// unchanged.
    pub fn unanswered(&self, why: Diagnostic) -> Diagnostic {
        self.rules.machine.unanswered(&self.run, why)
    }

    /// Returns the state that is needed to resume the step elsewhere.
    pub fn waiting(&self) -> Waiting {
        Waiting { run: self.run.clone(), question: self.question.clone(), text: self.rules.text.clone() }
    }

    /// Recreates a waiting step with the rules of a host of the same game and setup.
    ///
    /// # Errors
    /// If the step is a fragment, returns the first error in the fragment.
    pub fn restore(host: &Arc<Host>, waiting: Waiting) -> Result<Self, Box<Diagnostic>> {
        let Waiting { run, question, text } = waiting;
        let machine = match &text {
            Some((source, names)) => host.prepare_fragment(source, names)?.0,
            None => host.machine().clone(),
        };
        Ok(Self { run, question, rules: Rules { host: host.clone(), machine, text } })
    }

    /// Returns the pending decision.
    pub fn decision(&self) -> &Decision {
        self.question.decision()
    }
}

/// Code of the fault for an exceeded budget of operations.
const ENDLESS: &str = "endless";

/// Fuel charged for each triggered function, in addition to the fuel that the function uses.
const TRIGGER_COST: u64 = 8;

impl Rules {
    /// Runs the triggered functions after a function has returned, within the step's budget. Answers the questions that are put to automas.
    fn run_triggers(self, state: &mut State, mut progress: Progress, mut run: Run) -> Ended {
        loop {
            progress = self.answer_for_automas(state, progress, &mut run);
            let Progress::Done(done) = &progress else { break };
            // The triggered function that has just returned, if there is one.
            state.end_effect();
            if state.triggers.is_choosing() {
                state.triggers.set_choosing(false);
                if let Value::Map(parts) = done
                    && let (Some(Value::Piece(piece)), Some(Value::Text(effect))) =
                        (parts.get(&PIECE), parts.get(&EFFECT))
                {
                    state.triggers.bring_forward(piece.get(), effect);
                }
            } else if let Some(asked) = self.next_trigger(state) {
                progress = asked;
                continue;
            }
            let Some(next) = state.triggers.next() else { break };
            state.table.set_recalling(true);
            let left = state.triggers.fuel_left.saturating_sub(TRIGGER_COST);
            state.begin_triggered(next.piece);
            progress = match self.machine.run_with_fuel(&next.function, &next.arguments, left) {
                Ok(begun) => {
                    run = begun;
                    catch_panic(|| self.machine.resume(state, &mut run))
                }
                Err(fault) => Progress::Fault(fault),
            };
        }
        if let Progress::Fault(fault) = &mut progress
            && fault.code == ENDLESS
        {
            explain_trigger_cycle(state, fault);
        }
        self.ended(state, progress, run)
    }

    /// Answers `question` with the option at index `at`. If the question is which triggered function runs next, returns the chosen effect.
    /// Otherwise resumes the waiting run.
    fn answer(&self, state: &mut State, run: &mut Run, question: PendingQuestion, at: usize, fuel: u64) -> Progress {
        if state.triggers.is_choosing() {
            return catch_panic(|| self.machine.answer_next_effect(state, question, at));
        }
        catch_panic(|| self.machine.resume_with_answer(state, run, question, at, fuel))
    }

    /// Sorts the triggered functions if they run in turn order. Returns a question if a seat may choose which of its own functions runs
    /// next.
    fn next_trigger(&self, state: &mut State) -> Option<Progress> {
        let flow = &self.host.model.flow;
        if flow.triggers == TriggerOrder::TurnOrder {
            let from = state.table.position.active.unwrap_or(state.table.position.first);
            let in_turn: Vec<Seat> = state.table.seats_from(from).collect();
            state.triggers.sort_by_turn_order(&in_turn);
        }
        let decision = flow.trigger_choice?;
        let (seat, effects) = state.triggers.choice(flow.triggers)?;
        state.triggers.set_choosing(true);
        Some(catch_panic(|| self.machine.ask_next_effect(state, (seat, decision), effects)))
    }

    /// Answers questions to seats that the rules play. Chooses the option that the decision's rating function rates highest, or the first
    /// of several equally good options.
    fn answer_for_automas(&self, state: &mut State, mut progress: Progress, run: &mut Run) -> Progress {
        while let Progress::Asked(question) = progress {
            let decision = question.decision();
            if !self.host.model.automas.contains(&decision.seat) {
                return Progress::Asked(question);
            }
            // Unlike an answer of a player, an answer for an automa does not refuel the step. All its ratings together stay within the
            // step's budget.
            let mut left = if state.triggers.is_choosing() { state.triggers.fuel_left } else { run.remaining_fuel() };
            let best = match self.best_for_automa(state, decision, &mut left) {
                Ok(best) => best,
                Err(fault) => return Progress::Fault(Box::new(self.machine.unanswered(run, fault))),
            };
            state.triggers.fuel_left = left;
            progress = self.answer(state, run, *question, best, left);
        }
        progress
    }

    /// Returns the index of the best option for a seat that the rules play. Subtracts the fuel that the ratings use from `left`.
    ///
    /// # Errors
    /// Returns a fault if the decision has no rating function, or if the function fails or does not return a number.
    fn best_for_automa(&self, state: &mut State, decision: &Decision, left: &mut u64) -> Result<usize, Diagnostic> {
        let host = &self.host;
        let declared = &host.model.decisions[decision.id.index()];
        let Some(named) = &declared.automa else {
            let message = format!("the automa is asked `{}`, but no rule says what it chooses", declared.id);
            let help = format!(
                "add `automa = \"…\"` to `[decisions.{}]`: a function of the seat and an option that returns how good the option is",
                declared.id
            );
            return Err(Diagnostic::error("no-automa", message).help(help));
        };
        let mut best: Option<(i64, usize)> = None;
        for at in decision.considered().iter() {
            *left = left.saturating_sub(TRIGGER_COST);
            let given = [Value::from(decision.seat), decision.option(at).to_value()];
            let mut asked = self.machine.run_with_fuel(&named.function, &given, *left).map_err(|fault| *fault)?;
            let said = read_only(state, false, |state| self.machine.resume(state, &mut asked).into_value())?;
            *left = state.triggers.fuel_left;
            let Value::Number(worth) = said else {
                let found = host.wrong_result(&named.function, "not a number");
                return Err(found.help("return how good it is: more is better"));
            };
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, at));
            }
        }
        best.map(|(_, at)| at).ok_or_else(|| Diagnostic::error("internal", "a question has no option"))
    }

    fn ended(self, state: &mut State, progress: Progress, run: Run) -> Ended {
        match progress {
            Progress::Done(_) => {
                state.table.look_away(None);
                state.table.forget_last_known();
                Ended::Done
            }
            Progress::Asked(question) => Ended::Asked(Step { run, question, rules: self }),
            Progress::GameEnded => Ended::GameEnded,
            Progress::NotOffered => Ended::NotOffered,
            Progress::Fault(diagnostic) => Ended::Fault(match &self.text {
                Some((text, names)) => Box::new(self.host.with_spelling_help(text, names, *diagnostic)),
                None => diagnostic,
            }),
        }
    }
}

/// If cards trigger each other in a cycle, names them in the diagnostic for an exceeded budget.
pub fn explain_trigger_cycle(state: &State, fault: &mut Diagnostic) {
    let Some(circle) = state.triggers.find_cycle() else { return };
    let name = |(event, piece, _): &TriggerRecord| {
        let model = state.table.model();
        let (component, space) =
            state.table.without_recording_reads(|table| (table.component(*piece), table.space_of(*piece)));
        let whose = model.zone(model.space(space).zone).seat;
        let whose = whose.map_or_else(String::new, |seat| format!(" of player {}", seat.number()));
        format!("`{}`{whose} ({event})", model.component(component).id)
    };
    let names: Vec<String> = circle.iter().map(name).collect();
    fault.message = format!("endless chain of triggers: {}", names.join(", then "));
    fault.help = Some("add a condition to one of them, or limit it to once per turn".to_owned());
}

impl Progress {
    /// Returns the result of a run that must not ask anyone.
    ///
    /// # Errors
    /// Returns the fault. Asking or ending the game is a fault too.
    pub(super) fn into_value(self) -> Result<Value, Diagnostic> {
        match self {
            Self::Done(value) => Ok(value),
            Self::Fault(fault) => Err(*fault),
            Self::GameEnded => Err(Diagnostic::error("change-while-reading", "the game cannot be ended here")
                .help("end it in a step of a phase")),
            Self::Asked(_) | Self::NotOffered => Err(Diagnostic::error("internal", "a decision was left open")),
        }
    }
}

/// Converts a panic to a fault.
fn catch_panic(run: impl FnOnce() -> Progress) -> Progress {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Progress::Fault(Box::new(internal_error(&*panic))))
}

/// Runs code that must not ask anyone, and that may change the game only if `may_change` is set.
fn read_only<T>(
    state: &mut State,
    may_change: bool,
    run: impl FnOnce(&mut State) -> Result<T, Diagnostic>,
) -> Result<T, Diagnostic> {
    let before = (state.permissions.may_ask, state.permissions.may_change);
    (state.permissions.may_ask, state.permissions.may_change) = (false, may_change);
    let result = catch_unwind(AssertUnwindSafe(|| run(state))).unwrap_or_else(|panic| Err(internal_error(&*panic)));
    (state.permissions.may_ask, state.permissions.may_change) = before;
    result
}

/// Calls a function that only reads the table, such as a condition, an order, a score or an invariant. `given` is the argument, if any.
///
/// # Errors
/// Returns the fault that stopped the function, or `wrong-result` if its result cannot be stored, such as a closure.
pub fn call(host: &Host, state: &mut State, function: &str, given: Option<&Value>) -> Result<Choice, Diagnostic> {
    let value = read_only(state, false, |state| host.run(state, function, given))?;
    result_of(host, function, &value)
}

/// Returns the costs and gains of an option, as computed by a rule function.
///
/// # Errors
/// Returns the fault that stopped the function, or `wrong-result` if its result cannot be stored, such as a closure.
pub fn costs(
    host: &Host,
    state: &mut State,
    function: &str,
    seat: Seat,
    option: &Choice,
) -> Result<Choice, Diagnostic> {
    let value = read_only(state, false, |state| host.run_for_option(state, function, seat, option))?;
    result_of(host, function, &value)
}

/// Asks an agent script to rate options or, without a decision, to rate the position for each seat.
///
/// # Errors
/// Returns the fault that stopped the script.
pub fn advise(
    state: &mut State,
    advice: &Advice,
    decision: Option<(&Decision, &[Choice])>,
) -> Result<Vec<i64>, Diagnostic> {
    read_only(state, false, |state| match decision {
        Some((decision, choices)) => advice.ratings(state, decision, choices),
        None => advice.estimate_all(state),
    })
}

/// Returns whether an agent script chooses the first of equally good options.
///
/// # Errors
/// Returns the fault that stopped the script.
pub fn takes_first_of_equals(state: &mut State, advice: &Advice) -> Result<bool, Diagnostic> {
    read_only(state, false, |state| advice.takes_first_of_equals(state))
}

fn result_of(host: &Host, function: &str, value: &Value) -> Result<Choice, Diagnostic> {
    Choice::from_value(value).ok_or_else(|| {
        host.wrong_result(function, &value.kind()).help("return a number, a flag, a list or another value")
    })
}

/// Evaluates a fragment. It may change the game only if `may_change` is set.
///
/// # Errors
/// Returns the first error in the fragment, the fault that stopped it, or `wrong-result` if its result cannot be stored, such as a closure.
pub fn evaluate(
    host: &Host,
    state: &mut State,
    source: &Arc<Source>,
    names: &[(String, Value)],
    may_change: bool,
) -> Result<Choice, Diagnostic> {
    let value = read_only(state, may_change, |state| host.eval(state, source, names))?;
    let wrong = || Diagnostic::error("wrong-result", format!("the result is {}, not a value", value.kind()));
    Choice::from_value(&value).ok_or_else(wrong)
}

/// Sets up a position by running fragments in order. The fragments may move pieces from anywhere, and nothing is logged.
///
/// # Errors
/// Returns the error of the first fragment that fails, as described for [`evaluate`].
pub fn arrange(
    host: &Host,
    state: &mut State,
    sources: &[Arc<Source>],
    names: &[(String, Value)],
) -> Result<(), Diagnostic> {
    let is_kept = std::mem::replace(&mut state.journal.is_kept, false);
    state.permissions.arranged = Some(Vec::new());
    let arranged = sources.iter().try_for_each(|source| evaluate(host, state, source, names, true).map(drop));
    state.permissions.arranged = None;
    state.journal.is_kept = is_kept;
    arranged
}

/// Runs `run` and converts a panic to a diagnostic.
///
/// # Errors
/// Returns the panic as a defect of the engine.
pub fn catch_panics<R>(run: impl FnOnce() -> R) -> Result<R, Box<Diagnostic>> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| Box::new(internal_error(&*panic)))
}

fn internal_error(panic: &(dyn Any + Send)) -> Diagnostic {
    let words = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    Diagnostic::error("internal", format!("the engine failed: {words}"))
        .help("report this with the game's folder and the command: it is a defect of the engine, not of the rules")
}

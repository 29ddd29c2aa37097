//! One call of a function of the rules by the flow, from its beginning to its end or to an open question.

use super::advice::{Advice, Asked};
use super::broken;
use super::check;
use super::dynamic::Scripted;
use super::explain;
use super::fiber::{self, Fiber, Panic, Progress};
use super::host::Host;
use super::stage::{self, Asking, Stage, Stop};
use crate::decision::{Choice, Decision, Value};
use crate::diagnostic::{Diagnostic, Mark, Source};
use crate::model::Seat;
use std::rc::Rc;
use std::sync::Arc;

/// How the names of the functions begin that must always give `true`.
pub(super) const INVARIANT: &str = "invariant_";

type Outcome = Result<(), Box<Diagnostic>>;

/// What a step runs.
#[derive(Debug, Clone)]
pub enum Call {
    /// A function of the rules, given the seat on turn or nothing.
    Function(Arc<str>, Option<Seat>),
    /// A text in the game's own vocabulary, with names for seats.
    Text(Arc<Source>, Arc<[(String, Seat)]>),
}

impl Call {
    /// The function it begins with; nothing for a text.
    fn function(&self) -> &str {
        match self {
            Self::Function(function, _) => function,
            Self::Text(..) => "",
        }
    }
}

/// A step that waits for an answer, on a stack of its own.
pub struct Step {
    fiber: Fiber<Outcome>,
    host: Rc<Host>,
    call: Call,
}

/// How far a step came.
pub enum Ended {
    /// It ran to its end.
    Done,
    /// The script ended the game.
    GameEnded,
    /// A question is open: the stage says which. The step goes on from here, if its stack was kept.
    Asked(Option<Step>),
    /// A logged choice is not offered in this world.
    NotOffered,
    /// The author made a mistake, or whoever was to answer did not.
    Fault(Box<Diagnostic>),
}

impl Step {
    /// Runs until the end, or until a question is open.
    pub fn begin(host: &Rc<Host>, mut stage: Box<Stage>, call: &Call) -> (Box<Stage>, Ended) {
        stage.stop = None;
        stage.open = None;
        stage.given.clear();
        stage.together = None;
        stage.togethers = 0;
        stage.may_change = true;
        if !matches!(stage.asking, Asking::Suspend) {
            let what = call.clone();
            let (stage, outcome) = on_stage(host, stage, move |host| call_step(host, &what));
            let ended = match outcome {
                Ok(outcome) => judge(host, call, &stage, outcome),
                Err(diagnostic) => Ended::Fault(Box::new(diagnostic)),
            };
            return (stage, ended);
        }
        let (inside, what) = (host.clone(), call.clone());
        let step =
            Self { fiber: Fiber::new(move || call_step(&inside, &what)), host: host.clone(), call: call.clone() };
        step.resume(stage)
    }

    /// Goes on; the answer is on the stage.
    pub fn resume(mut self, stage: Box<Stage>) -> (Box<Stage>, Ended) {
        let (stage, progress) = stage::enact(&self.host, stage, || self.fiber.resume());
        let ended = match progress {
            Progress::Suspended => Ended::Asked(Some(self)),
            Progress::Done(Ok(outcome)) => judge(&self.host, &self.call, &stage, outcome),
            Progress::Done(Err(panic)) => Ended::Fault(Box::new(internal(&panic))),
        };
        (stage, ended)
    }

    /// What it runs.
    pub fn call(&self) -> &Call {
        &self.call
    }
}

fn call_step(host: &Host, call: &Call) -> Outcome {
    match call {
        Call::Function(function, seat) => host.run(function, *seat).map(drop).map_err(Box::new),
        Call::Text(source, names) => host.eval(source, names).map(|_| ()).map_err(Box::new),
    }
}

fn judge(host: &Host, call: &Call, stage: &Stage, outcome: Outcome) -> Ended {
    match (&stage.stop, outcome) {
        (Some(Stop::Ended), _) => Ended::GameEnded,
        (Some(Stop::Asked), _) => Ended::Asked(None),
        (Some(Stop::NotOffered), _) => Ended::NotOffered,
        (Some(Stop::NoAnswer(why)), outcome) => {
            Ended::Fault(Box::new(unanswered((**why).clone(), outcome.err().as_deref())))
        }
        // A function of the script engine may have dropped the error that stopped it: it is stopped all the same.
        (Some(stop @ (Stop::Budget | Stop::Deadline | Stop::TooLarge)), Ok(())) => {
            Ended::Fault(Box::new(stopped(host, call.function(), stop)))
        }
        (_, Ok(())) => Ended::Done,
        (_, Err(diagnostic)) => Ended::Fault(diagnostic),
    }
}

/// Why a question has no answer, placed where it was asked if it has no place of its own.
fn unanswered(mut why: Diagnostic, asked: Option<&Diagnostic>) -> Diagnostic {
    let Some(asked) = asked.filter(|_| why.marks.is_empty()) else { return why };
    why.marks.extend(asked.marks.first().map(|mark| Mark { place: mark.place.clone(), note: "asks here".to_owned() }));
    why.trace.clone_from(&asked.trace);
    why
}

fn stopped(host: &Host, function: &str, stop: &Stop) -> Diagnostic {
    let fault = if *stop == Stop::TooLarge { explain::too_large("variables") } else { explain::endless() };
    let note = fault.note.clone();
    match host.source_of(function) {
        Some(source) => Diagnostic::from(fault).mark(super::host::place_of_function(source, function), note),
        None => Diagnostic::from(fault),
    }
}

/// Runs something with a stage, on a stack that is large enough for scripts, if this one may not be.
fn on_stage<T: 'static>(
    host: &Rc<Host>,
    stage: Box<Stage>,
    run: impl FnOnce(&Host) -> T + 'static,
) -> (Box<Stage>, Result<T, Diagnostic>) {
    let inside = host.clone();
    stage::enact(host, stage, move || {
        if fiber::is_inside() {
            return Ok(run(&inside));
        }
        fiber::on_large_stack(move || run(&inside)).map_err(|panic| internal(&panic))
    })
}

/// Calls a function that only looks at the table: a condition, an order, a score, an invariant.
///
/// # Errors
/// What went wrong in it.
pub fn call(
    host: &Rc<Host>,
    mut stage: Box<Stage>,
    function: &str,
    seat: Option<Seat>,
) -> (Box<Stage>, Result<Choice, Diagnostic>) {
    let before = (std::mem::replace(&mut stage.may_ask, false), std::mem::replace(&mut stage.may_change, false));
    let name = function.to_owned();
    let (mut stage, result) = on_stage(host, stage, move |host| host.run(&name, seat));
    (stage.may_ask, stage.may_change) = before;
    let result = match (stage.stop.take(), result) {
        (Some(stop @ (Stop::Budget | Stop::Deadline | Stop::TooLarge)), Ok(Ok(_))) => {
            Err(stopped(host, function, &stop))
        }
        (_, Ok(Ok(value))) => result_of(host, function, &value),
        (_, Err(diagnostic) | Ok(Err(diagnostic))) => Err(diagnostic),
    };
    (stage, result)
}

/// What an agent's file says of the options of a decision, or of a position for each seat without one; it only looks at the
/// table, and gives numbers.
///
/// # Errors
/// What went wrong in it.
pub fn advise(
    host: &Rc<Host>,
    mut stage: Box<Stage>,
    advice: &Rc<Advice>,
    decision: Option<&Decision>,
) -> (Box<Stage>, Result<Vec<i64>, Diagnostic>) {
    let asked = decision.map_or(Asked::Estimates, |decision| Asked::Ratings {
        decision: host.model.decisions[decision.id.index()].id.clone(),
        seat: decision.seat,
        options: (0..decision.count()).map(|at| decision.option(at)).collect(),
    });
    let before = (std::mem::replace(&mut stage.may_ask, false), std::mem::replace(&mut stage.may_change, false));
    let own = advice.clone();
    let (mut stage, result) = on_stage(host, stage, move |host| own.numbers(host, asked));
    (stage.may_ask, stage.may_change) = before;
    let stopped = stage.stop.take();
    let result = result.flatten().and_then(|numbers| match stopped {
        Some(_) => Err(Diagnostic::from(explain::endless())),
        None => Ok(numbers),
    });
    (stage, result)
}

fn result_of(host: &Host, function: &str, value: &Value) -> Result<Choice, Diagnostic> {
    Choice::from_value(value).ok_or_else(|| {
        host.wrong_result(function, &value.kind()).help("let it give a number, a flag, a list of things, or the like")
    })
}

/// Works out an expression of the game's own vocabulary, or carries one out if things may change.
///
/// # Errors
/// What is wrong with it, placed in its text.
pub fn evaluate(
    host: &Rc<Host>,
    mut stage: Box<Stage>,
    source: &Arc<Source>,
    names: &[(String, Seat)],
    may_change: bool,
) -> (Box<Stage>, Result<Choice, Diagnostic>) {
    let before = (std::mem::replace(&mut stage.may_ask, false), std::mem::replace(&mut stage.may_change, may_change));
    let (text, seats) = (source.clone(), names.to_vec());
    let (mut stage, result) = on_stage(host, stage, move |host| host.eval(&text, &seats));
    (stage.may_ask, stage.may_change) = before;
    let result = result.flatten().and_then(|value| {
        Choice::from_dynamic(&value).ok_or_else(|| {
            let kind = explain::one(&explain::plain_type(value.type_name()));
            Diagnostic::error("wrong-result", format!("this gives {kind}, not a value"))
        })
    });
    (stage, result)
}

/// Calls every `invariant_…` function of the rules.
///
/// # Errors
/// The first that does not hold, or fails.
pub fn invariants(host: &Rc<Host>, mut stage: Box<Stage>) -> (Box<Stage>, Result<(), Box<Diagnostic>>) {
    for function in host.functions().iter().filter(|f| f.name.starts_with(INVARIANT)) {
        let (back, result) = call(host, stage, &function.name, None);
        stage = back;
        let broken = match result {
            // One that says what is wrong with `ensure` gives nothing.
            Ok(Choice::Flag(true)) => continue,
            Ok(Choice::Nothing) if host.tells_why(&function.name) => continue,
            Ok(Choice::Flag(false)) => {
                let (stage, broken) = broken::broken(host, stage, &function.name);
                return (stage, Err(Box::new(broken)));
            }
            Ok(Choice::Nothing) => host.wrong_result(&function.name, "nothing").help(check::INVARIANT_HELP),
            Ok(_) => {
                host.wrong_result(&function.name, "something else than yes or no").help("end it with a comparison")
            }
            Err(diagnostic) => diagnostic,
        };
        return (stage, Err(Box::new(broken)));
    }
    (stage, Ok(()))
}

/// Runs something on a stack that is large enough for scripts, whatever this thread's own; a panic becomes a diagnostic.
///
/// # Errors
/// The panic: a defect of the engine.
pub fn playing<R: 'static>(run: impl FnOnce() -> R + 'static) -> Result<R, Box<Diagnostic>> {
    fiber::on_large_stack(run).map_err(|panic| Box::new(internal(&panic)))
}

fn internal(panic: &Panic) -> Diagnostic {
    let words = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    Diagnostic::error("internal", format!("the engine failed: {words}"))
        .help("report this with the game's folder and the command: it is a defect of the engine, not of the rules")
}

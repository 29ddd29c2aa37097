//! One call of a function of the rules by the flow, from its beginning to its end or to an open question.

use super::advice::Advice;
use super::broken;
use super::check;
use super::host::Host;
use super::machine::{Machine, Progress};
use super::stage::{self, Stage, Stop};
use super::vocabulary::Question;
use crate::decision::{Choice, Decision, Value};
use crate::diagnostic::{Diagnostic, Mark, Source};
use crate::model::Seat;
use crate::vm::Run;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// How the names of the functions begin that must always give `true`.
pub(super) const INVARIANT: &str = "invariant_";

/// What a step runs.
#[derive(Debug, Clone)]
pub enum Call {
    /// A function of the rules, given the seat on turn or nothing.
    Function(Arc<str>, Option<Seat>),
    /// A text in the game's own vocabulary, with names for seats.
    Text(Arc<Source>, Arc<[(String, Seat)]>),
}

/// A step that waits for an answer: plain data, and what it runs.
#[derive(Clone)]
pub struct Step {
    run: Run,
    question: Box<Question>,
    rules: Rules,
}

/// What a step runs on.
#[derive(Clone)]
struct Rules {
    host: Rc<Host>,
    machine: Rc<Machine>,
    /// The text, where it began in one.
    text: Option<Arc<Source>>,
}

/// How far a step came.
pub enum Ended {
    /// It ran to its end.
    Done,
    /// The script ended the game.
    GameEnded,
    /// A question is open, from which the step goes on.
    Asked(Step),
    /// A logged choice is not offered in this world.
    NotOffered,
    /// The author made a mistake, or whoever was to answer did not.
    Fault(Box<Diagnostic>),
}

impl Step {
    /// Runs until the end, or until a question is open.
    pub fn begin(host: &Rc<Host>, mut stage: Box<Stage>, call: &Call) -> (Box<Stage>, Ended) {
        stage.stop = None;
        stage.answer = None;
        stage.given.clear();
        stage.together = None;
        stage.togethers = 0;
        stage.may_change = true;
        let begun = match call {
            #[cfg(feature = "walker")]
            Call::Function(function, seat) if host.walker().is_some() => {
                let (mut stage, walked) = host.walk(stage, function, *seat);
                let progress = walked.map_or_else(|fault| Progress::Fault(Box::new(fault)), Progress::Done);
                let rules = Rules { host: host.clone(), machine: host.machine().clone(), text: None };
                let ended = rules.ended(&mut stage, progress, Run::default());
                return (stage, ended);
            }
            Call::Function(function, seat) => host.run_of(function, *seat),
            Call::Text(source, names) => host.run_of_text(source, names),
        };
        let text = if let Call::Text(source, _) = call { Some(source.clone()) } else { None };
        let (machine, mut run) = match begun {
            Ok(begun) => begun,
            Err(diagnostic) => return (stage, Ended::Fault(Box::new(diagnostic))),
        };
        let (mut stage, progress) = on_stage(host, stage, || machine.resume(&mut run));
        let rules = Rules { host: host.clone(), machine, text };
        let ended = rules.ended(&mut stage, progress, run);
        (stage, ended)
    }

    /// Goes on; the answer is on the stage.
    pub fn resume(self, stage: Box<Stage>) -> (Box<Stage>, Ended) {
        let Self { mut run, question, rules } = self;
        let (mut stage, progress) = on_stage(&rules.host, stage, || rules.machine.answered(&mut run, *question));
        let ended = rules.ended(&mut stage, progress, run);
        (stage, ended)
    }

    /// The question it waits for.
    pub fn decision(&self) -> &Decision {
        self.question.decision()
    }
}

impl Rules {
    fn ended(self, stage: &mut Stage, progress: Progress, run: Run) -> Ended {
        match progress {
            Progress::Done(_) => Ended::Done,
            Progress::Asked(question) => Ended::Asked(Step { run, question, rules: self }),
            Progress::Fault(diagnostic) => match stage.stop.take() {
                Some(Stop::Ended) => Ended::GameEnded,
                Some(Stop::NotOffered) => Ended::NotOffered,
                Some(Stop::NoAnswer(why)) => Ended::Fault(Box::new(unanswered(*why, &diagnostic))),
                Some(Stop::Budget) | None => Ended::Fault(match &self.text {
                    Some(text) => Box::new(self.host.spelled(text, *diagnostic)),
                    None => diagnostic,
                }),
            },
        }
    }
}

/// Why a question has no answer, placed where it was asked if it has no place of its own.
fn unanswered(mut why: Diagnostic, asked: &Diagnostic) -> Diagnostic {
    if !why.marks.is_empty() {
        return why;
    }
    why.marks.extend(asked.marks.first().map(|mark| Mark { place: mark.place.clone(), note: "asks here".to_owned() }));
    why.trace.clone_from(&asked.trace);
    why
}

/// Runs something with a stage; a panic is a fault of its own.
fn on_stage(host: &Host, stage: Box<Stage>, run: impl FnOnce() -> Progress) -> (Box<Stage>, Progress) {
    let (stage, caught) = stage::enact(host, stage, || catch_unwind(AssertUnwindSafe(run)));
    (stage, caught.unwrap_or_else(|panic| Progress::Fault(Box::new(internal(&*panic)))))
}

/// Runs something that only looks at the table.
fn looking<T>(
    host: &Host,
    mut stage: Box<Stage>,
    may_change: bool,
    run: impl FnOnce() -> Result<T, Diagnostic>,
) -> (Box<Stage>, Result<T, Diagnostic>) {
    let before = (std::mem::replace(&mut stage.may_ask, false), std::mem::replace(&mut stage.may_change, may_change));
    let (mut stage, caught) = stage::enact(host, stage, || catch_unwind(AssertUnwindSafe(run)));
    (stage.may_ask, stage.may_change) = before;
    stage.stop = None;
    (stage, caught.unwrap_or_else(|panic| Err(internal(&*panic))))
}

/// Calls a function that only looks at the table: a condition, an order, a score, an invariant.
///
/// # Errors
/// What went wrong in it.
pub fn call(
    host: &Rc<Host>,
    stage: Box<Stage>,
    function: &str,
    seat: Option<Seat>,
) -> (Box<Stage>, Result<Choice, Diagnostic>) {
    let (stage, result) = looking(host, stage, false, || host.run(function, seat));
    (stage, result.and_then(|value| result_of(host, function, &value)))
}

/// What an agent's file says of the options of a decision, or of a position for each seat without one; it only looks at the
/// table, and gives numbers.
///
/// # Errors
/// What went wrong in it.
pub fn advise(
    host: &Rc<Host>,
    stage: Box<Stage>,
    advice: &Advice,
    decision: Option<&Decision>,
) -> (Box<Stage>, Result<Vec<i64>, Diagnostic>) {
    looking(host, stage, false, || match decision {
        Some(decision) => advice.ratings(&host.model, decision),
        None => advice.estimates_of_all(&host.model),
    })
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
    stage: Box<Stage>,
    source: &Arc<Source>,
    names: &[(String, Seat)],
    may_change: bool,
) -> (Box<Stage>, Result<Choice, Diagnostic>) {
    let (stage, result) = looking(host, stage, may_change, || host.eval(source, names));
    let result = result.and_then(|value| {
        Choice::from_value(&value)
            .ok_or_else(|| Diagnostic::error("wrong-result", format!("this gives {}, not a value", value.kind())))
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

/// Runs something; a panic becomes a diagnostic.
///
/// # Errors
/// The panic: a defect of the engine.
pub fn guarded<R>(run: impl FnOnce() -> R) -> Result<R, Box<Diagnostic>> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| Box::new(internal(&*panic)))
}

fn internal(panic: &(dyn Any + Send)) -> Diagnostic {
    let words = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    Diagnostic::error("internal", format!("the engine failed: {words}"))
        .help("report this with the game's folder and the command: it is a defect of the engine, not of the rules")
}

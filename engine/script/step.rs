//! One call of a function of the rules by the flow, from its beginning to its end or to an open decision.

use super::advices::Advice;
use super::host::Host;
use super::machine::{Machine, Progress};
use crate::decision::{Choice, Decision, EventKind, Value, look};
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::context::UNKNOWN_READ;
use crate::library::context::triggers::{CarriedOut, EFFECT, PIECE};
use crate::library::entry::reply::PendingQuestion;
use crate::library::{OPERATION_BUDGET, State};
use crate::model::{Seat, TriggerOrder};
use crate::vm::Run;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What a step runs.
#[derive(Debug, Clone)]
pub enum Call {
    /// A function of the rules, given the seat on turn or nothing.
    Function(Arc<str>, Option<Seat>),
    /// A text in the game's own vocabulary, with names for seats.
    Text(Arc<Source>, Arc<[(String, Value)]>),
}

/// A step that waits for an answer: plain data, and what it runs.
#[derive(Clone)]
pub struct Step {
    run: Run,
    question: Box<PendingQuestion>,
    rules: Rules,
}

/// A step that waits for an answer, without the rules it runs on: on another thread it goes on with the same.
#[derive(Clone)]
pub struct Waiting {
    run: Run,
    question: Box<PendingQuestion>,
    /// The text, where it began in one.
    text: Option<(Arc<Source>, Arc<[(String, Value)]>)>,
}

impl Waiting {
    /// Whether the step began in a text and not in the flow.
    pub const fn is_of_text(&self) -> bool {
        self.text.is_some()
    }
}

#[cfg(feature = "walker")]
impl Waiting {
    /// Whether another one waits at the same point, with the same in every variable.
    pub fn is_at(&self, other: &Self) -> bool {
        self.question == other.question && self.run.is_at(&other.run)
    }
}

/// What a step runs on.
#[derive(Clone)]
struct Rules {
    host: Arc<Host>,
    machine: Arc<Machine>,
    /// The text, where it began in one.
    text: Option<(Arc<Source>, Arc<[(String, Value)]>)>,
}

/// How far a step came.
pub enum Ended {
    /// It ran to its end.
    Done,
    /// The script ended the game.
    GameEnded,
    /// A decision is open, from which the step goes on.
    Asked(Step),
    /// A logged choice is not offered in this world.
    NotOffered,
    /// The author made a mistake.
    Fault(Box<Diagnostic>),
}

impl Step {
    /// Runs until the end, or until a decision is open.
    pub fn begin(host: &Arc<Host>, state: &mut State, call: &Call) -> Ended {
        state.step_begins();
        let begun = match call {
            #[cfg(feature = "walker")]
            Call::Function(function, seat) if host.is_walked() => {
                let progress = contained(|| host.walk(state, function, seat.map(Value::from).as_ref()));
                // What is triggered the walker does not carry out.
                return Rules { host: host.clone(), machine: host.machine().clone(), text: None }.ended(
                    state,
                    progress,
                    Run::default(),
                );
            }
            Call::Function(function, seat) => host.run_of(function, seat.map(Value::from).as_ref()),
            Call::Text(source, names) => host.run_of_text(source, names),
        };
        let text = if let Call::Text(source, names) = call { Some((source.clone(), names.clone())) } else { None };
        let (machine, mut run) = match begun {
            Ok(begun) => begun,
            Err(diagnostic) => return Ended::Fault(Box::new(diagnostic)),
        };
        let progress = contained(|| machine.resume(state, &mut run));
        Rules { host: host.clone(), machine, text }.carried_on(state, progress, run)
    }

    /// Goes on with the option at a position, which has been chosen.
    pub fn resume(self, state: &mut State, at: usize) -> Ended {
        let Self { mut run, question, rules } = self;
        let progress = rules.answered(state, &mut run, (*question, at), OPERATION_BUDGET);
        rules.carried_on(state, progress, run)
    }

    /// Where a call first goes by something that a seat does not know, if it does.
    pub fn first_unknown(host: &Arc<Host>, state: &mut State, call: &Call, seat: Seat) -> Option<Place> {
        state.permissions.only_known_to = Some(seat);
        match Self::begin(host, state, call) {
            Ended::Fault(found) if found.code == UNKNOWN_READ => found.marks.first().map(|mark| mark.place.clone()),
            _ => None,
        }
    }

    /// Why its decision has no answer, with the place where it is asked if it has no place of its own.
    pub fn unanswered(&self, why: Diagnostic) -> Diagnostic {
        self.rules.machine.unanswered(&self.run, why)
    }

    /// What it takes to go on elsewhere.
    pub fn waiting(&self) -> Waiting {
        Waiting { run: self.run.clone(), question: self.question.clone(), text: self.rules.text.clone() }
    }

    /// A step that waits, and goes on with the rules of a host of the same game and setup.
    ///
    /// # Errors
    /// Mistakes in the text that the step began in.
    pub fn again(host: &Arc<Host>, waiting: Waiting) -> Result<Self, Box<Diagnostic>> {
        let Waiting { run, question, text } = waiting;
        let machine = match &text {
            Some((source, names)) => host.run_of_text(source, names)?.0,
            None => host.machine().clone(),
        };
        Ok(Self { run, question, rules: Rules { host: host.clone(), machine, text } })
    }

    /// The decision it waits for.
    pub fn decision(&self) -> &Decision {
        self.question.decision()
    }
}

/// The code of what goes on without end.
const ENDLESS: &str = "endless";

/// What it takes to carry out one thing that was triggered, beside what its function does.
const CARRIED_OUT: u64 = 8;

impl Rules {
    /// Carries out what was triggered, one after the other, once a function is over. All of it together may do no more than a step may.
    fn carried_on(self, state: &mut State, mut progress: Progress, mut run: Run) -> Ended {
        loop {
            progress = self.played_by_rules(state, progress, &mut run);
            let Progress::Done(done) = &progress else { break };
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
            state.table.recall(true);
            let left = state.triggers.left.saturating_sub(CARRIED_OUT);
            // Of a card that a seat does not know it learns what follows alone.
            let knowers = state.table.aside(|table| table.knowers(next.piece));
            state.note_to(knowers, |table| EventKind::Triggered { look: look(table, next.piece) });
            progress = match self.machine.run_on(&next.function, &next.arguments, left) {
                Ok(begun) => {
                    run = begun;
                    contained(|| self.machine.resume(state, &mut run))
                }
                Err(fault) => Progress::Fault(fault),
            };
        }
        if let Progress::Fault(fault) = &mut progress
            && fault.code == ENDLESS
        {
            name_circle(state, fault);
        }
        self.ended(state, progress, run)
    }

    /// Goes on with the option at a position, which has been chosen: with the run that waits for it, or with what is carried out next.
    fn answered(&self, state: &mut State, run: &mut Run, answer: (PendingQuestion, usize), fuel: u64) -> Progress {
        if state.triggers.is_choosing() {
            return contained(|| self.machine.chosen(state, answer.0, answer.1));
        }
        contained(|| self.machine.answered(state, run, answer, fuel))
    }

    /// Finds out what is carried out next of all that was triggered: the seat for which several things wait may be asked.
    fn next_trigger(&self, state: &mut State) -> Option<Progress> {
        let flow = &self.host.model.flow;
        if flow.triggers == TriggerOrder::TurnOrder {
            let from = state.table.position.active.unwrap_or(state.table.position.first);
            let in_turn: Vec<Seat> = state.table.seats_from(from).collect();
            state.triggers.by_turn(&in_turn);
        }
        let decision = flow.trigger_choice?;
        let (seat, effects) = state.triggers.choice(flow.triggers)?;
        state.triggers.set_choosing(true);
        Some(contained(|| self.machine.choosing(state, (seat, decision), effects)))
    }

    /// Answers what is asked of seats that the rules play, one decision after the other: with the option that is best by the function which the
    /// decision names, the first of several.
    fn played_by_rules(&self, state: &mut State, mut progress: Progress, run: &mut Run) -> Progress {
        while let Progress::Asked(question) = progress {
            let decision = question.decision();
            if !self.host.model.automas.contains(&decision.seat) {
                return Progress::Asked(question);
            }
            // Nobody is waited for: all of it together may do no more than a step may.
            let mut left = if state.triggers.is_choosing() { state.triggers.left } else { run.left() };
            let best = match self.best_for_automa(state, decision, &mut left) {
                Ok(best) => best,
                Err(fault) => return Progress::Fault(Box::new(self.machine.unanswered(run, fault))),
            };
            state.triggers.left = left;
            progress = self.answered(state, run, (*question, best), left);
        }
        progress
    }

    /// The position of the option that a seat takes which the rules play.
    fn best_for_automa(&self, state: &mut State, decision: &Decision, left: &mut u64) -> Result<usize, Diagnostic> {
        let host = &self.host;
        let declared = &host.model.decisions[decision.id.index()];
        let Some(named) = &declared.automa else {
            let message = format!("the automa is asked `{}`, and nothing says what it chooses", declared.id);
            let help = format!(
                "write `automa = \"…\"` into `[decisions.{}]`: a function that is given the seat and an option, and says how good it is",
                declared.id
            );
            return Err(Diagnostic::error("no-automa", message).help(help));
        };
        let mut best: Option<(i64, usize)> = None;
        for at in decision.considered().iter() {
            *left = left.saturating_sub(CARRIED_OUT);
            let given = [Value::from(decision.seat), decision.option(at).to_value()];
            let mut asked = self.machine.run_on(&named.function, &given, *left).map_err(|fault| *fault)?;
            let said = read_only(state, false, |state| self.machine.resume(state, &mut asked).value())?;
            *left = state.triggers.left;
            let Value::Number(worth) = said else {
                let found = host.wrong_result(&named.function, "something else than a number");
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
                Some((text, names)) => Box::new(self.host.spelled(text, names, *diagnostic)),
                None => diagnostic,
            }),
        }
    }
}

/// Names the cards that trigger each other, where something goes on without end because they do.
pub fn name_circle(state: &State, fault: &mut Diagnostic) {
    let Some(circle) = state.triggers.circle() else { return };
    let name = |(event, piece, _): &CarriedOut| {
        let model = state.table.model();
        let (component, space) = state.table.aside(|table| (table.component(*piece), table.space_of(*piece)));
        let whose = model.zone(model.space(space).zone).seat;
        let whose = whose.map_or_else(String::new, |seat| format!(" of player {}", seat.number()));
        format!("`{}`{whose} ({event})", model.component(component).id)
    };
    let names: Vec<String> = circle.iter().map(name).collect();
    fault.message = format!("cards trigger each other without end: {}", names.join(", then "));
    fault.help = Some("let one of them happen only sometimes, or only once in a turn".to_owned());
}

impl Progress {
    /// The value of a run that asks nobody.
    ///
    /// # Errors
    /// What went wrong in it.
    pub(super) fn value(self) -> Result<Value, Diagnostic> {
        match self {
            Self::Done(value) => Ok(value),
            Self::Fault(fault) => Err(*fault),
            Self::GameEnded => Err(Diagnostic::error("change-while-reading", "the game cannot be ended here")
                .help("end it in a step of a phase")),
            Self::Asked(_) | Self::NotOffered => Err(Diagnostic::error("internal", "a decision was left open")),
        }
    }
}

/// Runs something; a panic is a fault of its own.
fn contained(run: impl FnOnce() -> Progress) -> Progress {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Progress::Fault(Box::new(internal(&*panic))))
}

/// Runs something that asks nobody, and that changes nothing unless it may.
fn read_only<T>(
    state: &mut State,
    may_change: bool,
    run: impl FnOnce(&mut State) -> Result<T, Diagnostic>,
) -> Result<T, Diagnostic> {
    let before = (state.permissions.may_ask, state.permissions.may_change);
    (state.permissions.may_ask, state.permissions.may_change) = (false, may_change);
    let result = catch_unwind(AssertUnwindSafe(|| run(state))).unwrap_or_else(|panic| Err(internal(&*panic)));
    (state.permissions.may_ask, state.permissions.may_change) = before;
    result
}

/// Calls a function that only looks at the table: a condition, an order, a score, an invariant; given a seat, a team or nothing.
///
/// # Errors
/// What went wrong in it.
pub fn call(host: &Host, state: &mut State, function: &str, given: Option<&Value>) -> Result<Choice, Diagnostic> {
    let value = read_only(state, false, |state| host.run(state, function, given))?;
    result_of(host, function, &value)
}

/// What a function of the rules says that an option costs and gives: it only looks at the table.
///
/// # Errors
/// What went wrong in it.
pub fn costs(
    host: &Host,
    state: &mut State,
    function: &str,
    (seat, option): (Seat, &Choice),
) -> Result<Choice, Diagnostic> {
    let value = read_only(state, false, |state| host.run_for_option(state, function, (seat, option)))?;
    result_of(host, function, &value)
}

/// What an agent's file says of the options of a decision at some positions, or of a position for each seat without one (all
/// seats of a team have what the team has); it only looks at the table, and returns numbers.
///
/// # Errors
/// What went wrong in it.
pub fn advise(
    state: &mut State,
    advice: &Advice,
    decision: Option<(&Decision, &[Choice])>,
) -> Result<Vec<i64>, Diagnostic> {
    read_only(state, false, |state| match decision {
        Some((decision, choices)) => advice.ratings(state, decision, choices),
        None => advice.estimates_of_all(state),
    })
}

/// Whether an agent's file takes the first of equally good options.
///
/// # Errors
/// What went wrong in the file.
pub fn takes_first_of_equals(state: &mut State, advice: &Advice) -> Result<bool, Diagnostic> {
    read_only(state, false, |state| advice.takes_first_of_equals(state))
}

fn result_of(host: &Host, function: &str, value: &Value) -> Result<Choice, Diagnostic> {
    Choice::from_value(value).ok_or_else(|| {
        host.wrong_result(function, &value.kind()).help("let it return a number, a flag, a list, or the like")
    })
}

/// Evaluates an expression of the game's own vocabulary, or carries one out if things may change.
///
/// # Errors
/// What is wrong with it, placed in its text.
pub fn evaluate(
    host: &Host,
    state: &mut State,
    source: &Arc<Source>,
    names: &[(String, Value)],
    may_change: bool,
) -> Result<Choice, Diagnostic> {
    let value = read_only(state, may_change, |state| host.eval(state, source, names))?;
    let wrong = || Diagnostic::error("wrong-result", format!("this results in {}, not a value", value.kind()));
    Choice::from_value(&value).ok_or_else(wrong)
}

/// Changes a position by hand, by one text after the other: pieces may be taken from anywhere, and nothing of it is noted.
///
/// # Errors
/// What is wrong with a text.
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

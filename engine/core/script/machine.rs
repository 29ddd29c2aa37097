//! Runs the rules of a game on the virtual machine: binds names to the model and calls to the library.

#![allow(clippy::unnecessary_box_returns, reason = "a fault is boxed wherever it goes, and rare")]
#![allow(clippy::inline_always, reason = "each call of the rules goes through it")]

use super::coverage::Recording;
use super::explain;
use super::rule_file::RuleFile;
use super::trace;
use super::value_display;
use crate::decision::{Choice, Decision, EventKind, HandleList, OptionSet, Value, handle_list_cost, merge_equivalent};
use crate::diagnostic::{Diagnostic, Mark, Place, Source, choice_out_of_place, sentence};
use crate::library::context::fact_table::{Column, FactTable, NamedFacts, read};
use crate::library::context::fault::{Answer, Failure, Fault};
use crate::library::context::names::{Name, absent_name, current_names, is_absent_name};
use crate::library::context::stored::Stored;
use crate::library::context::triggers::{EFFECT, PIECE};
use crate::library::context::{Context, OBJECTS_PER_OPERATION, Stop};
use crate::library::entry::caller::Calls;
use crate::library::entry::dispatch::Dispatch;
use crate::library::entry::native::Implementation;
use crate::library::entry::registry::Registry;
use crate::library::entry::reply::{PendingQuestion, Reply};
use crate::library::entry::stored_closure::StoredClosure;
use crate::library::topics::assign_value::{set_fact, set_game_value};
use crate::library::topics::data_functions::{functions_of_field, names_functions};
use crate::library::topics::decisions::{begin_together, end_together, next_responder};
use crate::library::topics::facts::{fact, game_value};
use crate::library::topics::seats::seats_in_play;
use crate::library::topics::value_tables::{entry, set_entry};
use crate::library::{BuiltinCodes, Form, ListCode, OPERATION_BUDGET, State, builtin_codes, registry};
use crate::model::{DecisionId, Model, PieceId, Seat};
use crate::syntax::{self, BinaryOp, OwnFunctions, Span};
use crate::table::Table;
use crate::vm::{
    self, BEGINS_READ_ONLY, BEGINS_TOGETHER, BEGINS_WINDOW, BacktraceEntry, ENDS_READ_ONLY, ENDS_TOGETHER, ENDS_WINDOW,
    LibraryCall, NEXT_IN_WINDOW, NativeResult, Program, Run, Symbol,
};
use arcstr::ArcStr;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Maximum number of idle runs kept for reuse. Most steps need only one run.
const MAX_IDLE_RUNS: usize = 8;

/// The compiled rules of a game, with the bindings of their names and calls.
#[derive(Clone)]
pub(super) struct Machine {
    program: Program,
    game_names: Arc<GameNames>,
    library: &'static Registry,
    bindings: Vec<Arc<NameBindings>>,
    calls: Vec<Arc<CallSite>>,
    /// Indices of the functions of the game, by key.
    functions: FxHashMap<Arc<str>, usize>,
    sources: Vec<Arc<Source>>,
    recording: Recording,
    /// Finished runs, whose memory is reused by later runs.
    idle_runs: Arc<Mutex<Vec<Run>>>,
    /// Counter of the operations of all runs; `None` if they are not counted.
    operations: Option<Arc<AtomicU64>>,
}

/// Names that the data of the game define.
struct GameNames {
    facts: Arc<FactTable>,
    /// Global names whose values change during play.
    globals: FxHashMap<String, Name>,
    /// Fields that hold rule functions, which can be called like methods.
    calls: Vec<Arc<str>>,
}

/// Bindings of a name: as a global name, a property, a fact, or a value of the game.
struct NameBindings {
    global: Option<Name>,
    properties: Dispatch,
    named: NamedFacts,
    game: Option<Stored>,
}

/// Bindings of a call to a function that the rules do not define.
struct CallSite {
    library: Dispatch,
    /// Bindings of the name that the call passes as a string literal.
    quoted: Option<Arc<NameBindings>>,
    /// Codes of the built-in functions with the name of the call, for example for lists and maps.
    own: Option<BuiltinCodes>,
    /// Internal function that only compiled code calls.
    internal: Option<Internal>,
    /// Whether the name is a field that holds rule functions.
    names_functions: bool,
}

/// Internal functions that compiled code calls around simultaneous decisions and response windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Internal {
    BeginsTogether,
    EndsTogether,
    BeginsWindow,
    BeginsReadOnly,
    EndsReadOnly,
    NextInWindow,
    EndsWindow,
}

/// Reason why a run stopped.
pub(super) enum Progress {
    /// The function returned.
    Done(Value),
    /// A decision is pending.
    Asked(Box<PendingQuestion>),
    /// A fault, with its place and backtrace.
    Fault(Box<Diagnostic>),
    /// The rules ended the game.
    GameEnded,
    /// In an imagined world in which a step is replayed, a recorded answer is not among the options.
    NotOffered,
}

impl Machine {
    /// Compiles checked rules, which record what `recording` asks for.
    ///
    /// # Errors
    /// Returns a diagnostic if a limit of the machine is exceeded.
    pub(super) fn new(
        model: &Arc<Model>,
        facts: &Arc<FactTable>,
        files: &[RuleFile],
        recording: Recording,
    ) -> Result<Self, Vec<Diagnostic>> {
        let is_fixed = |name: &Name| matches!(name, Name::Fixed(_));
        let (fixed, globals): (Vec<_>, Vec<_>) = current_names(model).into_iter().partition(|(_, name)| is_fixed(name));
        let fixed = fixed.into_iter().filter_map(|(text, name)| match name {
            Name::Fixed(value) => Some((text.into(), value)),
            _ => None,
        });
        let game_names =
            GameNames { facts: facts.clone(), globals: globals.into_iter().collect(), calls: model.function_fields() };
        let empty = Self {
            program: Program::with_names(fixed),
            game_names: Arc::new(game_names),
            library: registry(),
            bindings: Vec::new(),
            calls: Vec::new(),
            functions: FxHashMap::default(),
            sources: Vec::new(),
            recording,
            idle_runs: Arc::default(),
            operations: None,
        };
        empty.extend(files)
    }

    /// Returns a copy that adds the operations of its runs to a counter.
    #[must_use]
    pub(super) fn counting(&self, operations: Arc<AtomicU64>) -> Self {
        Self { operations: Some(operations), ..self.clone() }
    }

    /// Compiles more checked files on top of this program.
    ///
    /// # Errors
    /// Returns a diagnostic if a limit of the machine is exceeded.
    pub(super) fn extend(&self, files: &[RuleFile]) -> Result<Self, Vec<Diagnostic>> {
        let sources: Vec<Arc<Source>> = files.iter().map(|file| file.source().clone()).collect();
        // Agents' files, which extend the rules, are not recorded.
        let watched = if self.sources.is_empty() { self.recording.watch(files) } else { None };
        let trees: Vec<_> = files.iter().map(|file| (file.source(), file.tree())).collect();
        let program = vm::lower(&self.program, &trees, watched.as_ref())?;
        let mut functions = self.functions.clone();
        // The compiler numbers functions in the order of the files.
        let keys = files.iter().flat_map(|file| &file.tree().functions).map(|function| function.key.clone());
        functions.extend(keys.zip(self.program.functions().count()..));
        Ok(self.with(program, functions, &sources))
    }

    /// Compiles a fragment on top of this program, as a function with the given parameters. Returns the extended machine and the function's
    /// index.
    ///
    /// # Errors
    /// Returns a diagnostic if a limit of the machine is exceeded.
    pub(super) fn with_fragment(
        &self,
        source: &Arc<Source>,
        params: &[Arc<str>],
        own: &OwnFunctions,
    ) -> Result<(Self, usize), Vec<Diagnostic>> {
        let mut text = syntax::parse_statements(source, &mut 0).tree;
        syntax::bind_statements(&mut text, own);
        let (program, number) = vm::lower_statements(&self.program, source, params, &text)?;
        Ok((self.with(program, self.functions.clone(), std::slice::from_ref(source)), number))
    }

    fn with(&self, program: Program, functions: FxHashMap<Arc<str>, usize>, more: &[Arc<Source>]) -> Self {
        let new = program.names().iter().skip(self.bindings.len());
        let bindings = new.map(|text| Arc::new(NameBindings::resolve(text, &self.game_names)));
        let bindings: Vec<_> = self.bindings.iter().cloned().chain(bindings).collect();
        let new = program.calls().skip(self.calls.len());
        let calls = new.map(|call| Arc::new(CallSite::resolve(&program, *call, &self.game_names, &bindings)));
        let calls = self.calls.iter().cloned().chain(calls).collect();
        let sources = self.sources.iter().chain(more).cloned().collect();
        let (game_names, recording, idle_runs) =
            (self.game_names.clone(), self.recording.clone(), self.idle_runs.clone());
        let operations = self.operations.clone();
        Self {
            program,
            game_names,
            library: self.library,
            bindings,
            calls,
            functions,
            sources,
            recording,
            idle_runs,
            operations,
        }
    }

    /// Prepares a run of a function. Returns `None` if there is no function with this name and number of parameters.
    pub(super) fn run(&self, function: &str, arguments: &[Value]) -> Option<Run> {
        let number = *self.functions.get(function)?;
        let is_fit = self.program.arity(number) == arguments.len();
        is_fit.then(|| self.run_by_index(number, arguments))
    }

    /// Prepares a run of the function at index `number`, which must accept the arguments.
    pub(super) fn run_by_index(&self, number: usize, arguments: &[Value]) -> Run {
        self.take_idle_run().restart(&self.program, number, arguments, OPERATION_BUDGET)
    }

    /// Takes a finished run for reuse. Creates a new run if there is none, or if another thread holds the lock.
    fn take_idle_run(&self) -> Run {
        self.idle_runs.try_lock().ok().and_then(|mut idle_runs| idle_runs.pop()).unwrap_or_default()
    }

    /// Keeps a finished run for reuse. The run is cleared first: a value that an idle run still holds would have a second owner, so it
    /// could not be changed in place.
    fn keep_for_reuse(&self, mut run: Run) {
        run.clear();
        if let Ok(mut idle_runs) = self.idle_runs.try_lock()
            && idle_runs.len() < MAX_IDLE_RUNS
        {
            idle_runs.push(run);
        }
    }

    /// Prepares a run of a function that continues a step. The run gets the fuel that the step has left.
    ///
    /// # Errors
    /// Returns a diagnostic if there is no function with this name and number of parameters.
    pub(super) fn run_with_fuel(&self, function: &str, arguments: &[Value], left: u64) -> Result<Run, Box<Diagnostic>> {
        let number = self.functions.get(function).copied();
        let number = number.filter(|number| self.program.arity(*number) == arguments.len());
        let number = number.ok_or_else(|| {
            let message = format!("there is no function `{function}` that takes {} arguments", arguments.len());
            Box::new(Diagnostic::error("unknown-function", message))
        })?;
        Ok(self.take_idle_run().restart(&self.program, number, arguments, left))
    }

    /// Runs a stored closure.
    pub(super) fn call_stored(&self, state: &mut State, kept: &StoredClosure, arguments: &[Value]) -> Progress {
        self.resume(state, &mut Run::from_stored(kept, arguments, OPERATION_BUDGET))
    }

    /// Resumes a run until it ends, asks or fails.
    pub(super) fn resume(&self, state: &mut State, run: &mut Run) -> Progress {
        self.run_until_stop(Running::new(state, self), run)
    }

    /// Resumes a waiting run with the option at index `at`. The run continues with the given `fuel`.
    pub(super) fn resume_with_answer(
        &self,
        state: &mut State,
        run: &mut Run,
        question: PendingQuestion,
        at: usize,
        fuel: u64,
    ) -> Progress {
        let mut running = Running::new(state, self);
        match question.resume(&mut running.context, at) {
            Ok(Reply::Value(value)) => {
                run.answer(value, fuel);
                self.run_until_stop(running, run)
            }
            Ok(Reply::Question(next)) => Progress::Asked(next),
            Err(failure) => {
                let stop = run.fail(&self.program, to_machine_fault(*failure));
                self.progress(stop, running)
            }
        }
    }

    /// Asks a seat which of several triggered effects happens next.
    pub(super) fn ask_next_effect(
        &self,
        state: &mut State,
        asked: (Seat, DecisionId),
        effects: Vec<(PieceId, ArcStr)>,
    ) -> Progress {
        let mut running = Running::new(state, self);
        let all: Vec<Choice> = effects
            .into_iter()
            .map(|(piece, effect)| {
                let parts = [(EFFECT, Choice::Word(effect)), (PIECE, Choice::Piece(piece))];
                Choice::Parts(parts.into())
            })
            .collect();
        let options = merge_equivalent(&running.context.table, asked.0, OptionSet::List(all.into()));
        let reply = PendingQuestion::ask_one(&mut running.context, Decision::single(asked.0, asked.1, options, None));
        self.progress_of_reply(reply, running)
    }

    /// Answers the question of which triggered effect happens next with the option at index `at`. Returns the chosen effect.
    pub(super) fn answer_next_effect(&self, state: &mut State, question: PendingQuestion, at: usize) -> Progress {
        let mut running = Running::new(state, self);
        let reply = question.resume(&mut running.context, at);
        self.progress_of_reply(reply, running)
    }

    fn progress_of_reply(&self, reply: Answer<Reply>, running: Running<'_>) -> Progress {
        match reply {
            Ok(Reply::Value(value)) => Progress::Done(value),
            Ok(Reply::Question(question)) => Progress::Asked(question),
            Err(failure) => self.progress(Run::default().fail(&self.program, to_machine_fault(*failure)), running),
        }
    }

    fn run_until_stop(&self, mut running: Running<'_>, run: &mut Run) -> Progress {
        // A copied run has only the registers in use. Give it the memory of a finished run.
        if run.needs_window() {
            run.move_into_memory_of(self.take_idle_run());
        }
        let fuel = run.remaining_fuel();
        let effects = running.state.effects.depth();
        let stop = run.resume(&self.program, &mut running);
        if let vm::Stop::Fault(..) = stop {
            running.state.effects.truncate(effects);
        }
        if let Some(operations) = &self.operations {
            // A rerun gets several budgets, one after the other. Only the operations of the last one are counted.
            operations.fetch_add(fuel.saturating_sub(run.remaining_fuel()), Ordering::Relaxed);
        }
        if let vm::Stop::Done(_) = stop {
            running.state.triggers.fuel_left = run.remaining_fuel();
        }
        if !matches!(stop, vm::Stop::Asked) {
            self.keep_for_reuse(std::mem::take(run));
        }
        self.progress(stop, running)
    }

    fn progress(&self, stop: vm::Stop, running: Running<'_>) -> Progress {
        let Running { context, question, .. } = running;
        match (stop, question, context.stop) {
            (vm::Stop::Done(value), ..) => Progress::Done(value),
            (vm::Stop::Asked, Some(question), _) => Progress::Asked(question),
            (vm::Stop::Asked, None, _) => {
                Progress::Fault(Box::new(Diagnostic::error("internal", "a run waits for nothing")))
            }
            (vm::Stop::Fault(..), _, Some(Stop::Ended)) => Progress::GameEnded,
            (vm::Stop::Fault(..), _, Some(Stop::NotOffered)) => Progress::NotOffered,
            (vm::Stop::Fault(fault, trace), ..) => {
                let held = value_display::variables(&context.state.table, &trace);
                Progress::Fault(Box::new(self.diagnose(&fault, &trace).detail("variables", held)))
            }
        }
    }

    /// Adds the place where a decision was asked to a diagnostic about its missing answer. Leaves a diagnostic that already has a place
    /// unchanged.
    pub(super) fn unanswered(&self, run: &Run, mut why: Diagnostic) -> Diagnostic {
        let vm::Stop::Fault(fault, trace) = run.fail(&self.program, vm::boxed_fault("no-answer", "no answer")) else {
            return why;
        };
        if why.marks.is_empty() {
            let asked = self.diagnose(&fault, &trace);
            why.marks.extend(asked.marks.into_iter().map(|mark| Mark { note: "asks here".to_owned(), ..mark }));
            why.trace = asked.trace;
        }
        why
    }

    /// Returns the facts of the game.
    pub(super) fn facts(&self) -> &FactTable {
        &self.game_names.facts
    }

    /// Converts a fault of the machine to a diagnostic with its place and backtrace.
    fn diagnose(&self, fault: &Fault, trace: &[BacktraceEntry]) -> Diagnostic {
        let place = |at: &BacktraceEntry| {
            let source = self.sources.get(usize::from(at.source))?;
            Some(Place { source: source.clone(), span: at.span.range() })
        };
        let fault = explained(fault);
        let mut diagnostic = match trace.first().and_then(place) {
            Some(place) => fault.at(place),
            None => fault.into(),
        };
        let callers = trace.iter().skip(1).map(place).collect::<Vec<_>>();
        let calls = trace.iter().zip(callers.into_iter().chain([None]));
        let mut calls: Vec<(String, Option<Place>)> = calls.map(|(at, from)| (at.function.to_string(), from)).collect();
        calls.reverse();
        diagnostic.trace = trace::trace(&calls);
        diagnostic
    }
}

/// Code of the fault that unwinds the machine when the context has stopped the step.
const STOPPED: &str = "stopped";

/// Replaces a fault of the machine about an exceeded budget with a fault that explains it to the author. Returns other faults unchanged.
fn explained(fault: &Fault) -> Fault {
    match fault.code {
        // A fault with a help text comes from the library. It is kept, because it explains more than the general message.
        "endless" | STOPPED if fault.help.is_none() => explain::budget_exceeded(),
        _ => fault.clone(),
    }
}

impl NameBindings {
    fn resolve(text: &str, game_names: &GameNames) -> Self {
        Self {
            global: game_names.globals.get(text).cloned(),
            properties: registry().dispatch(Form::Property, text, 1),
            named: game_names.facts.named(text),
            game: game_names.facts.game_value(text).cloned(),
        }
    }
}

impl NameBindings {
    /// Reads the fact with this name from a piece, component, seat, space or zone. Returns `None` if the value does not have the fact.
    #[inline]
    fn fact(&self, of: &Value, table: &Table) -> Option<Value> {
        let [of_piece, of_component, of_seat, of_space, of_zone] = &self.named.facts;
        match of {
            Value::Piece(piece) => read(piece.get(), table, of_piece.as_ref()?),
            Value::Component(one) => read(one.get(), table, of_component.as_ref()?),
            Value::Seat(seat) => read(seat.get(), table, of_seat.as_ref()?),
            Value::Space(space) => read(space.get(), table, of_space.as_ref()?),
            Value::Zone(zone) => read(zone.get(), table, of_zone.as_ref()?),
            _ => None,
        }
    }
}

impl CallSite {
    fn resolve(program: &Program, call: LibraryCall, game_names: &GameNames, bindings: &[Arc<NameBindings>]) -> Self {
        let text = &*program.names()[usize::from(call.function)];
        Self {
            library: registry().dispatch_of_call(text, usize::from(call.count), call.texts),
            quoted: call.quoted.map(|name| bindings[usize::from(name)].clone()),
            own: builtin_codes(Form::Function, text),
            internal: match text {
                BEGINS_TOGETHER => Some(Internal::BeginsTogether),
                ENDS_TOGETHER => Some(Internal::EndsTogether),
                BEGINS_WINDOW => Some(Internal::BeginsWindow),
                BEGINS_READ_ONLY => Some(Internal::BeginsReadOnly),
                ENDS_READ_ONLY => Some(Internal::EndsReadOnly),
                NEXT_IN_WINDOW => Some(Internal::NextInWindow),
                ENDS_WINDOW => Some(Internal::EndsWindow),
                _ => None,
            },
            names_functions: game_names.calls.iter().any(|field| **field == *text),
        }
    }

    /// Returns the meanings of the name that the call passes as a string literal.
    #[inline(always)]
    fn quoted(&self) -> Option<&NamedFacts> {
        self.quoted.as_ref().map(|bindings| &bindings.named)
    }
}

type MachineResult<T> = vm::Answer<T>;

/// The context of a run: the game's context with the bindings of the program.
struct Running<'a> {
    context: Context<'a>,
    machine: &'a Machine,
    /// The question that was just asked.
    question: Option<Box<PendingQuestion>>,
}

impl<'a> Deref for Running<'a> {
    type Target = Context<'a>;

    fn deref(&self) -> &Context<'a> {
        &self.context
    }
}

impl<'a> DerefMut for Running<'a> {
    fn deref_mut(&mut self) -> &mut Context<'a> {
        &mut self.context
    }
}

/// Callback that calls the function argument of a library function.
type Call<'c, 'a> = &'c mut dyn FnMut(&mut Running<'a>, &[Value]) -> MachineResult<Value>;

/// A running program lent to a library function that may call a closure.
struct LentRun<'c, 'a> {
    running: &'c mut Running<'a>,
    call: Call<'c, 'a>,
}

impl<'a> Calls<'a> for LentRun<'_, 'a> {
    fn context(&self) -> &Context<'a> {
        &self.running.context
    }

    fn context_mut(&mut self) -> &mut Context<'a> {
        &mut self.running.context
    }

    fn call(&mut self, arguments: &[Value]) -> Answer<Value> {
        (self.call)(self.running, arguments).map_err(wrap_fault)
    }

    fn take_closure(&mut self) -> Option<StoredClosure> {
        self.running.context.closure.take()
    }
}

impl<'a> Running<'a> {
    fn new(state: &'a mut State, machine: &'a Machine) -> Self {
        Self { context: Context::new(state, machine.facts()), machine, question: None }
    }

    fn binding(&self, name: Symbol<'_>) -> &'a NameBindings {
        &self.machine.bindings[usize::from(name.number)]
    }

    fn site(&self, call: Symbol<'_>) -> &'a CallSite {
        &self.machine.calls[usize::from(call.number)]
    }

    /// Calls the overload of a library function that accepts the arguments, if there is one.
    #[inline]
    fn library(&mut self, dispatch: &Dispatch, given: &mut [Value]) -> Option<MachineResult<Reply>> {
        let native = &self.machine.library.natives[dispatch.find(given)?];
        Some(native.call(&mut self.context, given).map_err(|failure| to_machine_fault(*failure)))
    }

    /// Like [`Self::library`], for functions that take a closure.
    fn library_with(
        &mut self,
        dispatch: &Dispatch,
        given: &mut [Value],
        call: Call<'_, 'a>,
    ) -> Option<MachineResult<Reply>> {
        let native = &self.machine.library.natives[dispatch.find(given)?];
        let called = native.call_with(&mut LentRun { running: self, call }, given);
        Some(called.map_err(|failure| to_machine_fault(*failure)))
    }

    /// Returns the result of a read, unless the read needed something that the restricted seat does not know.
    #[inline(always)]
    fn if_known<T>(&self, found: T) -> MachineResult<T> {
        match self.check_known() {
            Ok(()) => Ok(found),
            Err(failure) => Err(to_machine_fault(*failure)),
        }
    }

    /// Calls a library function that never asks a decision: a property, an index or an operator.
    fn value(&mut self, dispatch: &Dispatch, given: &mut [Value]) -> Option<MachineResult<Value>> {
        self.library(dispatch, given).map(|done| done.and_then(value))
    }

    /// Converts the outcome of a library function, unless the function needed something that the restricted seat does not know.
    #[inline(always)]
    fn result_of(&mut self, called: Answer<Reply>) -> MachineResult<NativeResult> {
        match called {
            Ok(Reply::Value(value)) => self.if_known(NativeResult::Value(value)),
            Ok(reply) => self.if_known(reply).map(|reply| self.native_result(reply)),
            Err(failure) => Err(to_machine_fault(*failure)),
        }
    }

    /// Converts a reply of the library to a [`NativeResult`]. Stores a question in `question`.
    #[inline]
    fn native_result(&mut self, reply: Reply) -> NativeResult {
        match reply {
            Reply::Value(value) => NativeResult::Value(value),
            Reply::Question(question) => {
                self.question = Some(question);
                NativeResult::Asked
            }
        }
    }
}

/// Returns the value of a reply, or a fault if it is a question.
fn value(reply: Reply) -> MachineResult<Value> {
    match reply {
        Reply::Value(value) => Ok(value),
        Reply::Question(_) => Err(Box::new(choice_out_of_place())),
    }
}

/// Returns the facts of a name if at least one of them can be assigned to.
fn settable(facts: Option<&[Column]>) -> Option<&[Column]> {
    facts.filter(|facts| facts.iter().any(|fact| fact.stored().is_some()))
}

/// Converts a failure of the library to a fault of the machine.
#[cold]
fn to_machine_fault(failure: Failure) -> Box<Fault> {
    match failure {
        Failure::Fault(fault) => Box::new(fault),
        Failure::Stopped => vm::boxed_fault(STOPPED, "the step is given up"),
        Failure::Inside(inside) => match inside.downcast::<Fault>() {
            Ok(fault) => fault,
            Err(_) => vm::boxed_fault("internal", "a function failed in an unknown way"),
        },
    }
}

/// Wraps a machine fault from inside a closure, so that it can pass through the library function that called the closure.
fn wrap_fault(fault: Box<Fault>) -> Box<Failure> {
    Box::new(Failure::Inside(fault))
}

impl Running<'_> {
    /// Reads a field that [`NameBindings::fact`] does not find: a value of the game, or a property of the library. If `game` has both a
    /// value and a property with this name, the value takes precedence.
    #[inline(never)]
    fn computed_field(&mut self, of: &Value, name: Symbol<'_>) -> MachineResult<Value> {
        let binding = self.binding(name);
        if let (Value::Game, Some(stored)) = (of, &binding.game) {
            let read = game_value(self, stored);
            return self.if_known(read);
        }
        let Some(at) = binding.properties.find(std::slice::from_ref(of)) else {
            return Err(self.missing_field(of, name));
        };
        match self.machine.library.natives[at].call(&mut self.context, &mut [of.clone()]) {
            Ok(Reply::Value(read)) => self.if_known(read),
            Ok(reply) => value(reply),
            Err(failure) => Err(to_machine_fault(*failure)),
        }
    }

    /// Creates the fault for a value that has neither a fact nor a property called `name`.
    #[cold]
    fn missing_field(&self, of: &Value, name: Symbol<'_>) -> Box<Fault> {
        let [of_piece, of_component, of_seat, of_space, of_zone] = &self.binding(name).named.facts;
        let text = name.text();
        let read = match of {
            Value::Piece(piece) => of_piece.as_ref().map(|facts| fact(self, piece.get(), facts, text)),
            Value::Component(one) => of_component.as_ref().map(|facts| fact(self, one.get(), facts, text)),
            Value::Seat(seat) => of_seat.as_ref().map(|facts| fact(self, seat.get(), facts, text)),
            Value::Space(space) => of_space.as_ref().map(|facts| fact(self, space.get(), facts, text)),
            Value::Zone(zone) => of_zone.as_ref().map(|facts| fact(self, zone.get(), facts, text)),
            _ => None,
        };
        match read {
            Some(Err(failure)) => to_machine_fault(*failure),
            _ => Box::new(explain::unknown_field(text, of.sort())),
        }
    }

    /// Returns the rule functions that a field of `thing` names. The machine then calls them.
    fn functions_named(&mut self, thing: &Value, field: &str) -> MachineResult<NativeResult> {
        let functions = functions_of_field(self, thing, field).map_err(|failure| to_machine_fault(*failure))?;
        let number = |function: &ArcStr| {
            let found = self.machine.functions.get(function.as_str()).copied();
            found.ok_or_else(|| vm::boxed_fault("unknown-function", format!("there is no function `{function}`")))
        };
        let all: Vec<usize> = functions.iter().map(number).collect::<MachineResult<_>>()?;
        if !all.is_empty() {
            let piece = if let Value::Piece(piece) = thing { Some(piece.get()) } else { None };
            self.state.begin_effect(piece);
        }
        Ok(NativeResult::Functions(Box::new(all)))
    }
}

impl vm::Context for Running<'_> {
    fn take_work(&mut self) -> u64 {
        self.work.replace(0)
    }

    fn take_refuel(&mut self) -> Option<u64> {
        std::mem::take(&mut self.is_refueled).then_some(OPERATION_BUDGET)
    }

    fn is_stopped(&self) -> bool {
        matches!(self.context.stop, Some(Stop::Ended | Stop::NotOffered))
    }

    fn global(&mut self, name: Symbol<'_>) -> MachineResult<Value> {
        let position = &self.table.position;
        match &self.binding(name).global {
            Some(Name::Fixed(value)) => Ok(value.clone()),
            Some(Name::Round) => Ok(Value::Number(position.round)),
            Some(Name::First) => Ok(Value::from(position.first)),
            Some(Name::Active) => Ok(position.active.into()),
            Some(Name::Absent) => Err(Box::new(absent_name(name.text()))),
            None if is_absent_name(self.table.model(), name.text()) => Err(Box::new(absent_name(name.text()))),
            None => {
                let message = format!("there is no `{}`", name.text());
                Err(Box::new(Fault::new("unknown-name", message, "not a name known here")))
            }
        }
    }

    #[inline]
    fn field(&mut self, of: &Value, name: Symbol<'_>) -> MachineResult<Value> {
        match self.binding(name).fact(of, &self.context.table) {
            Some(value) => {
                let cost = value.cost();
                if cost > 0 {
                    self.charge(cost);
                }
                self.if_known(value)
            }
            None => self.computed_field(of, name),
        }
    }

    fn queried_pieces(&mut self, of: &Value, name: Symbol<'_>) -> MachineResult<Value> {
        let [.., of_space, of_zone] = &self.binding(name).named.facts;
        let pieces = match of {
            Value::Zone(zone) if of_zone.is_none() => self.table.count(zone.get()),
            Value::Space(space) if of_space.is_none() => self.table.height(space.get()),
            _ => return self.field(of, name),
        };
        // The list would have been charged as a result, and then as an argument.
        self.charge(2 * handle_list_cost(pieces));
        self.if_known(of.clone())
    }

    fn set_field(&mut self, of: &Value, name: Symbol<'_>, value: Value) -> MachineResult<()> {
        let binding = self.binding(name);
        let [of_piece, of_component, of_seat, of_space, of_zone] = &binding.named.facts;
        let text = name.text();
        let set = match of {
            Value::Piece(piece) => {
                settable(of_piece.as_deref()).map(|facts| set_fact(self, piece.get(), facts, text, &value))
            }
            Value::Component(one) => {
                settable(of_component.as_deref()).map(|facts| set_fact(self, one.get(), facts, text, &value))
            }
            Value::Seat(seat) => {
                settable(of_seat.as_deref()).map(|facts| set_fact(self, seat.get(), facts, text, &value))
            }
            Value::Space(space) => {
                settable(of_space.as_deref()).map(|facts| set_fact(self, space.get(), facts, text, &value))
            }
            Value::Zone(zone) => {
                settable(of_zone.as_deref()).map(|facts| set_fact(self, zone.get(), facts, text, &value))
            }
            Value::Game => binding.game.as_ref().map(|stored| set_game_value(self, stored.id, &value)),
            _ => None,
        };
        set.unwrap_or_else(|| Err(explain::fixed_field(text, of.sort()).into()))
            .map_err(|failure| to_machine_fault(*failure))
    }

    fn set_index(&mut self, of: &Value, index: &Value, value: Value) -> MachineResult<()> {
        match of {
            Value::Entries(entries) => {
                set_entry(self, entries.get(), index, &value).map_err(|failure| to_machine_fault(*failure))
            }
            _ => Err(Box::new(sentence::not_set(&of.kind()))),
        }
    }

    fn put_back(&mut self, of: &Value, name: Symbol<'_>, several: &Value) -> MachineResult<()> {
        let binding = self.binding(name);
        let [of_piece, of_component, of_seat, of_space, of_zone] = &binding.named.facts;
        let facts = match of {
            Value::Piece(_) => of_piece,
            Value::Component(_) => of_component,
            Value::Seat(_) => of_seat,
            Value::Space(_) => of_space,
            Value::Zone(_) => of_zone,
            Value::Game if binding.game.as_ref().is_some_and(Stored::is_list) => {
                return self.set_field(of, name, several.clone());
            }
            _ => return Ok(()),
        };
        let is_list = |fact: &Column| fact.stored().is_some_and(Stored::is_list);
        match facts {
            Some(facts) if facts.iter().any(is_list) => self.set_field(of, name, several.clone()),
            _ => Ok(()),
        }
    }

    fn index(&mut self, of: &Value, index: &Value) -> MachineResult<Value> {
        if let Value::Entries(entries) = of {
            let found = entry(self, entries.get(), index).map_err(|failure| to_machine_fault(*failure))?;
            self.charge(found.cost());
            return Ok(found);
        }
        let found = self.value(&self.machine.library.indices, &mut [of.clone(), index.clone()]);
        found.unwrap_or_else(|| Err(vm::not_indexed(of, index)))
    }

    fn operate(&mut self, op: BinaryOp, left: &Value, right: &Value) -> MachineResult<Value> {
        let library = self.machine.library;
        if op == BinaryOp::Add {
            let sum = self.value(&library.sums, &mut [left.clone(), right.clone()]);
            return sum.unwrap_or_else(|| Err(Box::new(explain::operator("+", &[left.sort(), right.sort()]))));
        }
        // The other operators are `in` and `!in`. `item in list` calls `contains(list, item)`.
        let mut given = [right.clone(), left.clone()];
        match self.value(&library.contains, &mut given) {
            Some(Ok(Value::Flag(is_in))) if op == BinaryOp::NotIn => Ok((!is_in.get()).into()),
            Some(done) => done,
            None => Err(Box::new(crate::library::membership_error(left.sort(), right.sort()))),
        }
    }

    fn elements(&mut self, of: &Value) -> Option<Value> {
        let pieces: HandleList<PieceId> = match of {
            Value::Zone(zone) => self.table.pieces(zone.get()).collect(),
            Value::Space(space) => self.table.stack(space.get()).collect(),
            Value::Pieces(_)
            | Value::Seats(_)
            | Value::Zones(_)
            | Value::Spaces(_)
            | Value::Components(_)
            | Value::Options(_) => {
                return Some(of.clone());
            }
            _ => return None,
        };
        self.charge(pieces.len() / OBJECTS_PER_OPERATION);
        Some(Value::Pieces(pieces))
    }

    #[inline(always)]
    fn call_plain(&mut self, call: u16, arguments: &mut [Value]) -> Option<MachineResult<NativeResult>> {
        let machine = self.machine;
        let site = &*machine.calls[usize::from(call)];
        if site.names_functions {
            return None;
        }
        let native = &machine.library.natives[site.library.find(arguments)?];
        let Implementation::Plain(run) = &native.implementation else { return None };
        self.context.quoted = site.quoted();
        let called = run(&mut self.context, arguments);
        Some(self.result_of(called))
    }

    fn native(&mut self, name: Symbol<'_>, arguments: &mut [Value]) -> MachineResult<NativeResult> {
        let site = self.site(name);
        self.context.quoted = site.quoted();
        if site.names_functions
            && let Some(thing) = arguments.first()
            && names_functions(self, thing, name.text())
        {
            return self.functions_named(thing, name.text());
        }
        if let Some(at) = site.library.find(arguments) {
            let called = self.machine.library.natives[at].call(&mut self.context, arguments);
            return self.result_of(called);
        }
        if let Some(own) = site.own {
            let mut work = 0;
            // Reading the length of a collection, or pushing to a list with a single owner, does not visit the other
            // entries.
            let is_whole = match &*arguments {
                [Value::List(_) | Value::Map(_)] if own.property.is_some() => true,
                [Value::List(items), ..] if Arc::strong_count(items) == 1 => {
                    matches!(own.list, Some(ListCode::Push | ListCode::Pop))
                }
                _ => false,
            };
            for one in arguments.iter().skip(usize::from(is_whole)) {
                work += one.cost_if_bounded().ok_or_else(vm::too_heavy)?;
            }
            if let Some(value) = vm::native(own, arguments)? {
                self.charge(work + value.cost());
                return Ok(NativeResult::Value(value));
            }
        }
        match (site.internal, &*arguments) {
            (Some(Internal::BeginsWindow), [seats]) => {
                let seats = seats_in_play(self, seats).map_err(|failure| to_machine_fault(*failure))?;
                return Ok(NativeResult::Value(Value::Seats(seats)));
            }
            (Some(Internal::BeginsReadOnly), []) => {
                self.permissions.check_may_ask().map_err(|failure| to_machine_fault(*failure))?;
                self.permissions.may_ask = false;
                return Ok(NativeResult::Value(std::mem::replace(&mut self.permissions.may_change, false).into()));
            }
            (Some(Internal::EndsReadOnly), [Value::Flag(may_change)]) => {
                (self.permissions.may_ask, self.permissions.may_change) = (true, may_change.get());
                return Ok(NativeResult::Value(Value::Nothing));
            }
            (
                Some(Internal::NextInWindow),
                [Value::Seats(seats), Value::Number(asked), Value::Number(passed), Value::Number(given)],
            ) => {
                let next =
                    next_responder(seats, *asked, *passed, *given).map_err(|failure| to_machine_fault(*failure))?;
                // What happens after the response window is an effect of the original action, not of the last seat that declined to
                // respond.
                let has_asked =
                    self.journal.events.last().is_some_and(|event| matches!(event.kind, EventKind::Chose { .. }));
                if next.is_none() && has_asked {
                    self.note_step();
                }
                return Ok(NativeResult::Value(next.into()));
            }
            (Some(Internal::EndsWindow), [Value::List(answers)]) => {
                return Ok(NativeResult::Value(Value::list(answers.iter().rev().cloned().collect())));
            }
            (Some(Internal::BeginsTogether), [seats]) => {
                let seats = seats_in_play(self, seats).map_err(|failure| to_machine_fault(*failure))?;
                begin_together(self, &seats).map_err(|failure| to_machine_fault(*failure))?;
                return Ok(NativeResult::Value(Value::Seats(seats)));
            }
            (Some(Internal::EndsTogether), [Value::Seats(seats), Value::List(answers)]) => {
                return Ok(NativeResult::Value(end_together(self, seats, answers)));
            }
            _ => {}
        }
        if site.names_functions
            && let Some(thing @ (Value::Piece(_) | Value::Component(_) | Value::Space(_) | Value::Map(_))) =
                arguments.first()
        {
            return self.functions_named(thing, name.text());
        }
        Err(Box::new(explain::wrong_call(name.text(), arguments)))
    }

    fn native_on_results(&mut self, name: Symbol<'_>, entries: &Value, results: &[Value]) -> MachineResult<Value> {
        let mut results = results.iter();
        let mut next = |_: &mut Self, _: &[Value]| Ok(results.next().cloned().unwrap_or_default());
        let mut given = [entries.clone(), Value::Function(0.into())];
        let found = self.library_with(&self.site(name).library, &mut given, &mut next);
        match found {
            Some(done) => done.and_then(value),
            None => Err(Box::new(explain::wrong_call(name.text(), &[entries.clone(), Value::Function(0.into())]))),
        }
    }

    fn offer_closure(&mut self, kept: StoredClosure, source: u16, span: Span) {
        let place = |source: &Arc<Source>| Place { source: source.clone(), span: span.range() };
        let place = self.machine.sources.get(usize::from(source)).map(place);
        self.context.closure = Some(StoredClosure { place, ..kept });
    }

    fn functions_returned(&mut self) {
        self.state.end_effect();
    }

    fn reached(&mut self, point: u32) {
        self.machine.recording.reached(point as usize);
    }

    fn native_with(
        &mut self,
        name: Symbol<'_>,
        arguments: &mut [Value],
        call: &mut dyn FnMut(&mut Self, &[Value]) -> MachineResult<Value>,
    ) -> MachineResult<NativeResult> {
        // The closure is the last argument, as in the source.
        let mut given: SmallVec<[Value; 6]> = arguments.iter().cloned().collect();
        if !given.iter().any(|one| matches!(one, Value::Function(_))) {
            given.push(Value::Function(0.into()));
        }
        if let Some(done) = self.library_with(&self.site(name).library, &mut given, call) {
            let reply = done.and_then(|reply| self.if_known(reply))?;
            for (place, changed) in arguments.iter_mut().zip(given) {
                *place = changed;
            }
            return Ok(self.native_result(reply));
        }
        if matches!(arguments.first(), Some(Value::List(_))) {
            return vm::native_with(self, self.site(name).own, name.text(), arguments, call).map(NativeResult::Value);
        }
        Err(Box::new(explain::wrong_call(name.text(), &given)))
    }
}

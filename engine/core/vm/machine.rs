//! The machine: runs bytecode on a register stack. Frames and registers are plain data, so a suspended run can be copied.

use super::code::{ANONYMOUS, ClosureCall, CompiledFunction, InPlaceUpdate, Local, Op, Program, Register, Step};
use super::context::{Context, NativeResult};
use super::fast_path::{Exit, WINDOW, put, release, run_fast, text_lookup_cost};
use super::fault::{Answer, boxed_fault};
use super::meter::Meter;
use super::operator;
use super::place::{self, PartPath};
use super::standard;
use crate::decision::{ENTRY_BYTES, MAX_HELD, Map, Value};
use crate::diagnostic::sentence::not_a_function;
use crate::diagnostic::{Fault, choice_in_a_closure};
use crate::library::entry::stored_closure::StoredClosure;
use crate::library::stores_closure;
use crate::syntax::{BinaryOp, Span};
use arcstr::ArcStr;
use smallvec::SmallVec;
use std::sync::Arc;

/// Reason why a run stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The function returned a value.
    Done(Value),
    /// A seat was asked. [`Run::answer`] supplies the answer, and [`Run::resume`] continues.
    Asked,
    /// A fault with its backtrace, innermost call first.
    Fault(Box<Fault>, Vec<BacktraceEntry>),
}

/// An entry of a backtrace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BacktraceEntry {
    /// Name of the function.
    pub function: ArcStr,
    /// Index of the source text.
    pub source: u16,
    /// Span in the source text.
    pub span: Span,
    /// Variables that exist at the place, with their values.
    pub variables: Vec<(Arc<str>, Value)>,
}

/// A frame of the call stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Frame {
    function: u16,
    /// Index of the next instruction.
    next: u32,
    /// Stack index of the frame's first register.
    base: u32,
    /// Stack index that receives the frame's return value.
    into: u32,
    /// Whether the function is the last one of a [`NativeResult::Functions`].
    is_last_of_field: bool,
}

/// State of an execution. It can be copied while the run waits for an answer.
#[derive(Debug, Default)]
pub struct Run {
    /// Registers of all frames. The stack extends one full window beyond the base of the last frame, so that every
    /// register index is valid.
    pub(super) stack: Vec<Value>,
    /// Number of registers in use. All registers after these are `()`.
    pub(super) used: usize,
    frames: Vec<Frame>,
    /// Stack index that receives the pending answer.
    awaited: Option<u32>,
    pub(super) meter: Meter,
    /// Number of active library calls that are calling functions of the program.
    native_depth: u32,
}

/// Maximum number of registers whose memory is kept when a run is reused.
const MAX_RETAINED_REGISTERS: usize = 8 * WINDOW;

/// Maximum depth of calls.
pub const MAX_CALL_DEPTH: usize = 512;

/// Maximum depth of library calls that call functions of the program. These recurse on the native stack.
const MAX_NATIVE_DEPTH: u32 = 64;

/// Reason why [`Run::run`] returned.
#[derive(Debug, Clone, Copy)]
enum Outcome {
    /// A seat was asked.
    Asked,
    /// The frame returned. The value is at this stack index.
    Over(usize),
}

/// Operands of an instruction that accesses the part of a variable at the end of a path. `path` is the index of the path; the other fields
/// are stack indices.
struct PathOperands {
    root: usize,
    path: u16,
    indices: usize,
}

/// Reason to leave the instruction loop of a frame. The type is small enough to be returned in processor registers.
#[derive(Debug)]
enum FrameExit {
    /// Another frame is on top of the stack.
    Next,
    /// A seat was asked.
    Asked,
    /// A fault.
    Fault(Box<Fault>),
}

impl From<Box<Fault>> for FrameExit {
    fn from(fault: Box<Fault>) -> Self {
        Self::Fault(fault)
    }
}

impl PartialEq for Run {
    fn eq(&self, other: &Self) -> bool {
        let place = |run: &Self| (run.awaited, run.meter, run.native_depth);
        self.stack[..self.used] == other.stack[..other.used]
            && self.frames == other.frames
            && place(self) == place(other)
    }
}

impl Eq for Run {}

impl Clone for Run {
    fn clone(&self) -> Self {
        // Registers beyond `used` are empty. A copy without them is smaller, but must be extended to a full window before it runs.
        Self { stack: self.stack[..self.used].to_vec(), frames: self.frames.clone(), ..*self }
    }
}

impl Run {
    /// Estimates the number of bytes that a copy takes, including the values that it shares with the original.
    pub(crate) fn size(&self) -> usize {
        // Values that occur in many registers are counted each time. `most` limits the work of counting them.
        let most = 4 * MAX_HELD;
        let mut room = most;
        let fits = self.stack[..self.used].iter().all(|value| value.charge_memory(&mut room));
        let entries = if fits { most - room } else { most };
        (entries + self.frames.len()) * ENTRY_BYTES
    }

    /// Returns whether both runs are at the same instruction with equal registers, regardless of their remaining fuel.
    #[cfg(feature = "walker")]
    pub fn is_at(&self, other: &Self) -> bool {
        (self.stack[..self.used] == other.stack[..other.used])
            && (&self.frames, self.awaited) == (&other.frames, other.awaited)
    }

    /// Creates a run of a function.
    ///
    /// # Panics
    /// Panics if the program has no such function or the number of arguments is wrong.
    pub fn new(program: &Program, function: usize, arguments: &[Value], fuel: u64) -> Self {
        Self::default().restart(program, function, arguments, fuel)
    }

    /// Starts a run of a function, reusing the memory of this run.
    ///
    /// # Panics
    /// Panics if the program has no such function or the number of arguments is wrong.
    #[must_use]
    pub fn restart(mut self, program: &Program, function: usize, arguments: &[Value], fuel: u64) -> Self {
        let found = &program.functions[function];
        assert_eq!(usize::from(found.arity), arguments.len(), "`{}` is given what it takes", found.name);
        self.clear();
        self.reserve(usize::from(found.registers).max(arguments.len()));
        self.stack[..arguments.len()].clone_from_slice(arguments);
        self.frames.push(Frame { function: function as u16, next: 0, base: 0, into: 0, is_last_of_field: false });
        Self { awaited: None, meter: Meter::new(fuel), native_depth: 0, ..self }
    }

    /// Returns the remaining fuel.
    pub fn remaining_fuel(&self) -> u64 {
        self.meter.fuel
    }

    /// Clears the run. Keeps its memory up to a limit.
    pub fn clear(&mut self) {
        self.clear_from(0);
        self.stack.truncate(MAX_RETAINED_REGISTERS);
        self.stack.shrink_to(MAX_RETAINED_REGISTERS);
        self.frames.clear();
    }

    /// Returns whether the stack is shorter than one window. This can be the case in a copied run.
    pub fn needs_window(&self) -> bool {
        self.stack.len() < WINDOW
    }

    /// Moves the registers into the stack of `room`, to reuse its memory.
    pub fn move_into_memory_of(&mut self, mut room: Self) {
        room.reserve(self.used);
        for (to, from) in room.stack.iter_mut().zip(&mut self.stack[..self.used]) {
            std::mem::swap(to, from);
        }
        self.stack = room.stack;
    }

    /// Extends the used part of the stack to at least `end` registers.
    #[inline]
    fn reserve(&mut self, end: usize) {
        if self.stack.len() < end {
            self.stack.resize_with(end, Value::default);
        }
        self.used = self.used.max(end);
    }

    /// Clears all registers from `start` on.
    fn clear_from(&mut self, start: usize) {
        for register in &mut self.stack[start..self.used] {
            put(register, Value::Nothing);
        }
        self.used = start;
    }

    /// Creates a run of a stored closure.
    pub fn from_stored(kept: &StoredClosure, arguments: &[Value], fuel: u64) -> Self {
        let mut stack = vec![Value::Nothing; usize::from(kept.registers)];
        for (register, value) in &kept.captured {
            stack[usize::from(*register)] = value.clone();
        }
        for (at, argument) in arguments.iter().take(usize::from(kept.arity)).enumerate() {
            stack[usize::from(kept.params) + at] = argument.clone();
        }
        let frames =
            vec![Frame { function: kept.function, next: kept.next, base: 0, into: 0, is_last_of_field: false }];
        Self { used: stack.len(), stack, frames, awaited: None, meter: Meter::new(fuel), native_depth: 0 }
    }

    /// Supplies the pending answer and sets the fuel for the rest of the run.
    pub fn answer(&mut self, value: Value, fuel: u64) {
        self.meter.fuel = fuel;
        if let Some(at) = self.awaited.take() {
            self.stack[at as usize] = value;
        }
    }

    /// Runs until the function returns, a seat is asked or a fault occurs.
    pub fn resume<C: Context>(&mut self, program: &Program, context: &mut C) -> Stop {
        match self.run(program, context, 0) {
            Ok(Outcome::Over(at)) => Stop::Done(std::mem::take(&mut self.stack[at])),
            Ok(Outcome::Asked) => Stop::Asked,
            Err(fault) if context.is_stopped() => Stop::Fault(fault, Vec::new()),
            Err(fault) => self.fail(program, fault),
        }
    }

    /// Returns the `Stop` for a fault at the current instruction.
    pub fn fail(&self, program: &Program, fault: Box<Fault>) -> Stop {
        Stop::Fault(fault, self.trace(program))
    }

    /// Builds the backtrace.
    fn trace(&self, program: &Program) -> Vec<BacktraceEntry> {
        // If the library has called a closure, the closure has a frame over the registers of its enclosing function. The frame of the
        // enclosing function is then skipped, because the ranges of inlined closures already yield an entry for each of the two.
        let is_own = |at: usize| {
            let inner = self.frames.get(at + 1);
            inner.is_none_or(|inner| (inner.function, inner.base) != (self.frames[at].function, self.frames[at].base))
        };
        let mut found = Vec::new();
        for at in (0..self.frames.len()).rev().filter(|at| is_own(*at)) {
            let (frame, function) = (&self.frames[at], &program.functions[usize::from(self.frames[at].function)]);
            // `next` already points to the instruction after the current one.
            let at = frame.next.saturating_sub(1);
            let mut span = function.spans.get(at as usize).copied().unwrap_or_default();
            let mut variables = self.variables(program, function, frame.base as usize, at);
            for inner in function.inner.iter().rev().filter(|inner| (inner.start..inner.end).contains(&at)) {
                let own = variables.split_off(variables.partition_point(|(start, ..)| *start < inner.start));
                let variables = without_shadowed(own);
                found.push(BacktraceEntry { function: ANONYMOUS.into(), source: function.source, span, variables });
                span = inner.call_site;
            }
            let variables = without_shadowed(variables);
            found.push(BacktraceEntry { function: function.name.clone(), source: function.source, span, variables });
        }
        found
    }

    /// Returns the variables that exist at an instruction in order of declaration, each with the first instruction at which it exists.
    ///
    /// A value that was moved out to be changed is shown at its original place. A variable is omitted if its value has been moved into the
    /// call that is changing the value.
    fn variables(
        &self,
        program: &Program,
        function: &CompiledFunction,
        base: usize,
        at: u32,
    ) -> Vec<(u32, Arc<str>, Value)> {
        let is_there = |local: &&Local| (local.start..local.end).contains(&at);
        let value = |local: &Local| {
            let is_lifted = |lifted: &&InPlaceUpdate| {
                lifted.root == local.register && (lifted.start + 1..=lifted.end).contains(&at)
            };
            let held = |register: Register| self.stack.get(base + usize::from(register)).cloned();
            let mut value = held(local.register)?;
            if let Some(lifted) = function.lifted.iter().find(is_lifted) {
                let steps = &program.paths[usize::from(lifted.path)].0;
                let indices = self.stack.get(base + usize::from(lifted.indices)..).unwrap_or_default();
                place::restore(program, &mut value, PartPath { steps, indices }, held(lifted.held)?)?;
            }
            Some(value)
        };
        let mut locals: Vec<&Local> = function.locals.iter().filter(is_there).collect();
        locals.sort_by_key(|local| (local.start, local.register));
        let named = |local: &&Local| Some((local.start, local.name.clone(), value(local)?));
        locals.iter().filter_map(named).collect()
    }

    /// Runs until the frame at index `depth` returns or a seat is asked.
    ///
    /// # Errors
    /// Returns the fault that ends the run.
    fn run<C: Context>(&mut self, program: &Program, context: &mut C, depth: usize) -> Answer<Outcome> {
        loop {
            let mut at = self.frames.len() - 1;
            let Frame { function, next, base, .. } = self.frames[at];
            let mut function = &*program.functions[usize::from(function)];
            let (mut ops, mut base) = (function.ops_from(next as usize), base as usize);
            // Calls and returns stay in this loop.
            let exit = loop {
                // With a window of fixed size, the compiler can omit bounds checks for register indices.
                let Some(registers) = self.stack[base..].first_chunk_mut::<WINDOW>() else {
                    self.stack.resize_with(base + WINDOW, Value::default);
                    continue;
                };
                let (op, fast_exit) = loop {
                    // A function ends with `Return`, so the instructions are never used up.
                    let op = ops.next().unwrap_or(&Op::Return { a: 0 });
                    let done = run_fast(program, function, context, op, registers, &mut self.meter, &mut ops);
                    if let Err(exit) = done {
                        break (op, exit);
                    }
                };
                let done = match fast_exit {
                    Exit::Call => {
                        let Op::Call { a, from, function: callee, count } = *op else { continue };
                        let (a, from) = (base + usize::from(a), base + usize::from(from));
                        self.frames[at].next = function.index_of(&ops) as u32;
                        match self.call(program, context, usize::from(callee), from, a, usize::from(count)) {
                            Ok(()) => {
                                function = &*program.functions[usize::from(callee)];
                                (at, ops, base) = (at + 1, function.ops_from(0), from);
                                continue;
                            }
                            Err(fault) => Err(FrameExit::Fault(fault)),
                        }
                    }
                    Exit::Return(a) => {
                        let returned = self.frames.pop();
                        if returned.is_some_and(|frame| frame.is_last_of_field) {
                            context.functions_returned();
                        }
                        let into = returned.map_or(0, |frame| frame.into);
                        if self.frames.len() == depth {
                            return Ok(Outcome::Over(base + usize::from(a)));
                        }
                        // The value is taken first, because it may be in the frame's first register, which is released.
                        let value = std::mem::take(&mut registers[usize::from(a)]);
                        release(&mut registers[0]);
                        self.put(into as usize, value);
                        at -= 1;
                        let caller = self.frames[at];
                        function = &*program.functions[usize::from(caller.function)];
                        (ops, base) = (function.ops_from(caller.next as usize), caller.base as usize);
                        continue;
                    }
                    Exit::NeedsRun => self.step(program, function, context, op, base, function.index_of(&ops)),
                    Exit::MeasureMemory => self.measure_memory(context).map_err(FrameExit::from),
                    Exit::MeasureThenJump { to } => {
                        self.measure_memory(context).map(|()| ops = function.ops_from(to)).map_err(FrameExit::from)
                    }
                    Exit::Called(called) => {
                        let Op::Native { a, from, count, .. } = *op else { continue };
                        let (a, from) = (base + usize::from(a), base + usize::from(from));
                        // The functions of a field return to here.
                        self.frames[at].next = function.index_of(&ops) as u32;
                        let done = self.handle_native_result(program, context, called, a, from, usize::from(count));
                        if done.is_ok() && from != a {
                            release(&mut self.stack[from]);
                        }
                        done
                    }
                    Exit::Fault(fault) => Err(FrameExit::Fault(fault)),
                };
                match done {
                    Ok(()) => {}
                    // The frames of the called functions are on top already.
                    Err(FrameExit::Next) => break FrameExit::Next,
                    Err(exit) => {
                        // Not the top frame, if the call of one of several functions failed.
                        self.frames[at].next = function.index_of(&ops) as u32;
                        break exit;
                    }
                }
            };
            match exit {
                FrameExit::Next => {}
                FrameExit::Asked => return Ok(Outcome::Asked),
                FrameExit::Fault(fault) => return Err(fault),
            }
        }
    }

    /// Runs a closure for a library call, in a new frame over the same registers.
    fn call_closure<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        frame: Frame,
        params: std::ops::Range<usize>,
        arguments: &[Value],
        work: usize,
    ) -> Answer<Value> {
        for (at, register) in params.enumerate() {
            self.stack[frame.base as usize + register] = arguments.get(at).cloned().unwrap_or_default();
        }
        self.spend(work)?;
        self.check_memory(context)?;
        let depth = self.frames.len();
        if depth >= MAX_CALL_DEPTH {
            return Err(too_deep("functions call each other", MAX_CALL_DEPTH));
        }
        self.frames.push(frame);
        self.run_top_frame(program, context, depth)
    }

    /// Runs the top frame to its end for a library call. Asking a seat in this frame is a fault, because the native stack cannot be saved.
    fn run_top_frame<C: Context>(&mut self, program: &Program, context: &mut C, depth: usize) -> Answer<Value> {
        if self.native_depth >= MAX_NATIVE_DEPTH {
            let what = "functions of the library, as `sort`, that call functions lie within each other";
            return Err(too_deep(what, MAX_NATIVE_DEPTH as usize));
        }
        self.native_depth += 1;
        let over = self.run(program, context, depth)?;
        self.native_depth -= 1;
        if let Outcome::Over(at) = over {
            return Ok(std::mem::take(&mut self.stack[at]));
        }
        Err(Box::new(choice_in_a_closure()))
    }

    /// Sets a register.
    #[inline(always)]
    fn put(&mut self, at: usize, value: Value) {
        put(&mut self.stack[at], value);
    }

    /// Runs an instruction that the fast path cannot run. `next` is the index of the instruction after it.
    // Not inlined, so that the loop of the fast path has the processor's registers for itself.
    #[inline(never)]
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "it is read where it lies, part by part")]
    fn step<C: Context>(
        &mut self,
        program: &Program,
        function: &CompiledFunction,
        context: &mut C,
        op: &Op,
        base: usize,
        next: usize,
    ) -> Result<(), FrameExit> {
        let frame = self.frames.len() - 1;
        let at = |register: Register| base + usize::from(register);
        match *op {
            Op::AddTo { a, b } => {
                if self.stack[at(b)].is_nest() {
                    self.note_nesting(1)?;
                }
                self.spend(operator::addition_cost(&self.stack[at(a)], &self.stack[at(b)]))?;
                if operator::is_game_operator(BinaryOp::Add, &self.stack[at(a)], &self.stack[at(b)]) {
                    self.stack[at(a)] = context.operate(BinaryOp::Add, &self.stack[at(a)], &self.stack[at(b)])?;
                } else {
                    let mut value = std::mem::take(&mut self.stack[at(a)]);
                    let done = operator::add_to(&mut value, &self.stack[at(b)]);
                    self.put(at(a), value);
                    done?;
                }
            }
            Op::Set { value, root, path, indices } => {
                let new = self.stack[at(value)].clone();
                if new.is_nest() {
                    self.note_nesting(program.paths[usize::from(path)].0.len())?;
                }
                self.store(program, context, PathOperands { root: at(root), path, indices: at(indices) }, new, false)?;
            }
            Op::PutBack { value, root, path, indices } => {
                let new = self.stack[at(value)].clone();
                if new.is_nest() {
                    self.note_nesting(program.paths[usize::from(path)].0.len())?;
                }
                self.store(program, context, PathOperands { root: at(root), path, indices: at(indices) }, new, true)?;
            }
            Op::Lift { a, root, path, indices } => {
                let lifted =
                    self.lift(program, context, PathOperands { root: at(root), path, indices: at(indices) })?;
                self.put(at(a), lifted);
            }
            Op::List { a, from, count } => {
                self.check_memory(context)?;
                if self.stack[at(from)..at(from) + usize::from(count)].iter().any(Value::is_nest) {
                    self.note_nesting(1)?;
                }
                let items =
                    self.stack[at(from)..at(from) + usize::from(count)].iter_mut().map(std::mem::take).collect();
                self.put(at(a), Value::list(items));
            }
            Op::Push { list, value } => {
                self.spend(1)?;
                let value = self.stack[at(value)].clone();
                if value.is_nest() {
                    self.note_nesting(1)?;
                }
                operator::push(&mut self.stack[at(list)], value)?;
            }
            Op::Map { a, from, names } => {
                self.check_memory(context)?;
                // The compiler always emits a list of keys here.
                let Value::List(names) = &program.constants[usize::from(names)] else { return Ok(()) };
                self.spend(names.len() / 2)?;
                if self.stack[at(from)..].iter().take(names.len()).any(Value::is_nest) {
                    self.note_nesting(1)?;
                }
                let values = self.stack[at(from)..].iter_mut().map(std::mem::take);
                let parts = names.iter().zip(values).filter_map(|(name, value)| match name {
                    Value::Text(name) => Some((name.clone(), value)),
                    _ => None,
                });
                let map = Map::new(parts);
                self.put(at(a), Value::Map(Arc::new(map)));
            }
            Op::CallValue { a, count } => {
                let Value::Function(number) = self.stack[at(a)] else {
                    return Err(Box::new(not_a_function(&self.stack[at(a)].kind())).into());
                };
                let window = &mut self.stack[at(a)..=at(a) + usize::from(count)];
                // The function value is moved after its arguments, so that they begin at the callee's first register.
                window.rotate_left(1);
                self.frames[frame].next = next as u32;
                self.call(program, context, number.get() as usize, at(a), at(a), usize::from(count))?;
                return Err(FrameExit::Next);
            }
            Op::Native { a, from, call, count } => {
                self.spend(1)?;
                let window = at(from)..at(from) + usize::from(count);
                self.frames[frame].next = next as u32;
                let called = self.call_native(program, context, call, window)?;
                self.store_native_result(program, context, called, at(a), at(from), usize::from(count))?;
                if from != a {
                    release(&mut self.stack[at(from)]);
                }
            }
            Op::Change { a, receiver, call, count } => {
                self.spend(1)?;
                self.check_memory(context)?;
                let window = at(receiver)..at(receiver) + usize::from(count);
                self.frames[frame].next = next as u32;
                let called = self.call_native(program, context, call, window)?;
                return self.store_native_result(program, context, called, at(a), at(receiver), usize::from(count));
            }
            Op::NativeWithClosure { a, at: block } => {
                self.spend(1)?;
                let block = &program.closure_calls[usize::from(block)];
                self.frames[frame].next = next as u32;
                let inner = Frame { next: next as u32 + 1, is_last_of_field: false, ..self.frames[frame] };
                let window = at(block.from)..at(block.from) + usize::from(block.count);
                let mut arguments: SmallVec<[Value; 6]> =
                    self.stack[window.clone()].iter_mut().map(std::mem::take).collect();
                // A placeholder is inserted, so that the arguments after the closure have the right indices.
                let place = usize::from(block.before);
                let is_among = place < arguments.len();
                if is_among {
                    arguments.insert(place, Value::Function(0.into()));
                }
                let params = usize::from(block.params)..usize::from(block.params + block.arity);
                if stores_closure(program.callee(block.call).text()) {
                    self.offer_closure(program, context, block, inner);
                }
                // The fuel stored for this instruction is the cost of calling the closure.
                let work = function.start_costs[next - 1] as usize;
                let mut call = |context: &mut C, given: &[Value]| {
                    self.call_closure(program, context, inner, params.clone(), given, work)
                };
                let called = context.native_with(program.callee(block.call), &mut arguments, &mut call)?;
                if is_among {
                    arguments.remove(place);
                }
                for (register, argument) in window.zip(arguments) {
                    self.stack[register] = argument;
                }
                return self.store_native_result(
                    program,
                    context,
                    called,
                    at(a),
                    at(block.from),
                    usize::from(block.count),
                );
            }
            other => debug_assert!(false, "{other:?} needs no more than its registers"),
        }
        Ok(())
    }

    /// Offers the closure of a library call to the context, with the values of the outer variables that it reads.
    #[cold]
    fn offer_closure<C: Context>(&self, program: &Program, context: &mut C, block: &ClosureCall, frame: Frame) {
        let function = &program.functions[usize::from(frame.function)];
        // A stored closure runs later in the program of the rules. Code fragments of playscripts are not part of this program.
        if !function.is_named() {
            return;
        }
        let held = |register: &Register| (*register, self.stack[frame.base as usize + usize::from(*register)].clone());
        let kept = StoredClosure {
            function: frame.function,
            next: frame.next,
            registers: function.registers,
            params: block.params,
            arity: block.arity,
            captured: block.captured.iter().map(held).collect(),
            place: None,
        };
        // The closure begins two instructions after the call, after the jump over its code.
        let span = function.spans.get(frame.next.saturating_sub(2) as usize).copied().unwrap_or_default();
        context.offer_closure(kept, function.source, span);
    }

    /// Calls a library function. The library function can call the first function value among its arguments.
    #[inline(always)]
    fn call_native<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        number: u16,
        window: std::ops::Range<usize>,
    ) -> Answer<NativeResult> {
        let function = self.stack[window.clone()].iter().find_map(|given| match given {
            Value::Function(number) => Some(number.get() as usize),
            _ => None,
        });
        let called = if let Some(function) = function {
            let mut arguments: SmallVec<[Value; 6]> = self.stack[window.clone()].iter().cloned().collect();
            let (symbol, arity) = (program.callee(number), usize::from(program.functions[function].arity));
            let mut call = |context: &mut C, given: &[Value]| {
                self.call_from_native(
                    program,
                    context,
                    function,
                    standard::callback_arguments(symbol.text(), given, arity),
                )
            };
            let called = context.native_with(symbol, &mut arguments, &mut call)?;
            self.stack[window].clone_from_slice(&arguments);
            called
        } else {
            context.native(program.callee(number), &mut self.stack[window])?
        };
        if let Some(fuel) = context.take_refuel() {
            self.meter.fuel = fuel;
        }
        self.meter.spend_native_work(context)?;
        Ok(called)
    }

    /// Stores the value that a library call returned. Passes any other result to `handle_native_result`.
    #[inline(always)]
    fn store_native_result<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        called: NativeResult,
        a: usize,
        from: usize,
        count: usize,
    ) -> Result<(), FrameExit> {
        if let NativeResult::Value(value) = called {
            if value.is_nest() {
                // The result may contain values that were nested in an argument and are now up to two levels deeper.
                self.note_nesting(2)?;
            }
            self.put(a, value);
            return Ok(());
        }
        self.handle_native_result(program, context, called, a, from, count)
    }

    /// Handles the result of a library call, which may be a value, a question, or functions to call.
    #[inline(never)]
    fn handle_native_result<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        called: NativeResult,
        a: usize,
        from: usize,
        count: usize,
    ) -> Result<(), FrameExit> {
        match called {
            NativeResult::Value(value) => {
                self.put(a, value);
                Ok(())
            }
            NativeResult::Asked => {
                self.awaited = Some(a as u32);
                Err(FrameExit::Asked)
            }
            NativeResult::Functions(functions) if functions.is_empty() => {
                self.put(a, Value::Nothing);
                Ok(())
            }
            NativeResult::Functions(functions) => {
                // Frames are pushed in reverse order, so that the first function runs first. Each frame gets its own
                // copy of the arguments.
                let arguments = self.stack[from..from + count].to_vec();
                let mut base = from;
                for function in functions.iter().rev().copied() {
                    self.call(program, context, function, base, a, count)?;
                    self.stack[base..base + count].clone_from_slice(&arguments);
                    if base == from
                        && let Some(last) = self.frames.last_mut()
                    {
                        last.is_last_of_field = true;
                    }
                    base += usize::from(program.functions[function].registers).max(count);
                }
                Err(FrameExit::Next)
            }
        }
    }

    /// Runs a function to its end from within a library call.
    fn call_from_native<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        function: usize,
        arguments: &[Value],
    ) -> Answer<Value> {
        let (base, depth) = (self.used, self.frames.len());
        self.reserve(base + arguments.len());
        self.stack[base..base + arguments.len()].clone_from_slice(arguments);
        self.call(program, context, function, base, base, arguments.len())?;
        let value = self.run_top_frame(program, context, depth)?;
        self.clear_from(base);
        Ok(value)
    }

    /// Pushes the frame of a function whose first register is at stack index `base`. The return value goes to stack index `into`.
    #[inline(always)]
    fn call<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        function: usize,
        base: usize,
        into: usize,
        count: usize,
    ) -> Answer<()> {
        let called = &program.functions[function];
        self.spend(called.call_cost as usize)?;
        self.check_memory(context)?;
        if usize::from(called.arity) != count {
            return Err(wrong_arity(called.arity, count));
        }
        if self.frames.len() >= MAX_CALL_DEPTH {
            return Err(too_deep("functions call each other", MAX_CALL_DEPTH));
        }
        self.reserve(base + usize::from(called.registers));
        self.frames.push(Frame {
            function: function as u16,
            next: 0,
            base: base as u32,
            into: into as u32,
            is_last_of_field: false,
        });
        Ok(())
    }

    /// Assigns to the part at the end of a path (see [`place::store`]).
    fn store<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        PathOperands { root, path, indices }: PathOperands,
        new: Value,
        is_put_back: bool,
    ) -> Answer<()> {
        let steps = &program.paths[usize::from(path)].0;
        let count = steps.iter().filter(|step| **step == Step::Index).count();
        let keys: Vec<Value> = self.stack[indices..indices + count].to_vec();
        let keyed: usize = keys.iter().map(text_lookup_cost).sum();
        self.spend(keyed + operator::copy_cost(program, &self.stack[root], steps, &keys) / 4)?;
        let mut value = std::mem::take(&mut self.stack[root]);
        let done = place::store(context, program, &mut value, PartPath { steps, indices: &keys }, new, is_put_back);
        self.stack[root] = value;
        done
    }

    /// Moves the part at the end of a path out of a variable.
    fn lift<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        PathOperands { root, path, indices }: PathOperands,
    ) -> Answer<Value> {
        let steps = &program.paths[usize::from(path)].0;
        let count = steps.iter().filter(|step| **step == Step::Index).count();
        let keys: Vec<Value> = self.stack[indices..indices + count].to_vec();
        let keyed: usize = keys.iter().map(text_lookup_cost).sum();
        self.spend(keyed + operator::copy_cost(program, &self.stack[root], steps, &keys) / 4)?;
        place::lift(context, program, &mut self.stack[root], steps, &keys)
    }
}

/// Removes variables that are shadowed by later variables of the same name.
fn without_shadowed(variables: Vec<(u32, Arc<str>, Value)>) -> Vec<(Arc<str>, Value)> {
    let is_hidden = |at: usize| variables[at + 1..].iter().any(|(_, name, _)| *name == variables[at].1);
    let seen: Vec<bool> = (0..variables.len()).map(|at| !is_hidden(at)).collect();
    let all = variables.into_iter().zip(seen);
    all.filter(|(_, is_seen)| *is_seen).map(|((_, name, value), _)| (name, value)).collect()
}

#[cold]
fn wrong_arity(takes: u8, count: usize) -> Box<Fault> {
    let plural = if takes == 1 { "" } else { "s" };
    boxed_fault("wrong-arity", format!("this function takes {takes} argument{plural}, got {count}"))
}

#[cold]
fn too_deep(what: &str, most: usize) -> Box<Fault> {
    Fault::new("too-deep", format!("{what} more than {most} levels deep"), "one call too deep")
        .help("look for a function that calls itself without end")
        .into()
}

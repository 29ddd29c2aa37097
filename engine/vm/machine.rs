//! The machine: runs bytecode over one stack, in frames that are plain data.

use super::code::{ANONYMOUS, Block, CompiledFunction, Lifted, Local, Op, Program, Register, Step};
use super::context::{Called, Context};
use super::fault::{Answer, MachineFault, not_a_flag};
use super::operator;
use super::place;
use super::standard;
use crate::decision::{Map, Range, Value};
use crate::diagnostic::choice_in_a_closure;
use crate::library::entry::kept::KeptFunction;
use crate::library::keeps;
use crate::syntax::{BinaryOp, Span};
use arcstr::ArcStr;
use smallvec::SmallVec;
use std::sync::Arc;

/// So much of what is done at once counts as one operation.
pub(super) const STRETCH: usize = 16;

/// Why a machine stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The function is over, with a value.
    Done(Value),
    /// Something has been asked; [`Run::answer`] goes on.
    Asked,
    /// A fault, with where it was met and the calls that led there, innermost first.
    Fault(Box<MachineFault>, Vec<At>),
}

/// A place in the text of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At {
    /// The function.
    pub function: ArcStr,
    /// The number of its source.
    pub source: u16,
    /// The place.
    pub span: Span,
    /// The variables that were there, with what they held.
    pub variables: Vec<(Arc<str>, Value)>,
}

/// A call under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Frame {
    function: u16,
    /// The next instruction.
    next: u32,
    /// Where its registers begin.
    base: u32,
    /// Where its value goes.
    into: u32,
}

/// A run of a program: plain data, that can be copied where it waits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Run {
    pub(super) stack: Vec<Value>,
    frames: Vec<Frame>,
    /// Where an answer goes that is waited for.
    awaited: Option<u32>,
    /// How much may still be done.
    pub(super) fuel: u64,
    /// How often it has jumped back or called since it was last looked at how much it holds.
    pub(super) looked: u32,
    /// How much was done at once, in stretches, since it was last looked at how much it holds.
    pub(super) unweighed: usize,
    /// No value that it holds has more levels within it than so many: what is laid into another is counted, and at times looked at.
    pub(super) levels: usize,
    /// How many calls of the library are under way that call functions.
    calling: u32,
}

/// The most calls within each other.
pub const MOST_CALLS: usize = 512;

/// The most calls of the library within each other that call functions: these take the stack of the host.
const MOST_CALLING: u32 = 64;

/// Where a run has come to.
#[derive(Debug, Clone, Copy)]
enum End {
    /// Where an answer is waited for.
    Asked,
    /// To its end; its value lies there.
    Over(usize),
}

/// Why the next instruction is not the one behind. With nothing beside it, it fits into registers of the processor.
#[derive(Debug)]
enum Leave {
    /// It goes on in another frame.
    Next,
    /// An answer is waited for.
    Asked,
    /// The function is over; its value lies there.
    Over(usize),
    /// Something is wrong.
    Fault(Box<MachineFault>),
}

impl From<Box<MachineFault>> for Leave {
    fn from(fault: Box<MachineFault>) -> Self {
        Self::Fault(fault)
    }
}

impl Run {
    /// Whether another run stands at the same point, with the same in all registers, however much work is left to either.
    #[cfg(feature = "walker")]
    pub fn is_at(&self, other: &Self) -> bool {
        (&self.stack, &self.frames, self.awaited) == (&other.stack, &other.frames, other.awaited)
    }

    /// A run of a function.
    ///
    /// # Panics
    /// When the program has no such function, or it takes another number of arguments.
    pub fn new(program: &Program, function: usize, arguments: &[Value], fuel: u64) -> Self {
        Self::default().begin(program, function, arguments, fuel)
    }

    /// A run of a function, in the room that an older one leaves behind.
    ///
    /// # Panics
    /// When the program has no such function, or it takes another number of arguments.
    #[must_use]
    pub fn begin(mut self, program: &Program, function: usize, arguments: &[Value], fuel: u64) -> Self {
        let found = &program.functions[function];
        assert_eq!(usize::from(found.arity), arguments.len(), "`{}` is given what it takes", found.name);
        self.clear();
        self.stack.extend_from_slice(arguments);
        self.stack.resize_with(usize::from(found.registers).max(arguments.len()), Value::default);
        self.frames.push(Frame { function: function as u16, next: 0, base: 0, into: 0 });
        Self { awaited: None, fuel, looked: 0, unweighed: 0, levels: 0, calling: 0, ..self }
    }

    /// How much may still be done.
    pub fn left(&self) -> u64 {
        self.fuel
    }

    /// Lets go of all it holds, but for the room it took.
    pub fn clear(&mut self) {
        self.stack.clear();
        self.frames.clear();
    }

    /// A run of a function `|…|` that was kept.
    pub fn of_kept(kept: &KeptFunction, arguments: &[Value], fuel: u64) -> Self {
        let mut stack = vec![Value::Nothing; usize::from(kept.registers)];
        for (register, value) in &kept.captured {
            stack[usize::from(*register)] = value.clone();
        }
        for (at, argument) in arguments.iter().take(usize::from(kept.arity)).enumerate() {
            stack[usize::from(kept.params) + at] = argument.clone();
        }
        let frames = vec![Frame { function: kept.function, next: kept.next, base: 0, into: 0 }];
        Self { stack, frames, awaited: None, fuel, looked: 0, unweighed: 0, levels: 0, calling: 0 }
    }

    /// Gives the answer that is waited for; from here on so much may be done.
    pub fn answer(&mut self, value: Value, fuel: u64) {
        self.fuel = fuel;
        if let Some(at) = self.awaited.take() {
            self.stack[at as usize] = value;
        }
    }

    /// Goes on until the function is over, something is asked, or something is wrong.
    pub fn resume<C: Context>(&mut self, program: &Program, context: &mut C) -> Stop {
        match self.run(program, context, 0) {
            Ok(End::Over(at)) => Stop::Done(std::mem::take(&mut self.stack[at])),
            Ok(End::Asked) => Stop::Asked,
            Err(fault) if context.is_stopped() => Stop::Fault(fault, Vec::new()),
            Err(fault) => self.fail(program, fault),
        }
    }

    /// The run fails where it waits.
    pub fn fail(&self, program: &Program, fault: Box<MachineFault>) -> Stop {
        Stop::Fault(fault, self.trace(program))
    }

    /// Where each call under way is, innermost first, with what its variables hold.
    fn trace(&self, program: &Program) -> Vec<At> {
        // A function `|…|` that is called by the library runs over the registers of the function it is written in.
        let is_own = |at: usize| {
            let inner = self.frames.get(at + 1);
            inner.is_none_or(|inner| (inner.function, inner.base) != (self.frames[at].function, self.frames[at].base))
        };
        let mut found = Vec::new();
        for at in (0..self.frames.len()).rev().filter(|at| is_own(*at)) {
            let (frame, function) = (&self.frames[at], &program.functions[usize::from(self.frames[at].function)]);
            let at = frame.next.saturating_sub(1);
            let mut span = function.spans.get(at as usize).copied().unwrap_or_default();
            let mut variables = self.variables(program, function, frame.base as usize, at);
            for inner in function.inner.iter().rev().filter(|inner| (inner.start..inner.end).contains(&at)) {
                let own = variables.split_off(variables.partition_point(|(start, ..)| *start < inner.start));
                let variables = in_sight(own);
                found.push(At { function: ANONYMOUS.into(), source: function.source, span, variables });
                span = inner.called;
            }
            let variables = in_sight(variables);
            found.push(At { function: function.name.clone(), source: function.source, span, variables });
        }
        found
    }

    /// The variables that an instruction of a function knows, in the order in which they came to be, each with the instruction
    /// that it is known from. What lies elsewhere while it is changed is shown where it belongs; it is left out while the
    /// function that changes it holds it.
    fn variables(
        &self,
        program: &Program,
        function: &CompiledFunction,
        base: usize,
        at: u32,
    ) -> Vec<(u32, Arc<str>, Value)> {
        let is_there = |local: &&Local| (local.start..local.end).contains(&at);
        let value = |local: &Local| {
            let is_lifted =
                |lifted: &&Lifted| lifted.root == local.register && (lifted.start + 1..=lifted.end).contains(&at);
            let held = |register: Register| self.stack.get(base + usize::from(register)).cloned();
            let mut value = held(local.register)?;
            if let Some(lifted) = function.lifted.iter().find(is_lifted) {
                let steps = &program.paths[usize::from(lifted.path)].0;
                let indices = self.stack.get(base + usize::from(lifted.indices)..).unwrap_or_default();
                place::restore(program, &mut value, (steps, indices), held(lifted.held)?)?;
            }
            Some(value)
        };
        let mut locals: Vec<&Local> = function.locals.iter().filter(is_there).collect();
        locals.sort_by_key(|local| (local.start, local.register));
        let named = |local: &&Local| Some((local.start, local.name.clone(), value(local)?));
        locals.iter().filter_map(named).collect()
    }

    /// Runs until the frame above a depth is over.
    fn run<C: Context>(&mut self, program: &Program, context: &mut C, depth: usize) -> Answer<End> {
        loop {
            let at = self.frames.len() - 1;
            let frame = self.frames[at];
            let function = &*program.functions[usize::from(frame.function)];
            let code = function.code.as_slice();
            let (mut next, base) = (frame.next as usize, frame.base as usize);
            let left = loop {
                let op = &code[next];
                next += 1;
                if let Err(left) = self.step((program, function), context, op, (at, base), &mut next) {
                    break left;
                }
            };
            self.frames[at].next = next as u32;
            match left {
                Leave::Next => {}
                Leave::Asked => return Ok(End::Asked),
                Leave::Fault(fault) => return Err(fault),
                Leave::Over(value) => {
                    self.frames.pop();
                    if self.frames.len() == depth {
                        return Ok(End::Over(value));
                    }
                    let value = std::mem::take(&mut self.stack[value]);
                    self.let_go(base);
                    self.put(frame.into as usize, value);
                }
            }
        }
    }

    /// Runs a function `|…|` of a frame: a frame of its own over the same registers.
    fn block<C: Context>(
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
        self.look(context)?;
        let depth = self.frames.len();
        if depth >= MOST_CALLS {
            return Err(too_deep("functions call each other", MOST_CALLS));
        }
        self.frames.push(frame);
        self.finish(program, context, depth)
    }

    /// Runs what a call of the library calls, which cannot wait.
    fn finish<C: Context>(&mut self, program: &Program, context: &mut C, depth: usize) -> Answer<Value> {
        if self.calling >= MOST_CALLING {
            let what = "functions of the library, as `sort`, that call functions lie within each other";
            return Err(too_deep(what, MOST_CALLING as usize));
        }
        self.calling += 1;
        let over = self.run(program, context, depth)?;
        self.calling -= 1;
        if let End::Over(at) = over {
            return Ok(std::mem::take(&mut self.stack[at]));
        }
        Err(MachineFault::said(choice_in_a_closure()))
    }

    /// Sets a register. Most of what one holds lies inline, so that there is nothing to let go of.
    #[inline(always)]
    fn put(&mut self, at: usize, value: Value) {
        let place = &mut self.stack[at];
        if place.is_inline() {
            std::mem::forget(std::mem::replace(place, value));
        } else {
            *place = value;
        }
    }

    /// Lets go of what a call was given, so that another holder is alone with it, and changes it without a copy.
    #[inline(always)]
    fn let_go(&mut self, at: usize) {
        if !self.stack[at].is_inline() {
            self.stack[at] = Value::Nothing;
        }
    }

    /// `left op right`.
    #[inline(always)]
    fn binary<C: Context>(&mut self, context: &mut C, op: BinaryOp, (left, right): (usize, usize)) -> Answer<Value> {
        let (left, right) = (&self.stack[left], &self.stack[right]);
        if let (Value::Number(left), Value::Number(right)) = (left, right) {
            return operator::numbers(op, *left, *right);
        }
        if operator::is_of_the_game(op, left, right) {
            return context.operate(op, left, right);
        }
        let work = operator::work(left)? + operator::work(right)?;
        let value = operator::binary(op, left, right)?;
        if work > 0 || matches!(value, Value::Text(_)) {
            self.spend(1 + work)?;
        }
        Ok(value)
    }

    /// Whether `left op right`, where that is a flag.
    #[inline(always)]
    fn is_so<C: Context>(&mut self, context: &mut C, op: BinaryOp, sides: (usize, usize)) -> Answer<Option<bool>> {
        match self.binary(context, op, sides)? {
            Value::Flag(is_so) => Ok(Some(is_so.get())),
            _ => Ok(None),
        }
    }

    /// One instruction.
    #[inline(always)]
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "it is read where it lies, part by part")]
    fn step<C: Context>(
        &mut self,
        (program, function): (&Program, &CompiledFunction),
        context: &mut C,
        op: &Op,
        (frame, base): (usize, usize),
        next: &mut usize,
    ) -> Result<(), Leave> {
        let at = |register: Register| base + usize::from(register);
        match *op {
            Op::Constant { a, at: constant } => {
                let value = program.constants[usize::from(constant)].clone();
                self.put(at(a), value);
            }
            Op::Number { a, number } => {
                let value = Value::Number(i64::from(number));
                self.put(at(a), value);
            }
            Op::Nothing { a } => {
                let value = Value::Nothing;
                self.put(at(a), value);
            }
            Op::Flag { a, flag } => {
                let value = Value::from(flag);
                self.put(at(a), value);
            }
            Op::Move { a, from } => {
                let value = self.stack[at(from)].clone();
                self.put(at(a), value);
            }
            Op::Take { a, from } => {
                let value = std::mem::take(&mut self.stack[at(from)]);
                self.put(at(a), value);
            }
            Op::Global { a, name } => {
                let value = context.global(program.symbol(name))?;
                self.put(at(a), value);
            }
            Op::Binary { a, op, b, c } => {
                let value = self.binary(context, op, (at(b), at(c)))?;
                self.put(at(a), value);
            }
            Op::AddTo { a, b } => {
                if self.stack[at(b)].is_nest() {
                    self.nest(1)?;
                }
                self.spend(operator::added(&self.stack[at(a)], &self.stack[at(b)]))?;
                if operator::is_of_the_game(BinaryOp::Add, &self.stack[at(a)], &self.stack[at(b)]) {
                    self.stack[at(a)] = context.operate(BinaryOp::Add, &self.stack[at(a)], &self.stack[at(b)])?;
                } else {
                    let mut value = std::mem::take(&mut self.stack[at(a)]);
                    let done = operator::add_to(&mut value, &self.stack[at(b)]);
                    self.put(at(a), value);
                    done?;
                }
            }
            Op::Negate { a, b } => {
                let value = operator::negate(&self.stack[at(b)])?;
                self.put(at(a), value);
            }
            Op::Plus { a, b } => {
                let value = operator::plus(&self.stack[at(b)])?;
                self.put(at(a), value);
            }
            Op::Not { a, b } => {
                let value = operator::not(&self.stack[at(b)])?;
                self.put(at(a), value);
            }
            Op::Jump { to } => self.jump(function, context, to, next)?,
            Op::JumpIf { a, flag, to } => match &self.stack[at(a)] {
                Value::Flag(found) if found.get() == flag => self.jump(function, context, to, next)?,
                Value::Flag(_) => {}
                other => return Err(not_a_flag(other).into()),
            },
            Op::JumpWhere { op, b, c, to } => {
                if self.is_so(context, op, (at(b), at(c)))? == Some(true) {
                    self.jump(function, context, to, next)?;
                }
            }
            Op::JumpUnless { op, b, c, to } => {
                if self.is_so(context, op, (at(b), at(c)))? == Some(false) {
                    self.jump(function, context, to, next)?;
                }
            }
            Op::JumpIfSome { a, to } => {
                if !matches!(self.stack[at(a)], Value::Nothing) {
                    self.jump(function, context, to, next)?;
                }
            }
            Op::JumpIfNothing { a, to } => {
                if matches!(self.stack[at(a)], Value::Nothing) {
                    self.jump(function, context, to, next)?;
                }
            }
            Op::Switch { a, at: table } => {
                let table = &program.switches[usize::from(table)];
                self.spend(table.cases.len() / STRETCH)?;
                let found = table.cases.iter().find(|(value, _)| *value == self.stack[at(a)]);
                *next = found.map_or(table.otherwise, |(_, to)| *to) as usize;
            }
            Op::Matches { a, b, at: constant } => {
                let is_it = match (&program.constants[usize::from(constant)], &self.stack[at(b)]) {
                    (Value::Range(range), Value::Number(number)) => range.contains(*number),
                    (known, found) => known == found,
                };
                self.put(at(a), Value::from(is_it));
            }
            Op::Field { a, b, name } => {
                self.spend(long(&self.stack[at(b)]))?;
                let value = place::field(context, program, &self.stack[at(b)], name)?;
                self.put(at(a), value);
            }
            Op::Index { a, b, c } => {
                self.spend(long(&self.stack[at(b)]) + long(&self.stack[at(c)]))?;
                let value = place::index(context, &self.stack[at(b)], &self.stack[at(c)])?;
                self.put(at(a), value);
            }
            Op::Get { a, root, path, indices } => {
                let mut value = self.stack[at(root)].clone();
                let mut index = at(indices);
                for step in &program.paths[usize::from(path)].0 {
                    self.spend(long(&value))?;
                    value = match step {
                        Step::Name(name) => place::field(context, program, &value, *name)?,
                        Step::Index => {
                            index += 1;
                            self.spend(long(&self.stack[index - 1]))?;
                            place::index(context, &value, &self.stack[index - 1])?
                        }
                    };
                }
                self.put(at(a), value);
            }
            Op::Set { value, root, path, indices } => {
                let new = self.stack[at(value)].clone();
                if new.is_nest() {
                    self.nest(program.paths[usize::from(path)].0.len())?;
                }
                self.store(program, context, (at(root), path, at(indices)), (new, false))?;
            }
            Op::PutBack { value, root, path, indices } => {
                let new = self.stack[at(value)].clone();
                if new.is_nest() {
                    self.nest(program.paths[usize::from(path)].0.len())?;
                }
                self.store(program, context, (at(root), path, at(indices)), (new, true))?;
            }
            Op::Lift { a, root, path, indices } => {
                let lifted = self.lift(program, context, (at(root), path, at(indices)))?;
                self.put(at(a), lifted);
            }
            Op::List { a, from, count } => {
                self.look(context)?;
                if self.stack[at(from)..at(from) + usize::from(count)].iter().any(Value::is_nest) {
                    self.nest(1)?;
                }
                let items =
                    self.stack[at(from)..at(from) + usize::from(count)].iter_mut().map(std::mem::take).collect();
                self.put(at(a), Value::list(items));
            }
            Op::Push { list, value } => {
                self.spend(1)?;
                let value = self.stack[at(value)].clone();
                if value.is_nest() {
                    self.nest(1)?;
                }
                operator::push(&mut self.stack[at(list)], value)?;
            }
            Op::Map { a, from, names } => {
                self.look(context)?;
                let Value::List(names) = &program.constants[usize::from(names)] else { return Ok(()) };
                self.spend(names.len() / 2)?;
                if self.stack[at(from)..].iter().take(names.len()).any(Value::is_nest) {
                    self.nest(1)?;
                }
                let values = self.stack[at(from)..].iter_mut().map(std::mem::take);
                let parts = names.iter().zip(values).filter_map(|(name, value)| match name {
                    Value::Text(name) => Some((name.clone(), value)),
                    _ => None,
                });
                let map = Map::new(parts);
                self.put(at(a), Value::Map(Arc::new(map)));
            }
            Op::Range { a, b, c, is_inclusive } => {
                let (start, end) = (operator::bound(&self.stack[at(b)])?, operator::bound(&self.stack[at(c)])?);
                self.put(at(a), Value::Range(Arc::new(Range { start, end, is_inclusive })));
            }
            Op::Join { a, from, count } => {
                let mut text = String::new();
                for value in &self.stack[at(from)..at(from) + usize::from(count)] {
                    operator::write(value, &mut text);
                }
                self.spend(usize::from(count) / 2 + text.len() / 16)?;
                self.stack[at(a)] = operator::text(text)?;
            }
            Op::Call { a, from, function, count } => {
                self.call(program, context, usize::from(function), (at(from), at(a)), usize::from(count))?;
                return Err(Leave::Next);
            }
            Op::CallValue { a, count } => {
                let Value::Function(number) = self.stack[at(a)] else {
                    let message = format!("{} cannot be called", self.stack[at(a)].kind());
                    return Err(MachineFault::new("wrong-call", message).into());
                };
                let window = &mut self.stack[at(a)..=at(a) + usize::from(count)];
                window.rotate_left(1);
                self.call(program, context, number.get() as usize, (at(a), at(a)), usize::from(count))?;
                return Err(Leave::Next);
            }
            Op::Native { a, from, call, count } => {
                self.spend(1)?;
                let window = at(from)..at(from) + usize::from(count);
                self.frames[frame].next = *next as u32;
                let called = self.library(program, context, call, window)?;
                self.called(program, context, called, at(a), (at(from), usize::from(count)))?;
                if from != a {
                    self.let_go(at(from));
                }
            }
            Op::Change { a, receiver, call, count } => {
                self.spend(1)?;
                self.look(context)?;
                let window = at(receiver)..at(receiver) + usize::from(count);
                self.frames[frame].next = *next as u32;
                let called = self.library(program, context, call, window)?;
                return self.called(program, context, called, at(a), (at(receiver), usize::from(count)));
            }
            Op::WithBlock { a, at: block } => {
                self.spend(1)?;
                let block = &program.blocks[usize::from(block)];
                self.frames[frame].next = *next as u32;
                let inner = Frame { next: *next as u32 + 1, ..self.frames[frame] };
                let window = at(block.from)..at(block.from) + usize::from(block.count);
                let mut arguments: SmallVec<[Value; 6]> =
                    self.stack[window.clone()].iter_mut().map(std::mem::take).collect();
                // Where others stand behind the function, it has its place among them.
                let place = usize::from(block.before);
                let is_among = place < arguments.len();
                if is_among {
                    arguments.insert(place, Value::Function(0.into()));
                }
                let params = usize::from(block.params)..usize::from(block.params + block.arity);
                if keeps(program.called(block.call).text) {
                    self.hand_over(program, context, block, inner);
                }
                // What stands there leads over the function.
                let work = function.begins[*next - 1] as usize;
                let mut call =
                    |context: &mut C, given: &[Value]| self.block(program, context, inner, params.clone(), given, work);
                let called = context.native_with(program.called(block.call), &mut arguments, &mut call)?;
                if is_among {
                    arguments.remove(place);
                }
                for (register, argument) in window.zip(arguments) {
                    self.stack[register] = argument;
                }
                return self.called(program, context, called, at(a), (at(block.from), usize::from(block.count)));
            }
            Op::EndBlock { a } | Op::Return { a } => {
                return Err(Leave::Over(at(a)));
            }
            Op::Iterate { a, b } => {
                if let Value::Text(text) = &self.stack[at(b)] {
                    self.spend(text.len() / 4)?;
                }
                let list = operator::iterated(&self.stack[at(b)])?;
                self.put(at(a), list);
                self.put(at(a) + 1, Value::Number(0));
            }
            Op::Entries { a, b, is_list } => {
                let of = &self.stack[at(b)];
                let entries = match of {
                    Value::List(_) => Some(of.clone()),
                    _ if is_list => None,
                    of => context.several(of),
                };
                let Some(entries) = entries else {
                    return Err(operator::no_list(of).into());
                };
                self.put(at(a), entries);
                self.put(at(a) + 1, Value::Number(0));
            }
            Op::Judge { a, call, entries, results } => {
                let results = std::mem::take(&mut self.stack[at(results)]);
                let Value::List(results) = &results else { return Ok(()) };
                self.stack[at(a)] = context.judge(program.called(call), &self.stack[at(entries)], results)?;
            }
            Op::Reached { point } => context.reached(point),
            Op::Gather { a, of } => {
                let value = operator::none_of(&self.stack[at(of)]);
                self.put(at(a), value);
            }
            Op::Gathered { a, from, of } => {
                let gathered = std::mem::take(&mut self.stack[at(from)]);
                let value = operator::gathered(&self.stack[at(of)], gathered);
                self.put(at(a), value);
            }
            Op::Begin { a, b } => {
                if let (Value::List(items), Value::Number(start)) = (&self.stack[at(a)], &self.stack[at(b)]) {
                    let start = standard::place(*start, items.len());
                    self.put(at(a) + 1, Value::Number(start as i64));
                }
            }
            Op::Position { a, of } => {
                let value = self.stack[at(of) + 1].clone();
                self.put(at(a), value);
            }
            Op::Next { a, value, to } => {
                let Value::Number(position) = self.stack[at(a) + 1] else { return Ok(()) };
                match operator::entry(&self.stack[at(a)], position) {
                    Some(entry) => {
                        self.put(at(value), entry);
                        self.put(at(a) + 1, Value::Number(position + 1));
                    }
                    None => *next = to as usize,
                }
            }
        }
        Ok(())
    }

    /// Lets the library keep a function `|…|`, with what the variables hold that it reads.
    #[cold]
    fn hand_over<C: Context>(&self, program: &Program, context: &mut C, block: &Block, frame: Frame) {
        let function = &program.functions[usize::from(frame.function)];
        if !function.is_named() {
            return;
        }
        let held = |register: &Register| (*register, self.stack[frame.base as usize + usize::from(*register)].clone());
        let kept = KeptFunction {
            function: frame.function,
            next: frame.next,
            registers: function.registers,
            params: block.params,
            arity: block.arity,
            captured: block.captured.iter().map(held).collect(),
            place: None,
        };
        let span = function.spans.get(frame.next.saturating_sub(2) as usize).copied().unwrap_or_default();
        context.may_keep(kept, (function.source, span));
    }

    #[inline(always)]
    fn jump<C: Context>(
        &mut self,
        function: &CompiledFunction,
        context: &mut C,
        to: u32,
        next: &mut usize,
    ) -> Answer<()> {
        if (to as usize) < *next {
            self.spend(function.begins[*next - 1] as usize)?;
            self.look(context)?;
        }
        *next = to as usize;
        Ok(())
    }

    /// Calls a function of the library with the arguments in some registers; one among them that is a function is called back.
    #[inline(always)]
    fn library<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        number: u16,
        window: std::ops::Range<usize>,
    ) -> Answer<Called> {
        let function = self.stack[window.clone()].iter().find_map(|given| match given {
            Value::Function(number) => Some(number.get() as usize),
            _ => None,
        });
        let called = if let Some(function) = function {
            let mut arguments: SmallVec<[Value; 6]> = self.stack[window.clone()].iter().cloned().collect();
            let (symbol, arity) = (program.called(number), usize::from(program.functions[function].arity));
            let mut call = |context: &mut C, given: &[Value]| {
                self.nested(program, context, function, standard::wanted(symbol.text, given, arity))
            };
            let called = context.native_with(symbol, &mut arguments, &mut call)?;
            self.stack[window].clone_from_slice(&arguments);
            called
        } else {
            context.native(program.called(number), &mut self.stack[window])?
        };
        if let Some(fuel) = context.refueled() {
            self.fuel = fuel;
        }
        self.spend_work(context)?;
        Ok(called)
    }

    /// Goes on with the result of a call of the library.
    #[inline(always)]
    fn called<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        called: Called,
        a: usize,
        (from, count): (usize, usize),
    ) -> Result<(), Leave> {
        if let Called::Value(value) = called {
            if value.is_nest() {
                // It may have been made of what lay in a list of a list that was given.
                self.nest(2)?;
            }
            self.put(a, value);
            return Ok(());
        }
        self.called_on(program, context, called, a, (from, count))
    }

    /// The same where the result is more than a value.
    fn called_on<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        called: Called,
        a: usize,
        (from, count): (usize, usize),
    ) -> Result<(), Leave> {
        match called {
            Called::Value(value) => {
                self.put(a, value);
                Ok(())
            }
            Called::Asked => {
                self.awaited = Some(a as u32);
                Err(Leave::Asked)
            }
            Called::Functions(functions) if functions.is_empty() => {
                self.put(a, Value::Nothing);
                Ok(())
            }
            Called::Functions(functions) => {
                // The first one to run lies on top; each has its arguments already.
                let arguments = self.stack[from..from + count].to_vec();
                let mut base = from;
                for function in functions.iter().rev().copied() {
                    self.call(program, context, function, (base, a), count)?;
                    self.stack[base..base + count].clone_from_slice(&arguments);
                    base += usize::from(program.functions[function].registers).max(count);
                }
                Err(Leave::Next)
            }
        }
    }

    /// Runs a function to its end from within a call of the library.
    fn nested<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        function: usize,
        arguments: &[Value],
    ) -> Answer<Value> {
        let (base, depth) = (self.stack.len(), self.frames.len());
        self.stack.extend_from_slice(arguments);
        self.call(program, context, function, (base, base), arguments.len())?;
        let value = self.finish(program, context, depth)?;
        self.stack.truncate(base);
        Ok(value)
    }

    fn call<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        function: usize,
        (base, into): (usize, usize),
        count: usize,
    ) -> Answer<()> {
        let called = &program.functions[function];
        self.spend(called.whole as usize)?;
        self.look(context)?;
        if usize::from(called.arity) != count {
            let (takes, plural) = (called.arity, if called.arity == 1 { "" } else { "s" });
            let message = format!("this function takes {takes} argument{plural}, got {count}");
            return Err(MachineFault::new("wrong-arity", message));
        }
        if self.frames.len() >= MOST_CALLS {
            return Err(too_deep("functions call each other", MOST_CALLS));
        }
        let end = base + usize::from(called.registers);
        if self.stack.len() < end {
            self.stack.resize_with(end, Value::default);
        }
        self.frames.push(Frame { function: function as u16, next: 0, base: base as u32, into: into as u32 });
        Ok(())
    }

    /// Sets what a path leads to.
    fn store<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        (root, path, indices): (usize, u16, usize),
        (new, may_stay): (Value, bool),
    ) -> Answer<()> {
        let steps = &program.paths[usize::from(path)].0;
        let count = steps.iter().filter(|step| **step == Step::Index).count();
        let keys: Vec<Value> = self.stack[indices..indices + count].to_vec();
        let keyed: usize = keys.iter().map(long).sum();
        self.spend(keyed + operator::copied(program, &self.stack[root], steps, &keys) / 4)?;
        let mut value = std::mem::take(&mut self.stack[root]);
        let done = place::store(context, program, &mut value, (steps, &keys), (new, may_stay));
        self.stack[root] = value;
        done
    }

    /// Takes out what a path leads to.
    fn lift<C: Context>(
        &mut self,
        program: &Program,
        context: &mut C,
        (root, path, indices): (usize, u16, usize),
    ) -> Answer<Value> {
        let steps = &program.paths[usize::from(path)].0;
        let count = steps.iter().filter(|step| **step == Step::Index).count();
        let keys: Vec<Value> = self.stack[indices..indices + count].to_vec();
        let keyed: usize = keys.iter().map(long).sum();
        self.spend(keyed + operator::copied(program, &self.stack[root], steps, &keys) / 4)?;
        place::lift(context, program, &mut self.stack[root], steps, &keys)
    }
}

/// Variables that others of the same name do not hide.
fn in_sight(variables: Vec<(u32, Arc<str>, Value)>) -> Vec<(Arc<str>, Value)> {
    let is_hidden = |at: usize| variables[at + 1..].iter().any(|(_, name, _)| *name == variables[at].1);
    let seen: Vec<bool> = (0..variables.len()).map(|at| !is_hidden(at)).collect();
    let all = variables.into_iter().zip(seen);
    all.filter(|(_, is_seen)| *is_seen).map(|((_, name, value), _)| (name, value)).collect()
}

fn too_deep(what: &str, most: usize) -> Box<MachineFault> {
    MachineFault::new("too-deep", format!("{what} more than {most} levels deep"))
        .note("one call too deep")
        .help("look for a function that calls itself without end")
}

/// What it costs to find a letter in a text, or a part by it: a long text takes longer.
fn long(value: &Value) -> usize {
    if let Value::Text(text) = value { text.len() / 256 } else { 0 }
}

//! Bytecode: what a machine runs.

use crate::decision::Value;
use crate::library::PropertyCode;
use crate::syntax::Span;
use arcstr::ArcStr;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A name in a program, or a call of the library.
#[derive(Debug, Clone, Copy)]
pub struct Symbol<'p> {
    /// How it is written.
    pub text: &'p str,
    /// Its number among the names or the calls of the program.
    pub number: u16,
}

/// What a function `|…|` is called where calls are listed.
pub const ANONYMOUS: &str = "anon$";

/// A register of the window of a function.
pub(super) type Register = u8;

/// Compiled text: functions, and what they speak of.
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub(super) functions: Vec<Arc<CompiledFunction>>,
    pub(super) constants: Vec<Value>,
    pub(super) names: Vec<ArcStr>,
    /// What values of the language's own types have behind a dot, by the numbers of the names.
    pub(super) properties: Vec<Option<PropertyCode>>,
    /// The calls of the library: the number of a name, and how many arguments are given.
    pub(super) calls: Vec<(u16, u8)>,
    /// What names stand for that never stand for anything else.
    pub(super) fixed: Arc<FxHashMap<ArcStr, Value>>,
    pub(super) paths: Vec<Path>,
    pub(super) switches: Vec<Switch>,
    pub(super) blocks: Vec<Block>,
    /// How many texts it was compiled from.
    pub(super) sources: u16,
}

impl Program {
    /// Nothing yet, beside which text is compiled in which names stand for these values.
    pub fn with_names(fixed: impl IntoIterator<Item = (ArcStr, Value)>) -> Self {
        Self { fixed: Arc::new(fixed.into_iter().collect()), ..Self::default() }
    }

    /// The number of the function with a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|function| function.name == name)
    }

    /// The names of its functions, by their numbers.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().map(|function| &*function.name)
    }

    /// How many arguments a function takes.
    pub fn arity(&self, function: usize) -> usize {
        usize::from(self.functions[function].arity)
    }

    /// The names it speaks of, by their numbers.
    pub fn names(&self) -> &[ArcStr] {
        &self.names
    }

    /// The calls of the library, by their numbers: what is called, with how many arguments.
    pub fn calls(&self) -> impl ExactSizeIterator<Item = (&ArcStr, usize)> {
        self.calls.iter().map(|(name, count)| (&self.names[usize::from(*name)], usize::from(*count)))
    }

    /// The name with a number.
    #[inline(always)]
    pub(super) fn symbol(&self, number: u16) -> Symbol<'_> {
        Symbol { text: &self.names[usize::from(number)], number }
    }

    /// What the call with a number calls.
    #[inline(always)]
    pub(super) fn called(&self, number: u16) -> Symbol<'_> {
        Symbol { text: &self.names[usize::from(self.calls[usize::from(number)].0)], number }
    }
}

/// A call of the library that is given a function `|…|`.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// What is called, by the number of the call.
    pub call: u16,
    /// Where its arguments begin.
    pub from: Register,
    /// How many there are, but for the function.
    pub count: u8,
    /// So many of them stand before the function.
    pub before: u8,
    /// Where the parameters of the function begin.
    pub params: Register,
    /// How many it takes.
    pub arity: u8,
    /// The variables around it that it reads, where the library keeps it.
    pub captured: Vec<Register>,
}

/// A compiled function.
#[derive(Debug, Clone, Default)]
pub(super) struct CompiledFunction {
    /// Its name; empty for a text that is no function.
    pub name: ArcStr,
    /// How many arguments it takes: they lie in its first registers.
    pub arity: u8,
    /// How many registers it uses.
    pub registers: u16,
    /// The instructions.
    pub code: Vec<Op>,
    /// What an instruction begins, in operations: a turn of a loop where it jumps back, and the function `|…|` that is laid out behind it.
    pub begins: Vec<u32>,
    /// What a call of it counts, in operations.
    pub whole: u32,
    /// Where each instruction stands in the text.
    pub spans: Vec<Span>,
    /// The source of the text, by its number.
    pub source: u16,
    /// The stretches of code that are functions `|…|` laid out here, outer ones first, with where they are called.
    pub inner: Vec<Inner>,
    /// Its variables, for traces.
    pub locals: Vec<Local>,
    /// Where variables lie elsewhere while they are changed.
    pub lifted: Vec<Lifted>,
}

impl CompiledFunction {
    /// Whether rules can call it by a name.
    pub(super) fn is_named(&self) -> bool {
        !self.name.is_empty() && self.name != ANONYMOUS
    }
}

/// A function `|…|` laid out in the code of the one it is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Inner {
    /// Its first instruction.
    pub start: u32,
    /// The first one behind it.
    pub end: u32,
    /// Where it is called.
    pub called: Span,
}

/// A variable, where it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Local {
    /// Its name.
    pub name: Arc<str>,
    /// Where it lies.
    pub register: Register,
    /// The first instruction that knows it.
    pub start: u32,
    /// The first one behind them.
    pub end: u32,
}

/// A stretch of code during which a variable, or a part of it, is being changed and lies elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lifted {
    /// The variable.
    pub root: Register,
    /// Where it, or the part of it, lies meanwhile.
    pub held: Register,
    /// The steps to the part that was taken out.
    pub path: u16,
    /// The first of the registers with their indices.
    pub indices: Register,
    /// The first instruction.
    pub start: u32,
    /// The first one behind it.
    pub end: u32,
}

/// The steps from a variable to something in it: `.name`, `[index]`. The indices lie in registers one behind the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path(pub Vec<Step>);

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// `.name`, by the number of the name.
    Name(u16),
    /// `[…]`, with what lies in the next register of the path.
    Index,
}

/// What a `switch` jumps to by a value alone, where none of its cases has a condition or is a range.
#[derive(Debug, Clone, Default)]
pub(super) struct Switch {
    /// Values with where to go on.
    pub cases: Vec<(Value, u32)>,
    /// Where to go on otherwise.
    pub otherwise: u32,
}

/// An operator between two values, as instructions know it.
pub(super) use crate::syntax::BinaryOp as Binary;

/// An instruction. `a` is where the result goes unless something else is said; jumps go to positions in the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    /// A constant.
    Constant { a: Register, at: u16 },
    /// A small number.
    Number { a: Register, number: i32 },
    /// `()`.
    Nothing { a: Register },
    /// `true` or `false`.
    Flag { a: Register, flag: bool },
    /// What lies in another register.
    Move { a: Register, from: Register },
    /// Moves and leaves `()` behind.
    Take { a: Register, from: Register },
    /// A name that is no variable.
    Global { a: Register, name: u16 },
    /// `b op c`.
    Binary { a: Register, op: Binary, b: Register, c: Register },
    /// `a += b`.
    AddTo { a: Register, b: Register },
    /// `-b`.
    Negate { a: Register, b: Register },
    /// `+b`.
    Plus { a: Register, b: Register },
    /// `!b`.
    Not { a: Register, b: Register },
    /// Goes on elsewhere.
    Jump { to: u32 },
    /// Goes on elsewhere where a flag is as said; anything but a flag is a fault.
    JumpIf { a: Register, flag: bool, to: u32 },
    /// Goes on elsewhere where `b op c`.
    JumpWhere { op: Binary, b: Register, c: Register, to: u32 },
    /// Goes on elsewhere where it is not so that `b op c`.
    JumpUnless { op: Binary, b: Register, c: Register, to: u32 },
    /// Goes on elsewhere where there is something.
    JumpIfSome { a: Register, to: u32 },
    /// Goes on elsewhere where there is nothing.
    JumpIfNothing { a: Register, to: u32 },
    /// Goes on where a `switch` says.
    Switch { a: Register, at: u16 },
    /// Whether a value is that of a constant, or lies in a range that is one.
    Matches { a: Register, b: Register, at: u16 },
    /// `b.name`.
    Field { a: Register, b: Register, name: u16 },
    /// `b[c]`.
    Index { a: Register, b: Register, c: Register },
    /// What a path leads to from a variable; its indices lie from `indices` on.
    Get { a: Register, root: Register, path: u16, indices: Register },
    /// Sets what a path leads to from a variable.
    Set { value: Register, root: Register, path: u16, indices: Register },
    /// Puts back what was lifted out by a path; where it lay in something that is never set, it stays as it was.
    PutBack { value: Register, root: Register, path: u16, indices: Register },
    /// Takes out what a path leads to, so that it can be changed and put back; `()` is left.
    Lift { a: Register, root: Register, path: u16, indices: Register },
    /// A list of so many registers from `from` on.
    List { a: Register, from: Register, count: u8 },
    /// Adds to a list.
    Push { list: Register, value: Register },
    /// A map with the names of a constant list and the values from `from` on.
    Map { a: Register, from: Register, names: u16 },
    /// A range from `b` to `c`.
    Range { a: Register, b: Register, c: Register, is_inclusive: bool },
    /// A text of so many registers from `from` on.
    Join { a: Register, from: Register, count: u8 },
    /// Calls a function of the program with the arguments from `from` on, which are gone afterwards.
    Call { a: Register, from: Register, function: u16, count: u8 },
    /// Calls a function of the library with the arguments from `from` on, which are gone afterwards.
    Native { a: Register, from: Register, call: u16, count: u8 },
    /// The same, where the first argument is changed in place: the result goes to `a`, what was changed stays in `receiver`.
    Change { a: Register, receiver: Register, call: u16, count: u8 },
    /// Calls a function value with the arguments behind it.
    CallValue { a: Register, count: u8 },
    /// The same, of a list, or of several things unless a list alone will do.
    Entries { a: Register, b: Register, is_list: bool },
    /// Nothing yet of what `of` holds several of: an empty list, or an empty set of such things.
    Gather { a: Register, of: Register },
    /// What was gathered of the entries `of`: of options, options.
    Gathered { a: Register, from: Register, of: Register },
    /// What can be iterated of a value: goes to `a` and a position to the next register.
    Iterate { a: Register, b: Register },
    /// The next entry goes to `value`, its position to `counter` where that is not `a`; at the end goes on elsewhere.
    Next { a: Register, value: Register, to: u32 },
    /// The position of the entry last given.
    Position { a: Register, of: Register },
    /// What is iterated in `a` begins at a position of its list, counted from the back where that is below 0.
    Begin { a: Register, b: Register },
    /// Ends the function with a value.
    Return { a: Register },
    /// Ends a function `|…|` that a native function calls, with a value.
    EndBlock { a: Register },
    /// Gives a function of the library what a function `|…|` resulted in for each of several things.
    Judge { a: Register, call: u16, entries: Register, results: Register },
    /// A statement that is watched begins.
    Reached { point: u32 },
    /// Calls a function of the library that calls the function `|…|` laid out behind the jump that follows.
    WithBlock { a: Register, at: u16 },
}

/// So much effort is an operation: what can be done a million times in a tenth of a second.
const EFFORTS: u32 = 16;

impl Op {
    /// Where it may go on, if not behind it.
    const fn target(self) -> Option<u32> {
        match self {
            Self::Jump { to }
            | Self::JumpIf { to, .. }
            | Self::JumpWhere { to, .. }
            | Self::JumpUnless { to, .. }
            | Self::JumpIfSome { to, .. }
            | Self::JumpIfNothing { to, .. }
            | Self::Next { to, .. } => Some(to),
            _ => None,
        }
    }

    /// What it takes to run it, in sixteenths of an operation, beside what it counts itself by what it is given.
    fn effort(self, paths: &[Path]) -> u32 {
        let by_path = |path: u16, each: u32| each * paths[usize::from(path)].0.len() as u32;
        match self {
            Self::Reached { .. } => 0,
            Self::Binary { .. } | Self::JumpWhere { .. } | Self::JumpUnless { .. } | Self::Matches { .. } => 5,
            Self::Field { .. } | Self::Index { .. } => 18,
            Self::Global { .. }
            | Self::Join { .. }
            | Self::List { .. }
            | Self::Map { .. }
            | Self::Range { .. }
            | Self::Gather { .. }
            | Self::Push { .. } => 12,
            Self::Get { path, .. } => 4 + by_path(path, 16),
            Self::Set { path, .. } | Self::PutBack { path, .. } | Self::Lift { path, .. } => 16 + by_path(path, 16),
            Self::Native { .. } | Self::Change { .. } | Self::WithBlock { .. } | Self::Judge { .. } => 8,
            _ => 2,
        }
    }
}

/// What each instruction begins, and all of them together, in operations.
pub(super) fn costs(code: &[Op], paths: &[Path]) -> (Vec<u32>, u32) {
    let mut before = vec![0_u32];
    for op in code {
        before.push(before[before.len() - 1].saturating_add(op.effort(paths)));
    }
    let cost = |from: usize, to: usize| 1 + (before[to] - before[from]) / EFFORTS;
    let begins = |(at, op): (usize, &Op)| match (op, code.get(at + 1)) {
        (Op::WithBlock { .. }, Some(Op::Jump { to })) if *to as usize > at => cost(at + 1, *to as usize),
        (Op::WithBlock { .. }, _) => 1,
        _ => match op.target().map(|to| to as usize) {
            Some(to) if to <= at => cost(to, at + 1),
            _ => 0,
        },
    };
    (code.iter().enumerate().map(begins).collect(), cost(0, code.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_takes_eight_bytes() {
        assert_eq!(size_of::<Op>(), 8);
    }
}

//! Bytecode: the instructions of the machine, and compiled programs.

use crate::decision::Value;
use crate::library::{PIECES, PropertyCode, is_piece_query};
use crate::syntax::Span;
use arcstr::ArcStr;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Reference to a name in a program, or to a library function that the program calls. The text of the name is looked up only when it is
/// needed, mostly for the message of a fault.
#[derive(Debug, Clone, Copy)]
pub struct Symbol<'p> {
    program: &'p Program,
    /// Index among the names or the library calls of the program.
    pub number: u16,
    is_call: bool,
}

impl<'p> Symbol<'p> {
    /// Returns the name.
    pub fn text(self) -> &'p str {
        let at = usize::from(self.number);
        let name = if self.is_call { usize::from(self.program.calls[at].function) } else { at };
        &self.program.names[name]
    }
}

/// Name of closures in backtraces.
pub const ANONYMOUS: &str = "anon$";

/// Index of a register within the window of a function.
pub(super) type Register = u8;

/// A compiled program: functions, and the tables that their instructions refer to.
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub(super) functions: Vec<Arc<CompiledFunction>>,
    pub(super) constants: Vec<Value>,
    pub(super) names: Vec<ArcStr>,
    /// Properties of the core types, by index of their name. `None` if no core type has a property with this name.
    pub(super) properties: Vec<Option<PropertyCode>>,
    pub(super) calls: Vec<LibraryCall>,
    /// Names that have the same value in every call. They are compiled as constants.
    pub(super) fixed_names: Arc<FxHashMap<ArcStr, Value>>,
    pub(super) paths: Vec<Path>,
    pub(super) switches: Vec<Switch>,
    pub(super) closure_calls: Vec<ClosureCall>,
    /// Number of source texts of the program.
    pub(super) sources: u16,
}

impl Program {
    /// Creates an empty program in which the given names have constant values.
    pub fn with_names(fixed_names: impl IntoIterator<Item = (ArcStr, Value)>) -> Self {
        Self { fixed_names: Arc::new(fixed_names.into_iter().collect()), ..Self::default() }
    }

    /// Returns the index of the function called `name`, or `None` if there is none.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|function| function.name == name)
    }

    /// Iterates over the names of the functions, by index.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().map(|function| &*function.name)
    }

    /// Returns the number of parameters of a function.
    pub fn arity(&self, function: usize) -> usize {
        usize::from(self.functions[function].arity)
    }

    /// Returns the names that the program refers to, by index.
    pub fn names(&self) -> &[ArcStr] {
        &self.names
    }

    /// Iterates over the library calls, by index.
    pub fn calls(&self) -> impl ExactSizeIterator<Item = &LibraryCall> {
        self.calls.iter()
    }

    /// Returns the name at index `number`, as a symbol.
    #[inline(always)]
    pub(super) fn symbol(&self, number: u16) -> Symbol<'_> {
        Symbol { program: self, number, is_call: false }
    }

    /// Returns the function of the library call at index `number`, as a symbol.
    #[inline(always)]
    pub(super) fn callee(&self, number: u16) -> Symbol<'_> {
        Symbol { program: self, number, is_call: true }
    }
}

/// A library function together with the properties of the call. Calls with the same properties share an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LibraryCall {
    /// Index of the function's name.
    pub function: u16,
    /// Number of arguments.
    pub count: u8,
    /// Bit mask of the arguments that are string literals. The types of these arguments need not be checked at run time.
    pub texts: u8,
    /// Index of the name that is quoted in the call, as in `where("kind", …)`. It is stored so that the name is looked up only once.
    pub quoted: Option<u16>,
}

/// A library call that takes a closure.
#[derive(Debug, Clone)]
pub(super) struct ClosureCall {
    /// Index of the library call.
    pub call: u16,
    /// Register of the first argument.
    pub from: Register,
    /// Number of arguments without the closure.
    pub count: u8,
    /// Index of the closure among the arguments.
    pub before: u8,
    /// Register of the closure's first parameter.
    pub params: Register,
    /// Number of the closure's parameters.
    pub arity: u8,
    /// Registers of the outer variables that the closure reads. Empty unless the library may store the closure.
    pub captured: Vec<Register>,
}

/// A compiled function.
#[derive(Debug, Clone, Default)]
pub(super) struct CompiledFunction {
    /// Name of the function. Empty for a code fragment outside of functions.
    pub name: ArcStr,
    /// Number of parameters. Arguments are in the first registers.
    pub arity: u8,
    /// Number of registers that the function uses.
    pub registers: u16,
    /// Instructions.
    pub code: Vec<Op>,
    /// Fuel charged by each instruction when it runs. A backward jump charges the fuel of the iteration that it begins. `NativeWithClosure`
    /// charges its fuel for each call of the closure. All other instructions charge 0.
    pub start_costs: Vec<u32>,
    /// Fuel charged for a call of the function.
    pub call_cost: u32,
    /// Spans of the instructions in the source text.
    pub spans: Vec<Span>,
    /// Index of the source text.
    pub source: u16,
    /// Ranges of instructions that belong to inlined closures, outer closures first.
    pub inner: Vec<InlinedClosure>,
    /// Variables, for backtraces.
    pub locals: Vec<Local>,
    /// Ranges of instructions during which the value of a variable, or a part of it, is in another register.
    pub lifted: Vec<InPlaceUpdate>,
}

/// Remaining instructions of a function, in order.
// The position is a pointer, which costs less at each instruction than an index.
pub(super) type Ops<'p> = std::slice::Iter<'p, Op>;

impl CompiledFunction {
    /// Returns the instructions from index `next` on.
    #[inline(always)]
    pub(super) fn ops_from(&self, next: usize) -> Ops<'_> {
        self.code[next..].iter()
    }

    /// Returns the index of the first of the remaining instructions.
    #[inline(always)]
    pub(super) fn index_of(&self, rest: &Ops<'_>) -> usize {
        self.code.len() - rest.len()
    }

    /// Returns whether the function was declared with a name. Closures and code fragments have none.
    pub(super) fn is_named(&self) -> bool {
        !self.name.is_empty() && self.name != ANONYMOUS
    }
}

/// A closure inlined in the code of the function around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InlinedClosure {
    /// First instruction.
    pub start: u32,
    /// Instruction after the last one.
    pub end: u32,
    /// Place of the call that takes the closure.
    pub call_site: Span,
}

/// A variable, and the instructions during which it exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Local {
    pub name: Arc<str>,
    /// Register of the variable.
    pub register: Register,
    /// First instruction at which the variable exists.
    pub start: u32,
    /// Instruction after the last one at which the variable exists.
    pub end: u32,
}

/// Range of instructions during which a variable, or a part of it, is in another register to be changed in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InPlaceUpdate {
    /// Register of the variable.
    pub root: Register,
    /// Register of the moved value.
    pub held: Register,
    /// Index of the path from the variable to the moved part.
    pub path: u16,
    /// First of the registers with the indices in the path.
    pub indices: Register,
    /// First instruction.
    pub start: u32,
    /// Instruction after the last one.
    pub end: u32,
}

/// Path from a variable to a part of it, as steps `.name` or `[index]`. The indices are in consecutive registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path(pub Vec<Step>);

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// `.name`, as the index of the name.
    Name(u16),
    /// `[…]`, with the index in the next register of the path.
    Index,
}

/// Jump table of a `switch` whose cases have neither guards nor ranges. The table is searched linearly.
#[derive(Debug, Clone, Default)]
pub(super) struct Switch {
    /// Values with their jump targets.
    pub cases: Vec<(Value, u32)>,
    /// Target for all other values.
    pub otherwise: u32,
}

/// Binary operator in instructions.
pub(super) use crate::syntax::BinaryOp as Binary;

/// An instruction. Unless noted otherwise, `a` is the register of the result. Jump targets are indices of instructions.
///
/// A new instruction needs an arm in [`Op::target`] if it can jump backward, an arm in [`Op::effort`] unless the default cost is right, and
/// an arm in `run_fast` or in `Run::step`. The Rust compiler does not report a missing arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    /// Loads a constant.
    Constant { a: Register, at: u16 },
    /// Loads a small number.
    Number { a: Register, number: i32 },
    /// Loads `()`.
    Nothing { a: Register },
    /// Loads `true` or `false`.
    Flag { a: Register, flag: bool },
    /// Copies another register.
    Move { a: Register, from: Register },
    /// Moves the value of another register, and leaves `()` there.
    Take { a: Register, from: Register },
    /// Loads a name that is not a variable.
    Global { a: Register, name: u16 },
    /// Computes `b op c`.
    Binary { a: Register, op: Binary, b: Register, c: Register },
    /// Computes `a += b`.
    AddTo { a: Register, b: Register },
    /// Computes `-b`.
    Negate { a: Register, b: Register },
    /// Computes `+b`.
    Plus { a: Register, b: Register },
    /// Computes `!b`.
    Not { a: Register, b: Register },
    /// Jumps unconditionally.
    Jump { to: u32 },
    /// Jumps if `a` equals `flag`. Faults if `a` is not a Boolean.
    JumpIf { a: Register, flag: bool, to: u32 },
    /// Jumps if `b op c` is true.
    JumpIfTrue { op: Binary, b: Register, c: Register, to: u32 },
    /// Jumps if `b op c` is false.
    JumpIfFalse { op: Binary, b: Register, c: Register, to: u32 },
    /// Jumps if `a` is not `()`.
    JumpIfSome { a: Register, to: u32 },
    /// Jumps if `a` is `()`.
    JumpIfNothing { a: Register, to: u32 },
    /// Jumps to the target for `a` in a jump table.
    Switch { a: Register, at: u16 },
    /// Tests whether `b` equals a constant, or is in a constant range.
    Matches { a: Register, b: Register, at: u16 },
    /// Reads `b.name`.
    Field { a: Register, b: Register, name: u16 },
    /// Like `Field`, but the next instruction is a query of the pieces that the field `pieces` of a zone or space contains. A zone or space
    /// is loaded itself, so that the query visits its pieces without a list of them. See [`fuse`].
    QueriedPieces { a: Register, b: Register, name: u16 },
    /// Reads `b[c]`.
    Index { a: Register, b: Register, c: Register },
    /// Reads the part of a variable at the end of a path. The indices of the path start at register `indices`.
    Get { a: Register, root: Register, path: u16, indices: Register },
    /// Assigns to the part of a variable at the end of a path.
    Set { value: Register, root: Register, path: u16, indices: Register },
    /// Moves a lifted value back to the end of a path. Does nothing if the value was copied from a part that cannot be assigned.
    PutBack { value: Register, root: Register, path: u16, indices: Register },
    /// Moves the part at the end of a path out of a variable and leaves `()` there. The part can then be changed in place without a copy.
    Lift { a: Register, root: Register, path: u16, indices: Register },
    /// Creates a list from `count` registers.
    List { a: Register, from: Register, count: u8 },
    /// Appends `value` to a list or to a collection of game objects.
    Push { list: Register, value: Register },
    /// Creates a map. `names` is the index of a constant list of keys; the values are in registers from `from` on.
    Map { a: Register, from: Register, names: u16 },
    /// Creates a range from `b` to `c`.
    Range { a: Register, b: Register, c: Register, is_inclusive: bool },
    /// Concatenates the values of `count` registers into a text.
    Join { a: Register, from: Register, count: u8 },
    /// Calls a function of the program. The arguments are moved out of their registers.
    Call { a: Register, from: Register, function: u16, count: u8 },
    /// Calls a library function, which may move the arguments out of their registers. The register of the first argument is cleared
    /// afterwards, unless it holds the result.
    Native { a: Register, from: Register, call: u16, count: u8 },
    /// Like `Native`, but for functions that change their first argument in place. The changed value stays in `receiver`.
    Change { a: Register, receiver: Register, call: u16, count: u8 },
    /// Calls the function value in `a` with the arguments in the registers after it.
    CallValue { a: Register, count: u8 },
    /// Starts an iteration over the elements of a list. If `is_list` is false, `b` may also be a collection of game objects. The state of
    /// the iteration is stored in `a` and the next register.
    IterateElements { a: Register, b: Register, is_list: bool },
    /// Creates an empty collection of the same type if `of` is a collection of game objects, otherwise an empty list.
    EmptyLike { a: Register, of: Register },
    /// Converts a filtered list to a set of options if `of` is a set of options. Moves any other value unchanged.
    RestoreType { a: Register, from: Register, of: Register },
    /// Starts an iteration over the value `b`. Puts the iterated value into `a` and the position 0 into the next
    /// register.
    Iterate { a: Register, b: Register },
    /// Loads the next element into `value`. Jumps if the iteration has ended.
    Next { a: Register, value: Register, to: u32 },
    /// Loads the position of the iteration `of`: the index of the element that `Next` loads.
    Position { a: Register, of: Register },
    /// Moves the iteration `a` to the position `b`. Negative positions count from the end.
    Seek { a: Register, b: Register },
    /// Returns a value from the function.
    Return { a: Register },
    /// Returns a value from a closure that a library function called.
    EndClosure { a: Register },
    /// Calls a library function with a collection and a list that contains the closure's result for each element.
    NativeOnResults { a: Register, call: u16, entries: Register, results: Register },
    /// Reports that a watched statement starts.
    Reached { point: u32 },
    /// Calls a library function that takes a closure. The next instruction is a jump, which is followed by the
    /// closure's code.
    NativeWithClosure { a: Register, at: u16 },
}

/// Number of units of [`Op::effort`] in one operation of fuel. The costs are chosen so that an operation takes about 0.1 µs, regardless of
/// its instructions.
const EFFORT_PER_OPERATION: u32 = 16;

impl Op {
    /// Returns the jump target if the instruction is a jump. `Switch` is not included, because only backward jumps are charged and `Switch`
    /// only jumps forward.
    const fn target(self) -> Option<u32> {
        match self {
            Self::Jump { to }
            | Self::JumpIf { to, .. }
            | Self::JumpIfTrue { to, .. }
            | Self::JumpIfFalse { to, .. }
            | Self::JumpIfSome { to, .. }
            | Self::JumpIfNothing { to, .. }
            | Self::Next { to, .. } => Some(to),
            _ => None,
        }
    }

    /// Returns the fixed cost of the instruction in sixteenths of an operation. The part of the cost that depends on
    /// operands is charged when the instruction runs.
    fn effort(self, paths: &[Path]) -> u32 {
        let by_path = |path: u16, each: u32| each * paths[usize::from(path)].0.len() as u32;
        match self {
            Self::Reached { .. } => 0,
            Self::Binary { .. } | Self::JumpIfTrue { .. } | Self::JumpIfFalse { .. } | Self::Matches { .. } => 5,
            Self::Field { .. } | Self::Index { .. } => 18,
            Self::Global { .. }
            | Self::Join { .. }
            | Self::List { .. }
            | Self::Map { .. }
            | Self::Range { .. }
            | Self::EmptyLike { .. }
            | Self::Push { .. } => 12,
            Self::Get { path, .. } => 4 + by_path(path, 16),
            Self::Set { path, .. } | Self::PutBack { path, .. } | Self::Lift { path, .. } => 16 + by_path(path, 16),
            Self::Native { .. }
            | Self::Change { .. }
            | Self::NativeWithClosure { .. }
            | Self::NativeOnResults { .. } => 8,
            _ => 2,
        }
    }
}

/// Returns the fuel costs of `code`. The first result contains, for each instruction, the fuel charged when it starts a loop iteration or a
/// closure. The second result is the fuel charged for the whole code.
pub(super) fn costs(code: &[Op], paths: &[Path]) -> (Vec<u32>, u32) {
    let mut before = vec![0_u32];
    for op in code {
        before.push(before[before.len() - 1].saturating_add(op.effort(paths)));
    }
    let cost = |from: usize, to: usize| 1 + (before[to] - before[from]) / EFFORT_PER_OPERATION;
    let begins = |(at, op): (usize, &Op)| match (op, code.get(at + 1)) {
        (Op::NativeWithClosure { .. }, Some(Op::Jump { to })) if *to as usize > at => cost(at + 1, *to as usize),
        (Op::NativeWithClosure { .. }, _) => 1,
        _ => match op.target().map(|to| to as usize) {
            Some(to) if to <= at => cost(to, at + 1),
            _ => 0,
        },
    };
    (code.iter().enumerate().map(begins).collect(), cost(0, code.len()))
}

/// Replaces instructions by cheaper ones with the same effect.
///
/// Every instruction keeps its index, so that jumps, spans and the ranges of variables stay valid. The fuel must be computed before.
pub(super) fn fuse(code: &mut [Op], names: &[ArcStr], calls: &[LibraryCall]) {
    for at in 1..code.len() {
        if let (Op::Field { a, b, name }, Op::Native { from, call, .. }) = (code[at - 1], code[at])
            && a == from
            && names[usize::from(name)] == PIECES
            && let LibraryCall { function, count, texts, .. } = calls[usize::from(call)]
            && is_piece_query(&names[usize::from(function)], usize::from(count), texts)
        {
            code[at - 1] = Op::QueriedPieces { a, b, name };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_takes_eight_bytes() {
        assert_eq!(size_of::<Op>(), 8);
    }

    #[test]
    fn only_queries_take_a_zone_for_its_pieces() {
        let names: Vec<ArcStr> = ["pieces", "spaces", "where", "take"].map(ArcStr::from).into();
        let call = |function| LibraryCall { function, count: 3, texts: 0b10, quoted: None };
        let calls = [call(2), call(3)];
        let is_fused = |name, call, from| {
            let mut code = [Op::Field { a: 4, b: 0, name }, Op::Native { a: 1, from, call, count: 3 }];
            fuse(&mut code, &names, &calls);
            matches!(code[0], Op::QueriedPieces { a: 4, b: 0, .. })
        };
        assert!(is_fused(0, 0, 4));
        assert!(!is_fused(1, 0, 4) && !is_fused(0, 1, 4) && !is_fused(0, 0, 5));
    }
}

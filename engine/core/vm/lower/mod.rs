//! Compiler from syntax trees to bytecode, one function at a time.
//!
//! Every variable has its own register. Temporary values use the registers after those of the variables. A closure that is an argument of a
//! call is inlined, so the variables around the closure are registers of the same window.

mod call;
mod closure;
mod expression;
mod statement;

pub use closure::{
    BEGINS_READ_ONLY, BEGINS_TOGETHER, BEGINS_WINDOW, ENDS_READ_ONLY, ENDS_TOGETHER, ENDS_WINDOW, NEXT_IN_WINDOW,
};

use super::code::{
    CompiledFunction, InPlaceUpdate, InlinedClosure, LibraryCall, Local, Op, Path, Program, Register, Step, costs, fuse,
};
use crate::decision::{Value, intern_literal};
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::{Form, builtin_codes, looks_up_name};
use crate::syntax::{self, Expr, ExprKind, File, Name, Span, Statement};
use arcstr::ArcStr;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// Number of registers in a window.
const MAX_REGISTERS: usize = 256;

/// Watched statements. The key is the index of the source text and the offset of the statement in it; the value is the number passed to the
/// context.
pub type Watched = FxHashMap<(u16, usize), u32>;

/// Compiles files of functions, which may call the functions of `base`.
///
/// The files must have passed the analysis, and their calls must be bound. Therefore, a name that is not a variable belongs to the game,
/// and a call that is not an [`OwnCall`](syntax::ExprKind::OwnCall) refers to the library. `base` must not contain an agent's functions.
///
/// # Errors
/// Returns a diagnostic for each function that needs more registers than a window has. Stops with a diagnostic at the first function for
/// which a table of the program overflows.
pub fn lower(
    base: &Program,
    files: &[(&Arc<Source>, &File)],
    watched: Option<&Watched>,
) -> Result<Program, Vec<Diagnostic>> {
    let mut shared = SharedLowering::extending(base, watched);
    let mut count = base.functions.len();
    // All functions are registered first, because they may be called before their definition and from other files.
    for function in files.iter().flat_map(|(_, file)| &file.functions) {
        shared.by_key.insert(function.key.clone(), count as u16);
        count += 1;
    }
    shared.program.functions.resize(count, Arc::default());
    let mut found = Vec::new();
    for (source, file) in files {
        let at = shared.program.sources;
        shared.program.sources += 1;
        for function in &file.functions {
            let number = shared.by_key[&function.key];
            let body = Body::Block(&function.body);
            let lowered = Lowering::new(&mut shared, source, at).function(&function.name.text, &function.params, body);
            match lowered {
                Ok(lowered) => shared.program.functions[usize::from(number)] = lowered.into(),
                Err(why) => {
                    found.push(too_large(why, source, &function.name));
                    if why == TooLarge::Rules {
                        return Err(found);
                    }
                }
            }
        }
    }
    if found.is_empty() { Ok(shared.program) } else { Err(found) }
}

/// Compiles statements as the body of a function with the given parameters. Returns the extended program and the function's index.
///
/// # Errors
/// Returns a diagnostic if the statements need more registers than a window has, or if a table of the program overflows.
pub fn lower_statements(
    base: &Program,
    source: &Arc<Source>,
    params: &[Arc<str>],
    statements: &[Statement],
) -> Result<(Program, usize), Vec<Diagnostic>> {
    let mut shared = SharedLowering::extending(base, None);
    let at = shared.program.sources;
    shared.program.sources += 1;
    let params: Vec<Name> = params.iter().map(|text| Name { text: text.clone(), span: Span::default() }).collect();
    let lowered = Lowering::new(&mut shared, source, at).function("", &params, Body::Statements(statements));
    let unnamed = Name { text: "".into(), span: Span::default() };
    let lowered = lowered.map_err(|why| vec![too_large(why, source, &unnamed)])?;
    shared.program.functions.push(lowered.into());
    let number = shared.program.functions.len() - 1;
    Ok((shared.program, number))
}

fn too_large(why: TooLarge, source: &Arc<Source>, name: &Name) -> Diagnostic {
    let place = Place { source: source.clone(), span: name.span.range() };
    if why == TooLarge::Rules {
        let message = "the rules have too many different texts, names or calls".to_owned();
        return Diagnostic::error("too-many", message)
            .mark(place, format!("more than {} of a sort up to here", u16::MAX))
            .help("put what is data into components and params");
    }
    let span = if let TooLarge::Function(span) = why { span.range() } else { name.span.range() };
    let message = format!("`{}` has more to keep in mind at once than a function can", name.text);
    Diagnostic::error("too-many", message)
        .mark(Place { span, ..place }, format!("here it is more than {MAX_REGISTERS} variables and arguments"))
        .help("write several functions, or name the results of chained calls with `let`")
}

/// A limit that a program exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TooLarge {
    /// The function needs too many registers. The span is the place where the limit is exceeded.
    Function(Span),
    /// A table of the program has more entries than its indices can address.
    Rules,
}

type Lowered<T> = Result<T, TooLarge>;

/// Body of a function.
#[derive(Clone, Copy)]
enum Body<'t> {
    Block(&'t syntax::Block),
    Statements(&'t [Statement]),
    One(&'t Statement),
}

/// State shared by the compilation of all functions.
struct SharedLowering<'w> {
    program: Program,
    by_key: FxHashMap<Arc<str>, u16>,
    names: FxHashMap<ArcStr, u16>,
    calls: FxHashMap<LibraryCall, u16>,
    texts: FxHashMap<ArcStr, u16>,
    numbers: FxHashMap<i64, u16>,
    /// Indices of constants that are neither texts nor numbers.
    others: Vec<u16>,
    watched: Option<&'w Watched>,
}

impl<'w> SharedLowering<'w> {
    fn extending(program: &Program, watched: Option<&'w Watched>) -> Self {
        let named = program.functions.iter().enumerate().filter(|(_, function)| function.is_named());
        let mut shared = Self {
            by_key: named.map(|(at, function)| (function.name.as_str().into(), at as u16)).collect(),
            names: program.names.iter().enumerate().map(|(at, name)| (name.clone(), at as u16)).collect(),
            calls: program.calls.iter().enumerate().map(|(at, call)| (*call, at as u16)).collect(),
            texts: FxHashMap::default(),
            numbers: FxHashMap::default(),
            others: Vec::new(),
            program: program.clone(),
            watched,
        };
        for (at, constant) in program.constants.iter().enumerate() {
            shared.note_constant(constant, at as u16);
        }
        shared
    }

    fn note_constant(&mut self, constant: &Value, at: u16) {
        match constant {
            Value::Text(text) => drop(self.texts.insert(text.clone(), at)),
            Value::Number(number) => drop(self.numbers.insert(*number, at)),
            _ => self.others.push(at),
        }
    }

    /// Returns whether any table has more entries than its indices can address.
    fn is_full(&self) -> bool {
        let Program { names, calls, constants, paths, closure_calls, switches, .. } = &self.program;
        let most = [names.len(), calls.len(), constants.len(), paths.len(), closure_calls.len(), switches.len()];
        most.into_iter().any(|count| count > usize::from(u16::MAX))
    }

    fn name(&mut self, text: &str) -> u16 {
        if let Some(number) = self.names.get(text) {
            return *number;
        }
        let number = self.program.names.len() as u16;
        let text = intern_literal(text);
        self.program.names.push(text.clone());
        self.program.properties.push(builtin_codes(Form::Property, &text).and_then(|own| own.property));
        self.names.insert(text, number);
        number
    }

    /// Returns the index of a library call with `count` arguments.
    fn call(&mut self, name: &str, count: u8) -> u16 {
        self.call_as_written(name, count, &[])
    }

    /// Returns the index of a library call with `count` arguments. `written` are the source expressions of the last arguments.
    fn call_as_written(&mut self, name: &str, count: u8, written: &[Expr]) -> u16 {
        let (mut texts, mut quoted) = (0, None);
        for (at, argument) in (usize::from(count) - written.len()..).zip(written) {
            if let ExprKind::Text(text) = &argument.kind
                && at < u8::BITS as usize
            {
                texts |= 1 << at;
                quoted = quoted.or(Some(text));
            }
        }
        let quoted = quoted.filter(|_| looks_up_name(name)).map(|text| self.name(text));
        let call = LibraryCall { function: self.name(name), count, texts, quoted };
        *self.calls.entry(call).or_insert_with(|| {
            self.program.calls.push(call);
            (self.program.calls.len() - 1) as u16
        })
    }

    fn constant(&mut self, value: Value) -> u16 {
        let known = match &value {
            Value::Text(text) => self.texts.get(text).copied(),
            Value::Number(number) => self.numbers.get(number).copied(),
            value => self.others.iter().copied().find(|at| self.program.constants[usize::from(*at)] == *value),
        };
        known.unwrap_or_else(|| {
            let at = self.program.constants.len() as u16;
            self.note_constant(&value, at);
            self.program.constants.push(value);
            at
        })
    }

    fn path(&mut self, steps: Vec<Step>) -> u16 {
        let path = Path(steps);
        if let Some(at) = self.program.paths.iter().position(|known| *known == path) {
            return at as u16;
        }
        self.program.paths.push(path);
        (self.program.paths.len() - 1) as u16
    }
}

/// A loop that is being compiled.
struct Loop {
    /// Register of the loop's result.
    result: Option<Register>,
    /// Jumps of `break` statements.
    breaks: Vec<usize>,
    /// Jumps of `continue` statements.
    continues: Vec<usize>,
}

/// Effect of `return`.
enum ReturnTarget {
    /// Returns from the compiled function.
    Function,
    /// Jumps to the end of the inlined closure.
    Inline { result: Register, jumps: Vec<usize> },
    /// Returns from the closure to the library function that called it.
    Native,
}

/// A variable in scope.
struct Variable {
    name: Arc<str>,
    register: Register,
    /// First instruction at which the variable exists.
    since: u32,
}

/// A function that is being compiled.
struct Lowering<'a, 'w> {
    shared: &'a mut SharedLowering<'w>,
    source: &'a Arc<Source>,
    number: u16,
    code: Vec<Op>,
    spans: Vec<Span>,
    /// Variables in scope, innermost last.
    variables: Vec<Variable>,
    /// Variables that have gone out of scope.
    locals: Vec<Local>,
    lifted: Vec<InPlaceUpdate>,
    /// First free register.
    free: usize,
    /// Maximum number of registers in use at the same time.
    most: usize,
    loops: Vec<Loop>,
    return_targets: Vec<ReturnTarget>,
    /// Place of the code that is being compiled. Faults refer to it.
    span: Span,
    inner: Vec<InlinedClosure>,
    /// Registers of the variables that have been looked up. Recorded only while compiling a closure that the library may store.
    read: RefCell<Option<Vec<Register>>>,
}

impl<'a, 'w> Lowering<'a, 'w> {
    fn new(shared: &'a mut SharedLowering<'w>, source: &'a Arc<Source>, number: u16) -> Self {
        Self {
            shared,
            source,
            number,
            code: Vec::new(),
            spans: Vec::new(),
            variables: Vec::new(),
            locals: Vec::new(),
            lifted: Vec::new(),
            free: 0,
            most: 0,
            loops: Vec::new(),
            return_targets: vec![ReturnTarget::Function],
            span: Span::default(),
            inner: Vec::new(),
            read: RefCell::default(),
        }
    }

    fn function(mut self, name: &str, params: &[Name], body: Body<'_>) -> Lowered<CompiledFunction> {
        for param in params {
            self.variable(&param.text)?;
        }
        let result = self.allocate_register()?;
        match body {
            Body::Block(block) => self.block(block, Some(result))?,
            Body::Statements(statements) => self.statements(statements, Some(result))?,
            Body::One(statement) => self.statement(statement, Some(result))?,
        }
        self.emit(Op::Return { a: result });
        if self.shared.is_full() {
            return Err(TooLarge::Rules);
        }
        self.end_variables(0);
        if name.is_empty() {
            // The parameters of a code fragment are names of the game, so backtraces do not show them as variables.
            self.locals.retain(|local| usize::from(local.register) >= params.len());
        }
        let Program { paths, names, calls, .. } = &self.shared.program;
        let (start_costs, call_cost) = costs(&self.code, paths);
        fuse(&mut self.code, names, calls);
        Ok(CompiledFunction {
            name: name.into(),
            arity: params.len() as u8,
            registers: self.most as u16,
            start_costs,
            call_cost,
            code: self.code,
            spans: self.spans,
            source: self.number,
            inner: self.inner,
            locals: self.locals,
            lifted: self.lifted,
        })
    }

    /// Records the code that `compile` emits as an inlined closure. The closure's variables start to exist at instruction `start`.
    fn lower_inlined<T>(
        &mut self,
        call_site: Span,
        start: u32,
        compile: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let at = self.inner.len();
        self.inner.push(InlinedClosure { start, end: 0, call_site });
        let done = compile(self)?;
        self.inner[at].end = self.here();
        Ok(done)
    }

    // ----- registers

    fn allocate_register(&mut self) -> Lowered<Register> {
        self.allocate_registers(1)
    }

    /// Allocates consecutive registers and returns the first one.
    fn allocate_registers(&mut self, count: usize) -> Lowered<Register> {
        let first = self.free;
        self.free += count;
        self.most = self.most.max(self.free);
        if self.free > MAX_REGISTERS {
            Err(TooLarge::Function(self.span))
        } else {
            Ok(first.min(MAX_REGISTERS - 1) as Register)
        }
    }

    fn variable(&mut self, name: &Arc<str>) -> Lowered<Register> {
        let register = self.allocate_register()?;
        self.declare(name, register);
        Ok(register)
    }

    /// Binds a name to a register.
    fn declare(&mut self, name: &Arc<str>, register: Register) {
        self.variables.push(Variable { name: name.clone(), register, since: self.here() });
    }

    /// Ends the scope of all variables except the first `kept`.
    fn end_variables(&mut self, kept: usize) {
        let end = self.here();
        let gone = self.variables.drain(kept..);
        self.locals.extend(gone.map(|Variable { name, register, since }| Local { name, register, start: since, end }));
    }

    fn find(&self, name: &str) -> Option<Register> {
        let found = self.variables.iter().rev().find(|variable| *variable.name == *name)?.register;
        if let Some(read) = &mut *self.read.borrow_mut() {
            read.push(found);
        }
        Some(found)
    }

    /// Returns whether a register belongs to a variable.
    fn is_variable(&self, register: Register) -> bool {
        self.variables.iter().any(|variable| variable.register == register)
    }

    /// Runs `compile` in a separate scope. Afterwards, the registers of the scope are free and its variables are out of scope.
    fn lower_in_scope<T>(&mut self, compile: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let (free, variables) = (self.free, self.variables.len());
        let done = compile(self)?;
        self.free = free;
        self.end_variables(variables);
        Ok(done)
    }

    // ----- code

    fn emit(&mut self, op: Op) -> usize {
        self.code.push(op);
        self.spans.push(self.span);
        self.code.len() - 1
    }

    fn here(&self) -> u32 {
        self.code.len() as u32
    }

    /// Sets the target of a jump to the next instruction.
    fn patch_jump(&mut self, at: usize) {
        let here = self.here();
        match &mut self.code[at] {
            Op::Jump { to }
            | Op::JumpIf { to, .. }
            | Op::JumpIfSome { to, .. }
            | Op::JumpIfNothing { to, .. }
            | Op::JumpIfTrue { to, .. }
            | Op::JumpIfFalse { to, .. }
            | Op::Next { to, .. } => *to = here,
            other => unreachable!("{other:?} is no jump"),
        }
    }

    fn patch_jumps(&mut self, jumps: Vec<usize>) {
        for at in jumps {
            self.patch_jump(at);
        }
    }

    /// Compiles a backward jump, at which the machine charges fuel.
    fn jump_back(&mut self, to: u32) {
        self.emit(Op::Jump { to });
    }

    fn constant(&mut self, a: Register, value: Value) {
        let op = match value {
            Value::Nothing => Op::Nothing { a },
            Value::Flag(flag) => Op::Flag { a, flag: flag.get() },
            Value::Number(number) if i32::try_from(number).is_ok() => Op::Number { a, number: number as i32 },
            value => Op::Constant { a, at: self.shared.constant(value) },
        };
        self.emit(op);
    }

    fn move_to(&mut self, a: Register, from: Register) {
        if a != from {
            self.emit(Op::Move { a, from });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_constant_table_is_detected() {
        let mut shared = SharedLowering::extending(&Program::default(), None);
        for text in 0..u16::MAX {
            assert_eq!(shared.constant(Value::text(&text.to_string())), text);
        }
        assert!(!shared.is_full());
        assert_eq!(shared.constant(Value::text("7")), 7, "a text that is known has its number");
        shared.constant(Value::text("one more"));
        assert!(shared.is_full());
    }
}

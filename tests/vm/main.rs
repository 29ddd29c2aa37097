//! Compares the virtual machine with Rhai on handwritten and generated programs.
//!
//! `PROGRAMS=1000000 cargo test --release --test vm` compares this number of programs; `FIRST=…` sets the first seed. A program whose
//! results differ is shrunk and printed. After you have fixed the bug, add the program to `programs.txt`.

#![allow(clippy::unwrap_used, reason = "what does not compile fails the test")]

mod generator;
mod shrink;

use generator::Generator;
use parlour::decision::Value;
use parlour::diagnostic::{Diagnostic, Source};
use parlour::library::{Form, builtin_codes};
use parlour::syntax;
use parlour::vm::{Answer, Context, NativeResult, Program, Run, Stop, Symbol, boxed_fault, lower, native, native_with};
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicStringPackage,
    LogicPackage, MoreStringPackage, Package,
};
use rhai::{Dynamic, Engine, EvalAltResult, OptimizationLevel, ParseError, ParseErrorType, Scope};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// Context with only the functions of the language itself, and `ask`, which waits for an answer.
#[derive(Default)]
struct Bare {
    /// Arguments of the calls of `ask`.
    asked: Vec<Value>,
}

impl Context for Bare {
    fn global(&mut self, name: Symbol<'_>) -> Answer<Value> {
        Err(boxed_fault("unknown-name", name.text()))
    }

    fn field(&mut self, of: &Value, name: Symbol<'_>) -> Answer<Value> {
        Err(boxed_fault("unknown-field", format!("{} has no `{}`", of.kind(), name.text())))
    }

    fn set_field(&mut self, of: &Value, name: Symbol<'_>, _: Value) -> Answer<()> {
        Err(boxed_fault("unknown-field", format!("{} has no `{}`", of.kind(), name.text())))
    }

    fn native(&mut self, name: Symbol<'_>, arguments: &mut [Value]) -> Answer<NativeResult> {
        let name = name.text();
        if let ("ask", [what]) = (name, &*arguments) {
            self.asked.push(what.clone());
            return Ok(NativeResult::Asked);
        }
        let own = builtin_codes(Form::Function, name);
        let given = own.map_or(Ok(None), |own| native(own, arguments))?.map(NativeResult::Value);
        given.ok_or_else(|| boxed_fault("unknown-function", format!("there is no `{name}` for {arguments:?}")))
    }

    fn native_with(
        &mut self,
        name: Symbol<'_>,
        arguments: &mut [Value],
        call: &mut dyn FnMut(&mut Self, &[Value]) -> Answer<Value>,
    ) -> Answer<NativeResult> {
        if let ("sort", Some(Value::List(items))) = (name.text(), arguments.first()) {
            arguments[0] = Value::list(sorted(self, items, call)?);
            return Ok(NativeResult::Value(Value::Nothing));
        }
        native_with(self, builtin_codes(Form::Function, name.text()), name.text(), arguments, call)
            .map(NativeResult::Value)
    }
}

/// Sorts items by merge sort with a comparison function. The library's `sort` is not available in this context.
fn sorted(
    bare: &mut Bare,
    items: &[Value],
    call: &mut dyn FnMut(&mut Bare, &[Value]) -> Answer<Value>,
) -> Answer<Vec<Value>> {
    if items.len() < 2 {
        return Ok(items.to_vec());
    }
    let (left, right) = items.split_at(items.len() / 2);
    let mut left = sorted(bare, left, call)?.into_iter().peekable();
    let right = sorted(bare, right, call)?;
    let mut merged = Vec::new();
    for item in right {
        while let Some(before) = left.peek() {
            let is_less = match call(bare, &[item.clone(), before.clone()])? {
                Value::Flag(is_less) => is_less.get(),
                Value::Number(order) => order < 0,
                _ => return Err(boxed_fault("wrong-type", "a comparison returns a flag or a number")),
            };
            if is_less {
                break;
            }
            merged.extend(left.next());
        }
        merged.push(item);
    }
    Ok(merged.into_iter().chain(left).collect())
}

/// Compiles a source file.
///
/// # Errors
/// Returns the first diagnostic in one line.
fn compile(text: &str) -> Result<Program, String> {
    let source = Arc::new(Source { path: "rules/a.rhai".to_owned(), text: text.to_owned() });
    let mut parsed = syntax::parse(&source, &mut 0);
    syntax::bind_rules(&mut [&mut parsed.tree]);
    match parsed.mistakes.first().map(Diagnostic::in_a_line) {
        Some(mistake) => Err(mistake),
        None => lower(&Program::default(), &[(&source, &parsed.tree)], None).map_err(|found| found[0].in_a_line()),
    }
}

/// Returns the answer to a question, which depends on the number of previous questions.
fn answer(before: usize) -> i64 {
    (before as i64 * 7 + 3) % 5
}

/// Questions and result of a program.
#[derive(Debug, PartialEq, Eq)]
struct RunResult {
    asked: String,
    result: Result<String, Failure>,
}

/// Reason why a program has no result. Failures of the same kind are equal, because messages differ between the engines.
#[derive(Debug)]
struct Failure {
    kind: FailureKind,
    message: String,
}

impl PartialEq for Failure {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Failure {}

/// Kind of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FailureKind {
    /// Program that does not compile.
    Refused,
    /// Number overflow, or division by 0.
    Arithmetic,
    /// Index out of range.
    Index,
    /// Part that the map does not have.
    Part,
    /// Operand of a type that the operator or function does not support.
    Type,
    /// Exceeded limit on operations, recursion or memory.
    Limit,
}

fn failure(kind: FailureKind, message: impl Into<String>) -> Failure {
    Failure { kind, message: message.into() }
}

/// Compiles a program and runs its function `main` in the virtual machine. After each question, the run continues in a clone, to test
/// cloning.
fn run_in_vm(text: &str) -> RunResult {
    let program = match compile(text) {
        Ok(program) => program,
        Err(refused) => {
            return RunResult { asked: String::new(), result: Err(failure(FailureKind::Refused, refused)) };
        }
    };
    let mut bare = Bare::default();
    let mut run = Run::new(&program, program.find("main").unwrap(), &[], VM_FUEL);
    let result = loop {
        match run.resume(&program, &mut bare) {
            Stop::Done(value) => break Ok(format_value(&value)),
            Stop::Asked if bare.asked.len() > MAX_QUESTIONS => {
                break Err(failure(FailureKind::Limit, TOO_MANY_QUESTIONS));
            }
            Stop::Asked => {
                run = run.clone();
                run.answer(Value::Number(answer(bare.asked.len() - 1)), VM_FUEL);
            }
            Stop::Fault(fault, _) => {
                let kind = match fault.code {
                    "arithmetic" => FailureKind::Arithmetic,
                    "out-of-range" => FailureKind::Index,
                    "unknown-part" => FailureKind::Part,
                    "endless" | "too-deep" | "too-large" => FailureKind::Limit,
                    _ => FailureKind::Type,
                };
                break Err(failure(kind, format!("{}: {}", fault.code, fault.message)));
            }
        }
    };
    RunResult { asked: listed(bare.asked.iter().map(format_value)), result }
}

/// Maximum number of questions in a run.
const MAX_QUESTIONS: usize = 200;

/// Message of a run that asks more than [`MAX_QUESTIONS`] questions.
const TOO_MANY_QUESTIONS: &str = "it asks without end";

/// Maximum number of operations in Rhai.
const FUEL: u64 = 50_000;

/// Maximum number of operations in the virtual machine, which charges more per statement than Rhai. Programs that finish in Rhai must also
/// finish in the virtual machine.
const VM_FUEL: u64 = 8 * FUEL;

/// Joins parts with commas.
fn listed(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// Formats a value of the virtual machine.
fn format_value(value: &Value) -> String {
    match value {
        Value::Nothing => "()".to_owned(),
        Value::Flag(flag) => flag.get().to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => format!("{:?}", text.as_str()),
        Value::List(items) => format!("[{}]", listed(items.iter().map(format_value))),
        Value::Map(map) => {
            format!("{{{}}}", listed(map.iter().map(|(name, part)| format!("{name}: {}", format_value(part)))))
        }
        Value::Range(range) if range.is_inclusive => format!("{}..={}", range.start, range.end),
        Value::Range(range) => format!("{}..{}", range.start, range.end),
        other => other.kind(),
    }
}

/// Rhai engine with the settings of the tree walker, and the arguments of the calls of `ask`.
struct Rhai {
    engine: Engine,
    asked: Rc<RefCell<Vec<String>>>,
}

impl Rhai {
    fn new() -> Self {
        let mut engine = Engine::new_raw();
        ArithmeticPackage::new().register_into_engine(&mut engine);
        LogicPackage::new().register_into_engine(&mut engine);
        BasicStringPackage::new().register_into_engine(&mut engine);
        MoreStringPackage::new().register_into_engine(&mut engine);
        BasicIteratorPackage::new().register_into_engine(&mut engine);
        BasicArrayPackage::new().register_into_engine(&mut engine);
        BasicMapPackage::new().register_into_engine(&mut engine);
        BasicFnPackage::new().register_into_engine(&mut engine);
        engine
            .set_max_call_levels(64)
            .set_max_expr_depths(64, 64)
            .set_max_string_size(16_384)
            .set_max_array_size(1_000)
            .set_max_map_size(1_000)
            .set_max_operations(FUEL)
            .set_strict_variables(true)
            .set_optimization_level(OptimizationLevel::None)
            .set_fail_on_invalid_map_property(true);
        let asked: Rc<RefCell<Vec<String>>> = Rc::default();
        let log = asked.clone();
        engine.register_fn("ask", move |what: Dynamic| {
            log.borrow_mut().push(format_rhai_value(&what.flatten()));
            answer(log.borrow().len() - 1)
        });
        Self { engine, asked }
    }

    /// Runs the function `main` of a program. Returns `None` for programs that cannot be compared: programs that Rhai refuses because of
    /// names or types, and programs that access a variable while Rhai has locked it for a method call.
    fn run(&self, text: &str) -> Option<RunResult> {
        self.asked.borrow_mut().clear();
        let ast = match self.engine.compile(text) {
            Ok(ast) => ast,
            // Names and types are checked by the analysis and not by the virtual machine.
            Err(refused) if is_semantic_error(&refused) => return None,
            Err(refused) => {
                let result = Err(failure(FailureKind::Refused, refused.to_string()));
                return Some(RunResult { asked: String::new(), result });
            }
        };
        let run = || self.engine.call_fn::<Dynamic>(&mut Scope::new(), &ast, "main", ());
        let result = match catch_unwind(AssertUnwindSafe(run)).ok()? {
            Ok(value) => Ok(format_rhai_value(&value.flatten())),
            Err(error) if matches!(error.unwrap_inner(), EvalAltResult::ErrorDataRace(..)) => return None,
            Err(error) => Err(failure(failure_kind(error.unwrap_inner()), error.to_string())),
        };
        Some(RunResult { asked: self.asked.borrow().join(", "), result })
    }
}

/// Returns whether Rhai refuses a program because of names or types and not because of syntax.
fn is_semantic_error(refused: &ParseError) -> bool {
    use ParseErrorType as E;
    matches!(
        refused.err_type(),
        E::VariableUndefined(_) | E::MismatchedType(..) | E::MalformedIndexExpr(_) | E::AssignmentToConstant(_)
    )
}

/// Returns the kind of a failure in Rhai.
fn failure_kind(error: &EvalAltResult) -> FailureKind {
    use EvalAltResult as E;
    match error {
        E::ErrorArithmetic(..) => FailureKind::Arithmetic,
        E::ErrorArrayBounds(..) | E::ErrorStringBounds(..) => FailureKind::Index,
        E::ErrorPropertyNotFound(..) => FailureKind::Part,
        E::ErrorTooManyOperations(..) | E::ErrorStackOverflow(..) | E::ErrorDataTooLarge(..) => FailureKind::Limit,
        _ => FailureKind::Type,
    }
}

/// Formats a value of Rhai like [`format_value`].
fn format_rhai_value(value: &Dynamic) -> String {
    if let Some(list) = value.read_lock::<rhai::Array>() {
        return format!("[{}]", listed(list.iter().map(format_rhai_value)));
    }
    if let Some(map) = value.read_lock::<rhai::Map>() {
        return format!(
            "{{{}}}",
            listed(map.iter().map(|(name, part)| format!("{name}: {}", format_rhai_value(part))))
        );
    }
    if let Some(range) = value.read_lock::<std::ops::Range<i64>>() {
        return format!("{}..{}", range.start, range.end);
    }
    if let Some(range) = value.read_lock::<std::ops::RangeInclusive<i64>>() {
        return format!("{}..={}", range.start(), range.end());
    }
    if let Ok(c) = value.as_char() {
        return format!("{:?}", c.to_string());
    }
    match value.clone().into_immutable_string() {
        Ok(text) => format!("{:?}", text.as_str()),
        Err(_) if value.is_unit() => "()".to_owned(),
        Err(_) if value.is_fnptr() => "a function".to_owned(),
        Err(_) => value.to_string(),
    }
}

/// Substrings of the messages with which the virtual machine refuses programs that Rhai runs. These programs are refused on purpose,
/// because they are error-prone.
const REFUSED_ON_PURPOSE: [&str; 21] = [
    "there is no function `to_string` for this",
    "there is no `pop` for [Text",
    "there is no `remove` for [Text",
    "there is no `clear` for [Text",
    "cannot be indexed by a range",
    "a number cannot be indexed",
    "a flag was expected",
    "can be read in two ways",
    "does not work between",
    "only numbers alone, or texts alone, are sorted",
    "cannot be set",
    "is not allowed here",
    "a list was expected, not a map",
    "there is no `retain` for [List",
    "there is no `range` for [Range",
    "there is no `split` for",
    "there is no `max` for [Text",
    "there is no `min` for [Text",
    "nothing can be set in a number",
    "nothing can be set in a text",
    "a range goes from number to number",
];

/// Returns whether a program calls a mutating function as `push(list, x)` instead of `list.push(x)` and contains closures. In Rhai, such a
/// call changes a copy.
fn changes_a_copy(text: &str) -> bool {
    let is_before = |at: usize| !text[..at].ends_with('.');
    let calls = ["append(", "drain(", "insert(", "pop(", "push(", "retain(", "shift("];
    text.contains('|') && calls.iter().any(|call| text.match_indices(call).any(|(at, _)| is_before(at)))
}

/// Runs a program in both engines and compares the results. Returns `None` if the results cannot be compared.
///
/// # Errors
/// Returns a description of the difference.
fn compare(rhai: &Rhai, text: &str) -> Option<Result<(), String>> {
    let (in_vm, in_rhai) = (run_in_vm(text), rhai.run(text)?);
    let is_on_purpose = |in_vm: &RunResult| {
        in_vm.result.as_ref().is_err_and(|why| REFUSED_ON_PURPOSE.iter().any(|one| why.message.contains(one)))
    };
    // In the virtual machine, `()?[0].len()` is `()`, and characters are texts. Rhai reports errors instead.
    let only_in_rhai = ["Indexer unavailable: ()", "char", "For loop expects iterable type"];
    let is_rhai_specific = |why: &Failure| only_in_rhai.iter().any(|one| why.message.contains(one));
    if changes_a_copy(text) {
        return None;
    }
    // Rhai uses the greatest integer as the end of open ranges.
    let is_open = |ran: &RunResult| {
        ran.result
            .as_ref()
            .is_ok_and(|is| is.contains(&format!("..{}", i64::MAX)) || is.contains(&format!("..={}", i64::MAX)))
    };
    if is_open(&in_vm) || in_vm.result.as_ref().is_err_and(|why| why.message == TOO_MANY_QUESTIONS) {
        return None;
    }
    // The engines have different limits. If Rhai reaches its limit, its result is unknown.
    let is_limited = |ran: &RunResult| ran.result.as_ref().is_err_and(|why| why.kind == FailureKind::Limit);
    // In rules, a check that runs before compilation refuses cases after range cases.
    if in_rhai.result.as_ref().is_err_and(|why| why.message.contains("cannot follow a range case")) {
        return None;
    }
    if is_limited(&in_rhai) {
        return is_limited(&in_vm).then_some(Ok(()));
    }
    // If the map in `map.part *= n` lacks the part, the virtual machine reports the missing part, and Rhai reports a calculation with `()`.
    let is_missing = in_vm.result.as_ref().is_err_and(|why| why.message.contains("the map has no part"));
    if is_missing && in_rhai.result.as_ref().is_err_and(|why| why.message.contains("(()")) {
        return None;
    }
    if in_vm != in_rhai && (is_on_purpose(&in_vm) || in_rhai.result.as_ref().is_err_and(is_rhai_specific)) {
        return None;
    }
    Some(if in_vm == in_rhai { Ok(()) } else { Err(format!("{text}\n  vm:   {in_vm:?}\n  Rhai: {in_rhai:?}")) })
}

/// Functions that handwritten programs can call.
const HELPERS: &str = "
fn fib(n) { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }
fn sum(list) { let all = 0; for x in list { all += x; } all }
fn helper(a, b) { if a > b { return a; } let c = a + b; c * 2 }
";

#[test]
fn handwritten_programs_have_the_same_result() {
    let rhai = Rhai::new();
    let cases = include_str!("programs.txt").lines().filter(|line| !line.is_empty());
    let whole =
        |body: &str| if body.starts_with("fn ") { body.to_owned() } else { format!("fn main() {{ {body} }}{HELPERS}") };
    let differences: Vec<String> =
        cases.filter_map(|body| compare(&rhai, &whole(body)).unwrap_or(Ok(())).err()).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn generated_programs_have_the_same_result() {
    let number = |name: &str, otherwise: u64| {
        std::env::var_os(name).map_or(otherwise, |text| text.to_str().unwrap().parse().unwrap())
    };
    let (first, count) = (number("FIRST", 1), number("PROGRAMS", 1_500));
    let rhai = Rhai::new();
    let (mut compared, mut with_result, mut differences) = (0, 0, Vec::new());
    for seed in first..first + count {
        let text = Generator::program(seed);
        match compare(&rhai, &text) {
            Some(Ok(())) => {
                compared += 1;
                with_result += u64::from(run_in_vm(&text).result.is_ok());
            }
            Some(Err(_)) => {
                let differs =
                    |text: &str| text.contains("fn main()") && compare(&rhai, text).is_some_and(|same| same.is_err());
                let short = shrink::shrink(&text, &differs);
                differences.push(format!("#{seed} {}", compare(&rhai, &short).unwrap().unwrap_err()));
            }
            None => {}
        }
        if differences.len() >= 12 {
            break;
        }
    }
    assert!(differences.is_empty(), "{} of {count}:\n{}", differences.len(), differences.join("\n"));
    assert!(compared > count * 8 / 10, "only {compared} of {count} could be compared");
    assert!(with_result > count * 4 / 10, "only {with_result} of {count} had a result");
    println!("{count} programs: {compared} compared, {with_result} with a result");
}

#[test]
fn a_run_waiting_in_a_closure_can_be_cloned() {
    let program = compile(
        "fn main() { let n = 1; let all = [3, 4].map(|x| { let y = ask(x); n += y; x * inner(y) }); all + [n] }
         fn inner(y) { if y > 1 { return ask(0) + y; } y }",
    )
    .unwrap();
    let mut run = Run::new(&program, program.find("main").unwrap(), &[], 1_000);
    let answers = |mut run: Run, answers: &[i64]| {
        for answer in answers {
            run.answer(Value::Number(*answer), 1_000);
            if let Stop::Done(value) = run.resume(&program, &mut Bare::default()) {
                return format_value(&value);
            }
        }
        "waits".to_owned()
    };
    assert_eq!(run.resume(&program, &mut Bare::default()), Stop::Asked);
    let other = run.clone();
    assert_eq!(other, run);
    assert_eq!(answers(run, &[1, 1]), "[3, 4, 3]");
    let elsewhere = std::thread::scope(|threads| threads.spawn(|| answers(other, &[2, 10, 1])).join().unwrap());
    assert_eq!(elsewhere, "[36, 4, 4]");
}

#[test]
fn endless_programs_are_stopped() {
    for (body, code) in [
        ("loop {}", "endless"),
        ("while true { fib(1); }", "endless"),
        ("let a = []; loop { a.push(1); }", "too-large"),
        ("let t = \"ab\"; loop { t += t; }", "too-large"),
        ("deep(0)", "too-deep"),
    ] {
        let found = run_in_vm(&format!("fn main() {{ {body} }} fn deep(n) {{ deep(n + 1) }}{HELPERS}")).result;
        assert!(found.as_ref().is_err_and(|why| why.message.starts_with(code)), "{body}: {found:?}");
    }
}

#[test]
fn a_fault_has_a_stack_trace() {
    let text = "fn main() {\n    inner([1])\n}\nfn inner(list) { list[3] }";
    let program = compile(text).unwrap();
    let mut run = Run::new(&program, program.find("main").unwrap(), &[], 1_000);
    let Stop::Fault(fault, trace) = run.resume(&program, &mut Bare::default()) else { panic!("it has no such entry") };
    assert_eq!(fault.code, "out-of-range");
    let places: Vec<(&str, &str)> = trace.iter().map(|at| (at.function.as_str(), &text[at.span.range()])).collect();
    assert_eq!(places, [("inner", "3"), ("main", "inner")]);
}

/// Returns the name and the variables of each function in the stack trace of a fault, innermost function first.
fn variables_of(body: &str) -> Vec<(String, String)> {
    let program = compile(&format!("fn main() {{ {body} }} {HELPERS} fn inner(n) {{ let m = n + 1; m / 0 }}")).unwrap();
    let mut run = Run::new(&program, program.find("main").unwrap(), &[], 10_000);
    let Stop::Fault(_, trace) = run.resume(&program, &mut Bare::default()) else { panic!("{body} has no fault") };
    let held = |(name, value): &(Arc<str>, Value)| format!("{name} = {}", format_value(value));
    trace.iter().map(|at| (at.function.to_string(), listed(at.variables.iter().map(held)))).collect()
}

#[test]
fn a_stack_trace_shows_the_variables_of_each_call() {
    for (body, expected) in [
        ("let a = 1; { let b = 2; } inner(7); let c = 3;", &[("inner", "n = 7, m = 8"), ("main", "a = 1")] as &[_]),
        ("let a = 1; let a = [a, 2]; a[5]", &[("main", "a = [1, 2]")]),
        ("for x in 3..9 { let y = x * 2; 1 / (x - 4); }", &[("main", "x = 4, y = 8")]),
        ("let a = 5; [1, 2].map(|x| { let b = x; b + a / (x - 2) })", &[("anon$", "x = 2, b = 2"), ("main", "a = 5")]),
        (
            "let x = 5; [[1]].map(|l| l.filter(|x| x / 0 > l))",
            &[("anon$", "x = 1"), ("anon$", "l = [1]"), ("main", "x = 5")],
        ),
        ("let f = |n| n / 0; let k = 3; f.call(k)", &[("anon$", "n = 3"), ("main", "f = a function, k = 3")]),
        ("let a = [2, 1]; let k = 0; a.sort(|x, y| x / k > y)", &[("anon$", "x = 1, y = 2"), ("main", "k = 0")]),
        ("let a = [2, 1]; a.insert(\"x\", 1)", &[("main", "a = [2, 1]")]),
        ("let m = #{ l: [2, 1] }; let k = 1; m.l.insert(\"x\", k)", &[("main", "m = {l: [2, 1]}, k = 1")]),
        ("let m = [#{ l: [3] }]; m[0].l.retain(|x| x / 0 > 1)", &[("anon$", "x = 3"), ("main", "m = [{l: [3]}]")]),
        ("let a = [2, 1]; a.retain(|x| x / 0 > 1)", &[("anon$", "x = 2"), ("main", "a = [2, 1]")]),
        ("let a = 9223372036854775807; a += 1;", &[("main", "a = 9223372036854775807")]),
        ("let a = #{ b: 1 }; a.b.c = 5;", &[("main", "a = {b: 1}")]),
    ] {
        let found = variables_of(body);
        let found: Vec<(&str, &str)> = found.iter().map(|(name, held)| (name.as_str(), held.as_str())).collect();
        assert_eq!(found, expected, "{body}");
    }
}

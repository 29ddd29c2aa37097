//! The machine runs the language as the script engine does: on programs by hand, and on generated ones.
//!
//! `PROGRAMS=1000000 cargo test --release --test vm` tries that many; `FIRST=…` begins with another one.

#![allow(clippy::unwrap_used, reason = "what does not compile fails the test")]

mod generator;

use generator::Generator;
use parlour::decision::Value;
use parlour::diagnostic::{Diagnostic, Source};
use parlour::syntax;
use parlour::vm::{Answer, Called, Context, Fault, Program, Run, Stop, Symbol, lower, native, native_with};
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicStringPackage,
    LogicPackage, MoreStringPackage, Package,
};
use rhai::{Dynamic, Engine, OptimizationLevel, Scope};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The language alone, with a function that asks.
struct Bare;

impl Context for Bare {
    fn global(&mut self, name: Symbol<'_>) -> Answer<Value> {
        Err(Fault::new("unknown-name", name.text))
    }

    fn field(&mut self, of: &Value, name: Symbol<'_>) -> Answer<Value> {
        Err(Fault::new("unknown-field", format!("{} has no `{}`", of.kind(), name.text)))
    }

    fn set_field(&mut self, of: &Value, name: Symbol<'_>, _: Value) -> Answer<()> {
        Err(Fault::new("unknown-field", format!("{} has no `{}`", of.kind(), name.text)))
    }

    fn native(&mut self, name: Symbol<'_>, arguments: &mut [Value]) -> Answer<Called> {
        let name = name.text;
        if name == "ask" {
            return Ok(Called::Asked);
        }
        let given = native(name, arguments)?.map(Called::Value);
        given.ok_or_else(|| Fault::new("unknown-function", format!("there is no `{name}` for {arguments:?}")))
    }

    fn native_with(
        &mut self,
        name: Symbol<'_>,
        arguments: &mut [Value],
        call: &mut dyn FnMut(&mut Self, &[Value]) -> Answer<Value>,
    ) -> Answer<Called> {
        native_with(self, name.text, arguments, call).map(Called::Value)
    }
}

fn compile(text: &str) -> Result<Program, String> {
    let source = Arc::new(Source { path: "rules/a.rhai".to_owned(), text: text.to_owned() });
    let parsed = syntax::parse(&source, &mut 0);
    match parsed.mistakes.first().map(Diagnostic::in_a_line) {
        Some(mistake) => Err(mistake),
        None => lower(&Program::default(), &[(source, parsed.tree)], None).map_err(|found| found[0].in_a_line()),
    }
}

/// What the machine makes of the function `main` of a text.
fn ours(text: &str) -> Result<String, String> {
    let program = compile(text)?;
    match Run::new(&program, program.find("main").unwrap(), Vec::new(), 200_000).resume(&program, &mut Bare) {
        Stop::Done(value) => Ok(written(&value)),
        Stop::Asked => Err("asked".to_owned()),
        Stop::Fault(fault, _) => Err(format!("{}: {}", fault.code, fault.message)),
    }
}

fn listed(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

fn written(value: &Value) -> String {
    match value {
        Value::Nothing => "()".to_owned(),
        Value::Flag(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Char(c) => format!("{c:?}"),
        Value::Text(text) => format!("{:?}", text.as_str()),
        Value::List(items) => format!("[{}]", listed(items.iter().map(written))),
        Value::Map(map) => {
            format!("{{{}}}", listed(map.iter().map(|(name, part)| format!("{name}: {}", written(part)))))
        }
        Value::Range(range) => format!("{}..{}", range.start, range.end),
        other => other.kind(),
    }
}

/// The script engine, set up as the walker of rules is.
fn engine() -> Engine {
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
        .set_max_operations(200_000)
        .set_strict_variables(true)
        .set_optimization_level(OptimizationLevel::None)
        .set_fail_on_invalid_map_property(true);
    engine
}

/// What the script engine makes of it; nothing where it refuses the text, or stops over a variable that is in use.
fn theirs(engine: &Engine, text: &str) -> Option<Result<String, String>> {
    let ast = engine.compile(text).ok()?;
    let run = || engine.call_fn::<Dynamic>(&mut Scope::new(), &ast, "main", ());
    match catch_unwind(AssertUnwindSafe(run)).ok()? {
        Ok(value) => Some(Ok(written_by_theirs(&value.flatten()))),
        Err(error) if error.to_string().contains("Data race") => None,
        Err(error) => Some(Err(error.to_string())),
    }
}

fn written_by_theirs(value: &Dynamic) -> String {
    if let Some(list) = value.read_lock::<rhai::Array>() {
        return format!("[{}]", listed(list.iter().map(written_by_theirs)));
    }
    if let Some(map) = value.read_lock::<rhai::Map>() {
        return format!(
            "{{{}}}",
            listed(map.iter().map(|(name, part)| format!("{name}: {}", written_by_theirs(part))))
        );
    }
    if let Some(range) = value.read_lock::<std::ops::Range<i64>>() {
        return format!("{}..{}", range.start, range.end);
    }
    if let Ok(c) = value.as_char() {
        return format!("{c:?}");
    }
    match value.clone().into_immutable_string() {
        Ok(text) => format!("{:?}", text.as_str()),
        Err(_) if value.is_unit() => "()".to_owned(),
        Err(_) => value.to_string(),
    }
}

/// Helpers that every program may call.
const HELPERS: &str = "
fn fib(n) { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }
fn sum(list) { let all = 0; for x in list { all += x; } all }
fn helper(a, b) { if a > b { return a; } let c = a + b; c * 2 }
";

/// What is unlike on purpose: what would be a trap is a fault, or refused, with what to write instead.
fn is_refused_on_purpose(ours: &Result<String, String>) -> bool {
    let refused =
        ["a flag was expected", "can be read in two ways", "`-` does not work between a text", "has nothing at"];
    ours.as_ref().is_err_and(|why| refused.iter().any(|one| why.contains(one)))
}

/// Whether both make the same of a program; nothing where that cannot be said.
fn is_alike(engine: &Engine, body: &str) -> Option<Result<(), String>> {
    let text = format!("fn main() {{ {body} }}{HELPERS}");
    let (ours, theirs) = (ours(&text), theirs(engine, &text)?);
    let is_alike = match (&ours, &theirs) {
        (Ok(a), Ok(b)) => a == b,
        (Err(_), Err(_)) => true,
        _ if is_refused_on_purpose(&ours) => return None,
        _ => false,
    };
    Some(if is_alike { Ok(()) } else { Err(format!("{body}\n  ours:   {ours:?}\n  theirs: {theirs:?}")) })
}

#[test]
fn programs_by_hand_come_to_the_same() {
    let engine = engine();
    let cases = include_str!("programs.txt").lines().filter(|line| !line.is_empty());
    let unlike: Vec<String> = cases.filter_map(|body| is_alike(&engine, body).unwrap_or(Ok(())).err()).collect();
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
}

#[test]
fn generated_programs_come_to_the_same() {
    let number = |name: &str, otherwise: u64| {
        std::env::var_os(name).map_or(otherwise, |text| text.to_str().unwrap().parse().unwrap())
    };
    let (first, count) = (number("FIRST", 1), number("PROGRAMS", 1_500));
    let engine = engine();
    let (mut told, mut unlike) = (0, Vec::new());
    for seed in first..first + count {
        match is_alike(&engine, &Generator::program(seed)) {
            Some(Ok(())) => told += 1,
            Some(Err(why)) => unlike.push(format!("#{seed} {why}")),
            None => {}
        }
    }
    assert!(unlike.is_empty(), "{} of {count}:\n{}", unlike.len(), unlike[..unlike.len().min(10)].join("\n"));
    assert!(told > count * 8 / 10, "{told} of {count} could be compared");
}

#[test]
fn a_run_is_copied_where_it_waits_in_a_loop_of_a_function_in_a_call() {
    let program = compile(
        "fn main() { let n = 1; let all = [3, 4].map(|x| { let y = ask(x); n += y; x * inner(y) }); all + [n] }
         fn inner(y) { if y > 1 { return ask(0) + y; } y }",
    )
    .unwrap();
    let mut run = Run::new(&program, program.find("main").unwrap(), Vec::new(), 1_000);
    let answers = |mut run: Run, answers: &[i64]| {
        for answer in answers {
            run.answer(Value::Number(*answer), 1_000);
            if let Stop::Done(value) = run.resume(&program, &mut Bare) {
                return written(&value);
            }
        }
        "waits".to_owned()
    };
    assert_eq!(run.resume(&program, &mut Bare), Stop::Asked);
    let other = run.clone();
    assert_eq!(other, run);
    assert_eq!(answers(run, &[1, 1]), "[3, 4, 3]");
    let elsewhere = std::thread::scope(|threads| threads.spawn(|| answers(other, &[2, 10, 1])).join().unwrap());
    assert_eq!(elsewhere, "[36, 4, 4]");
}

#[test]
fn what_goes_on_without_end_is_stopped() {
    for (body, code) in [
        ("loop {}", "endless"),
        ("while true { fib(1); }", "endless"),
        ("let a = []; loop { a.push(1); }", "too-large"),
        ("let t = \"ab\"; loop { t += t; }", "too-large"),
        ("deep(0)", "too-deep"),
    ] {
        let found = ours(&format!("fn main() {{ {body} }} fn deep(n) {{ deep(n + 1) }}{HELPERS}"));
        assert!(found.as_ref().is_err_and(|why| why.starts_with(code)), "{body}: {found:?}");
    }
}

#[test]
fn a_fault_tells_where_it_was_met_and_who_called() {
    let text = "fn main() {\n    inner([1])\n}\nfn inner(list) { list[3] }";
    let program = compile(text).unwrap();
    let mut run = Run::new(&program, program.find("main").unwrap(), Vec::new(), 1_000);
    let Stop::Fault(fault, trace) = run.resume(&program, &mut Bare) else { panic!("it has no such entry") };
    assert_eq!(fault.code, "out-of-range");
    let places: Vec<(&str, &str)> = trace.iter().map(|at| (at.function.as_str(), &text[at.span.range()])).collect();
    assert_eq!(places, [("inner", "3"), ("main", "inner")]);
}

//! `too-deep`: functions that call themselves unconditionally, directly or through other functions.

use super::super::program::{Code, Program};
use crate::diagnostic::{Diagnostic, Place};
use crate::library::Effects;
use crate::syntax::{BinaryOp, Block, CallForm, Expr, ExprKind, Name, Segment, Statement, StatementKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// A call that runs unconditionally.
struct CertainCall<'p, 'a> {
    from: &'p Code<'a>,
    to: &'p Code<'a>,
    place: Place,
}

/// Reports cycles of unconditional calls.
pub(crate) fn report_endless_recursion(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    let leaving = program.functions_reaching(Effects::ENDS);
    let certain = |from| {
        let mut reader =
            CallReader { program, from, leaving: &leaving, may_have_left: false, is_certain: true, calls: Vec::new() };
        reader.block(&from.tree.body);
        reader.calls
    };
    let mut calls: FxHashMap<&str, Vec<CertainCall<'_, '_>>> =
        program.codes.iter().map(|code| (code.key(), certain(code))).collect();
    keep_cycles(&mut calls);
    let mut reported: FxHashSet<&str> = FxHashSet::default();
    let mut steps = MAX_STEPS;
    for code in program.codes.iter().filter(|code| calls.contains_key(code.key())) {
        if reported.contains(code.key()) {
            continue;
        }
        let Some(cycle) = shortest_cycle(&calls, code.key(), &mut steps) else { continue };
        if cycle.iter().any(|call| reported.contains(&call.from.key())) {
            continue;
        }
        reported.extend(cycle.iter().map(|call| call.from.key()));
        found.push(endless_recursion(&cycle));
    }
}

/// Removes functions that are not part of a cycle and do not lead to one, by repeatedly removing functions without
/// calls.
fn keep_cycles(calls: &mut FxHashMap<&str, Vec<CertainCall<'_, '_>>>) {
    let mut callers: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
    for (from, calls) in &*calls {
        for call in calls {
            callers.entry(call.to.key()).or_default().push(from);
        }
    }
    let mut left: FxHashMap<&str, usize> = calls.iter().map(|(name, calls)| (*name, calls.len())).collect();
    let mut gone: Vec<&str> = left.iter().filter(|(_, count)| **count == 0).map(|(name, _)| *name).collect();
    while let Some(name) = gone.pop() {
        left.remove(name);
        for caller in callers.get(name).into_iter().flatten() {
            let count = left.get_mut(caller).expect("functions that still call something remain");
            *count -= 1;
            if *count == 0 {
                gone.push(caller);
            }
        }
    }
    calls.retain(|name, _| left.contains_key(name));
    for calls in calls.values_mut() {
        calls.retain(|call| left.contains_key(call.to.key()));
    }
}

/// Visitor that collects the unconditional calls of a function.
struct CallReader<'p, 'a> {
    program: &'p Program<'a>,
    from: &'p Code<'a>,
    /// Keys of the functions that may end the game.
    leaving: &'p FxHashSet<&'a str>,
    may_have_left: bool,
    is_certain: bool,
    calls: Vec<CertainCall<'p, 'a>>,
}

impl CallReader<'_, '_> {
    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Let { value, .. } => self.visit_all(value),
            StatementKind::Assign { target, value, .. } => self.visit_all([target, value]),
            StatementKind::Expr(expr) => self.expr(expr),
            StatementKind::Return(value) | StatementKind::Break(value) => {
                self.visit_all(value);
                self.may_have_left = true;
            }
            StatementKind::Continue => self.may_have_left = true,
        }
    }

    fn visit_all<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    /// Visits code that may be skipped.
    fn visit_conditionally(&mut self, read: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.is_certain, false);
        read(self);
        self.is_certain = before;
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Template(segments) => {
                for segment in segments {
                    if let Segment::Code(block) = segment {
                        self.block(block);
                    }
                }
            }
            ExprKind::List(items) => self.visit_all(items),
            ExprKind::Map(parts) => self.visit_all(parts.iter().map(|(_, value)| value)),
            ExprKind::Field { receiver: of, .. } | ExprKind::Unary { operand: of, .. } => self.expr(of),
            ExprKind::Index { receiver: of, index, is_optional } => {
                self.expr(of);
                self.visit_unless(*is_optional, |reader| reader.expr(index));
            }
            ExprKind::Method { receiver: of, arguments, is_optional, .. } => {
                self.expr(of);
                self.visit_unless(*is_optional, |reader| reader.visit_all(arguments));
            }
            ExprKind::Call { name, arguments } => {
                self.visit_all(arguments);
                self.may_have_left |= self.program.has_effects(&name.text, Effects::ENDS);
            }
            ExprKind::OwnCall { arguments, form: CallForm::OptionalMethod, .. } => {
                self.visit_all(&arguments[..1]);
                self.visit_conditionally(|reader| reader.visit_all(&arguments[1..]));
            }
            ExprKind::OwnCall { name, key, arguments, .. } => {
                self.visit_all(arguments);
                self.call(name, key);
            }
            ExprKind::Binary { op, left, right, .. } => {
                self.expr(left);
                let is_lazy = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Coalesce);
                self.visit_unless(is_lazy, |reader| reader.expr(right));
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.visit_conditionally(|reader| {
                    reader.block(then);
                    reader.visit_all(otherwise.as_deref());
                });
            }
            ExprKind::Switch { subject, cases } => {
                self.expr(subject);
                self.visit_conditionally(|reader| {
                    for case in cases {
                        reader.visit_all(case.patterns.iter().chain(&case.condition));
                        reader.statement(&case.body);
                    }
                });
            }
            ExprKind::While { condition, body } => self.visit_conditionally(|reader| {
                reader.visit_all(condition.as_deref());
                reader.block(body);
            }),
            ExprKind::DoWhile { body, condition } => self.visit_conditionally(|reader| {
                reader.block(body);
                reader.expr(condition);
            }),
            ExprKind::For { list, body, .. } => {
                self.expr(list);
                self.visit_conditionally(|reader| reader.block(body));
            }
            ExprKind::Missing
            | ExprKind::Unit
            | ExprKind::Flag(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Name(_)
            | ExprKind::Closure { .. } => {}
        }
    }

    fn visit_unless(&mut self, may_be_left_out: bool, read: impl FnOnce(&mut Self)) {
        if may_be_left_out { self.visit_conditionally(read) } else { read(self) }
    }

    fn call(&mut self, name: &Name, key: &str) {
        let to = self.program.code(key);
        if let Some(to) = to.filter(|_| self.is_certain && !self.may_have_left) {
            self.calls.push(CertainCall { from: self.from, to, place: self.from.at(name.span) });
        }
        self.may_have_left |= self.leaving.contains(key);
    }
}

/// Maximum number of functions visited by all searches for cycles together. Without a limit, the searches could visit each function once for
/// each other function. Cycles that are found no more end in a fault when they are played.
const MAX_STEPS: usize = 500_000;

/// Returns the shortest cycle of calls from a function to itself. Returns `None` if there is none, or after too many `steps`.
fn shortest_cycle<'c, 'p, 'a>(
    calls: &'c FxHashMap<&'a str, Vec<CertainCall<'p, 'a>>>,
    function: &'a str,
    steps: &mut usize,
) -> Option<Vec<&'c CertainCall<'p, 'a>>> {
    // The call through which each function is first reached (breadth-first search).
    let mut by: FxHashMap<&str, &CertainCall<'_, '_>> = FxHashMap::default();
    let mut reached = vec![function];
    let mut at = 0;
    while !by.contains_key(function) {
        *steps = steps.checked_sub(1)?;
        for call in calls.get(reached.get(at)?).into_iter().flatten() {
            by.entry(call.to.key()).or_insert_with(|| {
                reached.push(call.to.key());
                call
            });
        }
        at += 1;
    }
    let mut way = vec![by[function]];
    while let Some(first) = way.last().filter(|call| call.from.key() != function) {
        way.push(by[first.from.key()]);
    }
    way.reverse();
    Some(way)
}

/// Maximum number of calls in a cycle that a message shows.
const MAX_SHOWN: usize = 8;

fn endless_recursion(cycle: &[&CertainCall<'_, '_>]) -> Diagnostic {
    let shown = &cycle[..cycle.len().min(MAX_SHOWN)];
    let mut names: Vec<String> = shown.iter().map(|call| format!("`{}`", call.from.name())).collect();
    if cycle.len() > shown.len() {
        names.push(format!("{} more", cycle.len() - shown.len()));
    }
    let (message, note) = match names.as_slice() {
        [several @ .., last] if !several.is_empty() => {
            (format!("{} and {last} call each other without end", several.join(", ")), "called whatever happens")
        }
        names => (format!("{} calls itself without end", names.concat()), "calls itself whatever happens"),
    };
    let found = Diagnostic::error("too-deep", message);
    let found = shown.iter().fold(found, |found, call| found.mark(call.place.clone(), note));
    found.help("return before this call when there is nothing left to do")
}

//! Explains why an invariant does not hold: the condition that was false, and the values in it.
//!
//! The invariant is evaluated once more, in an instrumented version that tests each of its conditions separately. This happens only after a
//! failure. If the instrumented version cannot be evaluated, the message names only the function of the invariant.

use super::host::Host;
use super::step::evaluate;
use super::value_display;
use crate::decision::Choice;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::{ENSURE, IS_EMPTY, State};
use crate::syntax::{self, BinaryOp, Expr, ExprKind, Name, Span, Statement, StatementKind, UnaryOp};
use std::fmt::Write as _;
use std::sync::Arc;

/// Condition whose value must equal `wanted`; otherwise the invariant fails.
#[derive(Clone)]
struct Cause<'t> {
    /// Offset of the condition in the source file.
    at: usize,
    text: &'t str,
    /// Value that the condition must have for the invariant to hold.
    wanted: bool,
    subject: Subject<'t>,
    /// Variables in the condition, and variables of the surrounding loops.
    variables: Vec<&'t str>,
}

/// Subexpressions of a condition whose values explain it.
#[derive(Clone)]
enum Subject<'t> {
    /// Operands of a comparison.
    Sides { left: &'t str, op: BinaryOp, right: &'t str },
    /// Receiver of `is_empty`.
    List(&'t str),
    /// Receiver and arguments of a call, or operands of an operator.
    Parts(Vec<&'t str>),
}

/// Statement at which an invariant may fail.
struct FailurePoint<'t> {
    span: Span,
    causes: Vec<Cause<'t>>,
    /// Code that takes the place of the statement in the instrumented version.
    replacement: Replacement,
}

/// Code that takes the place of a statement, after the tests of the statement's conditions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Replacement {
    /// `return true`: the invariant holds.
    Holds,
    /// Like [`Self::Holds`], but in braces.
    HoldsInBraces,
    /// The unchanged statement.
    Same,
}

/// Creates the diagnostic for an invariant that returned `false`.
pub(super) fn explain_false(host: &Host, state: &mut State, function: &str) -> Diagnostic {
    let found = Diagnostic::error("broken-invariant", format!("`{function}` does not hold"));
    let Some(name) = host.place_of(function) else { return found };
    match find_failed_condition(host, state, &name, function) {
        Some(why) => why.add_to(found),
        None => found.mark(name, "returned `false`"),
    }
}

/// Points an `ensure` fault in an invariant to the condition that failed, and adds the values in the condition. Leaves the diagnostic
/// unchanged if the condition cannot be determined.
pub(super) fn explain_ensure(host: &Host, state: &mut State, function: &str, mut found: Diagnostic) -> Diagnostic {
    let Some(name) = host.place_of(function).filter(|_| found.code == "broken-invariant") else { return found };
    let why = find_failed_condition(host, state, &name, function);
    let is_there =
        |place: &Place| found.marks.first().is_some_and(|mark| *mark.place.source.path == *place.source.path);
    let Some(why) = why.filter(|why| is_there(&why.place)) else { return found };
    found.marks.clear();
    why.add_to(found)
}

/// Explanation of a failed condition: its place, a message, and the values in the condition.
struct Explanation {
    place: Place,
    message: String,
    values: Vec<String>,
}

impl Explanation {
    fn add_to(self, found: Diagnostic) -> Diagnostic {
        found.mark(self.place, self.message).detail("where", self.values)
    }
}

/// Evaluates the instrumented version of a function. If that fails, tries again without values, since computing the values may be what
/// fails.
fn find_failed_condition(host: &Host, state: &mut State, name: &Place, function: &str) -> Option<Explanation> {
    [true, false].into_iter().find_map(|has_values| {
        let (text, causes) = instrument(&name.source, function, has_values);
        let source = Arc::new(Source { path: name.source.path.clone(), text });
        let answer = evaluate(host, state, &source, &[], false).ok()?;
        explain_answer(state, &name.source, &causes, &answer)
    })
}

/// Builds the explanation from the result of the instrumented version: a list that contains the index of the failed condition and then the
/// values that explain it.
fn explain_answer(state: &State, source: &Arc<Source>, causes: &[Cause<'_>], answer: &Choice) -> Option<Explanation> {
    let Choice::Many(answer) = answer else { return None };
    let (Some(Choice::Number(at)), values) = (answer.first(), answer.get(1..).unwrap_or_default()) else { return None };
    let cause = causes.get(usize::try_from(*at).ok()?)?;
    let place = Place { source: source.clone(), span: cause.at..cause.at + cause.text.len() };
    let shows: Vec<(&str, String)> = cause
        .shown_expressions()
        .into_iter()
        .zip(values)
        .map(|(text, value)| (text, display_value(state, value)))
        .collect();
    let is = |(text, value): &(&str, String)| {
        let text = one_line(text);
        if text == *value { format!("`{text}`") } else { format!("`{text}` is {value}") }
    };
    let (message, named) = match (&cause.subject, shows.as_slice()) {
        (Subject::Sides { op, right, .. }, [left, other, ..]) => {
            let relation = relation(*op, cause.wanted);
            let written = usize::from(other.1 == *right);
            (format!("{}, expected {relation}{}", is(left), other.1), 1 + written)
        }
        (Subject::List(_), [(text, value), ..]) if cause.wanted => (format!("`{}` is {value}", one_line(text)), 1),
        (Subject::List(_), [(text, _), ..]) => (format!("`{}` is empty", one_line(text)), 1),
        _ => (format!("is `{}`", !cause.wanted), 0),
    };
    Some(Explanation { place, message, values: shows.iter().skip(named).map(is).collect() })
}

/// Returns the expected relation in words or as a symbol, as a prefix of the right operand. Returns an empty string if equality was
/// expected.
fn relation(op: BinaryOp, wanted: bool) -> &'static str {
    use BinaryOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Unequal};
    match (op, wanted) {
        (Equal, true) | (Unequal, false) => "",
        (Unequal, true) | (Equal, false) => "anything but ",
        (Less, true) | (GreaterOrEqual, false) => "< ",
        (LessOrEqual, true) | (Greater, false) => "<= ",
        (Greater, true) | (LessOrEqual, false) => "> ",
        (_, true) | (Less, false) => ">= ",
        _ => "other than ",
    }
}

/// Collapses each run of whitespace, including line breaks, to one space.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn display_value(state: &State, value: &Choice) -> String {
    value_display::display(&state.table, &value.to_value())
}

/// Returns the instrumented body of a function, and the conditions that it tests. The body returns a list: the index of the failed
/// condition and, if `has_values`, the values that explain the failure.
fn instrument<'t>(source: &'t Arc<Source>, function: &str, has_values: bool) -> (String, Vec<Cause<'t>>) {
    let (mut written, mut causes) = (String::new(), Vec::new());
    let tree = syntax::parse(source, &mut 0).tree;
    let Some(found) = tree.functions.iter().find(|one| *one.name.text == *function) else { return (written, causes) };
    let body = found.body.span.range();
    let mut points = FailurePoints { text: &source.text, variables: Vec::new(), loops: Vec::new(), found: Vec::new() };
    points.visit_statements(&found.body.statements, true, None);
    points.found.sort_by_key(|point| point.span.start);
    let mut from = body.start + 1;
    for point in points.found {
        written.push_str(&source.text[from..point.span.range().start]);
        written.push_str(if point.replacement == Replacement::HoldsInBraces { "{ " } else { "" });
        for cause in point.causes {
            let values = if has_values { cause.shown_expressions() } else { Vec::new() };
            let values: String = values.iter().fold(String::new(), |all, value| format!("{all}, {value}"));
            let test = if cause.wanted { format!("!({})", cause.text) } else { cause.text.to_owned() };
            let _ = write!(written, "if {test} {{ return [{}{values}]; }} ", causes.len());
            causes.push(cause);
        }
        from = point.span.range().end;
        match point.replacement {
            Replacement::Holds => written.push_str("return true"),
            Replacement::HoldsInBraces => written.push_str("return true }"),
            Replacement::Same => written.push_str(&source.text[point.span.range()]),
        }
    }
    written.push_str(&source.text[from..body.end - 1]);
    (written, causes)
}

/// Visitor that collects the places at which an invariant may fail.
struct FailurePoints<'t> {
    text: &'t str,
    /// Variables in scope.
    variables: Vec<&'t str>,
    /// Variables of the surrounding loops.
    loops: Vec<&'t str>,
    found: Vec<FailurePoint<'t>>,
}

/// Condition of the surrounding `if`, and the value that it must have for the branch not to run.
type BranchCondition<'e> = Option<(&'e Expr, bool)>;

impl<'t> FailurePoints<'t> {
    /// Visits statements. `is_result` tells whether the last statement is the result of the function.
    fn visit_statements(&mut self, statements: &[Statement], is_result: bool, branch: BranchCondition<'_>) {
        let known = self.variables.len();
        for (at, statement) in statements.iter().enumerate() {
            self.visit_statement(statement, is_result && at + 1 == statements.len(), branch);
            if let StatementKind::Let { name, .. } = &statement.kind {
                self.variables.push(self.name_text(name));
            }
        }
        self.variables.truncate(known);
    }

    fn visit_statement(&mut self, statement: &Statement, is_last: bool, branch: BranchCondition<'_>) {
        match &statement.kind {
            StatementKind::Return(Some(value)) => self.add_point(statement.span, value, branch, Replacement::Holds),
            StatementKind::Expr(expr) => self.visit_expr(statement.span, expr, is_last, branch),
            _ => {}
        }
    }

    fn visit_expr(&mut self, span: Span, expr: &Expr, is_last: bool, branch: BranchCondition<'_>) {
        match &expr.kind {
            ExprKind::If { condition, then, otherwise } => {
                self.visit_statements(&then.statements, is_last, Some((condition, false)));
                match otherwise.as_deref() {
                    Some(Expr { kind: ExprKind::Block(block), .. }) => {
                        self.visit_statements(&block.statements, is_last, Some((condition, true)));
                    }
                    Some(other) => self.visit_expr(other.span, other, is_last, branch),
                    None => {}
                }
            }
            ExprKind::For { name, counter, body, .. } => {
                let known = (self.variables.len(), self.loops.len());
                let given: Vec<&str> = std::iter::once(name).chain(counter).map(|name| self.name_text(name)).collect();
                self.variables.extend(&given);
                self.loops.extend(given);
                self.visit_statements(&body.statements, false, None);
                self.variables.truncate(known.0);
                self.loops.truncate(known.1);
            }
            ExprKind::While { body, .. } | ExprKind::DoWhile { body, .. } => {
                self.visit_statements(&body.statements, false, None);
            }
            ExprKind::Block(block) => self.visit_statements(&block.statements, is_last, branch),
            ExprKind::Switch { cases, .. } => {
                for case in cases {
                    match &case.body.kind {
                        StatementKind::Expr(Expr { kind: ExprKind::Block(block), .. }) => {
                            self.visit_statements(&block.statements, is_last, None);
                        }
                        StatementKind::Expr(expr) if is_last => {
                            self.add_point(case.body.span, expr, None, Replacement::HoldsInBraces);
                        }
                        _ => {}
                    }
                }
            }
            ExprKind::Call { name, arguments } if *name.text == *ENSURE && arguments.len() == 2 => {
                self.add_point(span, &arguments[0], None, Replacement::Same);
            }
            _ if is_last => self.add_point(span, expr, branch, Replacement::Holds),
            _ => {}
        }
    }

    fn add_point(&mut self, span: Span, result: &Expr, branch: BranchCondition<'_>, replacement: Replacement) {
        let mut causes = Vec::new();
        if let (ExprKind::Flag(false), Some((condition, wanted))) = (&result.kind, branch) {
            self.causes(condition, wanted, &mut causes);
        }
        self.causes(result, true, &mut causes);
        self.found.push(FailurePoint { span, causes, replacement });
    }

    /// Splits `expr` into subconditions, each of which can by itself give `expr` a value other than `wanted`. Adds them to `found` in order
    /// of evaluation.
    fn causes(&self, expr: &Expr, wanted: bool, found: &mut Vec<Cause<'t>>) {
        match &expr.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.causes(operand, !wanted, found),
            ExprKind::Binary { op: BinaryOp::And, left, right, .. } if wanted => {
                self.causes(left, wanted, found);
                self.causes(right, wanted, found);
            }
            ExprKind::Binary { op: BinaryOp::Or, left, right, .. } if !wanted => {
                self.causes(left, wanted, found);
                self.causes(right, wanted, found);
            }
            _ => found.push(self.cause(expr, wanted)),
        }
    }

    fn cause(&self, expr: &Expr, wanted: bool) -> Cause<'t> {
        let mut variables = self.loops.clone();
        syntax::each_expr_in(expr, &mut |inner| {
            if let ExprKind::Name(name) = &inner.kind
                && self.variables.iter().any(|known| **known == **name)
                && !variables.contains(&self.text_of(inner))
            {
                variables.push(self.text_of(inner));
            }
        });
        Cause {
            at: expr.span.range().start,
            text: self.text_of(expr),
            wanted,
            subject: self.subject_of(expr),
            variables,
        }
    }

    fn subject_of(&self, expr: &Expr) -> Subject<'t> {
        // Literals and closures are not shown: the value of a literal is obvious, and a closure has no readable value.
        let is_worth_showing = |part: &&Expr| {
            use ExprKind::{Closure, Flag, Number, Text, Unit};
            !matches!(part.kind, Closure { .. } | Flag(_) | Number(_) | Text(_) | Unit)
        };
        let parts = |all: &mut dyn Iterator<Item = &Expr>| {
            Subject::Parts(all.filter(is_worth_showing).map(|part| self.text_of(part)).collect())
        };
        match &expr.kind {
            ExprKind::Binary { op, left, right, .. } if op.is_comparison() => {
                Subject::Sides { left: self.text_of(left), op: *op, right: self.text_of(right) }
            }
            // Short-circuit evaluation may have skipped an operand, which then has no value.
            ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, .. } => Subject::Parts(Vec::new()),
            ExprKind::Binary { left, right, .. } => parts(&mut [&**left, &**right].into_iter()),
            ExprKind::Method { receiver: of, name, arguments, .. }
                if *name.text == *IS_EMPTY && arguments.is_empty() =>
            {
                Subject::List(self.text_of(of))
            }
            ExprKind::Method { receiver: of, arguments, .. } => parts(&mut std::iter::once(&**of).chain(arguments)),
            ExprKind::Call { arguments, .. } | ExprKind::OwnCall { arguments, .. } => parts(&mut arguments.iter()),
            ExprKind::Field { receiver: of, .. } => parts(&mut std::iter::once(&**of)),
            _ => Subject::Parts(Vec::new()),
        }
    }

    fn name_text(&self, name: &Name) -> &'t str {
        &self.text[name.span.range()]
    }

    fn text_of(&self, expr: &Expr) -> &'t str {
        &self.text[expr.span.range()]
    }
}

impl<'t> Cause<'t> {
    /// Returns the expressions whose values are shown: first the expressions of the condition's subject, then the condition's variables.
    fn shown_expressions(&self) -> Vec<&'t str> {
        let mut shows = match &self.subject {
            Subject::Sides { left, right, .. } => vec![*left, *right],
            Subject::List(list) => vec![*list],
            Subject::Parts(parts) => parts.clone(),
        };
        let more: Vec<&str> = self.variables.iter().filter(|name| !shows.contains(name)).copied().collect();
        shows.extend(more);
        shows
    }
}

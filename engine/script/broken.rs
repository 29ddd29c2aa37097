//! Why an invariant does not hold: the line that came to `false`, and the two sides of what it compares.
//!
//! The function is worked out once more as a text in which each condition it may end in is asked by itself. Only a game that has
//! failed does so; where the text cannot be worked out, the line of the function is told alone.

use super::host::Host;
use super::state::State;
use super::step::evaluate;
use crate::decision::Choice;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::syntax::{self, BinaryOp, Expr, ExprKind, Span, Statement, StatementKind};
use std::fmt::Write as _;
use std::sync::Arc;

/// A condition that a function may end in.
struct Condition<'t> {
    /// Where it begins in its file.
    at: usize,
    text: &'t str,
    /// What stands left of a comparison, the comparison, and what stands right of it.
    sides: Option<(&'t str, &'t str, &'t str)>,
}

/// What is told of an invariant that came to `false`.
pub(super) fn broken(host: &Host, state: &mut State, function: &str) -> Diagnostic {
    let found = Diagnostic::error("broken-invariant", format!("`{function}` does not hold"));
    let Some(name) = host.place_of(function) else { return found };
    let (text, conditions) = asked(&name.source, function);
    let source = Arc::new(Source { path: name.source.path.clone(), text });
    let answer = evaluate(host, state, &source, &[], false).ok();
    let told = answer.and_then(|answer| told(host, state, &name, &conditions, &answer));
    told.unwrap_or_else(|| found.mark(name, "gave `false`"))
}

/// What the condition compared that did not hold.
fn told(host: &Host, state: &State, name: &Place, conditions: &[Condition<'_>], answer: &Choice) -> Option<Diagnostic> {
    let Choice::Many(answer) = answer else { return None };
    let Some(Choice::Number(at)) = answer.first() else { return None };
    let condition = conditions.get(usize::try_from(*at).ok()?)?;
    let function = name.source.text.get(name.span.clone())?;
    let place = Place { source: name.source.clone(), span: condition.at..condition.at + condition.text.len() };
    let found = Diagnostic::error("broken-invariant", format!("`{function}` does not hold"));
    let (Some((left, relation, right)), [_, left_is, right_is]) = (condition.sides, &**answer) else {
        return Some(found.mark(place, "is `false`"));
    };
    let side = |text: &str, is: &Choice| {
        let shown = shown(host, state, is);
        if shown == text { format!("`{text}`") } else { format!("`{text}` is {shown}") }
    };
    let relation = if relation == "==" { String::new() } else { format!("{relation} ") };
    let message = format!("{}, expected {relation}{}", side(&one_line(left), left_is), shown(host, state, right_is));
    let note = if shown(host, state, right_is) == right { String::new() } else { side(&one_line(right), right_is) };
    let found = found.mark(place, message);
    Some(if note.is_empty() { found } else { found.detail("compared with", vec![note]) })
}

/// A text of several lines as one.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A value in the words of the rules.
fn shown(host: &Host, state: &State, value: &Choice) -> String {
    match value {
        Choice::Nothing => "`()`".to_owned(),
        Choice::Flag(flag) => format!("`{flag}`"),
        Choice::Number(number) => number.to_string(),
        Choice::Word(word) => format!("\"{word}\""),
        Choice::Seat(seat) => format!("player {}", seat.number()),
        Choice::Component(component) => format!("`{}`", host.model.component(*component).id),
        Choice::Piece(piece) => format!("a piece of `{}`", host.model.component(state.table.component(*piece)).id),
        Choice::Zone(_) => "a zone".to_owned(),
        Choice::Space(_) => "a space".to_owned(),
        Choice::Parts(_) => "a map".to_owned(),
        Choice::Many(all) => {
            format!("[{}]", all.iter().map(|one| shown(host, state, one)).collect::<Vec<_>>().join(", "))
        }
    }
}

/// The statements of a function, each condition that it may end in asked by itself; and these conditions.
fn asked<'t>(source: &'t Arc<Source>, function: &str) -> (String, Vec<Condition<'t>>) {
    let (mut written, mut conditions) = (String::new(), Vec::new());
    let tree = syntax::parse(source, &mut 0).tree;
    let Some(found) = tree.functions.iter().find(|one| *one.name.text == *function) else {
        return (written, conditions);
    };
    let body = found.body.span.range();
    let mut ends = Vec::new();
    results(&found.body.statements, true, &mut ends);
    ends.sort_by_key(|(span, _)| span.start);
    let mut from = body.start + 1;
    for (span, expr) in ends {
        written.push_str(&source.text[from..span.range().start]);
        for condition in conditions_of(&source.text, expr) {
            let answer = match condition.sides {
                Some((left, _, right)) => format!("[{}, {left}, {right}]", conditions.len()),
                None => format!("[{}]", conditions.len()),
            };
            let _ = write!(written, "if !({}) {{ return {answer}; }} ", condition.text);
            conditions.push(condition);
        }
        written.push_str("return true");
        from = span.range().end;
    }
    written.push_str(&source.text[from..body.end - 1]);
    (written, conditions)
}

/// The expressions that statements give as the result of their function, each with the statement it is all of; the last
/// statement gives one if the block does.
fn results<'e>(statements: &'e [Statement], is_result: bool, found: &mut Vec<(Span, &'e Expr)>) {
    for (at, statement) in statements.iter().enumerate() {
        let is_last = is_result && at + 1 == statements.len();
        match &statement.kind {
            StatementKind::Return(Some(value)) => found.push((statement.span, value)),
            StatementKind::Expr(expr) => match &expr.kind {
                ExprKind::If { then, otherwise, .. } => {
                    results(&then.statements, is_last, found);
                    let mut otherwise = otherwise.as_deref();
                    while let Some(Expr { kind: ExprKind::If { then, otherwise: next, .. }, .. }) = otherwise {
                        results(&then.statements, is_last, found);
                        otherwise = next.as_deref();
                    }
                    if let Some(Expr { kind: ExprKind::Block(block), .. }) = otherwise {
                        results(&block.statements, is_last, found);
                    }
                }
                ExprKind::For { body, .. } | ExprKind::While { body, .. } => results(&body.statements, false, found),
                ExprKind::Block(block) => results(&block.statements, is_last, found),
                ExprKind::Switch { .. } | ExprKind::DoWhile { .. } => {}
                _ if is_last => found.push((statement.span, expr)),
                _ => {}
            },
            _ => {}
        }
    }
}

/// The conditions of an expression that must all hold; one with `||` is one condition.
fn conditions_of<'t>(text: &'t str, expr: &Expr) -> Vec<Condition<'t>> {
    let of = |expr: &Expr| &text[expr.span.range()];
    let sides = match &expr.kind {
        ExprKind::Binary { op: BinaryOp::And, left, right, .. } => {
            let mut all = conditions_of(text, left);
            all.extend(conditions_of(text, right));
            return all;
        }
        ExprKind::Binary { op, op_span, left, right } => {
            use BinaryOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Unequal};
            let compares = [Equal, Unequal, Less, LessOrEqual, Greater, GreaterOrEqual].contains(op);
            compares.then(|| (of(left), &text[op_span.range()], of(right)))
        }
        _ => None,
    };
    vec![Condition { at: expr.span.range().start, text: of(expr), sides }]
}

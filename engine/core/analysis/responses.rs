//! Finds calls of `respond` that ask only the seats with a matching card in their hidden hand.
//!
//! This is a heuristic on the syntax tree of the rules. It detects a hand only if the closure that returns the options reads it, directly
//! or in functions to which the seat is passed.

use super::mistakes::{telling_question, telling_selection};
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::{COUNT, IS_EMPTY, RESPOND};
use crate::model::Model;
use crate::syntax::{Expr, ExprKind, File, Function, Node, Statement, each_expr_in};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum depth of calls to follow when looking for a read of a hidden hand.
const MAX_DEPTH: usize = 3;

/// The rule functions by key, each with its file.
type Functions<'a> = BTreeMap<&'a str, (&'a Arc<Source>, &'a Function)>;

/// Returns a warning for each call of `respond` that asks only seats with a matching card. `hidden` are the names of the hidden hands.
pub(crate) fn check_files<'a>(
    model: &Model,
    files: impl Iterator<Item = (&'a Arc<Source>, &'a File)>,
    hidden: &BTreeSet<Arc<str>>,
) -> Vec<Diagnostic> {
    let mut functions: Functions<'a> = BTreeMap::new();
    for (source, file) in files {
        functions.extend(file.functions.iter().map(|function| (&*function.key, (source, function))));
    }
    let mut found = Vec::new();
    for (source, function) in functions.values() {
        function.each_node(&mut |node| {
            // The asked seats are the first argument or the receiver.
            let (name, seats, arguments) = match node {
                Node::Expr(Expr { kind: ExprKind::Call { name, arguments }, .. }) => match arguments.as_slice() {
                    [seats, rest @ ..] => (name, seats, rest),
                    [] => return,
                },
                Node::Expr(Expr { kind: ExprKind::Method { receiver, name, arguments, .. }, .. }) => {
                    (name, &**receiver, &arguments[..])
                }
                _ => return,
            };
            let (RESPOND, [Expr { kind: ExprKind::Text(asked), .. }, rest @ ..]) = (&*name.text, arguments) else {
                return;
            };
            let Some(decision) = model.find_decision(asked).map(|id| &model.decisions[id.index()]) else { return };
            let here = Place { source: (*source).clone(), span: name.span.range() };
            if let Some((zone, read)) = find_selection(source, seats, (&functions, hidden)) {
                found.push(telling_selection(asked, &zone, here, read));
                return;
            }
            if decision.is_always {
                return;
            }
            let options = rest.iter().find_map(|argument| match &argument.kind {
                ExprKind::Closure { params, body } => Some((params, body)),
                _ => None,
            });
            let Some((params, body)) = options else { return };
            let Some(seat) = params.first() else { return };
            let read =
                find_hand_read(source, std::slice::from_ref(&**body), &seat.text, (&functions, hidden), MAX_DEPTH);
            found.extend(read.map(|(zone, read)| telling_question(asked, &zone, here, read)));
        });
    }
    found
}

/// Returns the hidden hand by which the asked seats are selected, as in `seats.filter(|seat| …)`, and the place where it is read.
fn find_selection(
    source: &Arc<Source>,
    seats: &Expr,
    known: (&Functions<'_>, &BTreeSet<Arc<str>>),
) -> Option<(Arc<str>, Place)> {
    let mut found = None;
    each_expr_in(seats, &mut |expr| {
        if let ExprKind::Closure { params, body } = &expr.kind
            && let (None, Some(seat)) = (&found, params.first())
        {
            found = find_hand_read(source, std::slice::from_ref(&**body), &seat.text, known, MAX_DEPTH);
        }
    });
    found
}

/// Returns the first hidden hand that statements read for the seat in the variable `seat`, and the place where it is read.
fn find_hand_read(
    source: &Arc<Source>,
    statements: &[Statement],
    seat: &str,
    (functions, hidden): (&Functions<'_>, &BTreeSet<Arc<str>>),
    depth: usize,
) -> Option<(Arc<str>, Place)> {
    let is_seat = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if **name == *seat);
    // Everybody sees how many cards a hand has.
    let mut sizes = Vec::new();
    crate::syntax::each_expr(statements, &mut |expr| match &expr.kind {
        ExprKind::Method { receiver, name, arguments, .. }
            if arguments.is_empty() && matches!(&*name.text, COUNT | IS_EMPTY) =>
        {
            sizes.push(receiver.span);
        }
        _ => {}
    });
    let mut found = None;
    crate::syntax::each_expr(statements, &mut |expr| match &expr.kind {
        ExprKind::Field { receiver, name, .. }
            if is_seat(receiver) && hidden.contains(&name.text) && !sizes.contains(&expr.span) =>
        {
            let place = Place { source: source.clone(), span: name.span.range() };
            found = found.take().or_else(|| Some((name.text.clone(), place)));
        }
        ExprKind::OwnCall { key, arguments, .. } if found.is_none() && depth > 0 => {
            let Some((source, function)) = functions.get(&**key) else { return };
            let passed = arguments.iter().position(is_seat).and_then(|at| function.params.get(at));
            found = passed.and_then(|param| {
                find_hand_read(source, &function.body.statements, &param.text, (functions, hidden), depth - 1)
            });
        }
        _ => {}
    });
    found
}

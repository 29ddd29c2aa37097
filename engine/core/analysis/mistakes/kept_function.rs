//! `kept-function`: a closure that uses outer variables is stored. Captured variables exist only as long as the function that declares them
//! runs. A closure with captured variables may therefore only be passed directly to a function that calls it.

use super::super::program::{Code, Program};
use super::used_meanwhile::used_meanwhile;
use crate::diagnostic::Diagnostic;
use crate::library::{Pattern, changes_in_place};
use crate::syntax::{Expr, ExprKind, Node, Span, Statement, StatementKind, each_expr, each_node};
use rustc_hash::{FxHashMap, FxHashSet};

/// A captured variable, and the span of its first use.
#[derive(Clone, Copy)]
struct Capture<'a> {
    name: &'a str,
    span: Span,
}

/// The value that a library function changes while it calls a closure.
#[derive(Clone, Copy)]
struct ChangedValue<'a> {
    /// Variable at the beginning of the changed expression.
    root: &'a str,
    /// Name of the changed value, if the variable refers to a thing. The closure may use the other values of the thing.
    value: Option<&'a str>,
}

/// A call of a library function that receives a closure directly, and calls the closure.
#[derive(Clone, Copy)]
struct DirectCall<'a> {
    /// The value that the library function changes while it calls the closure, if any.
    changed_value: Option<ChangedValue<'a>>,
    /// Name of the library function.
    by: &'a str,
}

/// Reports closures that capture variables in places where this is not allowed.
pub(crate) fn report_stored_closures(program: &Program<'_>, code: &Code<'_>, found: &mut Vec<Diagnostic>) {
    let mut direct_calls: FxHashMap<(u32, u32), DirectCall<'_>> = FxHashMap::default();
    each_expr(&code.tree.body.statements, &mut |expr| {
        let (name, arguments, root) = match &expr.kind {
            // `retain(list, |x| …)` is the same as `list.retain(|x| …)`.
            ExprKind::Call { name, arguments } => (name, arguments, arguments.first()),
            ExprKind::Method { receiver: of, name, arguments, .. } => (name, arguments, Some(&**of)),
            ExprKind::Closure { .. } => {
                let captures = captures(program, code, expr);
                found.extend(misplaced(code, expr, &captures, direct_calls.get(&key(expr)).copied()));
                return;
            }
            _ => return,
        };
        if calls_back(program, &name.text) {
            // A function that does not change its first argument iterates over a copy, so the closure may use and change the variable
            // freely.
            let changed =
                root.filter(|_| changes_in_place(&name.text)).and_then(|object| changed_value(program, object));
            let one = DirectCall { changed_value: changed, by: &name.text };
            direct_calls.extend(arguments.iter().map(|argument| (key(argument), one)));
        }
    });
}

fn key(expr: &Expr) -> (u32, u32) {
    (expr.span.start, expr.span.end)
}

/// Returns what a change of an access expression affects: the variable at its beginning, such as `hand` for `hand.pieces`, or one value of
/// the thing in this variable. A name that is also a part of a map does not count as a value of a thing.
fn changed_value<'a>(program: &Program<'_>, access: &'a Expr) -> Option<ChangedValue<'a>> {
    let ExprKind::Name(root) = &access.start().kind else { return None };
    let mut value = None;
    let mut link = access;
    while let ExprKind::Field { receiver: of, .. }
    | ExprKind::Index { receiver: of, .. }
    | ExprKind::Method { receiver: of, .. } = &link.kind
    {
        if let (ExprKind::Field { name, .. }, ExprKind::Name(_)) = (&link.kind, &of.kind) {
            value = Some(&*name.text).filter(|name| program.is_value(name) && !program.is_part(name));
        }
        link = of;
    }
    Some(ChangedValue { root, value })
}

/// Returns the span of the first occurrence of `variable.value` in a closure.
fn use_of_value(closure: &Expr, variable: &str, value: &str) -> Option<Span> {
    let ExprKind::Closure { body, .. } = &closure.kind else { return None };
    let mut used = None;
    each_expr(std::slice::from_ref(&**body), &mut |expr| {
        if let ExprKind::Field { receiver: of, name, .. } = &expr.kind
            && matches!(&of.kind, ExprKind::Name(of) if **of == *variable)
            && *name.text == *value
        {
            used = used.or(Some(expr.span));
        }
    });
    used
}

/// Returns the names that a closure uses but does not declare, in order of their first use. Functions are not included.
fn captures<'a>(program: &Program<'_>, code: &Code<'_>, closure: &'a Expr) -> Vec<Capture<'a>> {
    let ExprKind::Closure { params, body } = &closure.kind else { return Vec::new() };
    let statements = std::slice::from_ref(&**body);
    let mut own: FxHashSet<&str> = params.iter().map(|param| &*param.text).collect();
    let mut used_names: Vec<Capture<'a>> = Vec::new();
    each_node(statements, &mut |node| match node {
        Node::Statement(Statement { kind: StatementKind::Let { name, .. }, .. }) => drop(own.insert(&name.text)),
        Node::Expr(expr) => match &expr.kind {
            ExprKind::For { name, counter, .. } => {
                own.extend(std::iter::once(name).chain(counter).map(|name| &*name.text));
            }
            ExprKind::Closure { params, .. } => own.extend(params.iter().map(|param| &*param.text)),
            ExprKind::Name(name) if !used_names.iter().any(|used_names| used_names.name == &**name) => {
                used_names.push(Capture { name, span: expr.span });
            }
            _ => {}
        },
        _ => {}
    });
    let variables = code.assignment_counts();
    let is_function = |name: &str| program.code(name).is_some() && !variables.contains_key(name);
    used_names.retain(|used_names| !own.contains(used_names.name) && !is_function(used_names.name));
    used_names
}

/// Creates the diagnostic for a closure that captures variables where this is not allowed. Returns `None` if the closure is allowed.
/// `direct_call` describes the library call that the closure is passed to, if any.
fn misplaced(
    code: &Code<'_>,
    closure: &Expr,
    captures: &[Capture<'_>],
    direct_call: Option<DirectCall<'_>>,
) -> Option<Diagnostic> {
    let first = captures.first()?;
    let Some(DirectCall { changed_value: changed, by }) = direct_call else {
        let message = format!("a function `|…|` that uses `{}` cannot be kept", first.name);
        let found = Diagnostic::error("kept-function", message)
            .mark(code.at(first.span), "a variable from outside the function")
            .help("pass the function directly to `filter`, `choose` or another function that calls it, or write an `fn` with parameters for what it needs");
        return Some(found);
    };
    let ChangedValue { root, value } = changed?;
    let used = captures.iter().find(|captures| captures.name == root)?;
    match value {
        Some(value) => {
            let span = use_of_value(closure, root, value)?;
            Some(used_meanwhile(&format!("{root}.{value}"), by, code.at(span)))
        }
        None => Some(used_meanwhile(root, by, code.at(used.span))),
    }
}

fn calls_back(program: &Program<'_>, name: &str) -> bool {
    program.language.functions(name).iter().flat_map(|word| &word.takes).any(Pattern::may_be_function)
}

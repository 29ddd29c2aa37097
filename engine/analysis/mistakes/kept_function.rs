//! `kept-function`: functions `|…|` that use variables from outside. These lie where the function is written, and a function that is
//! kept may outlive them: so such functions may only be handed straight to a function that calls them.

use super::super::program::{Code, Program};
use super::used_meanwhile::used_meanwhile;
use crate::diagnostic::Diagnostic;
use crate::library::{Pattern, changes_in_place};
use crate::syntax::{Expr, ExprKind, Node, Span, Statement, StatementKind, each_expr, each_node};
use rustc_hash::{FxHashMap, FxHashSet};

/// A variable that a function `|…|` uses from outside, where it does so first.
#[derive(Clone, Copy)]
struct Taken<'a> {
    name: &'a str,
    span: Span,
}

/// What is changed while a function `|…|` runs.
#[derive(Clone, Copy)]
struct Changed<'a> {
    /// The variable that it begins with.
    begun: &'a str,
    /// The value, where the variable is a name for a thing that has it: other values of that thing may be used.
    value: Option<&'a str>,
}

/// How a function `|…|` is handed straight to a function of the library that calls it.
#[derive(Clone, Copy)]
struct Handed<'a> {
    /// What is changed meanwhile, where something is.
    changed: Option<Changed<'a>>,
    /// The function of the language that calls it.
    by: &'a str,
}

/// Looks at the functions `|…|` of a function.
pub(crate) fn kept_functions(program: &Program<'_>, code: &Code<'_>, found: &mut Vec<Diagnostic>) {
    let mut handed: FxHashMap<(u32, u32), Handed<'_>> = FxHashMap::default();
    each_expr(&code.tree.body.statements, &mut |expr| {
        let (name, arguments, begun) = match &expr.kind {
            // `retain(list, |x| …)` is `list.retain(|x| …)`.
            ExprKind::Call { name, arguments } => (name, arguments, arguments.first()),
            ExprKind::Method { of, name, arguments, .. } => (name, arguments, Some(&**of)),
            ExprKind::Closure { .. } => {
                let taken = taken(program, expr);
                found.extend(misplaced(code, (expr, &taken), handed.get(&key(expr)).copied()));
                return;
            }
            _ => return,
        };
        if calls_back(program, &name.text) {
            // What is not changed is iterated as it was, whatever the function does to the variable.
            let changed = begun.filter(|_| changes_in_place(&name.text)).and_then(|of| changed(program, of));
            let one = Handed { changed, by: &name.text };
            handed.extend(arguments.iter().map(|argument| (key(argument), one)));
        }
    });
}

fn key(expr: &Expr) -> (u32, u32) {
    (expr.span.start, expr.span.end)
}

/// What a chain of dots leads to: `hand` of `hand.pieces`. What only things have is a value of a thing.
fn changed<'a>(program: &Program<'_>, of: &'a Expr) -> Option<Changed<'a>> {
    let ExprKind::Name(begun) = &of.start().kind else { return None };
    let mut value = None;
    let mut link = of;
    while let ExprKind::Field { of, .. } | ExprKind::Index { of, .. } | ExprKind::Method { of, .. } = &link.kind {
        if let (ExprKind::Field { name, .. }, ExprKind::Name(_)) = (&link.kind, &of.kind) {
            value = Some(&*name.text).filter(|name| program.is_value(name) && !program.is_part(name));
        }
        link = of;
    }
    Some(Changed { begun, value })
}

/// Where a function `|…|` uses a value of the thing that a variable is a name for.
fn use_of(closure: &Expr, variable: &str, value: &str) -> Option<Span> {
    let ExprKind::Closure { body, .. } = &closure.kind else { return None };
    let mut used = None;
    each_expr(std::slice::from_ref(&**body), &mut |expr| {
        if let ExprKind::Field { of, name, .. } = &expr.kind
            && matches!(&of.kind, ExprKind::Name(of) if **of == *variable)
            && *name.text == *value
        {
            used = used.or(Some(expr.span));
        }
    });
    used
}

/// What a function `|…|` uses that it is not given itself, in order.
fn taken<'a>(program: &Program<'_>, closure: &'a Expr) -> Vec<Taken<'a>> {
    let ExprKind::Closure { params, body } = &closure.kind else { return Vec::new() };
    let within = std::slice::from_ref(&**body);
    let mut own: FxHashSet<&str> = params.iter().map(|param| &*param.text).collect();
    let mut said: Vec<Taken<'a>> = Vec::new();
    each_node(within, &mut |node| match node {
        Node::Statement(Statement { kind: StatementKind::Let { name, .. }, .. }) => drop(own.insert(&name.text)),
        Node::Expr(expr) => match &expr.kind {
            ExprKind::For { name, counter, .. } => {
                own.extend(std::iter::once(name).chain(counter).map(|name| &*name.text));
            }
            ExprKind::Closure { params, .. } => own.extend(params.iter().map(|param| &*param.text)),
            ExprKind::Name(name) if !said.iter().any(|said| said.name == &**name) => {
                said.push(Taken { name, span: expr.span });
            }
            _ => {}
        },
        _ => {}
    });
    said.retain(|said| !own.contains(said.name) && program.code(said.name).is_none());
    said
}

/// What is wrong with where a function `|…|` stands that uses variables; `handed` says what it goes through, if anything calls it.
fn misplaced(
    code: &Code<'_>,
    (closure, taken): (&Expr, &[Taken<'_>]),
    handed: Option<Handed<'_>>,
) -> Option<Diagnostic> {
    let first = taken.first()?;
    let Some(Handed { changed, by }) = handed else {
        let message = format!("a function `|…|` that uses `{}` cannot be kept", first.name);
        let found = Diagnostic::error("kept-function", message)
            .mark(code.at(first.span), "a variable from outside the function")
            .help("pass the function straight to `filter`, `choose` or another word that calls it, or write an `fn` that takes what it needs");
        return Some(found);
    };
    let Changed { begun, value } = changed?;
    let used = taken.iter().find(|taken| taken.name == begun)?;
    match value {
        Some(value) => {
            let span = use_of(closure, begun, value)?;
            Some(used_meanwhile(&format!("{begun}.{value}"), by, code.at(span)))
        }
        None => Some(used_meanwhile(begun, by, code.at(used.span))),
    }
}

fn calls_back(program: &Program<'_>, name: &str) -> bool {
    program.language.functions(name).iter().flat_map(|word| &word.takes).any(Pattern::may_be_function)
}

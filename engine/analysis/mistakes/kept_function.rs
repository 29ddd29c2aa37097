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

/// How a function `|…|` is handed straight to a word that calls it.
#[derive(Clone, Copy)]
struct Handed<'a> {
    /// The variable that what is changed meanwhile begins with, where something is.
    begun: Option<&'a str>,
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
                found.extend(misplaced(code, &taken, handed.get(&key(expr)).copied()));
                return;
            }
            _ => return,
        };
        if calls_back(program, &name.text) {
            // What is not changed is gone through as it was, whatever the function does to the variable.
            let begun = begun.filter(|_| changes_in_place(&name.text)).and_then(begun_with);
            let one = Handed { begun, by: &name.text };
            handed.extend(arguments.iter().map(|argument| (key(argument), one)));
        }
    });
}

fn key(expr: &Expr) -> (u32, u32) {
    (expr.span.start, expr.span.end)
}

/// The variable that a chain of dots begins with: `hand` of `hand.pieces`.
fn begun_with(of: &Expr) -> Option<&str> {
    match &of.start().kind {
        ExprKind::Name(name) => Some(name),
        _ => None,
    }
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
fn misplaced(code: &Code<'_>, taken: &[Taken<'_>], handed: Option<Handed<'_>>) -> Option<Diagnostic> {
    let first = taken.first()?;
    let Some(Handed { begun, by }) = handed else {
        let message = format!("a function `|…|` that uses `{}` cannot be kept", first.name);
        let found = Diagnostic::error("kept-function", message)
            .mark(code.at(first.span), "a variable from outside the function")
            .help("pass the function straight to `filter`, `choose` or another word that calls it, or write an `fn` that takes what it needs");
        return Some(found);
    };
    let used = taken.iter().find(|taken| Some(taken.name) == begun)?;
    Some(used_meanwhile(used.name, by, code.at(used.span)))
}

fn calls_back(program: &Program<'_>, name: &str) -> bool {
    program.language.functions(name).iter().flat_map(|word| &word.takes).any(Pattern::is_called)
}

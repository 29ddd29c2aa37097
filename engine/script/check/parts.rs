//! Options with named parts: a decision that declares its parts is offered these and no others.

use super::code::unnamed;
use super::known::Known;
use super::{Visit, place};
use crate::diagnostic::{Diagnostic, Place, Source, did_you_mean, nearest};
use crate::model::Decision;
use rhai::{ASTNode, Expr, FnCallExpr, Stmt};
use std::sync::Arc;

/// How many functions options are followed through.
const DEPTH: usize = 4;

/// A part that is given a name.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) place: Place,
}

/// Checks a call that offers options, or makes some.
pub(super) fn check(visit: &mut Visit<'_>, call: &FnCallExpr, is_method: bool) {
    let known = visit.known;
    let shift = usize::from(is_method);
    let parts_of =
        |at: usize, source| call.args.get(at).map(|arg| given(known, source, arg, DEPTH)).unwrap_or_default();
    if !is_method && call.name == "pairs_of" {
        check_pair(visit, call);
    }
    if !matches!(call.name.as_str(), "choose" | "choose_if_any" | "choose_or_pass" | "choose_some" | "choose_order") {
        return;
    }
    let Some(Expr::StringConstant(name, _)) = call.args.get(1 - shift) else { return };
    let mut models = known.models().iter();
    let Some(decision) = models.find_map(|model| model.decisions.iter().find(|decision| *decision.id == **name)) else {
        return;
    };
    let declared: Vec<&str> = parts(decision).collect();
    if declared.is_empty() {
        return;
    }
    for part in parts_of(2 - shift, visit.source) {
        if !declared.contains(&part.name.as_str()) {
            visit.found.push(unknown_part(&format!("the decision `{}` has no", decision.id), part, &declared));
        }
    }
}

/// Checks the names that `pairs_of` is given where nobody can tell what decision they are for: where one of them is a part
/// of some decision, the other is meant to be one too.
fn check_pair(visit: &mut Visit<'_>, call: &FnCallExpr) {
    let all: Vec<&str> = visit.known.models().iter().flat_map(|model| &model.decisions).flat_map(parts).collect();
    let (known, unknown): (Vec<Part>, Vec<Part>) =
        named(visit.source, call).into_iter().partition(|part| all.contains(&part.name.as_str()));
    let ([_], Ok([part])) = (known.as_slice(), <[Part; 1]>::try_from(unknown)) else { return };
    let is_told = visit.found.iter().any(|found| found.marks.first().is_some_and(|mark| mark.place == part.place));
    if !is_told && nearest(&part.name, all.iter().copied()).is_some() {
        visit.found.push(unknown_part("no decision has a", part, &all));
    }
}

fn parts(decision: &Decision) -> impl Iterator<Item = &str> {
    decision.parts.iter().map(|(name, _)| &**name)
}

/// A part that is not declared.
pub(super) fn unknown_part(whose: &str, part: Part, known: &[&str]) -> Diagnostic {
    let found = Diagnostic::error("unknown-part", format!("{whose} part `{}`", part.name))
        .mark(part.place, "not one of its `parts`");
    let list = || format!("its parts are `{}`: add this one in game.toml, or name one of them", known.join("`, `"));
    found.help(did_you_mean(&part.name, known.iter().copied()).unwrap_or_else(list))
}

/// The parts of the options that an expression gives, as far as that is evident.
fn given(known: &Known<'_>, source: &Arc<Source>, expr: &Expr, depth: usize) -> Vec<Part> {
    if depth == 0 {
        return Vec::new();
    }
    if let Some(function) = unnamed(expr) {
        return result(known, &function, depth);
    }
    match expr {
        Expr::Map(map, _) => map
            .0
            .iter()
            .map(|(name, _)| Part { name: name.name.to_string(), place: place::of_name(source, name.pos, &name.name) })
            .collect(),
        Expr::Array(entries, _) => entries.iter().flat_map(|entry| given(known, source, entry, depth - 1)).collect(),
        Expr::FnCall(call, _) => given_by_call(known, source, call, depth),
        _ => Vec::new(),
    }
}

fn given_by_call(known: &Known<'_>, source: &Arc<Source>, call: &FnCallExpr, depth: usize) -> Vec<Part> {
    match call.name.as_str() {
        "pairs_of" => named(source, call),
        "each_of" | "+" | "options" => call.args.iter().flat_map(|arg| given(known, source, arg, depth - 1)).collect(),
        name => result(known, name, depth),
    }
}

/// The two names that `pairs_of` is given.
fn named(source: &Arc<Source>, call: &FnCallExpr) -> Vec<Part> {
    let names = call.args.iter().take(2).filter_map(|arg| match arg {
        Expr::StringConstant(name, at) => {
            Some(Part { name: name.to_string(), place: place::of_text(source, *at, name) })
        }
        _ => None,
    });
    names.collect()
}

/// What the last statement of a function of the rules gives.
fn result(known: &Known<'_>, function: &str, depth: usize) -> Vec<Part> {
    let Some(code) = known.code(function) else { return Vec::new() };
    let mut found = Vec::new();
    code.walk(&mut |path| {
        if let [ASTNode::Stmt(statement)] = path {
            found = match statement {
                Stmt::Expr(expr) | Stmt::Return(Some(expr), ..) => given(known, &code.source, expr, depth - 1),
                Stmt::FnCall(call, _) => given_by_call(known, &code.source, call, depth - 1),
                _ => Vec::new(),
            };
        }
    });
    found
}

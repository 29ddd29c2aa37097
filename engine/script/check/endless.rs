//! Functions that come to themselves whatever happens.

use super::code::Code;
use super::place;
use crate::diagnostic::{Diagnostic, Place};
use crate::library::Effects;
use rhai::{ASTNode, Expr, Position, Stmt};
use rustc_hash::FxHashSet;

/// The words that may be the last thing a step does.
pub(super) const LEAVING: Effects = Effects::ENDS;

/// A call that a function cannot get around.
struct Call<'c> {
    from: &'c Code,
    to: &'c Code,
    at: Position,
}

impl Call<'_> {
    fn place(&self) -> Place {
        place::of_name(&self.from.source, self.at, &self.to.name)
    }
}

/// Looks for functions that come to themselves by calls they cannot get around; `leaving` holds what may come to [`LEAVING`].
pub(super) fn check(codes: &[Code], leaving: &FxHashSet<&str>, found: &mut Vec<Diagnostic>) {
    let calls: Vec<Call<'_>> = codes.iter().flat_map(|code| certain_calls(codes, leaving, code)).collect();
    let mut told: Vec<&str> = Vec::new();
    for code in codes {
        let Some(circle) = circle(&calls, code) else { continue };
        if circle.iter().any(|call| told.contains(&call.from.name.as_str())) {
            continue;
        }
        told.extend(circle.iter().map(|call| call.from.name.as_str()));
        found.push(endless(&circle));
    }
}

/// The calls of functions of the rules that a function carries out whenever it is called.
fn certain_calls<'c>(codes: &'c [Code], leaving: &FxHashSet<&str>, code: &'c Code) -> Vec<Call<'c>> {
    let mut may_have_left = false;
    let mut calls = Vec::new();
    code.walk(&mut |path| {
        if may_have_left {
            return;
        }
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Return(None, ..) | Stmt::BreakLoop(..))) => may_have_left = true,
            Some(ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at))) => {
                let is_it = |to: &&Code| to.name == *call.name && to.params.len() == call.args.len();
                if let Some(to) = codes.iter().find(is_it).filter(|_| is_certain(path)) {
                    calls.push(Call { from: code, to, at: *at });
                }
                may_have_left |= leaving.contains(call.name.as_str());
            }
            Some(ASTNode::Stmt(Stmt::Return(..))) if path.len() > 1 => may_have_left = true,
            _ => {}
        }
    });
    calls
}

/// The shortest way by calls from a function to itself.
fn circle<'a, 'c>(calls: &'a [Call<'c>], code: &Code) -> Option<Vec<&'a Call<'c>>> {
    let mut ways: Vec<Vec<&Call<'c>>> = vec![Vec::new()];
    let mut seen: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(way) = ways.get(at).cloned() {
        let end = way.last().map_or(code, |call| call.to);
        for call in calls.iter().filter(|call| call.from.name == end.name) {
            let further: Vec<&Call<'c>> = way.iter().copied().chain([call]).collect();
            if call.to.name == code.name {
                return Some(further);
            }
            if !seen.contains(&call.to.name.as_str()) {
                seen.push(&call.to.name);
                ways.push(further);
            }
        }
        at += 1;
    }
    None
}

fn endless(circle: &[&Call<'_>]) -> Diagnostic {
    let names: Vec<String> = circle.iter().map(|call| format!("`{}`", call.from.name)).collect();
    let (message, note) = match names.as_slice() {
        [several @ .., last] if !several.is_empty() => {
            (format!("{} and {last} call each other without end", several.join(", ")), "called whatever happens")
        }
        names => (format!("{} calls itself without end", names.concat()), "calls itself whatever happens"),
    };
    let found = Diagnostic::error("too-deep", message);
    let found = circle.iter().fold(found, |found, call| found.mark(call.place(), note));
    found.help("return before this when there is nothing left to do")
}

/// Whether what comes last in a path is carried out whenever the function is.
fn is_certain(path: &[ASTNode<'_>]) -> bool {
    path.windows(2).all(|pair| match (&pair[0], &pair[1]) {
        (ASTNode::Stmt(Stmt::If(flow, _)), ASTNode::Expr(inner)) => std::ptr::eq(&raw const flow.expr, *inner),
        (ASTNode::Stmt(Stmt::For(each, _)), ASTNode::Expr(inner)) => std::ptr::eq(&raw const each.2.expr, *inner),
        (
            ASTNode::Stmt(Stmt::If(..) | Stmt::While(..) | Stmt::Do(..) | Stmt::For(..) | Stmt::Switch(..))
            | ASTNode::Expr(Expr::Stmt(_)),
            _,
        ) => false,
        (ASTNode::Expr(Expr::And(all, _) | Expr::Or(all, _) | Expr::Coalesce(all, _)), ASTNode::Expr(inner)) => {
            all.first().is_some_and(|first| std::ptr::eq(&raw const *first, *inner))
        }
        _ => true,
    })
}

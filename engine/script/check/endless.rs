//! Functions that call themselves whatever happens.

use super::code::Code;
use super::place;
use crate::diagnostic::Diagnostic;
use rhai::{ASTNode, Expr, Position, Stmt};
use rustc_hash::FxHashSet;

/// The words that may be the last thing a step does.
pub(super) const LEAVING: [&str; 2] = ["end_game", "fault"];

/// Looks for a call of a function by itself that it cannot get around; `leaving` holds what may come to [`LEAVING`].
pub(super) fn check(leaving: &FxHashSet<&str>, code: &Code, found: &mut Vec<Diagnostic>) {
    let mut may_have_left = false;
    let mut again: Option<Position> = None;
    code.walk(&mut |path| {
        if again.is_some() || may_have_left {
            return;
        }
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Return(None, ..) | Stmt::BreakLoop(..))) => may_have_left = true,
            Some(ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at))) => {
                if *call.name == *code.name && call.args.len() == code.params.len() && is_certain(path) {
                    again = Some(*at);
                } else {
                    may_have_left |= leaving.contains(call.name.as_str());
                }
            }
            Some(ASTNode::Stmt(Stmt::Return(..))) if path.len() > 1 => may_have_left = true,
            _ => {}
        }
    });
    if let Some(at) = again {
        found.push(
            Diagnostic::error("too-deep", format!("`{}` calls itself without end", code.name))
                .mark(place::of_name(&code.source, at, &code.name), "calls itself whatever happens")
                .help("return before this when there is nothing left to do"),
        );
    }
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

//! `unreachable`: a statement that never runs, because an earlier statement always leaves the block.

use crate::diagnostic::{Diagnostic, Place, Source};
use crate::syntax::{Block, Expr, ExprKind, Statement, StatementKind};
use std::sync::Arc;

/// Reports the first unreachable statement of a block.
pub(crate) fn report_unreachable(source: &Arc<Source>, statements: &[Statement], found: &mut Vec<Diagnostic>) {
    let Some(exit) = statements.iter().position(never_continues) else { return };
    if let Some(behind) = statements.get(exit + 1) {
        found.push(
            Diagnostic::warning("unreachable", "this is never executed")
                .mark(Place::word_at(source, behind.span.range().start), "after the function returns or fails")
                .help("remove it, or put the `return`, `break` or fault before it into an `if`"),
        );
    }
}

/// Returns whether a statement always leaves its block, so that no later statement of the block can run.
fn never_continues(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Return(_) | StatementKind::Break(_) | StatementKind::Continue => true,
        StatementKind::Expr(expr) => expr_never_continues(expr),
        StatementKind::Let { .. } | StatementKind::Assign { .. } => false,
    }
}

fn expr_never_continues(expr: &Expr) -> bool {
    let in_the_end = |block: &Block| block.statements.last().is_some_and(never_continues);
    match &expr.kind {
        ExprKind::If { then, otherwise, .. } => {
            in_the_end(then) && otherwise.as_deref().is_some_and(expr_never_continues)
        }
        ExprKind::Block(block) => in_the_end(block),
        _ => false,
    }
}

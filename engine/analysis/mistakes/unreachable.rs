//! `unreachable`: what comes after a way out.

use crate::diagnostic::{Diagnostic, Place, Source};
use crate::syntax::{Block, Expr, ExprKind, Statement, StatementKind};
use std::sync::Arc;

/// Looks at statements one after the other.
pub(crate) fn unreachable(source: &Arc<Source>, statements: &[Statement], found: &mut Vec<Diagnostic>) {
    let Some(way_out) = statements.iter().position(leaves) else { return };
    if let Some(behind) = statements.get(way_out + 1) {
        found.push(
            Diagnostic::warning("unreachable", "this is never carried out")
                .mark(Place::word_at(source, behind.span.range().start), "comes after the way out")
                .help("take it out, or put what leaves before it into an `if`"),
        );
    }
}

/// Whether nothing that follows a statement in its block is carried out.
fn leaves(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Return(_) | StatementKind::Break(_) | StatementKind::Continue => true,
        StatementKind::Expr(expr) => leaves_by(expr),
        StatementKind::Let { .. } | StatementKind::Assign { .. } => false,
    }
}

fn leaves_by(expr: &Expr) -> bool {
    let in_the_end = |block: &Block| block.statements.last().is_some_and(leaves);
    match &expr.kind {
        ExprKind::If { then, otherwise, .. } => in_the_end(then) && otherwise.as_deref().is_some_and(leaves_by),
        ExprKind::Block(block) => in_the_end(block),
        _ => false,
    }
}

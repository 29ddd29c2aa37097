//! `wrong-result`: a function returns a value that its caller does not accept.

use super::super::program::Program;
use crate::diagnostic::{Diagnostic, Place};
use crate::library::{Effects, INVARIANT};
use crate::syntax::{Block, Expr, ExprKind, StatementKind};

pub(crate) fn wrong_result(name: &str, returned: &str, wanted: &str, help: &str, here: Place) -> Diagnostic {
    Diagnostic::error("wrong-result", format!("`{name}` returns {returned}, not {wanted}"))
        .mark(here, "returns this")
        .help(help)
}

/// Help text for an invariant that returns nothing.
pub(crate) const SILENT_INVARIANT_HELP: &str =
    "end it with a comparison, or say what must hold with `ensure(…, \"…\")`";

/// Reports invariants that may return nothing and call neither `ensure` nor `fault`, directly or through other functions.
pub(crate) fn report_silent_invariants(program: &Program<'_>, found: &mut Vec<Diagnostic>) {
    let invariants = program.rules().filter(|code| code.name().starts_with(INVARIANT));
    let mut silent = invariants.filter(|code| ends_in_nothing(&code.tree.body)).peekable();
    if silent.peek().is_none() {
        return;
    }
    let stopping = program.functions_reaching(Effects::STOPS);
    for code in silent.filter(|code| !stopping.contains(code.key())) {
        let message = format!("`{}` returns nothing", code.name());
        found.push(
            Diagnostic::error("wrong-result", message).mark(code.place(), "returns this").help(SILENT_INVARIANT_HELP),
        );
    }
}

/// Returns whether at least one path through a block is known to end without a value.
fn ends_in_nothing(block: &Block) -> bool {
    block.statements.last().is_none_or(|last| match &last.kind {
        StatementKind::Let { .. } | StatementKind::Assign { .. } | StatementKind::Return(None) => true,
        StatementKind::Expr(expr) => expr_ends_in_nothing(expr),
        _ => false,
    })
}

fn expr_ends_in_nothing(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::If { then, otherwise, .. } => {
            ends_in_nothing(then) || otherwise.as_deref().is_none_or(expr_ends_in_nothing)
        }
        ExprKind::Block(block) => ends_in_nothing(block),
        ExprKind::For { .. } => true,
        _ => false,
    }
}

//! `never-in-force`: the rules ask which pieces are in force, but no zone puts its pieces in force.

use super::super::program::Program;
use crate::diagnostic::Diagnostic;
use crate::library::queries_pieces_in_force;
use crate::syntax::{ExprKind, each_expr};

/// Returns a warning about the first call that asks for pieces in force, if no zone puts its pieces in force.
pub(crate) fn never_in_force(program: &Program<'_>) -> Option<Diagnostic> {
    if program.models.iter().any(|model| model.families.iter().any(|family| family.in_force)) {
        return None;
    }
    let mut asked = None;
    for code in program.rules() {
        each_expr(&code.tree.body.statements, &mut |expr| {
            if let ExprKind::Call { name, arguments } = &expr.kind
                && queries_pieces_in_force(&name.text, arguments.len())
            {
                asked = asked.take().or_else(|| Some((&name.text, code.at(name.span))));
            }
        });
    }
    let (word, at) = asked?;
    let found = Diagnostic::warning("never-in-force", format!("`{word}` never finds a piece that is in force"))
        .mark(at, "no zone has `in_force`")
        .help("add `in_force = true` to the zones whose pieces alter something");
    Some(found)
}

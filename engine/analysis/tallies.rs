//! What rules count for statistics.

use crate::diagnostic::Source;
use crate::syntax::{Expr, ExprKind, each_expr, parse};
use std::sync::Arc;

/// The word that counts something under a name.
const TALLY: &str = "tally";

/// The names that rules count by; nothing where one of them is put together while they run.
pub(crate) fn tallied(scripts: &[Arc<Source>]) -> Option<Vec<Arc<str>>> {
    let (mut names, mut all_known, mut ids) = (Vec::new(), true, 0);
    for source in scripts {
        for function in &parse(source, &mut ids).tree.functions {
            each_expr(&function.body.statements, &mut |expr| match name_of(expr) {
                Some(ExprKind::Text(name)) => names.push(name.clone()),
                Some(_) => all_known = false,
                None => {}
            });
        }
    }
    all_known.then_some(names)
}

/// What an expression counts by, if it counts something.
fn name_of(expr: &Expr) -> Option<&ExprKind> {
    match &expr.kind {
        ExprKind::Call { name, arguments } if &*name.text == TALLY => arguments.first().map(|first| &first.kind),
        ExprKind::Method { of, name, .. } if &*name.text == TALLY => Some(&of.kind),
        _ => None,
    }
}

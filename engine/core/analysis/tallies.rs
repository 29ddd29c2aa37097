//! Finds the counters that rules keep for statistics by calling `tally`.

use crate::diagnostic::Source;
use crate::library::TALLY;
use crate::syntax::{Expr, ExprKind, Function, each_expr, parse_rules};
use std::sync::Arc;

/// Returns the names of all counters; `None` if any name is computed at run time.
pub(crate) fn tallied(scripts: &[Arc<Source>]) -> Option<Vec<Arc<str>>> {
    let files = parse_rules(scripts);
    let names = tally_names(files.iter().flat_map(|file| &file.functions));
    names.into_iter().collect()
}

/// Returns the names of the counters that the functions keep, in order of occurrence. An entry is `None` if the name is computed at run
/// time.
pub(super) fn tally_names<'a>(functions: impl Iterator<Item = &'a Function>) -> Vec<Option<Arc<str>>> {
    let mut found = Vec::new();
    for function in functions {
        each_expr(&function.body.statements, &mut |expr| match tally_name(expr) {
            Some(ExprKind::Text(name)) => found.push(Some(name.clone())),
            Some(_) => found.push(None),
            None => {}
        });
    }
    found
}

/// Returns the expression for the counter's name if `expr` is a call of `tally`.
fn tally_name(expr: &Expr) -> Option<&ExprKind> {
    match &expr.kind {
        ExprKind::Call { name, arguments } if &*name.text == TALLY => arguments.first().map(|first| &first.kind),
        ExprKind::Method { receiver: of, name, .. } if &*name.text == TALLY => Some(&of.kind),
        _ => None,
    }
}

//! What rules count for statistics.

use crate::diagnostic::Source;
use crate::library::TALLY;
use crate::syntax::{Expr, ExprKind, File, Function, each_expr, parse};
use std::sync::Arc;

/// The names that rules count by; nothing where one of them is put together while they run.
pub(crate) fn tallied(scripts: &[Arc<Source>]) -> Option<Vec<Arc<str>>> {
    let mut ids = 0;
    let files: Vec<File> = scripts.iter().map(|source| parse(source, &mut ids).tree).collect();
    let counted = counted(files.iter().flat_map(|file| &file.functions));
    counted.into_iter().collect()
}

/// What some functions count by, in order: a name, or nothing where it is put together while they run.
pub(super) fn counted<'a>(functions: impl Iterator<Item = &'a Function>) -> Vec<Option<Arc<str>>> {
    let mut found = Vec::new();
    for function in functions {
        each_expr(&function.body.statements, &mut |expr| match name_of(expr) {
            Some(ExprKind::Text(name)) => found.push(Some(name.clone())),
            Some(_) => found.push(None),
            None => {}
        });
    }
    found
}

/// What an expression counts by, if it counts something.
fn name_of(expr: &Expr) -> Option<&ExprKind> {
    match &expr.kind {
        ExprKind::Call { name, arguments } if &*name.text == TALLY => arguments.first().map(|first| &first.kind),
        ExprKind::Method { of, name, .. } if &*name.text == TALLY => Some(&of.kind),
        _ => None,
    }
}

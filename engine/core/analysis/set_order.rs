//! Finds calls of `altered` whose result depends on the order in which chance has laid two pieces.

use super::mistakes;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::ALTERED;
use crate::syntax::{Expr, ExprKind, each_expr, parse_rules};
use std::sync::Arc;

/// Creates the diagnostic for two components that set the same quantity to different values. Chance decided which of their pieces was
/// laid last.
pub(crate) fn laid_by_chance(what: &str, components: [&str; 2], scripts: &[Arc<Source>]) -> Diagnostic {
    mistakes::laid_by_chance(what, components, query_place(what, scripts))
}

/// Returns the place of the first call of `altered` for the quantity `what` in the rules.
fn query_place(what: &str, scripts: &[Arc<Source>]) -> Option<Place> {
    scripts.iter().zip(parse_rules(scripts)).find_map(|(source, file)| {
        let mut found = None;
        for function in &file.functions {
            each_expr(&function.body.statements, &mut |expr| {
                if found.is_none() && is_query(expr, what) {
                    found = Some(Place { source: source.clone(), span: expr.span.range() });
                }
            });
        }
        found
    })
}

/// Returns whether the expression is `altered("what", …)`.
fn is_query(expr: &Expr, what: &str) -> bool {
    let ExprKind::Call { name, arguments } = &expr.kind else { return false };
    let is_named = |argument: &Expr| matches!(&argument.kind, ExprKind::Text(text) if **text == *what);
    &*name.text == ALTERED && arguments.first().is_some_and(is_named)
}

//! Reports shuffles after which some seat still knows the order of the pile. The diagnostics mark the shuffles in the rules.

use super::mistakes;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::SHUFFLE;
use crate::model::Family;
use crate::syntax::{Expr, ExprKind, Name, each_expr, parse_rules};
use std::sync::Arc;

/// Creates the diagnostic for a pile whose order some seat knew right after the shuffle.
pub(crate) fn seen_order(family: &Family, scripts: &[Arc<Source>]) -> Diagnostic {
    mistakes::seen_order(&family.id, shuffle_place(&family.id, scripts))
}

/// Returns the place of the first shuffle of `zone` in the rules.
fn shuffle_place(zone: &str, scripts: &[Arc<Source>]) -> Option<Place> {
    scripts.iter().zip(parse_rules(scripts)).find_map(|(source, file)| {
        let mut found = None;
        for function in &file.functions {
            each_expr(&function.body.statements, &mut |expr| {
                if let Some(name) = shuffle_call(expr, zone) {
                    found = found.take().or(Some(Place { source: source.clone(), span: name.span.range() }));
                }
            });
        }
        found
    })
}

/// Returns the function name in the call if `expr` shuffles `zone`. The zone may be a single zone or one of several copies.
fn shuffle_call<'e>(expr: &'e Expr, zone: &str) -> Option<&'e Name> {
    let ExprKind::Method { receiver: of, name, .. } = &expr.kind else { return None };
    let mut of = of;
    while let ExprKind::Index { receiver: inner, .. } = &of.kind {
        of = inner;
    }
    let is_meant = match &of.kind {
        ExprKind::Name(named) => **named == *zone,
        ExprKind::Field { name, .. } => *name.text == *zone,
        _ => false,
    };
    (is_meant && &*name.text == SHUFFLE).then_some(name)
}

//! Shuffles that hide nothing: a seat sees how the pile lies afterwards.

use super::mistakes;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::SHUFFLE;
use crate::model::Family;
use crate::syntax::{Expr, ExprKind, Name, each_expr, parse};
use std::sync::Arc;

/// What is said of a pile of which a seat knew how it lay as soon as it had been shuffled.
pub(crate) fn seen_order(family: &Family, scripts: &[Arc<Source>]) -> Diagnostic {
    mistakes::seen_order(&family.id, place_of(&family.id, scripts))
}

/// Where rules shuffle a zone.
fn place_of(zone: &str, scripts: &[Arc<Source>]) -> Option<Place> {
    let mut ids = 0;
    scripts.iter().find_map(|source| {
        let parsed = parse(source, &mut ids);
        let mut found = None;
        for function in &parsed.tree.functions {
            each_expr(&function.body.statements, &mut |expr| {
                if let Some(name) = shuffled(expr, zone) {
                    found = found.take().or(Some(Place { source: source.clone(), span: name.span.range() }));
                }
            });
        }
        found
    })
}

/// The call, where an expression is a shuffle of a zone, one for all or one of several.
fn shuffled<'e>(expr: &'e Expr, zone: &str) -> Option<&'e Name> {
    let ExprKind::Method { of, name, .. } = &expr.kind else { return None };
    let mut of = of;
    while let ExprKind::Index { of: inner, .. } = &of.kind {
        of = inner;
    }
    let is_meant = match &of.kind {
        ExprKind::Name(named) => **named == *zone,
        ExprKind::Field { name, .. } => *name.text == *zone,
        _ => false,
    };
    (is_meant && &*name.text == SHUFFLE).then_some(name)
}

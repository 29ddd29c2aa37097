//! `unseen-character`: a string literal, template or map key in the rules contains an invisible character.

use super::super::program::Code;
use crate::diagnostic::{Diagnostic, find_invisible};
use crate::syntax::{ExprKind, Segment, each_expr};

/// Reports invisible characters in the string literals, templates and map keys of a function.
pub(crate) fn report_unseen_characters(code: &Code<'_>, found: &mut Vec<Diagnostic>) {
    let unseen = |text: &str| find_invisible(text).map(|(_, character)| character);
    each_expr(&code.tree.body.statements, &mut |expr| {
        let character = match &expr.kind {
            ExprKind::Text(text) => unseen(text),
            ExprKind::Map(map) => map.iter().find_map(|(name, _)| unseen(&name.text)),
            ExprKind::Template(segments) => segments.iter().find_map(|segment| match segment {
                Segment::Text(text) => unseen(text),
                Segment::Code(_) => None,
            }),
            _ => None,
        };
        found.extend(character.map(|character| Diagnostic::unseen(character, code.word_at(expr.span))));
    });
}

//! Finds the one decision that may be passed and has no `pass`, if the other decisions of the game that may be passed have one.

use super::mistakes::missing_pass;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::library::CHOOSE_OR_PASS;
use crate::model::Model;
use crate::syntax::{Expr, ExprKind, File, Node};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Minimum number of other decisions with `pass`. A game with fewer of them may use the default text on purpose.
const MIN_OTHERS: usize = 2;

/// Returns a warning for the only decision without `pass` among those that `choose_or_pass` asks.
pub(crate) fn check_files<'a>(
    model: &Model,
    files: impl Iterator<Item = (&'a Arc<Source>, &'a File)>,
) -> Option<Diagnostic> {
    let mut asked: BTreeMap<&str, Place> = BTreeMap::new();
    for (source, file) in files {
        for function in &file.functions {
            function.each_node(&mut |node| {
                if let Some((decision, expr)) = asked_decision(node) {
                    let place = || Place { source: source.clone(), span: expr.span.range() };
                    asked.entry(decision).or_insert_with(place);
                }
            });
        }
    }
    let has_pass = |decision: &str| Some(model.decisions[model.find_decision(decision)?.index()].pass.is_some());
    let known = asked.iter().filter_map(|(decision, place)| Some((*decision, place, has_pass(decision)?)));
    let (with, without): (Vec<_>, Vec<_>) = known.partition(|(_, _, has_pass)| *has_pass);
    match without.as_slice() {
        [(decision, place, _)] if with.len() >= MIN_OTHERS => Some(missing_pass(decision, (*place).clone())),
        _ => None,
    }
}

/// Returns the decision that a call of `choose_or_pass` names, and the argument that names it.
fn asked_decision(node: Node<'_>) -> Option<(&str, &Expr)> {
    let Node::Expr(expr) = node else { return None };
    let (name, named) = match &expr.kind {
        ExprKind::Call { name, arguments } => (name, arguments.get(1)?),
        ExprKind::Method { name, arguments, .. } => (name, arguments.first()?),
        _ => return None,
    };
    let ExprKind::Text(decision) = &named.kind else { return None };
    (&*name.text == CHOOSE_OR_PASS).then_some((decision, named))
}

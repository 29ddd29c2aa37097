//! The words that rules write where they ask a decision.

use crate::diagnostic::Source;
use crate::model::Model;
use crate::syntax::{Expr, ExprKind, Function, each_expr, parse};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The texts in the functions that ask a decision, and in whatever these call that asks no other.
pub(crate) fn words_near(model: &Model, decision: &str) -> FxHashSet<Arc<str>> {
    let mut ids = 0;
    let read = |source: &Arc<Source>| parse(source, &mut ids).tree.functions;
    let functions: Vec<Function> = model.scripts.iter().flat_map(read).collect();
    let all: Vec<Mentions> = functions.iter().map(|function| Mentions::of(function, model)).collect();
    let mut reached: Vec<usize> = (0..all.len()).filter(|at| all[*at].asked.contains(decision)).collect();
    let mut next = 0;
    while let Some(at) = reached.get(next).copied() {
        next += 1;
        let is_called = |other: &usize| all[at].called.contains(&functions[*other].name.text);
        let called = (0..all.len()).filter(is_called).filter(|other| all[*other].asked.is_empty());
        let new: Vec<usize> = called.filter(|other| !reached.contains(other)).collect();
        reached.extend(new);
    }
    reached.into_iter().flat_map(|at| all[at].texts.iter().cloned()).collect()
}

/// What a function mentions.
#[derive(Default)]
struct Mentions {
    texts: FxHashSet<Arc<str>>,
    called: FxHashSet<Arc<str>>,
    asked: FxHashSet<Arc<str>>,
}

impl Mentions {
    fn of(function: &Function, model: &Model) -> Self {
        let mut found = Self::default();
        each_expr(&function.body.statements, &mut |expr| match &expr.kind {
            ExprKind::Text(text) => drop(found.texts.insert(text.clone())),
            ExprKind::Call { name, arguments } => found.call(model, &name.text, arguments.get(1)),
            ExprKind::Method { name, arguments, .. } => found.call(model, &name.text, arguments.first()),
            _ => {}
        });
        found
    }

    /// Notes a call; a decision is named behind the seat that is asked.
    fn call(&mut self, model: &Model, name: &Arc<str>, second: Option<&Expr>) {
        self.called.insert(name.clone());
        if let Some(ExprKind::Text(text)) = second.map(|expr| &expr.kind)
            && model.find_decision(text).is_some()
        {
            self.asked.insert(text.clone());
        }
    }
}

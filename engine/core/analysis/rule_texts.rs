//! Collects the string literals and templates in rules, and the string literals used near a decision.

use crate::model::Model;
use crate::syntax::{ExprKind, Function, Lexeme, each_expr, each_expr_in, lexemes, parse_rules};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Returns all string literals and templates in the rules.
pub(crate) fn texts(model: &Model) -> Vec<String> {
    let said = model.scripts.iter().flat_map(|source| lexemes(&source.text));
    said.filter_map(|(what, _)| match what {
        Lexeme::Quoted(text) | Lexeme::Template(text) => Some(text),
        Lexeme::Word(_) | Lexeme::Symbol(_) => None,
    })
    .collect()
}

/// Returns the string literals in the functions that ask `decision`, and in the functions that these call, directly or indirectly. Leaves
/// out calls that ask another decision, and called functions that ask another decision.
pub(crate) fn words_near(model: &Model, decision: &str) -> FxHashSet<Arc<str>> {
    let functions: Vec<Function> = parse_rules(&model.scripts).into_iter().flat_map(|file| file.functions).collect();
    let all: Vec<Mentions> = functions.iter().map(|function| Mentions::new(function, model)).collect();
    let mut reached: Vec<usize> = (0..all.len()).filter(|at| all[*at].asked_with.contains_key(decision)).collect();
    let mut next = 0;
    while let Some(at) = reached.get(next).copied() {
        next += 1;
        let is_called = |other: &usize| all[at].called.contains(&functions[*other].key);
        let called = (0..all.len()).filter(is_called).filter(|other| all[*other].asked_with.is_empty());
        let new: Vec<usize> = called.filter(|other| !reached.contains(other)).collect();
        reached.extend(new);
    }
    let words = |at: usize| {
        let of_this = all[at].asked_with.get(decision).into_iter().flatten();
        all[at].texts.iter().chain(of_this).cloned()
    };
    reached.into_iter().flat_map(words).collect()
}

/// The string literals, calls and decisions in a function.
#[derive(Default)]
struct Mentions {
    /// String literals outside the calls that ask a decision.
    texts: FxHashSet<Arc<str>>,
    called: FxHashSet<Arc<str>>,
    /// Decisions that the function asks, each with the string literals in the calls that ask it.
    asked_with: FxHashMap<Arc<str>, FxHashSet<Arc<str>>>,
}

impl Mentions {
    fn new(function: &Function, model: &Model) -> Self {
        let mut found = Self::default();
        let mut inside: FxHashSet<usize> = FxHashSet::default();
        each_expr(&function.body.statements, &mut |expr| {
            let (_, second) = match &expr.kind {
                ExprKind::Call { name, arguments } => (name, arguments.get(1)),
                ExprKind::Method { name, arguments, .. } => (name, arguments.first()),
                ExprKind::OwnCall { name, key, arguments, .. } => {
                    found.called.insert(key.clone());
                    (name, arguments.get(1))
                }
                _ => return,
            };
            // The decision is the argument after the asked seat.
            if let Some(ExprKind::Text(decision)) = second.map(|expr| &expr.kind)
                && model.find_decision(decision).is_some()
            {
                let texts = found.asked_with.entry(decision.clone()).or_default();
                each_expr_in(expr, &mut |part| {
                    if let ExprKind::Text(text) = &part.kind {
                        texts.insert(text.clone());
                        inside.insert(part.span.range().start);
                    }
                });
            }
        });
        each_expr(&function.body.statements, &mut |expr| {
            if let ExprKind::Text(text) = &expr.kind
                && !inside.contains(&expr.span.range().start)
            {
                found.texts.insert(text.clone());
            }
        });
        found
    }
}

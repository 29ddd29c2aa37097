//! Finds words that rules offer as options although `[words]` gives them no name in a language that other words have.

use super::infer::RuleTypes;
use super::mistakes::untranslated_word;
use crate::diagnostic::{Diagnostic, Place, Source};
use crate::model::{Language, Model};
use crate::syntax::{Expr, ExprKind, File, each_expr};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Returns a warning for each word in the rules that a decision offers and that `[words]` does not name, if the other words are translated.
pub(crate) fn check_files<'a>(
    model: &Model,
    files: impl Iterator<Item = (&'a Arc<Source>, &'a File)>,
    types: &RuleTypes,
) -> Vec<Diagnostic> {
    let is_translated = |language: &Language| model.words.values().any(|text| text.has(*language));
    let Some(language) = Language::ALL.into_iter().filter(|one| *one != Language::English).find(is_translated) else {
        return Vec::new();
    };
    let mut written: BTreeMap<Arc<str>, Place> = BTreeMap::new();
    for (source, file) in files {
        for function in &file.functions {
            each_expr(&function.body.statements, &mut |expr| {
                let ExprKind::List(entries) = &expr.kind else { return };
                for Expr { kind, span, .. } in entries {
                    let ExprKind::Text(word) = kind else { continue };
                    let place = || Place { source: source.clone(), span: span.range() };
                    written.entry(word.clone()).or_insert_with(place);
                }
            });
        }
    }
    let mut offered: BTreeSet<(Arc<str>, Arc<str>)> = BTreeSet::new();
    for decision in &model.decisions {
        offered.extend(types.offered_words(&decision.id).into_iter().map(|word| (word, decision.id.clone())));
    }
    let unnamed = offered.iter().filter(|(word, _)| !model.words.contains_key(word));
    let found = unnamed.filter_map(|(word, decision)| {
        written.get(word).map(|place| untranslated_word(word, decision, language.tag(), place.clone()))
    });
    found.collect()
}

//! Finds misspelled keys of component rows. Every unknown key of a row is a field, so a misspelled `count` would silently become a field,
//! and the count would stay 1.

use crate::diagnostic::{Diagnostic, Place, Role, Source};
use crate::loader::document::tree::Tree;
use crate::loader::report::Report;
use crate::loader::section::component::{ALTERS, COUNT, NAME, ROW};
use crate::loader::section::kind::FIELDS;
use crate::syntax::{words, words_within};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Optional keys of a row that are checked for misspellings. A missing `id` is always reported, so it needs no check here.
const OPTIONAL_KEYS: [&str; 3] = [NAME.spec.name, COUNT.spec.name, ALTERS.spec.name];

/// Reports fields that their kind does not declare and no script mentions, if they resemble an optional key that no row of their kind has.
pub(in crate::loader) fn check_columns<'a>(
    tree: &Tree,
    scripts: impl Iterator<Item = &'a Arc<Source>>,
    report: &Report,
) {
    let mut columns: IndexMap<(&Arc<str>, &Arc<str>), &Place> = IndexMap::new();
    for row in &tree.rows {
        for (key, entry) in row.node.table().into_iter().flatten() {
            columns.entry((&row.kind, key)).or_insert(&entry.key);
        }
    }
    let meant = |kind: &Arc<str>, key: &Arc<str>| {
        let meant = ROW.likely_key(key).filter(|meant| OPTIONAL_KEYS.contains(meant) && !ROW.has(key))?;
        let has_key = columns.contains_key(&(kind, &Arc::from(meant)));
        (!has_key && !declares(tree, kind, key)).then_some(meant)
    };
    let mut suspects: Vec<_> =
        columns.iter().filter_map(|((kind, key), place)| Some((*kind, *key, *place, meant(kind, key)?))).collect();
    if suspects.is_empty() {
        return;
    }
    let used_words: FxHashSet<String> = scripts.flat_map(|source| words_in(source)).collect();
    suspects.retain(|(_, key, ..)| !used_words.contains(&***key));
    for (kind, key, place, meant) in suspects {
        report.add(misspelled(kind, key, meant, place));
    }
}

/// Returns the words of a file. Comments in the scripts of rules and agents are skipped.
fn words_in(source: &Source) -> Vec<String> {
    if matches!(source.role(), Some(Role::Rules | Role::Agent)) {
        words(&source.text).collect()
    } else {
        words_within(&source.text).map(str::to_owned).collect()
    }
}

/// Returns whether a kind declares a field.
fn declares(tree: &Tree, kind: &str, field: &str) -> bool {
    let declared = tree.section("kinds").find(|(name, _)| &***name == kind).and_then(|(_, entry)| entry.node.table());
    let fields = declared.and_then(|declared| FIELDS.value_in(declared)?.table());
    fields.is_some_and(|fields| fields.contains_key(field))
}

fn misspelled(kind: &str, key: &str, meant: &str, place: &Place) -> Diagnostic {
    Diagnostic::warning("unknown-key", format!("`{key}` is not a key of rows, so it is read as a field of `{kind}`"))
        .mark(place.clone(), "not used by the rules")
        .help(format!("did you mean `{meant}`? If it is a field, declare it in `[kinds.{kind}.fields]`"))
}

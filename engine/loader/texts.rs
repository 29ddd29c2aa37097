//! Texts for people: whether each is there in every language that the game speaks, and whether questions and endings have one.

use super::node::{Node, Table};
use super::report::Report;
use super::tree::Tree;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::Language;

/// Reports texts that lack a language which others have, in the game and in its overlays.
pub(super) fn check_translations(trees: &[&Tree], report: &Report) {
    let spoken = |language: &Language| {
        let mut speaks = false;
        for tree in trees {
            each_text(tree, &mut |text| speaks |= has(text.table, *language));
        }
        speaks
    };
    let spoken: Vec<Language> = Language::ALL.into_iter().filter(spoken).collect();
    for tree in trees {
        each_text(tree, &mut |text| {
            for language in spoken.iter().filter(|language| !has(text.table, **language)) {
                report.add(untranslated(text.table, text.place, *language));
            }
        });
    }
}

/// Reports decisions that ask nothing and endings that say nothing.
pub(super) fn check_sentences(tree: &Tree, report: &Report) {
    for (section, key, what) in [("decisions", "ask", "decision"), ("endings", "name", "ending")] {
        for (name, entry) in tree.section(section) {
            let Some(table) = entry.node.table().filter(|table| !is_text(table)) else { continue };
            if !table.contains_key(key) {
                report.add(unsaid(what, name, key, &entry.key));
            }
        }
    }
}

/// A text in several languages.
struct Translated<'t> {
    table: &'t Table,
    place: &'t Place,
}

fn each_text<'t>(tree: &'t Tree, take: &mut impl FnMut(Translated<'t>)) {
    tree.root.values().for_each(|entry| walk(&entry.node, take));
    tree.rows.iter().for_each(|row| walk(&row.node, take));
}

fn walk<'t>(node: &'t Node, take: &mut impl FnMut(Translated<'t>)) {
    match node.table() {
        Some(table) if is_text(table) => take(Translated { table, place: &node.place }),
        Some(table) => table.values().for_each(|entry| walk(&entry.node, take)),
        None => node.list().unwrap_or_default().iter().for_each(|node| walk(node, take)),
    }
}

/// Whether a table is a text by language, and nothing else.
fn is_text(table: &Table) -> bool {
    let is_tag = |key: &str| Language::ALL.into_iter().any(|language| language.tag() == key);
    table.keys().any(|key| is_tag(key)) && table.keys().all(|key| is_tag(key) || &**key == "provenance")
}

fn has(table: &Table, language: Language) -> bool {
    table.contains_key(language.tag())
}

fn untranslated(table: &Table, place: &Place, language: Language) -> Diagnostic {
    let tag = language.tag();
    let there: Vec<&str> = Language::ALL.into_iter().filter(|other| has(table, *other)).map(Language::tag).collect();
    Diagnostic::warning("missing-translation", format!("a text has no `{tag}`, which others have"))
        .mark(place.clone(), format!("`{}` alone", there.join("` and `")))
        .help(format!("write `{tag} = \"…\"` beside it, or one text without a language for all"))
}

fn unsaid(what: &str, name: &str, key: &str, place: &Place) -> Diagnostic {
    Diagnostic::warning("missing-text", format!("the {what} `{name}` has no `{key}`"))
        .mark(place.clone(), "people read its name instead")
        .help(format!("write `{key} = \"…\"`, or one text for each language"))
}

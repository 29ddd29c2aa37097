//! Differences between two versions of a game: options, params, component rows, starting values, rules and agents.

use super::names;
use crate::diagnostic::Source;
use crate::model::{Component, Language, Model, ValueType};
use serde::Serialize;
use similar::{ChangeTag, TextDiff};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Number of unchanged lines shown before and after each changed line of a file.
const CONTEXT: usize = 2;

/// Maximum number of lines shown of one changed file.
const MAX_LINES: usize = 200;

/// Text shown in place of a value that one version lacks.
const MISSING: &str = "–";

/// A value that differs between two versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct ChangedValue {
    /// Name of the value: the agents, a param, an option, a starting value, or a component with one of its fields.
    pub(super) name: String,
    /// The value in version A.
    pub(super) before: String,
    /// The value in version B.
    pub(super) after: String,
}

/// A line of a changed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct DiffLine {
    /// `+`, `-`, or a blank for an unchanged line; `@` for omitted lines.
    pub(super) tag: char,
    /// The line, without its line break.
    pub(super) text: String,
}

/// A file of rules or of an agent that differs between two versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct FileDiff {
    /// Path of the file in the game's folder.
    pub(super) path: String,
    /// Number of lines that only version B has.
    pub(super) added: usize,
    /// Number of lines that only version A has.
    pub(super) removed: usize,
    /// The changed lines with a few unchanged ones around them.
    pub(super) lines: Vec<DiffLine>,
}

/// All differences between two versions of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(super) struct Changes {
    /// Changed values: the agents, then settings, starting values and components.
    pub(super) values: Vec<ChangedValue>,
    /// Changed files.
    pub(super) files: Vec<FileDiff>,
    /// Whether the versions differ in something else, such as zones or the flow. Set only if no other difference is listed, apart from the
    /// agents.
    pub(super) has_others: bool,
}

impl Changes {
    /// Compares version `a` with version `b`. `agents` are the agents that play each version.
    pub(super) fn between(a: &Model, b: &Model, agents: [&[String]; 2]) -> Self {
        let played_by = |agents: &[String]| vec![("agents".to_owned(), agents.join(", "))];
        let mut values = changed_entries(played_by(agents[0]), played_by(agents[1]));
        values.extend(changed_settings(a, b));
        // A param that sets a starting value is one change, not two.
        let is_set_by_param = |start: &ChangedValue| {
            values.iter().any(|param| param.before == start.before && param.after == start.after)
        };
        let starts: Vec<ChangedValue> =
            changed_starts(a, b).into_iter().filter(|start| !is_set_by_param(start)).collect();
        values.extend(starts);
        values.extend(changed_components(a, b));
        let sources = |model: &Model| model.scripts.iter().chain(&model.agents).cloned().collect::<Vec<_>>();
        let files = changed_files(&sources(a), &sources(b));
        let is_by_agents_alone = values.len() == usize::from(agents[0] != agents[1]) && files.is_empty();
        let has_others = a.fingerprint != b.fingerprint && is_by_agents_alone;
        Self { values, files, has_others }
    }
}

/// Lists the differences between version `a` and version `b`, one per line: `fee 3 → 6`, `rules/play.rhai +2 −1 lines`.
/// `agents` are the agents that play each version.
pub fn changed_lines(a: &Model, b: &Model, agents: [&[String]; 2]) -> Vec<String> {
    let changes = Changes::between(a, b, agents);
    let values = changes.values.iter().map(|one| format!("{} {} → {}", one.name, one.before, one.after));
    let files = changes.files.iter().map(|file| format!("{} +{} −{} lines", file.path, file.added, file.removed));
    let others = changes.has_others.then(|| "other parts of the game's files, such as zones or the flow".to_owned());
    values.chain(files).chain(others).collect()
}

/// Compares two lists of named values. Returns the changed and new values in the order of `after`, then the removed ones. [`MISSING`]
/// stands for a value that one list lacks.
fn changed_entries(before: Vec<(String, String)>, after: Vec<(String, String)>) -> Vec<ChangedValue> {
    let known: BTreeMap<String, String> = before.iter().cloned().collect();
    let named: BTreeSet<&String> = after.iter().map(|(name, _)| name).collect();
    let removed = before.into_iter().filter(|(name, _)| !named.contains(name)).map(|(name, text)| ChangedValue {
        name,
        before: text,
        after: MISSING.to_owned(),
    });
    let removed: Vec<ChangedValue> = removed.collect();
    let changed = after.into_iter().filter(|(name, text)| known.get(name) != Some(text)).map(|(name, text)| {
        let before = known.get(&name).cloned().unwrap_or_else(|| MISSING.to_owned());
        ChangedValue { name, before, after: text }
    });
    changed.chain(removed).collect()
}

fn changed_settings(a: &Model, b: &Model) -> Vec<ChangedValue> {
    let list = |model: &Model| {
        let options = model.options.values().map(|option| (option.id.replace('_', " "), option.value.to_string()));
        let params = model.params.values().map(|param| (param.id.replace('_', " "), param.value.to_string()));
        options.chain(params).collect()
    };
    changed_entries(list(a), list(b))
}

/// Compares the rows of components. A component that only one version has is reported once, with its count.
fn changed_components(a: &Model, b: &Model) -> Vec<ChangedValue> {
    let ids = |model: &Model| model.components.iter().map(|one| one.id.clone()).collect::<BTreeSet<_>>();
    let (ids_a, ids_b) = (ids(a), ids(b));
    let list = |model: &Model, other: &BTreeSet<Arc<str>>| {
        let each = model.components.iter().enumerate().flat_map(|(at, component)| {
            let mut facts = facts(model, component);
            // For a component that the other version lacks, only the count is listed.
            facts.truncate(if other.contains(&component.id) { facts.len() } else { 1 });
            let name = names::component(model, at as u16);
            facts.into_iter().map(move |(fact, text)| (format!("{name} {fact}"), text)).collect::<Vec<_>>()
        });
        each.collect()
    };
    changed_entries(list(a, &ids_b), list(b, &ids_a))
}

/// Returns the count of a component, then its fields, faces and alterations, each with its name.
fn facts(model: &Model, component: &Component) -> Vec<(String, String)> {
    let mut facts = vec![("count".to_owned(), component.count.to_string())];
    for (field, value) in &component.fields {
        facts.push((model.fields[field.index()].replace('_', " "), model.field_text(value)));
    }
    let faces: Vec<String> = component.faces.iter().map(|face| model.field_text(face)).collect();
    if !faces.is_empty() {
        facts.push(("faces".to_owned(), faces.join(", ")));
    }
    for alteration in &component.alters {
        let set = alteration.set.as_ref().map(|value| format!("set {}", model.field_text(value)));
        let multiply = (alteration.multiply != 1).then(|| format!("× {}", alteration.multiply));
        let add = (alteration.add != 0).then(|| format!("{:+}", alteration.add));
        let text: Vec<String> = [set, multiply, add].into_iter().flatten().collect();
        facts.push((format!("alters {}", alteration.what), text.join(", ")));
    }
    facts
}

fn changed_starts(a: &Model, b: &Model) -> Vec<ChangedValue> {
    let list = |model: &Model| {
        let numbers = model.values.iter().filter(|value| matches!(value.kind, ValueType::Number));
        numbers
            .map(|value| (format!("starting {}", value.name.get(Language::English)), value.start.to_string()))
            .collect()
    };
    changed_entries(list(a), list(b))
}

fn changed_files(a: &[Arc<Source>], b: &[Arc<Source>]) -> Vec<FileDiff> {
    let texts = |sources: &[Arc<Source>]| {
        let pairs = sources.iter().map(|source| (source.path.clone(), source.clone()));
        pairs.collect::<BTreeMap<_, _>>()
    };
    let (a, b) = (texts(a), texts(b));
    let paths: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let text = |source: Option<&Arc<Source>>| source.map_or_else(String::new, |source| source.text.clone());
    let diffs = paths.into_iter().map(|path| diff_file(path, &text(a.get(path)), &text(b.get(path))));
    diffs.filter(|diff| diff.added + diff.removed > 0).collect()
}

fn diff_file(path: &str, before: &str, after: &str) -> FileDiff {
    let mut found = FileDiff { path: path.to_owned(), added: 0, removed: 0, lines: Vec::new() };
    if before == after {
        return found;
    }
    let diff = TextDiff::from_lines(before, after);
    for (at, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if at > 0 {
            found.lines.push(DiffLine { tag: '@', text: "…".to_owned() });
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let tag = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            found.added += usize::from(tag == '+');
            found.removed += usize::from(tag == '-');
            found.lines.push(DiffLine { tag, text: change.value().trim_end_matches(['\r', '\n']).to_owned() });
        }
    }
    if found.lines.len() > MAX_LINES {
        found.lines.truncate(MAX_LINES);
        found.lines.push(DiffLine { tag: '@', text: "…".to_owned() });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_added_and_removed_lines_are_counted_with_their_context() {
        let diff = diff_file("rules/a.rhai", "one\ntwo\nthree\nfour\nfive\n", "one\ntwo\n3\nfour\nfive\nsix\n");
        assert_eq!((diff.added, diff.removed), (2, 1));
        let tags: String = diff.lines.iter().map(|line| line.tag).collect();
        assert_eq!(tags, "  -+  +");
    }

    #[test]
    fn entries_in_only_one_version_are_missing_in_the_other() {
        let entries = |list: &[(&str, &str)]| {
            list.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect::<Vec<_>>()
        };
        let found = changed_entries(entries(&[("a", "1"), ("b", "2")]), entries(&[("a", "3"), ("c", "4")]));
        let found: Vec<(&str, &str, &str)> = found.iter().map(|one| (&*one.name, &*one.before, &*one.after)).collect();
        assert_eq!(found, [("a", "1", "3"), ("c", MISSING, "4"), ("b", "2", MISSING)]);
    }
}

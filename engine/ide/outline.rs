//! Outlines of files, and ranges that can be folded.

use super::game_knowledge::GameKnowledge;
use super::game_knowledge::Meaning;
use crate::diagnostic::Role;
use crate::loader::DeclaredNameKind;
use crate::syntax::Node;
use std::ops::Range;

/// The kind of an outline entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntrySort {
    Section,
    Name(DeclaredNameKind),
    Scene,
}

/// An outline entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutlineEntry {
    /// Name of the entry.
    pub name: String,
    /// Kind of the entry.
    pub sort: EntrySort,
    /// Span of the whole entry.
    pub full_span: Range<usize>,
    /// Span of the name.
    pub span: Range<usize>,
}

/// Returns the outline of a file.
pub(crate) fn entries(known: &GameKnowledge, path: &str, text: &str) -> Vec<OutlineEntry> {
    let mut found: Vec<OutlineEntry> = Vec::new();
    if Role::of(path) == Some(Role::Play) {
        for (start, line) in lines(text) {
            if let Some(name) = scene_name(line) {
                let end = text[start..].find("\n}").map_or(text.len(), |at| start + at + 2);
                let span = start..start + line.trim_end().len();
                found.push(OutlineEntry { name: name.to_owned(), sort: EntrySort::Scene, full_span: start..end, span });
            }
        }
        return found;
    }
    for one in known.occurrences.iter().filter(|one| one.is_declared && one.place.source.path == path) {
        if let Meaning::Game(category) = one.meaning {
            let (span, full_span) = (one.place.span.clone(), one.full_place.span.clone());
            let full_span = full_span.start.min(span.start)..full_span.end.max(span.end);
            found.push(OutlineEntry { name: one.name.to_string(), sort: EntrySort::Name(category), full_span, span });
        }
    }
    if Role::of(path) == Some(Role::Game) {
        for (start, line) in lines(text).filter(|(_, line)| line.starts_with('[') && !line.contains('.')) {
            let name = line.trim().trim_matches(['[', ']']).to_owned();
            let span = start..start + line.trim_end().len();
            found.push(OutlineEntry { name, sort: EntrySort::Section, full_span: span.clone(), span });
        }
    }
    found.retain(|one| one.full_span.end <= text.len() && one.span.end <= text.len());
    found.sort_by_key(|one| one.span.start);
    found
}

/// Returns the name of the scene that starts on a line.
pub(super) fn scene_name(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("scene ")?;
    rest.split('"').nth(1)
}

/// Returns the lines of a text with their byte offsets.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    })
}

/// Returns the ranges of a file that can be folded: blocks of rules, tables of data, and scenes.
pub(crate) fn folding_ranges(known: &GameKnowledge, path: &str, text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    match Role::of(path) {
        Some(Role::Rules | Role::Agent) => {
            for function in known.rule_file(path).into_iter().flat_map(|file| &file.tree.functions) {
                found.push(function.span.range());
                function.each_node(&mut |node| {
                    if let Node::Block(block) = node {
                        found.push(block.span.range());
                    }
                });
            }
        }
        Some(Role::Play) => {
            let mut open: Vec<usize> = Vec::new();
            for (start, line) in lines(text) {
                let line = line.split("//").next().unwrap_or_default().trim();
                if line.ends_with('{') {
                    open.push(start);
                } else if line == "}"
                    && let Some(section_start) = open.pop()
                {
                    found.push(section_start..start + 1);
                }
            }
        }
        Some(_) => {
            let mut section_start: Option<usize> = None;
            let mut last = 0;
            for (start, line) in lines(text) {
                if line.starts_with('[') {
                    found.extend(section_start.take().map(|section_start| section_start..last));
                    section_start = Some(start);
                }
                if !line.trim().is_empty() && !line.starts_with('#') {
                    last = start + line.trim_end().len();
                }
            }
            found.extend(section_start.map(|section_start| section_start..last));
        }
        None => {}
    }
    found.retain(|span| span.end <= text.len() && text[span.clone()].contains('\n'));
    found.sort_by_key(|span| (span.start, span.end));
    found.dedup();
    found
}

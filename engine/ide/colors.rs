//! Semantic highlighting: a color for each name.

use super::game_knowledge::GameKnowledge;
use super::game_knowledge::Meaning;
use crate::loader::DeclaredNameKind;
use std::ops::Range;

/// Token types of the protocol, by color number.
pub(crate) const COLORS: [&str; 10] =
    ["class", "enumMember", "variable", "parameter", "property", "event", "type", "function", "method", "macro"];

/// A name with its color.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Colored {
    /// Span of the name.
    pub span: Range<usize>,
    /// Index into [`COLORS`].
    pub color: u32,
}

/// Returns the colors of the names in a file, in order.
pub(crate) fn colors(known: &GameKnowledge, path: &str) -> Vec<Colored> {
    let here = known.occurrences.iter().filter(|one| one.place.source.path == path && !one.place.span.is_empty());
    let mut found: Vec<Colored> =
        here.map(|one| Colored { span: one.place.span.clone(), color: color(one.meaning) }).collect();
    found.sort_by_key(|one| (one.span.start, one.span.end));
    // Semantic tokens must not overlap. If occurrences overlap, the first one wins.
    let mut end = 0;
    found.retain(|one| {
        let is_free = one.span.start >= end;
        if is_free {
            end = one.span.end;
        }
        is_free
    });
    found
}

fn color(meaning: Meaning) -> u32 {
    let name = match meaning {
        Meaning::Game(DeclaredNameKind::Zone) => "class",
        Meaning::Game(DeclaredNameKind::Param | DeclaredNameKind::Option) => "macro",
        Meaning::Game(DeclaredNameKind::Component) => "enumMember",
        Meaning::Game(DeclaredNameKind::Value | DeclaredNameKind::Field) => "property",
        Meaning::Game(DeclaredNameKind::Kind) => "type",
        Meaning::Game(DeclaredNameKind::Function) => "function",
        Meaning::Game(_) => "event",
        Meaning::Variable(_, true) => "parameter",
        Meaning::Variable(_, false) => "variable",
        Meaning::Library => "method",
    };
    COLORS.iter().position(|color| *color == name).unwrap_or_default() as u32
}

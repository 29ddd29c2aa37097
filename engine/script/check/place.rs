//! Where a word of a script stands: the script engine gives the beginning of things, and sometimes of their neighbors.

use crate::diagnostic::{Place, Source};
use rhai::Position;
use std::sync::Arc;

/// The place of a name at, or near, a position.
pub(super) fn of_name(source: &Arc<Source>, at: Position, name: &str) -> Place {
    let place = at_position(source, at);
    if source.text[place.span.clone()] == *name {
        return place;
    }
    let line_end = source.text[place.span.start..].find('\n').map_or(source.text.len(), |end| place.span.start + end);
    let line_start = source.text[..place.span.start].rfind('\n').map_or(0, |newline| newline + 1);
    find(source, name, place.span.start, line_end).or_else(|| find(source, name, line_start, line_end)).unwrap_or(place)
}

/// The place of whatever stands at a position.
pub(super) fn at_position(source: &Arc<Source>, at: Position) -> Place {
    Place::at(source, at.line().unwrap_or(1), at.position().unwrap_or(1))
}

/// Where a name first stands between two bytes.
pub(super) fn find(source: &Arc<Source>, name: &str, from: usize, to: usize) -> Option<Place> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let text = &source.text[from..to];
    let found = text
        .match_indices(name)
        .find(|(at, _)| !text[..*at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part));
    found.map(|(at, _)| Place { source: source.clone(), span: from + at..from + at + name.len() })
}

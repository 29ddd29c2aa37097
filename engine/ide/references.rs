//! Finds definitions and references.

use super::game_knowledge::GameKnowledge;
use super::game_knowledge::{Meaning, Occurrence};
use crate::diagnostic::Place;
use crate::loader::DeclaredNameKind;

/// Returns whether two occurrences refer to the same declaration.
pub(super) fn is_same(one: &Occurrence, other: &Occurrence) -> bool {
    if one.name != other.name || one.meaning != other.meaning {
        return false;
    }
    // Variables are identified by the span of their declaration, which is unique only within a file.
    !matches!(one.meaning, Meaning::Variable(..)) || one.place.source.path == other.place.source.path
}

/// Returns the places where the name at a byte offset is declared.
pub(crate) fn definition(known: &GameKnowledge, path: &str, at: usize) -> Vec<Place> {
    let Some(here) = known.occurrence_at(path, at) else { return Vec::new() };
    let mut found: Vec<Place> = known
        .occurrences
        .iter()
        .filter(|one| one.is_declared && is_same(one, here))
        .map(|one| one.place.clone())
        .collect();
    // A field need not be declared. Its first occurrence in the data stands for the declaration.
    if found.is_empty() && here.meaning == Meaning::Game(DeclaredNameKind::Field) {
        let first = known.occurrences.iter().find(|one| is_same(one, here) && !one.place.source.is_script());
        found.extend(first.map(|one| one.place.clone()));
    }
    if found.is_empty() && here.meaning == Meaning::Game(DeclaredNameKind::Kind) {
        let first = known.occurrences.iter().find(|one| is_same(one, here));
        found.extend(first.map(|one| one.place.clone()));
    }
    found
}

/// Returns the places of all references to the name at a byte offset. Declarations are included if `with_declaration` is true.
pub(crate) fn references(known: &GameKnowledge, path: &str, at: usize, with_declaration: bool) -> Vec<Place> {
    let Some(here) = known.occurrence_at(path, at) else { return Vec::new() };
    let all = known.occurrences.iter().filter(|one| is_same(one, here) && (with_declaration || !one.is_declared));
    let mut found: Vec<Place> = Vec::new();
    for one in all {
        if !found.contains(&one.place) {
            found.push(one.place.clone());
        }
    }
    found
}

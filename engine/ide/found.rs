//! Where something is declared, and where it is used.

use super::knowledge::GameKnowledge;
use super::knowledge::{Meaning, Occurrence};
use crate::diagnostic::Place;
use crate::loader::NameOf;

/// Whether two names stand for the same thing.
pub(super) fn is_same(one: &Occurrence, other: &Occurrence) -> bool {
    if one.name != other.name || one.meaning != other.meaning {
        return false;
    }
    // A variable is known by where it got its name, which says nothing in another file.
    !matches!(one.meaning, Meaning::Variable(..)) || one.place.source.path == other.place.source.path
}

/// Where what is named at a byte of a file is declared.
pub(crate) fn definition(known: &GameKnowledge, path: &str, at: usize) -> Vec<Place> {
    let Some(here) = known.at(path, at) else { return Vec::new() };
    let mut found: Vec<Place> = known
        .occurrences
        .iter()
        .filter(|one| one.is_declared && is_same(one, here))
        .map(|one| one.place.clone())
        .collect();
    // A field is declared by the rows that have it, unless its kind says more.
    if found.is_empty() && here.meaning == Meaning::Game(NameOf::Field) {
        let first = known.occurrences.iter().find(|one| is_same(one, here) && !one.place.source.is_script());
        found.extend(first.map(|one| one.place.clone()));
    }
    if found.is_empty() && here.meaning == Meaning::Game(NameOf::Kind) {
        let first = known.occurrences.iter().find(|one| is_same(one, here));
        found.extend(first.map(|one| one.place.clone()));
    }
    found
}

/// Every place that names what is named at a byte of a file.
pub(crate) fn references(known: &GameKnowledge, path: &str, at: usize, with_declaration: bool) -> Vec<Place> {
    let Some(here) = known.at(path, at) else { return Vec::new() };
    let all = known.occurrences.iter().filter(|one| is_same(one, here) && (with_declaration || !one.is_declared));
    let mut found: Vec<Place> = Vec::new();
    for one in all {
        if !found.contains(&one.place) {
            found.push(one.place.clone());
        }
    }
    found
}

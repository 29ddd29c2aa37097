//! Games that failed, gathered by what went wrong where.

use crate::diagnostic::Diagnostic;

/// Faults of one sort at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultGroup {
    /// The first of them.
    pub first: Diagnostic,
    /// Which game it happened in, from 0.
    pub game: u64,
    /// The seed of that game.
    pub seed: u64,
    /// How many games had it.
    pub count: u64,
}

impl FaultGroup {
    /// Where it happened, as `path:line:column`; nothing for what has no place.
    pub fn place(&self) -> Option<String> {
        place(&self.first)
    }

    /// Whether another fault is of the same sort.
    pub(super) fn is_like(&self, other: &Diagnostic) -> bool {
        let same_place = place(&self.first) == place(other);
        self.first.code == other.code && same_place && (place(other).is_some() || self.first.message == other.message)
    }
}

fn place(diagnostic: &Diagnostic) -> Option<String> {
    let place = &diagnostic.marks.first()?.place;
    let (line, column) = place.line_column();
    Some(format!("{}:{line}:{column}", place.source.path))
}

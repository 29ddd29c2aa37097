//! Which function of the library a call means: resolved once for a name and a number of arguments, then by the type of the
//! first argument.

use super::native::Entry;
use crate::decision::{Type, Value};

/// The functions that a call may mean.
#[derive(Debug, Default)]
pub(crate) struct Dispatch {
    /// For each type of a first argument where its candidates lie.
    ranges: [(u16, u16); Type::COUNT],
    /// By number in the library: those that say more exactly what they take come first.
    candidates: Vec<u16>,
}

impl Dispatch {
    /// The choice among functions that all take so many arguments, each with its number.
    pub(crate) fn new<'e>(entries: impl IntoIterator<Item = (usize, &'e Entry)>) -> Self {
        let mut entries: Vec<(usize, &Entry)> = entries.into_iter().collect();
        entries.sort_by_key(|(_, entry)| entry.word.types.iter().filter(|kind| **kind == Type::Any).count());
        let mut found = Self::default();
        for kind in Type::ALL {
            let start = found.candidates.len() as u16;
            let takes = |entry: &Entry| entry.word.types.first().is_none_or(|first| [kind, Type::Any].contains(first));
            found.candidates.extend(entries.iter().filter(|(_, entry)| takes(entry)).map(|(at, _)| *at as u16));
            found.ranges[kind as usize] = (start, found.candidates.len() as u16);
        }
        found
    }

    /// The number of the function that takes such values, if one does.
    #[inline]
    pub(crate) fn find(&self, entries: &[Entry], given: &[Value]) -> Option<usize> {
        let first = given.first().map_or(Type::Nothing, Value::sort);
        let (start, end) = self.ranges[first as usize];
        let candidates = &self.candidates[usize::from(start)..usize::from(end)];
        let fits = |at: &&u16| {
            let types = &entries[usize::from(**at)].word.types;
            types.iter().zip(given).all(|(kind, one)| takes(*kind, one))
        };
        candidates.iter().find(fits).map(|at| usize::from(*at))
    }
}

/// Whether a parameter of some type takes a value.
fn takes(kind: Type, value: &Value) -> bool {
    kind == Type::Any || value.sort() == kind
}

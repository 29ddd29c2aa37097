//! Overload resolution. A name and a number of arguments are resolved once; the types of the arguments are resolved at
//! each call.

#![allow(clippy::inline_always, reason = "each call of the rules goes through it")]

use super::native::Native;
use crate::decision::{Type, Value};
use std::num::NonZeroU16;

/// The overloads for a name and a number of arguments.
#[derive(Debug, Default)]
pub(crate) struct Dispatch {
    /// For each type of the first argument: the index of the overload plus one, if there is only one and its other
    /// parameters accept anything.
    only: [Option<NonZeroU16>; Type::COUNT],
    /// For each type of the first argument, the range of its candidates.
    ranges: [(u16, u16); Type::COUNT],
    /// Candidates of all types. More specific ones come first.
    candidates: Vec<Candidate>,
}

/// An overload that accepts the type of the first argument.
#[derive(Debug, Clone)]
struct Candidate {
    /// Index in the library.
    at: u16,
    /// Number of parameters after the first.
    count: u8,
    /// Types of these parameters.
    others: [Type; MAX_OTHER_PARAMS],
}

/// Maximum number of parameters after the first.
const MAX_OTHER_PARAMS: usize = 5;

impl Candidate {
    fn new(at: usize, native: &Native) -> Self {
        let types = native.entry.types.get(1..).unwrap_or_default();
        let mut others = [Type::Any; MAX_OTHER_PARAMS];
        others[..types.len()].copy_from_slice(types);
        Self { at: at as u16, count: types.len() as u8, others }
    }

    /// Returns the index plus one if the parameters after the first accept any type, so that the first argument
    /// decides.
    fn if_first_decides(&self) -> Option<NonZeroU16> {
        let takes_all = self.others[..usize::from(self.count)].iter().all(|kind| *kind == Type::Any);
        if takes_all { NonZeroU16::new(self.at + 1) } else { None }
    }

    /// Returns whether the arguments after the first are accepted.
    #[inline(always)]
    fn takes(&self, given: &[Value]) -> bool {
        let types = &self.others[..usize::from(self.count)];
        types.iter().zip(given.iter().skip(1)).all(|(kind, one)| *kind == Type::Any || *kind == one.sort())
    }
}

impl Dispatch {
    /// Creates the resolution for overloads with the same number of parameters. Each comes with its index.
    pub(crate) fn new<'e>(entries: impl IntoIterator<Item = (usize, &'e Native)>) -> Self {
        let mut entries: Vec<(usize, &Native)> = entries.into_iter().collect();
        // An overload with fewer `Any` parameters is more specific and must be tried first.
        entries.sort_by_key(|(_, native)| native.entry.types.iter().filter(|kind| **kind == Type::Any).count());
        let mut found = Self::default();
        for kind in Type::ALL {
            let start = found.candidates.len() as u16;
            let takes =
                |native: &Native| native.entry.types.first().is_none_or(|first| [kind, Type::Any].contains(first));
            let candidates = entries.iter().filter(|(_, native)| takes(native));
            found.candidates.extend(candidates.map(|(at, native)| Candidate::new(*at, native)));
            found.ranges[kind as usize] = (start, found.candidates.len() as u16);
            if let [only] = &found.candidates[usize::from(start)..] {
                found.only[kind as usize] = only.if_first_decides();
            }
        }
        found
    }

    /// Returns the index of the overload that accepts the arguments.
    #[inline(always)]
    pub(crate) fn find(&self, given: &[Value]) -> Option<usize> {
        let first = given.first().map_or(Type::Nothing, Value::sort);
        if let Some(only) = self.only[first as usize] {
            return Some(usize::from(only.get()) - 1);
        }
        let (start, end) = self.ranges[first as usize];
        let candidates = &self.candidates[usize::from(start)..usize::from(end)];
        candidates.iter().find(|candidate| candidate.takes(given)).map(|candidate| usize::from(candidate.at))
    }
}

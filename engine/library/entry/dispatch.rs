//! Which function of the library a call means: resolved once for a name and a number of arguments, then by the type of the
//! first argument.

#![allow(clippy::inline_always, reason = "each call of the rules goes through it")]

use super::native::Native;
use crate::decision::{Type, Value};
use std::num::NonZeroU16;

/// The functions that a call may mean.
#[derive(Debug, Default)]
pub(crate) struct Dispatch {
    /// For each type of a first argument the number of the only function and one, where the first argument alone decides.
    only: [Option<NonZeroU16>; Type::COUNT],
    /// For each type of a first argument where its candidates lie.
    ranges: [(u16, u16); Type::COUNT],
    /// Those that say more exactly what they take come first.
    candidates: Vec<Candidate>,
}

/// A function that a call may mean, where the first argument is of a type that it takes.
#[derive(Debug, Clone)]
struct Candidate {
    /// Its number in the library.
    at: u16,
    /// How many parameters there are behind the first.
    count: u8,
    /// Their types.
    more: [Type; MOST_MORE],
}

/// The most parameters behind the first.
const MOST_MORE: usize = 5;

impl Candidate {
    fn new(at: usize, native: &Native) -> Self {
        let types = native.entry.types.get(1..).unwrap_or_default();
        let mut more = [Type::Any; MOST_MORE];
        more[..types.len()].copy_from_slice(types);
        Self { at: at as u16, count: types.len() as u8, more }
    }

    /// Its number and one, where it takes anything behind the first argument.
    fn if_first_decides(&self) -> Option<NonZeroU16> {
        let takes_all = self.more[..usize::from(self.count)].iter().all(|kind| *kind == Type::Any);
        if takes_all { NonZeroU16::new(self.at + 1) } else { None }
    }

    /// Whether it takes what stands behind the first argument.
    #[inline(always)]
    fn takes(&self, given: &[Value]) -> bool {
        let types = &self.more[..usize::from(self.count)];
        types.iter().zip(given.iter().skip(1)).all(|(kind, one)| *kind == Type::Any || *kind == one.sort())
    }
}

impl Dispatch {
    /// The choice among functions that all take so many arguments, each with its number.
    pub(crate) fn new<'e>(entries: impl IntoIterator<Item = (usize, &'e Native)>) -> Self {
        let mut entries: Vec<(usize, &Native)> = entries.into_iter().collect();
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

    /// The number of the function that takes such values, if one does.
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

//! Overload resolution. The name and the number of arguments of a call are resolved once; the types of the arguments are checked at each
//! call, where necessary.

#![allow(clippy::inline_always, reason = "each call of the rules goes through it")]

use super::native::Native;
use crate::decision::{Type, Value};
use std::num::NonZeroU16;

/// Overloads with the same name and number of arguments.
#[derive(Debug, Default)]
pub(crate) struct Dispatch {
    /// For each type of the first argument, the index plus one of the overload that accepts every such call. `None` if there is not exactly
    /// one candidate, or if the types of the other arguments must be checked.
    only: [Option<NonZeroU16>; Type::COUNT],
    /// For each type of the first argument, the range of its candidates.
    ranges: [(u16, u16); Type::COUNT],
    /// Candidates for all types of the first argument, grouped by that type. In each group, more specific candidates come first.
    candidates: Vec<Candidate>,
}

/// An overload whose first parameter accepts the type of the first argument.
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

    /// Returns the candidate's index plus one if the parameters after the first accept all arguments, so that the first argument alone
    /// selects the overload. `texts` is a bit mask of the arguments that are known to be strings.
    fn if_first_decides(&self, texts: u8) -> Option<NonZeroU16> {
        let is_text = |other: usize| texts >> (other + 1) & 1 == 1;
        let takes = |(other, kind): (usize, &Type)| *kind == Type::Any || *kind == Type::Text && is_text(other);
        let takes_all = self.others[..usize::from(self.count)].iter().enumerate().all(takes);
        if takes_all { NonZeroU16::new(self.at + 1) } else { None }
    }

    /// Returns whether the candidate accepts the arguments after the first.
    #[inline(always)]
    fn takes(&self, given: &[Value]) -> bool {
        let types = &self.others[..usize::from(self.count)];
        types.iter().zip(given.iter().skip(1)).all(|(kind, one)| *kind == Type::Any || *kind == one.sort())
    }
}

impl Dispatch {
    /// Creates the dispatch for overloads with the same number of parameters, each given with its index in the library. `texts` is a bit
    /// mask of the arguments that are known to be strings.
    pub(crate) fn new<'e>(entries: impl IntoIterator<Item = (usize, &'e Native)>, texts: u8) -> Self {
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
                found.only[kind as usize] = only.if_first_decides(texts);
            }
        }
        found
    }

    /// Returns whether an overload accepts all calls whose first argument has the type `first`.
    pub(crate) fn is_decided_by(&self, first: Type) -> bool {
        self.only[first as usize].is_some()
    }

    /// Returns the index of the overload that accepts the arguments; `None` if no overload does.
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

#[cfg(test)]
mod tests {
    use crate::decision::Value;
    use crate::library::is_piece_query;
    use crate::library::registry;
    use crate::model::{Seat, ZoneId};

    #[test]
    fn a_call_with_literal_texts_means_the_same_overload() {
        let (zone, word) = (Value::from(ZoneId(0)), || Value::text("suit"));
        let seats = Value::Seats([Seat(0)].into_iter().collect());
        for (name, first, others) in [
            ("where", zone.clone(), vec![word(), Value::Number(1)]),
            ("where", seats.clone(), vec![word(), word(), Value::Number(1)]),
            ("sum", seats, vec![word()]),
            ("count", zone, vec![word(), Value::Number(1)]),
            ("count", word(), vec![word(), Value::Number(1)]),
            ("total", word(), vec![]),
        ] {
            let given: Vec<Value> = std::iter::once(first).chain(others).collect();
            let is_text = |(at, one): (usize, &Value)| u8::from(matches!(one, Value::Text(_))) << at;
            let texts = given.iter().enumerate().map(is_text).sum();
            let plain = registry().dispatch(crate::library::Form::Function, name, given.len());
            let of_call = registry().dispatch_of_call(name, given.len(), texts);
            assert_eq!(of_call.find(&given), plain.find(&given), "{name}");
            assert_eq!(
                of_call.find(&given).is_some(),
                !matches!((name, &given[0]), ("count", Value::Text(_))),
                "{name}"
            );
        }
    }

    #[test]
    fn a_query_of_pieces_is_a_call_that_cannot_fail_by_its_types() {
        for (name, arguments, texts, is_query) in [
            ("where", 3, 0b10, true),
            ("where", 3, 0b00, false),
            ("where", 4, 0b110, true),
            ("where", 4, 0b010, false),
            ("is_empty", 1, 0, true),
            ("count", 2, 0b10, false),
            ("first", 1, 0, false),
            ("take", 2, 0, false),
        ] {
            assert_eq!(is_piece_query(name, arguments, texts), is_query, "{name} {arguments}");
        }
    }
}

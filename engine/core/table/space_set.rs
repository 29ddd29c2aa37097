//! Set of spaces as a bitmap, so that scans over mostly empty or mostly full zones skip 64 spaces at once.

use super::grid::ranked_bits::{lowest_bits, set_bits};
use crate::model::SpaceId;
use smallvec::{SmallVec, smallvec};
use std::ops::Range;

/// A set of spaces of one game: one bit for each space, indexed by its id. Sets of up to 256 spaces need no allocation, which keeps copies
/// of small tables cheap.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::table) struct SpaceSet(SmallVec<[u64; 4]>);

impl Clone for SpaceSet {
    /// Copies all words at once. The derived implementation would copy them one by one.
    fn clone(&self) -> Self {
        Self(SmallVec::from_slice(&self.0))
    }
}

impl SpaceSet {
    /// Creates an empty set for a game with `count` spaces.
    pub(in crate::table) fn new(count: usize) -> Self {
        Self(smallvec![0; count.div_ceil(u64::BITS as usize)])
    }

    /// Returns whether the set contains a space.
    #[inline]
    pub(in crate::table) fn contains(&self, space: SpaceId) -> bool {
        self.0[space.index() / 64] >> (space.0 % 64) & 1 != 0
    }

    /// Adds a space.
    #[inline]
    pub(in crate::table) fn insert(&mut self, space: SpaceId) {
        self.0[space.index() / 64] |= 1 << (space.0 % 64);
    }

    /// Removes a space.
    #[inline]
    pub(in crate::table) fn remove(&mut self, space: SpaceId) {
        self.0[space.index() / 64] &= !(1 << (space.0 % 64));
    }

    /// Returns the first member whose id is at least `start`.
    #[inline]
    pub(in crate::table) fn first_from(&self, start: u16) -> Option<SpaceId> {
        let (at, shift) = (usize::from(start) / 64, start % 64);
        let mut word = self.0.get(at)? >> shift << shift;
        let mut at = at;
        while word == 0 {
            at += 1;
            word = *self.0.get(at)?;
        }
        Some(SpaceId((at * 64) as u16 + word.trailing_zeros() as u16))
    }

    /// Iterates over the members with ids in `range`, in order.
    #[inline]
    pub(in crate::table) fn iter_in(&self, range: Range<u16>) -> impl Iterator<Item = SpaceId> + '_ {
        self.words_in(range, 0).flat_map(spaces)
    }

    /// Iterates over the spaces with ids in `range` that are not members, in order.
    #[inline]
    pub(in crate::table) fn gaps_in(&self, range: Range<u16>) -> impl Iterator<Item = SpaceId> + '_ {
        self.words_in(range, u64::MAX).flat_map(spaces)
    }

    /// Returns the member in `range` with the largest id.
    pub(in crate::table) fn last_in(&self, range: Range<u16>) -> Option<SpaceId> {
        let last = |(first, word): (u16, u64)| SpaceId(first + (u64::BITS - 1 - word.leading_zeros()) as u16);
        self.words_in(range, 0).filter(|(_, word)| *word != 0).map(last).last()
    }

    /// Returns the exclusive or of `flip` and each word that overlaps `range`, with the id of the word's first bit. Bits outside `range`
    /// are cleared.
    #[inline]
    fn words_in(&self, range: Range<u16>, flip: u64) -> impl Iterator<Item = (u16, u64)> + '_ {
        let (start, end) = (usize::from(range.start), usize::from(range.end));
        let words = start / 64..end.div_ceil(64).max(start / 64);
        words.map(move |at| {
            let first = at * 64;
            let below = lowest_bits(start.saturating_sub(first));
            (first as u16, (self.0[at] ^ flip) & lowest_bits(end - first) & !below)
        })
    }
}

/// Iterates over the spaces whose bits are set in `word`. `first` is the id of the space at bit 0.
fn spaces((first, word): (u16, u64)) -> impl Iterator<Item = SpaceId> {
    set_bits(word).map(move |bit| SpaceId(first + bit as u16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_gaps_of_every_range_match_a_plain_list() {
        let members = [0, 1, 5, 63, 64, 70, 127, 128, 191];
        let mut set = SpaceSet::new(200);
        for space in members {
            set.insert(SpaceId(space));
        }
        set.insert(SpaceId(199));
        set.remove(SpaceId(199));
        for start in 0..=200 {
            for end in start..=200 {
                let range = start..end;
                let inside: Vec<u16> = range.clone().filter(|space| members.contains(space)).collect();
                let outside: Vec<u16> = range.clone().filter(|space| !members.contains(space)).collect();
                assert!(set.iter_in(range.clone()).map(|space| space.0).eq(inside.iter().copied()), "{range:?}");
                assert!(set.gaps_in(range.clone()).map(|space| space.0).eq(outside), "{range:?}");
                assert_eq!(
                    set.first_from(start).map(|space| space.0),
                    members.into_iter().find(|space| *space >= start)
                );
                assert_eq!(set.last_in(range.clone()).map(|space| space.0), inside.last().copied(), "{range:?}");
            }
        }
        assert!((0..200).all(|space| set.contains(SpaceId(space)) == members.contains(&space)));
    }
}

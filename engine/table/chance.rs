//! The randomness of a table. Shuffles and bounded draws are ours, so that no update of a library changes a recorded
//! game; the vectors in the tests below are pinned.
//!
//! Every use of chance at a table is an event of a named stream (the shuffles of a zone, the throws of a die), and an event
//! depends on the seed, the stream's name and its number alone. A rule that throws another die too, or shuffles a deck of one
//! card more, leaves all other luck as it was: two versions of a game can be compared on the same luck.

use crate::model::{ComponentId, Seat, SpaceId, ZoneId};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use smallvec::SmallVec;
use std::sync::LazyLock;

/// A stream of random numbers that depends on a seed and a name alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chance {
    base: u64,
    core: Xoshiro256PlusPlus,
    /// How many events each stream has had.
    events: SmallVec<[(Stream, u32); 4]>,
    fixed: Option<Box<Fixed>>,
}

/// A named stream of events: the shuffles of a zone, the throws of a die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream(u64);

impl Stream {
    /// Which seat begins.
    pub const FIRST: Self = Self::named("first");
    /// Throws of no particular die: a stream for each number of sides.
    pub const ROLL: Self = Self::named("roll");
    /// Draws from lists.
    pub const DRAW: Self = Self::named("lot");

    /// The stream with a name (FNV-1a).
    pub const fn named(name: &str) -> Self {
        let bytes = name.as_bytes();
        let (mut hash, mut at) = (0xcbf2_9ce4_8422_2325_u64, 0);
        while at < bytes.len() {
            hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
            at += 1;
        }
        Self(hash)
    }

    /// The stream of a name that has been hashed already.
    pub(super) const fn hashed(name: u64) -> Self {
        Self(name)
    }

    /// The stream of one of several things, within a stream.
    #[must_use]
    pub const fn of(self, thing: Self) -> Self {
        Self(mixed(self.0 ^ thing.0.rotate_left(32)))
    }

    /// The stream of the n-th of alike things, within a stream.
    #[must_use]
    pub const fn number(self, number: u32) -> Self {
        Self(mixed(self.0.wrapping_add(number as u64)))
    }

    /// A number that puts things in a random order under an event.
    pub(super) const fn rank(self) -> u64 {
        self.0
    }
}

/// The finalizer of `SplitMix64` (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
const fn mixed(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// The result of a throw that is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thrown {
    /// A number: of a die without numbers its face, from 1.
    Number(i64),
    /// A face of a die, from 0.
    Face(u8),
}

/// Results of chance that are given instead of drawn: for scripted games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fixed {
    /// The next numbers thrown, in order; each with the die it is for, if it is for one.
    pub rolls: Vec<(Option<ComponentId>, Thrown)>,
    /// What lies on top after the next shuffle of a space, topmost first.
    pub shuffles: Vec<(SpaceId, Vec<ComponentId>)>,
    /// What is drawn at random next, in order; each with the zone it is drawn from, if it is from one.
    pub draws: Vec<(Option<ZoneId>, ComponentId)>,
    /// The seat that begins.
    pub first: Option<Seat>,
}

impl Fixed {
    /// Whether everything given has been used.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Chance {
    /// The stream with a name under a seed: streams with different names are independent of each other.
    pub fn new(seed: u64, stream: &str) -> Self {
        // What follows from the context alone is the same for every stream.
        static EMPTY: LazyLock<blake3::Hasher> = LazyLock::new(|| blake3::Hasher::new_derive_key("parlour chance 1"));
        let mut hasher = EMPTY.clone();
        hasher.update(&seed.to_le_bytes());
        hasher.update(stream.as_bytes());
        Self::seeded(*hasher.finalize().as_bytes())
    }

    fn seeded(seed: [u8; 32]) -> Self {
        let base = u64::from_le_bytes(seed[..8].try_into().expect("a seed has 32 bytes"));
        Self { base, core: Xoshiro256PlusPlus::from_seed(seed), events: SmallVec::new(), fixed: None }
    }

    /// The next event of a stream, as a stream of random numbers of its own.
    #[must_use]
    pub fn event(&mut self, stream: Stream) -> Self {
        let base = self.event_bits(stream).0;
        let core = Xoshiro256PlusPlus::seed_from_u64(base);
        Self { base, core, events: SmallVec::new(), fixed: None }
    }

    /// The next event of a stream, as a stream that things can be ordered by.
    pub(super) fn event_bits(&mut self, stream: Stream) -> Stream {
        let at = self.events.iter().position(|(known, _)| *known == stream).unwrap_or_else(|| {
            self.events.push((stream, 0));
            self.events.len() - 1
        });
        let number = self.events[at].1;
        self.events[at].1 += 1;
        Stream(mixed(self.base)).of(stream).number(number)
    }

    /// A new stream that depends on this one, which goes on.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        let mut seed = [0; 32];
        for part in seed.chunks_exact_mut(8) {
            part.copy_from_slice(&self.next_bits().to_le_bytes());
        }
        Self::seeded(seed)
    }

    /// The next 64 bits.
    pub fn next_bits(&mut self) -> u64 {
        self.core.next_u64()
    }

    /// A number from 0 up to but not including `bound`, each equally likely.
    ///
    /// Multiply-shift with rejection, after Lemire, "Fast Random Integer Generation in an Interval" (2019).
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a draw needs something to draw from");
        loop {
            let product = u64::from((self.next_bits() >> 32) as u32) * u64::from(bound);
            if product as u32 >= bound.wrapping_neg() % bound {
                return (product >> 32) as u32;
            }
        }
    }

    /// Like [`below`](Self::below), but for larger bounds too; up to 32 bits it returns the same.
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below_wide(&mut self, bound: u64) -> u64 {
        if let Ok(bound) = u32::try_from(bound) {
            return self.below(bound).into();
        }
        let mask = u64::MAX >> (bound - 1).leading_zeros();
        loop {
            let drawn = self.next_bits() & mask;
            if drawn < bound {
                return drawn;
            }
        }
    }

    /// The results given instead of drawn that are still to come.
    pub fn fixed(&self) -> Option<&Fixed> {
        self.fixed.as_deref()
    }

    /// Changes the results given instead of drawn.
    pub fn fix(&mut self) -> &mut Fixed {
        self.fixed.get_or_insert_default()
    }

    /// Replaces the results given instead of drawn.
    pub fn set_fixed(&mut self, fixed: Option<Box<Fixed>>) {
        self.fixed = fixed;
    }

    /// The next number thrown, if it is given: with a die, or by number alone.
    pub fn fixed_roll(&mut self, die: Option<ComponentId>) -> Option<Thrown> {
        take_first(&mut self.fixed.as_mut()?.rolls, die)
    }

    /// What is drawn at random next, if it is given: from a zone, or from anywhere.
    pub fn fixed_draw(&mut self, zone: Option<ZoneId>) -> Option<ComponentId> {
        take_first(&mut self.fixed.as_mut()?.draws, zone)
    }

    /// The seat that begins, if it is given.
    pub fn fixed_first(&mut self) -> Option<Seat> {
        self.fixed.as_mut()?.first.take()
    }

    /// What lies on top after the next shuffle of a space, if it is given.
    pub(super) fn fixed_shuffle(&mut self, space: SpaceId) -> Option<Vec<ComponentId>> {
        let shuffles = &mut self.fixed.as_mut()?.shuffles;
        let at = shuffles.iter().position(|(known, _)| *known == space)?;
        Some(shuffles.remove(at).1)
    }

    /// Puts a list in a random order (Fisher and Yates, from the end).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            list.swap(last, other);
        }
    }
}

/// Takes the first entry out that is meant for this, or for anything.
fn take_first<K: Copy + PartialEq, T>(given: &mut Vec<(Option<K>, T)>, wanted: Option<K>) -> Option<T> {
    let at = given.iter().position(|(meant, _)| meant.is_none() || *meant == wanted)?;
    Some(given.remove(at).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut chance = Chance::new(7, "table");
        let drawn: Vec<u32> = (0..8).map(|_| chance.below(100)).collect();
        assert_eq!(drawn, PINNED_DRAWS);
        let mut list: Vec<u8> = (0..10).collect();
        chance.shuffle(&mut list);
        assert_eq!(list, PINNED_SHUFFLE);
    }

    const PINNED_DRAWS: [u32; 8] = [54, 73, 54, 54, 3, 96, 76, 72];
    const PINNED_SHUFFLE: [u8; 10] = [6, 2, 8, 1, 7, 4, 5, 3, 9, 0];

    #[test]
    fn the_events_of_a_stream_never_change_whatever_other_streams_do() {
        let mut alone = Chance::new(7, "table");
        let mut beside = Chance::new(7, "table");
        let first: Vec<u32> = (0..4).map(|_| alone.event(Stream::ROLL).below(6)).collect();
        let second: Vec<u32> = (0..4)
            .map(|_| {
                beside.event(Stream::DRAW).below(9);
                beside.next_bits();
                beside.event(Stream::ROLL).below(6)
            })
            .collect();
        assert_eq!(first, PINNED_ROLLS);
        assert_eq!(second, PINNED_ROLLS);
    }

    const PINNED_ROLLS: [u32; 4] = [2, 2, 0, 4];

    #[test]
    fn streams_with_other_names_or_seeds_differ() {
        let first = |seed, name| Chance::new(seed, name).next_bits();
        assert_ne!(first(7, "table"), first(7, "agent"));
        assert_ne!(first(7, "table"), first(8, "table"));
    }

    #[test]
    fn numbers_below_large_bounds_reach_both_halves() {
        let mut chance = Chance::new(1, "wide");
        let bound = 1_u64 << 40;
        let high = (0..10_000).filter(|_| chance.below_wide(bound) >= bound / 2).count();
        assert!((4_800..5_200).contains(&high), "{high}");
        assert!((0..1_000).all(|_| chance.below_wide(bound + 1) <= bound));
    }

    #[test]
    fn every_number_below_the_bound_is_about_equally_likely() {
        let mut chance = Chance::new(1, "even");
        let mut seen = [0_u32; 6];
        for _ in 0..60_000 {
            seen[chance.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (9_500..10_500).contains(count)), "{seen:?}");
    }
}

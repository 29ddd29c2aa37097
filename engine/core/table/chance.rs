//! Randomness of a table: random events in named streams.
//!
//! Shuffles and bounded draws are implemented here, so that no update of a library can change a recorded game. The
//! tests below pin their results.
//!
//! Every random event at a table belongs to a stream, such as the shuffles of a zone or the throws of a die. Its result
//! depends only on the seed, the name of the stream, and its index in the stream. If the rules throw another die, or
//! shuffle a deck with one more card, all other results thus stay the same. Two versions of a game can therefore be
//! compared on common random numbers.

use crate::model::{ComponentId, Seat, SpaceId, ZoneId};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use smallvec::SmallVec;
use std::cell::RefCell;

/// Random number generator, determined by a seed and a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chance {
    base: u64,
    core: Xoshiro256PlusPlus,
    /// Number of events so far in each stream.
    events: SmallVec<[(Stream, u32); 4]>,
    fixed: Option<Box<Fixed>>,
}

/// Hash of the name of a stream of events, such as the shuffles of a zone or the throws of a die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream(u64);

impl Stream {
    /// Stream for drawing the seat that goes first.
    pub const FIRST: Self = Self::from_name("first");
    /// Stream for throws without a particular die. [`nth_substream`](Self::nth_substream) derives a stream for each number of sides.
    pub const ROLL: Self = Self::from_name("roll");
    /// Stream for draws from lists.
    pub const DRAW: Self = Self::from_name("lot");

    /// Returns the stream called `name`. Its value is the FNV-1a hash of the name.
    pub const fn from_name(name: &str) -> Self {
        let bytes = name.as_bytes();
        let (mut hash, mut at) = (0xcbf2_9ce4_8422_2325_u64, 0);
        while at < bytes.len() {
            hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
            at += 1;
        }
        Self(hash)
    }

    /// Creates a stream from the hash of its name.
    pub(super) const fn from_hash(name: u64) -> Self {
        Self(name)
    }

    /// Derives the substream for an object, such as a space, a die or a piece. `thing` is the stream of this object.
    #[must_use]
    pub const fn substream(self, thing: Self) -> Self {
        Self(mix_bits(self.0 ^ thing.0.rotate_left(32)))
    }

    /// Derives the substream with the given number.
    #[must_use]
    pub const fn nth_substream(self, number: u32) -> Self {
        Self(mix_bits(self.0.wrapping_add(number as u64)))
    }

    /// Returns the stream's hash as a random sort key.
    pub(super) const fn rank(self) -> u64 {
        self.0
    }
}

/// Applies the finalizer of `SplitMix64` (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
const fn mix_bits(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Predetermined result of a throw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThrowResult {
    /// A number. For a die without numbers this is the index of the face, from 1.
    Number(i64),
    /// Index of a face, from 0.
    Face(u8),
}

/// Predetermined results that replace random ones, for playscripts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fixed {
    /// Results of the next throws, in order, each with its die; `None` matches any die.
    pub rolls: Vec<(Option<ComponentId>, ThrowResult)>,
    /// Spaces whose next shuffle is predetermined, each with the components that are then on top, topmost first.
    pub shuffles: Vec<(SpaceId, Vec<ComponentId>)>,
    /// Results of the next random draws, in order, each with its zone; `None` matches any zone.
    pub draws: Vec<(Option<ZoneId>, ComponentId)>,
    /// The seat that goes first, if it is predetermined.
    pub first: Option<Seat>,
}

impl Fixed {
    /// Returns whether no predetermined results are left.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Chance {
    /// Creates the generator for a seed and a name. Generators with different names are independent of each other.
    pub fn new(seed: u64, stream: &str) -> Self {
        thread_local! {
            // The state after the context string is the same for every stream, so it is computed once and the hasher is reset for each
            // stream. Cloning the hasher would copy 2 KB for several streams in each game.
            static HASHER: RefCell<blake3::Hasher> = RefCell::new(blake3::Hasher::new_derive_key("parlour chance 1"));
        }
        HASHER.with_borrow_mut(|hasher| {
            hasher.reset();
            hasher.update(&seed.to_le_bytes());
            hasher.update(stream.as_bytes());
            Self::seeded(*hasher.finalize().as_bytes())
        })
    }

    fn seeded(seed: [u8; 32]) -> Self {
        let base = u64::from_le_bytes(seed[..8].try_into().expect("a seed has 32 bytes"));
        Self { base, core: Xoshiro256PlusPlus::from_seed(seed), events: SmallVec::new(), fixed: None }
    }

    /// Returns whether any event has started.
    pub fn has_drawn(&self) -> bool {
        !self.events.is_empty()
    }

    /// Starts the next event of a stream and returns a generator for it.
    #[must_use]
    pub fn event(&mut self, stream: Stream) -> Self {
        let base = self.event_bits(stream).0;
        let core = Xoshiro256PlusPlus::seed_from_u64(base);
        Self { base, core, events: SmallVec::new(), fixed: None }
    }

    /// Starts the next event of a stream and returns it as a stream of its own, for [`Stream::rank`].
    pub(super) fn event_bits(&mut self, stream: Stream) -> Stream {
        let at = self.events.iter().position(|(known, _)| *known == stream).unwrap_or_else(|| {
            self.events.push((stream, 0));
            self.events.len() - 1
        });
        let number = self.events[at].1;
        self.events[at].1 += 1;
        Stream(mix_bits(self.base)).substream(stream).nth_substream(number)
    }

    /// Returns a new generator that is seeded from this one. This one advances.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        let mut seed = [0; 32];
        for part in seed.chunks_exact_mut(8) {
            part.copy_from_slice(&self.next_bits().to_le_bytes());
        }
        Self::seeded(seed)
    }

    /// Returns the next 64 bits.
    pub fn next_bits(&mut self) -> u64 {
        self.core.next_u64()
    }

    /// Returns a uniformly distributed number in `0..bound`.
    ///
    /// Multiply-shift with rejection, after Lemire, "Fast Random Integer Generation in an Interval" (2019).
    ///
    /// # Panics
    /// Panics if `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a draw needs something to draw from");
        loop {
            let product = u64::from((self.next_bits() >> 32) as u32) * u64::from(bound);
            if product as u32 >= bound.wrapping_neg() % bound {
                return (product >> 32) as u32;
            }
        }
    }

    /// Like [`below`](Self::below), but for 64-bit bounds. If the bound fits into 32 bits, returns the same number as
    /// `below`.
    ///
    /// # Panics
    /// Panics if `bound` is 0.
    pub fn below_u64(&mut self, bound: u64) -> u64 {
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

    /// Returns the predetermined results that have not been used yet.
    pub fn fixed(&self) -> Option<&Fixed> {
        self.fixed.as_deref()
    }

    /// Returns the predetermined results for modification. Initially, there are none.
    pub fn fix(&mut self) -> &mut Fixed {
        self.fixed.get_or_insert_default()
    }

    /// Replaces the predetermined results.
    pub fn set_fixed(&mut self, fixed: Option<Box<Fixed>>) {
        self.fixed = fixed;
    }

    /// Takes the next predetermined throw that matches `die`.
    pub fn fixed_roll(&mut self, die: Option<ComponentId>) -> Option<ThrowResult> {
        take_match(&mut self.fixed.as_mut()?.rolls, die)
    }

    /// Takes the next predetermined draw that matches `zone`.
    pub fn fixed_draw(&mut self, zone: Option<ZoneId>) -> Option<ComponentId> {
        take_match(&mut self.fixed.as_mut()?.draws, zone)
    }

    /// Takes the predetermined seat that goes first.
    pub fn fixed_first(&mut self) -> Option<Seat> {
        self.fixed.as_mut()?.first.take()
    }

    /// Takes the components that must be on top after the next shuffle of `space`.
    pub(super) fn fixed_shuffle(&mut self, space: SpaceId) -> Option<Vec<ComponentId>> {
        let shuffles = &mut self.fixed.as_mut()?.shuffles;
        let at = shuffles.iter().position(|(known, _)| *known == space)?;
        Some(shuffles.remove(at).1)
    }

    /// Shuffles a list (Fisher and Yates, from the end).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            list.swap(last, other);
        }
    }
}

/// Removes and returns the first entry whose key is `wanted` or `None`.
fn take_match<K: Copy + PartialEq, T>(given: &mut Vec<(Option<K>, T)>, wanted: Option<K>) -> Option<T> {
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
        let mut with_other_streams = Chance::new(7, "table");
        let first: Vec<u32> = (0..4).map(|_| alone.event(Stream::ROLL).below(6)).collect();
        let second: Vec<u32> = (0..4)
            .map(|_| {
                with_other_streams.event(Stream::DRAW).below(9);
                with_other_streams.next_bits();
                with_other_streams.event(Stream::ROLL).below(6)
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
        let high = (0..10_000).filter(|_| chance.below_u64(bound) >= bound / 2).count();
        assert!((4_800..5_200).contains(&high), "{high}");
        assert!((0..1_000).all(|_| chance.below_u64(bound + 1) <= bound));
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

//! The one generator of a table. Shuffles and bounded draws are ours, so that no update of a library changes a
//! recorded game; the vectors in the tests below are pinned.

use crate::model::{ComponentId, Seat, SpaceId, ZoneId};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A stream of random numbers that depends on a seed and a name alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chance {
    core: Xoshiro256PlusPlus,
    fixed: Option<Box<Fixed>>,
}

/// Results of chance that are given instead of drawn: for scripted games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fixed {
    /// The next numbers thrown, in order; each with the die it is for, if it is for one.
    pub rolls: Vec<(Option<ComponentId>, i64)>,
    /// What lies on top after the next shuffle of a space, topmost first.
    pub shuffles: Vec<(SpaceId, Vec<ComponentId>)>,
    /// What is drawn by lot next, in order; each with the zone it is drawn from, if it is from one.
    pub lots: Vec<(Option<ZoneId>, ComponentId)>,
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
        let mut hasher = blake3::Hasher::new_derive_key("parlour chance 1");
        hasher.update(&seed.to_le_bytes());
        hasher.update(stream.as_bytes());
        Self { core: Xoshiro256PlusPlus::from_seed(*hasher.finalize().as_bytes()), fixed: None }
    }

    /// A new stream that depends on this one, which goes on.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        let mut seed = [0; 32];
        for part in seed.chunks_exact_mut(8) {
            part.copy_from_slice(&self.next_bits().to_le_bytes());
        }
        Self { core: Xoshiro256PlusPlus::from_seed(seed), fixed: None }
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
    pub fn fixed_roll(&mut self, die: Option<ComponentId>) -> Option<i64> {
        take_first(&mut self.fixed.as_mut()?.rolls, die)
    }

    /// What is drawn by lot next, if it is given: from a zone, or from anywhere.
    pub fn fixed_lot(&mut self, zone: Option<ZoneId>) -> Option<ComponentId> {
        take_first(&mut self.fixed.as_mut()?.lots, zone)
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
    fn streams_with_other_names_or_seeds_differ() {
        let first = |seed, name| Chance::new(seed, name).next_bits();
        assert_ne!(first(7, "table"), first(7, "agent"));
        assert_ne!(first(7, "table"), first(8, "table"));
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

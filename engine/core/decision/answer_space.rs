//! Counts the complete answers that each option of a decision leads to, and draws an answer uniformly at random.
//!
//! Physical copies are counted separately: two equal cards are one option but two answers. If a seat picks several items one by one, the
//! whole selection is one answer, and the options of a single pick lead to different numbers of answers. The counts can exceed 64 bits (500
//! of 1,000 cards can be chosen in about 2^994 ways), so they are exact big integers. Floating point would also differ between machines.

use super::options::OptionSet;
use crate::table::Chance;
use num_bigint::BigUint;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// Structure of the complete answers of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerSpace {
    /// Every option is a complete answer. Its physical copies count as separate answers.
    Single(Copies),
    /// Each option is the next pick of a subset. Picks are made in the order of the list.
    Subset(Subset),
    /// Each option is the next element of a permutation.
    Order(Ordering),
}

/// Number of physical copies of each option of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Copies {
    /// One copy of each option.
    One,
    /// Cumulative counts by position.
    Listed(Arc<[u64]>),
    /// Counts for each part of a product. The count of an option is the product of the counts of its parts.
    Product(Arc<[Self]>),
    /// Counts for each set of a union.
    Union(Arc<[Self]>),
}

/// State of picking a subset of a list. Equivalent items are adjacent in the list, and picks are made in list order, so that each multiset
/// can be picked in exactly one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subset {
    /// Length of the list.
    len: u32,
    /// Minimum and maximum number of picks.
    bounds: (u32, u32),
    /// Exclusive ends of the groups of equivalent items; empty if all items differ.
    ends: Arc<[u32]>,
    /// List positions of the items picked so far, in ascending order.
    picked: SmallVec<[u32; 8]>,
}

/// State of choosing a permutation of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ordering {
    /// Number of equivalent items left for each option.
    left: SmallVec<[u32; 8]>,
    /// For each pick so far, the number of equivalent items that were left before it.
    picked: SmallVec<[u32; 8]>,
}

impl Copies {
    /// Returns the number of physical answers in a set of options.
    pub(super) fn total(&self, set: &OptionSet) -> BigUint {
        match (self, set) {
            (Self::Listed(totals), _) => totals.last().copied().unwrap_or(0).into(),
            (Self::Product(copies), OptionSet::Product(parts)) => {
                copies.iter().zip(parts.iter()).map(|(copies, (_, part))| copies.total(part)).product()
            }
            (Self::Union(copies), OptionSet::Union(sets)) => {
                copies.iter().zip(sets.iter()).map(|(copies, set)| copies.total(set)).sum()
            }
            _ => set.len().into(),
        }
    }

    /// Returns the number of physical answers that the option at position `at` stands for.
    pub(super) fn at(&self, set: &OptionSet, at: usize) -> BigUint {
        match (self, set) {
            (Self::Listed(totals), _) => (totals[at] - at.checked_sub(1).map_or(0, |before| totals[before])).into(),
            (Self::Product(copies), OptionSet::Product(parts)) => {
                let mut at = at;
                let mut all = BigUint::from(1_u8);
                for (copies, (_, part)) in copies.iter().zip(parts.iter()).rev() {
                    all *= copies.at(part, at % part.len());
                    at /= part.len();
                }
                all
            }
            (Self::Union(copies), OptionSet::Union(sets)) => {
                let mut at = at;
                for (copies, set) in copies.iter().zip(sets.iter()) {
                    if at < set.len() {
                        return copies.at(set, at);
                    }
                    at -= set.len();
                }
                BigUint::ZERO
            }
            _ => 1_u8.into(),
        }
    }

    /// Draws the position of an option with probability proportional to its number of physical answers.
    pub(super) fn draw(&self, set: &OptionSet, chance: &mut Chance) -> usize {
        match (self, set) {
            (Self::Listed(totals), _) => {
                let drawn = chance.below_u64(totals.last().copied().unwrap_or(0));
                totals.partition_point(|total| *total <= drawn)
            }
            (Self::Product(copies), OptionSet::Product(parts)) => {
                let parts = copies.iter().zip(parts.iter());
                parts.fold(0, |at, (copies, (_, part))| at * part.len() + copies.draw(part, chance))
            }
            (Self::Union(copies), OptionSet::Union(sets)) => {
                let mut drawn = big_below(chance, &self.total(set));
                let mut before = 0;
                for (copies, set) in copies.iter().zip(sets.iter()) {
                    let total = copies.total(set);
                    if drawn < total {
                        return before + copies.draw(set, chance);
                    }
                    drawn -= total;
                    before += set.len();
                }
                before.saturating_sub(1)
            }
            _ => chance.below_u64(set.len() as u64) as usize,
        }
    }
}

impl Subset {
    /// Creates the state for picking from a list of `len` items. `bounds` are the minimum and maximum number of picks. `ends` are the
    /// exclusive ends of the groups of equivalent items; empty if all items differ.
    pub(crate) fn new(len: usize, bounds: (usize, usize), ends: Arc<[u32]>) -> Self {
        let bounds = (bounds.0 as u32, bounds.1 as u32);
        Self { len: len as u32, bounds, ends, picked: SmallVec::new() }
    }

    /// Picks the option at position `option` of the current options. Returns the list position of the picked item.
    pub(crate) fn pick(&mut self, option: usize) -> usize {
        let place = self.offered().nth(option).unwrap_or_default();
        self.picked.push(place as u32);
        place
    }

    /// Iterates over the list positions of the current options. These are the first remaining items of each group.
    pub(crate) fn offered(&self) -> impl Iterator<Item = usize> + '_ {
        let (least, most) = self.left();
        let from = self.from();
        // Enough items must remain after this pick to reach the minimum.
        let to = if most == 0 { from } else { (self.len - least.saturating_sub(1)).max(from) };
        let first = Some(from).filter(|from| *from < to);
        let next = move |at: &u32| Some(self.group_of(*at).end).filter(|next| *next < to);
        std::iter::successors(first, next).map(|at| at as usize)
    }

    /// Returns the list positions after the last pick.
    pub fn rest(&self) -> Range<usize> {
        self.from() as usize..self.len as usize
    }

    /// Returns the minimum and maximum number of further picks.
    pub fn left(&self) -> (u32, u32) {
        let picked = self.picked.len() as u32;
        (self.bounds.0.saturating_sub(picked), self.bounds.1.saturating_sub(picked))
    }

    /// Returns the first list position after the last pick.
    fn from(&self) -> u32 {
        self.picked.last().map_or(0, |last| last + 1)
    }

    /// Returns the range of list positions of the group of equivalent items to which position `at` belongs.
    fn group_of(&self, at: u32) -> Range<u32> {
        if self.ends.is_empty() || at >= self.len {
            return at..(at + 1).min(self.len);
        }
        let group = self.ends.partition_point(|end| *end <= at);
        let start = group.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[group]
    }

    /// Returns the groups picked from so far, each with its number of picks.
    fn picked_groups(&self) -> Vec<(Range<u32>, u32)> {
        let mut groups: Vec<(Range<u32>, u32)> = Vec::new();
        for at in &self.picked {
            match groups.last_mut() {
                Some((group, count)) if group.contains(at) => *count += 1,
                _ => groups.push((self.group_of(*at), 1)),
            }
        }
        groups
    }

    /// Returns the group of the last pick: its size, its number of picks, and its end.
    fn open_group(&self) -> (u32, u32, u32) {
        let Some(last) = self.picked.last() else { return (0, 0, 0) };
        let group = self.group_of(*last);
        let count = self.picked.iter().rev().take_while(|at| group.contains(*at)).count() as u32;
        (group.len() as u32, count, group.end)
    }

    /// Returns the number of answers that each option leads to, and the number of answers that end now, without a further pick.
    pub(super) fn counts(&self) -> (Vec<BigUint>, BigUint) {
        let (least, most) = self.left();
        let mut groups = self.picked_groups();
        let (size, count, end) = self.open_group();
        groups.pop();
        let before: BigUint = groups.iter().map(|(group, count)| binomial(group.len() as u32, *count)).product();
        let open = binomial(size, count) * &before;
        let mut offered: Vec<u32> = self.offered().map(|at| at as u32).collect();
        let mut counts = Vec::with_capacity(offered.len());
        if offered.first().is_some_and(|first| *first < end) {
            let window = BinomialSums::new(self.len - end);
            let of_more =
                |more: u32| binomial(size, count + more) * window.sum(least.saturating_sub(more), Some(most - more));
            counts.push((1..=(size - count).min(most)).map(of_more).sum::<BigUint>() * &before);
            offered.remove(0);
        }
        // Number of answers whose next pick is in a group: the subsets of the items from this group on, minus the subsets of the items from
        // the next group on.
        let open_options = counts.len();
        let mut sums = WindowSums::new(least, most);
        let mut behind = BigUint::ZERO;
        for (number, start) in offered.iter().enumerate().rev() {
            let next = offered.get(number + 1).copied().unwrap_or_else(|| self.group_of(*start).end);
            if number + 1 == offered.len() {
                behind = sums.at(self.len - next);
            }
            let here = sums.at(self.len - start);
            counts.push((&here - &behind) * &open);
            behind = here;
        }
        counts[open_options..].reverse();
        (counts, open)
    }

    /// Draws the position of an option. Returns the number of options if the drawn answer ends now, without a further pick.
    pub(super) fn draw(&self, chance: &mut Chance) -> usize {
        let (least, most) = self.left();
        let (size, count, end) = self.open_group();
        let behind = self.len - end;
        let picks = if least == most && count == size {
            Some((0, most))
        } else if size + behind <= 120 {
            // Binomial coefficients up to 120 choose 60 fit in 128 bits.
            self.draw_counts::<u128>(chance)
        } else {
            self.draw_counts::<BigUint>(chance)
        };
        let Some((more, mut left)) = picks else { return self.offered().count() };
        if more > 0 {
            return 0;
        }
        let mut at = end;
        // Selection sampling: finds the first item of a random subset of size `left`.
        while left > 0 && chance.below(self.len - at) >= left {
            at += 1;
        }
        left = self.group_of(at).start.max(self.from());
        self.offered().position(|offered| offered as u32 == left).unwrap_or_default()
    }

    /// Draws how many more items of the last group are picked, and how many items of later groups. Returns `None` if no more items are
    /// picked.
    fn draw_counts<N: Number>(&self, chance: &mut Chance) -> Option<(u32, u32)> {
        let (least, most) = self.left();
        let (size, count, end) = self.open_group();
        let behind = binomials::<N>(self.len - end, most);
        let own = binomials::<N>(size, (count + most).min(size));
        let ways = |more: u32, rest: u32| Some(own.get((count + more) as usize)?.times(behind.get(rest as usize)?));
        let all = || {
            (0..=(size - count).min(most))
                .flat_map(|more| (least.max(more)..=most).map(move |picks| (more, picks - more)))
                .filter_map(|(more, rest)| Some(((more, rest), ways(more, rest)?)))
        };
        let mut total = N::from_small(0);
        all().for_each(|(_, ways)| total.add(&ways));
        let drawn = N::below(chance, &total);
        let mut seen = N::from_small(0);
        let picks = all().find_map(|(picks, ways)| {
            seen.add(&ways);
            (drawn < seen).then_some(picks)
        });
        picks.filter(|picks| *picks != (0, 0))
    }
}

impl Ordering {
    /// Creates the state for choosing a permutation. `left` is the number of equivalent items of each option.
    pub(crate) fn new(left: impl Iterator<Item = u32>) -> Self {
        Self { left: left.collect(), picked: SmallVec::new() }
    }

    /// Picks one of the equivalent items of an option.
    pub(crate) fn pick(&mut self, option: usize) {
        self.picked.push(self.left[option]);
        self.left[option] -= 1;
        if self.left[option] == 0 {
            self.left.remove(option);
        }
    }

    /// Iterates over the options. Yields, for each option, the position of its first item in the list of all remaining items.
    pub(crate) fn starts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.left.len()).scan(0, |begin, at| {
            let start = *begin;
            *begin += self.left[at] as usize;
            Some(start)
        })
    }

    /// Returns the position of the first item of one option in the list of all remaining items.
    pub(crate) fn start_of(&self, option: usize) -> usize {
        self.left[..option].iter().map(|count| *count as usize).sum()
    }

    /// Returns the number of complete answers in which the next element is an item of this option.
    pub(super) fn count(&self, option: usize) -> BigUint {
        let left: u32 = self.left.iter().sum();
        let ways: BigUint = self.picked.iter().map(|ways| BigUint::from(*ways)).product();
        (1..left).map(BigUint::from).product::<BigUint>() * ways * self.left[option]
    }

    /// Draws the position of an option with probability proportional to the number of its remaining items.
    pub(super) fn draw(&self, chance: &mut Chance) -> usize {
        // An empty list has one permutation.
        if self.left.is_empty() {
            return 0;
        }
        let mut drawn = chance.below(self.left.iter().sum());
        let is_drawn = |count: &u32| {
            let is_within = drawn < *count;
            drawn = drawn.saturating_sub(*count);
            is_within
        };
        self.left.iter().position(is_drawn).unwrap_or_default()
    }
}

/// Unsigned integer type for counting: `u128` if it is large enough, otherwise `BigUint`, which is slower.
trait Number: Clone + PartialOrd {
    fn from_small(number: u32) -> Self;
    fn add(&mut self, other: &Self);
    fn times(&self, other: &Self) -> Self;
    /// Returns `self * by / over`. The division must have no remainder.
    fn scaled(&self, by: u32, over: u32) -> Self;
    fn below(chance: &mut Chance, bound: &Self) -> Self;
}

impl Number for u128 {
    fn from_small(number: u32) -> Self {
        number.into()
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn scaled(&self, by: u32, over: u32) -> Self {
        self * Self::from(by) / Self::from(over)
    }

    fn below(chance: &mut Chance, bound: &Self) -> Self {
        if let Ok(bound) = u64::try_from(*bound) {
            return chance.below_u64(bound).into();
        }
        let mask = Self::MAX >> (bound - 1).leading_zeros();
        loop {
            let drawn = (Self::from(chance.next_bits()) << 64 | Self::from(chance.next_bits())) & mask;
            if drawn < *bound {
                return drawn;
            }
        }
    }
}

impl Number for BigUint {
    fn from_small(number: u32) -> Self {
        number.into()
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn scaled(&self, by: u32, over: u32) -> Self {
        self * by / over
    }

    fn below(chance: &mut Chance, bound: &Self) -> Self {
        big_below(chance, bound)
    }
}

/// Draws a number below `bound` uniformly.
pub(super) fn big_below(chance: &mut Chance, bound: &BigUint) -> BigUint {
    if let Ok(bound) = u64::try_from(bound) {
        return chance.below_u64(bound).into();
    }
    let bits = (bound - 1_u8).bits();
    loop {
        let words: Vec<u32> = (0..bits.div_ceil(32)).map(|_| (chance.next_bits() >> 32) as u32).collect();
        // Mask the excess bits of the last word.
        let drawn = BigUint::new(words) & ((BigUint::from(1_u8) << bits) - 1_u8);
        if drawn < *bound {
            return drawn;
        }
    }
}

/// Returns the binomial coefficients `items` choose 0 to `items` choose `most`.
fn binomials<N: Number>(items: u32, most: u32) -> Vec<N> {
    let mut all = vec![N::from_small(1)];
    for size in 1..=most.min(items) {
        let next = all[size as usize - 1].scaled(items + 1 - size, size);
        all.push(next);
    }
    all
}

fn binomial(items: u32, size: u32) -> BigUint {
    binomials(items, size).pop().filter(|_| size <= items).unwrap_or_default()
}

/// Cumulative sums of the binomial coefficients `items` choose 0, `items` choose 1, and so on.
struct BinomialSums(Vec<BigUint>);

impl BinomialSums {
    fn new(items: u32) -> Self {
        let mut sum = BigUint::ZERO;
        let sums = binomials::<BigUint>(items, items).into_iter().map(|ways| {
            sum += ways;
            sum.clone()
        });
        Self(sums.collect())
    }

    /// Returns the number of subsets with at least `least` and at most `most` items. There is no upper limit if `most` is `None`.
    fn sum(&self, least: u32, most: Option<u32>) -> BigUint {
        let last = self.0.len() - 1;
        let to = &self.0[most.map_or(last, |most| (most as usize).min(last))];
        match least.checked_sub(1).map(|before| before as usize) {
            None => to.clone(),
            Some(before) if before >= last => BigUint::ZERO,
            Some(before) if most.is_some_and(|most| (most as usize) <= before) => BigUint::ZERO,
            Some(before) => to - &self.0[before],
        }
    }
}

/// Number of subsets whose size is within bounds, computed incrementally for a growing number of items.
struct WindowSums {
    bounds: (u32, u32),
    items: u32,
    /// Number of subsets whose size is within the bounds.
    sum: BigUint,
    /// Number of subsets with one item fewer than the minimum.
    short: BigUint,
    /// Number of subsets with the maximum number of items.
    full: BigUint,
}

impl WindowSums {
    fn new(least: u32, most: u32) -> Self {
        let one = |size: u32| BigUint::from(u8::from(size == 0));
        let short = least.checked_sub(1).map_or(BigUint::ZERO, one);
        Self { bounds: (least, most), items: 0, sum: one(least), short, full: one(most) }
    }

    /// Returns the number of subsets of `items` items whose size is within the bounds. `items` must not be less than in earlier calls.
    fn at(&mut self, items: u32) -> BigUint {
        let (least, most) = self.bounds;
        while self.items < items {
            // Pascal's rule, summed over all sizes within the bounds.
            self.sum = (&self.sum << 1_u8) + &self.short - &self.full;
            self.items += 1;
            if let Some(size) = least.checked_sub(1) {
                self.short = next_binomial(&self.short, self.items, size);
            }
            self.full = next_binomial(&self.full, self.items, most);
        }
        self.sum.clone()
    }
}

/// Returns `items` choose `size`, given `items - 1` choose `size`.
fn next_binomial(before: &BigUint, items: u32, size: u32) -> BigUint {
    match items.cmp(&size) {
        std::cmp::Ordering::Less => BigUint::ZERO,
        std::cmp::Ordering::Equal => 1_u8.into(),
        std::cmp::Ordering::Greater => before * items / (items - size),
    }
}

//! Complete answers of a decision: how many of them each option leads to, and drawing one of them uniformly.
//!
//! An answer is made of physical things: of two equal cards each can be taken, so that what stands for both counts twice. A seat
//! that picks several things one by one gives one answer in several steps; the options of a step then lead to different numbers of
//! answers. The numbers exceed 64 bits (half of 1,000 cards can be kept in 2^994 ways), and are whole on every machine.

use super::options::OptionSet;
use crate::table::Chance;
use num_bigint::BigUint;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// The complete answers that the options of a decision lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerSpace {
    /// Each option is an answer, for every physical thing that it stands for.
    Single(Copies),
    /// Each option is one of several things that are picked in the order in which they are listed.
    Subset(Subset),
    /// Each option is the next of several things that are put in an order.
    Order(Ordering),
}

/// How many physical answers each option of a set stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Copies {
    /// One each.
    One,
    /// Running totals by position.
    Listed(Arc<[u64]>),
    /// The counts of the parts of a product, which are multiplied.
    Product(Arc<[Self]>),
    /// The counts of the sets of a union.
    Union(Arc<[Self]>),
}

/// The rest of a list from which several things are picked. Alike things stand together in the list, so that each multiset
/// is picked in one way only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subset {
    /// Number of things in the list.
    len: u32,
    /// Least and greatest number of picks.
    bounds: (u32, u32),
    /// Exclusive ends of the groups of alike things; empty where no two things are alike.
    ends: Arc<[u32]>,
    /// Positions of what has been picked, rising.
    picked: SmallVec<[u32; 8]>,
}

/// The rest of a list that is put in an order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ordering {
    /// Number of alike things that each option stands for.
    left: SmallVec<[u32; 8]>,
    /// The same of each option that has been picked.
    picked: SmallVec<[u32; 8]>,
}

impl Copies {
    /// Number of physical answers of a whole set.
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

    /// Number of physical answers that the option at a position stands for.
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

    /// Draws the position of an option, by the number of physical answers that it stands for.
    pub(super) fn draw(&self, set: &OptionSet, chance: &mut Chance) -> usize {
        match (self, set) {
            (Self::Listed(totals), _) => {
                let drawn = chance.below_wide(totals.last().copied().unwrap_or(0));
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
            _ => chance.below_wide(set.len() as u64) as usize,
        }
    }
}

impl Subset {
    /// Nothing has been picked yet of a list of things whose groups of alike ones end at these positions; of a list without any alike,
    /// `ends` is empty.
    pub(crate) fn new(len: usize, bounds: (usize, usize), ends: Arc<[u32]>) -> Self {
        let bounds = (bounds.0 as u32, bounds.1 as u32);
        Self { len: len as u32, bounds, ends, picked: SmallVec::new() }
    }

    /// Picks the option at a position among those of this pick; returns where it lies in the list.
    pub(crate) fn pick(&mut self, option: usize) -> usize {
        let place = self.offered().nth(option).unwrap_or_default();
        self.picked.push(place as u32);
        place
    }

    /// The positions in the list of what can be picked next: of alike things the first that is left.
    pub(crate) fn offered(&self) -> impl Iterator<Item = usize> + '_ {
        let (least, most) = self.left();
        let from = self.from();
        // So many have to be left for the picks behind this one.
        let to = if most == 0 { from } else { (self.len - least.saturating_sub(1)).max(from) };
        let first = Some(from).filter(|from| *from < to);
        let next = move |at: &u32| Some(self.group_of(*at).end).filter(|next| *next < to);
        std::iter::successors(first, next).map(|at| at as usize)
    }

    /// The positions in the list behind the last pick.
    pub fn rest(&self) -> Range<usize> {
        self.from() as usize..self.len as usize
    }

    /// The least and the greatest number of further picks.
    pub fn left(&self) -> (u32, u32) {
        let picked = self.picked.len() as u32;
        (self.bounds.0.saturating_sub(picked), self.bounds.1.saturating_sub(picked))
    }

    fn from(&self) -> u32 {
        self.picked.last().map_or(0, |last| last + 1)
    }

    /// The group of alike things at a position.
    fn group_of(&self, at: u32) -> Range<u32> {
        if self.ends.is_empty() || at >= self.len {
            return at..(at + 1).min(self.len);
        }
        let group = self.ends.partition_point(|end| *end <= at);
        let start = group.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[group]
    }

    /// The groups that were picked from, with the number of picks from each.
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

    /// Size of the group that was picked from last, number of picks from it, and its end.
    fn open_group(&self) -> (u32, u32, u32) {
        let Some(last) = self.picked.last() else { return (0, 0, 0) };
        let group = self.group_of(*last);
        let count = self.picked.iter().rev().take_while(|at| group.contains(*at)).count() as u32;
        (group.len() as u32, count, group.end)
    }

    /// Number of answers that each option leads to, and number of answers if nothing more is picked.
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
            let window = Window::new(self.len - end);
            let of_more =
                |more: u32| binomial(size, count + more) * window.sum(least.saturating_sub(more), Some(most - more));
            counts.push((1..=(size - count).min(most)).map(of_more).sum::<BigUint>() * &before);
            offered.remove(0);
        }
        // The subsets of what begins at an option, less those of what begins at the next one, have something of it.
        let begun = counts.len();
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
        counts[begun..].reverse();
        (counts, open)
    }

    /// Draws the position of an option, or the number of options where nothing more is picked.
    pub(super) fn draw(&self, chance: &mut Chance) -> usize {
        let (least, most) = self.left();
        let (size, count, end) = self.open_group();
        let behind = self.len - end;
        let picks = if least == most && count == size {
            Some((0, most))
        } else if size + behind <= 120 {
            self.draw_number::<u128>(chance)
        } else {
            self.draw_number::<BigUint>(chance)
        };
        let Some((more, mut left)) = picks else { return self.offered().count() };
        if more > 0 {
            return 0;
        }
        let mut at = end;
        // The first of so many things that are drawn out of all those left.
        while left > 0 && chance.below(self.len - at) >= left {
            at += 1;
        }
        left = self.group_of(at).start.max(self.from());
        self.offered().position(|offered| offered as u32 == left).unwrap_or_default()
    }

    /// Draws how many more of the open group are picked, and how many behind it; nothing where no more is picked.
    fn draw_number<N: Number>(&self, chance: &mut Chance) -> Option<(u32, u32)> {
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
    /// The options stand for so many alike things each.
    pub(crate) fn new(left: impl Iterator<Item = u32>) -> Self {
        Self { left: left.collect(), picked: SmallVec::new() }
    }

    /// Takes one of the things that an option stands for.
    pub(crate) fn pick(&mut self, option: usize) {
        self.picked.push(self.left[option]);
        self.left[option] -= 1;
        if self.left[option] == 0 {
            self.left.remove(option);
        }
    }

    /// Where the things that each option stands for begin among all that are left.
    pub(crate) fn starts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.left.len()).scan(0, |begin, at| {
            let start = *begin;
            *begin += self.left[at] as usize;
            Some(start)
        })
    }

    /// Where the things that an option stands for begin among all that are left.
    pub(crate) fn start_of(&self, option: usize) -> usize {
        self.left[..option].iter().map(|count| *count as usize).sum()
    }

    pub(super) fn count(&self, option: usize) -> BigUint {
        let left: u32 = self.left.iter().sum();
        let ways: BigUint = self.picked.iter().map(|ways| BigUint::from(*ways)).product();
        (1..left).map(BigUint::from).product::<BigUint>() * ways * self.left[option]
    }

    pub(super) fn draw(&self, chance: &mut Chance) -> usize {
        // Where there is nothing to be put in an order, the only answer is that.
        if self.left.is_empty() {
            return 0;
        }
        let mut drawn = chance.below(self.left.iter().sum());
        let is_it = |count: &u32| {
            let is_it = drawn < *count;
            drawn = drawn.saturating_sub(*count);
            is_it
        };
        self.left.iter().position(is_it).unwrap_or_default()
    }
}

/// A whole number, small or large: what is calculated with both.
trait Number: Clone + PartialOrd {
    fn from_small(number: u32) -> Self;
    fn add(&mut self, other: &Self);
    fn times(&self, other: &Self) -> Self;
    /// Multiplies, then divides without a remainder.
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
            return chance.below_wide(bound).into();
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

/// A number below a bound, each equally likely.
pub(super) fn big_below(chance: &mut Chance, bound: &BigUint) -> BigUint {
    if let Ok(bound) = u64::try_from(bound) {
        return chance.below_wide(bound).into();
    }
    let bits = (bound - 1_u8).bits();
    loop {
        let words: Vec<u32> = (0..bits.div_ceil(32)).map(|_| (chance.next_bits() >> 32) as u32).collect();
        // The last word has as many bits as are wanted.
        let drawn = BigUint::new(words) & ((BigUint::from(1_u8) << bits) - 1_u8);
        if drawn < *bound {
            return drawn;
        }
    }
}

/// The numbers of subsets of `of` things, by their size up to `most`.
fn binomials<N: Number>(of: u32, most: u32) -> Vec<N> {
    let mut all = vec![N::from_small(1)];
    for size in 1..=most.min(of) {
        let next = all[size as usize - 1].scaled(of + 1 - size, size);
        all.push(next);
    }
    all
}

fn binomial(of: u32, size: u32) -> BigUint {
    binomials(of, size).pop().filter(|_| size <= of).unwrap_or_default()
}

/// Sums of the numbers of subsets of so many things, by their size.
struct Window(Vec<BigUint>);

impl Window {
    fn new(of: u32) -> Self {
        let mut sum = BigUint::ZERO;
        let sums = binomials::<BigUint>(of, of).into_iter().map(|ways| {
            sum += ways;
            sum.clone()
        });
        Self(sums.collect())
    }

    /// Number of subsets with at least and at most so many things.
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

/// Numbers of subsets of a size within bounds, for ever more things.
struct WindowSums {
    bounds: (u32, u32),
    of: u32,
    /// The subsets within the bounds, those with one thing too few, and those with as many as there may be.
    sum: BigUint,
    short: BigUint,
    full: BigUint,
}

impl WindowSums {
    fn new(least: u32, most: u32) -> Self {
        let one = |size: u32| BigUint::from(u8::from(size == 0));
        let short = least.checked_sub(1).map_or(BigUint::ZERO, one);
        Self { bounds: (least, most), of: 0, sum: one(least), short, full: one(most) }
    }

    /// Number of subsets of `of` things, which are no fewer than those asked for before.
    fn at(&mut self, of: u32) -> BigUint {
        let (least, most) = self.bounds;
        while self.of < of {
            // Pascal's rule, summed over the sizes within the bounds.
            self.sum = (&self.sum << 1_u8) + &self.short - &self.full;
            self.of += 1;
            if let Some(size) = least.checked_sub(1) {
                self.short = next_binomial(&self.short, self.of, size);
            }
            self.full = next_binomial(&self.full, self.of, most);
        }
        self.sum.clone()
    }
}

/// Number of subsets of `of` things, from that of one thing less.
fn next_binomial(before: &BigUint, of: u32, size: u32) -> BigUint {
    match of.cmp(&size) {
        std::cmp::Ordering::Less => BigUint::ZERO,
        std::cmp::Ordering::Equal => 1_u8.into(),
        std::cmp::Ordering::Greater => before * of / (of - size),
    }
}

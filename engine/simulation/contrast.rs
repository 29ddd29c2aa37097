//! Comparison of the wins of two groups of seats, with games as the independent units.

use super::difference::Difference;
use super::estimate::{self, Estimate};
use crate::model::MAX_SEATS;
use serde::{Deserialize, Serialize};

/// Statistics of two groups of seats, summed over games: the number of seats and wins of each group, and the products of these four
/// numbers. They suffice for both win shares, their difference and its test, and can be added in any order. A seat may be in both groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Contrast {
    /// Number of seats in the first group, their wins, number of seats in the second group, and their wins.
    sums: [i128; 4],
    /// Products of the four numbers of each game, summed over games: the upper triangle of a symmetric matrix, row by row.
    products: [i128; 10],
    /// Number of games with seats in the first group, and in the second.
    games: [u64; 2],
    /// Moments of the permutation distribution.
    #[serde(rename = "lots")]
    permuted: PermutationMoments,
}

/// Moments of both groups' wins under random permutation of each game's ranks among its seats, summed over games.
///
/// The order is: first group, mixed moments, second group. Stored in fixed-point arithmetic and rounded for each game,
/// so that sums do not depend on their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct PermutationMoments {
    variance: [i128; 3],
    third: [i128; 4],
}

/// Floating-point numbers of at least this size are integers.
const MIN_INTEGRAL: f64 = (1_u64 << 52) as f64;

/// 1.0 in fixed-point arithmetic.
const FIXED_ONE: f64 = (1_u64 << 40) as f64;

impl PermutationMoments {
    /// Adds `times` games. `seats` contains, for each seat, its multiplicity in the first and second group and its share of first place.
    ///
    /// The moments are those of a sum over a random permutation; Hoeffding, "A Combinatorial Central Limit Theorem" (1951).
    fn add_many(&mut self, seats: &[[f64; 3]], times: u64) {
        let times = i128::from(times);
        let count = seats.len() as f64;
        if seats.len() < 2 {
            return;
        }
        let means = [0, 1, 2].map(|at| seats.iter().map(|seat| seat[at]).sum::<f64>() / count);
        let off = || seats.iter().map(|seat| [0, 1, 2].map(|at| seat[at] - means[at]));
        let (mut wins, mut groups) = (0.0, [0.0; 3]);
        for [one, two, win] in off() {
            wins += win * win;
            groups.iter_mut().zip([one * one, one * two, two * two]).for_each(|(sum, more)| *sum += more);
        }
        let win = wins / (count - 1.0);
        self.variance.iter_mut().zip(groups).for_each(|(total, group)| *total += to_fixed(win * group) * times);
        if seats.len() > 2 {
            let (mut wins, mut groups) = (0.0, [0.0; 4]);
            for [one, two, win] in off() {
                let (ones, twos) = (one * one, two * two);
                wins += win * win * win;
                groups
                    .iter_mut()
                    .zip([ones * one, ones * two, one * twos, twos * two])
                    .for_each(|(sum, more)| *sum += more);
            }
            let win = wins * count / ((count - 1.0) * (count - 2.0));
            self.third.iter_mut().zip(groups).for_each(|(total, group)| *total += to_fixed(win * group) * times);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.variance.iter_mut().zip(other.variance).for_each(|(sum, more)| *sum += more);
        self.third.iter_mut().zip(other.third).for_each(|(sum, more)| *sum += more);
    }

    /// Returns the variance and the third central moment of `first` times the first group's wins minus `second` times
    /// the second group's wins.
    fn moments(&self, first: f64, second: f64) -> (f64, f64) {
        let second = -second;
        let [one, both, two] = self.variance.map(|sum| sum as f64 / FIXED_ONE);
        let variance = first * first * one + 2.0 * first * second * both + second * second * two;
        let [one, more, less, two] = self.third.map(|sum| sum as f64 / FIXED_ONE);
        let third = first.powi(3) * one
            + 3.0 * first.powi(2) * second * more
            + 3.0 * first * second.powi(2) * less
            + second.powi(3) * two;
        (variance.max(0.0), third)
    }
}

fn to_fixed(number: f64) -> i128 {
    let parts = number * FIXED_ONE;
    // Rounding through `i64` is faster than `f64::round` and a conversion to `i128`.
    if parts.abs() >= MIN_INTEGRAL {
        return parts as i128;
    }
    let whole = parts as i64;
    let rest = parts - whole as f64;
    i128::from(whole + i64::from(rest >= 0.5) - i64::from(rest <= -0.5))
}

impl Contrast {
    /// Adds `times` games. `first` and `second` contain the multiplicity of each seat in the two groups. `wins` contains the wins of each
    /// seat, where one win is represented by `unit`.
    pub(super) fn add_seats(&mut self, first: &[u32], second: &[u32], wins: &[i64], unit: i64, times: u64) {
        let multiplicity = |group: &[u32], seat: usize| i64::from(group.get(seat).copied().unwrap_or(0));
        let mut row = [0_i64; 4];
        let mut seats = [[0.0; 3]; MAX_SEATS];
        for ((seat, win), of_seat) in wins.iter().enumerate().zip(&mut seats) {
            let (one, two) = (multiplicity(first, seat), multiplicity(second, seat));
            row.iter_mut().zip([one, one * win, two, two * win]).for_each(|(sum, more)| *sum += more);
            *of_seat = [one as f64, two as f64, *win as f64 / unit as f64];
        }
        self.add_many(row, times);
        self.permuted.add_many(&seats[..wins.len()], times);
    }

    /// Adds `times` games, each with the numbers in `row`, which are ordered like `sums`.
    fn add_many(&mut self, row: [i64; 4], times: u64) {
        let mut product = 0;
        for first in 0..4 {
            let all = i128::from(row[first]) * i128::from(times);
            self.sums[first] += all;
            for second in &row[first..] {
                self.products[product] += all * i128::from(*second);
                product += 1;
            }
        }
        self.games[0] += u64::from(row[0] > 0) * times;
        self.games[1] += u64::from(row[2] > 0) * times;
    }

    /// Adds the games of another contrast.
    pub(super) fn merge(&mut self, other: &Self) {
        for (sum, more) in self.sums.iter_mut().zip(other.sums) {
            *sum += more;
        }
        for (sum, more) in self.products.iter_mut().zip(other.products) {
            *sum += more;
        }
        for (games, more) in self.games.iter_mut().zip(other.games) {
            *games += more;
        }
        self.permuted.merge(&other.permuted);
    }

    /// Replaces the second group with the first group of `whole`. Used if the second group was counted only in games in which the first
    /// group occurs. Those games suffice for the mixed moments, but the second group's own moments must come from all games.
    #[must_use]
    pub fn against(mut self, whole: &Self) -> Self {
        (self.sums[2], self.sums[3]) = (whole.sums[0], whole.sums[1]);
        (self.products[7], self.products[8], self.products[9]) =
            (whole.products[0], whole.products[1], whole.products[4]);
        self.games[1] = whole.games[0];
        self.permuted.variance[2] = whole.permuted.variance[0];
        self.permuted.third[3] = whole.permuted.third[0];
        self
    }

    /// Returns the number of seats in the first group, summed over games.
    pub fn with(&self) -> u64 {
        self.sums[0] as u64
    }

    /// Returns the number of seats in the second group, summed over games.
    pub fn without(&self) -> u64 {
        self.sums[2] as u64
    }

    /// Returns the win share of the first group, or `None` if the group is empty.
    pub fn share_with(&self, unit: i64) -> Option<Estimate> {
        let share = self.share(0, unit)?;
        let error = self.error([1.0 / self.sums[0] as f64, 0.0], [share, 0.0], unit);
        Some(estimate::share_of(share, self.with(), self.effective_size(0, share, error)))
    }

    /// Returns the win share of the second group, or `None` if the group is empty.
    pub fn share_without(&self, unit: i64) -> Option<Estimate> {
        let share = self.share(2, unit)?;
        let error = self.error([0.0, 1.0 / self.sums[2] as f64], [0.0, share], unit);
        Some(estimate::share_of(share, self.without(), self.effective_size(2, share, error)))
    }

    /// Returns the effective sample size of one seat of a group, given the standard error of the group's share.
    fn effective_size(&self, group: usize, share: f64, error: f64) -> f64 {
        let count = self.sums[group] as f64;
        let plain = share * (1.0 - share) / count;
        let squares = self.products[if group == 0 { 0 } else { 7 }];
        if plain <= 0.0 {
            // All seats won, or all lost: the seats of a game count as one observation.
            return if squares > 0 { count / squares as f64 } else { 1.0 };
        }
        let effective_size = plain / (error * error);
        // If no two seats belong to the same game, seats are independent, whatever the estimated variance.
        if squares == self.sums[group] { 1.0 } else { effective_size }
    }

    /// Returns the win share of the first group minus the win share of the second. Returns `None` if a group is empty.
    ///
    /// The test is like a permutation test in which the ranks of each game are permuted among its seats. If the linearized variance between
    /// games is larger than the variance of the permutations, it is used instead.
    pub fn difference(&self, unit: i64) -> Option<Difference> {
        let (with, without) = (self.share(0, unit)?, self.share(2, unit)?);
        let each = [1.0 / self.sums[0] as f64, 1.0 / self.sums[2] as f64];
        let (permuted, third) = self.permuted.moments(each[0], each[1]);
        let seen = self.error([each[0], -each[1]], [with, without], unit) * self.small_sample_factor();
        let variance = permuted.max(seen * seen);
        // The smallest possible change moves one win from one group to the other.
        let step = each[0] + each[1];
        Some(Difference::of_shares(with - without, self.with() + self.without(), variance, third, step))
    }

    /// Returns the width of a t interval relative to a normal interval. Greater than 1 if there are few games.
    fn small_sample_factor(&self) -> f64 {
        estimate::t_quantile(self.games[0].min(self.games[1])) / estimate::z_quantile(estimate::CONFIDENCE)
    }

    fn share(&self, group: usize, unit: i64) -> Option<f64> {
        (self.sums[group] > 0).then(|| self.sums[group + 1] as f64 / (self.sums[group] as f64 * unit as f64))
    }

    /// Returns the linearized standard error of the weighted sum of both groups' wins minus the wins that `shares`
    /// predict.
    fn error(&self, weights: [f64; 2], shares: [f64; 2], unit: i64) -> f64 {
        let unit = unit as f64;
        let part = [-weights[0] * shares[0], weights[0] / unit, -weights[1] * shares[1], weights[1] / unit];
        let (mut variance, mut product) = (0.0, 0);
        for first in 0..4 {
            for second in first..4 {
                let times = if first == second { 1.0 } else { 2.0 };
                variance += times * part[first] * part[second] * self.products[product] as f64;
                product += 1;
            }
        }
        variance.max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::super::difference::adjust_differences;
    use super::{Contrast, FIXED_ONE, to_fixed};
    use crate::table::Chance;

    #[test]
    fn fixed_point_numbers_are_rounded_to_nearest() {
        for number in [0.0, 1.0 / 3.0, -2.0 / 7.0, 1e3 / 9.0, 4096.0, -4097.25, 1e9 / 7.0, 1e20] {
            for rest in [0.0, 0.25, 0.5, 0.75, -0.25, -0.5, -0.75] {
                let number = number + rest / FIXED_ONE;
                assert_eq!(to_fixed(number), (number * FIXED_ONE).round() as i128, "{number}");
            }
        }
    }

    fn none(seats: usize) -> Vec<u32> {
        vec![0; seats]
    }

    #[test]
    fn independent_seats_give_the_interval_of_two_shares() {
        // The first group wins 60 of 100 games, and the second group wins 40 of another 100. Each group has one of the
        // two seats in its games.
        let mut contrast = Contrast::default();
        for game in 0..100 {
            contrast.add_seats(&[1, 0], &none(2), if game < 60 { &[2, 0] } else { &[0, 2] }, 2, 1);
            contrast.add_seats(&none(2), &[1, 0], if game < 40 { &[2, 0] } else { &[0, 2] }, 2, 1);
        }
        let found = contrast.difference(2).unwrap().unadjusted();
        assert!((found.value - 0.2).abs() < 1e-12);
        // The standard error is sqrt(0.25 / 100 + 0.25 / 100) = 0.0707; the continuity correction is 0.01.
        assert!((found.interval.low - (0.2 - 1.96 * 0.0707 - 0.01)).abs() < 2e-3, "{found:?}");
        assert!((found.interval.high - (0.2 + 1.96 * 0.0707 + 0.01)).abs() < 2e-3, "{found:?}");
    }

    #[test]
    fn seats_of_the_same_game_are_not_independent() {
        // Both seats of each game are in the first group, and one of them wins: the share is exactly one half.
        let mut contrast = Contrast::default();
        (0..50).for_each(|_| contrast.add_seats(&[1, 1], &none(2), &[2, 0], 2, 1));
        let share = contrast.share_with(2).unwrap();
        assert!((share.value - 0.5).abs() < 1e-12 && share.interval.high - share.interval.low < 1e-9);
        assert!(contrast.difference(2).is_none());
    }

    #[test]
    fn a_part_against_its_whole_equals_counting_both_together() {
        let mut chance = Chance::new(3, "whole");
        let (mut part, mut whole, mut together) = (Contrast::default(), Contrast::default(), Contrast::default());
        for _ in 0..300 {
            let own: Vec<u32> = (0..3).map(|_| chance.below(3)).collect();
            let all: Vec<u32> = own.iter().map(|own| own + chance.below(4)).collect();
            let winner = chance.below(3) as usize;
            let wins: Vec<i64> = (0..3).map(|seat| if seat == winner { 6 } else { 0 }).collect();
            if own.iter().any(|own| *own > 0) {
                part.add_seats(&own, &all, &wins, 6, 1);
            }
            whole.add_seats(&all, &none(3), &wins, 6, 1);
            together.add_seats(&own, &all, &wins, 6, 1);
        }
        assert_eq!(part.against(&whole), together);
    }

    /// Creates the contrasts of 36 items in random games of four seats. Each seat has three random items. With `gain`, the first item makes
    /// winning more likely.
    fn contrasts(seed: u64, games: u32, gain: u32) -> Vec<Contrast> {
        let mut chance = Chance::new(seed, "contrasts");
        let mut all = vec![Contrast::default(); 36];
        for _ in 0..games {
            let held: Vec<Vec<usize>> = (0..4).map(|_| (0..3).map(|_| chance.below(36) as usize).collect()).collect();
            let mut winners: Vec<usize> = (0..4).collect();
            winners.extend((0..4).filter(|seat| held[*seat].contains(&0)).flat_map(|seat| vec![seat; gain as usize]));
            let winner = winners[chance.below(winners.len() as u32) as usize];
            let wins: Vec<i64> = (0..4).map(|seat| if seat == winner { 12 } else { 0 }).collect();
            add_all(&mut all, &wins, |thing, seat| u32::from(held[seat].contains(&thing)));
        }
        all
    }

    /// Creates the contrasts of 24 items in games with strongly dependent seats: partners win together and have the same number of copies
    /// of each item. A third of the games are ties.
    fn clustered(seed: u64, games: u32) -> Vec<Contrast> {
        let mut chance = Chance::new(seed, "clustered");
        let mut all = vec![Contrast::default(); 24];
        for _ in 0..games {
            let copies: Vec<[u32; 2]> =
                (0..24).map(|_| [0, 1].map(|_| if chance.below(4) == 0 { 1 + chance.below(5) } else { 0 })).collect();
            let side = chance.below(3) as usize;
            let wins: Vec<i64> =
                (0..4).map(|seat| if side == 2 { 3 } else { i64::from(seat % 2 == side) * 6 }).collect();
            add_all(&mut all, &wins, |thing, seat| copies[thing][seat % 2]);
        }
        all
    }

    fn add_all(all: &mut [Contrast], wins: &[i64], copies: impl Fn(usize, usize) -> u32) {
        for (thing, contrast) in all.iter_mut().enumerate() {
            let with: Vec<u32> = (0..4).map(|seat| copies(thing, seat)).collect();
            let without: Vec<u32> = with.iter().map(|copies| u32::from(*copies == 0)).collect();
            if with.iter().any(|copies| *copies > 0) {
                contrast.add_seats(&with, &without, wins, 12, 1);
            }
        }
    }

    fn findings(contrasts: &[Contrast]) -> Vec<usize> {
        let differences: Vec<_> = contrasts.iter().map(|one| one.difference(12).unwrap()).collect();
        let weighed = adjust_differences(&differences);
        (0..weighed.len()).filter(|at| weighed[*at].is_finding()).collect()
    }

    /// Tests batches in which no item has an effect. Returns the number of batches with a finding, and the share of intervals that contain
    /// the true value.
    fn run_without_effect(runs: u64, batch: impl Fn(u64) -> Vec<Contrast>) -> (u64, f64) {
        let (mut found_any, mut covered, mut all) = (0, 0, 0);
        for seed in 0..runs {
            let found = batch(seed);
            found_any += u64::from(!findings(&found).is_empty());
            all += found.len();
            let holds = |one: &&Contrast| one.difference(12).unwrap().unadjusted().interval.contains(0.0);
            covered += found.iter().filter(holds).count();
        }
        (found_any, covered as f64 / all as f64)
    }

    #[test]
    fn batches_without_effect_rarely_have_findings() {
        let (found_any, share) = run_without_effect(200, |seed| contrasts(seed, 100, 0));
        // Ten of 200 batches are expected to have a finding. More than 18 would occur by chance only once in a hundred
        // times.
        assert!(found_any <= 18, "{found_any} of 200");
        assert!((0.93..0.985).contains(&share), "intervals hold the truth {share} of the time");
    }

    #[test]
    fn dependent_seats_with_many_copies_rarely_have_findings() {
        let (found_any, share) = run_without_effect(200, |seed| clustered(seed, 150));
        assert!(found_any <= 18, "{found_any} of 200");
        assert!((0.93..0.985).contains(&share), "intervals hold the truth {share} of the time");
    }

    #[test]
    fn a_real_effect_is_found() {
        let found = (0..20).filter(|seed| findings(&contrasts(*seed, 400, 4)) == [0]).count();
        assert!(found >= 16, "{found} of 20");
    }
}

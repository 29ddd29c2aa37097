//! Winning with something and without it, counted so that a game, not a seat, is what varies.

use super::estimate::{self, Estimate, Interval};
use serde::{Deserialize, Serialize};

/// Sums over games of how many seats were in two groups and what they won together, and of all products of these: enough for
/// two shares, their difference and the intervals, and added in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Contrast {
    /// Seats in the first group, their wins, seats in the second, their wins.
    sums: [i128; 4],
    /// The products of these, the upper half of a square table: row by row.
    products: [i128; 10],
    /// What the first group won beyond its lot.
    lots: Lots,
}

/// What seats won beyond what they would have if wins were dealt to the seats of each game by lot: over all games, with the
/// variance and the third moment that it has by lot. In parts of a win, rounded for each game, so that they add up in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Lots {
    beyond: i128,
    variance: i128,
    third: i128,
    squares: i128,
}

/// So many parts make one.
const PARTS: f64 = (1_u64 << 40) as f64;

impl Lots {
    /// One more game: how much of what is looked at each seat has, and its part of the first place.
    ///
    /// The moments are those of a sum over a random permutation; Hoeffding, "A Combinatorial Central Limit Theorem" (1951).
    pub(super) fn add(&mut self, seats: &[(f64, f64)]) {
        let count = seats.len() as f64;
        if seats.len() < 2 {
            return;
        }
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| seats.iter().map(of).sum::<f64>() / count;
        let (weight, win) = (mean(&|seat| seat.0), mean(&|seat| seat.1));
        let power = |at: i32, of: &dyn Fn(&(f64, f64)) -> f64| seats.iter().map(|seat| of(seat).powi(at)).sum::<f64>();
        let (off, over) = (|seat: &(f64, f64)| seat.0 - weight, |seat: &(f64, f64)| seat.1 - win);
        let beyond: f64 = seats.iter().map(|seat| off(seat) * over(seat)).sum();
        let variance = power(2, &off) * power(2, &over) / (count - 1.0);
        let third = if seats.len() > 2 {
            count * power(3, &off) * power(3, &over) / ((count - 1.0) * (count - 2.0))
        } else {
            0.0
        };
        for (sum, more) in [
            (&mut self.beyond, beyond),
            (&mut self.variance, variance),
            (&mut self.third, third),
            (&mut self.squares, beyond * beyond),
        ] {
            *sum += (more * PARTS).round() as i128;
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.beyond += other.beyond;
        self.variance += other.variance;
        self.third += other.third;
        self.squares += other.squares;
    }

    /// How likely so much more, or less, is by lot.
    fn chance(&self) -> f64 {
        let [beyond, variance, third] = [self.beyond, self.variance, self.third].map(|sum| sum as f64 / PARTS);
        estimate::chance_of_lots(beyond, variance, third, 1.0)
    }

    /// The same where the games may vary more than lots do.
    fn careful_chance(&self) -> f64 {
        let [beyond, variance, squares] = [self.beyond, self.variance, self.squares].map(|sum| sum as f64 / PARTS);
        self.chance().max(estimate::chance_of_lots(beyond, variance.max(squares), 0.0, 1.0))
    }
}

impl Contrast {
    /// One more game: who has it with how many copies, who is in the second group, and what each seat won.
    pub(super) fn add_seats(&mut self, copies: &[u32], without: u16, wins: &[i64], unit: i64) {
        let is_without = |seat: usize| without & 1 << seat != 0;
        let (mut with_sums, mut without_sums) = ((0, 0), (0, 0));
        let mut seats = Vec::with_capacity(wins.len());
        for (seat, win) in wins.iter().enumerate() {
            let copies = i64::from(copies.get(seat).copied().unwrap_or(0));
            if copies > 0 {
                with_sums = (with_sums.0 + copies, with_sums.1 + copies * win);
            } else if is_without(seat) {
                without_sums = (without_sums.0 + 1, without_sums.1 + win);
            }
            if copies > 0 || is_without(seat) {
                seats.push((copies as f64, *win as f64 / unit as f64));
            }
        }
        self.add(with_sums, without_sums);
        self.lots.add(&seats);
    }

    /// One more game, by what is counted of it.
    pub(super) fn add(&mut self, with: (i64, i64), without: (i64, i64)) {
        let row = [with.0, with.1, without.0, without.1].map(i128::from);
        let mut product = 0;
        for first in 0..4 {
            self.sums[first] += row[first];
            for second in first..4 {
                self.products[product] += row[first] * row[second];
                product += 1;
            }
        }
    }

    /// All games of another contrast too.
    pub(super) fn merge(&mut self, other: &Self) {
        for (sum, more) in self.sums.iter_mut().zip(other.sums) {
            *sum += more;
        }
        for (sum, more) in self.products.iter_mut().zip(other.products) {
            *sum += more;
        }
        self.lots.merge(&other.lots);
    }

    /// How many seats were in the first group.
    pub fn with(&self) -> u64 {
        self.sums[0] as u64
    }

    /// How many seats were in the second group.
    pub fn without(&self) -> u64 {
        self.sums[2] as u64
    }

    /// The share that seats of the first group win.
    pub fn share_with(&self, unit: i64) -> Option<Estimate> {
        let share = self.share(0, unit)?;
        let error = self.error([1.0 / self.sums[0] as f64, 0.0], [share, 0.0], unit);
        Some(estimate::share_of(share, self.with(), self.worth(0, share, error)))
    }

    /// The share that seats of the second group win.
    pub fn share_without(&self, unit: i64) -> Option<Estimate> {
        let share = self.share(2, unit)?;
        let error = self.error([0.0, 1.0 / self.sums[2] as f64], [0.0, share], unit);
        Some(estimate::share_of(share, self.without(), self.worth(2, share, error)))
    }

    /// As how many independent seats a seat of a group counts, given the standard error of the group's share.
    fn worth(&self, group: usize, share: f64, error: f64) -> f64 {
        let count = self.sums[group] as f64;
        let plain = share * (1.0 - share) / count;
        let squares = self.products[if group == 0 { 0 } else { 7 }];
        if plain <= 0.0 {
            // Seats of one game that all win or all lose are no more than that game.
            return if squares > 0 { count / squares as f64 } else { 1.0 };
        }
        let worth = plain / (error * error);
        // Where no two seats are of one game, a seat is one, whatever the games happen to say.
        if squares == self.sums[group] { 1.0 } else { worth }
    }

    /// How much larger the share of the first group is, and how likely so much is if wins are dealt by lot in every game.
    ///
    /// The interval is that of Agresti and Caffo, "Simple and Effective Confidence Intervals for Proportions" (2000), as wide
    /// as games that hold several seats make it.
    pub fn difference(&self, unit: i64) -> Option<(Estimate, f64)> {
        let (with, without) = (self.share(0, unit)?, self.share(2, unit)?);
        let counts = [self.sums[0] as f64, self.sums[2] as f64];
        let error = self.error([1.0 / counts[0], -1.0 / counts[1]], [with, without], unit);
        let plain = with * (1.0 - with) / counts[0] + without * (1.0 - without) / counts[1];
        let wider = if plain > 0.0 { error * error / plain } else { 1.0 };
        let (nearer_with, nearer_without) = (nearer(with, counts[0]), nearer(without, counts[1]));
        let part = |share: f64, count: f64| share * (1.0 - share) / (count + 2.0);
        let error = (wider * (part(nearer_with, counts[0]) + part(nearer_without, counts[1]))).sqrt();
        let (value, center) = (with - without, nearer_with - nearer_without);
        let half = error * estimate::student(self.with().min(self.without()));
        let interval = Interval { low: (center - half).min(value), high: (center + half).max(value) };
        let chance = if value * self.lots.beyond as f64 > 0.0 { self.lots.chance() } else { 1.0 };
        Some((Estimate { value, interval, count: self.with() + self.without() }, chance))
    }

    /// The difference of the first group's share from that of a larger group which it is a part of, `lots` being what it won
    /// beyond its part. That it is a part of it makes the interval too wide rather than too narrow.
    pub fn against(&self, whole: &Self, lots: &Lots, unit: i64) -> Option<(Estimate, f64)> {
        let (own, all) = (self.share_with(unit)?, whole.share_with(unit)?);
        let value = own.value - all.value;
        let reach = |to: f64, from: f64| (own.value - to).hypot(all.value - from);
        let low = value - reach(own.interval.low, all.interval.high);
        let high = value + reach(own.interval.high, all.interval.low);
        let chance = if value * lots.beyond as f64 > 0.0 { lots.careful_chance() } else { 1.0 };
        Some((Estimate { value, interval: Interval { low, high }, count: own.count }, chance))
    }

    fn share(&self, group: usize, unit: i64) -> Option<f64> {
        (self.sums[group] > 0).then(|| self.sums[group + 1] as f64 / (self.sums[group] as f64 * unit as f64))
    }

    /// The standard error of the weighted sum of both groups' wins less what they would be by their shares (linearized).
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

/// A share with one win and one loss more.
fn nearer(share: f64, count: f64) -> f64 {
    (share * count + 1.0) / (count + 2.0)
}

#[cfg(test)]
mod tests {
    use super::super::estimate::{FALSE_FINDINGS, false_discovery};
    use super::Contrast;
    use crate::table::Chance;

    #[test]
    fn single_seats_give_the_interval_of_two_shares() {
        // 60 of 100 against 40 of 100: the difference is 0.2, its standard error sqrt(0.24 / 102 + 0.24 / 102) = 0.0686.
        let mut contrast = Contrast::default();
        for game in 0..100 {
            contrast.add((1, if game < 60 { 2 } else { 0 }), (0, 0));
            contrast.add((0, 0), (1, if game < 40 { 2 } else { 0 }));
        }
        let (found, _) = contrast.difference(2).unwrap();
        assert!((found.value - 0.2).abs() < 1e-12);
        assert!((found.interval.high - 0.196 - 1.984 * 0.0686).abs() < 2e-3, "{found:?}");
    }

    #[test]
    fn seats_of_one_game_are_not_counted_as_if_they_were_of_two() {
        // Both seats of a game always have it: one wins, and the share is a half without any doubt.
        let mut contrast = Contrast::default();
        (0..50).for_each(|_| contrast.add((2, 2), (0, 0)));
        let share = contrast.share_with(2).unwrap();
        assert!((share.value - 0.5).abs() < 1e-12 && share.interval.high - share.interval.low < 1e-9);
        assert!(contrast.difference(2).is_none());
    }

    /// Four seats, one of which wins by lot, or by having the first of many things; each has three things by lot.
    fn contrasts(seed: u64, games: u32, gain: u32) -> Vec<Contrast> {
        let mut chance = Chance::new(seed, "contrasts");
        let mut all = vec![Contrast::default(); 36];
        for _ in 0..games {
            let held: Vec<Vec<usize>> = (0..4).map(|_| (0..3).map(|_| chance.below(36) as usize).collect()).collect();
            let mut lots: Vec<usize> = (0..4).collect();
            lots.extend((0..4).filter(|seat| held[*seat].contains(&0)).flat_map(|seat| vec![seat; gain as usize]));
            let winner = lots[chance.below(lots.len() as u32) as usize];
            let wins: Vec<i64> = (0..4).map(|seat| if seat == winner { 12 } else { 0 }).collect();
            for (thing, contrast) in all.iter_mut().enumerate() {
                let copies: Vec<u32> = (0..4).map(|seat| u32::from(held[seat].contains(&thing))).collect();
                let without = (0..4).filter(|seat| copies[*seat] == 0).fold(0, |set, seat| set | 1 << seat);
                contrast.add_seats(&copies, without, &wins, 12);
            }
        }
        all
    }

    fn findings(contrasts: &[Contrast]) -> Vec<usize> {
        let chances: Vec<f64> = contrasts.iter().map(|one| one.difference(12).unwrap().1).collect();
        let adjusted = false_discovery(&chances);
        (0..adjusted.len()).filter(|at| adjusted[*at] <= FALSE_FINDINGS).collect()
    }

    #[test]
    fn where_nothing_matters_hardly_a_batch_has_a_finding() {
        let (runs, mut told, mut covered, mut all) = (200, 0, 0, 0);
        for seed in 0..runs {
            let found = contrasts(seed, 100, 0);
            told += u32::from(!findings(&found).is_empty());
            all += found.len();
            covered += found.iter().filter(|one| one.difference(12).unwrap().0.interval.contains(0.0)).count();
        }
        // Of 200 batches without any effect ten may have a finding; more than 18 would be chance once in a hundred times.
        assert!(told <= 18, "{told} of {runs}");
        let share = covered as f64 / all as f64;
        assert!((0.93..0.985).contains(&share), "intervals hold the truth {share} of the time");
    }

    #[test]
    fn what_matters_is_found() {
        let found = (0..20).filter(|seed| findings(&contrasts(*seed, 400, 4)) == [0]).count();
        assert!(found >= 16, "{found} of 20");
    }
}

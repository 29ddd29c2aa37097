//! Winning with something and without it, counted so that a game, not a seat, is what varies.

use super::estimate::{Estimate, Interval, two_sided};
use serde::{Deserialize, Serialize};

/// Sums over games of how many seats were in two groups and what they won together, and of all products of these: enough for
/// the difference of two shares and its interval, and added in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Contrast {
    /// Seats in the first group, their wins, seats in the second, their wins.
    sums: [i128; 4],
    /// The products of these, the upper half of a square table: row by row.
    products: [i128; 10],
}

/// 1.96: how many standard errors a 95 % interval reaches to each side.
const REACH: f64 = 1.959_963_984_540_054;

impl Contrast {
    /// One more game.
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
        Some(estimate(share, error, self.with()))
    }

    /// The share that seats of the second group win.
    pub fn share_without(&self, unit: i64) -> Option<Estimate> {
        let share = self.share(2, unit)?;
        let error = self.error([0.0, 1.0 / self.sums[2] as f64], [0.0, share], unit);
        Some(estimate(share, error, self.without()))
    }

    /// How much larger the share of the first group is, and how likely so much is by chance.
    pub fn difference(&self, unit: i64) -> Option<(Estimate, f64)> {
        let (with, without) = (self.share(0, unit)?, self.share(2, unit)?);
        let weights = [1.0 / self.sums[0] as f64, -1.0 / self.sums[2] as f64];
        let error = self.error(weights, [with, without], unit);
        let value = with - without;
        let chance = if error > 0.0 { two_sided(value / error) } else { 1.0 };
        Some((estimate(value, error, self.with() + self.without()), chance))
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

fn estimate(value: f64, error: f64, count: u64) -> Estimate {
    let half = REACH * error;
    Estimate { value, interval: Interval { low: value - half, high: value + half }, count }
}

#[cfg(test)]
mod tests {
    use super::Contrast;

    #[test]
    fn single_seats_give_the_textbook_interval_of_two_shares() {
        // 60 of 100 against 40 of 100: the difference is 0.2, its standard error sqrt(0.24 / 100 + 0.24 / 100) = 0.0693.
        let mut contrast = Contrast::default();
        for game in 0..100 {
            contrast.add((1, if game < 60 { 2 } else { 0 }), (0, 0));
            contrast.add((0, 0), (1, if game < 40 { 2 } else { 0 }));
        }
        let (found, chance) = contrast.difference(2).unwrap();
        assert!((found.value - 0.2).abs() < 1e-12);
        assert!((found.interval.high - found.value - 1.96 * 0.069_28).abs() < 1e-3, "{found:?}");
        assert!((chance - 0.0039).abs() < 0.0002, "{chance}");
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
}

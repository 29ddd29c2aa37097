//! How numbers are spread over games, and how sure a share is.

use std::collections::BTreeMap;

/// How often each number came up: enough for every figure, however many games there are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spread {
    counts: BTreeMap<i64, u64>,
    total: u64,
}

impl Spread {
    /// One more number.
    pub fn add(&mut self, number: i64) {
        *self.counts.entry(number).or_default() += 1;
        self.total += 1;
    }

    /// How many numbers there are.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The smallest, if there is any.
    pub fn min(&self) -> Option<i64> {
        self.counts.keys().next().copied()
    }

    /// The largest, if there is any.
    pub fn max(&self) -> Option<i64> {
        self.counts.keys().next_back().copied()
    }

    /// The mean, if there is any number.
    #[allow(clippy::cast_precision_loss, reason = "a mean of scores needs no more digits")]
    pub fn mean(&self) -> Option<f64> {
        let sum: i128 = self.counts.iter().map(|(number, count)| i128::from(*number) * i128::from(*count)).sum();
        (self.total > 0).then(|| sum as f64 / self.total as f64)
    }

    /// The number in the middle, or the mean of the two in the middle.
    #[allow(clippy::cast_precision_loss, reason = "scores are small")]
    pub fn median(&self) -> Option<f64> {
        let low = self.nth(self.total.checked_sub(1)? / 2)?;
        let high = self.nth(self.total / 2)?;
        Some(f64::midpoint(low as f64, high as f64))
    }

    /// The number at a position, counted from 0 in order of size.
    fn nth(&self, at: u64) -> Option<i64> {
        let mut passed = 0;
        self.counts.iter().find_map(|(number, count)| {
            passed += count;
            (at < passed).then_some(*number)
        })
    }
}

/// From where to where a share may lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The low end.
    pub low: f64,
    /// The high end.
    pub high: f64,
}

/// The 95 % interval of a share after so many games; fractional wins count as such.
///
/// Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927).
pub fn wilson(wins: f64, games: u64) -> Interval {
    wilson_at(wins, games, 1.959_963_984_540_054)
}

/// The same for another degree of certainty, given in standard deviations.
#[allow(clippy::cast_precision_loss, reason = "a share needs no more digits")]
pub fn wilson_at(wins: f64, games: u64, deviations: f64) -> Interval {
    if games == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = games as f64;
    let share = wins / n;
    let square = deviations * deviations;
    let spread = deviations * (share * (1.0 - share) / n + square / (4.0 * n * n)).sqrt();
    let (center, scale) = (share + square / (2.0 * n), 1.0 + square / n);
    Interval { low: ((center - spread) / scale).max(0.0), high: ((center + spread) / scale).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::{Spread, wilson};

    #[test]
    fn the_median_of_an_even_number_lies_between_the_two_in_the_middle() {
        let mut spread = Spread::default();
        assert_eq!((spread.mean(), spread.median()), (None, None));
        for number in [4, -1, 7, 2] {
            spread.add(number);
        }
        assert_eq!((spread.min(), spread.max(), spread.total()), (Some(-1), Some(7), 4));
        assert_eq!((spread.mean(), spread.median()), (Some(3.0), Some(3.0)));
        spread.add(100);
        assert_eq!(spread.median(), Some(4.0));
    }

    #[test]
    fn the_interval_is_that_of_the_textbook() {
        // 10 of 100: Brown, Cai and DasGupta (2001) give 0.0552 to 0.1744.
        let found = wilson(10.0, 100);
        assert!((found.low - 0.0552).abs() < 0.0001 && (found.high - 0.1744).abs() < 0.0001, "{found:?}");
        assert!(wilson(0.0, 50).low.abs() < 1e-12);
    }
}

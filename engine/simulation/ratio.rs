//! Ratios of two counts. Their intervals treat a game as the independent unit (ratio estimator for cluster samples).

use super::estimate::{self, Estimate, Interval};
use serde::{Deserialize, Serialize};

/// Two counts and their products, each summed over games. The sums are sufficient for the ratio and its interval, and can be added in any
/// order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ratio {
    games: u64,
    whole: i128,
    part: i128,
    wholes: i128,
    products: i128,
    parts: i128,
    is_share: bool,
}

impl Ratio {
    /// Adds `games` games, each with the counts `whole` and `part`. `is_share` says whether `part` is a subset of `whole`.
    pub(super) fn add_many(&mut self, whole: i64, part: i64, is_share: bool, games: u64) {
        let (whole, part, times) = (i128::from(whole), i128::from(part), i128::from(games));
        self.games += games;
        self.whole += whole * times;
        self.part += part * times;
        self.wholes += whole * whole * times;
        self.products += whole * part * times;
        self.parts += part * part * times;
        self.is_share = is_share;
    }

    /// Adds the games of another ratio.
    pub(super) fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.whole += other.whole;
        self.part += other.part;
        self.wholes += other.wholes;
        self.products += other.products;
        self.parts += other.parts;
        self.is_share |= other.is_share;
    }

    /// Returns `part / whole` with its 95 % interval: linearized or, for a share, Wilson's interval with the effective
    /// sample size. `None` if `whole` is 0.
    pub fn estimate(&self) -> Option<Estimate> {
        if self.whole == 0 {
            return None;
        }
        let (whole, games) = (self.whole as f64, self.games as f64);
        let value = self.part as f64 / whole;
        let squares = self.parts as f64 - 2.0 * value * self.products as f64 + value * value * self.wholes as f64;
        let variance = squares.max(0.0) / (whole * whole) * games / (games - 1.0);
        let plain = value * (1.0 - value) / whole;
        let count = self.whole as u64;
        if self.is_share {
            let alike = plain <= 0.0 || self.games < 2;
            let effective_size = if alike { games / whole } else { plain / variance };
            return Some(estimate::share_of(value, count, effective_size));
        }
        let is_enough = self.games >= if variance > 0.0 { 2 } else { estimate::MIN_IDENTICAL };
        let half = if is_enough { estimate::t_quantile(self.games) * variance.sqrt() } else { f64::INFINITY };
        Some(Estimate { value, interval: Interval { low: value - half, high: value + half }, count })
    }
}

#[cfg(test)]
mod tests {
    use super::Ratio;

    #[test]
    fn a_ratio_with_unit_counts_is_a_mean() {
        // Ten numbers with mean 5.5 and standard deviation 3.0277. t(9) is 2.2622, so the interval is 5.5 ± 2.1659.
        let mut ratio = Ratio::default();
        (1..=10).for_each(|number| ratio.add_many(1, number, false, 1));
        let found = ratio.estimate().unwrap();
        assert!((found.interval.low - 3.3341).abs() < 1e-3 && (found.interval.high - 7.6659).abs() < 1e-3, "{found:?}");
        assert!(Ratio::default().estimate().is_none());
    }

    #[test]
    fn questions_of_one_game_count_as_one_observation() {
        let (mut single, mut tenfold) = (Ratio::default(), Ratio::default());
        for game in 0..100 {
            single.add_many(1, game % 2, true, 1);
            tenfold.add_many(10, game % 2 * 10, true, 1);
        }
        let (single, tenfold) = (single.estimate().unwrap().interval, tenfold.estimate().unwrap().interval);
        assert!((single.low - tenfold.low).abs() < 0.01 && (single.high - tenfold.high).abs() < 0.01);
    }
}

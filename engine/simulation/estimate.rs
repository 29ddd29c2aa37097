//! Statistical estimates: intervals, tests, and corrections for multiple testing.

use super::histogram::Histogram;
use serde::Serialize;
use statrs::distribution::{Binomial, ChiSquared, ContinuousCDF, DiscreteCDF, Normal, StudentsT};

/// Confidence level of intervals.
pub const CONFIDENCE: f64 = 0.95;

/// Accepted false discovery rate: the proportion of findings that may be due to chance.
pub const FALSE_FINDINGS: f64 = 0.05;

/// Confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Returns whether a number lies in the interval.
    pub fn contains(&self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }
}

/// A value with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// 95 % interval.
    pub interval: Interval,
    /// Number of observations.
    pub count: u64,
}

pub(super) fn normal() -> Normal {
    Normal::standard()
}

/// Returns the half-width of a normal confidence interval in standard errors.
pub(super) fn z_quantile(confidence: f64) -> f64 {
    normal().inverse_cdf(f64::midpoint(1.0, confidence))
}

/// Minimum number of identical observations for their variance to be taken as 0.
pub(super) const MIN_IDENTICAL: u64 = 10;

/// Returns the 95 % Wilson interval of a win share. Wins may be fractional.
///
/// Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927).
pub fn wilson(wins: f64, games: u64) -> Interval {
    wilson_at(wins, games, z_quantile(CONFIDENCE))
}

/// Like [`wilson`], but for another confidence level, given in standard deviations.
pub fn wilson_at(wins: f64, games: u64, deviations: f64) -> Interval {
    score_interval(wins / (games.max(1) as f64), games as f64, deviations)
}

/// Returns the Wilson (score) interval of a share in `n` observations. `n` need not be an integer.
fn score_interval(share: f64, n: f64, z: f64) -> Interval {
    if n <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let (center, scale) = (share + z * z / (2.0 * n), 1.0 + z * z / n);
    // Avoid rounding errors: the interval of 0 or 1 must contain that value.
    let low = if share <= 0.0 { 0.0 } else { ((center - half) / scale).max(0.0) };
    let high = if share >= 1.0 { 1.0 } else { ((center + half) / scale).min(1.0) };
    Interval { low, high }
}

/// Estimates a share as the mean of numbers from 0 to `unit`, for example of wins where a tie counts as a fraction.
///
/// Ties vary less than wins and losses. To account for that, the Wilson interval uses the effective sample size.
pub(super) fn share(histogram: &Histogram, unit: i64) -> Estimate {
    share_with(histogram, unit, CONFIDENCE)
}

/// Like [`share`], but for another confidence level.
pub(super) fn share_with(histogram: &Histogram, unit: i64, confidence: f64) -> Estimate {
    let value = histogram.mean().unwrap_or(0.0) / unit as f64;
    let effective_size = effective_size(histogram, unit);
    Estimate {
        value,
        interval: score_interval(value, histogram.total() as f64 * effective_size, z_quantile(confidence)),
        count: histogram.total(),
    }
}

/// Returns the effective sample size of one game: the number of games without ties that would estimate the share with the same variance. It
/// is at least 1.
pub(super) fn effective_size(histogram: &Histogram, unit: i64) -> f64 {
    let unit = unit as f64;
    let value = histogram.mean().unwrap_or(0.0) / unit;
    let variance = histogram.variance().unwrap_or(0.0) / (unit * unit);
    let plain = value * (1.0 - value);
    if plain <= 0.0 || (variance <= 0.0 && histogram.total() < MIN_IDENTICAL) {
        return 1.0;
    }
    (plain / variance).clamp(1.0, MAX_EFFECTIVE_SIZE)
}

/// Maximum effective sample size of one game, which also applies to games without any variance.
const MAX_EFFECTIVE_SIZE: f64 = 1e6;

/// Returns the estimate of a share from `count` observations, each with a given effective sample size.
pub(super) fn share_of(value: f64, count: u64, effective_size: f64) -> Estimate {
    let interval = if effective_size.is_finite() {
        score_interval(value, count as f64 * effective_size, z_quantile(CONFIDENCE))
    } else {
        Interval { low: value, high: value }
    };
    Estimate { value, interval, count }
}

/// Returns the mean of a histogram with an interval by Student's t distribution. In the histogram, `unit` stands for 1. The interval is
/// infinite if there are too few numbers.
pub(super) fn mean(histogram: &Histogram, unit: i64) -> Estimate {
    let (count, unit) = (histogram.total(), unit as f64);
    let value = histogram.mean().unwrap_or(0.0) / unit;
    let half = match histogram.variance() {
        Some(variance) if variance > 0.0 || count >= MIN_IDENTICAL => {
            t_quantile(count) * (variance / count as f64).sqrt() / unit
        }
        _ => f64::INFINITY,
    };
    Estimate { value, interval: Interval { low: value - half, high: value + half }, count }
}

/// Returns the half-width of the 95 % interval of a mean of `count` numbers, in standard errors.
pub(super) fn t_quantile(count: u64) -> f64 {
    let freedom = count.saturating_sub(1).max(1) as f64;
    let half = f64::midpoint(1.0, CONFIDENCE);
    StudentsT::new(0.0, 1.0, freedom).map_or_else(|_| normal().inverse_cdf(half), |student| student.inverse_cdf(half))
}

/// Returns the p-value of Pearson's chi-squared test of the hypothesis that all shares are equal. `games` is the
/// effective number of games.
pub(super) fn p_value_of_all(shares: &[f64], games: f64) -> f64 {
    let fair = 1.0 / shares.len().max(1) as f64;
    let sum: f64 = shares.iter().map(|share| (share - fair).powi(2) / fair).sum();
    let freedom = shares.len().saturating_sub(1) as f64;
    ChiSquared::new(freedom).map_or(1.0, |chi| chi.sf(sum * games))
}

/// Returns the two-sided p-value of one share against the fair share after `games` games, by the exact binomial test.
pub(super) fn p_value_of_share(share: f64, fair: f64, games: f64) -> f64 {
    let games = games.floor().max(0.0);
    // Fractional wins are rounded in favor of the null hypothesis.
    let wins = (share * games - 1e-6).ceil().min(games);
    let fewer = (share * games + 1e-6).floor();
    let Ok(fair_wins) = Binomial::new(fair, games as u64) else { return 1.0 };
    let tail = if share > fair {
        if fewer < 1.0 { 1.0 } else { fair_wins.sf(fewer as u64 - 1) }
    } else {
        fair_wins.cdf(wins as u64)
    };
    (2.0 * tail).min(1.0)
}

/// Like [`p_value_of_share`], but with the score test, which agrees with the Wilson interval: if a share is significant, its interval does
/// not contain the fair share.
fn p_value_of_score(share: f64, fair: f64, games: f64) -> f64 {
    2.0 * normal().sf((share - fair).abs() / (fair * (1.0 - fair) / games.max(1.0)).sqrt())
}

/// Returns the adjusted p-value of each of several shares against the fair share. A share is significant only if three tests reject:
/// Pearson's test over all shares, and the share's exact test and score test, both adjusted for the number of shares.
///
/// `sizes` contains the effective sample size of one game for each share.
pub fn p_values_of_shares(shares: &[f64], games: u64, sizes: &[f64]) -> Vec<f64> {
    let fair = 1.0 / shares.len().max(1) as f64;
    let least = sizes.iter().copied().fold(f64::INFINITY, f64::min);
    let any = p_value_of_all(shares, games as f64 * if least.is_finite() { least } else { 1.0 });
    let each = shares.iter().zip(sizes).map(|(share, effective_size)| {
        let plain = games as f64 * effective_size;
        p_value_of_share(*share, fair, plain).max(p_value_of_score(*share, fair, plain))
    });
    let each: Vec<f64> = each.collect();
    false_discovery(&each).into_iter().map(|p_value| p_value.max(any)).collect()
}

/// Returns the largest share that is compatible (at 95 %) with no occurrence in `trials` trials: the exact form of the
/// rule of three.
pub fn rule_of_three_bound(trials: u64) -> f64 {
    if trials == 0 { 1.0 } else { 1.0 - (1.0 - CONFIDENCE).powf(1.0 / trials as f64) }
}

/// Returns the number of games after which the share at index `which` becomes significant if all shares stay the same. Returns `None` if
/// more than 2^32 games are necessary.
pub fn games_to_significance(shares: &[f64], sizes: &[f64], which: usize) -> Option<u64> {
    const MOST: u64 = 1 << 32;
    let settles = |games: u64| p_values_of_shares(shares, games, sizes)[which] <= FALSE_FINDINGS;
    let enough = std::iter::successors(Some(1_u64), |games| Some(games * 2)).take_while(|games| *games <= MOST);
    let high = enough.into_iter().find(|games| settles(*games))?;
    let (mut low, mut high) = (high / 2, high);
    while high - low > 1 {
        let middle = u64::midpoint(low, high);
        if settles(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// Returns the number of games after which the interval of a share has a half-width of at most `within`.
pub fn games_to_precision(share: f64, within: f64) -> u64 {
    let z = z_quantile(CONFIDENCE);
    (z * z * share * (1.0 - share) / (within * within)).ceil() as u64
}

/// Adjusts p-values for multiple testing, to control the false discovery rate: Benjamini and Hochberg, "Controlling the False Discovery
/// Rate" (1995).
pub fn false_discovery(chances: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|a, b| chances[*b].total_cmp(&chances[*a]));
    let mut adjusted = vec![1.0; chances.len()];
    let mut least = 1.0_f64;
    for (passed, at) in order.into_iter().enumerate() {
        let rank = (chances.len() - passed) as f64;
        least = least.min(chances[at] * chances.len() as f64 / rank);
        adjusted[at] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, wanted: f64) -> bool {
        (found - wanted).abs() < 0.0001
    }

    #[test]
    fn a_share_that_is_the_same_in_every_game_has_a_narrow_interval() {
        let share_of = |numbers: &[(i64, u64)]| {
            let mut histogram = Histogram::default();
            for (number, times) in numbers {
                histogram.add_many(*number, *times);
            }
            share(&histogram, 1000).interval
        };
        let (alike, few, won) = (share_of(&[(77, 50)]), share_of(&[(77, 5)]), share_of(&[(1000, 50)]));
        assert!(alike.high - alike.low < 1e-3 && (alike.low..=alike.high).contains(&0.077), "{alike:?}");
        assert!(few.high - few.low > 0.1, "{few:?}");
        assert!(won.low < 0.95, "what always happens may fail to happen: {won:?}");
    }

    #[test]
    fn wilson_intervals_match_the_literature() {
        // 10 of 100: Brown, Cai and DasGupta (2001) give 0.0552 to 0.1744.
        let found = wilson(10.0, 100);
        assert!(near(found.low, 0.0552) && near(found.high, 0.1744), "{found:?}");
        assert!(wilson(0.0, 50).low.abs() < 1e-12);
        assert_eq!(wilson(0.0, 0), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn ties_make_the_interval_of_a_share_narrower() {
        let (mut plain, mut tied) = (Histogram::default(), Histogram::default());
        plain.add_many(0, 50);
        plain.add_many(2, 50);
        tied.add_many(0, 25);
        tied.add_many(1, 50);
        tied.add_many(2, 25);
        let (plain, tied) = (share(&plain, 2), share(&tied, 2));
        assert!(near(plain.value, tied.value));
        assert!(tied.interval.high < plain.interval.high && tied.interval.low > plain.interval.low);
    }

    #[test]
    fn the_interval_of_a_mean_is_students() {
        // Ten numbers with mean 5.5 and standard deviation 3.0277. t(9) is 2.2622, so the interval is 5.5 ± 2.1659.
        let mut histogram = Histogram::default();
        histogram.extend(1..=10);
        let found = mean(&histogram, 1);
        assert!(near(found.interval.low, 3.3341) && near(found.interval.high, 7.6659), "{found:?}");
    }

    #[test]
    fn pearsons_test_detects_a_loaded_die() {
        let shares = |counts: [u32; 6]| counts.map(|count| f64::from(count) / 60.0);
        // Pearson's statistic is 1.0 and 13.4, with five degrees of freedom. The p-values are 0.9626 and 0.0199.
        assert!(near(p_value_of_all(&shares([9, 11, 10, 8, 12, 10]), 60.0), 0.9626));
        assert!(near(p_value_of_all(&shares([5, 8, 9, 8, 10, 20]), 60.0), 0.0199));
    }

    #[test]
    fn p_values_are_adjusted_for_multiple_testing() {
        // The example of Benjamini and Hochberg: the four smallest of fifteen p-values are findings at 0.05.
        let chances = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
            0.7590, 1.0,
        ];
        let adjusted = false_discovery(&chances);
        assert_eq!(adjusted.iter().filter(|p_value| **p_value <= FALSE_FINDINGS).count(), 4);
        assert!(near(adjusted[3], 0.0095 * 15.0 / 4.0));
    }

    #[test]
    fn intervals_of_0_and_1_contain_them() {
        for games in [5, 7, 20, 30, 50, 100, 999] {
            assert!(wilson(0.0, games).low <= 0.0 && wilson(games as f64, games).high >= 1.0, "{games}");
        }
    }

    #[test]
    fn never_seen_follows_the_rule_of_three() {
        assert!((rule_of_three_bound(300) - 0.01).abs() < 0.0002);
        assert!((rule_of_three_bound(0) - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn the_number_of_games_needed_depends_on_the_gap() {
        assert_eq!(games_to_precision(0.25, 0.027), 989);
        let shares = [0.40, 0.20, 0.20, 0.20];
        let settles = |games| p_values_of_shares(&shares, games, &[1.0; 4])[0] <= FALSE_FINDINGS;
        let few = games_to_significance(&shares, &[1.0; 4], 0).unwrap();
        assert!((60..150).contains(&few) && settles(few) && !settles(few - 1), "{few}");
        assert_eq!(games_to_significance(&[0.25; 4], &[1.0; 4], 0), None);
    }

    #[test]
    fn a_single_share_is_tested_exactly() {
        // The probability of at least 8 heads in 10 tosses is 56 of 1024; doubled for the two-sided test.
        assert!(near(p_value_of_share(0.8, 0.5, 10.0), 112.0 / 1024.0));
        assert!(near(p_value_of_share(0.2, 0.5, 10.0), 112.0 / 1024.0));
        assert!(p_value_of_share(1.0, 0.5, 200.0) < 1e-50, "a seat that wins every game");
        assert!(near(p_value_of_share(0.5, 0.5, 200.0), 1.0));
        assert!(p_values_of_shares(&[1.0, 0.0], 200, &[1.0; 2]).iter().all(|p_value| *p_value < 1e-40));
        assert!(p_values_of_shares(&[1.0, 0.0], 3, &[1.0; 2]).iter().all(|p_value| *p_value > FALSE_FINDINGS));
    }
}

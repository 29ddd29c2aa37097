//! Differences with significance tests. Test and interval use the same distribution, so they never contradict each other.
//! Differences that are shown together are adjusted for multiple testing.

use super::estimate::{CONFIDENCE, Estimate, FALSE_FINDINGS, Interval, MIN_IDENTICAL, false_discovery, normal};
use super::histogram::Histogram;
use statrs::distribution::{ContinuousCDF, Gamma, StudentsT};

/// A difference with its distribution under the null hypothesis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    value: f64,
    count: u64,
    law: NullDistribution,
}

/// Distribution of a difference under the null hypothesis that the true difference is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
enum NullDistribution {
    /// Unknown distribution.
    Unknown,
    /// All observations are equal; the field is their number.
    Identical(u64),
    /// Student's t distribution.
    Student { error: f64, freedom: f64 },
    /// Permutation distribution of a difference of shares: skewed, and discrete with a distance of `step` between its values.
    Permutation { error: f64, skew: f64, step: f64 },
}

/// A difference, adjusted for multiple testing jointly with the other differences that are shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdjustedDifference {
    /// The difference. The adjusted interval excludes 0 if and only if the difference is a finding.
    pub estimate: Estimate,
    /// p-value, adjusted by the method of Benjamini and Hochberg.
    pub false_findings: f64,
}

impl AdjustedDifference {
    /// Returns whether the difference is significant.
    pub fn is_finding(&self) -> bool {
        self.false_findings <= FALSE_FINDINGS
    }
}

impl Difference {
    /// Creates the difference between the mean of a histogram and 0. In the histogram, `unit` stands for 1.
    pub fn of_mean(histogram: &Histogram, unit: i64) -> Self {
        let (count, unit) = (histogram.total(), unit as f64);
        let value = histogram.mean().unwrap_or(0.0) / unit;
        let law = match histogram.variance() {
            Some(variance) if variance > 0.0 => NullDistribution::Student {
                error: (variance / count as f64).sqrt() / unit,
                freedom: (count - 1) as f64,
            },
            _ => NullDistribution::Identical(count),
        };
        Self { value, count, law }
    }

    /// Creates the difference between a figure and 0. The standard error is estimated with the jackknife over blocks of games: `without`
    /// contains the value of the figure with each block left out.
    ///
    /// Efron and Stein, "The Jackknife Estimate of Variance" (1981).
    pub(super) fn of_blocks(value: f64, without: &[f64], count: u64) -> Self {
        let blocks = without.len() as f64;
        let mean = without.iter().sum::<f64>() / blocks.max(1.0);
        let squares: f64 = without.iter().map(|one| (one - mean).powi(2)).sum();
        let error = (squares * (blocks - 1.0).max(0.0) / blocks.max(1.0)).sqrt();
        let law = if error > 0.0 {
            NullDistribution::Student { error, freedom: blocks - 1.0 }
        } else {
            NullDistribution::Identical(without.len() as u64)
        };
        Self { value, count, law }
    }

    /// Creates a difference from its value and its standard error, which was estimated with `freedom` degrees of
    /// freedom.
    pub(super) fn of_estimate(value: f64, count: u64, error: f64, freedom: f64) -> Self {
        let law =
            if error > 0.0 { NullDistribution::Student { error, freedom } } else { NullDistribution::Identical(count) };
        Self { value, count, law }
    }

    /// Creates a difference of shares. `variance` and `third` are the variance and third central moment under the null
    /// hypothesis, and `step` is the smallest possible change.
    pub(super) fn of_shares(value: f64, count: u64, variance: f64, third: f64, step: f64) -> Self {
        let law = if variance > 0.0 {
            NullDistribution::Permutation { error: variance.sqrt(), skew: third / variance.powf(1.5), step }
        } else if value == 0.0 {
            NullDistribution::Identical(count)
        } else {
            NullDistribution::Unknown
        };
        Self { value, count, law }
    }

    /// Returns the two-sided p-value: the probability of a difference at least this large under the null hypothesis.
    pub fn p_value(&self) -> f64 {
        if self.value == 0.0 {
            return 1.0;
        }
        match self.law {
            NullDistribution::Unknown => 1.0,
            NullDistribution::Identical(count) => p_value_identical(count),
            NullDistribution::Student { error, freedom } => 2.0 * students_t(freedom).sf((self.value / error).abs()),
            NullDistribution::Permutation { error, skew, step } => {
                // Continuity correction by half of the smallest possible change.
                let errors = (self.value.abs() - step / 2.0) / error;
                if errors > 0.0 { (2.0 * permutation_tail(errors, skew * self.value.signum())).min(1.0) } else { 1.0 }
            }
        }
    }

    /// Returns the confidence interval: all values that the test would not reject. It excludes 0 if and only if [`p_value`](Self::p_value)
    /// is less than `1 - confidence`.
    pub fn interval(&self, confidence: f64) -> Interval {
        let doubt = 1.0 - confidence;
        let (below, above) = match self.law {
            NullDistribution::Identical(count)
                if self.value == 0.0 && count >= MIN_IDENTICAL || p_value_identical(count) < doubt =>
            {
                (0.0, 0.0)
            }
            NullDistribution::Unknown | NullDistribution::Identical(_) => (f64::INFINITY, f64::INFINITY),
            NullDistribution::Student { error, freedom } => {
                let half = students_t(freedom).inverse_cdf(1.0 - doubt / 2.0) * error;
                (half, half)
            }
            NullDistribution::Permutation { error, skew, step } => {
                let reach = |skew| error * permutation_quantile(doubt / 2.0, skew) + step / 2.0;
                (reach(skew), reach(-skew))
            }
        };
        let (low, high) = (self.value - below, self.value + above);
        match self.law {
            NullDistribution::Permutation { .. } => Interval { low: low.max(-1.0), high: high.min(1.0) },
            _ => Interval { low, high },
        }
    }

    /// Returns the difference with its 95 % interval, without adjustment for multiple testing.
    pub fn unadjusted(&self) -> Estimate {
        Estimate { value: self.value, interval: self.interval(CONFIDENCE), count: self.count }
    }
}

/// Returns the confidence level for the intervals of several differences, given their adjusted p-values. At this level, the expected
/// proportion of significant differences whose interval misses the true value is at most [`FALSE_FINDINGS`].
///
/// Benjamini and Yekutieli, "False Discovery Rate-Adjusted Multiple Confidence Intervals for Selected Parameters" (2005). These intervals
/// exclude 0 if and only if the method of Benjamini and Hochberg rejects.
pub fn confidence_together(false_findings: &[f64]) -> f64 {
    let found = false_findings.iter().filter(|share| **share <= FALSE_FINDINGS).count();
    1.0 - FALSE_FINDINGS * found.max(1) as f64 / false_findings.len().max(1) as f64
}

/// Adjusts the p-values and intervals of differences that are shown together for multiple testing.
pub fn adjust_differences(differences: &[Difference]) -> Vec<AdjustedDifference> {
    let p_values: Vec<f64> = differences.iter().map(Difference::p_value).collect();
    let adjusted = false_discovery(&p_values);
    let confidence = confidence_together(&adjusted);
    let weighed = differences.iter().zip(adjusted).map(|(difference, false_findings)| {
        let interval = difference.interval(confidence);
        AdjustedDifference { estimate: Estimate { interval, ..difference.unadjusted() }, false_findings }
    });
    weighed.collect()
}

/// Returns the p-value of `count` equal nonzero numbers by the sign test. It is 1 if there are too few numbers.
fn p_value_identical(count: u64) -> f64 {
    if count < MIN_IDENTICAL { 1.0 } else { 0.5_f64.powf((count - 1) as f64) }
}

fn students_t(freedom: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, freedom.max(1.0)).expect("a distribution has degrees of freedom")
}

/// Returns the probability that a random permutation exceeds the mean by this many standard errors. The distribution is
/// approximated by the gamma distribution with the same skewness (Pearson type III).
fn permutation_tail(errors: f64, skew: f64) -> f64 {
    if skew.abs() < 1e-3 {
        return normal().sf(errors);
    }
    let shape = 4.0 / (skew * skew);
    let at = shape + skew.signum() * errors * shape.sqrt();
    let Ok(gamma) = Gamma::new(shape, 1.0) else { return normal().sf(errors) };
    if skew > 0.0 { gamma.sf(at) } else { gamma.cdf(at.max(0.0)) }
}

/// Returns the number of standard errors whose [`permutation_tail`] is `tail`, by bisection.
fn permutation_quantile(tail: f64, skew: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while permutation_tail(high, skew) > tail && high < 1e6 {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if permutation_tail(middle, skew) > tail { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use statrs::distribution::{Binomial, DiscreteCDF};

    fn permuted(value: f64, variance: f64, third: f64, step: f64) -> Difference {
        Difference::of_shares(value, 100, variance, third, step)
    }

    fn mean_of(numbers: &[i64]) -> Difference {
        let mut histogram = Histogram::default();
        histogram.extend(numbers.iter().copied());
        Difference::of_mean(&histogram, 3)
    }

    /// Returns whether the test and the interval agree at a confidence level.
    fn agree(difference: &Difference, confidence: f64) -> bool {
        let (p_value, doubt) = (difference.p_value(), 1.0 - confidence);
        let is_close = (p_value - doubt).abs() <= 1e-7 * doubt;
        let interval = difference.interval(confidence);
        assert!(interval.contains(difference.value.clamp(-1e9, 1e9)), "{difference:?} {interval:?}");
        is_close || interval.contains(0.0) == (p_value >= doubt)
    }

    proptest! {
        #[test]
                fn an_interval_excludes_0_exactly_if_the_test_rejects(
            value in -0.9_f64..0.9, error in 0.001_f64..0.5, skew in -3.0_f64..3.0, step in 0.0_f64..0.2,
            numbers in prop::collection::vec(-5_i64..9, 2..40), alike in 1_usize..60, level in 0.5_f64..0.9999,
        ) {
            prop_assert!(agree(&permuted(value, error * error, skew * error.powi(3), step), level));
            prop_assert!(agree(&mean_of(&numbers), level));
            prop_assert!(agree(&mean_of(&vec![numbers[0]; alike]), level));
            let blocks: Vec<f64> = numbers.iter().map(|number| *number as f64 / 7.0).collect();
            prop_assert!(agree(&Difference::of_blocks(value, &blocks, 100), level));
        }

        #[test]
                fn adjusted_intervals_exclude_0_exactly_for_findings(
            all in prop::collection::vec((-0.9_f64..0.9, 0.01_f64..0.5, -2.0_f64..2.0), 1..60),
        ) {
            let all: Vec<Difference> =
                all.iter().map(|(value, error, skew)| permuted(*value, error * error, skew * error.powi(3), 0.01)).collect();
            for weighed in adjust_differences(&all) {
                prop_assert_eq!(weighed.is_finding(), !weighed.estimate.interval.contains(0.0), "{:?}", weighed);
            }
        }
    }

    #[test]
    fn the_permutation_tail_approximates_the_binomial() {
        // 40 trials with probability 1/4: mean 10, variance 7.5, third moment 3.75.
        let binomial = Binomial::new(0.25, 40).unwrap();
        for wins in [2_u64, 4, 16, 18, 20] {
            let exact = 2.0 * if wins > 10 { binomial.sf(wins - 1) } else { binomial.cdf(wins) };
            let found = permuted(wins as f64 - 10.0, 7.5, 3.75, 1.0).p_value();
            assert!((found / exact).ln().abs() < 0.4, "{wins}: {found} for {exact}");
        }
        assert!((permuted(0.3, 7.5, 3.75, 1.0).p_value() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn few_identical_numbers_show_nothing() {
        let few = mean_of(&[3, 3]);
        assert!(few.interval(0.95).high.is_infinite() && (few.p_value() - 1.0).abs() < 1e-12);
        let many = mean_of(&[3; 60]);
        assert!((many.interval(0.95).high - 1.0).abs() < 1e-12 && many.p_value() < 1e-15);
        assert!(mean_of(&[3; 10]).interval(0.9999).low.is_infinite(), "not enough for so much certainty");
        let none = mean_of(&[0; 10]);
        assert!(none.interval(0.95) == Interval { low: 0.0, high: 0.0 } && none.p_value() >= 1.0);
    }

    #[test]
    fn a_single_significant_difference_among_many_is_no_finding() {
        let narrow = mean_of(&[-20, -12, -31, 2, -9, -15, 3, -28, -1, -17]);
        assert!(!narrow.unadjusted().interval.contains(0.0) && adjust_differences(&[narrow])[0].is_finding());
        let mut many = vec![mean_of(&[-2, 5, 1, -4, 3, -3, 2, 0, -1, 1]); 200];
        many.push(narrow);
        let among = adjust_differences(&many)[200];
        assert!(!among.is_finding() && among.estimate.interval.contains(0.0), "{among:?}");
    }
}

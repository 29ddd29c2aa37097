//! Histograms of integers over games.

use super::pairs;
use serde::{Deserialize, Serialize};

/// Histogram of integers with bounded size, sufficient for all figures.
///
/// Counts are exact and can be added in any order. Numbers whose absolute value is 1,024 or more share buckets with a relative width of at
/// most 0.2 %, which keeps the number of buckets small. Mean and variance are exact nevertheless.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "SerializedHistogram")]
pub struct Histogram {
    /// Nonempty buckets with their counts, in ascending order. They are in a sorted vector, because there are few buckets and most
    /// additions find an existing one.
    counts: Vec<(i64, u64)>,
    total: u64,
    sum: i128,
    squares: i128,
    min: i64,
    max: i64,
}

/// Serialized form, validated by conversion because the file may have been edited.
#[derive(Deserialize)]
struct SerializedHistogram {
    #[serde(deserialize_with = "pairs::deserialize")]
    counts: Vec<(i64, u64)>,
    total: u64,
    sum: i128,
    squares: i128,
    min: i64,
    max: i64,
}

impl TryFrom<SerializedHistogram> for Histogram {
    type Error = &'static str;

    fn try_from(written: SerializedHistogram) -> Result<Self, Self::Error> {
        let SerializedHistogram { counts, total, sum, squares, min, max } = written;
        let counted = counts.iter().try_fold(0_u64, |sum, (_, count)| sum.checked_add(*count).filter(|_| *count > 0));
        let ends = counts.first().zip(counts.last()).map(|((first, _), (last, _))| (*first, *last));
        let is_rising = counts.windows(2).all(|two| two[0].0 < two[1].0);
        let places = (total > 0).then(|| (bucket(min), bucket(max)));
        let (least, most) = (i128::from(min) * i128::from(total), i128::from(max) * i128::from(total));
        let holds = counted == Some(total)
            && total <= MAX_TOTAL
            && is_rising
            && min <= max
            && ends == places
            && (least..=most).contains(&sum)
            && squares >= 0;
        if holds { Ok(Self { counts, total, sum, squares, min, max }) } else { Err("a histogram does not add up") }
    }
}

/// Maximum total count that is accepted when a histogram is deserialized. No real batch reaches this limit.
const MAX_TOTAL: u64 = 1 << 53;

/// Limit below which every absolute value has a bucket of its own.
const EXACT: u64 = 1024;

impl Histogram {
    /// Adds a number.
    pub fn add(&mut self, number: i64) {
        self.count(number, 1);
        let wide = i128::from(number);
        self.sum = self.sum.saturating_add(wide);
        self.squares = self.squares.saturating_add(wide * wide);
    }

    /// Adds a number several times.
    pub fn add_many(&mut self, number: i64, times: u64) {
        if times == 0 {
            return;
        }
        self.count(number, times);
        let (wide, times) = (i128::from(number), i128::from(times));
        self.sum = self.sum.saturating_add(wide * times);
        self.squares = self.squares.saturating_add((wide * wide).saturating_mul(times));
    }

    fn count(&mut self, number: i64, times: u64) {
        self.count_bucket(bucket(number), times);
        (self.min, self.max) = match self.total {
            0 => (number, number),
            _ => (self.min.min(number), self.max.max(number)),
        };
        self.total += times;
    }

    fn count_bucket(&mut self, place: i64, times: u64) {
        match self.counts.binary_search_by_key(&place, |(known, _)| *known) {
            Ok(at) => self.counts[at].1 += times,
            Err(at) => self.counts.insert(at, (place, times)),
        }
    }

    /// Adds all numbers of another histogram.
    pub fn merge(&mut self, other: &Self) {
        if other.total == 0 {
            return;
        }
        (self.min, self.max) = match self.total {
            0 => (other.min, other.max),
            _ => (self.min.min(other.min), self.max.max(other.max)),
        };
        for (number, count) in &other.counts {
            self.count_bucket(*number, *count);
        }
        self.total += other.total;
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }

    /// Returns the size in bytes of the buckets.
    pub(super) fn size(&self) -> usize {
        self.counts.len() * size_of::<(i64, u64)>()
    }

    /// Returns how many numbers the histogram contains.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the sum of all numbers.
    pub fn sum(&self) -> i128 {
        self.sum
    }

    /// Returns the smallest number.
    pub fn min(&self) -> Option<i64> {
        (self.total > 0).then_some(self.min)
    }

    /// Returns the largest number.
    pub fn max(&self) -> Option<i64> {
        (self.total > 0).then_some(self.max)
    }

    /// Iterates over the buckets in ascending order. Each item contains the number in the bucket that is closest to 0, and the bucket's
    /// count.
    pub fn counts(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        self.counts.iter().copied()
    }

    /// Returns the mean, or `None` if there are no numbers.
    pub fn mean(&self) -> Option<f64> {
        (self.total > 0).then(|| self.sum as f64 / self.total as f64)
    }

    /// Returns the sample variance, or `None` if there are fewer than two numbers.
    pub fn variance(&self) -> Option<f64> {
        if self.total < 2 {
            return None;
        }
        let total = i128::from(self.total);
        let scaled = self.squares.checked_mul(total).zip(self.sum.checked_mul(self.sum));
        let (n, mean) = (self.total as f64, self.mean()?);
        let above = match scaled {
            Some((squares, square)) => (squares - square) as f64 / n,
            None => (self.squares as f64 - mean * mean * n).max(0.0),
        };
        Some(above / (n - 1.0))
    }

    /// Returns the median, or `None` if there are no numbers.
    pub fn median(&self) -> Option<f64> {
        let low = self.nth(self.total.checked_sub(1)? / 2)?;
        let high = self.nth(self.total / 2)?;
        Some(f64::midpoint(low as f64, high as f64))
    }

    /// Returns a percentile: the smallest number that is at least as large as `hundredths` percent of all numbers. Returns `None` if there
    /// are no numbers.
    pub fn percentile(&self, hundredths: u64) -> Option<i64> {
        let last = self.total.checked_sub(1)?;
        self.nth((self.total * hundredths).div_ceil(100).saturating_sub(1).min(last))
    }

    /// Returns the number at index `at` in ascending order of all numbers.
    fn nth(&self, at: u64) -> Option<i64> {
        let mut passed = 0;
        let found = self.counts.iter().find_map(|(number, count)| {
            passed += count;
            (at < passed).then_some(*number)
        });
        found.map(|number| number.clamp(self.min, self.max))
    }
}

impl Extend<i64> for Histogram {
    fn extend<I: IntoIterator<Item = i64>>(&mut self, numbers: I) {
        numbers.into_iter().for_each(|number| self.add(number));
    }
}

/// Returns the bucket of a number: the number itself if it is small, otherwise the number with all bits but the first
/// ten cleared.
pub(super) fn bucket(number: i64) -> i64 {
    let size = number.unsigned_abs();
    if size < EXACT {
        return number;
    }
    let cut = size.ilog2() - 9;
    let kept = ((size >> cut) << cut) as i64;
    if number < 0 { kept.wrapping_neg() } else { kept }
}

#[cfg(test)]
mod tests {
    use super::{Histogram, bucket};

    #[test]
    fn the_median_of_an_even_count_is_the_mean_of_the_middle_two() {
        let mut histogram = Histogram::default();
        assert_eq!((histogram.mean(), histogram.median()), (None, None));
        histogram.extend([4, -1, 7, 2]);
        assert_eq!((histogram.min(), histogram.max(), histogram.total()), (Some(-1), Some(7), 4));
        assert_eq!((histogram.mean(), histogram.median()), (Some(3.0), Some(3.0)));
        histogram.add(100);
        assert_eq!(histogram.median(), Some(4.0));
    }

    #[test]
    fn the_variance_is_the_sample_variance() {
        let mut histogram = Histogram::default();
        histogram.extend([2, 4, 4, 4, 5, 5, 7, 9]);
        let found = histogram.variance().unwrap();
        assert!((found - 32.0 / 7.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn buckets_of_large_numbers_are_narrow_and_few() {
        for number in [1_023, 1_024, 1_025, 999_999, i64::MAX, -77_777, i64::MIN] {
            let kept = bucket(number);
            assert_eq!(bucket(kept), kept);
            assert!((number as f64 - kept as f64).abs() <= (number as f64).abs() / 500.0, "{number} {kept}");
        }
        let mut histogram = Histogram::default();
        (0..100_000).for_each(|number| histogram.add(number * 1_000));
        assert_eq!(histogram.mean(), Some(49_999_500.0));
        assert!(histogram.counts().count() < 8_000, "{}", histogram.counts().count());
    }

    #[test]
    fn merging_equals_adding_all_numbers() {
        let (mut one, mut two, mut whole) = (Histogram::default(), Histogram::default(), Histogram::default());
        one.extend([1, 5, 5_000]);
        two.extend([-3, 5]);
        whole.extend([1, 5, 5_000, -3, 5]);
        two.merge(&one);
        assert_eq!(two, whole);
    }

    #[test]
    fn serialization_is_lossless_and_validated() {
        let mut histogram = Histogram::default();
        let empty = serde_json::to_string(&histogram).unwrap();
        assert_eq!(serde_json::from_str::<Histogram>(&empty).unwrap(), histogram);
        histogram.extend([i64::MIN, i64::MIN + 1, -70_000, 0, 3, 3, 1_024, 99_999, i64::MAX]);
        let text = serde_json::to_string(&histogram).unwrap();
        assert_eq!(serde_json::from_str::<Histogram>(&text).unwrap(), histogram);
        for (from, to) in [
            ("\"total\":9", "\"total\":10"),
            ("\"total\":9", "\"total\":18446744073709551615"),
            ("\"min\":-9223372036854775808", "\"min\":-9223372036854775"),
            ("\"max\":9223372036854775807", "\"max\":-5"),
            ("[3,2]", "[3,0]"),
            ("[3,2]", "[0,2]"),
        ] {
            let forged = text.replace(from, to);
            assert_ne!(forged, text, "{from}");
            assert!(serde_json::from_str::<Histogram>(&forged).is_err(), "{to}");
        }
    }

    #[test]
    fn percentiles_are_numbers_that_occurred() {
        let mut histogram = Histogram::default();
        histogram.extend(1..=100);
        assert_eq!([5, 25, 50, 95, 100].map(|at| histogram.percentile(at).unwrap()), [5, 25, 50, 95, 100]);
        assert_eq!(histogram.percentile(0), Some(1));
    }
}

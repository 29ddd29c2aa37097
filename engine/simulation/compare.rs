//! Compares two versions of a game, game by game. Both are played with the same random numbers.

use super::difference::{AdjustedDifference, Difference, adjust_differences};
use super::estimate::{self, Estimate};
use super::figures::{BLOCKS, Figures, seat_gap};
use super::game::Record;
use super::histogram::Histogram;
use super::invented_names::InventedNames;
use super::measure::{Measure, MeasureKind};
use super::pairs;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Results of two versions of a game, compared over pairs of games. Both games of a pair have the same number in their batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Figures of the first version.
    pub a: Figures,
    /// Figures of the second version.
    pub b: Figures,
    /// Numbers of each measure, over the pairs of games in which both versions have the measure. For a measure that [defaults to
    /// zero](Measure::defaults_to_zero), it is enough that one of the versions has it.
    #[serde(with = "pairs")]
    pub measures: BTreeMap<Measure, Paired>,
    /// Number of pairs of games that are equal in all measures.
    pub alike: u64,
    /// For each version and each block: the number of pairs, then the wins of each seat.
    blocks: [Blocks; 2],
}

/// For each block: the number of games, then the wins of each seat.
type Blocks = Vec<Vec<i64>>;

/// Numbers of one measure over pairs of games.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Paired {
    /// Numbers of the first version.
    pub a: Histogram,
    /// Numbers of the second version.
    pub b: Histogram,
    /// Differences of the pairs, second minus first.
    pub difference: Histogram,
}

impl Paired {
    fn add(&mut self, a: i64, b: i64) {
        self.a.add(a);
        self.b.add(b);
        self.difference.add(b - a);
    }

    /// Adds pairs in which the measure is 0 in both versions.
    fn add_zeros(&mut self, pairs: u64) {
        for histogram in [&mut self.a, &mut self.b, &mut self.difference] {
            histogram.add_many(0, pairs);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.a.merge(&other.a);
        self.b.merge(&other.b);
        self.difference.merge(&other.difference);
    }
}

/// Minimum number of pairs of games for a verdict.
pub const FEWEST_PAIRS: u64 = estimate::MIN_IDENTICAL;

/// Conclusion about a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The second version is significantly better: its seat gap is smaller.
    Better,
    /// The second version is significantly worse: its seat gap is larger.
    Worse,
    /// The second version has a significantly larger number; neither direction is better.
    Higher,
    /// The second version has a significantly smaller number; neither direction is better.
    Lower,
    /// The whole interval of the difference lies within the margin of irrelevance.
    Equivalent,
    /// The difference is not significant.
    NoEvidence,
    /// Both versions have the same number in every pair of games.
    Identical,
}

impl Verdict {
    /// Returns the words for the verdict.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Higher => "higher",
            Self::Lower => "lower",
            Self::Equivalent => "equivalent",
            Self::NoEvidence => "no evidence",
            Self::Identical => "identical",
        }
    }

    /// Returns whether the verdict is a significant difference.
    pub const fn is_finding(self) -> bool {
        matches!(self, Self::Better | Self::Worse | Self::Higher | Self::Lower)
    }
}

/// Comparison of a single measure.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedMeasure {
    /// The measure; `None` for the seat gap.
    pub measure: Option<Measure>,
    /// Value in the first version, over the pairs in which both versions have the measure.
    pub a: Estimate,
    /// Value in the second version, over the same pairs.
    pub b: Estimate,
    /// Difference, second minus first. The interval is adjusted for the number of measures. It excludes 0 if and only if the difference is
    /// significant.
    pub difference: Estimate,
    /// p-value, adjusted by the method of Benjamini and Hochberg.
    pub false_findings: f64,
    /// Margin below which a difference is irrelevant.
    pub margin: f64,
    /// Conclusion about the difference.
    pub verdict: Verdict,
}

/// Margins below which differences are irrelevant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    /// Absolute margin for shares.
    pub share: f64,
    /// Margin for amounts, relative to the first version.
    pub amount: f64,
}

impl Default for Margin {
    fn default() -> Self {
        Self { share: 0.01, amount: 0.01 }
    }
}

impl Comparison {
    /// Creates an empty comparison.
    pub fn new(seats: u8) -> Self {
        let (a, b) = (Figures::new(seats), Figures::new(seats));
        let blocks = [a.blocks.clone(), b.blocks.clone()];
        Self { a, b, measures: BTreeMap::new(), alike: 0, blocks }
    }

    /// Adds a pair of games, unless one of them failed. Does not update the figures `a` and `b`, which have their own ledgers.
    pub(super) fn add(&mut self, one: &Record, two: &Record) {
        if one.outcome.is_none() || two.outcome.is_none() {
            return;
        }
        for (blocks, record) in self.blocks.iter_mut().zip([one, two]) {
            let block = &mut blocks[(record.game % BLOCKS as u64) as usize];
            block[0] += 1;
            block[1..].iter_mut().zip(&record.wins).for_each(|(sum, win)| *sum += win);
        }
        let by_measure = |record: &Record| record.numbers.iter().cloned().collect::<BTreeMap<Measure, i64>>();
        let (one, two) = (by_measure(one), by_measure(two));
        self.alike += u64::from(one == two);
        for (measure, number) in &two {
            let before = one.get(measure).copied().or(measure.defaults_to_zero().then_some(0));
            if let Some(before) = before {
                self.measures.entry(measure.clone()).or_default().add(before, *number);
            }
        }
        for (measure, number) in one.iter().filter(|(measure, _)| measure.defaults_to_zero()) {
            if !two.contains_key(measure) {
                self.measures.entry(measure.clone()).or_default().add(*number, 0);
            }
        }
    }

    /// Adds the results of another part of the same batches.
    pub fn merge(&mut self, other: &Self) {
        self.a.merge(&other.a);
        self.b.merge(&other.b);
        self.alike += other.alike;
        for (blocks, more) in self.blocks.iter_mut().zip(&other.blocks) {
            for (block, more) in blocks.iter_mut().zip(more) {
                block.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            }
        }
        for (measure, paired) in &other.measures {
            self.measures.entry(measure.clone()).or_default().merge(paired);
        }
        self.drop_excess();
    }

    /// Drops the counters of both versions if one of them has too many.
    fn drop_excess(&mut self) {
        if [&self.a, &self.b].iter().any(|figures| figures.dropped.contains(&InventedNames::Counters)) {
            self.measures.retain(|measure, _| measure.invented_name().is_none());
            for figures in [&mut self.a, &mut self.b] {
                figures.dropped.insert(InventedNames::Counters);
                figures.drop_excess();
            }
        }
    }

    /// Returns the number of pairs in which both games ended.
    pub fn pairs(&self) -> u64 {
        self.measures.get(&Measure::Decisions).map_or(0, |paired| paired.difference.total())
    }

    /// Returns the comparison of every measure, beginning with the seat gap. Measures of places in turn order are omitted if they only
    /// repeat the seats. If all players win or lose together, there is no seat gap, and measures that compare seats are omitted.
    pub fn rows(&self, margin: Margin) -> Vec<ComparedMeasure> {
        let is_cooperative = self.measures.contains_key(&Measure::Success);
        let mut rows: Vec<(ComparedMeasure, Difference)> = Vec::new();
        if !is_cooperative {
            rows.push(self.gap_row(margin));
        }
        let applies =
            |measure: &&Measure| !(self.is_redundant_place(measure) || is_cooperative && measure.is_between_seats());
        rows.extend(self.measures.keys().filter(applies).map(|measure| self.row(measure, margin)));
        let (rows, differences): (Vec<ComparedMeasure>, Vec<Difference>) = rows.into_iter().unzip();
        let judged = rows.into_iter().zip(adjust_differences(&differences)).map(|(row, weighed)| ComparedMeasure {
            difference: weighed.estimate,
            false_findings: weighed.false_findings,
            verdict: verdict(&row, &weighed),
            ..row
        });
        judged.collect()
    }

    /// Returns whether a measure is redundant: it counts the wins of a place in turn order, and they equal the wins of the seat with the
    /// same index.
    fn is_redundant_place(&self, measure: &Measure) -> bool {
        let Measure::Place(place) = measure else { return false };
        let seat = self.measures.get(&Measure::Win(*place));
        seat.is_some_and(|seat| seat.a == self.measures[measure].a && seat.b == self.measures[measure].b)
    }

    fn row(&self, measure: &Measure, margin: Margin) -> (ComparedMeasure, Difference) {
        let seats = self.a.seats;
        let unit = measure.unit(seats);
        let mut paired = self.measures[measure].clone();
        if measure.defaults_to_zero() {
            paired.add_zeros(self.pairs().saturating_sub(paired.difference.total()));
        }
        let estimate = |histogram: &Histogram| match measure.sort() {
            MeasureKind::Share => estimate::share(histogram, unit),
            MeasureKind::Amount => estimate::mean(histogram, unit),
        };
        let (a, b) = (estimate(&paired.a), estimate(&paired.b));
        let margin = match measure.sort() {
            MeasureKind::Share => margin.share,
            MeasureKind::Amount => margin.amount * a.value.abs(),
        };
        let difference = Difference::of_mean(&paired.difference, unit);
        (
            ComparedMeasure::new(Some(measure.clone()), a, b, &difference, margin, is_all_zero(&paired.difference)),
            difference,
        )
    }

    /// Returns whether both versions have the same number of seats, and the blocks have the right dimensions. Used to validate a comparison
    /// that was read from a file.
    pub fn is_sound(&self) -> bool {
        let seats = usize::from(self.a.seats);
        self.a.seats == self.b.seats
            && self
                .blocks
                .iter()
                .all(|blocks| blocks.len() == BLOCKS && blocks.iter().all(|block| block.len() == seats + 1))
    }

    /// Compares the seat gap. It is not defined for single games, so its variance is estimated with the jackknife over
    /// blocks of games.
    fn gap_row(&self, margin: Margin) -> (ComparedMeasure, Difference) {
        let (whole, fair) = (self.a.win_unit(), self.a.fair_share());
        let gap = |blocks: &Blocks, without: Option<usize>| {
            let kept = blocks.iter().enumerate().filter(|(at, _)| Some(*at) != without);
            let mut sums = vec![0; blocks[0].len()];
            kept.for_each(|(_, block)| sums.iter_mut().zip(block).for_each(|(sum, more)| *sum += more));
            let games = (sums[0].max(1) * whole) as f64;
            sums[1..].iter().map(|wins| (*wins as f64 / games - fair).abs()).fold(0.0, f64::max)
        };
        let [blocks_a, blocks_b] = &self.blocks;
        let difference = |without| gap(blocks_b, without) - gap(blocks_a, without);
        let without: Vec<f64> = (0..BLOCKS.min(self.pairs() as usize)).map(|at| difference(Some(at))).collect();
        let difference = Difference::of_blocks(difference(None), &without, self.pairs());
        let gap_in = |histogram: fn(&Paired) -> &Histogram| {
            let wins = |seat| {
                self.measures.get(&Measure::Win(seat)).map(|paired| histogram(paired).clone()).unwrap_or_default()
            };
            seat_gap(&self.a, wins)
        };
        let (a, b) = (gap_in(|paired| &paired.a), gap_in(|paired| &paired.b));
        let mut wins = (0..self.a.seats).map(|seat| self.measures.get(&Measure::Win(seat)));
        let is_identical = wins.all(|paired| paired.is_some_and(|paired| is_all_zero(&paired.difference)));
        (ComparedMeasure::new(None, a, b, &difference, margin.share, is_identical), difference)
    }
}

/// Returns whether all differences are 0, and enough pairs were played to call the versions identical.
fn is_all_zero(differences: &Histogram) -> bool {
    differences.total() >= FEWEST_PAIRS && differences.min() == Some(0) && differences.max() == Some(0)
}

impl ComparedMeasure {
    /// Creates a row, before the adjustment for multiple testing.
    fn new(
        measure: Option<Measure>,
        a: Estimate,
        b: Estimate,
        difference: &Difference,
        margin: f64,
        is_identical: bool,
    ) -> Self {
        let verdict = if is_identical { Verdict::Identical } else { Verdict::NoEvidence };
        Self { measure, a, b, difference: difference.unadjusted(), false_findings: 1.0, margin, verdict }
    }
}

fn verdict(row: &ComparedMeasure, weighed: &AdjustedDifference) -> Verdict {
    let Estimate { value, interval, count } = weighed.estimate;
    if row.verdict == Verdict::Identical || count < FEWEST_PAIRS || !interval.high.is_finite() {
        return row.verdict;
    }
    if interval.low >= -row.margin && interval.high <= row.margin {
        return Verdict::Equivalent;
    }
    let is_more = value > 0.0;
    match (weighed.is_finding(), &row.measure) {
        (false, _) => Verdict::NoEvidence,
        (true, None) if is_more => Verdict::Worse,
        (true, None) => Verdict::Better,
        (true, Some(_)) if is_more => Verdict::Higher,
        (true, Some(_)) => Verdict::Lower,
    }
}

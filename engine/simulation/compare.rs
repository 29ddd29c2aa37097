//! What a change does: two versions of a game played on the same luck, game by game.

use super::difference::{Difference, Weighed, weigh};
use super::estimate::{self, Estimate};
use super::figures::{BLOCKS, Figures, seat_gap};
use super::game::Record;
use super::histogram::Histogram;
use super::measure::{Measure, MeasureKind};
use super::pairs;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Two versions of a game after the same number of games each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The first.
    pub a: Figures,
    /// The second.
    pub b: Figures,
    /// Every measure, over the pairs of games that both have it.
    #[serde(with = "pairs")]
    pub measures: BTreeMap<Measure, Paired>,
    /// Games that came out alike in every measure.
    pub alike: u64,
    /// Pairs of games and wins of each seat, by blocks of pairs, in both versions.
    blocks: [Blocks; 2],
}

/// Games and wins of each seat, by blocks.
type Blocks = Vec<Vec<i64>>;

/// A measure over pairs of games.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Paired {
    /// In the first version.
    pub a: Histogram,
    /// In the second version.
    pub b: Histogram,
    /// Game by game, what it is in the second less what it is in the first.
    pub difference: Histogram,
}

impl Paired {
    fn add(&mut self, a: i64, b: i64) {
        self.a.add(a);
        self.b.add(b);
        self.difference.add(b - a);
    }

    /// So many more pairs in which both say nothing, which means 0.
    fn add_unsaid(&mut self, pairs: u64) {
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

/// After fewer pairs of games than this nothing is said of a difference.
pub const FEWEST_PAIRS: u64 = estimate::FEWEST_ALIKE;

/// What a difference says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The second is better.
    Better,
    /// The second is worse.
    Worse,
    /// It is larger in the second, and nothing says which is better.
    Higher,
    /// It is smaller in the second.
    Lower,
    /// The difference is within the margin, whatever it is.
    Equivalent,
    /// The games do not show a difference.
    NoEvidence,
    /// It is the same in every pair of games.
    Identical,
}

impl Verdict {
    /// The words for it.
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

    /// Whether the games show that something changed.
    pub const fn is_finding(self) -> bool {
        matches!(self, Self::Better | Self::Worse | Self::Higher | Self::Lower)
    }
}

/// One measure of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedMeasure {
    /// The measure; nothing for the seat gap.
    pub measure: Option<Measure>,
    /// In the first version, over the pairs of games that both have it.
    pub a: Estimate,
    /// In the second version, over the same pairs.
    pub b: Estimate,
    /// The difference, second less first; its interval is as wide as looking at all measures together asks for, and leaves out 0
    /// where there is a difference.
    pub difference: Estimate,
    /// The share of false findings that calling this one a finding would bring.
    pub false_findings: f64,
    /// What a difference may be that nobody cares about.
    pub margin: f64,
    /// What it says.
    pub verdict: Verdict,
}

/// What a difference may be that nobody cares about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    /// Of shares: an absolute difference.
    pub share: f64,
    /// Of amounts: a part of what the first version has.
    pub amount: f64,
}

impl Default for Margin {
    fn default() -> Self {
        Self { share: 0.01, amount: 0.01 }
    }
}

impl Comparison {
    /// Nothing played yet.
    pub fn new(seats: u8) -> Self {
        let (a, b) = (Figures::new(seats), Figures::new(seats));
        let blocks = [a.blocks.clone(), b.blocks.clone()];
        Self { a, b, measures: BTreeMap::new(), alike: 0, blocks }
    }

    /// One more pair of games, but for the figures of each version.
    pub(super) fn add(&mut self, one: &Record, two: &Record) {
        if one.outcome.is_none() || two.outcome.is_none() {
            return;
        }
        for (blocks, record) in self.blocks.iter_mut().zip([one, two]) {
            let block = &mut blocks[(record.game % BLOCKS as u64) as usize];
            block[0] += 1;
            block[1..].iter_mut().zip(&record.wins).for_each(|(sum, win)| *sum += win);
        }
        let of = |record: &Record| record.numbers.iter().cloned().collect::<BTreeMap<Measure, i64>>();
        let (one, two) = (of(one), of(two));
        self.alike += u64::from(one == two);
        for (measure, number) in &two {
            let before = one.get(measure).copied().or(measure.is_zero_unsaid().then_some(0));
            if let Some(before) = before {
                self.measures.entry(measure.clone()).or_default().add(before, *number);
            }
        }
        for (measure, number) in one.iter().filter(|(measure, _)| measure.is_zero_unsaid()) {
            if !two.contains_key(measure) {
                self.measures.entry(measure.clone()).or_default().add(*number, 0);
            }
        }
    }

    /// The comparison of other pairs of the same games too.
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
    }

    /// How many pairs of games both came to an end.
    pub fn pairs(&self) -> u64 {
        self.measures.get(&Measure::Decisions).map_or(0, |paired| paired.difference.total())
    }

    /// The difference of every measure, the seat gap first, with what it says.
    pub fn rows(&self, margin: Margin) -> Vec<ComparedMeasure> {
        let mut rows: Vec<(ComparedMeasure, Difference)> = vec![self.gap_row(margin)];
        rows.extend(self.measures.keys().filter(|one| !self.is_seat(one)).map(|measure| self.row(measure, margin)));
        let (rows, differences): (Vec<ComparedMeasure>, Vec<Difference>) = rows.into_iter().unzip();
        let judged = rows.into_iter().zip(weigh(&differences)).map(|(row, weighed)| ComparedMeasure {
            difference: weighed.estimate,
            false_findings: weighed.false_findings,
            verdict: verdict(&row, &weighed),
            ..row
        });
        judged.collect()
    }

    /// Whether a place in turn order was the seat of that number in all games: it says nothing that the seat does not.
    fn is_seat(&self, measure: &Measure) -> bool {
        let Measure::Place(place) = measure else { return false };
        let seat = self.measures.get(&Measure::Win(*place));
        seat.is_some_and(|seat| seat.a == self.measures[measure].a && seat.b == self.measures[measure].b)
    }

    fn row(&self, measure: &Measure, margin: Margin) -> (ComparedMeasure, Difference) {
        let seats = self.a.seats;
        let unit = measure.unit(seats);
        let mut paired = self.measures[measure].clone();
        if measure.is_zero_unsaid() {
            paired.add_unsaid(self.pairs().saturating_sub(paired.difference.total()));
        }
        let of = |histogram: &Histogram| match measure.sort() {
            MeasureKind::Share => estimate::share(histogram, unit),
            MeasureKind::Amount => estimate::mean(histogram, unit),
        };
        let (a, b) = (of(&paired.a), of(&paired.b));
        let margin = match measure.sort() {
            MeasureKind::Share => margin.share,
            MeasureKind::Amount => margin.amount * a.value.abs(),
        };
        let difference = Difference::of_mean(&paired.difference, unit);
        (
            ComparedMeasure::new(Some(measure.clone()), (a, b), &difference, margin, is_nothing(&paired.difference)),
            difference,
        )
    }

    /// Returns whether what is counted in blocks is counted for every block and every seat.
    pub fn is_sound(&self) -> bool {
        let seats = usize::from(self.a.seats);
        self.a.seats == self.b.seats
            && self
                .blocks
                .iter()
                .all(|blocks| blocks.len() == BLOCKS && blocks.iter().all(|block| block.len() == seats + 1))
    }

    /// The seat gap has no number in a single game: its difference is computed without each of many blocks of games.
    fn gap_row(&self, margin: Margin) -> (ComparedMeasure, Difference) {
        let (whole, fair) = (self.a.whole_win(), self.a.fair_share());
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
        let of = |histogram: fn(&Paired) -> &Histogram| {
            let wins = |seat| {
                self.measures.get(&Measure::Win(seat)).map(|paired| histogram(paired).clone()).unwrap_or_default()
            };
            seat_gap(&self.a, wins)
        };
        let (a, b) = (of(|paired| &paired.a), of(|paired| &paired.b));
        let mut wins = (0..self.a.seats).map(|seat| self.measures.get(&Measure::Win(seat)));
        let is_identical = wins.all(|paired| paired.is_some_and(|paired| is_nothing(&paired.difference)));
        (ComparedMeasure::new(None, (a, b), &difference, margin.share, is_identical), difference)
    }
}

/// Whether differences are 0 in every pair of games, and these are not too few to show it.
fn is_nothing(differences: &Histogram) -> bool {
    differences.total() >= FEWEST_PAIRS && differences.min() == Some(0) && differences.max() == Some(0)
}

impl ComparedMeasure {
    /// A row before it is weighed.
    fn new(
        measure: Option<Measure>,
        (a, b): (Estimate, Estimate),
        difference: &Difference,
        margin: f64,
        is_identical: bool,
    ) -> Self {
        let verdict = if is_identical { Verdict::Identical } else { Verdict::NoEvidence };
        Self { measure, a, b, difference: difference.alone(), false_findings: 1.0, margin, verdict }
    }
}

fn verdict(row: &ComparedMeasure, weighed: &Weighed) -> Verdict {
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

//! Comparison of crews. A crew is an agent that plays all seats of a co-operative game. All crews play the same deals.

use super::difference::{AdjustedDifference, Difference, adjust_differences};
use super::histogram::Histogram;

/// Results of pairs of crews that played the same deals.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct CrewPairs {
    /// Seed of the current deal.
    seed: u64,
    /// Crews that have finished the current deal: index, whether they won, and their score.
    finished: Vec<(usize, bool, i64)>,
    /// For each pair of crews, the differences of success on the same deal: 1 if only the first crew won, -1 if only the second crew won,
    /// otherwise 0.
    successes: Vec<Vec<Histogram>>,
    /// For each pair of crews, the differences of their scores on the same deal.
    scores: Vec<Vec<Histogram>>,
}

/// Lead of one crew over another on the same deals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrewLead {
    /// Difference in the share of deals won.
    pub success: AdjustedDifference,
    /// Difference of the mean scores.
    pub score: AdjustedDifference,
}

impl CrewPairs {
    /// Creates empty results.
    pub(super) fn new(crews: usize) -> Self {
        let none = || vec![vec![Histogram::default(); crews]; crews];
        Self { successes: none(), scores: none(), ..Self::default() }
    }

    /// Adds a game that a crew finished on the deal with the seed `seed`. Games on the same deal must be added one after another.
    pub(super) fn add(&mut self, seed: u64, crew: usize, won: bool, score: i64) {
        if self.seed != seed {
            (self.seed, self.finished) = (seed, Vec::new());
        }
        for (other, other_won, other_score) in &self.finished {
            let by = i64::from(won) - i64::from(*other_won);
            self.successes[crew][*other].add(by);
            self.successes[*other][crew].add(-by);
            let by = score.saturating_sub(*other_score);
            self.scores[crew][*other].add(by);
            self.scores[*other][crew].add(by.saturating_neg());
        }
        self.finished.push((crew, won, score));
    }

    /// Returns the lead of each crew in `order` over the next one. All differences are adjusted together for multiple testing.
    pub(super) fn leads(&self, order: &[usize]) -> Vec<CrewLead> {
        let neighbors = || order.windows(2).map(|pair| (pair[0], pair[1]));
        let successes = neighbors().map(|(one, next)| success_difference(&self.successes[one][next]));
        let scores = neighbors().map(|(one, next)| Difference::of_mean(&self.scores[one][next], 1));
        let all = adjust_differences(&successes.chain(scores).collect::<Vec<_>>());
        let (successes, scores) = all.split_at(all.len() / 2);
        successes.iter().zip(scores).map(|(success, score)| CrewLead { success: *success, score: *score }).collect()
    }

    /// Returns whether each crew in `order` wins significantly more deals than the next one, at the given confidence level.
    pub(super) fn is_clear(&self, order: &[usize], confidence: f64) -> bool {
        let leads =
            |pair: &[usize]| success_difference(&self.successes[pair[0]][pair[1]]).interval(confidence).low > 0.0;
        order.len() > 1 && order.windows(2).all(leads)
    }
}

/// Returns the difference between the success rates of two crews on the same deals. The test corresponds to `McNemar`'s test with a
/// continuity correction: only deals that exactly one of the crews won are informative.
fn success_difference(differences: &Histogram) -> Difference {
    let deals = differences.total();
    let differing = deals - differences.counts().find(|(by, _)| *by == 0).map_or(0, |(_, count)| count);
    let count = deals.max(1) as f64;
    let variance = differing as f64 / (count * count);
    // If one deal is won by the other crew instead, the difference changes by two deals.
    Difference::of_shares(differences.mean().unwrap_or(0.0), deals, variance, 0.0, 2.0 / count)
}

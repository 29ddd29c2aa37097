//! Standings of crews: agents that play a co-operative game alone, each with the same deals.

use super::difference::{AdjustedDifference, Difference, adjust_differences};
use super::histogram::Histogram;

/// Results of crews on the deals that several of them have played.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct CrewPairs {
    /// Seed of the current deal.
    seed: u64,
    /// Crews that have finished the current deal: index, whether they won, and their score.
    finished: Vec<(usize, bool, i64)>,
    /// For each pair of crews: whether the first won, minus whether the second won, on the same deal.
    successes: Vec<Vec<Histogram>>,
    /// For each pair of crews: difference of their scores on the same deal.
    scores: Vec<Vec<Histogram>>,
}

/// How much better one crew is than another on the same deals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrewLead {
    /// Difference of the shares of deals that were won.
    pub success: AdjustedDifference,
    /// Difference of the mean scores.
    pub score: AdjustedDifference,
}

impl CrewPairs {
    /// Creates the results of no deals.
    pub(super) fn new(crews: usize) -> Self {
        let none = || vec![vec![Histogram::default(); crews]; crews];
        Self { successes: none(), scores: none(), ..Self::default() }
    }

    /// Adds a finished game of the deal with this seed. Games of one deal must follow each other.
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

    /// Returns how much better each crew of an order is than the next one. All differences are adjusted together.
    pub(super) fn leads(&self, order: &[usize]) -> Vec<CrewLead> {
        let neighbors = || order.windows(2).map(|pair| (pair[0], pair[1]));
        let successes = neighbors().map(|(one, next)| success_difference(&self.successes[one][next]));
        let scores = neighbors().map(|(one, next)| Difference::of_mean(&self.scores[one][next], 1));
        let all = adjust_differences(&successes.chain(scores).collect::<Vec<_>>());
        let (successes, scores) = all.split_at(all.len() / 2);
        successes.iter().zip(scores).map(|(success, score)| CrewLead { success: *success, score: *score }).collect()
    }

    /// Returns whether each crew of an order wins significantly more deals than the next one, at this confidence level.
    pub(super) fn is_clear(&self, order: &[usize], confidence: f64) -> bool {
        let leads =
            |pair: &[usize]| success_difference(&self.successes[pair[0]][pair[1]]).interval(confidence).low > 0.0;
        order.len() > 1 && order.windows(2).all(leads)
    }
}

/// Returns the difference of two crews' success on the same deals, tested like `McNemar`'s test with a continuity correction: only
/// deals that exactly one of them won tell them apart.
fn success_difference(differences: &Histogram) -> Difference {
    let deals = differences.total();
    let differing = deals - differences.counts().find(|(by, _)| *by == 0).map_or(0, |(_, count)| count);
    let count = deals.max(1) as f64;
    let variance = differing as f64 / (count * count);
    // One deal that the other crew had won instead changes the difference by two deals.
    Difference::of_shares(differences.mean().unwrap_or(0.0), deals, variance, 0.0, 2.0 / count)
}

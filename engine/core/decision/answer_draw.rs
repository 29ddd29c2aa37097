//! Draws a complete answer of a decision uniformly at random, and counts the complete answers per option.

use super::answer_space::{AnswerSpace, Copies, big_below};
use super::decision::Decision;
use crate::table::Chance;
use num_bigint::BigUint;

impl Decision {
    /// Draws the position of an option such that all complete answers of the decision are equally likely.
    pub fn draw(&self, chance: &mut Chance) -> usize {
        match &self.answers {
            AnswerSpace::Single(Copies::One) => chance.below_u64(self.count() as u64) as usize,
            AnswerSpace::Single(copies) if self.pass.is_some() => {
                let total = copies.total(&self.options) + 1_u8;
                // The last answer is the pass.
                if big_below(chance, &total) + 1_u8 == total {
                    self.options.len()
                } else {
                    copies.draw(&self.options, chance)
                }
            }
            AnswerSpace::Single(copies) => copies.draw(&self.options, chance),
            AnswerSpace::Subset(subset) => subset.draw(chance),
            AnswerSpace::Order(order) => order.draw(chance),
        }
    }

    /// Returns the number of complete answers that each of the given options leads to. Returns `None` if every option is a single complete
    /// answer.
    pub fn answer_counts(&self, positions: &[usize]) -> Option<Vec<BigUint>> {
        let count_at = |at: usize| match &self.answers {
            _ if at == self.options.len() => 1_u8.into(),
            AnswerSpace::Single(copies) => copies.at(&self.options, at),
            AnswerSpace::Order(order) => order.count(at),
            AnswerSpace::Subset(_) => BigUint::ZERO,
        };
        match &self.answers {
            AnswerSpace::Single(Copies::One) => None,
            AnswerSpace::Subset(subset) => {
                let (mut counts, done) = subset.counts();
                counts.push(done);
                Some(positions.iter().map(|at| counts[*at].clone()).collect())
            }
            _ => Some(positions.iter().map(|at| count_at(*at)).collect()),
        }
    }
}

//! Choice of the best subset by ratings, for decisions in which several items are picked one by one.

use super::answer_space::AnswerSpace;
use super::choice::Choice;
use super::decision::Decision;
use crate::table::Chance;
use std::cmp::Reverse;
use std::iter;

impl Decision {
    /// Returns the choices that an agent has to rate. For unordered selections, these are all items after the last pick, and
    /// [`Choice::Nothing`] if the selection may end before the maximum. For other decisions, these are the [considered](Self::considered)
    /// options.
    pub fn rated(&self) -> Vec<Choice> {
        let AnswerSpace::Subset(subset) = &self.answers else {
            return self.considered().iter().map(|at| self.option(at)).collect();
        };
        let (least, most) = subset.left();
        let done = (least < most).then_some(Choice::Nothing);
        self.among[subset.rest()].iter().cloned().chain(done).collect()
    }

    /// Returns the position of the best option, given the ratings of the choices from [`rated`](Self::rated). If several answers are
    /// equally good, takes the first one if `takes_first` is set, or else draws one at random.
    pub fn best(&self, ratings: &[i64], takes_first: bool, chance: &mut Chance) -> usize {
        let AnswerSpace::Subset(subset) = &self.answers else {
            let most = ratings.iter().max().copied().unwrap_or_default();
            let best: Vec<usize> = (0..ratings.len()).filter(|at| ratings[*at] == most).collect();
            let drawn = if takes_first { 0 } else { chance.below(best.len() as u32) as usize };
            return self.considered().position(best[drawn]);
        };
        let (least, most) = subset.left();
        let rest = subset.rest();
        let (items, done) = ratings.split_at(rest.len());
        let mut order: Vec<usize> = (0..items.len()).collect();
        if !takes_first {
            chance.shuffle(&mut order);
        }
        order.sort_by_key(|at| Reverse(items[*at]));
        // After the minimum number of picks, an item is picked only if it is rated above ending the selection. If the ratings are equal,
        // the item is picked if `takes_first` is set, or else with a probability of one half.
        let is_kept = |(number, at): (usize, usize)| {
            let by = done.first().map(|done| items[at].cmp(done));
            let is_better = by.is_some_and(|by| by.is_gt() || by.is_eq() && (takes_first || chance.below(2) == 0));
            (number < least as usize || is_better).then_some(at)
        };
        let first = order.into_iter().take(most as usize).enumerate().filter_map(is_kept).min();
        let offered = |first: usize| subset.offered().take_while(|at| *at <= rest.start + first).count();
        first.map_or(self.options.len(), |first| offered(first).saturating_sub(1))
    }

    /// Converts the ratings of the choices from [`rated`](Self::rated) to ratings of the [considered](Self::considered) options. In an
    /// unordered selection, an option is rated like the best answer that begins with it.
    pub fn option_ratings(&self, ratings: Vec<i64>) -> Vec<i64> {
        let AnswerSpace::Subset(subset) = &self.answers else { return ratings };
        let (least, most) = subset.left();
        let rest = subset.rest();
        let (items, done) = ratings.split_at(rest.len());
        let base = done.first().copied().unwrap_or(0);
        let gains: Vec<i64> = items.iter().map(|rating| rating.saturating_sub(base)).collect();
        let is_open = least < most;
        let best_sum_from = |place: usize| {
            let at = place - rest.start;
            let mut behind = gains[at + 1..].to_vec();
            behind.sort_unstable_by_key(|gain| Reverse(*gain));
            let (needed, most) = (least.saturating_sub(1) as usize, most.saturating_sub(1) as usize);
            let kept = behind.into_iter().take(most).enumerate();
            let kept = kept.filter(|(number, gain)| *number < needed || is_open && *gain > 0);
            kept.fold(gains[at], |sum, (_, gain)| sum.saturating_add(gain))
        };
        subset.offered().map(best_sum_from).chain(iter::repeat_n(0, usize::from(self.pass.is_some()))).collect()
    }
}

//! Search tree: statistics of every information set that was reached.
//!
//! All arithmetic is in integers, so that a search makes the same choice on every machine.

use crate::table::Chance;
use rustc_hash::FxHashMap;

/// Statistics of one option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Arm {
    /// Number of times the option was tried.
    pub(super) visits: u32,
    /// Sum of the results.
    pub(super) sum: i128,
}

impl Arm {
    fn mean(&self) -> i128 {
        self.sum / i128::from(self.visits.max(1))
    }
}

/// Statistics of one information set.
#[derive(Debug, Default)]
struct InformationSet {
    visits: u32,
    /// Number of the last search that reached this information set.
    searched: u32,
    arms: FxHashMap<u64, Arm>,
}

/// Statistics kept from one search of a game to the next. A new search keeps the information sets that the previous search reached.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: FxHashMap<u64, InformationSet>,
    /// Number of searches so far.
    searches: u32,
    /// Smallest result so far.
    low: i64,
    /// Largest result so far.
    high: i64,
}

/// 1.0 in fixed-point arithmetic.
const ONE: i64 = 1 << 16;

/// Exploration constant of UCB1, about 0.7.
const EXPLORATION: i64 = 45_875;

/// Maximum number of options without progressive widening. If there are no more than this, each option is tried once before any is tried
/// again.
const MAX_UNWIDENED: usize = 24;

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: FxHashMap::default(), searches: 0, low: i64::MAX, high: i64::MIN }
    }
}

impl Tree {
    /// Begins a search. Forgets information sets that the previous search did not reach.
    pub(super) fn begin(&mut self) {
        let last = self.searches;
        self.nodes.retain(|_, node| node.searched == last);
        self.searches += 1;
    }

    /// Returns whether the tree has statistics of an information set.
    pub(super) fn contains(&self, node: u64) -> bool {
        self.nodes.contains_key(&node)
    }

    /// Returns the index in `codes` of the option to try next at an information set. `codes` contains the code of every option at that
    /// information set.
    pub(super) fn select(&mut self, node: u64, codes: &[u64], chance: &mut Chance) -> usize {
        let (low, high) = (self.low, self.high);
        let found = self.nodes.entry(node).or_default();
        let log = ln(found.visits.max(1));
        let (mut best, mut most, mut tried) = (None, i64::MIN, 0);
        let mut untried: Option<usize> = None;
        let mut fresh = 0;
        for (at, code) in codes.iter().enumerate() {
            match found.arms.get(code) {
                Some(arm) if arm.visits > 0 => {
                    tried += 1;
                    let bound = upper_confidence_bound(*arm, log, low, high);
                    if bound > most {
                        (best, most) = (Some(at), bound);
                    }
                }
                _ => {
                    fresh += 1;
                    // Reservoir sampling: every untried option is equally likely.
                    if chance.below(fresh) == 0 {
                        untried = Some(at);
                    }
                }
            }
        }
        if tried >= widening_limit(codes.len(), found.visits) {
            return best.or(untried).unwrap_or(0);
        }
        untried.or(best).unwrap_or(0)
    }

    /// Adds a result of an option.
    pub(super) fn add_result(&mut self, node: u64, code: u64, result: i64) {
        self.low = self.low.min(result);
        self.high = self.high.max(result);
        let found = self.nodes.entry(node).or_default();
        found.searched = self.searches;
        found.visits += 1;
        let arm = found.arms.entry(code).or_default();
        arm.visits += 1;
        arm.sum += i128::from(result);
    }

    /// Returns the statistics of the given options at an information set. Untried options have zero visits.
    pub(super) fn arms(&self, node: u64, codes: &[u64]) -> Vec<Arm> {
        let arm = |code| self.nodes.get(&node).and_then(|node| node.arms.get(code)).copied().unwrap_or_default();
        codes.iter().map(arm).collect()
    }
}

/// Returns the position of the option to choose: the most-visited one. Of several equally visited options, chooses the one with the best
/// mean.
pub(super) fn choice(arms: &[Arm]) -> usize {
    let best = (0..arms.len()).max_by_key(|&at| (arms[at].visits, arms[at].mean(), std::cmp::Reverse(at)));
    best.unwrap_or(0)
}

/// Returns whether the most-visited option stays the most-visited one after `left` more visits, whatever their results.
pub(super) fn is_settled(arms: &[Arm], left: u32) -> bool {
    let (most, next) = arms.iter().fold((0, 0), |(most, next), arm| match arm.visits {
        visits if visits > most => (visits, most),
        visits => (most, next.max(visits)),
    });
    most > next.saturating_add(left)
}

/// Returns the number of options that may be tried after a number of visits. With many options, this number grows with the visits.
///
/// Progressive widening: Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go" (2007).
fn widening_limit(options: usize, visits: u32) -> usize {
    if options <= MAX_UNWIDENED { options } else { options.min(8 + 2 * (visits as usize).isqrt()) }
}

/// Returns the upper confidence bound of an option: UCB1 (Auer, Cesa-Bianchi and Fischer 2002), with results scaled to 0 to 1.
fn upper_confidence_bound(arm: Arm, log: i64, low: i64, high: i64) -> i64 {
    let [low, high, visits] = [low, high, i64::from(arm.visits)].map(i128::from);
    let mean = ((arm.sum - low * visits) * i128::from(ONE) / (visits * (high - low).max(1))) as i64;
    let spread = ((log * ONE / i64::from(arm.visits)) as u64).isqrt() as i64;
    mean + EXPLORATION * spread / ONE
}

/// Returns the natural logarithm in fixed-point arithmetic. Computes the binary digits by repeated squaring.
fn ln(number: u32) -> i64 {
    const LN_2: i64 = 45_426;
    let whole = number.ilog2();
    let mut rest = u64::from(number) << (31 - whole);
    let mut log = i64::from(whole) << 16;
    for bit in (0..16).rev() {
        rest = (rest * rest) >> 31;
        if rest >= 1 << 32 {
            rest >>= 1;
            log |= 1 << bit;
        }
    }
    log * LN_2 / ONE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_accurate() {
        for (number, wanted) in [(1, 0), (2, 45_426), (10, 150_902), (400, 392_657), (100_000, 754_509)] {
            assert!((ln(number) - wanted).abs() <= 4, "{number}: {} is not {wanted}", ln(number));
        }
    }

    #[test]
    fn extreme_results_do_not_overflow() {
        let (mut tree, mut chance) = (Tree::default(), Chance::new(1, "test"));
        for _ in 0..20 {
            let at = tree.select(7, &[10, 20], &mut chance);
            tree.add_result(7, [10, 20][at], [i64::MIN, i64::MAX][at]);
        }
        assert_eq!(choice(&tree.arms(7, &[10, 20])), 1);
    }

    #[test]
    fn only_information_sets_of_the_last_search_are_kept() {
        let mut tree = Tree::default();
        for nodes in [[1, 2, 3], [2, 3, 4], [4, 4, 5]] {
            tree.begin();
            for node in nodes {
                tree.add_result(node, 0, 1);
            }
        }
        assert_eq!([1, 2, 3, 4, 5].map(|node| tree.contains(node)), [false, true, true, true, true]);
        tree.begin();
        assert_eq!([2, 3, 4, 5].map(|node| tree.arms(node, &[0])[0].visits), [0, 0, 3, 1]);
    }

    #[test]
    fn the_better_option_is_tried_more_often() {
        let (mut tree, mut chance) = (Tree::default(), Chance::new(1, "test"));
        for _ in 0..200 {
            let at = tree.select(7, &[10, 20], &mut chance);
            tree.add_result(7, [10, 20][at], i64::from(chance.below(10) < [3, 6][at]));
        }
        let arms = tree.arms(7, &[10, 20]);
        assert_eq!(choice(&arms), 1);
        assert!(arms[0].visits > 5, "{arms:?}");
    }

    #[test]
    fn a_choice_is_settled_if_no_option_can_overtake_it() {
        let arms = |visits: &[u32]| visits.iter().map(|&visits| Arm { visits, sum: 0 }).collect::<Vec<_>>();
        assert!(is_settled(&arms(&[3, 70, 20]), 49) && is_settled(&arms(&[70, 20]), 49));
        assert!(!is_settled(&arms(&[3, 70, 20]), 50) && !is_settled(&arms(&[9, 9]), 0));
    }

    #[test]
    fn widening_limits_the_options_that_are_tried() {
        let (mut tree, mut chance) = (Tree::default(), Chance::new(1, "test"));
        let codes: Vec<u64> = (0..500).collect();
        for _ in 0..100 {
            let at = tree.select(1, &codes, &mut chance);
            tree.add_result(1, codes[at], 0);
        }
        assert_eq!(tree.arms(1, &codes).iter().filter(|arm| arm.visits > 0).count(), 8 + 2 * 9);
    }
}

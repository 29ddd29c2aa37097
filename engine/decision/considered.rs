//! Options that are looked at one by one: all of them, or of very many a stratified sample.

use super::decision::Decision;
use super::options::OptionSet;
use crate::table::mixed;

/// The most options that are looked at one by one: that are rated, coded, told to a program or written out.
pub const MOST_CONSIDERED: usize = 5_000;

/// The positions of the options of a decision that are looked at, rising. The same decision is always looked at in the same way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Considered {
    /// So many, from the first.
    All(usize),
    /// These, one of each of so many strata: none of an option set is left out of which few are there.
    Sample(Vec<usize>),
}

impl Considered {
    /// Number of options that are looked at.
    pub fn len(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::Sample(positions) => positions.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether options are left out.
    pub const fn is_sample(&self) -> bool {
        matches!(self, Self::Sample(_))
    }

    /// The position of the option that is looked at as the n-th, from 0.
    pub fn position(&self, number: usize) -> usize {
        match self {
            Self::All(_) => number,
            Self::Sample(positions) => positions[number],
        }
    }

    /// The positions, rising.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).map(|number| self.position(number))
    }
}

impl Decision {
    /// The options that are looked at one by one, a pass always among them.
    pub fn considered(&self) -> Considered {
        let count = self.count();
        if count <= MOST_CONSIDERED {
            return Considered::All(count);
        }
        let mut positions = Vec::with_capacity(MOST_CONSIDERED);
        let room = MOST_CONSIDERED - usize::from(self.pass.is_some());
        sample(&self.options, 0, room, &mut positions);
        positions.extend(self.pass.is_some().then_some(self.options.len()));
        Considered::Sample(positions)
    }
}

/// Adds as many positions of a set as there is room for, counted from `before`.
fn sample(set: &OptionSet, before: usize, room: usize, found: &mut Vec<usize>) {
    let OptionSet::Union(sets) = set else {
        found.extend(strata(set.len(), room).map(|at| before + at));
        return;
    };
    // Small sets are taken whole, and what they leave is shared by the others.
    let mut by_size: Vec<usize> = (0..sets.len()).collect();
    by_size.sort_by_key(|at| sets[*at].len());
    let mut rooms = vec![0; sets.len()];
    let mut left = room;
    for (number, at) in by_size.iter().enumerate() {
        rooms[*at] = sets[*at].len().min(left / (sets.len() - number));
        left -= rooms[*at];
    }
    let mut before = before;
    for (set, room) in sets.iter().zip(rooms) {
        sample(set, before, room, found);
        before += set.len();
    }
}

/// One position out of each of so many strata of equal size; of the first the first and of the last the last, which often matter.
fn strata(count: usize, strata: usize) -> impl Iterator<Item = usize> {
    let strata = strata.min(count);
    let begins = move |at: usize| (count as u128 * at as u128 / strata.max(1) as u128) as usize;
    (0..strata).map(move |at| {
        let (begin, end) = (begins(at), begins(at + 1));
        // In a product, positions at equal distances would have the same option of its last parts.
        let within = (mixed(&[count as u64, at as u64]) % (end - begin) as u64) as usize;
        match at {
            0 => begin,
            last if last + 1 == strata => end - 1,
            _ => begin + within,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{Copies, Pass};
    use crate::model::{DecisionId, Seat};
    use std::sync::Arc;

    fn positions(options: OptionSet) -> (Vec<usize>, usize) {
        let decision = Decision::single(Seat(0), DecisionId(0), (options, Copies::One), Some(Pass::Pass));
        (decision.considered().iter().collect(), decision.count())
    }

    #[test]
    fn of_many_options_a_sample_is_looked_at_with_both_ends_and_the_pass() {
        let (found, count) = positions(OptionSet::Numbers(0, 1_000_000_000));
        assert_eq!((found.len(), found[0]), (MOST_CONSIDERED, 0));
        assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(found[MOST_CONSIDERED - 2..], [count - 2, count - 1]);
    }

    #[test]
    fn a_small_set_beside_a_large_one_is_looked_at_whole() {
        let sets = [OptionSet::Numbers(0, 1 << 40), OptionSet::Numbers(-9, -1)];
        let (found, count) = positions(OptionSet::Union(Arc::new(sets)));
        assert_eq!(found.len(), MOST_CONSIDERED);
        assert_eq!(found[MOST_CONSIDERED - 10..], (count - 10..count).collect::<Vec<_>>()[..]);
    }

    #[test]
    fn every_option_of_each_part_of_a_large_product_is_looked_at() {
        let part = |name: &str| (name.into(), OptionSet::Numbers(0, 3));
        let parts: Vec<(arcstr::ArcStr, OptionSet)> = (0..30).map(|at| part(&format!("p{at}"))).collect();
        let options = OptionSet::Product(parts.into());
        let (found, _) = positions(options.clone());
        for name in ["p0", "p14", "p29"] {
            let mut seen: Vec<_> = found
                .iter()
                .filter(|at| **at < options.len())
                .filter_map(|at| options.get(*at).part(name).cloned())
                .collect();
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), 4, "{name}");
        }
    }
}

//! Options that agents consider individually: all of them, or a stratified sample if there are too many.

use super::decision::Decision;
use super::options::OptionSet;
use crate::table::mixed;

/// Maximum number of options that are rated, hashed, sent to a program or written out individually.
pub const MAX_CONSIDERED: usize = 5_000;

/// Positions of the options that are considered, in ascending order. Deterministic: the same decision always gives the same positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Considered {
    /// All options; the field is their number.
    All(usize),
    /// A sample with one option from each stratum. Small sets of a union are included completely.
    Sample(Vec<usize>),
}

impl Considered {
    /// Returns the number of options that are considered.
    pub fn len(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::Sample(positions) => positions.len(),
        }
    }

    /// Returns whether no options are considered.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether some options are left out.
    pub const fn is_sample(&self) -> bool {
        matches!(self, Self::Sample(_))
    }

    /// Returns the position of the option that is considered at index `number`, counted from 0.
    pub fn position(&self, number: usize) -> usize {
        match self {
            Self::All(_) => number,
            Self::Sample(positions) => positions[number],
        }
    }

    /// Iterates over the positions in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).map(|number| self.position(number))
    }
}

impl Decision {
    /// Returns the positions of the options that are considered individually. A pass is always included.
    pub fn considered(&self) -> Considered {
        let count = self.count();
        if count <= MAX_CONSIDERED {
            return Considered::All(count);
        }
        let mut positions = Vec::with_capacity(MAX_CONSIDERED);
        let room = MAX_CONSIDERED - usize::from(self.pass.is_some());
        add_sample(&self.options, 0, room, &mut positions);
        positions.extend(self.pass.is_some().then_some(self.options.len()));
        Considered::Sample(positions)
    }
}

/// Adds the positions of a sample of at most `room` options of a set. `before` is the position of the set's first option.
fn add_sample(set: &OptionSet, before: usize, room: usize, found: &mut Vec<usize>) {
    let OptionSet::Union(sets) = set else {
        found.extend(stratified_positions(set.len(), room).map(|at| before + at));
        return;
    };
    // Small sets are included completely. The room that they leave is divided among the larger sets.
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
        add_sample(set, before, room, found);
        before += set.len();
    }
}

/// Returns one pseudo-random position from each of `strata` strata of nearly equal size. The first position is always included, and so is
/// the last if there are several strata, because extreme options often matter.
fn stratified_positions(count: usize, strata: usize) -> impl Iterator<Item = usize> {
    let strata = strata.min(count);
    let begins = move |at: usize| (count as u128 * at as u128 / strata.max(1) as u128) as usize;
    (0..strata).map(move |at| {
        let (begin, end) = (begins(at), begins(at + 1));
        // Each position is drawn within its stratum. Equidistant positions in a product could all have the same values in the last parts.
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
    fn a_sample_includes_both_ends_and_the_pass() {
        let (found, count) = positions(OptionSet::Numbers(0, 1_000_000_000));
        assert_eq!((found.len(), found[0]), (MAX_CONSIDERED, 0));
        assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(found[MAX_CONSIDERED - 2..], [count - 2, count - 1]);
    }

    #[test]
    fn a_small_set_beside_a_large_one_is_included_completely() {
        let sets = [OptionSet::Numbers(0, 1 << 40), OptionSet::Numbers(-9, -1)];
        let (found, count) = positions(OptionSet::Union(Arc::new(sets)));
        assert_eq!(found.len(), MAX_CONSIDERED);
        assert_eq!(found[MAX_CONSIDERED - 10..], (count - 10..count).collect::<Vec<_>>()[..]);
    }

    #[test]
    fn a_sample_of_a_product_covers_every_value_of_each_part() {
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

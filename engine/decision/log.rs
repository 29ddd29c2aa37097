//! What is noted of a game, in order.

use std::fmt;
use std::ops::Index;

/// Entries in order that copies of a game share, so that a copy costs the same however much has been noted.
#[derive(Clone, PartialEq, Eq)]
pub struct Log<T>(rpds::VectorSync<T>);

impl<T: fmt::Debug> fmt::Debug for Log<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self(rpds::VectorSync::new_sync())
    }
}

impl<T: Clone> Log<T> {
    /// Adds an entry.
    pub fn push(&mut self, entry: T) {
        self.0.push_back_mut(entry);
    }

    /// The entry at a position, to be changed.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.0.get_mut(at)
    }

    /// Takes the last entry out.
    pub fn pop(&mut self) {
        self.0.drop_last_mut();
    }

    /// All entries in one piece.
    pub fn to_vec(&self) -> Vec<T> {
        self.0.iter().cloned().collect()
    }

    /// Takes out the entries at positions, which are given in rising order.
    pub fn remove(&mut self, positions: &[usize]) {
        let Some(&first) = positions.first() else { return };
        let kept: Vec<T> =
            (first..self.len()).filter(|at| positions.binary_search(at).is_err()).map(|at| self[at].clone()).collect();
        while self.len() > first {
            self.pop();
        }
        self.extend(kept);
    }
}

impl<T> Log<T> {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The last entry.
    pub fn last(&self) -> Option<&T> {
        self.0.last()
    }

    /// All entries, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator + Clone {
        self.since(0)
    }

    /// The entries from a position on: those since there were so many.
    pub fn since(&self, from: usize) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator + Clone {
        (from..self.len()).map(|at| &self.0[at])
    }
}

impl<T> Index<usize> for Log<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        &self.0[at]
    }
}

impl<T: Clone> Extend<T> for Log<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, entries: I) {
        entries.into_iter().for_each(|entry| self.push(entry));
    }
}

impl<T: Clone> FromIterator<T> for Log<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        let mut log = Self::default();
        log.extend(entries);
        log
    }
}

impl<'l, T> IntoIterator for &'l Log<T> {
    type Item = &'l T;
    type IntoIter = <&'l rpds::VectorSync<T> as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_shares_what_was_noted_and_goes_its_own_way() {
        let mut log: Log<u32> = (0..100).collect();
        let mut copy = log.clone();
        copy.push(7);
        log.push(8);
        *log.get_mut(3).unwrap() = 9;
        assert_eq!((copy.len(), copy[100], copy[3]), (101, 7, 3));
        assert_eq!((log.len(), log[100], log[3]), (101, 8, 9));
        assert_eq!(log.since(99).copied().collect::<Vec<_>>(), [99, 8]);
    }

    #[test]
    fn what_is_taken_out_leaves_the_rest_in_order() {
        let mut log: Log<u32> = (0..70).collect();
        log.remove(&[2, 3, 69]);
        assert!(log.iter().copied().eq((0..2).chain(4..69)));
        log.remove(&[]);
        assert_eq!(log.len(), 67);
    }
}

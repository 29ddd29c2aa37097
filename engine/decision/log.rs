//! Append-only list with cheap copies.

use std::fmt;
use std::ops::{Index, Range};
use std::sync::Arc;

/// A list whose copies share their entries, so that copying a session takes constant time however long its history is.
///
/// Full blocks are immutable and shared. Only the last, partial block is copied when a copy is appended to.
#[derive(Clone, PartialEq, Eq)]
pub struct Log<T> {
    /// Full blocks of [`BLOCK`] entries each.
    blocks: rpds::VectorSync<Arc<Vec<T>>>,
    /// The last block, with fewer than [`BLOCK`] entries.
    last: Arc<Vec<T>>,
}

/// Number of entries in a block.
const BLOCK: usize = 32;

impl<T: fmt::Debug> fmt::Debug for Log<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self { blocks: rpds::VectorSync::new_sync(), last: Arc::default() }
    }
}

impl<T: Clone> Log<T> {
    /// Appends an entry.
    pub fn push(&mut self, entry: T) {
        let last = Arc::make_mut(&mut self.last);
        last.push(entry);
        if last.len() == BLOCK {
            self.blocks.push_back_mut(std::mem::take(&mut self.last));
        }
    }

    /// Returns a mutable reference to the entry at a position. Copies its block if it is shared.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        let block = if at / BLOCK < self.blocks.len() { self.blocks.get_mut(at / BLOCK)? } else { &mut self.last };
        if block.len() > at % BLOCK { Arc::make_mut(block).get_mut(at % BLOCK) } else { None }
    }

    /// Removes the last entry, if any.
    pub fn pop(&mut self) {
        if self.last.is_empty()
            && let Some(block) = self.blocks.last().cloned()
        {
            self.blocks.drop_last_mut();
            self.last = block;
        }
        if !self.last.is_empty() {
            Arc::make_mut(&mut self.last).pop();
        }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        if !self.blocks.is_empty() {
            self.blocks = rpds::VectorSync::new_sync();
        }
        match Arc::get_mut(&mut self.last) {
            Some(last) => last.clear(),
            None => self.last = Arc::default(),
        }
    }

    /// Copies all entries into a vector.
    pub fn to_vec(&self) -> Vec<T> {
        self.iter().cloned().collect()
    }

    /// Removes the entries at the given positions, which must be in ascending order.
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
    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.blocks.len() * BLOCK + self.last.len()
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the last entry.
    pub fn last(&self) -> Option<&T> {
        self.iter().next_back()
    }

    /// Iterates over all entries in order.
    pub fn iter(&self) -> LogEntries<'_, T> {
        self.since(0)
    }

    /// Iterates over the entries from position `from` on.
    pub fn since(&self, from: usize) -> LogEntries<'_, T> {
        LogEntries { log: self, at: from..self.len() }
    }
}

impl<T> Index<usize> for Log<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        let block = if at / BLOCK < self.blocks.len() { &self.blocks[at / BLOCK] } else { &self.last };
        &block[at % BLOCK]
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
    type IntoIter = LogEntries<'l, T>;

    fn into_iter(self) -> LogEntries<'l, T> {
        self.iter()
    }
}

/// Iterator over entries of a log.
#[derive(Debug)]
pub struct LogEntries<'l, T> {
    log: &'l Log<T>,
    at: Range<usize>,
}

impl<T> Clone for LogEntries<'_, T> {
    fn clone(&self) -> Self {
        Self { log: self.log, at: self.at.clone() }
    }
}

impl<'l, T> Iterator for LogEntries<'l, T> {
    type Item = &'l T;

    fn next(&mut self) -> Option<&'l T> {
        self.at.next().map(|at| &self.log[at])
    }

    /// Skips entries in constant time. A session that is played on skips everything that happened before.
    fn nth(&mut self, behind: usize) -> Option<&'l T> {
        self.at.nth(behind).map(|at| &self.log[at])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.at.size_hint()
    }
}

impl<T> DoubleEndedIterator for LogEntries<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.at.next_back().map(|at| &self.log[at])
    }
}

impl<T> ExactSizeIterator for LogEntries<'_, T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_entries_and_diverge_independently() {
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
    fn pop_crosses_block_boundaries() {
        let mut log: Log<u32> = (0..65).collect();
        let copy = log.clone();
        (0..2).for_each(|_| log.pop());
        assert_eq!((log.len(), log.last()), (63, Some(&62)));
        assert!(log.get_mut(63).is_none() && copy.iter().copied().eq(0..65));
        log.extend([7, 8]);
        assert_ne!(log, copy);
        assert_eq!(log.iter().rev().take(3).copied().collect::<Vec<_>>(), [8, 7, 62]);
        (0..70).for_each(|_| log.pop());
        assert_eq!(log, Log::default());
    }

    #[test]
    fn remove_keeps_the_order_of_the_rest() {
        let mut log: Log<u32> = (0..70).collect();
        log.remove(&[2, 3, 69]);
        assert!(log.iter().copied().eq((0..2).chain(4..69)));
        log.remove(&[]);
        assert_eq!(log.len(), 67);
    }
}

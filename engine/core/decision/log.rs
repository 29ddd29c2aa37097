//! Append-only list with cheap copies.

use std::fmt;
use std::ops::{Index, Range};
use std::sync::Arc;

/// A list whose copies share their entries, so that a session is copied in constant time regardless of the length of its history.
///
/// Full blocks are immutable and shared. Only the last, partial block is copied when an entry is appended to a copy. An empty list needs no
/// allocation, because each game has several lists that stay empty.
#[derive(Clone)]
pub struct Log<T> {
    /// Full blocks of [`BLOCK`] entries each. `None` until the first block is full.
    blocks: Option<Blocks<T>>,
    /// The last block, with fewer than [`BLOCK`] entries. `None` means that it is empty.
    last: Option<Arc<Vec<T>>>,
}

/// Shared blocks of [`BLOCK`] entries each.
type Blocks<T> = rpds::VectorSync<Arc<Vec<T>>>;

/// Number of entries in a block.
const BLOCK: usize = 32;

impl<T: fmt::Debug> fmt::Debug for Log<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self { blocks: None, last: None }
    }
}

impl<T: PartialEq> PartialEq for Log<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl<T: Eq> Eq for Log<T> {}

impl<T: Clone> Log<T> {
    /// Appends an entry.
    pub fn push(&mut self, entry: T) {
        let last = Arc::make_mut(self.last.get_or_insert_default());
        last.push(entry);
        if last.len() == BLOCK
            && let Some(full) = self.last.take()
        {
            self.blocks.get_or_insert_with(rpds::VectorSync::new_sync).push_back_mut(full);
        }
    }

    /// Returns a mutable reference to the entry at position `at`. Copies the block of the entry if it is shared. Returns `None` if there is
    /// no such entry.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        if at >= self.len() {
            return None;
        }
        let block = match self.blocks.as_mut().filter(|blocks| at / BLOCK < blocks.len()) {
            Some(blocks) => blocks.get_mut(at / BLOCK)?,
            None => self.last.as_mut()?,
        };
        Arc::make_mut(block).get_mut(at % BLOCK)
    }

    /// Removes the last entry, if any.
    pub fn pop(&mut self) {
        if self.last.as_ref().is_none_or(|last| last.is_empty())
            && let Some(blocks) = &mut self.blocks
            && let Some(block) = blocks.last().cloned()
        {
            blocks.drop_last_mut();
            self.last = Some(block);
        }
        if let Some(last) = self.last.as_mut().filter(|last| !last.is_empty()) {
            Arc::make_mut(last).pop();
        }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.blocks = None;
        match self.last.as_mut().and_then(Arc::get_mut) {
            Some(last) => last.clear(),
            None => self.last = None,
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
        self.block_count() * BLOCK + self.last.as_ref().map_or(0, |last| last.len())
    }

    /// Returns the number of full blocks.
    fn block_count(&self) -> usize {
        self.blocks.as_ref().map_or(0, Blocks::len)
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
        let block = match &self.blocks {
            Some(blocks) if at / BLOCK < blocks.len() => &blocks[at / BLOCK],
            _ => self.last.as_ref().expect("the position is within the list"),
        };
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

    /// Skips entries in constant time. This is useful for a continued session, which skips everything that happened before.
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

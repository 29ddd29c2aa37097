//! Cache of the variants of a game that were used last.

use std::collections::VecDeque;
use std::sync::Arc;

/// Maximum number of variants in a cache.
const MAX_VARIANTS: usize = 16;

/// Maximum size in bytes of all variants in a cache together, as [`Model::approximate_bytes`](crate::model::Model::approximate_bytes)
/// estimates it. The variant that was used last stays in the cache even if it is larger.
const MAX_BYTES: usize = 16 << 20;

/// The variants that were used last. A variant that is dropped from the cache is built again when it is needed.
pub(super) struct RecentVariants<K, V> {
    /// Entries with their sizes in bytes. The entry that was used last is at the end.
    entries: VecDeque<(K, Arc<V>, usize)>,
}

impl<K, V> Default for RecentVariants<K, V> {
    fn default() -> Self {
        Self { entries: VecDeque::new() }
    }
}

impl<K: PartialEq, V> RecentVariants<K, V> {
    /// Returns the variant with a key, and marks it as used.
    pub(super) fn find(&mut self, key: &K) -> Option<Arc<V>> {
        let at = self.entries.iter().position(|(known, ..)| known == key)?;
        let entry = self.entries.remove(at)?;
        let variant = entry.1.clone();
        self.entries.push_back(entry);
        Some(variant)
    }

    /// Adds a variant, and drops others while the cache is too large. If another thread has added a variant with the same key, returns that
    /// one, and drops `variant`.
    pub(super) fn keep(&mut self, key: K, variant: Arc<V>, bytes: usize) -> Arc<V> {
        if let Some(known) = self.find(&key) {
            return known;
        }
        self.entries.push_back((key, variant.clone(), bytes));
        while self.entries.len() > 1 && (self.entries.len() > MAX_VARIANTS || self.total_bytes() > MAX_BYTES) {
            self.entries.pop_front();
        }
        variant
    }

    fn total_bytes(&self) -> usize {
        self.entries.iter().map(|(.., bytes)| bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(cache: &RecentVariants<usize, ()>) -> Vec<usize> {
        cache.entries.iter().map(|(key, ..)| *key).collect()
    }

    #[test]
    fn the_variants_that_were_used_last_are_kept() {
        let mut cache = RecentVariants::default();
        for key in 0..MAX_VARIANTS {
            cache.keep(key, Arc::new(()), 1);
        }
        assert!(cache.find(&0).is_some());
        cache.keep(MAX_VARIANTS, Arc::new(()), 1);
        assert_eq!(keys(&cache).len(), MAX_VARIANTS);
        assert!(cache.find(&0).is_some() && cache.find(&1).is_none());
    }

    #[test]
    fn fewer_large_variants_are_kept() {
        let mut cache = RecentVariants::default();
        for key in 0..MAX_VARIANTS {
            cache.keep(key, Arc::new(()), MAX_BYTES / 2);
        }
        assert_eq!(keys(&cache), [MAX_VARIANTS - 2, MAX_VARIANTS - 1]);
        cache.keep(MAX_VARIANTS, Arc::new(()), 2 * MAX_BYTES);
        assert_eq!(keys(&cache), [MAX_VARIANTS]);
    }
}

//! Bitmap with rank and select, for the many possible placements of a piece.

/// A bitmap whose set bits can be addressed by their index among the set bits. Words may be filled partially.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::table) struct RankedBits {
    words: Vec<u64>,
    /// Number of set bits before each word.
    before: Vec<u32>,
    len: usize,
}

impl RankedBits {
    /// Indexes a bitmap.
    pub(in crate::table) fn new(words: Vec<u64>) -> Self {
        let mut len = 0;
        let mut before = Vec::with_capacity(words.len());
        for word in &words {
            before.push(len);
            len += word.count_ones();
        }
        Self { words, before, len: len as usize }
    }

    /// Returns the words of the bitmap.
    pub(in crate::table) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the number of set bits.
    pub(in crate::table) const fn len(&self) -> usize {
        self.len
    }

    /// Returns the word and the bit of the set bit with an index ("select").
    ///
    /// # Panics
    /// Panics if `position` is not below [`len`](Self::len).
    pub(in crate::table) fn at(&self, position: usize) -> (usize, u32) {
        assert!(position < self.len, "there are {}, and position {position} is asked for", self.len);
        let word = self.before.partition_point(|before| *before as usize <= position) - 1;
        let rank_in_word = position - self.before[word] as usize;
        let bit = ones(self.words[word]).nth(rank_in_word).expect("a word has as many as are counted");
        (word, bit)
    }

    /// Returns the index of a bit among the set bits ("rank"); `None` if the bit is not set.
    pub(in crate::table) fn position(&self, word: usize, bit: u32) -> Option<usize> {
        let found = self.words[word];
        let below = found & ((1 << bit) - 1);
        (found & 1 << bit != 0).then(|| (self.before[word] + below.count_ones()) as usize)
    }
}

/// Iterates over the set bits of a word, lowest first.
pub(in crate::table) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}

/// Returns a word with the `count` lowest bits set.
pub(in crate::table) const fn lowest(count: usize) -> u64 {
    if count >= u64::BITS as usize { u64::MAX } else { (1 << count) - 1 }
}

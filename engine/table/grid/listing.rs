//! Which of many placements are meant: a bit for each, so that most are told apart a word at a time.

/// A bit for each of many things, in words of which some may be filled in part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::table) struct Listing {
    words: Vec<u64>,
    /// How many are set before each word.
    before: Vec<u32>,
    len: usize,
}

impl Listing {
    /// Those whose bits are set.
    pub(in crate::table) fn new(words: Vec<u64>) -> Self {
        let mut len = 0;
        let mut before = Vec::with_capacity(words.len());
        for word in &words {
            before.push(len);
            len += word.count_ones();
        }
        Self { words, before, len: len as usize }
    }

    /// The words.
    pub(in crate::table) fn words(&self) -> &[u64] {
        &self.words
    }

    /// How many are set.
    pub(in crate::table) const fn len(&self) -> usize {
        self.len
    }

    /// The word and the bit of the one at a position.
    ///
    /// # Panics
    /// When there are not so many.
    pub(in crate::table) fn at(&self, position: usize) -> (usize, u32) {
        assert!(position < self.len, "there are {}, and position {position} is asked for", self.len);
        let word = self.before.partition_point(|before| *before as usize <= position) - 1;
        let behind = position - self.before[word] as usize;
        let bit = ones(self.words[word]).nth(behind).expect("a word has as many as are counted");
        (word, bit)
    }

    /// The position of the one with a bit in a word, if it is set.
    pub(in crate::table) fn position(&self, word: usize, bit: u32) -> Option<usize> {
        let found = self.words[word];
        let below = found & ((1 << bit) - 1);
        (found & 1 << bit != 0).then(|| (self.before[word] + below.count_ones()) as usize)
    }
}

/// The bits that are set in a word, lowest first.
pub(in crate::table) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}

/// So many bits, lowest first.
pub(in crate::table) const fn lowest(count: usize) -> u64 {
    if count >= u64::BITS as usize { u64::MAX } else { (1 << count) - 1 }
}

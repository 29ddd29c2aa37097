//! Bitmap with rank and select, for the many possible placements of a piece.

use std::ops::Range;

/// A bitmap whose set bits can be addressed by their index among the set bits. Not every bit of a word needs to be in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::table) struct RankedBits {
    words: Vec<u64>,
    /// Number of set bits before each word.
    before: Vec<u32>,
    len: usize,
}

impl RankedBits {
    /// Creates a ranked bitmap from the words of a bitmap.
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

    /// Returns the word index and the bit of the set bit that has `position` set bits before it ("select").
    ///
    /// # Panics
    /// Panics if `position` is not below [`len`](Self::len).
    pub(in crate::table) fn at(&self, position: usize) -> (usize, u32) {
        assert!(position < self.len, "there are {}, and position {position} is asked for", self.len);
        let word = self.before.partition_point(|before| *before as usize <= position) - 1;
        let rank_in_word = position - self.before[word] as usize;
        let bit = set_bits(self.words[word]).nth(rank_in_word).expect("a word has as many as are counted");
        (word, bit)
    }

    /// Returns the number of set bits before a set bit ("rank"); `None` if the bit is not set.
    pub(in crate::table) fn position(&self, word: usize, bit: u32) -> Option<usize> {
        let found = self.words[word];
        let below = found & ((1 << bit) - 1);
        (found & 1 << bit != 0).then(|| (self.before[word] + below.count_ones()) as usize)
    }
}

/// Iterates over the set bits of a word, lowest first.
pub(in crate::table) fn set_bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}

/// Returns a word with the `count` lowest bits set.
pub(in crate::table) const fn lowest_bits(count: usize) -> u64 {
    if count >= u64::BITS as usize { u64::MAX } else { (1 << count) - 1 }
}

/// Sets a bit of a bitmap.
#[inline]
pub(in crate::table) fn insert(words: &mut [u64], at: usize) {
    words[at / u64::BITS as usize] |= 1 << (at % u64::BITS as usize);
}

/// Returns whether a bit of a bitmap is set.
#[inline]
pub(in crate::table) fn has(words: &[u64], at: usize) -> bool {
    words[at / u64::BITS as usize] >> (at % u64::BITS as usize) & 1 != 0
}

/// Sets all bits of a bitmap in a range of indices.
pub(in crate::table) fn insert_range(words: &mut [u64], range: Range<usize>) {
    let bits = u64::BITS as usize;
    for (at, word) in words.iter_mut().enumerate().take(range.end.div_ceil(bits)).skip(range.start / bits) {
        let first = at * bits;
        *word |= lowest_bits(range.end - first) & !lowest_bits(range.start.saturating_sub(first));
    }
}

/// Iterates over the indices of a bitmap's set bits, in order.
pub(in crate::table) fn members(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words
        .iter()
        .enumerate()
        .flat_map(|(at, word)| set_bits(*word).map(move |bit| at * u64::BITS as usize + bit as usize))
}

/// Calls `combine` with each word of a bitmap and the corresponding word of another bitmap. The other bitmap is shifted first: its bit `i`
/// is the former bit `i + offset`. Bits from beyond the ends are 0.
pub(in crate::table) fn combine_shifted(
    words: &mut [u64],
    other: &[u64],
    offset: isize,
    combine: impl Fn(&mut u64, u64),
) {
    let bits = u64::BITS as isize;
    let (skipped, shift) = (offset.div_euclid(bits), offset.rem_euclid(bits) as u32);
    let word_at = |at: isize| usize::try_from(at).ok().and_then(|at| other.get(at)).copied().unwrap_or_default();
    for (at, word) in words.iter_mut().enumerate() {
        let low = word_at(at as isize + skipped);
        let moved = match shift {
            0 => low,
            shift => low >> shift | word_at(at as isize + skipped + 1) << (u64::BITS - shift),
        };
        combine(word, moved);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifted_bitmaps_have_the_bits_at_the_offset() {
        let size = 200;
        let found = |words: &[u64]| members(words).collect::<Vec<_>>();
        let mut bits = vec![0; 4];
        let all = [0, 1, 63, 64, 65, 127, 128, 150, 199];
        for at in all {
            insert(&mut bits, at);
        }
        assert_eq!(found(&bits), all);
        for offset in -210_isize..210 {
            let mut moved = vec![0; 4];
            combine_shifted(&mut moved, &bits, offset, |word, other| *word |= other);
            let expected: Vec<usize> = (0..256)
                .filter(|at| all.iter().any(|bit| at + offset == *bit as isize))
                .map(|at| at as usize)
                .collect();
            assert_eq!(found(&moved), expected, "{offset}");
            assert!((0..256).all(|at| has(&moved, at) == expected.contains(&at)));
        }
        for start in 0..size {
            for end in [start, start + 1, start + 70, size] {
                let mut words = vec![0; 5];
                insert_range(&mut words, start..end.max(start));
                assert_eq!(found(&words), (start..end.max(start)).collect::<Vec<_>>());
            }
        }
    }
}

//! "Did you mean": finds the known word that is most similar to a misspelled one.

use strsim::damerau_levenshtein;

/// Maximum length of words to compare, in bytes. Longer words are hardly ever misspelled names, and comparing them takes quadratic time.
const MAX_COMPARED_BYTES: usize = 64;

/// Maximum number of known words that are compared. Malicious files can declare and misspell thousands of names, and each misspelling is
/// compared with all names.
const MAX_COMPARED_WORDS: usize = 1_500;

/// Returns the known word that was most likely meant, or `None` if none is similar enough.
///
/// Case, hyphens and a plural `s` are ignored. Words are similar if they differ by a single edit, or by at most one edit per three
/// characters. Words are also similar if one of them has at least three characters and is a prefix of the other. Among equally similar
/// words, the first one with the same letters wins, or else the first one.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if written.is_empty() || written.len() > MAX_COMPARED_BYTES {
        return None;
    }
    let wanted = normalize(written);
    let letters = sorted_letters(&wanted);
    let similar = |word: &'a str| {
        let normalized = normalize(word);
        let distance = distance(&wanted, &normalized)?;
        Some((distance, sorted_letters(&normalized) != letters, word))
    };
    known
        .into_iter()
        .filter(|word| !word.is_empty() && word.len() <= MAX_COMPARED_BYTES)
        .take(MAX_COMPARED_WORDS)
        .filter_map(similar)
        .min_by_key(|(distance, has_other_letters, _)| (*distance, *has_other_letters))
        .map(|(_, _, word)| word)
}

/// Returns the help "did you mean `x`?". Never suggests the written word itself.
pub fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(written, known.into_iter().filter(|word| *word != written)).map(|word| format!("did you mean `{word}`?"))
}

/// Returns the edit distance between two strings. Long strings are not compared; their distance is at least `MAX_COMPARED_BYTES`.
pub fn edit_distance(one: &str, other: &str) -> usize {
    if one.len().max(other.len()) > MAX_COMPARED_BYTES {
        return MAX_COMPARED_BYTES + one.len().abs_diff(other.len());
    }
    damerau_levenshtein(one, other)
}

/// Returns whether two words differ by one typing error: a letter inserted, removed or replaced, or two adjacent letters swapped.
///
/// Returns `false` if the words differ only in one digit, because such words are numbered names.
pub fn is_one_slip_from(one: &str, other: &str) -> bool {
    if one == other || one.len().abs_diff(other.len()) > char::MAX.len_utf8() {
        return false;
    }
    let alike = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum::<usize>();
    let (one, other) = (&one[alike..], &other[alike..]);
    let behind = one.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a == b);
    let behind = behind.map(|(a, _)| a.len_utf8()).sum::<usize>();
    let differs = |text: &str| {
        let mut characters = text[..text.len() - behind].chars();
        // Three characters are enough: words with more than two different characters do not differ by a single typing error.
        [characters.next(), characters.next(), characters.next()]
    };
    match (differs(one), differs(other)) {
        ([Some(a), None, _], [Some(b), None, _]) => !(a.is_ascii_digit() && b.is_ascii_digit()),
        ([Some(a), None, _], [None, ..]) | ([None, ..], [Some(a), None, _]) => !a.is_ascii_digit(),
        ([Some(a), Some(b), None], [Some(c), Some(d), None]) => (a, b) == (d, c),
        _ => false,
    }
}

/// Removes the most common differences between a name and its misspellings: case, hyphens and the plural.
fn normalize(word: &str) -> String {
    let word = word.to_lowercase().replace(['-', ' '], "_");
    match word.strip_suffix('s') {
        Some(singular) if singular.chars().count() >= 2 => singular.to_owned(),
        _ => word,
    }
}

/// Returns the letters of a word in sorted order.
fn sorted_letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// Returns how far apart two normalized words are, or `None` if they are not similar. This is the edit distance if it is small. If one word
/// is a prefix of the other, [`MAX_COMPARED_BYTES`] is added to a larger edit distance, so that prefixes rank after all other similar
/// words.
fn distance(wanted: &str, known: &str) -> Option<usize> {
    let (wanted_length, known_length) = (wanted.chars().count(), known.chars().count());
    let allowed = (wanted_length.max(known_length) / 3).max(1);
    // The distance is at least the difference of the lengths, and exactly that if one word is a prefix of the other.
    let difference = wanted_length.abs_diff(known_length);
    if difference <= allowed {
        let letters = damerau_levenshtein(wanted, known);
        if letters <= allowed && letters < known_length {
            return Some(letters);
        }
    }
    let is_beginning = known.starts_with(wanted) || wanted.starts_with(known);
    (wanted_length.min(known_length) >= 3 && is_beginning).then_some(MAX_COMPARED_BYTES + difference)
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, is_one_slip_from, nearest};

    #[test]
    fn nearest_finds_the_intended_name() {
        let known = ["seen_by", "starts_with", "spaces", "copies", "per"];
        for (written, meant) in [
            ("seenby", "seen_by"),
            ("Seen-By", "seen_by"),
            ("start_with", "starts_with"),
            ("space", "spaces"),
            ("copeis", "copies"),
            ("starts", "starts_with"),
            ("pre", "per"),
        ] {
            assert_eq!(nearest(written, known), Some(meant), "{written}");
        }
    }

    #[test]
    fn the_exact_word_is_not_suggested() {
        assert_eq!(did_you_mean("price", ["price"]), None);
        assert_eq!(did_you_mean("price", ["price", "prices"]).as_deref(), Some("did you mean `prices`?"));
    }

    #[test]
    fn nearest_returns_none_when_nothing_is_similar() {
        for written in ["", "zebra", "x", &"a".repeat(100)] {
            assert_eq!(nearest(written, ["seen_by", "per"]), None, "{written}");
        }
    }

    #[test]
    fn one_typo_is_distinguished_from_none_and_two() {
        for (one, other) in
            [("white", "whitee"), ("white", "wite"), ("white", "wihte"), ("white", "whito"), ("to", "o")]
        {
            assert!(is_one_slip_from(one, other) && is_one_slip_from(other, one), "{one} {other}");
        }
        for (one, other) in
            [("white", "white"), ("white", "wtihe"), ("p1", "p2"), ("p", "p1"), ("white", "black"), ("", "ab")]
        {
            assert!(!is_one_slip_from(one, other) && !is_one_slip_from(other, one), "{one} {other}");
        }
    }

    #[test]
    fn suggestions_are_phrased_as_questions() {
        assert_eq!(did_you_mean("dek", ["deck"]).as_deref(), Some("did you mean `deck`?"));
    }
}

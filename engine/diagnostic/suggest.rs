//! "Did you mean": the known word nearest to one that was written.

use strsim::damerau_levenshtein;

/// Words longer than this are not compared: nobody misspells them, and comparing takes time by the square of the length.
const LONGEST: usize = 64;

/// The known word that was most likely meant, if any is near: alike but for case, hyphens or a plural, misspelled by a
/// letter in three, or cut short. Of equally near words the first that has the same letters, or simply the first.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if written.is_empty() || written.len() > LONGEST {
        return None;
    }
    let wanted = plain(written);
    known
        .into_iter()
        .filter(|word| !word.is_empty() && word.len() <= LONGEST)
        .filter_map(|word| Some((distance(&wanted, &plain(word))?, word)))
        .min_by_key(|(distance, word)| (*distance, letters(&plain(word)) != letters(&wanted)))
        .map(|(_, word)| word)
}

/// The question put to the author: "did you mean `x`?"; not of the word that is written.
pub fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(written, known.into_iter().filter(|word| *word != written)).map(|word| format!("did you mean `{word}`?"))
}

/// How many letters lie between two texts, as far as they are compared.
pub fn unlikeness(one: &str, other: &str) -> usize {
    if one.len().max(other.len()) > LONGEST {
        return LONGEST + one.len().abs_diff(other.len());
    }
    damerau_levenshtein(one, other)
}

/// Whether one slip makes a word another: a letter too many, too few, another, or two that changed places. Words that differ
/// in a digit alone are numbered, not misspelled.
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
        // More than two are no slip, whichever they are.
        [characters.next(), characters.next(), characters.next()]
    };
    match (differs(one), differs(other)) {
        ([Some(a), None, _], [Some(b), None, _]) => !(a.is_ascii_digit() && b.is_ascii_digit()),
        ([Some(a), None, _], [None, ..]) | ([None, ..], [Some(a), None, _]) => !a.is_ascii_digit(),
        ([Some(a), Some(b), None], [Some(c), Some(d), None]) => (a, b) == (d, c),
        _ => false,
    }
}

/// A word without what people get wrong most: case, hyphens, the plural.
fn plain(word: &str) -> String {
    let word = word.to_lowercase().replace(['-', ' '], "_");
    match word.strip_suffix('s') {
        Some(singular) if singular.chars().count() >= 2 => singular.to_owned(),
        _ => word,
    }
}

/// The letters of a word, in order.
fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// How far two plain words are apart, if they are near at all: 0 for the same, then letters, then beginnings and parts.
fn distance(wanted: &str, known: &str) -> Option<usize> {
    let letters = damerau_levenshtein(wanted, known);
    let allowed = (wanted.chars().count().max(known.chars().count()) / 3).max(1);
    if letters <= allowed && letters < known.chars().count() {
        return Some(letters);
    }
    let shorter = wanted.chars().count().min(known.chars().count());
    let is_beginning = known.starts_with(wanted) || wanted.starts_with(known);
    (shorter >= 3 && is_beginning).then_some(LONGEST + letters)
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, is_one_slip_from, nearest};

    #[test]
    fn finds_what_was_meant() {
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
    fn nobody_is_asked_whether_what_is_written_is_meant() {
        assert_eq!(did_you_mean("price", ["price"]), None);
        assert_eq!(did_you_mean("price", ["price", "prices"]).as_deref(), Some("did you mean `prices`?"));
    }

    #[test]
    fn finds_nothing_when_nothing_is_near() {
        for written in ["", "zebra", "x", &"a".repeat(100)] {
            assert_eq!(nearest(written, ["seen_by", "per"]), None, "{written}");
        }
    }

    #[test]
    fn tells_one_slip_from_none_and_two() {
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
    fn asks_a_question() {
        assert_eq!(did_you_mean("dek", ["deck"]).as_deref(), Some("did you mean `deck`?"));
    }
}

//! Matching of abbreviated answers with options.

use crate::diagnostic::edit_distance;
use crate::wording::{Matches, OptionTexts, PICK_SEPARATOR};

/// Result of matching an answer with a list of options.
#[derive(Debug, PartialEq, Eq)]
pub enum Match {
    /// Index of the only option that fits.
    One(usize),
    /// Indices of several options that fit.
    Several(Vec<usize>),
    /// No option fits.
    None,
}

/// Finds the option that equals `given`. If there is none, tries weaker criteria in turn: the same words in any order, all words of `given`
/// among the words of the option, all words of `given` anywhere in the option. Returns the matches of the first criterion that any option
/// meets.
///
/// Words are compared as a whole: `price=1` does not match `price=15`.
pub fn find(options: &[String], given: &str) -> Match {
    let given = given.trim();
    let exact: Vec<usize> = positions(options, |option| option == given);
    if let [at] = exact[..] {
        return Match::One(at);
    }
    let words: Vec<&str> = given.split_whitespace().collect();
    let same_words = |option: &str| {
        let mut parts: Vec<&str> = option.split_whitespace().collect();
        parts.sort_unstable();
        let mut sorted = words.clone();
        sorted.sort_unstable();
        parts == sorted
    };
    let has_words = |option: &str| {
        let mut parts: Vec<&str> = option.split_whitespace().collect();
        // An option contains the kind and the face of a die (`die=d6:5`), but authors may write only the face (`die=5`).
        let shows = |word: &str, part: &str| {
            let die = word.split_once('=').zip(part.split_once('='));
            die.is_some_and(|((name, shown), (own, die))| {
                name == own
                    && die
                        .split_once('@')
                        .map_or(die, |(die, _)| die)
                        .rsplit_once(':')
                        .is_some_and(|(_, is)| is == shown)
            })
        };
        let mut left = words.iter().filter(|word| !parts.contains(word)).collect::<Vec<_>>();
        parts.retain(|part| !words.contains(part));
        // Words that occur literally have been removed from `parts`, so that they cannot match as spaces a second time.
        left.retain(|word| {
            let is_it = |part: &&str| shows(word, part) || parse_space(word).is_some_and(|space| space.is_in(part));
            let at = parts.iter().position(is_it);
            at.map(|at| parts.remove(at)).is_none()
        });
        left.is_empty()
    };
    let contains_words = |option: &str| words.iter().all(|word| has_word(option, word));
    for fits in [&same_words as &dyn Fn(&str) -> bool, &has_words, &contains_words] {
        match positions(options, fits).as_slice() {
            [] => {}
            [at] => return Match::One(*at),
            several => return Match::Several(several.to_vec()),
        }
    }
    Match::None
}

/// Splits an answer into its picks. A separator in quotes is part of a pick.
pub fn split_picks(answer: &str) -> Vec<&str> {
    let mut picks = Vec::new();
    let mut rest = answer.trim_start();
    loop {
        let quoted = rest.strip_prefix('"').and_then(|inside| inside.find('"')).map_or(0, |end| end + 2);
        let Some(end) = rest[quoted..].find(PICK_SEPARATOR).map(|at| quoted + at) else { break };
        picks.push(rest[..end].trim_end());
        rest = rest[end + PICK_SEPARATOR.len()..].trim_start();
    }
    picks.push(rest.trim_end());
    picks
}

/// Returns whether one of the options equals `given`.
pub(super) fn offers_exactly(options: &OptionTexts, given: &str) -> bool {
    matches!(find_in(options, given), Match::One(at) if options.get(at) == given)
}

/// Like [`find`], but for options that may be too many to list. In that case, [`Match::Several`] has only the first
/// few.
pub fn find_in(options: &OptionTexts, given: &str) -> Match {
    if let Some(all) = options.all() {
        return find(all, given);
    }
    let Matches { count, first } = options.fits(given.trim(), &|texts, given| match find(texts, given) {
        Match::One(at) => vec![at],
        Match::Several(several) => several,
        Match::None => Vec::new(),
    });
    match (count, &first[..]) {
        (0, _) => Match::None,
        (1, [at]) => Match::One(*at),
        _ => Match::Several(first),
    }
}

/// Word in an answer that names a space and its zone, such as `board[1,2]`. It may begin with the name of an option's part, such as
/// `to=board[1,2]`.
pub(super) struct SpaceWord<'a> {
    /// Name of the option's part, if given.
    pub part: Option<&'a str>,
    /// Id of the zone.
    pub zone: &'a str,
    /// Label in the brackets.
    pub label: &'a str,
}

impl SpaceWord<'_> {
    /// Returns whether `part`, a `name=value` pair in an option, denotes this space. Compares only the label, because an option omits the
    /// zone if the decision declares it.
    fn is_in(&self, part: &str) -> bool {
        part.split_once('=').is_some_and(|(name, value)| value == self.label && self.part.is_none_or(|own| own == name))
    }
}

/// Parses a word that names a space with its zone, such as `board[1,2]` or `to=board[1,2]`.
pub(super) fn parse_space(word: &str) -> Option<SpaceWord<'_>> {
    let (part, value) = word.split_once('=').map_or((None, word), |(part, value)| (Some(part), value));
    let (zone, label) = value.strip_suffix(']')?.split_once('[')?;
    Some(SpaceWord { part, zone, label })
}

/// Returns whether `text` contains `word` as a whole word.
pub fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        !is_one_word(before, word) && !is_one_word(word, behind)
    })
}

/// Returns whether the end of `before` and the beginning of `behind` belong to the same word.
fn is_one_word(before: &str, behind: &str) -> bool {
    // From U+2E80 on (CJK), every character is a word by itself.
    let is_letter = |letter: char| letter < '\u{2e80}' && (letter.is_alphanumeric() || matches!(letter, '_' | '-'));
    before.ends_with(is_letter) && behind.starts_with(is_letter)
}

/// Returns whether `text` contains `part`, even inside a longer word. A number at the start or end of `part` must match as a whole,
/// including its minus sign.
pub fn has_part(text: &str, part: &str) -> bool {
    let is_number = |letter: char| letter.is_ascii_digit();
    text.match_indices(part).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + part.len()..]);
        let goes_before = before.ends_with(|letter| is_number(letter) || letter == '-') && part.starts_with(is_number);
        let is_one_word = part.ends_with(is_number) && behind.starts_with(is_number);
        !(goes_before || is_one_word)
    })
}

fn positions(options: &[String], fits: impl Fn(&str) -> bool) -> Vec<usize> {
    (0..options.len()).filter(|at| fits(&options[*at])).collect()
}

/// Returns the options that are most similar to `given`, best first. If there are more than [`SHOWN`], a last entry gives the number of the
/// others.
pub(super) fn nearest_first(options: &OptionTexts, given: &str) -> Vec<String> {
    let some = options.some();
    let mut sorted: Vec<((usize, usize), &String)> =
        some.iter().map(|option| (distance(option, given), option)).collect();
    sorted.sort_by_key(|(distance, _)| *distance);
    let more = sorted.len().saturating_sub(SHOWN);
    let mut shown: Vec<String> = sorted.into_iter().take(SHOWN).map(|(_, option)| option.clone()).collect();
    if more > 0 {
        shown.push(format!("… and {more} more"));
    }
    shown
}

/// Maximum number of options in a message.
const SHOWN: usize = 12;

/// Returns how different an option is from `given`: the number of words of `given` that the option lacks, then the edit distance.
fn distance(option: &str, given: &str) -> (usize, usize) {
    let missing = given.split_whitespace().filter(|word| !option.split_whitespace().any(|part| part == *word)).count();
    (missing, if given.is_empty() { 0 } else { edit_distance(option, given) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Vec<String> {
        ["lot=1 price=0", "lot=1 price=10", "lot=2 price=10"].map(str::to_owned).to_vec()
    }

    #[test]
    fn a_part_found_in_one_option_only_identifies_it() {
        assert_eq!(find(&options(), "price=0"), Match::One(0));
        assert_eq!(find(&options(), "lot=2"), Match::One(2));
        assert_eq!(find(&options(), "price=10 lot=1"), Match::One(1));
    }

    #[test]
    fn parts_matching_several_options_are_ambiguous_and_none_unknown() {
        assert_eq!(find(&options(), "price=10"), Match::Several(vec![1, 2]));
        assert_eq!(find(&options(), "price=25"), Match::None);
        assert_eq!(find(&options(), "lot=2 price=1"), Match::None);
        assert_eq!(find(&["card=ace-of-spades".to_owned()], "card=ace"), Match::None);
        assert_eq!(find(&["board[3,2]".to_owned(), "board[3,21]".to_owned()], "3,2"), Match::One(0));
    }

    #[test]
    fn picks_are_split_outside_of_quotes() {
        assert_eq!(split_picks("a + b"), ["a", "b"]);
        assert_eq!(split_picks("\"a + b\" + c + \"d\""), ["\"a + b\"", "c", "\"d\""]);
        assert_eq!(split_picks("\"a + b"), ["\"a", "b"]);
        assert_eq!(split_picks(""), [""]);
    }

    #[test]
    fn a_space_may_be_written_with_its_zone() {
        let options = ["from=1,1 to=1,2", "from=1,1 to=2,2"].map(str::to_owned);
        assert_eq!(find(&options, "board[1,2]"), Match::One(0));
        assert_eq!(find(&options, "to=board[2,2]"), Match::One(1));
        assert_eq!(find(&options, "from=board[2,2]"), Match::None);
        let bids = ["lot=1 price=1", "lot=2 price=1"].map(str::to_owned);
        assert_eq!(find(&bids, "lots[1] price=1"), Match::One(0));
        assert_eq!(find(&options, "board[1,1]"), Match::Several(vec![0, 1]));
    }

    #[test]
    fn a_die_is_matched_by_its_face() {
        let options = ["die=d6:5 n=1", "die=d6:5 n=2", "die=Ann.d6:15@cup n=1"].map(str::to_owned);
        assert_eq!(find(&options, "die=5 n=2"), Match::One(1));
        assert_eq!(find(&options, "die=15 n=1"), Match::One(2));
        assert_eq!(find(&options, "die=6 n=1"), Match::None);
    }

    #[test]
    fn a_number_matches_only_as_a_whole() {
        assert!(has_part("boathouse 15", "boat") && has_part("boathouse 15", "15") && has_part("a15", "15"));
        assert!(!has_part("price=15", "price=1") && !has_part("price=15", "5") && !has_part("price=-5", "5"));
    }

    #[test]
    fn the_nearest_options_are_listed_first() {
        let nearest = |options: Vec<String>, given| nearest_first(&OptionTexts::listed(options), given).remove(0);
        assert_eq!(nearest(options(), "lot=2 price=15"), "lot=2 price=10");
        assert_eq!(nearest(vec!["ace".to_owned(), "seven".to_owned()], "sevn"), "seven");
    }
}

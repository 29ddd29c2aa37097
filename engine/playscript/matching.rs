//! Finding the option that a line of a play means.

use crate::diagnostic::edit_distance;
use crate::wording::{Matches, OptionTexts};

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub enum Match {
    /// The option at this position.
    One(usize),
    /// Several fit.
    Several(Vec<usize>),
    /// None fits.
    None,
}

/// The option whose written form is the one given, or the only one that has every word of it. A word is never a part of a
/// longer one: `price=1` is not `price=15`.
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
        // A die is written with what it shows, and named by that alone.
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
        // A word that stands in the option itself is no space of another part.
        left.retain(|word| {
            let is_it = |part: &&str| shows(word, part) || in_zone(word).is_some_and(|space| space.is_in(part));
            let at = parts.iter().position(is_it);
            at.map(|at| parts.remove(at)).is_none()
        });
        left.is_empty()
    };
    let has_within = |option: &str| words.iter().all(|word| has_word(option, word));
    for fits in [&same_words as &dyn Fn(&str) -> bool, &has_words, &has_within] {
        match positions(options, fits).as_slice() {
            [] => {}
            [at] => return Match::One(*at),
            several => return Match::Several(several.to_vec()),
        }
    }
    Match::None
}

/// Whether an option is written exactly so.
pub(super) fn offers_exactly(options: &OptionTexts, given: &str) -> bool {
    matches!(find_in(options, given), Match::One(at) if options.get(at) == given)
}

/// Like [`find`], but of options that may be too many to be listed: then several are told by the first of them.
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

/// A space as scripts and logs write it, `board[1,2]`, or behind the name of a part, `to=board[1,2]`.
pub(super) struct InZone<'a> {
    /// The part.
    pub part: Option<&'a str>,
    /// The zone.
    pub zone: &'a str,
    /// What stands in brackets.
    pub label: &'a str,
}

impl InZone<'_> {
    /// Whether a part of an option is that space: where the decision declares the zone, its label stands alone.
    fn is_in(&self, part: &str) -> bool {
        part.split_once('=').is_some_and(|(name, value)| value == self.label && self.part.is_none_or(|own| own == name))
    }
}

/// What a word says of a space in a zone, if it does.
pub(super) fn in_zone(word: &str) -> Option<InZone<'_>> {
    let (part, value) = word.split_once('=').map_or((None, word), |(part, value)| (Some(part), value));
    let (zone, label) = value.strip_suffix(']')?.split_once('[')?;
    Some(InZone { part, zone, label })
}

/// Whether a word stands in a text with nothing before or behind that belongs to it.
pub fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        !goes_on(before, word) && !goes_on(word, behind)
    })
}

/// Whether what ends one text and what begins the next is one word.
fn goes_on(before: &str, behind: &str) -> bool {
    // Characters from here on are words by themselves.
    let is_letter = |letter: char| letter < '\u{2e80}' && (letter.is_alphanumeric() || matches!(letter, '_' | '-'));
    before.ends_with(is_letter) && behind.starts_with(is_letter)
}

/// Whether a text has a part of a word; of a number, the whole.
pub fn has_part(text: &str, part: &str) -> bool {
    let is_number = |letter: char| letter.is_ascii_digit();
    text.match_indices(part).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + part.len()..]);
        let goes_before = before.ends_with(|letter| is_number(letter) || letter == '-') && part.starts_with(is_number);
        let goes_on = part.ends_with(is_number) && behind.starts_with(is_number);
        !(goes_before || goes_on)
    })
}

fn positions(options: &[String], fits: impl Fn(&str) -> bool) -> Vec<usize> {
    (0..options.len()).filter(|at| fits(&options[*at])).collect()
}

/// The options, those most like the one given first, shortened to a readable number.
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

/// How many options a message lists.
const SHOWN: usize = 12;

/// How many words of the one the other lacks, then by how many letters they differ.
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
    fn a_part_that_fits_one_option_is_enough() {
        assert_eq!(find(&options(), "price=0"), Match::One(0));
        assert_eq!(find(&options(), "lot=2"), Match::One(2));
        assert_eq!(find(&options(), "price=10 lot=1"), Match::One(1));
    }

    #[test]
    fn a_part_that_fits_several_is_ambiguous_and_one_that_fits_none_is_unknown() {
        assert_eq!(find(&options(), "price=10"), Match::Several(vec![1, 2]));
        assert_eq!(find(&options(), "price=25"), Match::None);
        assert_eq!(find(&options(), "lot=2 price=1"), Match::None);
        assert_eq!(find(&["card=ace-of-spades".to_owned()], "card=ace"), Match::None);
        assert_eq!(find(&["board[3,2]".to_owned(), "board[3,21]".to_owned()], "3,2"), Match::One(0));
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
    fn a_part_that_is_a_die_is_named_by_what_it_shows() {
        let options = ["die=d6:5 n=1", "die=d6:5 n=2", "die=Ann.d6:15@cup n=1"].map(str::to_owned);
        assert_eq!(find(&options, "die=5 n=2"), Match::One(1));
        assert_eq!(find(&options, "die=15 n=1"), Match::One(2));
        assert_eq!(find(&options, "die=6 n=1"), Match::None);
    }

    #[test]
    fn a_part_of_a_number_is_none() {
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

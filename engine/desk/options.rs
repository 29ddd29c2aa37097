//! Formats the options of a decision as strings, and searches these strings.

use crate::model::Language;
use crate::playscript::matching::{has_part, has_word};
use crate::session::Observation;
use crate::wording::{Matches, OptionTexts};
use std::collections::BTreeSet;

/// The options of a decision in two notations.
pub(crate) struct Options {
    /// Options as phrases in the reader's language.
    pub(crate) worded: OptionTexts,
    /// Options in the short form of playscripts.
    pub(crate) written: OptionTexts,
    /// Whether at least one option is displayed as an integer, and all options are displayed differently. If so, a typed number selects the
    /// option that is displayed as this number, not the option at this position.
    are_numbers: bool,
}

impl Options {
    /// Creates options from explicit lists for both notations.
    pub(crate) fn listed(worded: Vec<String>, written: Vec<String>) -> Self {
        Self::new(OptionTexts::listed(worded), OptionTexts::listed(written))
    }

    /// Returns the options that are offered to the seat of an observation.
    pub(crate) fn from_observation(observation: &Observation<'_>, language: Language) -> Self {
        Self::new(observation.worded(language), observation.written())
    }

    fn new(worded: OptionTexts, written: OptionTexts) -> Self {
        let are_numbers = match worded.all() {
            Some(all) => {
                let is_number = |text: &String| text.parse::<i64>().is_ok();
                all.iter().any(is_number) && all.iter().collect::<BTreeSet<_>>().len() == all.len()
            }
            None => worded.are_unlisted_numbers(),
        };
        Self { worded, written, are_numbers }
    }

    /// Returns the number of options.
    pub(crate) const fn len(&self) -> usize {
        self.worded.len()
    }

    /// Returns the prefix of an option in a list: the position of the option, from 1. Returns an empty string if the options are numbers.
    pub(crate) fn head(&self, at: usize, width: usize) -> String {
        if self.are_numbers { String::new() } else { format!("{:>width$}  ", at + 1) }
    }

    /// Returns the position of the option that a line identifies exactly: by its number or its full text.
    pub(crate) fn named(&self, line: &str) -> Option<usize> {
        let sought = normalized(line);
        if self.are_numbers {
            return match self.worded.all() {
                Some(all) => all.iter().position(|worded| normalized(worded) == sought),
                None => find_unique(&self.worded, line, &|worded| normalized(worded) == sought),
            };
        }
        let number = line.parse::<usize>().ok().filter(|number| (1..=self.len()).contains(number));
        number
            .map(|number| number - 1)
            .or_else(|| first_exact(&self.written, line))
            .or_else(|| find_unique(&self.worded, line, &|worded| normalized(worded) == sought))
    }

    /// Returns whether any option contains `word` as a whole word, in either notation.
    pub(crate) fn any_has(&self, word: &str) -> bool {
        let has = |text: &String| has_word(&normalized(text), word);
        [&self.worded, &self.written].into_iter().any(|texts| match texts.all() {
            Some(all) => all.iter().any(has),
            None => texts.fits(word, &|texts, _| (0..texts.len()).filter(|at| has(&texts[*at])).collect()).count > 0,
        })
    }

    /// Returns the positions of the options that match `text`. Tries three criteria in turn, and uses the first one that any option meets:
    /// the option contains all of `text`; it contains each word of `text`; or it contains each word, possibly inside a longer word. A
    /// number never matches inside a longer number. If there are too many options to list, returns only the first matches.
    pub(crate) fn with(&self, text: &str) -> Vec<usize> {
        self.fits(text).first
    }

    /// Like [`with`](Self::with), but also returns the total number of matches.
    pub(crate) fn fits(&self, text: &str) -> Matches {
        if let (Some(_), Some(written)) = (self.worded.all(), self.written.all()) {
            let first = self.with_among(text, &(0..written.len()).collect::<Vec<_>>());
            return Matches { count: first.len(), first };
        }
        let fits = |texts: &[String], text: &str| {
            let own = Self {
                worded: OptionTexts::listed(texts.to_vec()),
                written: OptionTexts::listed(texts.to_vec()),
                are_numbers: false,
            };
            own.with_among(text, &(0..texts.len()).collect::<Vec<_>>())
        };
        let written = self.written.fits(text, &fits);
        if written.count > 0 { written } else { self.worded.fits(text, &fits) }
    }

    /// Like [`with`](Self::with), but only for the options at the positions `some`.
    pub(crate) fn with_among(&self, text: &str, some: &[usize]) -> Vec<usize> {
        let words: Vec<String> = text.split_whitespace().map(normalized).collect();
        let whole = [words.join(" ")];
        let those_with = |wanted: &[String], has: fn(&str, &str) -> bool| {
            let has_all = |at: &usize| {
                let forms = [self.worded.get(*at), self.written.get(*at)].map(|form| normalized(&form));
                wanted.iter().all(|wanted| forms.iter().any(|form| has(form, wanted)))
            };
            some.iter().copied().filter(has_all).collect::<Vec<usize>>()
        };
        let tries = [(&whole[..], has_word as fn(&str, &str) -> bool), (&words, has_word), (&words, has_part)];
        let found = tries.into_iter().map(|(wanted, has)| those_with(wanted, has));
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }
}

/// Returns the position of the first option whose text equals `line`. If there are too many options to list, returns `None` unless exactly
/// one option has this text.
fn first_exact(texts: &OptionTexts, line: &str) -> Option<usize> {
    match texts.all() {
        Some(all) => all.iter().position(|text| text == line),
        None => find_unique(texts, line, &|text| text == line),
    }
}

/// Returns the position of the only option that satisfies `is_match`, or `None` if no option or more than one does. If there are too many
/// options to list, tests only the first ones that contain all words of `line`.
fn find_unique(texts: &OptionTexts, line: &str, is_match: &dyn Fn(&str) -> bool) -> Option<usize> {
    let Some(all) = texts.all() else {
        let with_words = |texts: &[String], said: &str| -> Vec<usize> {
            let words: Vec<String> = said.split_whitespace().map(normalized).collect();
            let has_words = |at: &usize| words.iter().all(|word| has_word(&normalized(&texts[*at]), word));
            (0..texts.len()).filter(has_words).collect()
        };
        let found = texts.fits(line, &with_words);
        let mut same = found.first.into_iter().filter(|at| is_match(&texts.get(*at)));
        return same.next().filter(|_| same.next().is_none());
    };
    let mut same = (0..all.len()).filter(|at| is_match(&all[*at]));
    same.next().filter(|_| same.next().is_none())
}

/// Normalizes a text for comparison: lower case, and ASCII minus signs.
fn normalized(text: &str) -> String {
    text.to_lowercase().replace('\u{2212}', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_by_words_in_any_order_and_in_either_form() {
        let options = Options::listed(
            vec!["lot 1, for 10".to_owned(), "lot 2, for 10".to_owned()],
            vec!["lot=1 price=10".to_owned(), "lot=2 price=10".to_owned()],
        );
        assert_eq!(options.with("FOR lot=2"), [1]);
        assert_eq!(options.with("10"), [0, 1]);
        assert_eq!((options.named("Lot 2, for 10"), options.named("2")), (Some(1), Some(1)));
        assert!(options.with("price=11").is_empty());
    }

    #[test]
    fn a_contiguous_match_is_preferred_to_scattered_words() {
        let worded = ["Red Door, block 0,-3, turned 0", "Red Door, block 0,-3, turned 1"].map(str::to_owned).to_vec();
        let written = ["to=0,-3 turned=0", "to=0,-3 turned=1"].map(str::to_owned).to_vec();
        let options = Options::listed(worded, written);
        assert_eq!((options.with("turned 0"), options.with("block 0,-3,  turned 1")), (vec![0], vec![1]));
        assert_eq!(options.with("door 0"), [0, 1]);
    }

    #[test]
    fn all_minus_signs_are_equivalent() {
        let worded = ["income \u{2212}3", "block -4,-3", "income 3"].map(str::to_owned).to_vec();
        let written = ["income=-3", "block=-4,-3", "income=3"].map(str::to_owned).to_vec();
        let options = Options::listed(worded, written);
        for minus in ["-", "\u{2212}"] {
            assert_eq!(options.with(&format!("income {minus}3")), [0]);
            assert_eq!(options.with(&format!("block {minus}4,{minus}3")), [1]);
            assert_eq!(options.named(&format!("Income {minus}3")), Some(0));
        }
        let steps =
            Options::listed(vec!["\u{2212}1".to_owned(), "2".to_owned()], vec!["-1".to_owned(), "2".to_owned()]);
        assert_eq!((steps.named("-1"), steps.named("\u{2212}1"), steps.with("-1")), (Some(0), Some(0), vec![0]));
    }

    #[test]
    fn numeric_options_are_identified_by_their_text() {
        let numbers = |texts: [&str; 3]| {
            let texts = texts.map(str::to_owned).to_vec();
            Options::listed(texts.clone(), texts)
        };
        let steps = numbers(["0", "1", "pass"]);
        assert_eq!((steps.named("1"), steps.named("3"), steps.head(1, 1).as_str()), (Some(1), None, ""));
        assert_eq!(steps.with("pass"), [2]);
        let alike = numbers(["5", "5", "pass"]);
        assert_eq!((alike.named("1"), alike.head(1, 1).as_str()), (Some(0), "2  "));
    }

    #[test]
    fn whole_words_are_preferred_to_parts_of_words() {
        let written = ["board[-1,-2]", "board[1,-2]", "board[1,-20]", "board[11,3]"].map(str::to_owned).to_vec();
        let options = Options::listed(vec!["Ann的兵".to_owned(); 4], written);
        assert_eq!(options.with("1,-2"), [1]);
        assert_eq!(options.with("1"), [1, 2]);
        assert_eq!(options.with("board 3"), [3]);
        assert_eq!(options.with("boa"), [0, 1, 2, 3]);
        assert!(options.with("board 4").is_empty() && options.with("-2 0").is_empty());
        assert_eq!(options.with("兵"), [0, 1, 2, 3]);
    }
}

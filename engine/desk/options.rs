//! The options of a decision as people read them, and finding those that a text means.

use crate::playscript::matching::{has_part, has_word};

/// The options of a decision.
pub(crate) struct Options {
    /// As people read them.
    pub(crate) worded: Vec<String>,
    /// In the short form of plays.
    pub(crate) written: Vec<String>,
}

impl Options {
    /// What stands before an option in a list: its number, or nothing where options are numbers themselves.
    pub(crate) fn head(&self, at: usize, width: usize) -> String {
        if self.are_numbers() { String::new() } else { format!("{:>width$}  ", at + 1) }
    }

    /// Whether options read as plain numbers: these are typed as they read, and there is no other number for them.
    fn are_numbers(&self) -> bool {
        let is_number = |text: &String| text.parse::<i64>().is_ok();
        let is_single = |at: usize| !self.worded[..at].contains(&self.worded[at]);
        self.worded.iter().any(is_number) && (0..self.worded.len()).all(is_single)
    }

    /// The option that a line names as a whole: by its number, or as it reads.
    pub(crate) fn named(&self, line: &str) -> Option<usize> {
        let sought = folded(line);
        if self.are_numbers() {
            return self.worded.iter().position(|worded| folded(worded) == sought);
        }
        let number = line.parse::<usize>().ok().filter(|number| (1..=self.worded.len()).contains(number));
        number.map(|number| number - 1).or_else(|| self.written.iter().position(|written| written == line)).or_else(
            || {
                let mut same = (0..self.worded.len()).filter(|at| folded(&self.worded[*at]) == sought);
                same.next().filter(|_| same.next().is_none())
            },
        )
    }

    /// Whether a word stands in any of them.
    pub(crate) fn have(&self, word: &str) -> bool {
        self.worded.iter().chain(&self.written).any(|form| has_word(&folded(form), word))
    }

    /// The positions of those that have a text: as it stands, or else all its words, or else all as parts of words; a number
    /// is never a part of another.
    pub(crate) fn with(&self, text: &str) -> Vec<usize> {
        self.with_among(text, &(0..self.written.len()).collect::<Vec<_>>())
    }

    /// The same of some of them.
    pub(crate) fn with_among(&self, text: &str, some: &[usize]) -> Vec<usize> {
        let words: Vec<String> = text.split_whitespace().map(folded).collect();
        let whole = [words.join(" ")];
        let those_with = |wanted: &[String], has: fn(&str, &str) -> bool| {
            let has_all = |at: &usize| {
                let forms = [&self.worded[*at], &self.written[*at]].map(|form| folded(form));
                wanted.iter().all(|wanted| forms.iter().any(|form| has(form, wanted)))
            };
            some.iter().copied().filter(has_all).collect::<Vec<usize>>()
        };
        let tries = [(&whole[..], has_word as fn(&str, &str) -> bool), (&words, has_word), (&words, has_part)];
        let found = tries.into_iter().map(|(wanted, has)| those_with(wanted, has));
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }
}

/// A text as it is looked for: in small letters, and with the minus sign that keyboards have.
fn folded(text: &str) -> String {
    text.to_lowercase().replace('\u{2212}', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_by_words_in_any_order_and_in_either_form() {
        let options = Options {
            worded: vec!["lot 1, for 10".to_owned(), "lot 2, for 10".to_owned()],
            written: vec!["lot=1 price=10".to_owned(), "lot=2 price=10".to_owned()],
        };
        assert_eq!(options.with("FOR lot=2"), [1]);
        assert_eq!(options.with("10"), [0, 1]);
        assert_eq!((options.named("Lot 2, for 10"), options.named("2")), (Some(1), Some(1)));
        assert!(options.with("price=11").is_empty());
    }

    #[test]
    fn a_part_that_stands_together_goes_before_its_words_elsewhere() {
        let worded = ["Red Door, block 0,-3, turned 0", "Red Door, block 0,-3, turned 1"].map(str::to_owned).to_vec();
        let written = ["to=0,-3 turned=0", "to=0,-3 turned=1"].map(str::to_owned).to_vec();
        let options = Options { worded, written };
        assert_eq!((options.with("turned 0"), options.with("block 0,-3,  turned 1")), (vec![0], vec![1]));
        assert_eq!(options.with("door 0"), [0, 1]);
    }

    #[test]
    fn a_minus_is_found_by_whatever_sign_it_is_typed_with() {
        let worded = ["income \u{2212}3", "block -4,-3", "income 3"].map(str::to_owned).to_vec();
        let written = ["income=-3", "block=-4,-3", "income=3"].map(str::to_owned).to_vec();
        let options = Options { worded, written };
        for minus in ["-", "\u{2212}"] {
            assert_eq!(options.with(&format!("income {minus}3")), [0]);
            assert_eq!(options.with(&format!("block {minus}4,{minus}3")), [1]);
            assert_eq!(options.named(&format!("Income {minus}3")), Some(0));
        }
        let steps = Options {
            worded: vec!["\u{2212}1".to_owned(), "2".to_owned()],
            written: vec!["-1".to_owned(), "2".to_owned()],
        };
        assert_eq!((steps.named("-1"), steps.named("\u{2212}1"), steps.with("-1")), (Some(0), Some(0), vec![0]));
    }

    #[test]
    fn options_that_are_numbers_are_typed_as_they_read() {
        let numbers = |texts: [&str; 3]| Options {
            worded: texts.map(str::to_owned).to_vec(),
            written: texts.map(str::to_owned).to_vec(),
        };
        let steps = numbers(["0", "1", "pass"]);
        assert_eq!((steps.named("1"), steps.named("3"), steps.head(1, 1).as_str()), (Some(1), None, ""));
        assert_eq!(steps.with("pass"), [2]);
        let alike = numbers(["5", "5", "pass"]);
        assert_eq!((alike.named("1"), alike.head(1, 1).as_str()), (Some(0), "2  "));
    }

    #[test]
    fn options_with_the_word_itself_hide_those_in_which_it_is_a_part() {
        let written = ["board[-1,-2]", "board[1,-2]", "board[1,-20]", "board[11,3]"].map(str::to_owned).to_vec();
        let options = Options { worded: vec!["Ann的兵".to_owned(); 4], written };
        assert_eq!(options.with("1,-2"), [1]);
        assert_eq!(options.with("1"), [1, 2]);
        assert_eq!(options.with("board 3"), [3]);
        assert_eq!(options.with("boa"), [0, 1, 2, 3]);
        assert!(options.with("board 4").is_empty() && options.with("-2 0").is_empty());
        assert_eq!(options.with("兵"), [0, 1, 2, 3]);
    }
}

//! Lets a player choose an option part by part, if there are too many options for one list.

use crate::model::Language;
use crate::session::{MAX_CONSIDERED, Observation};

/// Maximum number of options that are shown as one list.
const MAX_LISTED: usize = 12;

/// The parts of all options of a decision, such as `pay=3`.
pub(crate) struct Parts {
    /// Parts of each option.
    options: Vec<Vec<WordedPart>>,
}

/// A part of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WordedPart {
    /// Text in the reader's language.
    pub(crate) worded: String,
    /// Text in the short form of playscripts.
    written: String,
}

/// An entry of the next list to choose from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NextPart {
    /// A complete option, identified by its position.
    Option(usize),
    /// A part that several options share, with the positions of these options.
    Part(WordedPart, Vec<usize>),
}

impl Parts {
    /// Returns the parts of the options of a decision. Returns `None` if the options are better shown as a single list.
    pub(crate) fn from_observation(observation: &Observation<'_>, language: Language) -> Option<Self> {
        let decision = observation.decision();
        let count = decision.count();
        if count <= MAX_LISTED || count > MAX_CONSIDERED || !decision.among.is_empty() {
            return None;
        }
        let part = |(worded, written)| WordedPart { worded, written };
        let offer = observation.offer(language);
        let parts = |at| offer.parts(&decision.option(at)).into_iter().map(part).collect::<Vec<WordedPart>>();
        let all = Self { options: (0..count).map(parts).collect() };
        let is_asked = all.next(&all.all()).iter().any(|next| matches!(next, NextPart::Part(..)));
        is_asked.then_some(all)
    }

    /// Returns the positions of all options.
    pub(crate) fn all(&self) -> Vec<usize> {
        (0..self.options.len()).collect()
    }

    /// Returns the parts that all options at `left` share. Ignores options without parts, such as a pass.
    pub(crate) fn common(&self, left: &[usize]) -> Vec<&WordedPart> {
        let mut options = left.iter().map(|at| &self.options[*at]).filter(|parts| !parts.is_empty());
        let first = options.next().into_iter().flatten();
        let others: Vec<_> = options.collect();
        first.filter(|part| others.iter().all(|parts| parts.contains(part))).collect()
    }

    /// Returns the next list for the options at `left`. Up to [`MAX_LISTED`] options are listed individually. More options are grouped by
    /// the first part of each option that is not common to all of them.
    pub(crate) fn next(&self, left: &[usize]) -> Vec<NextPart> {
        let ungrouped = || left.iter().map(|at| NextPart::Option(*at)).collect();
        if left.len() <= MAX_LISTED {
            return ungrouped();
        }
        let common = self.common(left);
        let mut groups: Vec<(Option<&WordedPart>, Vec<usize>)> = Vec::new();
        for at in left {
            let part = self.options[*at].iter().find(|part| !common.contains(part));
            match groups.iter_mut().find(|(known, _)| known.is_some() && *known == part) {
                Some((_, among)) => among.push(*at),
                None => groups.push((part, vec![*at])),
            }
        }
        let next = |(part, among): (Option<&WordedPart>, Vec<usize>)| match (part, &among[..]) {
            (Some(part), [_, _, ..]) => NextPart::Part(part.clone(), among),
            _ => NextPart::Option(among[0]),
        };
        groups.into_iter().map(next).collect()
    }
}

/// State of a player who narrows down the options part by part.
pub(crate) struct Narrowing {
    parts: Parts,
    /// Choices made so far, each with the positions of the options that remained after it.
    steps: Vec<(String, Vec<usize>)>,
}

impl Narrowing {
    /// Starts narrowing down the options of a decision. Returns `None` if the options are better shown as a single list.
    pub(crate) fn start(observation: &Observation<'_>, language: Language) -> Option<Self> {
        Some(Self { parts: Parts::from_observation(observation, language)?, steps: Vec::new() })
    }

    /// Returns the positions of the remaining options.
    pub(crate) fn left(&self) -> Vec<usize> {
        self.steps.last().map_or_else(|| self.parts.all(), |(_, left)| left.clone())
    }

    /// Returns the next list to choose from.
    pub(crate) fn next(&self) -> Vec<NextPart> {
        self.parts.next(&self.left())
    }

    /// Returns the choices made so far, as they were displayed.
    pub(crate) fn said(&self) -> Vec<&str> {
        self.steps.iter().map(|(said, _)| &**said).collect()
    }

    /// Returns the parts that all remaining options share, except those that the player chose.
    pub(crate) fn common_parts(&self) -> Vec<&str> {
        let common = self.parts.common(&self.left()).into_iter().map(|part| &*part.worded);
        common.filter(|part| !self.steps.iter().any(|(said, _)| said == part)).collect()
    }

    /// Adds the choice `said`, after which the options at the positions `left` remain.
    pub(crate) fn narrow(&mut self, said: String, left: Vec<usize>) {
        self.steps.push((said, left));
    }

    /// Takes back the last choice. Returns false if there was none.
    pub(crate) fn back(&mut self) -> bool {
        self.steps.pop().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{NextPart, Parts};

    /// Creates the parts of options that are written as in playscripts, such as `pay=3`. The wording has a space instead of `=`.
    fn parts(written: &[String]) -> Parts {
        let part = |written: &str| super::WordedPart { worded: written.replace('=', " "), written: written.to_owned() };
        Parts { options: written.iter().map(|option| option.split_whitespace().map(part).collect()).collect() }
    }

    /// Formats the next list: parts with their number of options, and the numbers of single options.
    fn next_list(parts: &Parts, left: &[usize]) -> Vec<String> {
        let label = |next: &NextPart| match next {
            NextPart::Option(at) => (at + 1).to_string(),
            NextPart::Part(part, among) => format!("{} ({})", part.worded, among.len()),
        };
        parts.next(left).iter().map(label).collect()
    }

    #[test]
    fn options_are_grouped_by_the_first_distinguishing_part() {
        let option = |card: &str, pay: usize| format!("act=buy card={card} pay={pay}");
        let mut written: Vec<String> = (1..15).flat_map(|pay| ["oil", "ore"].map(|card| option(card, pay))).collect();
        written.push("act=buy card=tin pay=1".to_owned());
        written.push(String::new());
        let parts = parts(&written);
        let all = parts.all();
        assert_eq!(next_list(&parts, &all), ["card oil (14)", "card ore (14)", "29", "30"], "all buy who do not pass");
        let Some(NextPart::Part(_, oil)) = parts.next(&all).into_iter().next() else { panic!() };
        assert_eq!(next_list(&parts, &oil).len(), 14, "the payments tell them apart");
        assert_eq!(parts.common(&oil).iter().map(|part| &*part.worded).collect::<Vec<_>>(), ["act buy", "card oil"]);
    }

    #[test]
    fn few_options_are_shown_as_one_list() {
        let written: Vec<String> = (0..12).map(|at| format!("card={} pay={at}", at % 2)).collect();
        let parts = parts(&written);
        assert_eq!(next_list(&parts, &parts.all()).len(), 12);
    }
}

//! Asking for an option part by part, where there are more than can be taken in at a glance.

use crate::model::Language;
use crate::session::{MOST_CONSIDERED, Observation};

/// So many options are put as they are.
const AT_A_GLANCE: usize = 12;

/// The parts of all options of a decision.
pub(crate) struct Parts {
    of: Vec<Vec<WordedPart>>,
}

/// A part of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WordedPart {
    /// As people read it.
    pub(crate) worded: String,
    /// In the short form of plays.
    written: String,
}

/// What is asked next of some options.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// An option as a whole.
    Whole(usize),
    /// A part that several of them have, and which these are.
    Part(WordedPart, Vec<usize>),
}

impl Parts {
    /// The parts of the options of a decision, where it is asked by these.
    pub(crate) fn of(observation: &Observation<'_>, language: Language) -> Option<Self> {
        let decision = observation.decision();
        let count = decision.count();
        if count <= AT_A_GLANCE || count > MOST_CONSIDERED || !decision.among.is_empty() {
            return None;
        }
        let part = |(worded, written)| WordedPart { worded, written };
        let offer = observation.offer(language);
        let parts = |at| offer.parts(&decision.option(at)).into_iter().map(part).collect::<Vec<WordedPart>>();
        let all = Self { of: (0..count).map(parts).collect() };
        let is_asked = all.next(&all.all()).iter().any(|next| matches!(next, Next::Part(..)));
        is_asked.then_some(all)
    }

    /// All options.
    pub(crate) fn all(&self) -> Vec<usize> {
        (0..self.of.len()).collect()
    }

    /// The parts that all of some options have, but for those that have none.
    pub(crate) fn common(&self, left: &[usize]) -> Vec<&WordedPart> {
        let mut of = left.iter().map(|at| &self.of[*at]).filter(|parts| !parts.is_empty());
        let first = of.next().into_iter().flatten();
        let others: Vec<_> = of.collect();
        first.filter(|part| others.iter().all(|parts| parts.contains(part))).collect()
    }

    /// What is asked next of some options: of each the first part that not all of them have, those that have it together; or all as
    /// they are, where they can be taken in at a glance.
    pub(crate) fn next(&self, left: &[usize]) -> Vec<Next> {
        let whole = || left.iter().map(|at| Next::Whole(*at)).collect();
        if left.len() <= AT_A_GLANCE {
            return whole();
        }
        let common = self.common(left);
        let mut groups: Vec<(Option<&WordedPart>, Vec<usize>)> = Vec::new();
        for at in left {
            let part = self.of[*at].iter().find(|part| !common.contains(part));
            match groups.iter_mut().find(|(known, _)| known.is_some() && *known == part) {
                Some((_, among)) => among.push(*at),
                None => groups.push((part, vec![*at])),
            }
        }
        let next = |(part, among): (Option<&WordedPart>, Vec<usize>)| match (part, &among[..]) {
            (Some(part), [_, _, ..]) => Next::Part(part.clone(), among),
            _ => Next::Whole(among[0]),
        };
        groups.into_iter().map(next).collect()
    }
}

/// How far a player has come who is asked part by part.
pub(crate) struct Narrowing {
    parts: Parts,
    /// What was said, and the options that it has left.
    steps: Vec<(String, Vec<usize>)>,
}

impl Narrowing {
    /// For a decision that is asked part by part.
    pub(crate) fn of(observation: &Observation<'_>, language: Language) -> Option<Self> {
        Some(Self { parts: Parts::of(observation, language)?, steps: Vec::new() })
    }

    /// The options that are left.
    pub(crate) fn left(&self) -> Vec<usize> {
        self.steps.last().map_or_else(|| self.parts.all(), |(_, left)| left.clone())
    }

    /// What is asked next.
    pub(crate) fn next(&self) -> Vec<Next> {
        self.parts.next(&self.left())
    }

    /// What was said so far.
    pub(crate) fn said(&self) -> Vec<&str> {
        self.steps.iter().map(|(said, _)| &**said).collect()
    }

    /// What all that is left has in common though nobody said so.
    pub(crate) fn forced(&self) -> Vec<&str> {
        let common = self.parts.common(&self.left()).into_iter().map(|part| &*part.worded);
        common.filter(|part| !self.steps.iter().any(|(said, _)| said == part)).collect()
    }

    /// Leaves some of the options alone.
    pub(crate) fn narrow(&mut self, said: String, left: Vec<usize>) {
        self.steps.push((said, left));
    }

    /// Goes back to the part before; says whether there was one.
    pub(crate) fn back(&mut self) -> bool {
        self.steps.pop().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{Next, Parts};

    /// Options of parts that are written as plays have them; each is read with a blank for the sign.
    fn parts(written: &[String]) -> Parts {
        let part = |written: &str| super::WordedPart { worded: written.replace('=', " "), written: written.to_owned() };
        Parts { of: written.iter().map(|option| option.split_whitespace().map(part).collect()).collect() }
    }

    /// What is asked next, in words: a part with how many options it has, or an option by its number.
    fn asked(parts: &Parts, left: &[usize]) -> Vec<String> {
        let label = |next: &Next| match next {
            Next::Whole(at) => (at + 1).to_string(),
            Next::Part(part, among) => format!("{} ({})", part.worded, among.len()),
        };
        parts.next(left).iter().map(label).collect()
    }

    #[test]
    fn the_first_part_that_tells_options_apart_is_asked_for() {
        let option = |card: &str, pay: usize| format!("act=buy card={card} pay={pay}");
        let mut written: Vec<String> = (1..15).flat_map(|pay| ["oil", "ore"].map(|card| option(card, pay))).collect();
        written.push("act=buy card=tin pay=1".to_owned());
        written.push(String::new());
        let parts = parts(&written);
        let all = parts.all();
        assert_eq!(asked(&parts, &all), ["card oil (14)", "card ore (14)", "29", "30"], "all buy who do not pass");
        let Some(Next::Part(_, oil)) = parts.next(&all).into_iter().next() else { panic!() };
        assert_eq!(asked(&parts, &oil).len(), 14, "the payments tell them apart");
        assert_eq!(parts.common(&oil).iter().map(|part| &*part.worded).collect::<Vec<_>>(), ["act buy", "card oil"]);
    }

    #[test]
    fn what_is_taken_in_at_a_glance_is_put_as_it_is() {
        let written: Vec<String> = (0..12).map(|at| format!("card={} pay={at}", at % 2)).collect();
        let parts = parts(&written);
        assert_eq!(asked(&parts, &parts.all()).len(), 12);
    }
}

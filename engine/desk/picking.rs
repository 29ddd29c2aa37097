//! Picking several things whose order does not count: a person picks in any, and the rules get them in theirs.

use super::options::Options;
use crate::model::Language;
use crate::phrases::{self, Phrases, filled};
use crate::session::{Choice, Decision, Observation, Pass, Session};

/// What may be picked, alike things together, and what is.
pub(crate) struct Picking {
    kinds: Vec<Kind>,
    /// The kinds that are picked, one after the other.
    picked: Vec<usize>,
    /// So many of them were picked before anybody was asked, because there was no other.
    forced: usize,
    least: usize,
    most: usize,
}

/// Things that are written alike.
struct Kind {
    worded: String,
    written: String,
    /// Where they stand in the order of the rules.
    places: Vec<usize>,
}

/// How many are to be picked.
pub(crate) fn amount(prompt: &phrases::Prompt, least: usize, most: usize) -> String {
    if least == most { most.to_string() } else { filled(prompt.amount, &[("least", &least), ("most", &most)]) }
}

impl Picking {
    /// For a decision that lets several be picked in any order.
    pub(crate) fn of(observation: &Observation<'_>, language: Language) -> Option<Self> {
        let decision = observation.decision();
        let (least, most) = decision.picks.filter(|_| !decision.among.is_empty())?;
        let mut kinds: Vec<Kind> = Vec::new();
        let (in_plays, in_words) = (observation.offer(Language::English), observation.offer(language));
        for (place, choice) in decision.among.iter().enumerate() {
            // No two options read alike: what does is the same to the seat.
            let worded = in_words.worded(choice);
            match kinds.iter_mut().find(|kind| kind.worded == worded) {
                Some(kind) => kind.places.push(place),
                None => kinds.push(Kind { worded, written: in_plays.written(choice), places: vec![place] }),
            }
        }
        let kind_of = |choice: &Choice| {
            let worded = in_words.worded(choice);
            kinds.iter().position(|kind| kind.worded == worded)
        };
        let picked: Vec<usize> = decision.picked.iter().filter_map(kind_of).collect();
        Some(Self { forced: picked.len(), kinds, picked, least: least as usize, most: most as usize })
    }

    /// How many of a kind are picked.
    fn count(&self, kind: usize) -> usize {
        self.picked.iter().filter(|picked| **picked == kind).count()
    }

    /// The kinds of which there are more than are picked.
    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.kinds.len()).filter(|kind| self.count(*kind) < self.kinds[*kind].places.len())
    }

    /// What may be picked next, and the word that ends it where there are enough.
    pub(crate) fn options(&self, done: &str) -> Options {
        let worded = |kind: usize| {
            let Kind { worded, places, .. } = &self.kinds[kind];
            match places.len() - self.count(kind) {
                1 => worded.clone(),
                left => format!("{worded} × {left}"),
            }
        };
        let is_enough = self.missing() == 0;
        let names = self.open().map(worded).chain(is_enough.then(|| done.to_owned()));
        let written = self.open().map(|kind| self.kinds[kind].written.clone());
        let written = written.chain(is_enough.then(|| Pass::Done.word().to_owned()));
        Options::listed(names.collect(), written.collect())
    }

    /// How many more have to be picked.
    pub(crate) fn missing(&self) -> usize {
        self.least.saturating_sub(self.picked.len())
    }

    /// Picks the option at a position; says whether that was the last.
    pub(crate) fn pick(&mut self, at: usize) -> bool {
        let Some(kind) = self.open().nth(at) else { return true };
        self.picked.push(kind);
        self.picked.len() >= self.most
    }

    /// Takes the last pick back; says whether there was one.
    pub(crate) fn take_back(&mut self) -> bool {
        self.picked.len() > self.forced && self.picked.pop().is_some()
    }

    /// What is picked, one after the other.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.picked.iter().map(|kind| &*self.kinds[*kind].worded).collect()
    }

    /// The least and the most that are to be picked.
    #[cfg(feature = "web")]
    pub(crate) const fn bounds(&self) -> (usize, usize) {
        (self.least, self.most)
    }

    /// Whether there is a pick to take back.
    #[cfg(feature = "web")]
    pub(crate) fn may_take_back(&self) -> bool {
        self.picked.len() > self.forced
    }

    /// Picks what another has picked of the same decision, which may be put in another language.
    #[cfg(feature = "web")]
    pub(crate) fn follow(&mut self, other: &Self) {
        self.picked.clone_from(&other.picked);
    }

    /// How many are to be picked, and what is already.
    pub(crate) fn so_far(&self, language: Language) -> String {
        let Phrases { prompt, log, .. } = Phrases::of(language);
        let amount = amount(prompt, self.least, self.most);
        let names = self.names();
        let phrase = if names.is_empty() { prompt.pick } else { prompt.pick_more_than };
        filled(phrase, &[("amount", &amount), ("count", &names.len()), ("names", &names.join(log.comma))])
    }

    /// Where the things picked stand in the order of the rules: of alike ones the first.
    fn in_order(&self) -> Vec<usize> {
        let mut taken = vec![0; self.kinds.len()];
        let place = |kind: &usize| {
            taken[*kind] += 1;
            self.kinds[*kind].places[taken[*kind] - 1]
        };
        let mut places: Vec<usize> = self.picked.iter().map(place).collect();
        places.sort_unstable();
        places
    }

    /// The game after what was picked, given in the order of the rules; nothing where they do not take it.
    pub(crate) fn given(&self, session: &Session) -> Option<Session> {
        let mut after = session.fork();
        let first = after.decision()?.clone();
        let is_open = |open: &Decision, picked: usize| {
            (open.seat, open.id, open.picks) == (first.seat, first.id, first.picks) && open.picked.len() == picked
        };
        for (picked, place) in self.in_order().into_iter().enumerate().skip(self.forced) {
            // What is the only one left is picked without being asked.
            let Some(observation) = after.observation().filter(|observation| is_open(observation.decision(), picked))
            else {
                continue;
            };
            let choice = &first.among[place];
            let written = observation.written_one(choice);
            let same = || observation.written().some().iter().position(|option| *option == written);
            let at = observation.decision().position(choice).or_else(same)?;
            after.choose(at).ok()?;
        }
        let is_short = self.picked.len() < self.most;
        let is_last = |open: &&Decision| is_open(open, self.picked.len()) && open.pass == Some(Pass::Done);
        if let Some(open) = after.decision().filter(|_| is_short).filter(is_last) {
            let done = open.count() - 1;
            after.choose(done).ok()?;
        }
        Some(after)
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Picking};

    fn picking(written: &[&str], least: usize, most: usize) -> Picking {
        let mut kinds: Vec<Kind> = Vec::new();
        for (place, text) in written.iter().enumerate() {
            match kinds.iter_mut().find(|kind| kind.written == *text) {
                Some(kind) => kind.places.push(place),
                None => {
                    kinds.push(Kind { worded: (*text).to_owned(), written: (*text).to_owned(), places: vec![place] });
                }
            }
        }
        Picking { kinds, picked: Vec::new(), forced: 0, least, most }
    }

    #[test]
    fn alike_things_are_shown_once_and_told_in_the_order_of_the_rules() {
        let mut picking = picking(&["ace", "king", "ace"], 1, 3);
        let worded = |picking: &Picking| picking.options("done").worded.some().into_owned();
        assert_eq!(worded(&picking), ["ace × 2", "king"]);
        assert!(!picking.pick(1) && !picking.pick(0));
        assert_eq!(picking.in_order(), [0, 1]);
        assert_eq!(worded(&picking), ["ace", "done"]);
        assert!(picking.pick(0), "that was the third");
        assert_eq!(picking.in_order(), [0, 1, 2]);
        assert!(picking.take_back() && picking.take_back() && picking.take_back() && !picking.take_back());
    }
}

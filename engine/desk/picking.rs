//! Unordered selection of several items. The user picks in any order, and the rules receive the picks in list order.

use super::options::Options;
use crate::model::Language;
use crate::phrases::{self, Phrases, filled};
use crate::session::{Choice, ChooseError, Decision, Observation, Pass, Session};

/// State of a user who picks several items. Equal items are grouped.
pub(crate) struct Picking {
    kinds: Vec<Group>,
    /// Indices of the groups picked from, in order of picking.
    picked: Vec<usize>,
    /// Number of picks that were made automatically before the person was asked.
    forced: usize,
    /// Minimum number of picks.
    least: usize,
    /// Maximum number of picks.
    most: usize,
}

/// A group of items with the same text.
struct Group {
    worded: String,
    written: String,
    /// Indices of the items in the decision's list.
    places: Vec<usize>,
}

/// Formats the required number of picks: a number, or a range.
pub(crate) fn amount(prompt: &phrases::Prompt, least: usize, most: usize) -> String {
    if least == most { most.to_string() } else { filled(prompt.amount, &[("least", &least), ("most", &most)]) }
}

impl Picking {
    /// Starts picking. Returns `None` if the decision is not an unordered selection.
    pub(crate) fn start(observation: &Observation<'_>, language: Language) -> Option<Self> {
        let decision = observation.decision();
        let (least, most) = decision.picks.filter(|_| !decision.among.is_empty())?;
        let mut kinds: Vec<Group> = Vec::new();
        let (in_plays, in_words) = (observation.offer(Language::English), observation.offer(language));
        for (place, choice) in decision.among.iter().enumerate() {
            // Options that differ for the seat always have different texts, so items with the same text are equal for the seat.
            let worded = in_words.worded(choice);
            match kinds.iter_mut().find(|kind| kind.worded == worded) {
                Some(kind) => kind.places.push(place),
                None => kinds.push(Group { worded, written: in_plays.written(choice), places: vec![place] }),
            }
        }
        let kind_of = |choice: &Choice| {
            let worded = in_words.worded(choice);
            kinds.iter().position(|kind| kind.worded == worded)
        };
        let picked: Vec<usize> = decision.picked.iter().filter_map(kind_of).collect();
        Some(Self { forced: picked.len(), kinds, picked, least: least as usize, most: most as usize })
    }

    /// Returns the number of picks from a group.
    fn count(&self, kind: usize) -> usize {
        self.picked.iter().filter(|picked| **picked == kind).count()
    }

    /// Iterates over the indices of the groups that still have items to pick.
    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.kinds.len()).filter(|kind| self.count(*kind) < self.kinds[*kind].places.len())
    }

    /// Returns the current options. Includes `done` once enough items have been picked.
    pub(crate) fn options(&self, done: &str) -> Options {
        let worded = |kind: usize| {
            let Group { worded, places, .. } = &self.kinds[kind];
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

    /// Returns the number of picks that are still required.
    pub(crate) fn missing(&self) -> usize {
        self.least.saturating_sub(self.picked.len())
    }

    /// Picks the option at a position. Returns whether picking has ended: the option was `done`, or the maximum is reached.
    pub(crate) fn pick(&mut self, at: usize) -> bool {
        let Some(kind) = self.open().nth(at) else { return true };
        self.picked.push(kind);
        self.picked.len() >= self.most
    }

    /// Takes back the person's last pick. Returns false if there was none.
    pub(crate) fn take_back(&mut self) -> bool {
        self.picked.len() > self.forced && self.picked.pop().is_some()
    }

    /// Returns the names of the picked items, in order of picking.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.picked.iter().map(|kind| &*self.kinds[*kind].worded).collect()
    }

    /// Returns the minimum and maximum number of picks.
    #[cfg(feature = "page")]
    pub(crate) const fn bounds(&self) -> (usize, usize) {
        (self.least, self.most)
    }

    /// Returns whether the person has made a pick that can be taken back.
    #[cfg(feature = "page")]
    pub(crate) fn can_take_back(&self) -> bool {
        self.picked.len() > self.forced
    }

    /// Copies the picks from another state of the same decision. The other state may be in a different language.
    #[cfg(feature = "page")]
    pub(crate) fn copy_picks(&mut self, other: &Self) {
        self.picked.clone_from(&other.picked);
    }

    /// Returns a prompt that states how many items to pick, and which have been picked so far.
    pub(crate) fn progress_text(&self, language: Language) -> String {
        let Phrases { prompt, log, .. } = Phrases::for_language(language);
        let amount = amount(prompt, self.least, self.most);
        let names = self.names();
        let phrase = if names.is_empty() { prompt.pick } else { prompt.pick_more_than };
        filled(phrase, &[("amount", &amount), ("count", &names.len()), ("names", &names.join(log.comma))])
    }

    /// Returns the indices of the picks in the decision's list, in ascending order. Among equal items, the first ones are used.
    fn sorted_positions(&self) -> Vec<usize> {
        let mut taken = vec![0; self.kinds.len()];
        let place = |kind: &usize| {
            taken[*kind] += 1;
            self.kinds[*kind].places[taken[*kind] - 1]
        };
        let mut places: Vec<usize> = self.picked.iter().map(place).collect();
        places.sort_unstable();
        places
    }

    /// Answers a decision with the picks, in list order. Calls `choose` with the position of each option. Returns whether all answers were
    /// accepted.
    pub(crate) fn play(
        &self,
        session: &mut Session,
        mut choose: impl FnMut(&mut Session, usize) -> Result<(), ChooseError>,
    ) -> bool {
        self.try_play(session, &mut choose).is_some()
    }

    fn try_play(
        &self,
        session: &mut Session,
        choose: &mut dyn FnMut(&mut Session, usize) -> Result<(), ChooseError>,
    ) -> Option<()> {
        let first = session.decision()?.clone();
        let is_open = |open: &Decision, picked: usize| {
            (open.seat, open.id, open.picks) == (first.seat, first.id, first.picks) && open.picked.len() == picked
        };
        for (picked, place) in self.sorted_positions().into_iter().enumerate().skip(self.forced) {
            // If only one item is left, the session picks it without asking.
            let Some(observation) = session.observation().filter(|observation| is_open(observation.decision(), picked))
            else {
                continue;
            };
            let choice = &first.among[place];
            let written = observation.written_one(choice);
            let same = || observation.written().some().iter().position(|option| *option == written);
            let at = observation.decision().position(choice).or_else(same)?;
            choose(session, at).ok()?;
        }
        let is_short = self.picked.len() < self.most;
        let is_last = |open: &&Decision| is_open(open, self.picked.len()) && open.pass == Some(Pass::Done);
        if let Some(open) = session.decision().filter(|_| is_short).filter(is_last) {
            let done = open.count() - 1;
            choose(session, done).ok()?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Group, Picking};

    fn picking(written: &[&str], least: usize, most: usize) -> Picking {
        let mut kinds: Vec<Group> = Vec::new();
        for (place, text) in written.iter().enumerate() {
            match kinds.iter_mut().find(|kind| kind.written == *text) {
                Some(kind) => kind.places.push(place),
                None => {
                    kinds.push(Group { worded: (*text).to_owned(), written: (*text).to_owned(), places: vec![place] });
                }
            }
        }
        Picking { kinds, picked: Vec::new(), forced: 0, least, most }
    }

    #[test]
    fn equal_things_are_grouped_and_positions_are_sorted() {
        let mut picking = picking(&["ace", "king", "ace"], 1, 3);
        let worded = |picking: &Picking| picking.options("done").worded.some().into_owned();
        assert_eq!(worded(&picking), ["ace × 2", "king"]);
        assert!(!picking.pick(1) && !picking.pick(0));
        assert_eq!(picking.sorted_positions(), [0, 1]);
        assert_eq!(worded(&picking), ["ace", "done"]);
        assert!(picking.pick(0), "that was the third");
        assert_eq!(picking.sorted_positions(), [0, 1, 2]);
        assert!(picking.take_back() && picking.take_back() && picking.take_back() && !picking.take_back());
    }
}

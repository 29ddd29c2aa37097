//! What has been triggered in a step and is still to be carried out.

use crate::decision::Value;
use crate::model::PieceId;
use arcstr::ArcStr;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// A function of the rules that a piece names for an event which has come about.
#[derive(Debug, Clone)]
pub(crate) struct Triggered {
    /// The field that names it.
    pub event: ArcStr,
    /// The piece.
    pub piece: PieceId,
    /// The function.
    pub function: ArcStr,
    /// What it is given, the piece first.
    pub arguments: SmallVec<[Value; 3]>,
}

/// What has been triggered in a step and is still to be carried out.
#[derive(Debug, Clone, Default)]
pub struct Triggers {
    waiting: VecDeque<Triggered>,
    /// What was carried out last in this step.
    carried_out: VecDeque<CarriedOut>,
    /// How much may be done in the step from here on, after a function that is over.
    pub(crate) left: u64,
}

/// Something that was triggered, and carried out: the event, the piece, and the function, of which a piece may name several.
pub(crate) type CarriedOut = (ArcStr, PieceId, ArcStr);

/// So much of what was carried out is kept, to say what goes round.
const REMEMBERED: usize = 64;

impl Triggers {
    /// A step begins: nothing is left of the one before.
    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
        self.carried_out.clear();
    }

    /// Adds what an event has triggered, in order: behind all that waits, or before it.
    pub(crate) fn add(&mut self, all: Vec<Triggered>, is_last_in: bool) {
        if is_last_in {
            all.into_iter().rev().for_each(|one| self.waiting.push_front(one));
        } else {
            self.waiting.extend(all);
        }
    }

    /// How many wait.
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// What is carried out next.
    pub(crate) fn next(&mut self) -> Option<Triggered> {
        let next = self.waiting.pop_front()?;
        if self.carried_out.len() == REMEMBERED {
            self.carried_out.pop_front();
        }
        self.carried_out.push_back((next.event.clone(), next.piece, next.function.clone()));
        Some(next)
    }

    /// What goes round, if what was carried out last has been before: from there on, in order.
    pub(crate) fn circle(&self) -> Option<Vec<CarriedOut>> {
        let last = self.carried_out.back()?;
        let before = self.carried_out.iter().rev().skip(1).position(|one| one == last)?;
        let from = self.carried_out.len() - 1 - before;
        Some(self.carried_out.range(from..).cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str) -> Triggered {
        Triggered { event: name.into(), piece: PieceId(0), function: name.into(), arguments: SmallVec::new() }
    }

    fn order(triggers: &mut Triggers) -> Vec<String> {
        std::iter::from_fn(|| triggers.next()).map(|next| next.event.to_string()).collect()
    }

    #[test]
    fn what_comes_later_waits_behind_or_goes_before() {
        for (is_last_in, expected) in [(false, ["a", "b", "c", "d"]), (true, ["c", "d", "a", "b"])] {
            let mut triggers = Triggers::default();
            triggers.add(vec![one("a"), one("b")], is_last_in);
            triggers.add(vec![one("c"), one("d")], is_last_in);
            assert_eq!(order(&mut triggers), expected);
        }
    }

    #[test]
    fn what_goes_round_is_found() {
        let mut triggers = Triggers::default();
        triggers.add(["a", "b", "c", "b", "c"].map(one).to_vec(), false);
        order(&mut triggers);
        let circle: Vec<String> = triggers.circle().unwrap().iter().map(|(event, ..)| event.to_string()).collect();
        assert_eq!(circle, ["b", "c"]);
        triggers.clear();
        assert_eq!(triggers.circle(), None);
    }
}

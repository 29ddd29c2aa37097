//! What has been triggered in a step and is still to be carried out.

use crate::decision::Value;
use crate::model::{PieceId, Seat, TriggerOrder};
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
    /// The seat for which it has come about.
    pub seat: Seat,
    /// The function.
    pub function: ArcStr,
    /// What it is given, the piece first.
    pub arguments: SmallVec<[Value; 3]>,
}

/// What has been triggered in a step and is still to be carried out.
#[derive(Debug, Clone, Default)]
pub struct Triggers {
    waiting: VecDeque<Triggered>,
    /// Whether a seat chooses what is carried out next.
    is_choosing: bool,
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
        self.is_choosing = false;
        self.carried_out.clear();
    }

    /// Adds what an event has triggered, in order: behind all that waits, or before it.
    pub(crate) fn add(&mut self, all: Vec<Triggered>, order: TriggerOrder) {
        if order == TriggerOrder::LastIn {
            all.into_iter().rev().for_each(|one| self.waiting.push_front(one));
        } else {
            self.waiting.extend(all);
        }
    }

    /// How many wait.
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Brings what waits for the seat that comes first to the front, in its order; seats are given in turn order.
    pub(crate) fn by_turn(&mut self, seats: &[Seat]) {
        let place = |one: &Triggered| seats.iter().position(|seat| *seat == one.seat);
        self.waiting.make_contiguous().sort_by_key(place);
    }

    /// The pieces that wait in front for one seat, each once, if there are several: that seat may choose. Where what was triggered last comes first, only
    /// those that one event has triggered.
    pub(crate) fn choice(&self, order: TriggerOrder) -> Option<(Seat, Vec<PieceId>)> {
        let front = self.waiting.front()?;
        let run = self
            .waiting
            .iter()
            .take_while(|one| one.seat == front.seat && (order != TriggerOrder::LastIn || one.event == front.event));
        let mut pieces: Vec<PieceId> = Vec::new();
        for one in run {
            if !pieces.contains(&one.piece) {
                pieces.push(one.piece);
            }
        }
        (pieces.len() > 1).then_some((front.seat, pieces))
    }

    /// From here on a seat chooses, or has chosen, what is carried out next.
    pub(crate) fn set_choosing(&mut self, is_so: bool) {
        self.is_choosing = is_so;
    }

    /// Whether a seat chooses what is carried out next.
    pub(crate) fn is_choosing(&self) -> bool {
        self.is_choosing
    }

    /// Brings what a piece has triggered first to the front.
    pub(crate) fn bring_forward(&mut self, piece: PieceId) {
        if let Some(one) = self.waiting.iter().position(|one| one.piece == piece).and_then(|at| self.waiting.remove(at))
        {
            self.waiting.push_front(one);
        }
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
        Triggered {
            event: name.into(),
            piece: PieceId(0),
            seat: Seat(0),
            function: name.into(),
            arguments: SmallVec::new(),
        }
    }

    fn order(triggers: &mut Triggers) -> Vec<String> {
        std::iter::from_fn(|| triggers.next()).map(|next| next.event.to_string()).collect()
    }

    #[test]
    fn what_comes_later_waits_behind_or_goes_before() {
        for (order_of, expected) in
            [(TriggerOrder::FirstIn, ["a", "b", "c", "d"]), (TriggerOrder::LastIn, ["c", "d", "a", "b"])]
        {
            let mut triggers = Triggers::default();
            triggers.add(vec![one("a"), one("b")], order_of);
            triggers.add(vec![one("c"), one("d")], order_of);
            assert_eq!(order(&mut triggers), expected);
        }
    }

    #[test]
    fn what_goes_round_is_found() {
        let mut triggers = Triggers::default();
        triggers.add(["a", "b", "c", "b", "c"].map(one).to_vec(), TriggerOrder::FirstIn);
        order(&mut triggers);
        let circle: Vec<String> = triggers.circle().unwrap().iter().map(|(event, ..)| event.to_string()).collect();
        assert_eq!(circle, ["b", "c"]);
        triggers.clear();
        assert_eq!(triggers.circle(), None);
    }
}

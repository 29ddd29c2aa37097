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
    /// The position of what was being carried out when it came about, if anything was.
    pub by: Option<usize>,
    /// Which time of the step it was that something came about: all that one call has triggered has the same.
    pub time: u32,
}

/// The part of an answer that says which piece is next.
pub(crate) const PIECE: ArcStr = arcstr::literal!("piece");

/// The part of an answer that says which of its effects.
pub(crate) const EFFECT: ArcStr = arcstr::literal!("effect");

/// What has been triggered in a step and is still to be carried out.
#[derive(Debug, Clone, Default)]
pub struct Triggers {
    waiting: VecDeque<Triggered>,
    /// How often something has come about in this step.
    times: u32,
    /// Whether a seat chooses what is carried out next.
    is_choosing: bool,
    /// What was carried out first in this step, each with the position of what has triggered it.
    carried_out: Vec<(CarriedOut, Option<usize>)>,
    /// The position of what is being carried out, if it is among them.
    under_way: Option<usize>,
    /// How much may be done in the step from here on, after a function that is over.
    pub(crate) left: u64,
}

/// Something that was triggered, and carried out: the event, the piece, and the function, of which a piece may name several.
pub(crate) type CarriedOut = (ArcStr, PieceId, ArcStr);

/// So much of what was carried out is kept, to say what goes round.
const REMEMBERED: usize = 4096;

impl Triggers {
    /// A step begins: nothing is left of the one before.
    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
        self.times = 0;
        self.is_choosing = false;
        self.carried_out.clear();
        self.under_way = None;
    }

    /// Adds what an event has triggered, in order: behind all that waits, or before it.
    pub(crate) fn add(&mut self, mut all: Vec<Triggered>, order: TriggerOrder) {
        self.times += 1;
        for one in &mut all {
            (one.by, one.time) = (self.under_way, self.times);
        }
        if order == TriggerOrder::LastIn {
            all.into_iter().rev().for_each(|one| self.waiting.push_front(one));
        } else {
            self.waiting.extend(all);
        }
    }

    /// Drops what waits for a seat: it has been eliminated.
    pub(crate) fn drop_of(&mut self, seat: Seat) {
        self.waiting.retain(|one| one.seat != seat);
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

    /// What waits in front for one seat, each effect of a piece once, if there are several: that seat may choose. Where what was triggered
    /// last comes first, only what was triggered at one time.
    pub(crate) fn choice(&self, order: TriggerOrder) -> Option<(Seat, Vec<(PieceId, ArcStr)>)> {
        let front = self.waiting.front()?;
        let run = self
            .waiting
            .iter()
            .take_while(|one| one.seat == front.seat && (order != TriggerOrder::LastIn || one.time == front.time));
        let mut all: Vec<(PieceId, ArcStr)> = Vec::new();
        for one in run {
            if !all.iter().any(|(piece, effect)| *piece == one.piece && *effect == one.function) {
                all.push((one.piece, one.function.clone()));
            }
        }
        (all.len() > 1).then_some((front.seat, all))
    }

    /// From here on a seat chooses, or has chosen, what is carried out next.
    pub(crate) fn set_choosing(&mut self, is_so: bool) {
        self.is_choosing = is_so;
    }

    /// Whether a seat chooses what is carried out next.
    pub(crate) fn is_choosing(&self) -> bool {
        self.is_choosing
    }

    /// Brings an effect of a piece to the front.
    pub(crate) fn bring_forward(&mut self, piece: PieceId, effect: &str) {
        let is_it = |one: &Triggered| one.piece == piece && *one.function == *effect;
        if let Some(one) = self.waiting.iter().position(is_it).and_then(|at| self.waiting.remove(at)) {
            self.waiting.push_front(one);
        }
    }

    /// What is carried out next.
    pub(crate) fn next(&mut self) -> Option<Triggered> {
        let next = self.waiting.pop_front()?;
        self.under_way = (self.carried_out.len() < REMEMBERED).then_some(self.carried_out.len());
        if self.under_way.is_some() {
            self.carried_out.push(((next.event.clone(), next.piece, next.function.clone()), next.by));
        }
        Some(next)
    }

    /// What goes round, in order: something that has been triggered by itself, or by what it has triggered and so on.
    pub(crate) fn circle(&self) -> Option<Vec<CarriedOut>> {
        (0..self.carried_out.len()).rev().find_map(|last| self.circle_of(last))
    }

    /// What leads from what was carried out at a position back to the same, in order.
    fn circle_of(&self, last: usize) -> Option<Vec<CarriedOut>> {
        let (first, by) = &self.carried_out[last];
        let mut by = *by;
        let mut found = vec![first.clone()];
        loop {
            let (one, its) = &self.carried_out[by?];
            if one == first {
                found.reverse();
                return Some(found);
            }
            found.push(one.clone());
            by = *its;
        }
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
            by: None,
            time: 0,
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
        // What happens beside it is no part of it.
        triggers.add(["a"].map(one).to_vec(), TriggerOrder::FirstIn);
        for next in [&["b", "x"][..], &["c"], &[], &["b"], &[]] {
            triggers.next();
            triggers.add(next.iter().map(|name| one(name)).collect(), TriggerOrder::FirstIn);
        }
        let circle: Vec<String> = triggers.circle().unwrap().iter().map(|(event, ..)| event.to_string()).collect();
        assert_eq!(circle, ["c", "b"]);
        triggers.clear();
        assert_eq!(triggers.circle(), None);
    }
}

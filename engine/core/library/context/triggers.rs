//! Triggered functions that have yet to run in a step.

use crate::decision::{ENTRY_BYTES, Value};
use crate::model::{PieceId, Seat, TriggerOrder};
use arcstr::ArcStr;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// A rule function that an event has triggered.
#[derive(Debug, Clone)]
pub(crate) struct Triggered {
    /// Name of the event: the field that names the function.
    pub event: ArcStr,
    /// The piece that has the field.
    pub piece: PieceId,
    /// The seat for which the function was triggered.
    pub seat: Seat,
    /// Name of the function.
    pub function: ArcStr,
    /// Arguments of the function, the piece first.
    pub arguments: SmallVec<[Value; 3]>,
    /// Memory use of the arguments, in list entries.
    pub weight: usize,
    /// Index of the triggered function that was running when this one was triggered, if any.
    pub by: Option<usize>,
    /// Number of the event within the step. All functions triggered by one call have the same number.
    pub time: u32,
}

/// Name of the answer part that contains the piece whose effect happens next.
pub(crate) const PIECE: ArcStr = arcstr::literal!("piece");

/// Name of the answer part that contains the effect that happens next.
pub(crate) const EFFECT: ArcStr = arcstr::literal!("effect");

/// Triggered functions that have yet to run in a step.
#[derive(Debug, Clone, Default)]
pub struct Triggers {
    waiting: VecDeque<Triggered>,
    /// Number of events in this step.
    times: u32,
    /// Whether a seat is choosing which function runs next.
    is_choosing: bool,
    /// Triggered functions that have run in this step, up to [`MAX_HISTORY`], each with the index of the function that
    /// triggered it.
    history: Vec<(TriggerRecord, Option<usize>)>,
    /// Index of the running function in the history, if it is in the history.
    running: Option<usize>,
    /// Fuel left for the rest of the step.
    pub(crate) fuel_left: u64,
}

/// A triggered function that has run: event, piece and function. A piece may have several functions for one event.
pub(crate) type TriggerRecord = (ArcStr, PieceId, ArcStr);

/// Maximum length of the history, which is used to report cycles.
const MAX_HISTORY: usize = 4096;

impl Triggers {
    /// Resets the triggers at the start of a step.
    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
        self.times = 0;
        self.is_choosing = false;
        self.history.clear();
        self.running = None;
    }

    /// Estimates the number of bytes that a copy takes.
    pub(crate) fn size(&self) -> usize {
        // A waiting function takes about three entries besides its arguments, and a function in the history takes one.
        (3 * self.waiting.len() + self.weight() + self.history.len()) * ENTRY_BYTES
    }

    /// Adds the functions triggered by one event: before the waiting functions with [`TriggerOrder::LastIn`], otherwise after them.
    pub(crate) fn add(&mut self, mut all: Vec<Triggered>, order: TriggerOrder) {
        self.times += 1;
        for one in &mut all {
            (one.by, one.time) = (self.running, self.times);
        }
        if order == TriggerOrder::LastIn {
            all.into_iter().rev().for_each(|one| self.waiting.push_front(one));
        } else {
            self.waiting.extend(all);
        }
    }

    /// Removes the waiting functions of a seat that has been eliminated.
    pub(crate) fn remove_seat(&mut self, seat: Seat) {
        self.waiting.retain(|one| one.seat != seat);
    }

    /// Returns the memory use of the arguments of all waiting functions, in list entries. Arguments that several functions share are
    /// counted for each of them.
    pub(crate) fn weight(&self) -> usize {
        self.waiting.iter().map(|one| one.weight).sum()
    }

    /// Returns the number of waiting functions.
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Sorts the waiting functions by seat, in the given turn order.
    pub(crate) fn sort_by_turn_order(&mut self, seats: &[Seat]) {
        let place = |one: &Triggered| seats.iter().position(|seat| *seat == one.seat);
        self.waiting.make_contiguous().sort_by_key(place);
    }

    /// Returns the waiting functions from which a seat may choose the next one. These are the functions at the front that belong to the
    /// same seat, without duplicates. With [`TriggerOrder::LastIn`], they must also belong to the same event. Returns `None` if there are
    /// fewer than two.
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

    /// Sets whether a seat is choosing the next function.
    pub(crate) fn set_choosing(&mut self, is_so: bool) {
        self.is_choosing = is_so;
    }

    /// Returns whether a seat is choosing the next function.
    pub(crate) fn is_choosing(&self) -> bool {
        self.is_choosing
    }

    /// Moves a waiting effect of a piece to the front of the queue.
    pub(crate) fn bring_forward(&mut self, piece: PieceId, effect: &str) {
        let is_it = |one: &Triggered| one.piece == piece && *one.function == *effect;
        if let Some(one) = self.waiting.iter().position(is_it).and_then(|at| self.waiting.remove(at)) {
            self.waiting.push_front(one);
        }
    }

    /// Removes and returns the next waiting function. Adds it to the history, unless the history is full.
    pub(crate) fn next(&mut self) -> Option<Triggered> {
        let next = self.waiting.pop_front()?;
        self.running = (self.history.len() < MAX_HISTORY).then_some(self.history.len());
        if self.running.is_some() {
            self.history.push(((next.event.clone(), next.piece, next.function.clone()), next.by));
        }
        Some(next)
    }

    /// Returns a cycle of functions that trigger each other, if there is one.
    pub(crate) fn find_cycle(&self) -> Option<Vec<TriggerRecord>> {
        (0..self.history.len()).rev().find_map(|last| self.cycle_ending_at(last))
    }

    /// Returns the cycle that ends with the function at index `last` of the history, if there is one.
    fn cycle_ending_at(&self, last: usize) -> Option<Vec<TriggerRecord>> {
        let (first, by) = &self.history[last];
        let mut by = *by;
        let mut found = vec![first.clone()];
        loop {
            let (one, parent) = &self.history[by?];
            if one == first {
                found.reverse();
                return Some(found);
            }
            found.push(one.clone());
            by = *parent;
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
            weight: 0,
            by: None,
            time: 0,
        }
    }

    fn order(triggers: &mut Triggers) -> Vec<String> {
        std::iter::from_fn(|| triggers.next()).map(|next| next.event.to_string()).collect()
    }

    #[test]
    fn events_are_queued_at_the_end_or_the_front() {
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
    fn a_cycle_is_found() {
        let mut triggers = Triggers::default();
        // `x` is triggered, but is not part of the cycle.
        triggers.add(["a"].map(one).to_vec(), TriggerOrder::FirstIn);
        for next in [&["b", "x"][..], &["c"], &[], &["b"], &[]] {
            triggers.next();
            triggers.add(next.iter().map(|name| one(name)).collect(), TriggerOrder::FirstIn);
        }
        let circle: Vec<String> = triggers.find_cycle().unwrap().iter().map(|(event, ..)| event.to_string()).collect();
        assert_eq!(circle, ["c", "b"]);
        triggers.clear();
        assert_eq!(triggers.find_cycle(), None);
    }
}

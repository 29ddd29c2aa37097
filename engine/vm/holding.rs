//! Memory limits of a run: the total size and the nesting depth of all values in its registers.
//!
//! Measuring walks every value. It happens only after a certain amount of work (see [`Meter`](super::meter::Meter)), and is itself charged
//! as fuel. Otherwise scripts could make the engine measure for free.

use super::context::Context;
use super::fault::{Answer, MachineFault};
use super::machine::Run;
use super::meter::without_end;
use crate::decision::{MOST_HELD, MOST_NESTED, TOO_HEAVY, Value};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Headlines of the faults for too much memory and for too deep nesting.
const TOO_MUCH_HELD: &str = "the variables of a function hold too much together";
const TOO_DEEP_WITHIN: &str = "lists or maps lie too deep within each other";

/// Entries visited per operation of fuel.
const ENTRIES_LOOKED_AT: usize = 32;

/// Collections deduplicated per operation of fuel.
const LISTS_COMPARED: usize = 2;

impl Run {
    /// Charges work of the rules, and measures memory if a lot of work was done at once.
    #[inline]
    pub(super) fn spend(&mut self, work: usize) -> Answer<()> {
        self.meter.spend(work)?;
        if self.meter.is_overloaded() { self.weigh_held() } else { Ok(()) }
    }

    /// Measures memory if the meter says that it is time.
    #[inline(always)]
    pub(super) fn look<C: Context>(&mut self, context: &mut C) -> Answer<()> {
        if self.meter.is_due() { self.weigh(context) } else { Ok(()) }
    }

    /// Charges the pending work of library calls, then measures memory.
    #[cold]
    pub(super) fn weigh<C: Context>(&mut self, context: &mut C) -> Answer<()> {
        self.meter.looked = 0;
        self.meter.spend_work(context)?;
        self.weigh_held()
    }

    /// Checks that all registers together stay within the limits of size and nesting.
    #[cold]
    fn weigh_held(&mut self) -> Answer<()> {
        self.meter.unweighed = 0;
        let (mut room, mut left) = (MOST_HELD, MOST_NESTED);
        let holds_little =
            self.stack[..self.held].iter().all(|value| value.charge_memory_and_levels(&mut room, &mut left));
        self.burn((self.held + MOST_HELD - room) / ENTRIES_LOOKED_AT)?;
        self.meter.levels = MOST_NESTED - left;
        if holds_little || self.holds_little_at_once()? {
            return Ok(());
        }
        let [_, note, help] = TOO_HEAVY;
        let what = if self.meter.levels < MOST_NESTED { TOO_MUCH_HELD } else { TOO_DEEP_WITHIN };
        Err(MachineFault::new("too-large", what).note(note).help(help))
    }

    /// Like [`Self::measure_registers`], but counts collections once that are in several registers.
    #[cold]
    fn holds_little_at_once(&mut self) -> Answer<bool> {
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let is_new = |value: &&Value| match value {
            Value::List(items) => seen.insert(Arc::as_ptr(items) as usize),
            Value::Map(map) => seen.insert(Arc::as_ptr(map) as usize),
            Value::Answers(answers) => seen.insert(Arc::as_ptr(answers) as usize),
            _ => true,
        };
        let (mut room, mut left) = (MOST_HELD, MOST_NESTED);
        let holds_little = self.stack[..self.held]
            .iter()
            .filter(is_new)
            .all(|value| value.charge_memory_and_levels(&mut room, &mut left));
        self.meter.levels = MOST_NESTED - left;
        self.burn(seen.len() / LISTS_COMPARED + (self.held + MOST_HELD - room) / ENTRIES_LOOKED_AT)?;
        Ok(holds_little)
    }

    /// Notes that a value is nested `levels` deep into another one. Measures if that might exceed the limit.
    #[inline(always)]
    pub(super) fn nest(&mut self, levels: usize) -> Answer<()> {
        if self.meter.nests(levels) { Ok(()) } else { self.weigh_held() }
    }

    /// Charges fuel for work of the engine itself, which is not counted for the next measurement.
    fn burn(&mut self, work: usize) -> Answer<()> {
        self.meter.fuel = self.meter.fuel.checked_sub(work as u64).ok_or_else(without_end)?;
        Ok(())
    }
}

//! Memory limits of a run: the total size and the nesting depth of all values in its registers.
//!
//! Measuring visits every value. It therefore happens only after a certain amount of work (see [`Meter`](super::meter::Meter)), and is
//! itself charged as fuel. Otherwise, scripts could trigger expensive measurements for free.

use super::context::Context;
use super::fault::Answer;
use super::machine::Run;
use super::meter::out_of_fuel;
use crate::decision::{MAX_HELD, MAX_NESTED, TOO_HEAVY, Value};
use crate::diagnostic::Fault;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Messages of the faults for excessive memory use and excessive nesting.
const TOO_MUCH_MEMORY: &str = "the variables of a function hold too much together";
const TOO_DEEP: &str = "lists or maps lie too deep within each other";

/// Number of entries that can be visited for one operation of fuel.
const ENTRIES_PER_OPERATION: usize = 32;

/// Number of collections that can be deduplicated for one operation of fuel.
const DEDUPLICATIONS_PER_OPERATION: usize = 2;

impl Run {
    /// Charges work of the rules. Measures memory if the expensive work since the last measurement has reached the limit.
    #[inline]
    pub(super) fn spend(&mut self, work: usize) -> Answer<()> {
        self.meter.spend(work)?;
        if self.meter.is_overdue() { self.measure_registers() } else { Ok(()) }
    }

    /// Counts a call or backward jump. Measures memory if the meter says that a measurement is due.
    #[inline(always)]
    pub(super) fn check_memory<C: Context>(&mut self, context: &mut C) -> Answer<()> {
        if self.meter.tick() { self.measure_memory(context) } else { Ok(()) }
    }

    /// Charges the pending work of library calls, then measures memory.
    #[cold]
    pub(super) fn measure_memory<C: Context>(&mut self, context: &mut C) -> Answer<()> {
        self.meter.ticks = 0;
        self.meter.spend_native_work(context)?;
        self.measure_registers()
    }

    /// Checks that all registers together stay within the limits of size and nesting.
    #[cold]
    fn measure_registers(&mut self) -> Answer<()> {
        self.meter.unmeasured_work = 0;
        let (mut room, mut left) = (MAX_HELD, MAX_NESTED);
        let fits = self.stack[..self.used].iter().all(|value| value.charge_memory_and_levels(&mut room, &mut left));
        self.charge((self.used + MAX_HELD - room) / ENTRIES_PER_OPERATION)?;
        self.meter.nesting = MAX_NESTED - left;
        if fits || self.fits_without_duplicates()? {
            return Ok(());
        }
        let [_, note, help] = TOO_HEAVY;
        let what = if self.meter.nesting < MAX_NESTED { TOO_MUCH_MEMORY } else { TOO_DEEP };
        Err(Fault::new("too-large", what, note).help(help).into())
    }

    /// Returns whether all registers together stay within the limits if each collection is counted only once, even if several registers
    /// share it.
    #[cold]
    fn fits_without_duplicates(&mut self) -> Answer<bool> {
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let is_new = |value: &&Value| match value {
            Value::List(items) => seen.insert(Arc::as_ptr(items) as usize),
            Value::Map(map) => seen.insert(Arc::as_ptr(map) as usize),
            Value::Answers(answers) => seen.insert(Arc::as_ptr(answers) as usize),
            _ => true,
        };
        let (mut room, mut left) = (MAX_HELD, MAX_NESTED);
        let fits = self.stack[..self.used]
            .iter()
            .filter(is_new)
            .all(|value| value.charge_memory_and_levels(&mut room, &mut left));
        self.meter.nesting = MAX_NESTED - left;
        self.charge(seen.len() / DEDUPLICATIONS_PER_OPERATION + (self.used + MAX_HELD - room) / ENTRIES_PER_OPERATION)?;
        Ok(fits)
    }

    /// Records that a value is nested `levels` deep in another value. Measures memory if the nesting might exceed the limit.
    #[inline(always)]
    pub(super) fn note_nesting(&mut self, levels: usize) -> Answer<()> {
        if self.meter.note_nesting(levels) { Ok(()) } else { self.measure_registers() }
    }

    /// Charges fuel for work of the engine itself. This work does not count towards the next measurement.
    fn charge(&mut self, work: usize) -> Answer<()> {
        self.meter.fuel = self.meter.fuel.checked_sub(work as u64).ok_or_else(out_of_fuel)?;
        Ok(())
    }
}

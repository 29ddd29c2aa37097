//! The fuel of a run, and the schedule of memory measurements.

use super::context::Context;
use super::fault::{Answer, boxed_fault};
use crate::decision::MAX_NESTED;
use crate::diagnostic::Fault;

/// Work of one instruction, in operations, above which the instruction counts as expensive. Expensive work counts towards the next memory
/// measurement. Also the number of `switch` cases that are compared per operation of fuel.
pub(super) const CHEAP_WORK: usize = 16;

/// Work of expensive instructions after which memory is measured.
const MAX_UNMEASURED_WORK: usize = 8192;

/// Number of calls and backward jumps after which memory is measured.
const MEASURE_INTERVAL: u32 = 256;

/// Returns the fault for a run that has used up its fuel.
pub(super) fn out_of_fuel() -> Box<Fault> {
    boxed_fault("endless", "this goes on without end")
}

/// The remaining fuel, and counters since the last memory measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Meter {
    /// Remaining operations.
    pub fuel: u64,
    /// Number of calls and backward jumps since the last measurement. Set to [`MEASURE_INTERVAL`] when a measurement is overdue.
    pub ticks: u32,
    /// Work of expensive instructions since the last measurement.
    pub unmeasured_work: usize,
    /// Upper bound for the nesting depth of all values in the run. It grows when values are nested, and each measurement corrects it.
    pub nesting: usize,
}

impl Meter {
    /// Creates a meter with an amount of fuel.
    pub(super) fn new(fuel: u64) -> Self {
        Self { fuel, ..Self::default() }
    }

    /// Charges work of the rules.
    #[inline]
    pub(super) fn spend(&mut self, work: usize) -> Answer<()> {
        self.fuel = self.fuel.checked_sub(work as u64).ok_or_else(out_of_fuel)?;
        if work > CHEAP_WORK {
            self.count_expensive_work(work);
        }
        Ok(())
    }

    /// Counts the work of an expensive instruction towards the next measurement, because the instruction may have copied many values. If
    /// the measurement is overdue, it is made at the next call or backward jump at the latest.
    #[cold]
    fn count_expensive_work(&mut self, work: usize) {
        self.unmeasured_work += work;
        if self.is_overdue() {
            self.ticks = MEASURE_INTERVAL;
        }
    }

    /// Returns whether so much expensive work has been done that memory must be measured now.
    pub(super) fn is_overdue(&self) -> bool {
        self.unmeasured_work >= MAX_UNMEASURED_WORK
    }

    /// Charges the pending work of library calls.
    #[inline]
    pub(super) fn spend_native_work<C: Context>(&mut self, context: &mut C) -> Answer<()> {
        self.spend(usize::try_from(context.take_work()).unwrap_or(usize::MAX))
    }

    /// Counts a call or backward jump. Returns whether memory must be measured now.
    #[inline(always)]
    pub(super) fn tick(&mut self) -> bool {
        self.ticks += 1;
        self.ticks >= MEASURE_INTERVAL
    }

    /// Raises the bound for the nesting depth. Returns whether the bound is still within the limit.
    #[inline(always)]
    pub(super) fn note_nesting(&mut self, levels: usize) -> bool {
        self.nesting += levels;
        self.nesting <= MAX_NESTED
    }
}

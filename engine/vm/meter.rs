//! The fuel of a run, and the schedule of memory measurements.

use super::context::Context;
use super::fault::{Answer, MachineFault};
use crate::decision::MOST_NESTED;

/// Work of one instruction, in operations, above which it counts towards the next measurement.
pub(super) const STRETCH: usize = 16;

/// Work of expensive instructions after which memory is measured.
const MOST_UNWEIGHED: usize = 8192;

/// Number of calls and backward jumps after which memory is measured.
const LOOKED_EVERY: u32 = 256;

/// Fault: the fuel is used up.
pub(super) fn without_end() -> Box<MachineFault> {
    MachineFault::new("endless", "this goes on without end")
}

/// The remaining fuel, and counters since the last memory measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Meter {
    /// Remaining operations.
    pub fuel: u64,
    /// Calls and backward jumps since the last measurement.
    pub looked: u32,
    /// Work of expensive instructions since the last measurement.
    pub unweighed: usize,
    /// Upper bound for the nesting depth of all values in the run. It grows when values are nested and is corrected by measurements.
    pub levels: usize,
}

impl Meter {
    /// Creates a meter with an amount of fuel.
    pub(super) fn new(fuel: u64) -> Self {
        Self { fuel, ..Self::default() }
    }

    /// Charges work of the rules.
    #[inline]
    pub(super) fn spend(&mut self, work: usize) -> Answer<()> {
        self.fuel = self.fuel.checked_sub(work as u64).ok_or_else(without_end)?;
        if work > STRETCH {
            self.note_work(work);
        }
        Ok(())
    }

    /// Counts expensive work towards the next measurement, since it may have copied a lot.
    #[cold]
    fn note_work(&mut self, work: usize) {
        self.unweighed += work;
        if self.is_overloaded() {
            self.looked = LOOKED_EVERY;
        }
    }

    /// Returns whether so much expensive work was done that memory must be measured now.
    pub(super) fn is_overloaded(&self) -> bool {
        self.unweighed >= MOST_UNWEIGHED
    }

    /// Charges the pending work of library calls.
    #[inline]
    pub(super) fn spend_work<C: Context>(&mut self, context: &mut C) -> Answer<()> {
        self.spend(usize::try_from(context.worked()).unwrap_or(usize::MAX))
    }

    /// Counts a call or backward jump and returns whether memory must be measured.
    #[inline(always)]
    pub(super) fn is_due(&mut self) -> bool {
        self.looked += 1;
        self.looked >= LOOKED_EVERY
    }

    /// Raises the bound for the nesting depth and returns whether it is still within the limit.
    #[inline(always)]
    pub(super) fn nests(&mut self, levels: usize) -> bool {
        self.levels += levels;
        self.levels <= MOST_NESTED
    }
}

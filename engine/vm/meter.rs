//! What a run may still do, and when it is looked at how much it holds.

use super::context::Context;
use super::fault::{Answer, MachineFault};
use crate::decision::MOST_NESTED;

/// So much of what is done at once counts as one operation.
pub(super) const STRETCH: usize = 16;

/// When so much was done by things that do much at once, it is looked at how much is held.
const MOST_UNWEIGHED: usize = 8192;

/// So often it is looked at how much a run holds, and what its calls have done.
const LOOKED_EVERY: u32 = 256;

/// What goes on without end.
pub(super) fn without_end() -> Box<MachineFault> {
    MachineFault::new("endless", "this goes on without end")
}

/// What a run may still do, and when it is looked at how much it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Meter {
    /// How much may still be done.
    pub fuel: u64,
    /// How often it has jumped back or called since it was last looked at how much it holds.
    pub looked: u32,
    /// How much was done at once, in stretches, since then.
    pub unweighed: usize,
    /// No value that the run holds has more levels within it than so many: what is laid into another is counted, and at times looked at.
    pub levels: usize,
}

impl Meter {
    /// With so much to do.
    pub(super) fn new(fuel: u64) -> Self {
        Self { fuel, ..Self::default() }
    }

    /// Pays for some work of the rules.
    #[inline]
    pub(super) fn spend(&mut self, work: usize) -> Answer<()> {
        self.fuel = self.fuel.checked_sub(work as u64).ok_or_else(without_end)?;
        if work > STRETCH {
            self.note_work(work);
        }
        Ok(())
    }

    /// Notes that much was done at once: it may have been to copy what is now held twice.
    #[cold]
    fn note_work(&mut self, work: usize) {
        self.unweighed += work;
        if self.is_overloaded() {
            self.looked = LOOKED_EVERY;
        }
    }

    /// Whether so much was done at once that what is held has to be looked at.
    pub(super) fn is_overloaded(&self) -> bool {
        self.unweighed >= MOST_UNWEIGHED
    }

    /// Pays for what calls of the library have done.
    #[inline]
    pub(super) fn spend_work<C: Context>(&mut self, context: &mut C) -> Answer<()> {
        self.spend(usize::try_from(context.worked()).unwrap_or(usize::MAX))
    }

    /// Whether it is time to look at how much is held: at times where there is a loop or a call.
    #[inline(always)]
    pub(super) fn is_due(&mut self) -> bool {
        self.looked += 1;
        self.looked >= LOOKED_EVERY
    }

    /// Whether what is laid so many levels into another is surely not too deep.
    #[inline(always)]
    pub(super) fn nests(&mut self, levels: usize) -> bool {
        self.levels += levels;
        self.levels <= MOST_NESTED
    }
}

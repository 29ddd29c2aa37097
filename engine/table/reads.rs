//! Whether anything was read that some seats do not know.

use super::SeatSet;
use std::sync::atomic::{AtomicU16, Ordering};

/// The seats that do not know all that was read of a table since it was last [forgotten](super::Table::forget_reads).
///
/// What is printed, what a die shows and what a value is can be read in few places, and each notes here who may not know it. It says
/// nothing of how the table stands: two tables are the same whatever was read of them.
#[derive(Debug, Default)]
pub(super) struct Reads(AtomicU16);

impl Clone for Reads {
    fn clone(&self) -> Self {
        Self(AtomicU16::new(self.unknown_to()))
    }
}

impl Reads {
    /// Notes that something was read that these seats do not know. (A table is read by one thread at a time, but shared by several
    /// before it is: that is all the atomic is for.)
    #[inline]
    pub(super) fn note(&self, unknown_to: SeatSet) {
        if unknown_to != 0 {
            self.0.store(self.unknown_to() | unknown_to, Ordering::Relaxed);
        }
    }

    pub(super) fn set(&self, unknown_to: SeatSet) {
        self.0.store(unknown_to, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn unknown_to(&self) -> SeatSet {
        self.0.load(Ordering::Relaxed)
    }
}

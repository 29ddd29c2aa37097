//! Tracks which seats do not know everything that was read from a table.

use super::SeatSet;
use std::sync::atomic::{AtomicU32, Ordering};

/// Seats that do not know everything that was read from a table, in two periods: since reads were last
/// [forgotten](super::Table::forget_reads), and since the [last answer began](super::Table::begin_answer).
///
/// Only a few functions read faces, dice and values. Each of them records here which seats may not know the result. Reads are not part of
/// the game's state: tables are compared without them.
///
/// The low half of the number contains the seats of the first period, the high half the seats of the second.
#[derive(Debug, Default)]
pub(super) struct Reads(AtomicU32);

impl Clone for Reads {
    fn clone(&self) -> Self {
        Self(AtomicU32::new(self.0.load(Ordering::Relaxed)))
    }
}

impl Reads {
    /// Adds the seats that do not know the result of a read.
    #[inline]
    pub(super) fn note(&self, unknown_to: SeatSet) {
        // A table is shared between threads only while nobody reads it. The atomic makes `Table` implement `Sync`, but
        // does not synchronize anything.
        if unknown_to != 0 {
            self.0.store(self.0.load(Ordering::Relaxed) | (u32::from(unknown_to) * 0x1_0001), Ordering::Relaxed);
        }
    }

    /// Adds the reads of a copy of the table, in both periods.
    pub(super) fn add(&self, copy: &Self) {
        self.0.store(self.0.load(Ordering::Relaxed) | copy.0.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Runs `look` without recording its reads.
    pub(super) fn without_recording<R>(&self, look: impl FnOnce() -> R) -> R {
        let before = self.0.load(Ordering::Relaxed);
        let found = look();
        self.0.store(before, Ordering::Relaxed);
        found
    }

    /// Clears the seats recorded since reads were last forgotten.
    pub(super) fn forget(&self) {
        self.0.store(self.0.load(Ordering::Relaxed) & 0xffff_0000, Ordering::Relaxed);
    }

    /// Clears the seats recorded since the last answer began.
    pub(super) fn begin_answer(&self) {
        self.0.store(self.0.load(Ordering::Relaxed) & 0xffff, Ordering::Relaxed);
    }

    /// Returns the seats that do not know everything that was read since reads were last forgotten.
    #[inline]
    pub(super) fn unknown_to(&self) -> SeatSet {
        (self.0.load(Ordering::Relaxed) & 0xffff) as SeatSet
    }

    /// Returns whether some seat does not know everything that was read since the last answer began.
    pub(super) fn is_any_hidden_since_answer(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0xffff
    }
}

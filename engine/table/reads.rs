//! Notes which seats do not know everything that was read of a table.

use super::SeatSet;
use std::sync::atomic::{AtomicU16, Ordering};

/// Seats that do not know all that was read of a table since reads were last [forgotten](super::Table::forget_reads).
///
/// Faces, dice and values can be read in few places, and each of them notes here who may not know the result. Reads are not part of the
/// game's state: tables are equal regardless of them.
#[derive(Debug, Default)]
pub(super) struct Reads(AtomicU16);

impl Clone for Reads {
    fn clone(&self) -> Self {
        Self(AtomicU16::new(self.unknown_to()))
    }
}

impl Reads {
    /// Adds seats that do not know something that was read.
    #[inline]
    pub(super) fn note(&self, unknown_to: SeatSet) {
        // A table is shared between threads only while nobody reads it. The atomic makes `Table` `Sync`; it synchronizes nothing.
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

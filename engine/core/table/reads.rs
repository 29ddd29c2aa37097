//! Records which seats do not know everything that was read of a table.

use super::SeatSet;
use std::sync::atomic::{AtomicU16, Ordering};

/// Seats that do not know everything that was read of a table since reads were last
/// [forgotten](super::Table::forget_reads).
///
/// There are few functions that read faces, dice and values. Each of them records here which seats may not know the
/// result. Reads are not part of the game's state: tables are compared without them.
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
        // A table is shared between threads only while nobody reads it. The atomic makes `Table` implement `Sync`, but
        // does not synchronize anything.
        if unknown_to != 0 {
            self.0.store(self.unknown_to() | unknown_to, Ordering::Relaxed);
        }
    }

    /// Replaces the seats that do not know something that was read.
    pub(super) fn set(&self, unknown_to: SeatSet) {
        self.0.store(unknown_to, Ordering::Relaxed);
    }

    /// Returns the seats that do not know something that was read.
    #[inline]
    pub(super) fn unknown_to(&self) -> SeatSet {
        self.0.load(Ordering::Relaxed)
    }
}

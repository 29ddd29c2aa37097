//! Current time for the expiry of sessions and the dates of notes, and a clock for measuring durations. Games never see the time.
//!
//! Without an operating system there is no clock: the program that runs the engine sets the time.

#[cfg(not(feature = "system"))]
pub(super) use given::{Instant, now, set};
#[cfg(feature = "system")]
pub(super) use own::{Instant, now};

#[cfg(feature = "system")]
mod own {
    use std::time::UNIX_EPOCH;

    #[allow(clippy::disallowed_types, reason = "what a table waits for is no part of a game")]
    pub(in crate::web) type Instant = std::time::Instant;

    /// Returns the current time in seconds since 1970.
    #[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "sessions and notes are no part of a game")]
    pub(in crate::web) fn now() -> u64 {
        std::time::SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
    }
}

#[cfg(not(feature = "system"))]
mod given {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    /// Current time in milliseconds since 1970.
    static NOW: AtomicU64 = AtomicU64::new(0);

    /// Sets the current time, in milliseconds since 1970.
    pub(in crate::web) fn set(milliseconds: u64) {
        NOW.store(milliseconds, Ordering::Relaxed);
    }

    /// Returns the current time in seconds since 1970.
    pub(in crate::web) fn now() -> u64 {
        NOW.load(Ordering::Relaxed) / 1000
    }

    /// Point in time, like `std::time::Instant`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub(in crate::web) struct Instant(u64);

    impl Instant {
        /// Returns the current time.
        pub(in crate::web) fn now() -> Self {
            Self(NOW.load(Ordering::Relaxed))
        }

        /// Returns the time that has passed since this point in time.
        pub(in crate::web) fn elapsed(&self) -> Duration {
            Duration::from_millis(Self::now().0.saturating_sub(self.0))
        }
    }
}

//! The time of day, for sessions that end and notes that say when they were written. No game sees it.

use std::time::UNIX_EPOCH;

/// Seconds since 1970.
#[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "sessions and notes are no part of a game")]
pub(super) fn now() -> u64 {
    std::time::SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

//! The time of day, for the expiry of sessions and the dates of notes. Games never see it.

use std::time::UNIX_EPOCH;

/// Returns seconds since 1970.
#[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "sessions and notes are no part of a game")]
pub(super) fn now() -> u64 {
    std::time::SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

//! Extent of long tests. `.ci/run` runs a part of them, and `.ci/full` runs them completely.

/// Returns whether long tests run completely, which the environment variable `THOROUGH` requests.
pub(crate) fn is_thorough() -> bool {
    std::env::var_os("THOROUGH").is_some()
}

//! Tests of which `.ci/run` runs a part, and `.ci/full` everything.

/// Returns whether long tests try everything: if the environment variable `THOROUGH` is set.
pub(crate) fn is_thorough() -> bool {
    std::env::var_os("THOROUGH").is_some()
}

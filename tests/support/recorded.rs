//! Snapshot files, which contain expected outputs and are rewritten with `BLESS=1`.

#![allow(clippy::unwrap_used, reason = "a file that cannot be written fails the test")]

use std::fs;
use std::path::Path;

/// Returns whether snapshot files are rewritten instead of compared.
pub(crate) fn is_blessed() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// Asserts that a snapshot file contains exactly `actual`. If `BLESS` is set, writes `actual` to the file instead.
pub(crate) fn assert_recorded(path: &Path, actual: &str) {
    if is_blessed() {
        fs::write(path, actual).unwrap();
        return;
    }
    let recorded = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(actual, recorded, "BLESS=1 rewrites {}", path.display());
}

//! Expected outputs that are files, and are rewritten on request.

#![allow(clippy::unwrap_used, reason = "what cannot be read fails the test")]

use std::fs;
use std::path::Path;

/// Whether expected outputs are written anew.
pub(crate) fn is_blessed() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// Holds a file against what it has to say now; with `BLESS` set, writes that.
pub(crate) fn hold(path: &Path, now: &str) {
    if is_blessed() {
        fs::write(path, now).unwrap();
        return;
    }
    let recorded = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(now, recorded, "BLESS=1 rewrites {}", path.display());
}

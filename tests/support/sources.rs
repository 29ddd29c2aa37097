//! The engine's own source, for tests of how the house is kept.

use crate::folder::texts_ending;

/// Every Rust file of the engine: its path below `engine/`, and its text.
pub(crate) fn engine() -> Vec<(String, String)> {
    let files = texts_ending("engine", &["rs"]);
    assert!(files.len() > 50, "the engine was not found");
    files
}

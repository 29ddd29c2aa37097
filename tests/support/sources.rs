//! Source files of the engine, for tests of its structure.

use crate::folder::texts_with_extension;

/// Returns the path below `engine/` and the text of each Rust file of the engine.
pub(crate) fn engine() -> Vec<(String, String)> {
    let files = texts_with_extension("engine", &["rs"]);
    assert!(files.len() > 50, "the engine was not found");
    files
}

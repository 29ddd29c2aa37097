//! Source files of the engine, for tests of its structure.

use crate::folder::texts_with_extension;

/// Folder of the crate with the parts that play games.
const CORE: &str = "core/";

/// Returns the path below `engine/`, or below `engine/core/`, and the text of each Rust file of the engine's parts, sorted by path. The
/// other parts use the parts of the core by the same paths as if they were in one crate.
pub(crate) fn engine() -> Vec<(String, String)> {
    let mut files = texts_with_extension("engine", &["rs"]);
    files.retain(|(path, _)| path != "core/lib.rs");
    for (path, _) in &mut files {
        if let Some(inside) = path.strip_prefix(CORE) {
            *path = inside.to_owned();
        }
    }
    files.sort();
    assert!(files.len() > 50, "the engine was not found");
    files
}

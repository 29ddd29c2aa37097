//! The engine's own source, for tests of how the house is kept.

use std::fs;
use std::path::Path;

/// Every Rust file of the engine: its path below `engine/`, and its text.
pub(crate) fn engine() -> Vec<(String, String)> {
    let mut files = Vec::new();
    collect(Path::new("engine"), &mut files);
    assert!(files.len() > 50, "the engine was not found");
    files.sort();
    files
}

fn collect(folder: &Path, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let below = path.strip_prefix("engine").unwrap().to_str().unwrap().replace('\\', "/");
            files.push((below, fs::read_to_string(&path).unwrap()));
        }
    }
}

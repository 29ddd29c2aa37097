//! What documents name is there: files of the repository, and test programs.

use crate::folder::texts_ending;
use std::collections::BTreeSet;
use std::path::Path;

/// Folders whose documents are looked at, beside those at the top.
const FOLDERS: [&str; 8] = ["benches", "docs", "engine", "examples", "fuzz", "games", "grammar", "tests"];

/// What a path in a document begins with.
const BEGIN: [&str; 6] = ["tests/", "engine/", "examples/", "benches/", "docs/src/", ".ci/"];

/// Every document, with its path.
fn documents() -> Vec<(String, String)> {
    let below = |folder: &str| -> Vec<(String, String)> {
        let texts = texts_ending(folder, &["md", "rs", "sh"]);
        texts.into_iter().map(|(path, text)| (format!("{folder}/{path}"), text)).collect()
    };
    let top = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ".ci/run", ".ci/full"];
    let top = top.map(|path| (path.to_owned(), std::fs::read_to_string(path).unwrap()));
    top.into_iter().chain(FOLDERS.into_iter().flat_map(below)).collect()
}

/// The paths in a document that are written out: those in code, and those at the end of a sentence.
fn paths(text: &str) -> BTreeSet<&str> {
    let is_of_path = |sign: char| sign.is_ascii_alphanumeric() || "/._-".contains(sign);
    let words = text.split(|sign: char| !is_of_path(sign)).map(|word| word.trim_end_matches('.'));
    words.filter(|word| BEGIN.iter().any(|begin| word.starts_with(begin)) && word.contains('.')).collect()
}

#[test]
fn every_file_that_a_document_names_is_there() {
    let mut missing = Vec::new();
    let mut found = 0;
    for (document, text) in documents().iter().filter(|(path, _)| !path.starts_with("tests/house/")) {
        // A chapter's own game lies where the reader puts it.
        for path in paths(text) {
            found += 1;
            if !Path::new(path).exists() {
                missing.push(format!("{document}: {path}"));
            }
        }
    }
    assert!(missing.is_empty() && found > 60, "{found} paths; not there:\n{}", missing.join("\n"));
}

#[test]
fn every_test_program_that_a_document_names_is_there() {
    let mut found = 0;
    for (document, text) in documents().iter().filter(|(path, _)| !path.starts_with("tests/house/")) {
        for rest in text.split("--test ").skip(1) {
            let name = rest.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_').next().unwrap();
            if name == "NAME" || name.is_empty() {
                continue;
            }
            found += 1;
            assert!(Path::new("tests").join(name).join("main.rs").is_file(), "{document}: there is no test `{name}`");
        }
    }
    assert!(found > 10, "{found}");
}

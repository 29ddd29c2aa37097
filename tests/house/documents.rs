//! What documents name is there: files of the repository, test programs, and the parts of the engine.

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

/// A part of the engine, and what it may use.
type Part<'t> = (&'t str, Vec<&'t str>);

/// The parts as `tests/house/layers.rs` lists them.
fn held(layers: &str) -> Vec<Part<'_>> {
    let list = layers.split("const PARTS").nth(1).and_then(|rest| rest.split("\n];").next()).unwrap();
    let names = |row| str::split(row, |sign: char| !sign.is_ascii_alphabetic()).filter(|name| !name.is_empty());
    // The first bracket is that of the list's type.
    let rows = list.split('(').skip(2).map(names);
    rows.map(|mut names| (names.next().unwrap(), names.collect())).collect()
}

/// The parts as the plan's table lists them.
fn planned(plan: &str) -> Vec<Part<'_>> {
    let used = |name| match name {
        "–" => None,
        "everything" => Some("EVERYTHING"),
        "and what opens games" => Some("ROOT"),
        name => Some(name.trim_end_matches(" (views only)")),
    };
    let rows = plan.lines().skip_while(|line| !line.starts_with("| `")).take_while(|line| line.starts_with("| `"));
    let cells = rows.map(|row| row.trim_matches(['|', ' ']).split(" | ").collect::<Vec<_>>());
    cells.map(|cells| (cells[0].trim_matches('`'), cells[2].split(", ").filter_map(used).collect())).collect()
}

#[test]
fn the_plan_lists_the_parts_as_they_are_held() {
    let [plan, layers] =
        ["engine/README.md", "tests/house/layers.rs"].map(|path| std::fs::read_to_string(path).unwrap());
    let (planned, held) = (planned(&plan), held(&layers));
    for (planned, held) in planned.iter().zip(&held) {
        assert_eq!(planned, held, "a row of engine/README.md, and that of tests/house/layers.rs");
    }
    assert!(planned.len() == held.len() && held.len() > 20, "{} and {} parts", planned.len(), held.len());
}

//! What documents name is there: files of the repository, test programs, and the parts of the engine.

use crate::folder::texts_ending;
use crate::sources::engine;
use std::collections::{BTreeMap, BTreeSet};
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

/// How many files a folder of the engine has that gets along without a map.
const MOST_WITHOUT_A_MAP: usize = 4;

/// What the map of each part says: under "Where to start reading", and of the analysis in a section of its own.
fn maps(plan: &str) -> BTreeMap<&str, String> {
    let section = |head: &str| plan.split("\n## ").find_map(|section| section.strip_prefix(head)).unwrap();
    let entries = section("Where to start reading\n").split("\n- `").skip(1);
    let mut maps: BTreeMap<&str, String> =
        entries.map(|entry| entry.split_once('`').unwrap()).map(|(part, said)| (part, said.to_owned())).collect();
    maps.get_mut("analysis").unwrap().push_str(section("How rules are read\n"));
    maps
}

/// Whether a file begins with the code of a message or the command that it has, and is called so.
fn explains_itself(path: &str, text: &str) -> bool {
    let name = Path::new(path).file_stem().unwrap().to_str().unwrap();
    let begins = [format!("//! `{}`:", name.replace('_', "-")), format!("//! `parlour {}`:", name.replace('_', " "))];
    begins.iter().any(|begin| text.starts_with(begin))
}

#[test]
fn every_file_of_a_large_room_is_named_in_its_map() {
    let plan = std::fs::read_to_string("engine/README.md").unwrap();
    let maps = maps(&plan);
    let mut rooms: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (path, text) in engine() {
        if let Some((folder, _)) = path.rsplit_once('/') {
            rooms.entry(folder.to_owned()).or_default().push((path, text));
        }
    }
    rooms.retain(|_, files| files.len() > MOST_WITHOUT_A_MAP);
    let mut missing = Vec::new();
    for (folder, files) in &rooms {
        let map = maps.get(folder.split('/').next().unwrap()).map_or("", String::as_str);
        let named: Vec<String> = map.split('`').skip(1).step_by(2).map(|name| format!("/{name}")).collect();
        // What is in a folder is told at its `mod.rs`, and what is tested at the tests.
        let files = files.iter().filter(|(path, _)| !path.ends_with("/mod.rs") && !path.ends_with("/tests.rs"));
        let untold = files.filter(|(path, text)| {
            !explains_itself(path, text) && !named.iter().any(|name| format!("/{path}").ends_with(name))
        });
        missing.extend(untold.map(|(path, _)| path.as_str()));
    }
    assert!(missing.is_empty(), "no map of engine/README.md names\n{}", missing.join("\n"));
    assert!(rooms.len() > 15, "{} rooms", rooms.len());
}

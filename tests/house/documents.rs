//! Compares documents with the source tree. The files and test programs that documents name must exist, and `engine/README.md` must list
//! the dependencies of all modules and the files of large folders.

use crate::folder::texts_with_extension;
use crate::sources::engine;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Folders whose documents are checked, besides the documents in the root folder.
const FOLDERS: [&str; 8] = ["benches", "docs", "engine", "examples", "fuzz", "games", "grammar", "tests"];

/// Prefixes that identify a path in a document.
const PREFIXES: [&str; 6] = ["tests/", "engine/", "examples/", "benches/", "docs/src/", ".ci/"];

/// Returns the path and text of each document: Markdown files, Rust sources (for their comments) and scripts.
fn documents() -> Vec<(String, String)> {
    let below = |folder: &str| -> Vec<(String, String)> {
        let texts = texts_with_extension(folder, &["md", "rs", "sh"]);
        texts.into_iter().map(|(path, text)| (format!("{folder}/{path}"), text)).collect()
    };
    let top = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ".ci/run", ".ci/full"];
    let top = top.map(|path| (path.to_owned(), std::fs::read_to_string(path).unwrap()));
    top.into_iter().chain(FOLDERS.into_iter().flat_map(below)).collect()
}

/// Returns the paths in a document that begin with one of [`PREFIXES`] and have a file extension.
fn paths(text: &str) -> BTreeSet<&str> {
    let is_path_char = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    // A trailing full stop ends the sentence and is not part of the path.
    let words = text.split(|c: char| !is_path_char(c)).map(|word| word.trim_end_matches('.'));
    words.filter(|word| PREFIXES.iter().any(|prefix| word.starts_with(prefix)) && word.contains('.')).collect()
}

#[test]
fn files_named_in_documents_exist() {
    let mut missing = Vec::new();
    let mut found = 0;
    for (document, text) in documents().iter().filter(|(path, _)| !path.starts_with("tests/house/")) {
        for path in paths(text) {
            found += 1;
            if !Path::new(path).exists() {
                missing.push(format!("{document}: {path}"));
            }
        }
    }
    assert!(missing.is_empty() && found > 60, "{found} paths found; these do not exist:\n{}", missing.join("\n"));
}

#[test]
fn test_programs_named_in_documents_exist() {
    let mut found = 0;
    for (document, text) in documents().iter().filter(|(path, _)| !path.starts_with("tests/house/")) {
        for rest in text.split("--test ").skip(1) {
            let name = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap();
            if name == "NAME" || name.is_empty() {
                continue;
            }
            found += 1;
            let program = Path::new("tests").join(name).join("main.rs");
            assert!(program.is_file(), "{document} names the test program `{name}`, which does not exist");
        }
    }
    assert!(found > 10, "{found}");
}

/// Top-level module of the engine, with the modules that it may use.
type Part<'t> = (&'t str, Vec<&'t str>);

/// Parses the list of modules in `tests/house/layers.rs`.
fn enforced_parts(layers: &str) -> Vec<Part<'_>> {
    let list = layers.split("const PARTS").nth(1).and_then(|rest| rest.split("\n];").next()).unwrap();
    let names = |row| str::split(row, |c: char| !c.is_ascii_alphabetic()).filter(|name| !name.is_empty());
    // The first parenthesis belongs to the type of the constant.
    let rows = list.split('(').skip(2).map(names);
    rows.map(|mut names| (names.next().unwrap(), names.collect())).collect()
}

/// Parses the table of modules in `engine/README.md`.
fn documented_parts(plan: &str) -> Vec<Part<'_>> {
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
fn the_engine_readme_lists_the_enforced_dependencies() {
    let [plan, layers] =
        ["engine/README.md", "tests/house/layers.rs"].map(|path| std::fs::read_to_string(path).unwrap());
    let (documented, enforced) = (documented_parts(&plan), enforced_parts(&layers));
    for (documented, enforced) in documented.iter().zip(&enforced) {
        assert_eq!(documented, enforced, "row of engine/README.md, row of tests/house/layers.rs");
    }
    assert!(
        documented.len() == enforced.len() && enforced.len() > 20,
        "{} and {} parts",
        documented.len(),
        enforced.len()
    );
}

/// Maximum number of files in a folder whose files `engine/README.md` need not name.
const MAX_FILES_WITHOUT_OVERVIEW: usize = 4;

/// Returns the overview of each module, which is its entry under "Where to start reading". For `analysis`, the section "How rules are read"
/// is appended.
fn overviews(plan: &str) -> BTreeMap<&str, String> {
    let section = |head: &str| plan.split("\n## ").find_map(|section| section.strip_prefix(head)).unwrap();
    let entries = section("Where to start reading\n").split("\n- `").skip(1);
    let mut overviews: BTreeMap<&str, String> =
        entries.map(|entry| entry.split_once('`').unwrap()).map(|(part, said)| (part, said.to_owned())).collect();
    overviews.get_mut("analysis").unwrap().push_str(section("How rules are read\n"));
    overviews
}

/// Returns whether the first line of a file explains the message code or command after which the file is named.
fn explains_itself(path: &str, text: &str) -> bool {
    let name = Path::new(path).file_stem().unwrap().to_str().unwrap();
    let begins = [format!("//! `{}`:", name.replace('_', "-")), format!("//! `parlour {}`:", name.replace('_', " "))];
    begins.iter().any(|begin| text.starts_with(begin))
}

#[test]
fn every_file_of_a_large_folder_is_named_in_the_engine_readme() {
    let plan = std::fs::read_to_string("engine/README.md").unwrap();
    let overviews = overviews(&plan);
    let mut folders: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (path, text) in engine() {
        if let Some((folder, _)) = path.rsplit_once('/') {
            folders.entry(folder.to_owned()).or_default().push((path, text));
        }
    }
    folders.retain(|_, files| files.len() > MAX_FILES_WITHOUT_OVERVIEW);
    let mut missing = Vec::new();
    for (folder, files) in &folders {
        let overview = overviews.get(folder.split('/').next().unwrap()).map_or("", String::as_str);
        let named: Vec<String> = overview.split('`').skip(1).step_by(2).map(|name| format!("/{name}")).collect();
        // Readers look into `mod.rs` and `tests.rs` first, so these files need no entry.
        let files = files.iter().filter(|(path, _)| !path.ends_with("/mod.rs") && !path.ends_with("/tests.rs"));
        let unnamed = files.filter(|(path, text)| {
            !explains_itself(path, text) && !named.iter().any(|name| format!("/{path}").ends_with(name))
        });
        missing.extend(unnamed.map(|(path, _)| path.as_str()));
    }
    assert!(missing.is_empty(), "engine/README.md does not name\n{}", missing.join("\n"));
    assert!(folders.len() > 15, "{} folders", folders.len());
}

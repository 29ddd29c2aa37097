//! Holds the house's plan: which part of the engine may use which, and which outside crate lives where.
//!
//! The table in `engine/README.md` says it in words.

use crate::folder::texts_ending;
use crate::reading::{Used, bare, paths, tokens};
use crate::sources::engine;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A part of the engine (a folder under `engine/`), and the parts it may use; `ROOT` stands for what opens games.
const PARTS: [(&str, &[&str]); 26] = [
    ("system", &[]),
    ("files", &["system"]),
    ("diagnostic", &[]),
    ("phrases", &[]),
    ("model", &["diagnostic", "phrases"]),
    ("table", &["diagnostic", "model"]),
    ("decision", &["model", "table"]),
    ("syntax", &["diagnostic"]),
    ("library", &["diagnostic", "model", "table", "decision"]),
    ("loader", &["files", "diagnostic", "model", "phrases", "library", "syntax"]),
    ("analysis", &["diagnostic", "model", "table", "decision", "library", "syntax"]),
    ("vm", &["diagnostic", "decision", "library", "syntax"]),
    ("script", &["diagnostic", "model", "table", "decision", "library", "syntax", "analysis", "vm"]),
    ("wording", &["diagnostic", "model", "phrases", "table", "decision"]),
    ("session", &["diagnostic", "model", "table", "decision", "library", "script", "wording"]),
    ("playscript", &["diagnostic", "model", "table", "wording", "syntax", "session"]),
    ("faces", &["diagnostic", "model", "wording"]),
    ("paper", &["diagnostic", "model", "phrases", "wording", "syntax", "faces"]),
    ("agents", &["system", "diagnostic", "model", "table", "wording", "session", "playscript"]),
    ("simulation", &["diagnostic", "model", "table", "session", "playscript", "agents"]),
    ("report", &["files", "diagnostic", "model", "table", "wording", "session", "simulation"]),
    (
        "desk",
        &[
            "files",
            "diagnostic",
            "model",
            "phrases",
            "table",
            "library",
            "wording",
            "session",
            "playscript",
            "agents",
            "report",
            ROOT,
        ],
    ),
    (
        "web",
        &[
            "files",
            "diagnostic",
            "model",
            "phrases",
            "table",
            "wording",
            "session",
            "playscript",
            "faces",
            "agents",
            "simulation",
            "report",
            "desk",
            ROOT,
        ],
    ),
    (
        "ide",
        &["diagnostic", "model", "decision", "library", "syntax", "loader", "analysis", "session", "playscript", ROOT],
    ),
    ("lsp", &["diagnostic", "loader", "session", "playscript", "agents", "desk", "ide"]),
    ("cli", &[EVERYTHING]),
];

/// Stands for every part and every file of the root.
const EVERYTHING: &str = "*";

/// The files directly under `engine/`: they put the parts together.
const ROOT: &str = "root";

/// What an agent may know of the table: views of it, and chance of its own.
const AGENTS_SEE: [&str; 6] = ["View", "Seen", "Pointed", "Holder", "Member", "Chance"];

/// An outside crate, or a part of the standard library that one of the parts has to know nothing of, and its homes: parts or files.
const HOMES: [(&str, &[&str]); 62] = [
    ("num_bigint", &["decision"]),
    ("cap_fs_ext", &["files"]),
    ("cap_std", &["system", "files"]),
    ("annotate_snippets", &["diagnostic"]),
    ("strsim", &["diagnostic"]),
    ("toml", &["loader"]),
    ("serde", &["loader", "simulation", "report", "paper", "desk", "web", "cli"]),
    ("serde_json", &["diagnostic", "loader", "agents", "simulation", "report", "desk", "lsp", "cli"]),
    ("lsp_server", &["lsp"]),
    ("lsp_types", &["lsp"]),
    ("notify", &["desk"]),
    ("csv", &["loader", "report"]),
    ("minijinja", &["report", "faces", "web"]),
    ("ammonia", &["faces"]),
    ("cssparser", &["faces"]),
    ("base64", &["faces"]),
    ("csv_core", &["loader"]),
    ("calamine", &["loader"]),
    ("encoding_rs", &["loader"]),
    ("quick_xml", &["loader"]),
    ("rust_xlsxwriter", &["loader"]),
    ("zip", &["loader"]),
    ("axum", &["web"]),
    ("hyper", &["web"]),
    ("hyper_util", &["web"]),
    ("tokio", &["web"]),
    ("tokio_stream", &["web"]),
    ("getrandom", &["files", "web"]),
    ("statrs", &["simulation"]),
    ("ctrlc", &["cli"]),
    ("rustix", &["system"]),
    ("terminal_size", &["cli"]),
    ("rand_xoshiro", &["table"]),
    ("blake3", &["loader", "table", "simulation", "faces", "paper", "web"]),
    ("rhai", &["syntax", "script/walker/mod.rs", "script/walker/runtime.rs"]),
    ("unicode_xid", &["syntax"]),
    ("arcstr", &["decision", "library", "script", "simulation", "vm"]),
    ("rpds", &["decision"]),
    ("pest", &["playscript"]),
    ("pest_derive", &["playscript"]),
    ("rayon", &["simulation", "cli"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("indicatif", &["cli"]),
    ("similar", &["report"]),
    ("skillratings", &["simulation"]),
    ("anstream", &["cli"]),
    ("unicode_width", &["report", "cli"]),
    ("include_dir", &[ROOT]),
    ("mimalloc", &[ROOT]),
    ("itoa", &["report"]),
    ("indexmap", &[EVERYTHING]),
    ("smallvec", &[EVERYTHING]),
    ("rustc_hash", &[EVERYTHING]),
    ("thiserror", &[EVERYTHING]),
    ("std::fs", &["loader/document/folder.rs", "system", "files", "report", "web", "cli"]),
    ("std::env", &["cli"]),
    ("std::time", &["agents", "simulation", "desk", "lsp", "web", "cli"]),
    ("std::thread", &["agents", "desk", "simulation", "lsp", "web", "cli"]),
    ("std::process", &["system", "agents", "report", "cli", ROOT]),
    ("std::net", &["web", "cli"]),
];

/// A word of the language with homes of its own; a home is a part or a file.
const WORDS: [(&str, &[&str]); 8] = [
    ("unsafe", &[]),
    ("HashMap", &[]),
    ("HashSet", &[]),
    ("f32", &["simulation", "report", "cli"]),
    ("f64", &["simulation", "report", "cli"]),
    ("println", &["cli"]),
    ("eprintln", &["cli"]),
    ("dbg", &[]),
];

/// What only an operating system has.
const SYSTEM: [&str; 6] = ["std::fs", "std::env", "std::time", "std::thread", "std::process", "std::net"];

/// The parts and files that are left out without the feature `system`.
const WITH_A_SYSTEM: [&str; 14] = [
    "system",
    "files",
    "faces",
    "paper",
    "agents",
    "simulation",
    "report",
    "desk",
    "ide",
    "lsp",
    "web",
    "cli",
    "loader/document/folder.rs",
    ROOT,
];

#[test]
fn what_needs_an_operating_system_is_left_out_without_one() {
    for (outside, homes) in HOMES.iter().filter(|(outside, _)| SYSTEM.contains(outside)) {
        let stray: Vec<_> = homes.iter().filter(|home| !WITH_A_SYSTEM.contains(home)).collect();
        assert!(stray.is_empty(), "`{outside}` is used by {stray:?}");
    }
    let read =
        |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("engine").join(path)).unwrap();
    let (library, document) = (read("lib.rs"), read("loader/document/mod.rs"));
    let is_gated = |text: &str, module: &str| {
        let before = &text[..text.find(&format!("mod {module};")).unwrap()];
        before[before.rfind(";\n").unwrap_or(0)..].contains("#[cfg(feature = \"system\")]")
    };
    for part in ["system", "files", "faces", "paper", "agents", "simulation", "report", "desk", "ide", "lsp", "cli"] {
        assert!(is_gated(&library, part), "{part}");
    }
    assert!(is_gated(&document, "folder"));
    assert!(!is_gated(&library, "session") && !is_gated(&library, "playscript"));
}

/// Crates that bring C or assembler, threads, clocks, files or entropy.
const OF_A_SYSTEM: [&str; 9] =
    ["cc", "getrandom", "libc", "mimalloc", "psm", "rayon", "rustix", "stacker", "windows-sys"];

/// What is linked into the library where there is no system. (`examples/wasm/check.sh` plays games there, without one import.)
#[test]
fn the_library_without_a_system_links_no_crate_that_needs_one() {
    let tree = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["tree", "--locked", "--offline", "--no-default-features", "--edges", "normal,no-proc-macro"])
        .args(["--prefix", "none", "--format", "{p} {f}"])
        .output()
        .unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).unwrap();
    let crates: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(crates.contains("parlour") && crates.contains("rhai"), "{tree}");
    let stray: Vec<_> = OF_A_SYSTEM.iter().filter(|name| crates.contains(**name)).collect();
    assert!(stray.is_empty(), "{stray:?}");
    // It compiles no C where it is told to be pure.
    let hashes = tree.lines().find(|line| line.starts_with("blake3 ")).unwrap();
    assert!(hashes.split([' ', ',']).any(|feature| feature == "pure"), "{hashes}");
}

#[test]
fn every_part_uses_only_what_it_may() {
    let mut violations = Vec::new();
    for (path, text) in engine() {
        violations.extend(check(&path, &text));
    }
    assert!(
        violations.is_empty(),
        "{} violations of tests/house/layers.rs:\n{}",
        violations.len(),
        violations.join("\n")
    );
}

#[test]
fn what_unix_alone_has_stands_in_one_file() {
    let is_for_unix = |text: &str| ["cfg(unix)", "cfg(all(unix", "os::unix"].iter().any(|word| text.contains(word));
    let files = engine().into_iter().filter(|(_, text)| is_for_unix(text));
    let found: Vec<String> = files.map(|(path, _)| path).collect();
    assert_eq!(found, ["system/mod.rs"]);
    // Tests may be left out elsewhere; what they do there stands in one file, too.
    let is_of_unix = |text: &str| ["os::unix", "rustix::"].iter().any(|word| text.contains(word));
    let tests = texts_ending("tests", &["rs"]).into_iter();
    let found: Vec<String> = tests.filter(|(_, text)| is_of_unix(text)).map(|(path, _)| path).collect();
    assert_eq!(found, ["house/layers.rs", "support/unix.rs"]);
}

#[test]
fn every_folder_of_the_engine_is_a_part() {
    for entry in fs::read_dir("engine").unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let known = PARTS.iter().any(|(part, _)| *part == name);
        assert!(known || !entry.path().is_dir(), "`engine/{name}` has no row in tests/house/layers.rs");
    }
}

#[test]
fn every_file_that_the_plan_names_is_there() {
    let plan = fs::read_to_string("engine/README.md").unwrap();
    let named =
        plan.split('`').skip(1).step_by(2).filter(|name| Path::new(name).extension().is_some_and(|end| end == "rs"));
    let files: Vec<String> = engine().into_iter().map(|(path, _)| format!("/{path}")).collect();
    let is_there =
        |name: &str| Path::new(name).exists() || files.iter().any(|path| path.ends_with(&format!("/{name}")));
    let missing: Vec<_> = named.filter(|name| !is_there(name)).collect();
    assert!(missing.is_empty(), "the plan names {missing:?}");
}

#[test]
fn every_dependency_has_a_home() {
    let manifest: toml::Table = fs::read_to_string("Cargo.toml").unwrap().parse().unwrap();
    for name in manifest["dependencies"].as_table().unwrap().keys() {
        let name = name.replace('-', "_");
        assert!(HOMES.iter().any(|(outside, _)| *outside == name), "`{name}` has no row in tests/house/layers.rs");
    }
}

#[test]
fn every_feature_is_explained_on_the_page_of_the_library() {
    let manifest: toml::Table = fs::read_to_string("Cargo.toml").unwrap().parse().unwrap();
    let library = fs::read_to_string("engine/lib.rs").unwrap();
    let explained: BTreeSet<&str> = library
        .lines()
        .filter_map(|line| line.strip_prefix("//! - `")?.split_once('`'))
        .map(|(feature, _)| feature)
        .collect();
    let features = manifest["features"].as_table().unwrap();
    let there: BTreeSet<&str> = features.keys().map(String::as_str).filter(|feature| *feature != "default").collect();
    assert_eq!(explained, there, "the list of engine/lib.rs, and the features of Cargo.toml");
    // What is said to be on by default is.
    for feature in manifest["features"]["default"].as_array().unwrap() {
        let feature = feature.as_str().unwrap();
        assert!(library.contains(&format!("//! - `{feature}` (on by default)")), "{feature}");
    }
}

#[test]
fn violations_are_found_with_file_and_line() {
    let found = |path: &str, text: &str| check(path, text).join("\n");
    let above = "use crate::{\n    model::{Seat, Model},\n    session::Session as Game,\n};";
    assert_eq!(found("table/mod.rs", above), "engine/table/mod.rs:3: `table` uses `session`");
    assert_eq!(
        found("table/a.rs", "fn f() { crate::load(1) }"),
        "engine/table/a.rs:1: `table` uses `load` of the root"
    );
    assert_eq!(found("model/a.rs", "use super::super::table::Table;"), "engine/model/a.rs:1: `model` uses `table`");
    assert_eq!(
        found("agents/a.rs", "use crate::table::{View, Table};"),
        "engine/agents/a.rs:1: `agents` uses `table::Table`"
    );
    assert_eq!(
        found("desk/a.rs", "fn f() { crate::load(1); crate::cli::main() }"),
        "engine/desk/a.rs:1: `desk` uses `cli`"
    );
    assert_eq!(found("cli/a.rs", "use crate::load;\nuse clap::Parser;\nlet x: f64 = std::env::args();"), "");
    assert_eq!(found("model/a.rs", "\n#[derive(serde::Serialize)]"), "engine/model/a.rs:2: `model` uses `serde`");
    assert_eq!(found("library/a.rs", "use rhai::Engine;"), "engine/library/a.rs:1: `library` uses `rhai`");
    assert_eq!(found("script/a.rs", "fn f() { rhai::Engine::new() }"), "engine/script/a.rs:1: `script` uses `rhai`");
    assert_eq!(found("table/a.rs", "use std::{fmt, fs};"), "engine/table/a.rs:1: `table` uses `std::fs`");
    assert_eq!(found("script/a.rs", "unsafe {}"), "engine/script/a.rs:1: `unsafe` stands outside nowhere at home");
    let quoted = "// use crate::cli;\n/* /* */ crate::cli */ \"\\\" crate::cli\" r#\"crate::\"cli\"# '\"' b'\\'' 'a crate::model";
    assert_eq!(found("loader/a.rs", quoted), "");
    assert_eq!(found("loader/a.rs", &format!("{quoted}; crate::cli")), "engine/loader/a.rs:2: `loader` uses `cli`");
}

/// What one file uses and must not.
fn check(path: &str, text: &str) -> Vec<String> {
    let part = path.split_once('/').map_or(ROOT, |(part, _)| part);
    let mut found = BTreeSet::new();
    for Used { line, path: used, .. } in paths(&tokens(&bare(text))) {
        if let Some(violation) = crossing(part, &used).or_else(|| astray((part, path), &used)) {
            found.insert((line, violation));
        }
    }
    for (line, word) in tokens(&bare(text)) {
        let Some((_, homes)) = WORDS.iter().find(|(known, _)| *known == word) else { continue };
        if !homes.contains(&part) && !homes.contains(&path) {
            let homes = if homes.is_empty() { "nowhere at home".to_owned() } else { homes.join(", ") };
            found.insert((line, format!("`{word}` stands outside {homes}")));
        }
    }
    found.into_iter().map(|(line, violation)| format!("engine/{path}:{line}: {violation}")).collect()
}

/// What is wrong with a path into the engine, seen from a part.
fn crossing(part: &str, used: &[String]) -> Option<String> {
    let inside = match used.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["crate", first, ..] => first,
        ["super", "super", first, ..] if PARTS.iter().any(|(part, _)| *part == first) => first,
        _ => return None,
    };
    let (_, may_use) = PARTS.iter().find(|(known, _)| *known == part)?;
    if inside == part || may_use.contains(&EVERYTHING) {
        return None;
    }
    if !PARTS.iter().any(|(known, _)| *known == inside) {
        return (!may_use.contains(&ROOT)).then(|| format!("`{part}` uses `{inside}` of the root"));
    }
    if !may_use.contains(&inside) {
        return Some(format!("`{part}` uses `{inside}`"));
    }
    let item = used.last().filter(|item| part == "agents" && inside == "table" && !AGENTS_SEE.contains(&item.as_str()));
    item.map(|item| format!("`{part}` uses `{inside}::{item}`"))
}

/// What is wrong with a path out of the engine, seen from a part.
fn astray((part, path): (&str, &str), used: &[String]) -> Option<String> {
    let outside = if used[0] == "std" && used.len() > 1 { format!("std::{}", used[1]) } else { used[0].clone() };
    let (_, homes) = HOMES.iter().find(|(known, _)| *known == outside)?;
    let allowed = homes.iter().any(|home| [part, path, EVERYTHING].contains(home));
    (!allowed).then(|| format!("`{part}` uses `{outside}`"))
}

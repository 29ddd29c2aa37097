//! Enforces the dependencies between the top-level modules of the engine, and the external crates that each module may use.
//!
//! `engine/README.md` documents the same dependencies.

use crate::folder::texts_with_extension;
use crate::rust_tokens::{Used, paths, strip_comments_and_literals, tokens};
use crate::sources::engine;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Top-level modules (folders under `engine/` and `engine/core/`), each with the modules that it may use. [`ROOT`] represents the files directly under
/// `engine/`.
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
    ("simulation", &["system", "diagnostic", "model", "table", "session", "playscript", "agents"]),
    ("report", &["files", "diagnostic", "model", "table", "wording", "session", "simulation"]),
    (
        "desk",
        &[
            "system",
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
            "system",
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
            "loader",
            ROOT,
        ],
    ),
    (
        "ide",
        &["diagnostic", "model", "decision", "library", "syntax", "loader", "analysis", "session", "playscript", ROOT],
    ),
    ("lsp", &["system", "diagnostic", "loader", "session", "playscript", "agents", "desk", "ide"]),
    ("cli", &[EVERYTHING]),
];

/// Wildcard for all modules, including [`ROOT`].
const EVERYTHING: &str = "*";

/// Name for the files directly under `engine/`, which combine the modules and open games.
const ROOT: &str = "root";

/// Items of `table` that `agents` may use: random numbers, and views of the table, which hide secrets, with the types that views contain.
const VISIBLE_TO_AGENTS: [&str; 6] = ["View", "VisiblePiece", "ReferencedPiece", "Holder", "Member", "Chance"];

/// External crates and restricted modules of the standard library, each with the modules or files that may use it.
const HOMES: [(&str, &[&str]); 66] = [
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
    ("flate2", &["cli"]),
    ("png", &["cli"]),
    ("sha2", &["cli"]),
    ("csv", &["loader", "report"]),
    ("minijinja", &["report", "faces", "web"]),
    ("ammonia", &["faces"]),
    ("html5ever", &["faces"]),
    ("cssparser", &["faces"]),
    ("base64", &["faces", "cli"]),
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
    ("itoa", &["report", "simulation"]),
    ("indexmap", &[EVERYTHING]),
    ("smallvec", &[EVERYTHING]),
    ("rustc_hash", &[EVERYTHING]),
    ("thiserror", &[EVERYTHING]),
    ("std::fs", &["loader/document/folder.rs", "system", "files", "report", "web", "cli"]),
    ("std::env", &["system", "cli"]),
    ("std::time", &["agents", "simulation", "desk", "lsp", "web", "cli"]),
    ("std::thread", &["system", "agents", "desk", "simulation", "lsp", "web", "cli"]),
    ("std::process", &["system", "agents", "report", "cli", ROOT]),
    ("std::net", &["web", "cli"]),
];

/// Restricted keywords, types and macros, each with the modules or files that may use it.
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

/// Modules of the standard library that require an operating system.
const SYSTEM_MODULES: [&str; 6] = ["std::fs", "std::env", "std::time", "std::thread", "std::process", "std::net"];

/// Modules and files that are not compiled without the Cargo feature `system`.
const SYSTEM_ONLY: [&str; 14] = [
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
fn modules_that_use_the_operating_system_need_the_system_feature() {
    for (used, homes) in HOMES.iter().filter(|(used, _)| SYSTEM_MODULES.contains(used)) {
        let stray: Vec<_> = homes.iter().filter(|home| !SYSTEM_ONLY.contains(home)).collect();
        assert!(stray.is_empty(), "`{used}` is used by {stray:?}");
    }
    let read =
        |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("engine").join(path)).unwrap();
    let (library, document) = (read("lib.rs"), read("loader/document/mod.rs"));
    let is_gated = |text: &str, module: &str, gate: &str| {
        let before = &text[..text.find(&format!("mod {module};")).unwrap()];
        before[before.rfind(";\n").unwrap_or(0)..].contains(&format!("#[cfg({gate})]"))
    };
    let system = "feature = \"system\"";
    for part in ["paper", "ide", "lsp", "cli"] {
        assert!(is_gated(&library, part, system), "{part}");
    }
    // With the feature `page` but without `system`, these modules are built with replacements for the code that requires an operating
    // system.
    for part in ["system", "files", "faces", "agents", "simulation", "report", "desk"] {
        assert!(is_gated(&library, part, "any(feature = \"system\", feature = \"page\")"), "{part}");
    }
    assert!(is_gated(&document, "folder", system));
    let is_always_built = |part: &str| !library[..library.find(&format!("mod {part};")).unwrap()].ends_with("]\npub ");
    assert!(is_always_built("loader") && is_always_built("playscript"));
}

/// Crates that contain C or assembler, or need threads, clocks, files or entropy.
const SYSTEM_CRATES: [&str; 9] =
    ["cc", "getrandom", "libc", "mimalloc", "psm", "rayon", "rustix", "stacker", "windows-sys"];

/// Checks the dependency tree without default features. `examples/wasm/check.sh` also plays games in a WebAssembly module without
/// imports.
#[test]
fn the_library_without_the_system_feature_links_no_system_crates() {
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
    let stray: Vec<_> = SYSTEM_CRATES.iter().filter(|name| crates.contains(**name)).collect();
    assert!(stray.is_empty(), "{stray:?}");
    // The feature `pure` of `blake3` replaces its C and assembler code.
    let hashes = tree.lines().find(|line| line.starts_with("blake3 ")).unwrap();
    assert!(hashes.split([' ', ',']).any(|feature| feature == "pure"), "{hashes}");
}

#[test]
fn every_module_uses_only_its_allowed_dependencies() {
    let mut found = Vec::new();
    for (path, text) in engine() {
        found.extend(violations(&path, &text));
    }
    assert!(found.is_empty(), "{} violations of tests/house/layers.rs:\n{}", found.len(), found.join("\n"));
}

#[test]
fn unix_specific_code_is_in_one_file() {
    let is_for_unix = |text: &str| ["cfg(unix)", "cfg(all(unix", "os::unix"].iter().any(|word| text.contains(word));
    let files = engine().into_iter().filter(|(_, text)| is_for_unix(text));
    let found: Vec<String> = files.map(|(path, _)| path).collect();
    assert_eq!(found, ["system/mod.rs"]);
    // Tests may use `cfg(unix)`, but only one support file may call Unix functions. This file contains the search strings.
    let uses_unix_api = |text: &str| ["os::unix", "rustix::"].iter().any(|word| text.contains(word));
    let tests = texts_with_extension("tests", &["rs"]).into_iter();
    let found: Vec<String> = tests.filter(|(_, text)| uses_unix_api(text)).map(|(path, _)| path).collect();
    assert_eq!(found, ["house/layers.rs", "support/unix.rs"]);
}

#[test]
fn every_folder_of_the_engine_has_a_row() {
    for entry in ["engine", "engine/core"].into_iter().flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let known = name == "core" || PARTS.iter().any(|(part, _)| *part == name);
        assert!(known || !entry.path().is_dir(), "`engine/{name}` has no row in tests/house/layers.rs");
    }
}

#[test]
fn files_named_in_the_engine_readme_exist() {
    let readme = fs::read_to_string("engine/README.md").unwrap();
    let named =
        readme.split('`').skip(1).step_by(2).filter(|name| Path::new(name).extension().is_some_and(|end| end == "rs"));
    let files: Vec<String> = engine().into_iter().map(|(path, _)| format!("/{path}")).collect();
    let exists = |name: &str| Path::new(name).exists() || files.iter().any(|path| path.ends_with(&format!("/{name}")));
    let missing: Vec<_> = named.filter(|name| !exists(name)).collect();
    assert!(missing.is_empty(), "engine/README.md names files that do not exist: {missing:?}");
}

#[test]
fn every_dependency_has_a_home() {
    let manifests = ["Cargo.toml", "engine/core/Cargo.toml"]
        .map(|path| fs::read_to_string(path).unwrap().parse::<toml::Table>().unwrap());
    let names = manifests.iter().flat_map(|manifest| manifest["dependencies"].as_table().unwrap().keys());
    for name in names.filter(|name| *name != "parlour-core") {
        let name = name.replace('-', "_");
        assert!(HOMES.iter().any(|(used, _)| *used == name), "`{name}` has no row in tests/house/layers.rs");
    }
}

#[test]
fn every_cargo_feature_is_documented_in_lib_rs() {
    let manifest: toml::Table = fs::read_to_string("Cargo.toml").unwrap().parse().unwrap();
    let library = fs::read_to_string("engine/lib.rs").unwrap();
    let documented: BTreeSet<&str> = library
        .lines()
        .filter_map(|line| line.strip_prefix("//! - `")?.split_once('`'))
        .map(|(feature, _)| feature)
        .collect();
    let features = manifest["features"].as_table().unwrap();
    let declared: BTreeSet<&str> =
        features.keys().map(String::as_str).filter(|feature| *feature != "default").collect();
    assert_eq!(documented, declared, "features in engine/lib.rs, features in Cargo.toml");
    for feature in manifest["features"]["default"].as_array().unwrap() {
        let feature = feature.as_str().unwrap();
        assert!(library.contains(&format!("//! - `{feature}` (on by default)")), "{feature}");
    }
}

#[test]
fn violations_are_reported_with_file_and_line() {
    let found = |path: &str, text: &str| violations(path, text).join("\n");
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
    assert_eq!(found("script/a.rs", "unsafe {}"), "engine/script/a.rs:1: `unsafe` is not allowed anywhere");
    let quoted = "// use crate::cli;\n/* /* */ crate::cli */ \"\\\" crate::cli\" r#\"crate::\"cli\"# '\"' b'\\'' 'a crate::model";
    assert_eq!(found("loader/a.rs", quoted), "");
    assert_eq!(found("loader/a.rs", &format!("{quoted}; crate::cli")), "engine/loader/a.rs:2: `loader` uses `cli`");
}

/// Returns the forbidden dependencies in a file, each with its file and line.
fn violations(path: &str, text: &str) -> Vec<String> {
    let part = path.split_once('/').map_or(ROOT, |(part, _)| part);
    let mut found = BTreeSet::new();
    for Used { line, path: used, .. } in paths(&tokens(&strip_comments_and_literals(text))) {
        if let Some(violation) = internal_violation(part, &used).or_else(|| external_violation((part, path), &used)) {
            found.insert((line, violation));
        }
    }
    for (line, word) in tokens(&strip_comments_and_literals(text)) {
        let Some((_, homes)) = WORDS.iter().find(|(known, _)| *known == word) else { continue };
        if !homes.contains(&part) && !homes.contains(&path) {
            let allowed =
                if homes.is_empty() { "anywhere".to_owned() } else { format!("outside {}", homes.join(", ")) };
            found.insert((line, format!("`{word}` is not allowed {allowed}")));
        }
    }
    found.into_iter().map(|(line, violation)| format!("engine/{path}:{line}: {violation}")).collect()
}

/// Returns a description of the violation if a module uses a path of the engine that it must not use.
fn internal_violation(part: &str, used: &[String]) -> Option<String> {
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
    let item =
        used.last().filter(|item| part == "agents" && inside == "table" && !VISIBLE_TO_AGENTS.contains(&item.as_str()));
    item.map(|item| format!("`{part}` uses `{inside}::{item}`"))
}

/// Returns a description of the violation if a module uses a path outside the engine that it must not use.
fn external_violation((part, path): (&str, &str), used: &[String]) -> Option<String> {
    let external = if used[0] == "std" && used.len() > 1 { format!("std::{}", used[1]) } else { used[0].clone() };
    let (_, homes) = HOMES.iter().find(|(known, _)| *known == external)?;
    let allowed = homes.iter().any(|home| [part, path, EVERYTHING].contains(home));
    (!allowed).then(|| format!("`{part}` uses `{external}`"))
}

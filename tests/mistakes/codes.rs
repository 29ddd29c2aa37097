//! The codes of diagnostics: each that the engine can give has a file of cases, and each file is about one of them.

use crate::case::{FOLDERS, code, files};
use std::collections::BTreeSet;
use std::path::Path;

/// Codes without cases, each with its reason.
const WITHOUT_CASES: [(&str, &str); 4] = [
    ("arrange", "only a program can ask for it, before anything has begun"),
    ("internal", "a defect of the engine, which nobody can bring about on purpose"),
    ("no-threads", "the operating system gives no threads"),
    ("several-games", "only `run --from` tells it; tests/scripted.rs does"),
];

/// What stands before the code of a diagnostic in the engine's source.
const BEFORE: [&str; 6] = ["Diagnostic::error(", "Diagnostic::warning(", "Fault::new(", "said(", "unknown(", "fail("];

/// Every code that is written in the engine's source.
fn written(folder: &Path, codes: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            written(&path, codes);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap();
            for before in BEFORE {
                codes.extend(text.split(before).skip(1).filter_map(first_word));
            }
        }
    }
}

/// The code at the beginning of a list of arguments, if it is given in quotes: the first, or after the thing that failed.
fn first_word(arguments: &str) -> Option<String> {
    let arguments = arguments.trim_start();
    let arguments = arguments.strip_prefix("statement,").map_or(arguments, str::trim_start);
    let (word, _) = arguments.strip_prefix('"')?.split_once('"')?;
    let is_code = !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit());
    is_code.then(|| word.to_owned())
}

fn in_source() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    written(&Path::new(env!("CARGO_MANIFEST_DIR")).join("engine"), &mut codes);
    codes
}

fn with_cases() -> BTreeSet<String> {
    let files = FOLDERS.iter().flat_map(|folder| files(folder));
    files.map(|file| code(&file)).filter(|code| code != "nothing").collect()
}

#[test]
fn every_code_has_a_file_of_cases() {
    let with_cases = with_cases();
    let is_excused = |code: &&String| WITHOUT_CASES.iter().any(|(known, _)| *known == **code);
    let codes = in_source();
    assert!(codes.len() > 80, "the codes were found: {codes:?}");
    let missing: Vec<&String> = codes.difference(&with_cases).filter(|code| !is_excused(code)).collect();
    assert!(missing.is_empty(), "no file under tests/cases/ for {missing:?}");
    let idle: Vec<&str> = WITHOUT_CASES.iter().map(|(code, _)| *code).filter(|code| !codes.contains(*code)).collect();
    assert!(idle.is_empty(), "no code of the engine any more: {idle:?}");
}

#[test]
fn every_file_of_cases_is_about_a_code() {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine");
    let mut all = String::new();
    collect(&engine, &mut all);
    let unknown: Vec<String> = with_cases().into_iter().filter(|code| !all.contains(&format!("\"{code}\""))).collect();
    assert!(unknown.is_empty(), "no code of the engine: {unknown:?}");
}

fn collect(folder: &Path, all: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, all);
        } else {
            all.push_str(&std::fs::read_to_string(&path).unwrap_or_default());
        }
    }
}

//! The codes of diagnostics: each that the engine can give has a file of cases and is explained on a page of the guide, and
//! each file and each explanation is about one of them.

use crate::case::{Case, FOLDERS, code, files};
use crate::folder::{texts, texts_ending};
use crate::{loader, plays, scripts};
use parlour::diagnostic::{Example, explanations};
use std::collections::BTreeSet;

/// Codes without cases, each with its reason.
const WITHOUT_CASES: [(&str, &str); 6] = [
    ("arrange", "only a program can ask for it, before anything has begun"),
    ("internal", "a defect of the engine, which nobody can bring about on purpose"),
    ("no-threads", "the operating system gives no threads"),
    ("relaxed-worlds", "only who imagines worlds comes to it; tests/sessions/learned.rs does"),
    ("telling-options", "only who imagines worlds comes to it; tests/sessions/learned.rs does"),
    ("several-games", "only `run --from` tells it; tests/commands/scripted.rs does"),
];

/// What stands before the code of a diagnostic in the engine's source.
const BEFORE: [&str; 6] = ["Diagnostic::error(", "Diagnostic::warning(", "Fault::new(", "said(", "unknown(", "fail("];

/// Every code that is written in the texts of the engine's source.
fn written(texts: &[(String, String)], codes: &mut BTreeSet<String>) {
    for (_, text) in texts {
        let text = text.split("#[cfg(test)]").next().unwrap();
        for before in BEFORE {
            codes.extend(text.split(before).skip(1).filter_map(first_word));
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
    written(&texts_ending("engine", &["rs"]), &mut codes);
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
    let all: String = texts("engine").into_iter().map(|(_, text)| text).collect();
    let unknown: Vec<String> = with_cases().into_iter().filter(|code| !all.contains(&format!("\"{code}\""))).collect();
    assert!(unknown.is_empty(), "no code of the engine: {unknown:?}");
}

#[test]
fn every_code_is_explained_and_nothing_else() {
    let mut codes: BTreeSet<String> = in_source();
    codes.extend(with_cases());
    let explained: Vec<String> = explanations().map(|known| known.code.to_owned()).collect();
    let missing: Vec<&String> = codes.iter().filter(|code| !explained.contains(code)).collect();
    assert!(missing.is_empty(), "docs/src/codes.md does not explain {missing:?}");
    let idle: Vec<&String> = explained.iter().filter(|code| !codes.contains(*code)).collect();
    assert!(idle.is_empty(), "docs/src/codes.md explains what is no code: {idle:?}");
    assert!(explained.is_sorted_by(|a, b| a < b), "docs/src/codes.md goes by the alphabet");
}

/// Codes whose example no file of a game brings about alone: another program does, or an agent that imagines worlds.
const NOT_TOLD: [&str; 5] = ["arrange", "no-threads", "relaxed-worlds", "several-games", "telling-options"];

/// What is said about an example, as about the cases in its language.
fn said(example: &Example) -> String {
    let case = Case::new("", &format!("{}\n", example.text), "");
    match example.language {
        "toml" => loader::said(&case),
        "rhai" => scripts::said(&case),
        "text" => "nothing".to_owned(),
        _ => plays::said(&case),
    }
}

#[test]
fn every_example_of_a_code_is_told_of_and_nothing_is_once_it_is_mended() {
    let mut wrong = Vec::new();
    for known in explanations() {
        let found = known.wrong.map(|example| said(&example));
        let is_told = found.as_ref().is_some_and(|found| found.contains(&format!("[{}]: ", known.code)));
        if found.is_some() && is_told == NOT_TOLD.contains(&known.code) {
            wrong.push(format!("the wrong example of `{}` is told nothing of", known.code));
        }
        let found = known.right.map_or("nothing".to_owned(), |example| said(&example));
        if found.trim() != "nothing" {
            wrong.push(format!("the right example of `{}` is told\n{found}", known.code));
        }
        if known.code != "internal" && (known.wrong.is_none() || known.right.is_none()) {
            wrong.push(format!("`{}` has no example, or none that is mended", known.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_kind_of_message_is_one_of_five() {
    let kinds = ["author's error", "rule fault", "failed play", "warning", "internal error"];
    for known in explanations() {
        let named = known.kind.to_lowercase();
        assert!(named.split(", or ").all(|kind| kinds.contains(&kind)), "{}: {named}", known.code);
        assert!(known.meaning.ends_with('.'), "{}: {}", known.code, known.meaning);
    }
}

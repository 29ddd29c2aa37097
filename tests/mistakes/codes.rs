//! Checks the codes of diagnostics. Each code in the engine has a case file and an explanation in the guide, and there are no other files
//! or explanations.

use crate::case::{Case, FOLDERS, code, files};
use crate::folder::{texts, texts_with_extension};
use crate::{loader, plays, scripts};
use parlour::diagnostic::{Example, explanations};
use std::collections::BTreeSet;

/// Codes that need no cases, each with the reason.
const WITHOUT_CASES: [(&str, &str); 6] = [
    ("arrange", "only programs that use the library can cause it"),
    ("internal", "a bug in the engine, which cannot be caused on purpose"),
    ("no-threads", "the operating system cannot start threads"),
    ("relaxed-worlds", "only agents that imagine worlds cause it; tested in tests/sessions/learned.rs"),
    ("telling-options", "only agents that imagine worlds cause it; tested in tests/sessions/learned.rs"),
    ("several-games", "only `run --from` reports it; tested in tests/commands/scripted.rs"),
];

/// Calls in the engine's source that take a code as an argument.
const CODE_CALLS: [&str; 6] =
    ["Diagnostic::error(", "Diagnostic::warning(", "Fault::new(", "said(", "unknown(", "fail("];

/// Adds the codes that occur in the source texts to `codes`.
fn collect_codes(texts: &[(String, String)], codes: &mut BTreeSet<String>) {
    for (_, text) in texts {
        let text = text.split("#[cfg(test)]").next().unwrap();
        for before in CODE_CALLS {
            codes.extend(text.split(before).skip(1).filter_map(code_argument));
        }
    }
}

/// Returns the code in an argument list if it is a string literal: the first argument, or the argument after `statement`.
fn code_argument(arguments: &str) -> Option<String> {
    let arguments = arguments.trim_start();
    let arguments = arguments.strip_prefix("statement,").map_or(arguments, str::trim_start);
    let (word, _) = arguments.strip_prefix('"')?.split_once('"')?;
    let is_code = !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit());
    is_code.then(|| word.to_owned())
}

/// Returns the codes that occur in the engine's source.
fn codes_in_source() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    collect_codes(&texts_with_extension("engine", &["rs"]), &mut codes);
    codes
}

/// Returns the codes that have a case file.
fn codes_with_cases() -> BTreeSet<String> {
    let files = FOLDERS.iter().flat_map(|folder| files(folder));
    files.map(|file| code(&file)).filter(|code| code != "nothing").collect()
}

#[test]
fn every_code_has_a_file_of_cases() {
    let with_cases = codes_with_cases();
    let is_excepted = |code: &&String| WITHOUT_CASES.iter().any(|(known, _)| *known == **code);
    let codes = codes_in_source();
    assert!(codes.len() > 80, "only these codes were found: {codes:?}");
    let missing: Vec<&String> = codes.difference(&with_cases).filter(|code| !is_excepted(code)).collect();
    assert!(missing.is_empty(), "no file under tests/cases/ for {missing:?}");
    let unused: Vec<&str> = WITHOUT_CASES.iter().map(|(code, _)| *code).filter(|code| !codes.contains(*code)).collect();
    assert!(unused.is_empty(), "not a code of the engine: {unused:?}");
}

#[test]
fn every_file_of_cases_is_named_after_a_code() {
    let all: String = texts("engine").into_iter().map(|(_, text)| text).collect();
    let unknown: Vec<String> =
        codes_with_cases().into_iter().filter(|code| !all.contains(&format!("\"{code}\""))).collect();
    assert!(unknown.is_empty(), "not a code of the engine: {unknown:?}");
}

#[test]
fn the_guide_explains_exactly_the_existing_codes() {
    let mut codes: BTreeSet<String> = codes_in_source();
    codes.extend(codes_with_cases());
    let explained: Vec<String> = explanations().map(|known| known.code.to_owned()).collect();
    let missing: Vec<&String> = codes.iter().filter(|code| !explained.contains(code)).collect();
    assert!(missing.is_empty(), "docs/src/codes.md does not explain {missing:?}");
    let unknown: Vec<&String> = explained.iter().filter(|code| !codes.contains(*code)).collect();
    assert!(unknown.is_empty(), "docs/src/codes.md explains unknown codes: {unknown:?}");
    assert!(explained.is_sorted_by(|a, b| a < b), "docs/src/codes.md is sorted");
}

/// Codes that are not reported for their examples, because the message requires another program or an agent that imagines worlds.
const NOT_REPRODUCIBLE: [&str; 5] = ["arrange", "no-threads", "relaxed-worlds", "several-games", "telling-options"];

/// Runs an example as a test case for its language, and returns its diagnostics.
fn diagnostics(example: &Example) -> String {
    let case = Case::new("", &format!("{}\n", example.text), "");
    match example.language {
        "toml" => loader::diagnostics(&case),
        "rhai" => scripts::diagnostics(&case),
        "text" => "nothing".to_owned(),
        _ => plays::diagnostics(&case),
    }
}

#[test]
fn wrong_examples_of_codes_are_reported_and_corrected_ones_are_not() {
    let mut wrong = Vec::new();
    for known in explanations() {
        let found = known.wrong.map(|example| diagnostics(&example));
        let is_reported = found.as_ref().is_some_and(|found| found.contains(&format!("[{}]: ", known.code)));
        if found.is_some() && is_reported == NOT_REPRODUCIBLE.contains(&known.code) {
            wrong.push(format!("the wrong example of `{}` does not cause the message", known.code));
        }
        let found = known.right.map_or("nothing".to_owned(), |example| diagnostics(&example));
        if found.trim() != "nothing" {
            wrong.push(format!("the corrected example of `{}` has diagnostics:\n{found}", known.code));
        }
        if known.code != "internal" && (known.wrong.is_none() || known.right.is_none()) {
            wrong.push(format!("`{}` lacks a wrong or a corrected example", known.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn explanations_have_a_known_kind_of_message() {
    let kinds = ["author's error", "rule fault", "failed play", "warning", "internal error"];
    for known in explanations() {
        let kind = known.kind.to_lowercase();
        assert!(kind.split(", or ").all(|one| kinds.contains(&one)), "{}: {kind}", known.code);
        assert!(known.meaning.ends_with('.'), "{}: {}", known.code, known.meaning);
    }
}

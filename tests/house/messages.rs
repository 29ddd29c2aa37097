//! Checks where messages are built. Each code of the analysis has its own file, and a message that several modules report is built in one
//! file.

use crate::sources::engine;
use std::collections::BTreeMap;

/// Codes that several modules report, each with the file that builds the message.
const ONE_HOME: [(&str, &str); 13] = [
    ("choice-out-of-place", "diagnostic/sentence.rs"),
    ("fixed-name", "diagnostic/sentence.rs"),
    ("not-a-list", "diagnostic/sentence.rs"),
    ("not-arranging", "diagnostic/sentence.rs"),
    ("unknown-field", "diagnostic/unknown_field.rs"),
    ("unknown-relation", "library/unknown_name.rs"),
    ("unknown-side", "library/unknown_name.rs"),
    ("unknown-text", "library/unknown_name.rs"),
    ("unknown-way", "library/unknown_name.rs"),
    ("while-supposing", "diagnostic/sentence.rs"),
    ("wrong-options", "diagnostic/sentence.rs"),
    ("wrong-piece", "diagnostic/sentence.rs"),
    ("wrong-place", "diagnostic/sentence.rs"),
];

/// Calls that build a message; their first argument is the code.
const CONSTRUCTORS: [&str; 4] = ["Diagnostic::error(", "Diagnostic::warning(", "Fault::new(", "unknown("];

/// Returns the codes that are passed to [`CONSTRUCTORS`] as string literals.
fn codes(text: &str) -> Vec<&str> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let calls = CONSTRUCTORS.iter().flat_map(|constructor| text.split(constructor).skip(1));
    calls.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next()).collect()
}

#[test]
fn every_analysis_code_has_its_own_file() {
    let mut misplaced = Vec::new();
    for (path, text) in engine().iter().filter(|(path, _)| path.starts_with("analysis/")) {
        let own = |code: &str| *path == format!("analysis/mistakes/{}.rs", code.replace('-', "_"));
        misplaced.extend(codes(text).into_iter().filter(|code| !own(code)).map(|code| format!("`{code}` in {path}")));
    }
    assert!(misplaced.is_empty(), "{}", misplaced.join("\n"));
}

#[test]
fn shared_messages_are_built_in_one_file() {
    let mut duplicates: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (path, text) in engine() {
        for code in codes(&text) {
            if let Some((code, home)) = ONE_HOME.iter().find(|(known, _)| *known == code)
                && path != *home
            {
                duplicates.entry(code).or_default().push(path.clone());
            }
        }
    }
    assert!(duplicates.is_empty(), "built outside their files: {duplicates:?}");
    for (code, home) in ONE_HOME {
        let text = engine().into_iter().find(|(path, _)| path == home).unwrap().1;
        assert!(text.contains(&format!("\"{code}\"")), "`{code}` is not built in {home}");
    }
}

#[test]
fn codes_in_constructor_calls_are_found() {
    let text = "Diagnostic::error(\n    \"no-order\", x); Fault::new(\"no-score\", y); self.fail(statement, \"other\")";
    assert_eq!(codes(text), ["no-order", "no-score"]);
}

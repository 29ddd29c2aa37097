//! Holds where messages are made: a code of the analysis in the file of its name, and a sentence that several parts say in one file.

use crate::sources::engine;
use std::collections::BTreeMap;

/// Codes whose headline more than one part says, with the one file that makes it.
const ONE_HOME: [(&str, &str); 13] = [
    ("choice-out-of-place", "diagnostic/sentence.rs"),
    ("fixed-name", "diagnostic/sentence.rs"),
    ("not-a-list", "diagnostic/sentence.rs"),
    ("not-arranging", "diagnostic/sentence.rs"),
    ("unknown-field", "diagnostic/lacking.rs"),
    ("unknown-relation", "library/unknown_name.rs"),
    ("unknown-side", "library/unknown_name.rs"),
    ("unknown-text", "library/unknown_name.rs"),
    ("unknown-way", "library/unknown_name.rs"),
    ("while-supposing", "diagnostic/sentence.rs"),
    ("wrong-options", "diagnostic/sentence.rs"),
    ("wrong-piece", "diagnostic/sentence.rs"),
    ("wrong-place", "diagnostic/sentence.rs"),
];

/// What makes a message of a code.
const MAKERS: [&str; 4] = ["Diagnostic::error(", "Diagnostic::warning(", "Fault::new(", "unknown("];

/// The codes with which a text makes messages, where they are written there.
fn codes(text: &str) -> Vec<&str> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let makes = MAKERS.iter().flat_map(|maker| text.split(maker).skip(1));
    makes.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next()).collect()
}

#[test]
fn a_code_of_the_analysis_has_a_file_of_its_own() {
    let mut astray = Vec::new();
    for (path, text) in engine().iter().filter(|(path, _)| path.starts_with("analysis/")) {
        let own = |code: &str| *path == format!("analysis/mistakes/{}.rs", code.replace('-', "_"));
        astray.extend(codes(text).into_iter().filter(|code| !own(code)).map(|code| format!("`{code}` in {path}")));
    }
    assert!(astray.is_empty(), "{}", astray.join("\n"));
}

#[test]
fn a_sentence_that_several_parts_say_is_made_in_one_file() {
    let mut made: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (path, text) in engine() {
        for code in codes(&text) {
            if let Some((code, home)) = ONE_HOME.iter().find(|(known, _)| *known == code)
                && path != *home
            {
                made.entry(code).or_default().push(path.clone());
            }
        }
    }
    assert!(made.is_empty(), "{made:?}");
    for (code, home) in ONE_HOME {
        let text = engine().into_iter().find(|(path, _)| path == home).unwrap().1;
        assert!(text.contains(&format!("\"{code}\"")), "`{code}` is not made in {home}");
    }
}

#[test]
fn codes_of_messages_are_found() {
    let text = "Diagnostic::error(\n    \"no-order\", x); Fault::new(\"no-score\", y); self.fail(statement, \"other\")";
    assert_eq!(codes(text), ["no-order", "no-score"]);
}

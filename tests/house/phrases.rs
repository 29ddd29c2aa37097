//! Checks that translated texts are only in `engine/core/phrases/`, and that each phrase is used.
//!
//! The compiler ensures that each language has all phrases. A unit test in `engine/core/phrases` compares the placeholders of the languages.

use crate::folder::texts_with_extension;
use crate::sources::engine;
use parlour::model::Language;
use std::fs;

/// Folder that contains the phrases.
const HOME: &str = "phrases/";

/// Other files that may contain East Asian characters, each with the reason.
const EXCEPTIONS: [(&str, &str); 5] = [
    ("cli/keys.rs", "shows how a game gives a name in several languages"),
    ("cli/prompt.rs", "reads wide digits as ASCII digits"),
    ("cli/wrap.rs", "knows where a line must not break"),
    ("diagnostic/lookalikes.rs", "knows which characters are typed in place of ASCII ones"),
    ("loader/document/toml_help.rs", "recognizes wide digits in a file"),
];

#[test]
fn translated_texts_are_in_the_phrases_module() {
    let mut exceptions = Vec::new();
    for (path, text) in engine().into_iter().chain(templates()) {
        if path.starts_with(HOME) {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap();
        let mut code = code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
        if let Some((at, line)) = code.find(|(_, line)| line.contains(is_east_asian)) {
            let is_known = EXCEPTIONS.iter().any(|(known, _)| *known == path);
            assert!(is_known, "engine/{path}:{}: move this text to engine/core/{HOME}: {}", at + 1, line.trim());
            exceptions.push(path);
        }
    }
    assert_eq!(exceptions, EXCEPTIONS.map(|(path, _)| path), "each exception is needed, and the list is sorted");
}

#[test]
fn no_module_compares_languages() {
    for (path, text) in engine() {
        assert!(path.starts_with(HOME) || !text.contains("TraditionalChinese"), "engine/{path}");
    }
    for (path, text) in templates() {
        let tags = Language::ALL.map(|language| format!("== \"{}\"", language.tag()));
        assert!(!tags.iter().any(|tag| text.contains(&**tag)), "engine/{path}");
    }
}

#[test]
fn every_phrase_is_used() {
    let engine: Vec<(String, String)> = engine().into_iter().chain(templates()).collect();
    let phrases = phrases();
    let names = [("names", "the_box"), ("log", "hidden"), ("board", "hidden"), ("info", "source")];
    let is_found = |(section, name): (&str, &str)| phrases.contains(&(section.to_owned(), name.to_owned()));
    assert!(phrases.len() > 100 && names.into_iter().all(is_found), "the phrases were found: {phrases:?}");
    for (section, phrase) in phrases {
        let is_used = |(path, text): &(String, String)| {
            // The methods of the log phrases access phrases as `self.NAME`.
            let is_log = section == "log" && path == "wording/log_phrases.rs";
            !path.starts_with(HOME) && (has(text, &section, &phrase) || is_log && has(text, "self", &phrase))
        };
        assert!(engine.iter().any(is_used), "nothing uses `{section}.{phrase}`");
    }
}

/// Returns the path and text of each HTML template and script of the engine.
fn templates() -> Vec<(String, String)> {
    let found = texts_with_extension("engine", &["html", "js"]);
    assert!(found.len() > 10, "the templates were found");
    found
}

/// Parses the section and the name of each phrase in the English file.
fn phrases() -> Vec<(String, String)> {
    let english = fs::read_to_string("engine/core/phrases/en.rs").unwrap();
    let phrases = english.split_once("const PHRASES").unwrap().1;
    let parts: Vec<&str> = phrases.split(": ").collect();
    let mut section = "";
    let mut found = Vec::new();
    for pair in parts.windows(2) {
        let name = pair[0].rsplit(|letter: char| !letter.is_ascii_lowercase() && letter != '_').next().unwrap();
        if pair[1].starts_with('"') && !name.is_empty() {
            found.push((section.to_owned(), name.to_owned()));
        } else if pair[1].starts_with(|letter: char| letter.is_ascii_uppercase()) {
            section = name;
        }
    }
    found
}

/// Returns whether a text contains `owner.name` as whole words and not as a method call.
fn has(text: &str, owner: &str, name: &str) -> bool {
    let wanted = format!("{owner}.{name}");
    let is_in_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(&wanted).any(|(at, _)| {
        !text[..at].ends_with(is_in_name) && !text[at + wanted.len()..].starts_with(|c| is_in_name(c) || c == '(')
    })
}

/// Returns whether a character is an ideograph or East Asian punctuation.
fn is_east_asian(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}')
}

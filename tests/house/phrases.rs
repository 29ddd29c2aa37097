//! Holds what the engine says in several languages in one place, `engine/phrases/`: every phrase is said somewhere, and nothing is
//! said past them. That every language has each phrase, the compiler sees to; the rooms in it, a test there.

use crate::folder::texts_ending;
use crate::sources::engine;
use parlour::model::Language;
use std::fs;

/// Where the phrases are.
const HOME: &str = "phrases/";

/// Files that have East Asian signs for another reason than to say something.
const ABOUT_SIGNS: [(&str, &str); 5] = [
    ("cli/keys.rs", "shows how a game gives a name in several languages"),
    ("cli/prompt.rs", "reads wide digits as plain ones"),
    ("cli/wrap.rs", "knows where a line may not break"),
    ("diagnostic/lookalikes.rs", "knows which characters are typed in place of plain ones"),
    ("loader/document/toml_help.rs", "tells wide digits in a file"),
];

#[test]
fn what_is_said_in_several_languages_stands_with_the_phrases() {
    let mut with_signs = Vec::new();
    for (path, text) in engine().into_iter().chain(templates()) {
        if path.starts_with(HOME) {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap();
        let mut code = code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
        if let Some((at, line)) = code.find(|(_, line)| line.contains(is_east_asian)) {
            let is_known = ABOUT_SIGNS.iter().any(|(known, _)| *known == path);
            assert!(is_known, "engine/{path}:{}: belongs into engine/{HOME}: {}", at + 1, line.trim());
            with_signs.push(path);
        }
    }
    assert_eq!(with_signs, ABOUT_SIGNS.map(|(path, _)| path), "each exception is one, and they stand in order");
}

#[test]
fn no_part_goes_by_which_language_it_is() {
    for (path, text) in engine() {
        assert!(path.starts_with(HOME) || !text.contains("TraditionalChinese"), "engine/{path}");
    }
    for (path, text) in templates() {
        let tags = Language::ALL.map(|language| format!("== \"{}\"", language.tag()));
        assert!(!tags.iter().any(|tag| text.contains(&**tag)), "engine/{path}");
    }
}

#[test]
fn every_phrase_is_said_somewhere() {
    let engine: Vec<(String, String)> = engine().into_iter().chain(templates()).collect();
    let phrases = phrases();
    let names = [("names", "the_box"), ("log", "hidden"), ("board", "hidden"), ("info", "source")];
    let is_found = |(section, name): (&str, &str)| phrases.contains(&(section.to_owned(), name.to_owned()));
    assert!(phrases.len() > 100 && names.into_iter().all(is_found), "the phrases were found: {phrases:?}");
    for (section, phrase) in phrases {
        let is_said = |(path, text): &(String, String)| {
            // The log says its own by itself.
            let is_log = section == "log" && path == "wording/log_phrases.rs";
            !path.starts_with(HOME) && (has(text, &section, &phrase) || is_log && has(text, "self", &phrase))
        };
        assert!(engine.iter().any(is_said), "nothing says `{section}.{phrase}`");
    }
}

/// What is filled and shown in a browser, or is carried out there.
fn templates() -> Vec<(String, String)> {
    let found = texts_ending("engine", &["html", "js"]);
    assert!(found.len() > 10, "the templates were found");
    found
}

/// The sections and names of the phrases, as the English file has them.
fn phrases() -> Vec<(String, String)> {
    let english = fs::read_to_string("engine/phrases/en.rs").unwrap();
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

/// Whether a text has a name after an owner and a dot.
fn has(text: &str, owner: &str, name: &str) -> bool {
    let wanted = format!("{owner}.{name}");
    let is_in_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(&wanted).any(|(at, _)| {
        !text[..at].ends_with(is_in_name) && !text[at + wanted.len()..].starts_with(|c| is_in_name(c) || c == '(')
    })
}

/// Ideographs, and the signs that stand between them.
fn is_east_asian(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}')
}

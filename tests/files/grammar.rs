//! The colors of playscripts and rules: the keywords are those of the languages, and the patterns hold together.

use parlour::playscript::{EXPECT_WORDS, STATEMENTS, UNTIL_WORDS};
use parlour::syntax::keywords;
use serde_json::Value;
use std::collections::BTreeSet;

/// What the cutter reads before the grammar sees a statement: the format of the file, and what opens a block of its own.
const CUT: [&str; 3] = ["arrange", "format", "scene"];

fn colors(language: &str) -> Value {
    let path = format!("editors/vscode/syntaxes/{language}.tmLanguage.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The words that colors name.
fn colored(colors: &Value) -> BTreeSet<String> {
    let mut found = Vec::new();
    patterns(&colors["repository"], &["match", "begin"], &mut found);
    found.into_iter().flat_map(words).collect()
}

/// The words in quotes of the grammar.
fn of_grammar() -> BTreeSet<String> {
    let grammar = std::fs::read_to_string("grammar/playscript.pest").unwrap();
    let lines = grammar.lines().map(|line| line.split("//").next().unwrap());
    let quoted = lines.flat_map(|line| line.split('"').skip(1).step_by(2)).map(str::to_owned);
    let is_word = |word: &String| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    quoted.filter(is_word).chain(CUT.map(str::to_owned)).collect()
}

/// Every pattern under a key, wherever it stands.
fn patterns<'v>(value: &'v Value, keys: &[&str], found: &mut Vec<&'v str>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                match inner.as_str() {
                    Some(pattern) if keys.contains(&key.as_str()) => found.push(pattern),
                    _ => patterns(inner, keys, found),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|inner| patterns(inner, keys, found)),
        _ => {}
    }
}

/// The words of a pattern, without what is said about letters.
fn words(pattern: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => {
                letters.next();
                plain.push(' ');
            }
            '[' => {
                while letters.next().is_some_and(|inside| inside != ']') {}
                plain.push(' ');
            }
            letter => plain.push(letter),
        }
    }
    // What must stand before is named once more where it stands.
    let plain = plain.replace("?<=expect", " ");
    plain.split(|c: char| !c.is_ascii_lowercase()).filter(|word| word.len() > 1).map(str::to_owned).collect()
}

#[test]
fn the_keywords_are_those_of_the_grammar() {
    let colored = colored(&colors("playscript"));
    assert_eq!(colored, of_grammar());
    assert!(colored.len() > 30, "they were found: {colored:?}");
}

#[test]
fn the_keywords_of_rules_are_those_of_the_language() {
    assert_eq!(colored(&colors("rhai")), keywords().map(str::to_owned).collect());
}

#[test]
fn every_pattern_that_is_named_is_there_and_every_one_there_is_named() {
    for language in ["playscript", "rhai"] {
        let colors = colors(language);
        let mut named = Vec::new();
        patterns(&colors, &["include"], &mut named);
        let named: BTreeSet<&str> = named.into_iter().filter_map(|name| name.strip_prefix('#')).collect();
        let there: BTreeSet<&str> = colors["repository"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(named, there, "{language}");
    }
}

#[test]
fn the_extension_brings_the_grammars() {
    let manifest: Value =
        serde_json::from_str(&std::fs::read_to_string("editors/vscode/package.json").unwrap()).unwrap();
    let contributes = &manifest["contributes"];
    let (grammars, languages) =
        (contributes["grammars"].as_array().unwrap(), contributes["languages"].as_array().unwrap());
    for grammar in grammars {
        assert_eq!(grammar["scopeName"], colors(grammar["language"].as_str().unwrap())["scopeName"]);
    }
    assert_eq!(grammars.len(), languages.len());
    for path in grammars.iter().map(|one| &one["path"]).chain(languages.iter().map(|one| &one["configuration"])) {
        let path = format!("editors/vscode/{}", path.as_str().unwrap().trim_start_matches("./"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(serde_json::from_str::<Value>(&text).is_ok(), "{path}");
    }
    // Its packages are pinned, and so are theirs.
    let packages = manifest["devDependencies"].as_object().unwrap().values();
    assert!(packages.clone().all(|version| version.as_str().unwrap().starts_with(|c: char| c.is_ascii_digit())));
    assert!(std::path::Path::new("editors/vscode/package-lock.json").is_file());
}

#[test]
fn editors_show_the_server_the_rows_of_sheets_too() {
    let extension = std::fs::read_to_string("editors/vscode/src/extension.js").unwrap();
    assert!(extension.contains("{components,overlays}/*.{toml,csv}"), "{extension}");
    let page = std::fs::read_to_string("docs/src/editor.md").unwrap();
    for editor in ["Neovim", "Helix", "Emacs"] {
        let section = page.split("\n## ").find(|section| section.starts_with(editor)).unwrap();
        assert!(section.contains(".csv"), "{section}");
    }
}

/// The words of the rules of the grammar that a rule names, as far as a test picks them.
fn first_words(rules: &str) -> BTreeSet<String> {
    let quoted = rules.split('"').skip(1).step_by(2);
    quoted.filter(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())).map(str::to_owned).collect()
}

/// What one rule of the grammar says, over all its lines.
fn rule<'g>(grammar: &'g str, name: &str) -> &'g str {
    let begins = |line: &&str| line.split('=').next().is_some_and(|head| head.trim() == name) && line.contains('=');
    let line = grammar.lines().find(begins).unwrap_or_else(|| panic!("no rule `{name}`"));
    let start = line.as_ptr() as usize - grammar.as_ptr() as usize;
    let end = grammar[start..].find("\n\n").unwrap().min(grammar[start..].find("}\n").unwrap());
    &grammar[start..start + end]
}

#[test]
fn the_statements_that_are_completed_and_explained_are_those_of_the_grammar() {
    let grammar = std::fs::read_to_string("grammar/playscript.pest").unwrap();
    let names = rule(&grammar, "statement").split(['(', ')']).nth(1).unwrap();
    let beginning = |name: &str| rule(&grammar, name).split('"').nth(1).unwrap().to_owned();
    let of_grammar: BTreeSet<String> = names.split('|').map(|name| beginning(name.trim())).collect();
    let cut = CUT.into_iter().filter(|word| *word != "format").map(str::to_owned);
    let words = STATEMENTS.iter().map(|form| form.word().to_owned());
    assert_eq!(words.collect::<BTreeSet<_>>(), of_grammar.into_iter().chain(cut).collect());
    for form in &STATEMENTS {
        assert!(form.example.starts_with(form.begins), "{}", form.begins);
    }
    let asked = rule(&grammar, "expect")
        .split("expect_")
        .skip(1)
        .map(|name| name.split(|c: char| !c.is_ascii_lowercase()).next().unwrap());
    let asked =
        asked.filter(|name| *name != "sight").flat_map(|name| first_words(rule(&grammar, &format!("expect_{name}"))));
    let asked = asked.filter(|word| word != "for").chain(["not".to_owned()]);
    let words = EXPECT_WORDS.iter().map(|(word, ..)| (*word).to_owned());
    assert_eq!(words.collect::<BTreeSet<_>>(), asked.collect());
    let until = rule(&grammar, "auto").split("until_").skip(1);
    let until = until.map(|name| name.split(|c: char| !c.is_ascii_lowercase()).next().unwrap());
    let until = until.flat_map(|name| first_words(rule(&grammar, &format!("until_{name}"))));
    let words = UNTIL_WORDS.iter().map(|(word, _)| (*word).to_owned());
    assert_eq!(words.collect::<BTreeSet<_>>(), until.collect());
}

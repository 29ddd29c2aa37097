//! Syntax highlighting and completion in editors: keywords match those of the languages, and grammars only refer to patterns that exist.

use parlour::playscript::{EXPECT_WORDS, STATEMENTS, UNTIL_WORDS};
use parlour::syntax::keywords;
use serde_json::Value;
use std::collections::BTreeSet;

/// Keywords that are missing from the grammar because the statement splitter handles them: the format line and statements with blocks.
const SPLITTER_KEYWORDS: [&str; 3] = ["arrange", "format", "scene"];

/// Reads the `TextMate` grammar of a language.
fn textmate_grammar(language: &str) -> Value {
    let path = format!("editors/vscode/syntaxes/{language}.tmLanguage.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns the words in the patterns of a `TextMate` grammar.
fn highlighted_words(grammar: &Value) -> BTreeSet<String> {
    let mut found = Vec::new();
    patterns(&grammar["repository"], &["match", "begin"], &mut found);
    found.into_iter().flat_map(words).collect()
}

/// Returns the keywords of playscripts: the words quoted in the grammar, and [`SPLITTER_KEYWORDS`].
fn grammar_keywords() -> BTreeSet<String> {
    let grammar = std::fs::read_to_string("grammar/playscript.pest").unwrap();
    let lines = grammar.lines().map(|line| line.split("//").next().unwrap());
    let quoted = lines.flat_map(|line| line.split('"').skip(1).step_by(2)).map(str::to_owned);
    let is_word = |word: &String| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    quoted.filter(is_word).chain(SPLITTER_KEYWORDS.map(str::to_owned)).collect()
}

/// Collects all string values of the given keys, at any depth.
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

/// Returns the literal words of a regular expression, without escapes and character classes.
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
    // The lookbehind repeats a keyword that has its own pattern.
    let plain = plain.replace("?<=expect", " ");
    plain.split(|c: char| !c.is_ascii_lowercase()).filter(|word| word.len() > 1).map(str::to_owned).collect()
}

#[test]
fn highlighted_playscript_keywords_match_the_grammar() {
    let words = highlighted_words(&textmate_grammar("playscript"));
    assert_eq!(words, grammar_keywords());
    assert!(words.len() > 30, "{words:?}");
}

#[test]
fn highlighted_rules_keywords_match_the_language() {
    assert_eq!(highlighted_words(&textmate_grammar("rhai")), keywords().map(str::to_owned).collect());
}

#[test]
fn included_patterns_match_the_repository() {
    for language in ["playscript", "rhai"] {
        let grammar = textmate_grammar(language);
        let mut included = Vec::new();
        patterns(&grammar, &["include"], &mut included);
        let included: BTreeSet<&str> = included.into_iter().filter_map(|name| name.strip_prefix('#')).collect();
        let defined: BTreeSet<&str> = grammar["repository"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(included, defined, "{language}");
    }
}

#[test]
fn the_extension_registers_existing_files() {
    let manifest: Value =
        serde_json::from_str(&std::fs::read_to_string("editors/vscode/package.json").unwrap()).unwrap();
    let contributes = &manifest["contributes"];
    let (grammars, languages) =
        (contributes["grammars"].as_array().unwrap(), contributes["languages"].as_array().unwrap());
    for grammar in grammars {
        assert_eq!(grammar["scopeName"], textmate_grammar(grammar["language"].as_str().unwrap())["scopeName"]);
    }
    assert_eq!(grammars.len(), languages.len());
    for path in grammars.iter().map(|one| &one["path"]).chain(languages.iter().map(|one| &one["configuration"])) {
        let path = format!("editors/vscode/{}", path.as_str().unwrap().trim_start_matches("./"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(serde_json::from_str::<Value>(&text).is_ok(), "{path}");
    }
    // Direct dependencies have exact versions; the lock file pins the others.
    let packages = manifest["devDependencies"].as_object().unwrap().values();
    assert!(packages.clone().all(|version| version.as_str().unwrap().starts_with(|c: char| c.is_ascii_digit())));
    assert!(std::path::Path::new("editors/vscode/package-lock.json").is_file());
}

#[test]
fn editors_open_csv_files_with_the_language_server() {
    let extension = std::fs::read_to_string("editors/vscode/src/extension.js").unwrap();
    assert!(extension.contains("{components,overlays}/*.{toml,csv}"), "{extension}");
    let page = std::fs::read_to_string("docs/src/editor.md").unwrap();
    for editor in ["Neovim", "Helix", "Emacs"] {
        let section = page.split("\n## ").find(|section| section.starts_with(editor)).unwrap();
        assert!(section.contains(".csv"), "{section}");
    }
}

/// Returns the quoted lower-case words of a grammar rule.
fn quoted_words(rules: &str) -> BTreeSet<String> {
    let quoted = rules.split('"').skip(1).step_by(2);
    quoted.filter(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())).map(str::to_owned).collect()
}

/// Returns the source text of a grammar rule.
fn rule<'g>(grammar: &'g str, name: &str) -> &'g str {
    let begins = |line: &&str| line.split('=').next().is_some_and(|head| head.trim() == name) && line.contains('=');
    let line = grammar.lines().find(begins).unwrap_or_else(|| panic!("no rule `{name}`"));
    let start = line.as_ptr() as usize - grammar.as_ptr() as usize;
    let end = grammar[start..].find("\n\n").unwrap().min(grammar[start..].find("}\n").unwrap());
    &grammar[start..start + end]
}

#[test]
fn completed_statements_match_the_grammar() {
    let grammar = std::fs::read_to_string("grammar/playscript.pest").unwrap();
    let names = rule(&grammar, "statement").split(['(', ')']).nth(1).unwrap();
    let first_word = |name: &str| rule(&grammar, name).split('"').nth(1).unwrap().to_owned();
    let statements: BTreeSet<String> = names.split('|').map(|name| first_word(name.trim())).collect();
    let blocks = SPLITTER_KEYWORDS.into_iter().filter(|word| *word != "format").map(str::to_owned);
    let words = STATEMENTS.iter().map(|form| form.word().to_owned());
    assert_eq!(words.collect::<BTreeSet<_>>(), statements.into_iter().chain(blocks).collect());
    for form in &STATEMENTS {
        assert!(form.example.starts_with(form.begins), "{}", form.begins);
    }
    let expectations = rule(&grammar, "expect")
        .split("expect_")
        .skip(1)
        .map(|name| name.split(|c: char| !c.is_ascii_lowercase()).next().unwrap());
    let expectations = expectations
        .filter(|name| *name != "sight")
        .flat_map(|name| quoted_words(rule(&grammar, &format!("expect_{name}"))));
    let expectations = expectations.filter(|word| word != "for").chain(["not".to_owned()]);
    let words = EXPECT_WORDS.iter().map(|(word, ..)| (*word).to_owned());
    assert_eq!(words.collect::<BTreeSet<_>>(), expectations.collect());
    let until = rule(&grammar, "auto").split("until_").skip(1);
    let until = until.map(|name| name.split(|c: char| !c.is_ascii_lowercase()).next().unwrap());
    let until = until.flat_map(|name| quoted_words(rule(&grammar, &format!("until_{name}"))));
    let words = UNTIL_WORDS.iter().map(|(word, _)| (*word).to_owned());
    assert_eq!(words.collect::<BTreeSet<_>>(), until.collect());
}

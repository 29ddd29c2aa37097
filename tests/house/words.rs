//! Holds the engine free of games: no title of several words of one under `games/`, and no proper name in it, appears under
//! `engine/`; and holds its words, and those of all pages, to those of the field.

use crate::folder::{texts, texts_ending};
use crate::sources::engine;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Proper names: people, companies, places and things that one game alone has. A plain word stays free for the engine, also where
/// some game uses it.
#[rustfmt::skip]
const PROPER: [&str; 24] = [
    "atlantic", "belgrave", "bernie", "bopiliao", "bottomline", "cramer", "deborah", "donald", "graham",
    "guangzhou", "huaxi", "longshan", "martha", "mayknow", "monga", "nanjichang", "qingshan", "qingshui",
    "renji", "stanford", "stockpile", "stuart", "wanhua", "xuehai",
];

/// Words that were the engine's own, where the field has one that a reader knows; what to say instead.
const OUR_OWN: [(&str, &str); 9] = [
    ("by lot", "at random"),
    ("chance of lots", "permutation test"),
    ("kin", "within kind"),
    ("evident", "inferred"),
    ("reckon", "arithmetic"),
    ("enact", "perform"),
    ("happening", "event"),
    ("takes hold of", "captures"),
    ("gone through", "iterated"),
];

/// Words that were the guide's own beside these; what to say instead.
const OF_THE_GUIDE: [(&str, &str); 6] = [
    ("check tells", "check reports"),
    ("told of", "reported"),
    ("word of rules", "function"),
    ("words of rules", "functions"),
    ("work out", "calculate` or `evaluate"),
    ("worked out", "calculated` or `evaluated"),
];

/// Names that functions and variables had where they print, report, show or write something; the log alone tells a story.
const NO_NAMES: [&str; 3] = ["tell", "telling", "told"];

/// Sections of `game.toml` whose keys are names, and those whose keys hold tables of names.
const NAMED: [&str; 8] = ["options", "params", "zones", "kinds", "decisions", "phases", "endings", "says"];

/// Keys that hold a name.
const NAMES: [&str; 2] = ["id", "name"];

#[test]
fn the_engine_speaks_of_no_game() {
    let titles = titles();
    let mut found = Vec::new();
    for (path, text) in engine() {
        for (at, line) in text.lines().enumerate() {
            let words = split(if is_example(&path, line) { "" } else { line });
            let named = words.iter().find(|word| PROPER.contains(&word.as_str()));
            let titled = titles.iter().find(|title| says(&words, title));
            let name = named.or(titled);
            found.extend(name.map(|name| format!("engine/{path}:{}: `{name}` is a game's", at + 1)));
        }
    }
    assert!(found.is_empty(), "the engine should say it in general words:\n{}", found.join("\n"));
}

#[test]
fn the_engine_says_the_fields_words() {
    let mut found = Vec::new();
    for (path, text) in engine() {
        // Files of runs keep the names that they have had.
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.contains("rename = ")) {
            let words = split(line);
            for (ours, theirs) in OUR_OWN {
                if says(&words, ours) {
                    found.push(format!("engine/{path}:{}: say `{theirs}`", at + 1));
                }
            }
        }
    }
    assert!(found.is_empty(), "a reader from elsewhere knows another word:\n{}", found.join("\n"));
}

#[test]
fn functions_and_variables_say_what_they_print_report_or_show() {
    let mut found = Vec::new();
    for (path, text) in texts_ending("engine", &["rs"]) {
        for (at, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
            let is_named = |pair: &[&str]| ["fn", "let", "mut"].contains(&pair[0]) && NO_NAMES.contains(&pair[1]);
            if words.windows(2).any(is_named) && !path.starts_with("loader/section/") {
                found.push(format!("engine/{path}:{}", at + 1));
            }
        }
    }
    assert!(found.is_empty(), "say what is done with it, as `print`, `report` or `text`:\n{}", found.join("\n"));
}

#[test]
fn pages_say_the_fields_words() {
    let folders = ["docs", "games", "examples", "engine", "tests"];
    let below = folders.into_iter().flat_map(|folder| {
        texts_ending(folder, &["md"]).into_iter().map(move |(path, text)| (format!("{folder}/{path}"), text))
    });
    let top = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
    let top = top.map(|path| (path.to_owned(), fs::read_to_string(path).unwrap()));
    let library = fs::read_to_string("engine/lib.rs").unwrap();
    let library: Vec<&str> = library.lines().filter_map(|line| line.strip_prefix("//!")).collect();
    let library = [("engine/lib.rs".to_owned(), library.join("\n"))];
    let (mut found, mut read) = (Vec::new(), 0);
    for (path, text) in below.chain(top).chain(library) {
        read += 1;
        let words = split(&without_output(&text));
        for (ours, theirs) in OUR_OWN.into_iter().chain(OF_THE_GUIDE) {
            if says(&words, ours) {
                found.push(format!("{path}: say `{theirs}` for `{ours}`"));
            }
        }
    }
    assert!(read > 60, "{read} pages were found");
    assert!(found.is_empty(), "a reader from elsewhere knows another word:\n{}", found.join("\n"));
}

#[test]
fn words_are_found_over_the_end_of_a_line_and_not_in_what_is_printed() {
    let found = |page: &str| says(&split(&without_output(page)), "worked out");
    assert!(found("It is worked\nout here.") && found("```console\n```\nworked out"));
    assert!(!found("works out") && !found("```console\n$ parlour\nworked out\n```\n"));
}

#[test]
fn proper_names_are_listed_once_and_in_order_and_some_game_has_them() {
    let mut sorted = PROPER;
    sorted.sort_unstable();
    assert_eq!(sorted, PROPER, "in order, so that two changes meet");
    assert_eq!(PROPER.iter().collect::<BTreeSet<_>>().len(), PROPER.len(), "each once");
    let known: BTreeSet<String> =
        folders().iter().flat_map(|folder| names_of(folder)).flat_map(|name| split(&name)).collect();
    let unknown: Vec<&&str> = PROPER.iter().filter(|name| !known.contains(**name)).collect();
    assert!(unknown.is_empty(), "no game has {unknown:?}");
    let titles = titles();
    for title in ["wall street", "last will", "monga alley"] {
        assert!(titles.iter().any(|known| known == title), "{title}");
    }
    assert!(titles.iter().all(|title| title.contains(' ')), "one word alone is free: {titles:?}");
}

/// Whether words have these in a row.
fn says(words: &[String], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    words.windows(phrase.len()).any(|part| part == phrase)
}

/// A page without what the program prints in it.
fn without_output(page: &str) -> String {
    let mut is_output = false;
    let lines = page.lines().filter(|line| {
        if line.starts_with("```") {
            is_output = line.starts_with("```console");
        }
        !is_output
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether a line of the command line's help is a command to try, which names a game that comes with the program.
fn is_example(path: &str, line: &str) -> bool {
    path.starts_with("cli/") && line.contains("\"parlour ")
}

fn folders() -> Vec<PathBuf> {
    let folders = fs::read_dir("games").unwrap().map(|folder| folder.unwrap().path());
    folders.filter(|folder| folder.join("game.toml").is_file()).collect()
}

/// The folder and the English name of each game, where it is several words without figures: one word alone, such as that of a game
/// `queue`, stays free for the engine.
fn titles() -> Vec<String> {
    let named = |folder: &PathBuf| {
        let file: Table = fs::read_to_string(folder.join("game.toml")).unwrap().parse().unwrap();
        let name = &file["game"]["name"];
        let name = name.get("en").unwrap_or(name).as_str().unwrap().to_owned();
        // What a figure belongs to, as "of 1828", is no title without it.
        let name = Some(name).filter(|name| !name.contains(|letter: char| letter.is_ascii_digit()));
        [Some(folder.file_name().unwrap().to_str().unwrap().to_owned()), name]
    };
    let all: BTreeSet<Vec<String>> = folders().iter().flat_map(named).flatten().map(|name| split(&name)).collect();
    all.into_iter().filter(|words| words.len() > 1).map(|words| words.join(" ")).collect()
}

/// What a game calls its things by: ids, and names in English.
fn names_of(folder: &Path) -> Vec<String> {
    let mut names = vec![folder.file_name().unwrap().to_str().unwrap().to_owned()];
    let file: Table = fs::read_to_string(folder.join("game.toml")).unwrap().parse().unwrap();
    for section in NAMED {
        names.extend(keys(file.get(section)));
    }
    if let Some(Value::Table(owners)) = file.get("values") {
        names.extend(owners.values().flat_map(|values| keys(Some(values))));
    }
    collect(&Value::Table(file), &mut names);
    let components = folder.join("components");
    for (_, text) in if components.is_dir() { texts(components) } else { Vec::new() } {
        let file: Table = text.parse().unwrap();
        names.extend(file.keys().cloned());
        collect(&Value::Table(file), &mut names);
    }
    names
}

fn keys(table: Option<&Value>) -> Vec<String> {
    let table = table.and_then(Value::as_table);
    table.into_iter().flat_map(Table::keys).filter(|key| *key != "provenance").cloned().collect()
}

/// Finds the ids and names inside a value.
fn collect(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|inner| collect(inner, names)),
        Value::Table(table) => {
            for (key, inner) in table {
                if NAMES.contains(&key.as_str()) {
                    let english = inner.get("en").unwrap_or(inner);
                    names.extend(english.as_str().map(str::to_owned));
                }
                collect(inner, names);
            }
        }
        _ => {}
    }
}

/// The words of a text in lower case: `bid_track`, `BidTrack` and "Bid track" are two words each.
fn split(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_lower = false;
    for letter in text.chars() {
        if !letter.is_alphabetic() || (letter.is_uppercase() && before_lower) {
            words.push(String::new());
        }
        if letter.is_alphabetic() {
            words.last_mut().expect("there is a last word").extend(letter.to_lowercase());
        }
        before_lower = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

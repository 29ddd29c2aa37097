//! Checks that the engine names no game: neither a game title of several words nor a proper name from a game appears under `engine/`.

use crate::folder::texts;
use crate::sources::engine;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Names of people, companies, places and objects in games. Ordinary words are not listed, even if a game uses them as names.
#[rustfmt::skip]
const PROPER_NAMES: [&str; 24] = [
    "atlantic", "belgrave", "bernie", "bopiliao", "bottomline", "cramer", "deborah", "donald", "graham",
    "guangzhou", "huaxi", "longshan", "martha", "mayknow", "monga", "nanjichang", "qingshan", "qingshui",
    "renji", "stanford", "stockpile", "stuart", "wanhua", "xuehai",
];

/// Sections of `game.toml` whose keys are names.
const NAMED_SECTIONS: [&str; 8] = ["options", "params", "zones", "kinds", "decisions", "phases", "endings", "says"];

/// Keys whose values are names.
const NAME_KEYS: [&str; 2] = ["id", "name"];

#[test]
fn the_engine_names_no_game() {
    let titles = titles();
    let mut found = Vec::new();
    for (path, text) in engine() {
        for (at, line) in text.lines().enumerate() {
            let words = split(if is_example(&path, line) { "" } else { line });
            let named = words.iter().find(|word| PROPER_NAMES.contains(&word.as_str()));
            let titled = titles.iter().find(|title| contains_phrase(&words, title));
            let name = named.or(titled);
            found.extend(name.map(|name| format!("engine/{path}:{}: `{name}` is a name from a game", at + 1)));
        }
    }
    assert!(found.is_empty(), "use general terms in the engine:\n{}", found.join("\n"));
}

#[test]
fn proper_names_are_sorted_unique_and_used_by_a_game() {
    let mut sorted = PROPER_NAMES;
    sorted.sort_unstable();
    assert_eq!(sorted, PROPER_NAMES, "the list is sorted");
    assert_eq!(PROPER_NAMES.iter().collect::<BTreeSet<_>>().len(), PROPER_NAMES.len(), "the list has no duplicates");
    let known: BTreeSet<String> =
        folders().iter().flat_map(|folder| names_of(folder)).flat_map(|name| split(&name)).collect();
    let unknown: Vec<&&str> = PROPER_NAMES.iter().filter(|name| !known.contains(**name)).collect();
    assert!(unknown.is_empty(), "no game uses {unknown:?}");
    let titles = titles();
    for title in ["wall street", "last will", "monga alley"] {
        assert!(titles.iter().any(|known| known == title), "{title}");
    }
    assert!(titles.iter().all(|title| title.contains(' ')), "titles of one word are excluded: {titles:?}");
}

/// Returns whether the words of a phrase occur next to each other.
fn contains_phrase(words: &[String], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    words.windows(phrase.len()).any(|part| part == phrase)
}

/// Returns whether a line is an example command in a `--help` text. Such examples may name a built-in game.
fn is_example(path: &str, line: &str) -> bool {
    path.starts_with("cli/") && line.contains("\"parlour ")
}

fn folders() -> Vec<PathBuf> {
    let folders = fs::read_dir("games").unwrap().map(|folder| folder.unwrap().path());
    folders.filter(|folder| folder.join("game.toml").is_file()).collect()
}

/// Returns the folder names and English names of all games, split into words. Omits names of a single word, such as `queue`, because the
/// engine may use the word in its ordinary sense.
fn titles() -> Vec<String> {
    let named = |folder: &PathBuf| {
        let file: Table = fs::read_to_string(folder.join("game.toml")).unwrap().parse().unwrap();
        let name = &file["game"]["name"];
        let name = name.get("en").unwrap_or(name).as_str().unwrap().to_owned();
        // Names with digits are skipped: `split` drops the digits, and the remaining words are not a name.
        let name = Some(name).filter(|name| !name.contains(|letter: char| letter.is_ascii_digit()));
        [Some(folder.file_name().unwrap().to_str().unwrap().to_owned()), name]
    };
    let all: BTreeSet<Vec<String>> = folders().iter().flat_map(named).flatten().map(|name| split(&name)).collect();
    all.into_iter().filter(|words| words.len() > 1).map(|words| words.join(" ")).collect()
}

/// Returns the ids and English names that a game defines.
fn names_of(folder: &Path) -> Vec<String> {
    let mut names = vec![folder.file_name().unwrap().to_str().unwrap().to_owned()];
    let file: Table = fs::read_to_string(folder.join("game.toml")).unwrap().parse().unwrap();
    for section in NAMED_SECTIONS {
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

/// Adds the ids and English names inside a TOML value to `names`.
fn collect(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|inner| collect(inner, names)),
        Value::Table(table) => {
            for (key, inner) in table {
                if NAME_KEYS.contains(&key.as_str()) {
                    let english = inner.get("en").unwrap_or(inner);
                    names.extend(english.as_str().map(str::to_owned));
                }
                collect(inner, names);
            }
        }
        _ => {}
    }
}

/// Splits a text into lower-case words: `bid_track`, `BidTrack` and "Bid track" have two words each.
fn split(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_lower = false;
    for letter in text.chars() {
        if !letter.is_alphabetic() || (letter.is_uppercase() && before_lower) {
            words.push(String::new());
        }
        if letter.is_alphabetic() {
            words.last_mut().expect("the list is never empty").extend(letter.to_lowercase());
        }
        before_lower = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

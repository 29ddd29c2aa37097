//! Checks that the engine names no game: neither a title of several words under `games/` nor a proper name of a game appears under
//! `engine/`.

use crate::folder::texts;
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

//! Holds the engine free of any game's words: what a game under `games/` calls its things by appears nowhere in it.

#![allow(clippy::unwrap_used, reason = "what cannot be read fails the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Words that games use and that are nobody's own: the engine's vocabulary, what every box has, and plain English.
#[rustfmt::skip]
const GENERAL: [&str; 176] = [
    "action", "agent", "another", "answer", "area", "arrange", "arranges", "back", "before", "blue", "board", "bonus",
    "bound", "call", "called", "capital", "card", "cards", "cash", "cells", "central", "choose", "circle", "clean",
    "cold", "corner", "cost", "count", "counts", "dealt", "deck", "discard", "display", "divided", "double", "down", "draw",
    "draws", "drops", "each", "ends", "event", "events", "every", "extension", "face", "figure", "figures", "final",
    "first", "from", "give", "goes", "green", "hand", "handle", "hands", "helps", "hidden", "idle", "information",
    "keep", "kept", "kind", "kinds", "last", "leading", "leads", "left", "level", "light", "limit", "line", "loses",
    "lost", "lots", "make", "mark", "marked", "marker", "markers", "marks", "middle", "mixed", "most", "move",
    "movement", "named", "news", "north", "offer", "once", "opened", "opening", "option", "options", "order", "over",
    "pays", "pick", "pile", "place", "placed", "plain", "plan", "plans", "player", "players", "plays", "plus",
    "point", "points", "position", "press", "price", "private", "properties", "property", "public", "puts", "receive",
    "record", "remove", "removed", "returns", "reveal", "room", "round", "rounds", "scores", "scoring", "seats",
    "second", "secret", "section", "setup", "share", "shared", "shares", "shift", "show", "shows", "side", "size",
    "slots", "south", "space", "special", "spent", "split", "spot", "start", "starting", "step", "steps", "strength",
    "style", "supply", "table", "take", "this", "tile", "tiles", "token", "tokens", "track", "turn", "turned",
    "turns", "used", "uses", "value", "wild", "will", "with", "work",
];

/// Sections of `game.toml` whose keys are names, and those whose keys hold tables of names.
const NAMED: [&str; 8] = ["options", "params", "zones", "kinds", "decisions", "phases", "endings", "says"];

/// Keys that hold a name.
const NAMES: [&str; 2] = ["id", "name"];

/// Shorter words are too common to be anybody's.
const SHORTEST: usize = 4;

#[test]
fn the_engine_speaks_of_no_game() {
    let words = words_of_games();
    let mut found = Vec::new();
    for path in files("engine", "rs") {
        for (at, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            for word in split(if is_example(&path, line) { "" } else { line }) {
                if let Some(game) = words.get(&word) {
                    found.push(format!("{}:{}: `{word}` is a word of {game}", path.display(), at + 1));
                }
            }
        }
    }
    assert!(
        found.is_empty(),
        "the engine should say it in general words (or tests/words.rs know that the word is general):\n{}",
        found.join("\n")
    );
}

#[test]
fn the_proper_names_of_games_are_among_the_words() {
    let words = words_of_games();
    for word in ["stockpile", "meeple", "cosmic", "stanford", "portfolio", "forecast", "market", "bidding"] {
        assert!(words.contains_key(word), "{word}");
    }
}

#[test]
fn general_words_are_listed_once_and_in_order() {
    let mut sorted = GENERAL;
    sorted.sort_unstable();
    assert_eq!(sorted, GENERAL, "in order, so that two changes meet");
    assert_eq!(GENERAL.iter().collect::<BTreeSet<_>>().len(), GENERAL.len(), "each once");
}

/// Whether a line of the command line's help is a command to try, which names a game that comes with the program.
fn is_example(path: &Path, line: &str) -> bool {
    path.starts_with("engine/cli") && line.contains("\"parlour ")
}

/// Every word that is not general, with the game it is from.
fn words_of_games() -> BTreeMap<String, String> {
    let mut words = BTreeMap::new();
    for folder in fs::read_dir("games").unwrap() {
        let folder = folder.unwrap().path();
        let game = folder.file_name().unwrap().to_str().unwrap().to_owned();
        for word in names_of(&folder).iter().flat_map(|name| split(name)) {
            if word.len() >= SHORTEST && !GENERAL.contains(&word.as_str()) {
                words.insert(word, game.clone());
            }
        }
    }
    words
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
    for path in files(folder.join("components"), "toml") {
        let file: Table = fs::read_to_string(path).unwrap().parse().unwrap();
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

/// The files below a folder with an ending; none if there is no such folder.
fn files(folder: impl AsRef<Path>, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(path, ending));
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

//! Checks that every documented key of a game's files is used in a game that loads.

use crate::folder::{files, games};
use parlour::loader::{Choices, Described, Files, Package, keys};
use std::collections::BTreeSet;

/// Game with the keys that no other game uses.
const GAME: &str = r#"
[game]
id = "keys"
name = "Keys"
players = { min = 2, max = 2 }

[options.stake]
type = "number"
min = 1
max = 9
default = 4

[params.home]
value = 3
[params.inns]
value = { boar = 2, swan = [3, 4] }
min = 0

[zones.road]
shape = "row"
per = "inn"
reads = "price"
[[zones.road.spaces.boar]]
at = "near"
price = 2
[[zones.road.spaces.boar]]
at = "far"
price = 5
[[zones.road.spaces.swan]]
at = "there"
price = 7
[zones.moor]
shape = "grid"
looks = "crossings"
columns = 4
rows = 4
[zones.fen]
shape = "hex"
columns = 3
rows = 2
outline = "rectangle"
[zones.stall]
shape = "pile"
copies = ["left", "right"]
quiet = true
shown = false

[values.game]
purse = { start = "stake" }
pledge = { start = "stake", shown = false }
hut = { type = "moor", start = [2, "home"] }
camp = { type = "moor", start = [4, 1] }
[values.space]
grass = { start = 1, in = "moor", min = 0 }

[decisions.wait]
ask = "Wait?"

[flow]
round = ["play"]
rounds = 3
ending = "over"
triggers = "turn_order"
trigger_choice = "wait"

[phases.play]
steps = [{ each_seat = "turn_of" }]

[endings.over]
name = "The game is over"
winners = "best"

[targets]
seat_win_gap = { max = 0.5 }
ties = { min = 0.0, max = 1.0 }
rounds = 3
turns = 6
decisions = { min = 1 }
forced = { max = 1.0 }
options = { min = 2 }
score = { min = 0 }
margin = { min = 0 }
last_gap = { max = 1.0 }
lead_changes = { max = 9 }
last_lead = { max = 1.0 }
leader_quarter = { max = 1.0 }
leader_half = { max = 1.0 }
leader_three_quarters = { max = 1.0 }
comeback = { max = 1.0 }
faults = 0
ending.over = { min = 0.9, max = 1.0 }
tally.waits = { min = 0 }
campaign_games = { max = 9 }
attempts.first = { max = 9 }
scenario_won.first = { min = 0.0 }
carried.purse = { min = 0 }
"#;

const INNS: &str = r#"
[[inn]]
id = "boar"
[[inn]]
id = "swan"
"#;

const RULES: &str = r#"
fn turn_of(seat) {
    if confirm(seat, "wait") { tally("waits", 1); }
    game.hut.grass += 1;
    game.purse += game.camp.grass;
}

fn score(seat) { game.purse + game.pledge + game.hut.y * 10 + stall["left"].count() + road["boar"]["far"].price }
"#;

/// Returns the files of the game [`GAME`].
pub(crate) fn texts() -> Vec<(String, String)> {
    let text = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    vec![text("game.toml", GAME), text("components/inns.toml", INNS), text("rules/play.rhai", RULES)]
}

#[test]
fn the_game_with_the_remaining_keys_loads() {
    let found = parlour::load_texts("keys", texts()).err();
    assert!(found.is_none(), "{}", found.map(|found| found.to_string()).unwrap_or_default());
}

#[test]
fn values_can_start_at_an_option_or_a_cell() {
    let package = Package::parse(Files::from_texts("keys", texts()).unwrap()).unwrap();
    let model = package.build(&Choices { players: 2, ..Choices::default() }).unwrap();
    let start = |id: &str| model.values.iter().find(|value| &*value.id == id).unwrap().start;
    assert_eq!([start("purse"), start("pledge")], [4, 4]);
    // Spaces are numbered row by row.
    assert_eq!([start("hut"), start("camp")], [2 * 4 + 1, 3]);
}

/// Returns the path of a documented key. The segments `NAME` and `*` match any name.
fn path_of(key: &Described) -> Vec<String> {
    let table = key.table.trim_matches(['[', ']']);
    table.split('.').filter(|part| !part.is_empty()).chain([&*key.name]).map(str::to_owned).collect()
}

/// Collects the paths of all keys in a table and in its nested tables and lists.
fn collect_keys(value: &toml::Value, path: &[String], found: &mut BTreeSet<Vec<String>>) {
    match value {
        toml::Value::Table(table) => {
            for (key, below) in table {
                let path: Vec<String> = path.iter().chain([key]).cloned().collect();
                collect_keys(below, &path, found);
                found.insert(path);
            }
        }
        toml::Value::Array(list) => list.iter().for_each(|entry| collect_keys(entry, path, found)),
        _ => {}
    }
}

#[test]
fn every_documented_key_is_used_in_a_game_that_loads() {
    // Only these scenes have alterations that multiply, and players who win together.
    let scenes =
        ["altered-twice", "ended-outside"].map(|name| std::path::Path::new("tests/sessions/scenes").join(name));
    let played = games().into_iter().chain(scenes).flat_map(files);
    let played = played.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    let played = played.map(|path| std::fs::read_to_string(path).unwrap());
    let mut found = BTreeSet::new();
    for text in played.chain([GAME.to_owned(), INNS.to_owned()]) {
        let table: toml::Table = text.parse().unwrap();
        for (name, rows) in table.iter().filter(|(_, rows)| rows.is_array()) {
            assert!(!name.is_empty());
            collect_keys(rows, &["KIND".to_owned()], &mut found);
        }
        collect_keys(&toml::Value::Table(table), &[], &mut found);
    }
    let matches = |wanted: &str, word: &str| wanted == word || ["NAME", "*"].contains(&wanted);
    let is_used = |key: &[String]| {
        found
            .iter()
            .any(|path| path.len() == key.len() && key.iter().zip(path).all(|(wanted, word)| matches(wanted, word)))
    };
    let missing: Vec<String> =
        keys().iter().map(path_of).filter(|key| !is_used(key)).map(|key| key.join(".")).collect();
    assert!(missing.is_empty(), "no game uses {missing:#?}");
    assert!(keys().len() > 100, "{} keys found", keys().len());
}

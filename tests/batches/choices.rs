//! `parlour choices` classifies planted decisions, and finds planted options that are dominated or duplicates of each other.

use crate::dice_game::{parlour, with_dice};
use crate::folder::Folder;
use serde_json::Value;

const GAME: &str = r#"
[game]
id = "paths"
name = "Paths"
players = { min = 2, max = 2 }
[values.seat]
points = 0
bit = 0
[decisions.bit]
ask = "Do you keep it?"
[decisions.way]
ask = "Which way?"
[decisions.cheer]
ask = "Which color?"
[flow]
round = ["act", "rest"]
rounds = 3
[phases.act]
steps = [{ each_seat = "act" }]
[phases.rest]
steps = [{ each_seat = "rest" }]
"#;

/// Rules in which keeping or swapping is worth a point, depending on the bit. The way `burn` costs three points; the other two ways are
/// equivalent.
const RULES: &str = r#"
/// A player may keep the bit, and chooses a way.
fn act(seat) {
    seat.bit = roll(2) - 1;
    let kept = choose(seat, "bit", ["keep", "swap"]);
    seat.points += if kept == "keep" { seat.bit } else { 1 - seat.bit };
    if choose(seat, "way", ["burn", "left", "right"]) == "burn" { seat.points -= 3; }
}
/// A player cheers, and throws a die.
fn rest(seat) {
    choose(seat, "cheer", ["blue", "red"]);
    seat.points += roll(6);
}
/// Returns the seat's points as its score.
fn score(seat) { seat.points }
"#;

fn paths(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("paths/game.toml", GAME);
    folder.write("paths/rules/play.rhai", RULES);
    folder
}

#[test]
fn planted_decisions_and_options_are_found() {
    let folder = paths("choices");
    let (code, told, mistakes) =
        parlour(&folder, "choices paths --games 150 --worlds 20 --seed 1 --format json --out run");
    assert_eq!(code, 0, "{told}{mistakes}");
    let document: Value = serde_json::from_str(&told).unwrap();
    let decision = |id: &str| {
        let all = document["decisions"].as_array().unwrap();
        all.iter().find(|one| one["decision"] == id).unwrap_or_else(|| panic!("{id}: {told}")).clone()
    };
    let (bit, way, cheer) = (decision("bit"), decision("way"), decision("cheer"));
    assert_eq!(
        [&bit, &way, &cheer].map(|one| one["class"].as_str().unwrap().to_owned()),
        ["real", "obvious", "equal"],
        "{bit} {way} {cheer}"
    );
    assert_eq!([&bit, &way, &cheer].map(|one| one["phase"].as_str().unwrap().to_owned()), ["act", "act", "rest"]);
    let dominated = |one: &Value| {
        one["dominated"].as_array().unwrap().iter().map(|option| option["option"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!((dominated(&bit), dominated(&way), dominated(&cheer)), (vec![], vec!["\"burn\"".to_owned()], vec![]));
    let duplicates = way["duplicates"].as_array().unwrap();
    assert_eq!(duplicates.len(), 1, "{way}");
    assert_eq!(duplicates[0]["options"], serde_json::json!(["left", "right"]));
    assert!(bit["duplicates"].as_array().unwrap().is_empty() && cheer["duplicates"].as_array().unwrap().is_empty());
    let page = folder.read("run/choices.html");
    for text in [
        "class=\"box real\"",
        "class=\"box obvious\"",
        "class=\"box equal\"",
        "burn is never worth taking",
        "left and right are the same",
    ] {
        assert!(page.contains(text), "{text}");
    }
    // Each example stops at its question, and can be continued.
    let plays: Vec<_> = folder.at("run/plays").read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(plays.len() >= 6, "{plays:?}");
    let play = plays[0].file_name().unwrap().to_str().unwrap();
    let (code, _, told) = parlour(&folder, &format!("run paths --from run/plays/{play} --quiet"));
    assert_eq!(code, 0, "{told}");
}

#[test]
fn the_text_names_what_was_found_and_nothing_else() {
    let folder = paths("choices-text");
    let (code, told, _) = parlour(&folder, "choices paths --games 60 --worlds 20 --seed 2");
    assert_eq!(code, 0, "{told}");
    assert!(
        told.contains("! way: burn is never worth taking") && told.contains("! cheer: it makes no difference"),
        "{told}"
    );
    let dice = with_dice("choices-dice");
    for seed in 0..5 {
        let (code, told, _) = parlour(&dice, &format!("choices dice --players 2 --games 40 --worlds 10 --seed {seed}"));
        assert!(code == 0 && told.contains("cheer: it makes no difference"), "{told}");
        assert!(!told.contains("never worth") && !told.contains("are the same"), "{told}");
    }
}

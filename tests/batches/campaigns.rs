//! Tests batches of campaigns: attempts, successes and carried-over values agree with the rules, and every batch command can play
//! campaigns.

use crate::dice_game::parlour;
use crate::folder::Folder;
use serde_json::Value;

/// Game with a campaign of two legs. The hills are won with probability 1 / `odds` and are tried at most three times; then the pass is
/// tried once. Each game gives both seats a coin.
const GAME: &str = r#"
[game]
id = "trail"
name = "Trail"
players = { min = 2, max = 2 }
[options.leg]
values = ["hills", "pass"]
[campaign]
option = "leg"
carry = ["coins", "tries", "mood"]
next = "next_leg"
[params]
odds = 2
[values.game]
tries = 0
won = 0
mood = { words = ["calm", "wild"], start = "calm" }
[values.seat]
coins = 0
[decisions.go]
ask = "Which way?"
[flow]
setup = ["start"]
round = ["walk"]
rounds = 1
ending = "lost"
[phases.walk]
steps = ["walk"]
[endings]
lost = { name = "Lost", winners = "nobody" }
arrived = { name = "Arrived", winners = "everybody" }
"#;

const RULES: &str = r#"
/// Gives each seat a coin.
fn start() {
    game.tries += 1;
    for seat in seats { seat.coins += 1; }
}
/// Asks for a direction, then decides the leg by a roll.
fn walk() {
    choose(seats[0], "go", ["left", "right"]);
    if roll(odds) == 1 {
        game.won = 1;
        end_game("arrived");
    }
}
/// Returns the next leg: the pass once the hills are won or were tried three times.
fn next_leg() {
    if leg == "pass" { () } else if game.won == 1 || game.tries == 3 { "pass" } else { "hills" }
}
/// Returns the seat's coins as its score.
fn score(seat) { seat.coins }
"#;

fn trail(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("trail/game.toml", GAME);
    folder.write("trail/rules/play.rhai", RULES);
    folder
}

/// Returns the value of a measure in `measures.csv` for two players.
fn measure(folder: &Folder, word: &str) -> f64 {
    let text = folder.read("run/measures.csv");
    let line = text.lines().find(|line| line.starts_with(&format!("2,{word},")));
    line.unwrap_or_else(|| panic!("{word}: {text}")).split(',').nth(2).unwrap().parse().unwrap()
}

#[test]
fn attempts_success_and_carried_values_follow_the_rules() {
    let folder = trail("measured");
    let (code, told, mistakes) = parlour(&folder, "simulate trail --campaign --games 4000 --seed 1 --out run");
    assert_eq!(code, 0, "{told}{mistakes}");
    // Half of the attempts fail, so there are 1 + 1/2 + 1/4 attempts on average. All three fail in one of eight campaigns.
    for (word, wanted, within) in [
        ("attempts.hills", 1.75, 0.04),
        ("attempts.pass", 1.0, 1e-9),
        ("scenario_won.hills", 0.875, 0.02),
        ("scenario_won.pass", 0.5, 0.03),
        ("success", 0.5, 0.03),
        ("campaign_games", 2.75, 0.04),
        ("carried.hills.coins", 3.5, 0.08),
        ("carried.hills.tries", 1.75, 0.04),
    ] {
        let found = measure(&folder, word);
        assert!((found - wanted).abs() < within, "{word} is {found}");
    }
    assert!(!folder.read("run/measures.csv").contains("mood"), "words are no numbers");
    assert!(told.contains("4000 campaigns") && told.contains("Coins handed on"), "{told}");
    let details = folder.read("run/details.csv");
    assert!(details.contains("2,0,,attempts,hills,") && details.contains("2,0,,carried,hills.coins,"), "{details}");
    let page = folder.read("run/report.html");
    for text in [
        "4,000 campaigns",
        "The players win",
        "Attempts by scenario",
        "Scenarios won",
        "Coins handed on after each scenario",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(page.contains("A campaign takes 2 to 4 games") && !page.contains("never came into play"));
    // The seed in a row of `games.csv` reproduces the campaign.
    let seed = folder.read("run/games.csv").lines().nth(1).unwrap().split(',').nth(2).unwrap().to_owned();
    let (code, told, _) = parlour(&folder, &format!("run trail --campaign --quiet --players 2 --seed {seed}"));
    assert!(code == 0 && told.contains("1. hills\n") && told.contains(". pass\n"), "{told}");
    let games = folder.read("run/games.jsonl");
    let first: Value = serde_json::from_str(games.lines().next().unwrap()).unwrap();
    let count = told.matches(". hills\n").count() + told.matches(". pass\n").count();
    assert_eq!(first["campaign_games"].as_u64(), Some(count as u64), "{told}");
}

#[test]
fn campaigns_have_targets_of_their_own() {
    let folder = trail("campaign-targets");
    let missed = "--set targets.attempts.hills=1.5 --games 400 --seed 1";
    let (code, told, _) = parlour(&folder, &format!("simulate trail --campaign {missed}"));
    assert!(code == 1 && told.contains("Target `attempts.hills`, at most 1.5, is missed"), "{told}");
    // A single game has no attempts, and the target for the number of rounds in a game does not apply to a campaign.
    let (code, told, _) = parlour(&folder, &format!("simulate trail {missed}"));
    assert!(code == 0 && !told.contains("attempts"), "{told}");
    let (code, told, _) = parlour(&folder, "simulate trail --campaign --set targets.rounds=1 --games 100 --seed 1");
    assert!(code == 0 && !told.contains("Target `rounds`"), "{told}");
    let (code, _, told) =
        parlour(&folder, "sweep trail --campaign --vary params.odds=2,3 --figure attempts.hils --games 10");
    assert!(code == 2 && told.contains("did you mean `hills`"), "{told}");
}

#[test]
fn campaigns_are_compared_and_swept() {
    let folder = trail("campaign-compare");
    let (code, told, mistakes) =
        parlour(&folder, "compare trail --campaign --b params.odds=4 --games 400 --seed 1 --format json");
    assert_eq!(code, 0, "{mistakes}");
    let document: Value = serde_json::from_str(&told).unwrap();
    let row = |word: &str| {
        let rows = document["batches"][0]["measures"].as_array().unwrap();
        rows.iter().find(|row| row["measure"] == word).unwrap_or_else(|| panic!("{word}: {told}")).clone()
    };
    assert_eq!(
        (row("attempts.hills")["verdict"].as_str(), row("success")["verdict"].as_str()),
        (Some("higher"), Some("lower"))
    );
    let (code, told, mistakes) = parlour(
        &folder,
        "sweep trail --campaign --vary params.odds=2,4 --figure attempts.hills --games 400 --seed 1 --format json --out swept",
    );
    assert_eq!(code, 0, "{mistakes}");
    let document: Value = serde_json::from_str(&told).unwrap();
    let attempts = |at: usize| document["settings"][at]["figures"]["attempts.hills"]["value"].as_f64().unwrap();
    assert!((attempts(0) - 1.75).abs() < 0.15 && attempts(1) > attempts(0) + 0.3, "{told}");
    assert!(folder.read("swept/sweep.html").contains("Attempts hills by odds"));
}

#[test]
fn a_folder_of_campaigns_is_resumed_reported_and_merged() {
    let folder = trail("campaign-folder");
    let (code, told, mistakes) = parlour(&folder, "campaign trail --games 60 --seed 1 --out run");
    assert_eq!(code, 0, "{mistakes}");
    assert!(told.contains("60 campaigns"), "{told}");
    assert_eq!(parlour(&folder, "report run --out again.html").0, 0);
    assert_eq!(folder.read("again.html"), folder.read("run/report.html"));
    let (code, _, told) = parlour(&folder, "simulate --resume run");
    assert!(code == 0 && told.contains("nothing is left to do") || told.contains("complete"), "{told}");
    for part in 1..=2 {
        let (code, _, told) = parlour(
            &folder,
            &format!("simulate trail --campaign --games 60 --seed 1 --shard {part}/2 --out part-{part}"),
        );
        assert_eq!(code, 0, "{told}");
    }
    assert_eq!(parlour(&folder, "merge part-1 part-2 --out whole").0, 0);
    for file in ["measures.csv", "games.csv", "games.jsonl", "figures.json"] {
        assert_eq!(folder.read(&format!("whole/{file}")), folder.read(&format!("run/{file}")), "{file}");
    }
    let single = crate::dice_game::with_dice("no-campaign");
    let (code, _, told) = parlour(&single, "simulate dice --campaign --games 4");
    assert!(code == 2 && told.contains("`dice` has no campaign"), "{told}");
}

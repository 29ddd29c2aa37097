//! Games that all players win or lose together: success as a measure and target, crews that play the same deals, and no comparison of
//! seats.

use crate::dice_game::{GAME, RULES, parlour, with_dice};
use crate::folder::Folder;
use serde_json::Value;

/// Creates a folder with a co-operative dice game, which is won if red is cheered at least `wanted` times in its six questions.
fn crew_game(name: &str, wanted: u32) -> Folder {
    let folder = with_dice(name);
    let game = GAME
        .replace("thrown = \"Every die is thrown\"", "thrown = { name = \"Lost\", winners = \"nobody\" }")
        .replace("never = \"This never happens\"", "never = { name = \"Won\", winners = \"everybody\" }")
        .replace("[values.seat]", "[values.game]\nreds = 0\n[values.seat]")
        .replace("seat_win_gap = 0.2", "success = { min = 0.3, max = 0.7 }");
    let rules = RULES
        .replace("tally(\"red\", 1);", &format!("game.reds += 1; if game.reds == {wanted} {{ end_game(\"never\"); }}"));
    assert!(rules.contains("game.reds"), "{rules}");
    folder.write("dice/game.toml", game);
    folder.write("dice/rules/play.rhai", rules);
    for (agent, red) in [("reds", 2), ("blues", 0), ("others", 0)] {
        let text =
            format!("/// Rates red.\nfn rate_cheer(seat, color) {{ if color == \"red\" {{ {red} }} else {{ 1 }} }}\n");
        folder.write(&format!("dice/agents/{agent}.rhai"), text);
    }
    folder
}

#[test]
fn success_is_a_measure_and_a_target() {
    // Random agents cheer red in each of six questions with probability 1/3: at least twice with probability 1 - (2/3)^6 - 6 (1/3) (2/3)^5
    // = 0.649.
    let folder = crew_game("success", 2);
    let (code, told, mistakes) = parlour(&folder, "simulate dice --players 2 --games 2000 --seed 1 --out run");
    assert_eq!(code, 0, "{told}{mistakes}");
    assert!(told.contains("success 6") && !told.contains("fair share") && !told.contains("margin"), "{told}");
    let page = folder.read("run/report.html");
    assert!(page.contains("The players win 6"), "{}", &page[page.find("<body>").unwrap()..][..9000]);
    assert!(!page.contains("Seats look fair") && !page.contains("Wins by seat"));
    let measures = folder.read("run/measures.csv");
    let line = measures.lines().find(|line| line.starts_with("2,success,")).expect("a line for success");
    let share: f64 = line.split(',').nth(2).unwrap().parse().unwrap();
    assert!((share - 0.649).abs() < 0.035, "{line}");
    assert!(!measures.contains("win.1") && !measures.contains("seat_win_gap"), "{measures}");
    // Games in which a seat cheers red are won more often than the average game, but not always.
    let items = folder.read("run/items.csv");
    let column =
        items.lines().next().unwrap().split(',').position(|head| head == "wins_with").expect("a column for wins");
    let red = items.lines().find(|line| line.contains("cheer.red")).expect("a line for red");
    let wins: f64 = red.split(',').nth(column).unwrap().parse().unwrap();
    assert!(wins > share && wins < 0.9, "{red}: {share}");
    // A harder game misses the target.
    let harder = crew_game("harder", 5);
    let (code, told, _) = parlour(&harder, "simulate dice --players 2 --games 400 --seed 1");
    assert!(code == 1 && told.contains("Target `success`, from 0.3 to 0.7, is missed"), "{told}");
    let rivals = with_dice("rivals");
    rivals.write("dice/game.toml", GAME.replace("seat_win_gap", "success"));
    let (code, _, told) = parlour(&rivals, "simulate dice --games 4");
    assert!(
        code == 1 && told.contains("`success` is a figure of games that all players win or lose together"),
        "{told}"
    );
}

#[test]
fn crews_are_ranked_on_the_same_deals() {
    let folder = crew_game("crews", 3);
    let (code, told, mistakes) = parlour(
        &folder,
        "arena dice --crews blues,random,reds --players 2 --games 600 --seed 2 --all --format json --out run",
    );
    assert_eq!(code, 0, "{told}{mistakes}");
    let document: Value = serde_json::from_str(&told).unwrap();
    let crews: Vec<&str> =
        document["crews"].as_array().unwrap().iter().map(|crew| crew["crew"].as_str().unwrap()).collect();
    assert_eq!(crews, ["reds", "random", "blues"]);
    let (best, random) = (&document["crews"][0], &document["crews"][1]);
    assert_eq!((best["games"].as_u64(), best["success"].as_f64()), (Some(200), Some(1.0)));
    let lead = &best["success_against_next"];
    assert!(lead["low"].as_f64().unwrap() > 0.4 && lead["deals"] == 200, "{lead}");
    assert!(random["success_against_next"]["low"].as_f64().unwrap() > 0.1, "{random}");
    assert!(folder.read("run/arena.html").contains("reds wins more often than random: 100 % of the deals"));
    // Two agents that make the same choices do not differ.
    let (code, told, _) = parlour(&folder, "arena dice --crews blues,others --players 2 --games 400 --seed 2");
    assert!(code == 0 && told.contains("0.0 (0.0 to 0.0)") || told.contains("+0.0 (+0.0 to +0.0)"), "{told}");
}

#[test]
fn agents_of_a_cooperative_game_are_crews_and_others_are_not() {
    let folder = crew_game("refused", 3);
    let (code, _, told) = parlour(&folder, "arena dice --agents reds,random --games 10");
    assert!(code == 2 && told.contains("--crews reds,random"), "{told}");
    let (code, _, told) = parlour(&folder, "arena dice --crews reds,reds --games 10");
    assert!(code == 2 && told.contains("names `reds` twice"), "{told}");
    let rivals = with_dice("no-crews");
    let (code, _, told) = parlour(&rivals, "arena dice --crews first,random --games 10");
    assert!(code == 2 && told.contains("do not win or lose together"), "{told}");
}

#[test]
fn chance_rarely_makes_one_of_two_equal_crews_better() {
    let folder = crew_game("equal-crews", 2);
    let mut quiet = 0;
    for seed in 0..20 {
        // Both agents choose at random, but their names differ, so they use different streams of random numbers.
        let command = format!(
            "arena dice --crews random,script:equal.rhai --players 2 --games 100 --seed {seed} --all --format json"
        );
        folder.write("equal.rhai", "/// Rates all alike.\nfn rate_cheer(seat, color) { 1 }\n");
        let (code, told, mistakes) = parlour(&folder, &command);
        assert_eq!(code, 0, "{mistakes}");
        let document: Value = serde_json::from_str(&told).unwrap();
        let lead = &document["crews"][0]["success_against_next"];
        quiet += u32::from(lead["false_findings"].as_f64().unwrap() > 0.05);
    }
    assert!(quiet >= 17, "{quiet} of 20");
}

#[test]
fn a_comparison_fails_by_targets() {
    let folder = crew_game("by-targets", 2);
    let compare = |more: &str| parlour(&folder, &format!("compare dice --players 2 --games 300 --seed 4 {more}"));
    let (code, told, _) = compare("--agents random --agents-b reds --fail-on targets");
    assert!(code == 1 && told.contains("success"), "always winning is more than the target wants: {told}");
    assert_eq!(compare("--agents random --agents-b reds --fail-on worse").0, 1);
    assert_eq!(compare("--agents random --agents-b reds").0, 0);
    // With `--fail-on worse`, the command fails only if version B misses more targets. Here, both versions miss the same target.
    assert_eq!(compare("--agents reds --agents-b reds --fail-on worse").0, 0);
    assert_eq!(compare("--agents reds --agents-b reds --fail-on targets").0, 1);
    assert!(!told.contains("seat gap"), "seats are not compared: {told}");
}

#[test]
fn agents_are_compared_on_the_same_luck() {
    let folder = crew_game("agents-b", 2);
    let command = "compare dice --players 2 --games 200 --seed 4 --agents random --agents-b reds --out run";
    let (code, told, mistakes) = parlour(&folder, command);
    assert_eq!(code, 0, "{mistakes}");
    assert!(told.contains("changed: agents random → reds"), "{told}");
    assert!(
        told.contains("A: dice as it is, played by random") && told.contains("B: dice as it is, played by reds"),
        "{told}"
    );
    let page = folder.read("run/compare.html");
    assert!(page.contains("agents <b>random → reds</b>") && page.contains("Success rises from 6"), "{page}");
    assert!(page.contains("A: In every seat: random. B: In every seat: reds."));
    let document: Value = serde_json::from_str(&folder.read("run/compare.json")).unwrap();
    assert_eq!((&document["agents"][0], &document["agents_b"][0]), (&"random".into(), &"reds".into()));
    // Both crews get the same rolls, because the dice do not depend on the players.
    let rows = document["batches"][0]["measures"].as_array().unwrap();
    let thrown = rows.iter().find(|row| row["measure"] == "tally.thrown.1");
    assert!(thrown.is_none_or(|row| row["pairs"] == 200));
    let (code, told, _) =
        parlour(&folder, "compare dice --players 2 --games 100 --seed 4 --agents reds --agents-b reds");
    assert!(code == 0 && told.contains("Nothing differs: all 100 pairs"), "{told}");
}

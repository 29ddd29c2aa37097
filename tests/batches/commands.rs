//! Batch commands: output folders, shards, comparisons, sweeps and targets.

use crate::dice_game::{GAME, RULES, parlour, with_dice};
use crate::folder::contents;
use serde_json::Value;

#[test]
fn merged_shards_equal_one_run_on_any_number_of_threads() {
    let folder = with_dice("merged");
    let play = |more: &str| {
        let (code, _, told) = parlour(&folder, &format!("simulate dice --players 2..3 --games 50 --seed 5 {more}"));
        assert_eq!(code, 0, "{told}");
    };
    play("--jobs 1 --out whole");
    play("--jobs 3 --out many");
    (1..=4).for_each(|part| play(&format!("--shard {part}/4 --out part-{part}")));
    let (code, told, _) = parlour(&folder, "merge part-3 part-1 part-4 part-2 --out merged");
    assert_eq!((code, told.trim()), (0, "100 games in merged"));
    let whole = contents(folder.at("whole"));
    assert!(whole.len() > 10);
    for other in ["many", "merged"] {
        let other_files = contents(folder.at(other));
        for ((name, bytes), (other_name, other_bytes)) in whole.iter().zip(&other_files) {
            assert!(name == other_name && bytes == other_bytes, "{other}/{other_name} differs from {name}");
        }
        assert_eq!(whole.len(), other_files.len());
    }
}

#[test]
fn merge_refuses_incompatible_runs_and_lists_gaps() {
    let folder = with_dice("apart");
    for (out, how) in [
        ("one", "--seed 5 --shard 1/3"),
        ("three", "--seed 5 --shard 3/3"),
        ("seed", "--seed 6 --shard 2/3"),
        ("set", "--seed 5 --shard 2/3 --set params.sides=4"),
        ("agents", "--seed 5 --shard 2/3 --agents first"),
        ("two-of-two", "--seed 5 --shard 2/2"),
        ("red", "--seed 5 --shard 2/3 --agents script:cheer.rhai"),
        ("blue", "--seed 5 --shard 1/3 --agents script:cheer.rhai"),
    ] {
        let color = if out == "blue" { "blue" } else { "red" };
        let text = format!(
            "/// The color.\nfn rate_cheer(seat, option) {{ if option == \"{color}\" {{ 1 }} else {{ 0 }} }}\n"
        );
        folder.write("cheer.rhai", text);
        let (code, _, told) = parlour(&folder, &format!("simulate dice --games 30 {how} --out {out}"));
        assert!(code == 0 || out == "agents" && code == 1, "{out}: {told}");
    }
    let (code, _, told) = parlour(&folder, "merge red blue --out refused");
    assert!(code == 2 && told.contains("have not the same files of agents"), "{told}");
    for (others, why) in [
        ("seed", "have not the same master seed"),
        ("set", "have not the same changed data"),
        ("agents", "have not the same agents"),
        ("one", "is in two of the folders"),
        ("two-of-two three", "is in two of the folders"),
        ("dice", "holds no run"),
    ] {
        let (code, _, told) = parlour(&folder, &format!("merge one {others} --out refused"));
        assert!(code == 2 && told.contains(why), "{others}: {told}");
        assert!(!folder.at("refused").exists());
    }
    let set_aside = |file: &str, change: &dyn Fn(&str) -> String, why: &str| {
        let (path, before) = (folder.at(file), folder.read(file));
        std::fs::write(&path, change(&before)).unwrap();
        let (code, _, told) = parlour(&folder, "merge three one --out refused");
        assert!(code == 2 && told.contains(why), "{file}: {told}");
        assert!(!folder.at("refused").exists());
        std::fs::write(&path, before).unwrap();
    };
    let without_last = |text: &str| {
        text.lines()
            .rev()
            .skip(1)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .fold(String::new(), |all, line| all + line + "\n")
    };
    set_aside("one/games.jsonl", &without_last, "has 9 lines of 9 games with 2 players, not 10 of 10");
    set_aside("one/seats.csv", &without_last, "has 19 lines of 10 games");
    let one_more = |text: &str| text.replacen("\"games\":10", "\"games\":11", 1);
    set_aside("one/figures.json", &one_more, "its figures are of 11 games with 2 players, and 10 were played");
    let (code, _, told) = parlour(&folder, "merge three one --out gap");
    assert!(code == 0 && told.contains("2 players: games 10 to 19 are missing"), "{told}");
    let manifest: Value = serde_json::from_str(&folder.read("gap/manifest.json")).unwrap();
    assert_eq!(manifest["complete"], false);
    assert_eq!(manifest["batches"][0]["played"], serde_json::json!([[0, 10], [20, 30]]));
    let (code, _, told) = parlour(&folder, "simulate dice --games 30 --seed 5 --out gap");
    assert!(code == 2 && told.contains("already contains"), "{told}");
}

#[test]
fn tables_have_a_line_for_each_game_and_seat() {
    let folder = with_dice("tables");
    assert_eq!(parlour(&folder, "simulate dice --games 20 --seed 5 --players 3 --out run").0, 0);
    let lines = |file: &str| folder.read(file).lines().count();
    assert_eq!((lines("run/games.csv"), lines("run/seats.csv"), lines("run/games.jsonl")), (21, 61, 20));
    assert!(folder.read("run/details.csv").contains("3,0,1,tally,thrown,"));
    let first: Value = serde_json::from_str(folder.read("run/games.jsonl").lines().next().unwrap()).unwrap();
    assert_eq!(
        (first["players"].as_u64(), first["rounds"].as_u64(), first["ending"].as_str()),
        (Some(3), Some(3), Some("thrown"))
    );
    assert!(folder.read("run/measures.csv").contains("3,seat_win_gap,"));
    assert!(folder.read("run/items.csv").contains("option,cheer,cheer.blue,blue,"));
}

#[test]
fn playscripts_of_notable_games_pass() {
    let folder = with_dice("stories");
    assert_eq!(parlour(&folder, "simulate dice --games 20 --seed 5 --players 3 --out run").0, 0);
    let plays: Vec<_> = folder.at("run/plays").read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(plays.len() >= 4, "{plays:?}");
    std::fs::create_dir_all(folder.at("dice/plays")).unwrap();
    for play in &plays {
        std::fs::copy(play, folder.at("dice/plays").join(play.file_name().unwrap())).unwrap();
    }
    let (code, told, mistakes) = parlour(&folder, "test dice");
    assert_eq!(code, 0, "{told}{mistakes}");
}

#[test]
fn faults_are_recorded_with_a_playscript() {
    let folder = with_dice("fault");
    let faulty = RULES.replace("let color", "if thrown == 6 && round == 3 { fault(\"a six\"); }\n    let color");
    folder.write("dice/rules/play.rhai", faulty);
    let (code, _, told) = parlour(&folder, "simulate dice --games 20 --seed 5 --out run");
    assert!(code == 1 && told.contains("a six"), "{told}");
    let play = folder.at("run/plays").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let play =
        play.into_iter().find(|path| path.to_str().unwrap().contains("fault")).expect("a playscript of the fault");
    assert!(std::fs::read_to_string(play).unwrap().contains("cheer"));
    assert!(folder.read("run/report.html").contains("games of 20 failed: a six"));
    assert!(folder.read("run/games.csv").contains(",a six\n"));
}

/// Agent failures are recorded like faults of rules, and grouped by their message.
#[test]
fn faults_of_agents_are_recorded_with_a_playscript() {
    let folder = with_dice("agent-fault");
    std::fs::create_dir(folder.at("dice/agents")).unwrap();
    let fails = |name: &str, slip: &str| {
        let text = format!("/// Fails late.\nfn rate_cheer(seat, option) {{ if round == 3 {{ {slip} }} 0 }}\n");
        folder.write(&format!("dice/agents/{name}.rhai"), text);
    };
    fails("broken", "fault(\"broken off\");");
    fails("worn", "fault(\"worn out\");");
    let simulated = "simulate dice --games 8 --seed 5 --players 2 --out run --agents broken,worn";
    let (code, _, told) = parlour(&folder, simulated);
    assert!(code == 1 && told.contains("broken off"), "{told}");
    let plays = folder.at("run/plays").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let play = plays.into_iter().find(|path| path.to_str().unwrap().contains("fault")).unwrap();
    let play = std::fs::read_to_string(play).unwrap();
    assert_eq!(play.matches(" cheer ").count(), 4, "two rounds were played: {play}");
    let arena = "arena dice --games 8 --seed 5 --players 2 --all --agents";
    let (code, _, told) = parlour(&folder, &format!("{arena} worn,broken"));
    assert!(code == 1 && told.contains("broken off") && told.contains("worn out"), "{told}");
    for reproduce in told.lines().filter_map(|line| line.split("parlour run ").nth(1)) {
        let (code, _, told) = parlour(&folder, &format!("run {}", reproduce.replace('\'', "")));
        assert!(code == 1 && (told.contains("broken off") || told.contains("worn out")), "{reproduce}: {told}");
    }
}

#[test]
fn missed_targets_cause_exit_code_1() {
    let folder = with_dice("targets");
    let (code, told, _) = parlour(&folder, "simulate dice --games 200 --seed 5 --set params.gift=9");
    assert!(code == 1 && told.contains("Target `seat_win_gap`, at most 0.2, is missed"), "{told}");
    assert_eq!(parlour(&folder, "simulate dice --games 200 --seed 5").0, 0);
}

#[test]
fn a_sweep_finds_the_setting_that_meets_the_targets() {
    let folder = with_dice("sweep");
    let sweep = "sweep dice --vary params.gift=0..8/2 --games 200 --seed 5 --format json";
    let (code, told, mistakes) = parlour(&folder, sweep);
    assert_eq!(code, 0, "{mistakes}");
    let document: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(document["settings"].as_array().unwrap().len(), 5);
    assert_eq!(document["settings"][0]["set"]["params.gift"], "0");
    assert_eq!(document["settings"][0]["targets"]["seat_win_gap"], "met");
    let (code, told, _) = parlour(&folder, "sweep dice --vary params.gift=8,9 --games 200 --seed 5");
    assert!(code == 1 && told.contains("No setting meets the targets."), "{told}");
    let (code, told, mistakes) = parlour(
        &folder,
        "sweep dice --vary params.gift=0..8 --vary luck=fair,loaded --games 200 --seed 5 --search --out swept",
    );
    assert_eq!(code, 0, "{mistakes}");
    assert!(
        told.contains("Nearest to the targets: params.gift = 0") && told.contains("Played again with other seeds"),
        "{told}"
    );
    assert!(folder.read("swept/sweep.csv").lines().next().unwrap().starts_with("params.gift,luck,figure,value"));
    assert!(folder.read("swept/sweep.html").contains("Seat gap by gift (across) and luck (down)"));
    let (code, _, told) = parlour(&folder, "sweep dice --vary params.gfit=1..2 --games 10 --seed 5");
    assert!(code == 2 && told.contains("did you mean"), "{told}");
    let (code, _, told) = parlour(&folder, "sweep dice --vary params.gift=5..2 --games 10");
    assert!(code == 2 && told.contains("write a range"), "{told}");
    let (code, _, told) = parlour(&folder, "sweep dice --vary params.gift=1..2 --figure seat_gap --games 10");
    assert!(code == 2 && told.contains("there is no figure `seat_gap`"), "{told}");
}

#[test]
fn comparisons_accept_params_options_overlays_and_folders() {
    let folder = with_dice("compare");
    std::fs::create_dir_all(folder.at("other/rules")).unwrap();
    folder.write("other/game.toml", GAME.replace("gift = 0", "gift = 3"));
    folder.write("other/rules/play.rhai", RULES);
    folder.write("gift.toml", "[params]\ngift = 3\n");
    let compare = |b: &str| {
        let (code, told, mistakes) =
            parlour(&folder, &format!("compare dice --games 60 --seed 5 --format json --b {b}"));
        assert_eq!(code, 0, "{mistakes}");
        let mut document: Value = serde_json::from_str(&told).unwrap();
        // The fingerprint of the rules depends on how the change is specified.
        let rules = document["batches"][0].as_object_mut().unwrap().remove("rules").unwrap();
        assert!(rules["a"] != rules["b"] && rules["a"].as_str().is_some_and(|rules| rules.len() == 16));
        document["batches"].take()
    };
    let by_param = compare("params.gift=3");
    let rows = by_param[0]["measures"].as_array().unwrap();
    let score = rows.iter().find(|row| row["measure"] == "score.1").unwrap();
    assert_eq!((score["difference"].as_f64(), score["verdict"].as_str()), (Some(3.0), Some("higher")));
    assert_eq!(compare("gift.toml"), by_param, "an overlay");
    assert_eq!(compare("other"), by_param, "a folder");
    let by_option = compare("luck=loaded");
    assert_eq!(by_option[0]["alike"], 60, "the option has no effect");
    let (code, _, _) =
        parlour(&folder, "compare dice --games 400 --seed 5 --b params.gift=3 --fail-on worse --out compared");
    assert_eq!(code, 1);
    assert!(folder.read("compared/compare.html").contains("is higher in B"));
    assert!(
        folder
            .read("compared/compare.csv")
            .starts_with("players,measure,a,a_low,a_high,b,b_low,b_high,difference,low,high,pairs,")
    );
    for games in [1, 2, 9] {
        let (code, told, _) = parlour(&folder, &format!("compare dice --games {games} --seed 5 --b params.gift=3"));
        assert!(code == 0 && told.contains("too few to show anything") && !told.contains("higher"), "{told}");
        assert!(!told.contains("inf") && !told.contains("9,223"), "{told}");
    }
    folder.write("slip.toml", "[params]\ngitf = 3\n");
    let (_, _, told) = parlour(&folder, "compare dice --games 20 --seed 5 --b slip.toml");
    assert!(told.contains("warning[unused]") && told.contains("slip.toml:2"), "{told}");
    let (code, _, told) = parlour(&folder, "compare dice --games 9 --b nowhere/at/all");
    assert!(code == 2 && told.contains("there is no folder"), "{told}");
}

/// Comparisons list differences before the measures that are identical in every game. One line explains how to show all measures.
#[test]
fn comparisons_list_differences_first_and_fold_the_rest() {
    let folder = with_dice("folded");
    let compare = "compare dice --players 2 --games 100 --seed 5 --b params.gift=3";
    let (code, told, _) = parlour(&folder, &format!("{compare} --out compared"));
    assert_eq!(code, 0);
    let lines: Vec<&str> = told.lines().map(str::trim).collect();
    let at = |start: &str| lines.iter().position(|line| line.starts_with(start));
    let (score, folded) = (at("score, seat 1").unwrap(), at("`--all` shows every measure").unwrap());
    assert!(at("7 of").is_none_or(|overall| overall < score) && score < folded, "{told}");
    assert!(lines[score].contains("+3.00 (+") && lines[score].ends_with("higher"), "{told}");
    assert!(at("score, seat 2").is_none(), "the second seat has the same score in every game: {told}");
    let same = lines.iter().find(|line| line.contains("identical, the same in every pair of games:")).unwrap();
    for name in ["rounds", "turns", "score, seat 2", "ending: Every die is thrown"] {
        assert!(same.contains(name), "{name}: {same}");
    }
    assert!(lines.iter().any(|line| line.ends_with("without evidence of a difference")), "{told}");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("A measure differs where the interval of the difference leaves out 0."))
    );

    let (_, all, _) = parlour(&folder, &format!("{compare} --all"));
    let row = |start: &str| all.lines().map(str::trim).find(|line| line.starts_with(start)).unwrap();
    assert!(row("rounds").ends_with("identical") && row("score, seat 2").ends_with("identical"), "{all}");
    assert!(!all.contains("`--all` shows"), "{all}");

    let (_, json, _) = parlour(&folder, &format!("{compare} --format json"));
    let document: Value = serde_json::from_str(&json).unwrap();
    for row in document["batches"][0]["measures"].as_array().unwrap() {
        let (low, high) = (row["low"].as_f64().unwrap(), row["high"].as_f64().unwrap());
        let differs = matches!(row["verdict"].as_str().unwrap(), "higher" | "lower" | "better" | "worse");
        assert_eq!(differs, low > 0.0 || high < 0.0, "{row}");
    }
    let page = folder.read("compared/compare.html");
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}"));
    let order = ["gift <b>0 → 3</b>", "class=\"verdicts\"", "class=\"strips\"", "<h3>What differs", "<h3>All "];
    assert!(order.map(place).is_sorted(), "{:?}", order.map(place));
    assert!(told.contains("  changed: gift 0 → 3\n"), "{told}");
}

#[test]
fn sweeps_and_comparisons_report_failed_games() {
    let folder = with_dice("failing");
    let faulty =
        RULES.replace("let color", "if thrown == 6 && gift > 0 && round == 3 { fault(\"a six\"); }\n    let color");
    folder.write("dice/rules/play.rhai", faulty);
    let (code, told, mistakes) = parlour(&folder, "sweep dice --vary params.gift=0,1 --games 40 --seed 5 --out swept");
    assert_eq!(code, 1, "{told}{mistakes}");
    assert!(told.contains(" failed, in 1 of 2 settings.") && !told.contains("No setting meets"), "{told}");
    assert!(mistakes.contains("params.gift = 1: ") && mistakes.contains("a six"), "{mistakes}");
    assert!(folder.read("swept/sweep.html").contains("params.gift = 1: "));
    let plays = |run: &str| folder.at(run).join("plays").read_dir().unwrap().count();
    assert_eq!(plays("swept"), 1);
    let (code, told, _) =
        parlour(&folder, "compare dice --b params.gift=1 --games 40 --seed 5 --format json --out compared");
    let document: Value = serde_json::from_str(&told).unwrap();
    let verdict = document["batches"][0]["verdict"].as_str().unwrap();
    assert!(code == 1 && verdict.contains("of B failed: only pairs"), "{verdict}");
    let page = folder.read("compared/compare.html");
    assert!(page.contains("games failed: a six") && plays("compared") == 1);
}

/// Failures that occur only with the new seeds of the final check are reported like any other failures.
#[test]
fn a_search_reports_failed_games_of_the_final_check() {
    let folder = with_dice("failing-again");
    let rare = RULES.replace("let color", "if thrown == 6 && roll(60) == 1 { fault(\"a rare one\"); }\n    let color");
    folder.write("dice/rules/play.rhai", rare);
    let (code, told, mistakes) = parlour(
        &folder,
        "sweep dice --vary params.gift=0,1 --search --set targets.seat_win_gap=0.9 --games 40 --seed 4",
    );
    assert!(told.contains(" met, 2 games failed.") && !told.contains("of 2 settings"), "{told}{mistakes}");
    assert!(code == 1 && mistakes.contains("played again with other seeds: 2 games"), "{told}{mistakes}");
}

#[test]
fn a_sweep_refuses_duplicate_settings_and_unknown_figures() {
    let folder = with_dice("dials");
    for (arguments, message) in [
        ("--vary params.gift=0..1 --vary params.gift=2..3", "`--vary params.gift` is given twice"),
        ("--vary params.gift=0,1,0", "`--vary params.gift` lists 0 twice"),
        ("--vary params.gift=0,1 --set params.gift=7", "`params.gift` is both set and varied"),
        ("--vary params.gift=0,1 --figure tally.nope", "no rule counts it"),
        // No rule uses this counter.
        ("--vary params.gift=0,1 --figure tally.blue", "no rule counts it"),
        ("--vary params.gift=0,1 --figure ending.thrwn", "did you mean `thrown`?"),
        ("--vary params.gift=0,1 --figure win.7", "the seats are 1 to 2"),
        ("--vary params.gift=0,1 --figure place.3", "the places are 1 to 2"),
        (
            "--vary params.gift=0,1 --figure nope.1",
            "`ending.NAME`, `tally.NAME`, `win.SEAT`, `place.NUMBER`, `score.SEAT`",
        ),
    ] {
        let (code, _, told) = parlour(&folder, &format!("sweep dice {arguments} --games 10 --seed 5"));
        assert!(code == 2 && told.contains(message), "{arguments}:\n{told}");
    }
    for figure in ["tally.red", "ending.thrown", "win.1", "place.1", "score.2"] {
        let sweep = format!("sweep dice --vary params.gift=0,1 --figure {figure} --games 20 --seed 5");
        let (code, told, mistakes) = parlour(&folder, &sweep);
        assert!(code == 0 && told.contains(figure), "{told}{mistakes}");
    }
}

//! Tests of the command line as people and other programs use it.

use crate::folder::{Folder, game_texts, games};
use crate::program::{ROOT, assert_usage_error, new_game_folder, parlour, run_expecting, run_ok};
use crate::thorough::is_thorough;
use serde_json::Value;
use std::path::Path;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Creates a folder that contains a game.
fn with_game(name: &str, game: &str, rules: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("game.toml", game);
    folder.write("rules/play.rhai", rules);
    folder
}

/// Game in which players say numbers. A player whose numbers add up to more than 3 causes a fault.
const GUESS: &str = r#"
[game]
id = "guess"
players = { min = 2, max = 3 }
[params]
limit = 3
[values.seat]
said = { start = 0, max = 3 }
[decisions.say]
ask = { en = "Say a number", zh-Hant = "說一個數字" }
[flow]
round = ["play"]
rounds = 2
[phases.play]
steps = [{ each_seat = "speak" }]
"#;

const SPEAK: &str =
    "fn speak(seat) { seat.said += choose_number(seat, \"say\", 0, limit); }\nfn score(seat) { seat.said }\n";

#[test]
fn run_prints_the_log_of_a_game_and_the_standings() {
    let told = run_ok(ROOT, &["run", "games/stockpile", "--players", "4", "--seed", "7"]);
    for words in [
        "Stockpile · 4 players · seed 7",
        "\nRound 1 · Ann begins\n",
        "bids",
        "chooses to stop selling",
        " wins",
        "rank",
    ] {
        assert!(told.contains(words), "{words:?} in\n{told}");
    }
    assert!(!told.contains('\u{1b}'), "no colors in a pipe");
    assert!(!told.contains('{'), "every sentence is filled in");
}

#[test]
fn the_same_seed_repeats_the_game_and_quiet_prints_only_standings() {
    let arguments = ["run", "stockpile", "-p", "3", "-s", "11"];
    let told = run_ok(ROOT, &arguments);
    assert_eq!(told, run_ok(ROOT, &arguments));
    let quiet = run_ok(ROOT, &["run", "stockpile", "-p", "3", "-s", "11", "--quiet"]);
    assert!(quiet.starts_with("rank") && told.ends_with(&quiet), "{quiet}");
}

#[test]
fn bundled_games_are_found_from_any_folder() {
    let output = parlour(std::env::temp_dir(), &["run", "stockpile", "--players", "3", "--seed", "2", "--quiet"]);
    assert_eq!(output.code, 0, "{}", output.err);
    let from_folder = run_ok(ROOT, &["run", "games/stockpile", "--players", "3", "--seed", "2", "--quiet"]);
    assert_eq!(output.out, from_folder);
}

#[test]
fn defaults_for_players_and_seed_are_printed_on_stderr() {
    let output = parlour(ROOT, &["run", "stockpile", "--quiet"]);
    let told = output.err;
    assert!(told.contains("2 players") && told.contains("seed "), "{told}");
}

#[test]
fn a_game_as_json_has_setup_choices_outcome_and_fingerprint() {
    let game = json(&run_ok(
        ROOT,
        &["run", "stockpile", "-p", "3", "-s", "7", "--format", "json", "--set", "params.calendar=2"],
    ));
    assert_eq!(game["format"], 1);
    assert_eq!(game["game"]["id"], "stockpile");
    assert_eq!(game["setup"]["seed"], 7);
    assert_eq!(game["setup"]["sets"]["params.calendar"], "2");
    assert_eq!(game["setup"]["players"][1]["name"], "Ben");
    assert_eq!(game["outcome"]["rounds"], 2);
    assert_eq!(game["outcome"]["standings"].as_array().unwrap().len(), 3);
    assert!(game["outcome"]["standings"][0]["breakdown"]["cash"].is_i64());
    assert!(game["fault"].is_null());
    let fingerprint = game["fingerprint"].as_str().unwrap();
    assert!(fingerprint.len() == 16 && u64::from_str_radix(fingerprint, 16).is_ok());
    let choices = game["choices"].as_array().unwrap();
    assert!(choices.iter().any(|choice| {
        choice["decision"] == "bid" && choice["choice"].as_str().is_some_and(|text| text.starts_with("lot="))
    }));
}

#[test]
fn as_prints_only_what_that_player_may_know() {
    let all = run_ok(ROOT, &["run", "stockpile", "-p", "3", "-s", "7"]);
    let one = run_ok(ROOT, &["run", "stockpile", "-p", "3", "-s", "7", "--as", "ben"]);
    assert!(one.contains("hidden") && !all.contains("hidden"));
    assert_eq!(one, run_ok(ROOT, &["run", "stockpile", "-p", "3", "-s", "7", "--as", "2"]));
    let dealt = |told: &str| told.lines().find(|line| line.contains("Ann's Hand")).unwrap_or_default().to_owned();
    assert!(dealt(&one).contains("Ann's Hand: 2 hidden"), "{}", dealt(&one));
}

#[test]
fn defaults_are_printed_in_the_chosen_language() {
    let said = parlour(ROOT, &["run", "last-will", "--quiet", "--lang", "zh-Hant"]);
    assert!(said.err.contains("2 人；`last-will` 適合 2 至 5 人"), "{}", said.err);
}

#[test]
fn the_standings_mention_that_the_lowest_score_wins() {
    assert!(
        run_ok(ROOT, &["run", "last-will", "--quiet", "-p", "2", "-s", "5"]).contains("  score (the least wins)  ")
    );
    assert!(!run_ok(ROOT, &["run", "stockpile", "--quiet", "-p", "2", "-s", "5"]).contains("the least wins"));
}

#[test]
fn chinese_game_logs_contain_no_english() {
    let names = ["--names", "甲,乙,丙"];
    for reader in [&[][..], &["--as", "乙"]] {
        let arguments: Vec<&str> = ["run", "stockpile", "-p", "3", "-s", "7", "--lang", "zh-Hant"]
            .into_iter()
            .chain(names)
            .chain(reader.iter().copied())
            .collect();
        let told = run_ok(ROOT, &arguments);
        let english = told.split(|c: char| !c.is_ascii_alphabetic()).find(|word| word.len() > 1);
        assert_eq!(english, None, "{told}");
    }
}

#[test]
fn player_names_can_be_chosen() {
    let told = run_ok(ROOT, &["run", "stockpile", "-p", "3", "-s", "7", "--names", "Xia,Yuki,Zoe", "--quiet"]);
    assert!(told.contains("Yuki") && !told.contains("Ben"), "{told}");
    let names = |names| ["run", "stockpile", "-p", "3", "--names", names];
    assert_usage_error(ROOT, &names("Ann,Ben,Ann"), &["has `Ann` twice"]);
    assert_usage_error(ROOT, &names("Ann,Ben,ANN"), &["`Ann` and `ANN` differ only in case"]);
}

#[test]
fn simulate_reports_rule_faults_with_location_and_exit_code_1() {
    let folder = with_game("fault", GUESS, &SPEAK.replace("limit)", "limit + 1)"));
    let simulate = ["simulate", folder.path(), "-p", "2", "-s", "1", "--games", "50", "--format", "json"];
    let output = parlour(ROOT, &simulate);
    assert_eq!(output.code, 1, "{}", output.err);
    let batch = json(&output.out);
    let fault = &batch["batches"][0]["faults"][0];
    assert_eq!(fault["place"]["path"].as_str().unwrap().rsplit('/').next(), Some("play.rhai"), "{fault}");
    let (count, games) = (fault["count"].as_u64().unwrap(), batch["batches"][0]["finished"].as_u64().unwrap());
    assert!(count > 1 && count + games == 50, "{fault}");
    let command = fault["reproduce"].as_str().unwrap();
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let again = parlour(ROOT, &words);
    assert_eq!(again.code, 1, "{command}: {}", again.err);
    assert!(again.err.contains(fault["message"].as_str().unwrap()), "{}", again.err);
}

#[test]
fn simulation_results_do_not_depend_on_the_number_of_jobs() {
    let figures = |jobs: &str| {
        let arguments = [
            "simulate",
            "stockpile",
            "--games",
            "150",
            "--players",
            "3..4",
            "--seed",
            "5",
            "--jobs",
            jobs,
            "--format",
            "json",
        ];
        let mut batch = json(&run_ok(ROOT, &arguments));
        let timing = batch.as_object_mut().unwrap().remove("timing").expect("timing stands apart");
        assert_eq!(timing["jobs"].to_string(), jobs);
        serde_json::to_string(&batch).unwrap()
    };
    let one = figures("1");
    assert_eq!(one, figures("2"));
    let batch = json(&one);
    assert_eq!(batch["batches"].as_array().unwrap().len(), 2);
    for figures in batch["batches"].as_array().unwrap() {
        let seats = figures["seats"].as_array().unwrap();
        let wins: f64 = seats.iter().map(|seat| seat["wins"].as_f64().unwrap()).sum();
        assert!((wins - 150.0).abs() < 1e-6, "every game is won once: {wins}");
        assert_eq!(figures["endings"]["calendar"], 150);
        let first = &seats[0];
        assert!(first["low"].as_f64() < first["win_share"].as_f64());
        assert!(first["win_share"].as_f64() < first["high"].as_f64());
    }
}

#[test]
fn the_simulation_report_covers_win_shares_and_endings() {
    let told = run_ok(ROOT, &["simulate", "games/stockpile", "--games", "20", "--players", "4", "--seed", "1"]);
    for words in ["4 players · 20 games · seed 1", "fair share 25.0 %", "margin", "rounds", "The calendar is full"] {
        assert!(told.contains(words), "{words:?} in\n{told}");
    }
}

#[test]
fn info_lists_components_zones_params_and_sources() {
    let told = run_ok(ROOT, &["info", "stockpile", "--players", "5"]);
    for words in ["shown for 5 players", "stock_epic", "bid_track", "each seat", "turns until", "start_cash", "Sources"]
    {
        assert!(told.contains(words), "{words:?} in\n{told}");
    }
    let document = json(&run_ok(ROOT, &["info", "stockpile", "--format", "json"]));
    assert_eq!(document["players"]["max"], 5);
    assert!(document["kinds"].as_array().unwrap().iter().any(|kind| kind["id"] == "stock" && kind["pieces"] == 60));
    let is_quiet = |list: &str, id: &str| {
        document[list].as_array().unwrap().iter().find(|one| one["id"] == id).unwrap()["quiet"] == true
    };
    assert!(is_quiet("values", "hands_dealt") && is_quiet("decisions", "claim") && !is_quiet("values", "cash"));
    let quiet: Vec<&str> = told.lines().filter(|line| line.ends_with("left out")).collect();
    assert!(
        quiet.iter().any(|line| line.contains("hands_dealt")) && !quiet.iter().any(|line| line.contains("start_cash"))
    );
    let chinese = run_ok(ROOT, &["info", "stockpile", "--lang", "zh-Hant"]);
    assert!(chinese.contains("盒內物品") && !chinese.contains("In the box"));
}

#[test]
fn check_warnings_cause_failure_only_with_strict() {
    let folder = new_game_folder("strict");
    let rare = "fn invariant_rare() { let y = (); if first.number > 9 { y = 3; } if first.number > 9 { return y + 1 > 0; } true }";
    folder.write("my-game/rules/play.rhai", format!("{}\n{rare}\n", folder.read("my-game/rules/play.rhai")));
    let output = parlour(&folder, &["check", "my-game", "--games", "1"]);
    assert_eq!(output.code, 0, "{}", output.all());
    assert!(output.all().contains("1 warning (") && output.all().contains("one of its values"), "{}", output.all());
    let strict = run_expecting(1, &folder, &["check", "my-game", "--games", "1", "--strict"]);
    assert!(strict.contains("`--strict` counts"), "{strict}");
}

#[test]
fn check_names_functions_that_no_game_reached() {
    let folder = new_game_folder("unreached");
    let rules = folder.read("my-game/rules/play.rhai");
    let late = "fn is_late(seat) { seat.number > 9 }\n";
    let rare = format!("{rules}\nfn invariant_rare() {{ first.number < 99 || is_late(first) }}\n{late}");
    folder.write("my-game/rules/play.rhai", &rare);
    let line = rare.lines().count();
    let note = |more: &str| format!(": `is_late` (rules/play.rhai:{line}); `{more}` plays more\n");
    for (arguments, more) in [(&["--games", "2"][..], "--games 20"), (&["--effort", "1"][..], "--effort 4")] {
        let output = parlour(&folder, &[&["check", "my-game", "--strict"][..], arguments].concat());
        assert_eq!(output.code, 0, "{}", output.all());
        assert!(
            output.err.starts_with("note: never reached by the ") && output.err.contains(&note(more)),
            "{}",
            output.err
        );
        assert!(output.out.contains("no mistakes found ("), "{}", output.out);
    }
    // A warning about the same function is enough.
    folder.write("my-game/rules/play.rhai", format!("{rules}\n{late}"));
    let output = parlour(&folder, &["check", "my-game", "--games", "2"]);
    assert!(output.err.contains("unused-function") && !output.err.contains("note:"), "{}", output.err);
}

#[test]
fn check_reports_no_mistakes_in_correct_games() {
    assert!(run_ok(ROOT, &["check", "games/stockpile", "--effort", "20"]).contains("no mistakes found"));
    assert!(run_ok(ROOT, &["check", "examples/games/tic-tac-toe"]).contains("no mistakes found"));
}

#[test]
fn check_finds_faults_that_occur_only_in_play() {
    let folder = with_game("check", GUESS, &SPEAK.replace("choose_number(seat, \"say\", 0, limit)", "limit"));
    let output = parlour(ROOT, &["check", folder.path()]);
    assert_eq!(output.code, 1, "{}", output.err);
    assert!(output.err.contains("play.rhai:1:") && output.err.contains("reproduce:"), "{}", output.err);
    assert!(output.out.contains("1 mistake"), "{}", output.out);
}

#[test]
fn check_reports_agent_faults_with_location_and_playscript() {
    let folder = with_game("agent", &GUESS.replace("rounds = 2", "rounds = 1"), SPEAK);
    for (rate, says) in [
        ("6 / (option - 2)", "nothing can be divided by 0"),
        ("#{ a: \"much\" }.values()[0]", "returns a text, not a number"),
    ] {
        folder.write("agents/bold.rhai", format!("fn rate_say(seat, option) {{ {rate} }}\n"));
        let output = parlour(ROOT, &["check", folder.path(), "--save"]);
        let told = output.err;
        assert_eq!(output.code, 1, "{told}");
        for words in [says, " --> agents/bold.rhai:1:", "^", "= help: ", "--seed 1 --agents bold", "plays/found-"] {
            assert!(told.contains(words), "{words:?} in\n{told}");
        }
    }
    let tested = parlour(ROOT, &["test", folder.path()]);
    folder.write("agents/bold.rhai", "fn rate_say(seat, option) { loop {} }\n");
    let told = parlour(ROOT, &["check", folder.path()]).err;
    for words in
        ["ran for too long without asking", " --> agents/bold.rhai:1:29", "in `rate_say`", "--seed 1 --agents bold"]
    {
        assert!(told.contains(words), "{words:?} in\n{told}");
    }
    assert_eq!(tested.code, 1);
    assert!(tested.out.contains(" --> agents/bold.rhai:1:") || tested.err.contains(" --> agents/bold.rhai:1:"));
}

#[test]
fn check_covers_estimate_functions_of_agents() {
    let folder = with_game("worth", GUESS, &SPEAK.replace("seat.said +=", "seat.said ="));
    folder.write("agents/far.rhai", "fn estimate(seat) { seat.said }\n");
    run_ok(ROOT, &["check", folder.path()]);
    folder.write("agents/far.rhai", "fn estimate(seat) { 6 / (seat.said - seat.said) }\n");
    let output = parlour(ROOT, &["check", folder.path()]);
    let told = output.err;
    assert_eq!(output.code, 1, "{told}");
    for words in ["nothing can be divided by 0", " --> agents/far.rhai:1:", "--agents search:1:far", "search-1-far"] {
        assert!(told.contains(words), "{words:?} in\n{told}");
    }
    folder.write("agents/far.rhai", "fn worth(seat) { 1 }\n");
    let output = parlour(ROOT, &["run", folder.path(), "--agents", "far"]);
    assert!(output.err.contains("`agents/far.rhai` rates the options of no decision"), "{}", output.err);
}

#[test]
fn check_reports_agents_that_never_end_a_game() {
    let game = r#"
[game]
id = "patience"
players = { min = 2, max = 2 }
[values.seat]
stopped = false
[decisions.stop]
ask = "Do you stop?"
[flow]
round = ["asking"]
until = "is_over"
ending = "over"
[phases.asking]
steps = [{ each_seat = "ask" }]
[endings]
over = "Somebody stopped"
"#;
    let rules = "fn ask(seat) { if confirm(seat, \"stop\") { seat.stopped = true; } }\n\
        fn is_over() { seats.some(|seat| seat.stopped) }\nfn score(seat) { 0 }\n";
    let folder = with_game("patience", game, rules);
    run_ok(ROOT, &["check", folder.path()]);
    let stubborn = "fn rate_stop(seat, option) { if option { 0 } else { 1 } }\n";
    folder.write("agents/stubborn.rhai", stubborn);
    let output = parlour(ROOT, &["check", folder.path()]);
    assert_eq!(output.code, 1);
    assert!(output.err.contains("with `stubborn` in every seat the game goes on after 2"), "{}", output.err);
}

/// Game with a single question and bounded parameters.
const BOUNDED: &str = r#"
[game]
id = "bounded"
players = { min = 2, max = 3 }
[params]
share = { value = 3, min = 1, max = { 2 = 4, 3 = 5 }, about = "a number" }
costs = { value = [1, 2, 3], min = 0, max = 6, about = "a list" }
[values.seat]
stopped = 0
[decisions.stop]
ask = "Do you stop?"
[flow]
round = ["asking"]
rounds = 2
[phases.asking]
steps = [{ each_seat = "ask" }]
[words]
thrift = { en = "thrift", zh-Hant = "節儉" }
"#;

#[test]
fn check_tries_each_param_and_list_at_both_ends_of_its_range() {
    let rules = "fn ask(seat) { if confirm(seat, \"stop\") { seat.stopped += share + costs[0]; } }\n\
        fn score(seat) { seat.stopped }\nfn invariant_1() { share + costs[0] + costs[2] > 0 }\n";
    let folder = with_game("bounded", BOUNDED, rules);
    run_ok(ROOT, &["check", folder.path()]);
    // Each fault occurs only if one parameter is at one end of its range. The first fault also occurs with only one number of players.
    for (condition, setting) in [
        ("share < 5", "'params.share=5'"),
        ("share > 1", "'params.share=1'"),
        ("costs[0] < 6", "'params.costs=[6, 6, 6]'"),
        ("costs[2] > 0", "'params.costs=[0, 0, 0]'"),
    ] {
        let faulty = format!("{rules}fn invariant_2() {{ {condition} }}\n");
        folder.write("rules/play.rhai", faulty);
        let output = parlour(ROOT, &["check", folder.path()]);
        let told = output.err;
        let bare = setting.trim_matches('\'');
        assert_eq!(output.code, 1, "{condition}: {told}");
        let (name, value) = bare.split_once('=').unwrap();
        assert!(told.contains(bare) || told.contains(&format!("set {name} = {value}")), "{condition}: {told}");
    }
}

/// `check` finds a deal during setup that is too large for some numbers of players, and reports it for the smallest of these numbers.
#[test]
fn check_finds_deals_too_large_for_some_player_counts() {
    let zones = "[zones.deck]\nshape = \"pile\"\nstarts_with = [\"card\"]\nface = \"down\"\n[zones.tray]\nshape = \"hand\"\n[decisions.stop]";
    let game = BOUNDED.replacen("[decisions.stop]", zones, 1).replace("[flow]\n", "[flow]\nsetup = [\"deal\"]\n");
    let rules = "fn deal() { deck.draw(players, tray); }\nfn ask(seat) { if confirm(seat, \"stop\") { seat.stopped += share + costs[0]; } }\n\
        fn score(seat) { seat.stopped }\n";
    let folder = with_game("short", &game, rules);
    let cards = |count: u8| {
        let text = format!("[kinds.card]\nname = \"Card\"\n[[card]]\nid = \"ace\"\nname = \"Ace\"\ncount = {count}\n");
        folder.write("components/cards.toml", text);
    };
    cards(2);
    let output = parlour(ROOT, &["check", folder.path()]);
    let told = output.err;
    assert_eq!(output.code, 1, "{told}");
    for words in ["error[too-few]: 3 to be drawn from `deck`, which had only 2 pieces", "--players 3", "draw_up_to"] {
        assert!(told.contains(words), "{words:?} in\n{told}");
    }
    cards(3);
    let output = parlour(ROOT, &["check", folder.path()]);
    assert!(!output.err.contains("too-few"), "{}", output.err);
}

#[test]
fn tie_breaks_are_printed_in_both_languages() {
    let rules = "fn ask(seat) { if confirm(seat, \"stop\") { seat.stopped += share + costs[0]; } }\n\
        fn score(seat) { 7 }\nfn rank(seat) { [7, #{ thrift: -seat.number }] }\n";
    let folder = with_game("tied", BOUNDED, rules);
    let told = |arguments: &[&str]| {
        let all: Vec<&str> = ["run", folder.path(), "-p", "2", "-s", "1"].iter().chain(arguments).copied().collect();
        run_ok(ROOT, &all)
    };
    let english = told(&[]);
    let line = english.lines().find(|line| line.starts_with("Equal scores: ")).unwrap_or_else(|| panic!("{english}"));
    assert!(line.contains(" before ") && line.ends_with(" by thrift, 1 to 2"), "{line}");
    let chinese = told(&["--lang", "zh-Hant"]);
    let line = chinese.lines().find(|line| line.starts_with("分數相同：")).unwrap_or_else(|| panic!("{chinese}"));
    assert!(line.contains("以節儉分先後，") && line.ends_with(" 2") && line.contains(" 1，"), "{line}");
    let ties = &json(&told(&["--format", "json"]))["outcome"]["tie_breaks"];
    assert_eq!(*ties, serde_json::json!([{ "before": 1, "after": 2, "by": "thrift", "numbers": [1, 2] }]));
    let unnamed = with_game("tied-unnamed", BOUNDED, &rules.replace("#{ thrift: -seat.number }", "-seat.number"));
    for (language, line) in [("en", "Equal scores: "), ("zh-Hant", "分數相同：以次項分先後，")] {
        let told = run_ok(ROOT, &["run", unnamed.path(), "-p", "2", "-s", "1", "--lang", language]);
        assert!(told.lines().any(|told| told.starts_with(line)), "{told}");
    }
}

#[test]
fn reference_covers_file_keys_and_schemas() {
    let told = run_ok(ROOT, &["reference", "lasts"]);
    assert!(told.contains("[values.*.NAME]") && told.contains("lasts: `turn`, `phase`, `round`"), "{told}");
    let told = run_ok(ROOT, &["reference", "count"]);
    assert!(told.contains("Number of entries.") && told.contains("[[KIND]]"), "{told}");
    assert!(run_ok(ROOT, &["reference", "--files"]).contains("[flow]"));
    let schema = run_ok(ROOT, &["reference", "--schema", "overlay"]);
    assert!(schema.contains("draft-07") && schema.contains("\"description\": \"the numbers to tweak\""), "{schema}");
}

#[test]
fn the_number_of_agents_determines_the_number_of_players() {
    let told = run_ok(ROOT, &["run", "stockpile", "--agents", "first,random,random", "--seed", "1"]);
    assert!(told.contains("stockpile · 3 players") || told.contains("Stockpile · 3 players"), "{told}");
    let told =
        run_ok(ROOT, &["simulate", "stockpile", "--agents", "first,random,random", "--seed", "1", "--games", "2"]);
    assert!(told.contains("3 players"), "{told}");
}

#[test]
fn files_with_a_byte_order_mark_are_read() {
    let rules = SPEAK.replace("seat.said +=", "seat.said =");
    let folder = with_game("mark", &format!("\u{feff}{GUESS}"), &format!("\u{feff}{rules}"));
    let play = "\u{feff}game guess\nplayers Ann Ben\nauto until end with first\n";
    folder.write("plays/first.play", play);
    run_ok(ROOT, &["check", folder.path(), "--games", "1"]);
    run_ok(ROOT, &["test", folder.path()]);
}

#[test]
fn data_and_rule_files_in_wrong_folders_are_warnings() {
    let folder = with_game("stray", GUESS, &SPEAK.replace("seat.said +=", "seat.said ="));
    for path in ["component", ".git", "pictures", "rules/more"] {
        std::fs::create_dir_all(folder.0.join(path)).unwrap();
    }
    for path in ["component/cards.toml", "rules/more/b.rhai", ".git/rules.rhai", "README.txt", "pictures/board.png"] {
        std::fs::write(folder.0.join(path), "").unwrap();
    }
    let output = parlour(ROOT, &["check", folder.path(), "--games", "1"]);
    let told = output.err;
    assert_eq!(output.code, 0, "{told}");
    assert_eq!(told.matches("warning[stray-file]").count(), 2, "{told}");
    assert!(told.contains(" --> component/cards.toml") && told.contains(" --> rules/more/b.rhai"), "{told}");
}

#[test]
fn warnings_are_printed_with_exit_code_0() {
    let rules = format!("{SPEAK}fn invariants_said() {{ seats.sum(\"said\") < 99 }}\n");
    let folder = with_game("warning", &GUESS.replace("rounds = 2", "rounds = 1"), &rules);
    let output = parlour(ROOT, &["check", folder.path()]);
    assert_eq!(output.code, 0, "{}", output.err);
    assert!(output.err.contains("did you mean `invariant_said`?"), "{}", output.err);
    assert!(output.out.contains("no mistakes found, 1 warning"), "{}", output.out);
}

#[test]
fn invariants_are_tested_by_check_and_by_other_commands_on_request() {
    let rules = format!("{SPEAK}fn invariant_nobody_says_much() {{ seats.where(\"said\", 3).is_empty() }}\n");
    let folder = with_game("invariant", &GUESS.replace("rounds = 2", "rounds = 1"), &rules);
    let checked = parlour(ROOT, &["check", folder.path()]);
    assert_eq!(checked.code, 1, "{}", checked.out);
    let told = checked.err;
    assert!(told.contains("error[broken-invariant]: `invariant_nobody_says_much` does not hold"), "{told}");
    let command = told.lines().find_map(|line| line.split_once("reproduce: parlour ")).unwrap().1;
    assert!(command.ends_with(" --invariants"), "{command}");
    let again = parlour(ROOT, &command.split(' ').collect::<Vec<_>>());
    assert_eq!(again.code, 1, "{command}: {}", again.err);
    assert!(again.err.contains("error[broken-invariant]"), "{}", again.err);
    let simulate = ["simulate", folder.path(), "-p", "2", "-s", "1", "--games", "40"];
    run_ok(ROOT, &simulate);
    let held = parlour(ROOT, &[&simulate[..], &["--invariants"]].concat());
    assert_eq!(held.code, 1, "{}", held.out);
    assert!(held.err.contains("--invariants"), "{}", held.err);
}

#[test]
fn errors_in_data_cause_exit_code_1_and_get_a_suggestion() {
    let folder = with_game("data", &GUESS.replace("players =", "playrs ="), SPEAK);
    for command in ["run", "check", "info", "simulate"] {
        let output = parlour(ROOT, &[command, folder.path()]);
        assert_eq!(output.code, 1, "{command}");
        assert!(output.err.contains("did you mean `players`"), "{}", output.err);
    }
}

#[test]
fn unknown_placeholders_in_tell_sentences_are_errors() {
    let game = GUESS.replace("ask = {", "tell = \"{seat} says {chioce}\"\nask = {");
    let folder = with_game("tell", &game, SPEAK);
    let output = parlour(ROOT, &["run", folder.path()]);
    assert_eq!(output.code, 1);
    let told = output.err;
    assert!(told.contains("unknown-placeholder") && told.contains("did you mean `choice`"), "{told}");
}

#[test]
fn score_breakdowns_keep_the_order_of_the_rules() {
    let told = run_ok(ROOT, &["run", "stockpile", "-p", "3", "-s", "7", "--quiet"]);
    let head = told.lines().next().unwrap();
    let at = |word: &str| head.find(word).unwrap_or_else(|| panic!("{head}"));
    assert!(at("cash") < at("majority bonuses") && at("majority bonuses") < at("final sales"), "{head}");
    assert!(at("final sales") < at("fees paid") && at("fees paid") < at("fee unpaid"), "{head}");
}

#[test]
fn log_lines_are_wrapped_to_fit_a_terminal() {
    let told = run_ok(ROOT, &["run", "stockpile", "-p", "5", "-s", "7"]);
    assert!(told.lines().all(|line| line.chars().count() <= 110), "{told}");
    assert!(told.contains("\n        ") && !told.contains("cash before scoring"), "{told}");
}

#[test]
fn reference_prints_topics_and_entries() {
    assert!(run_ok(ROOT, &["reference"]).contains("Decisions"));
    let topic = run_ok(ROOT, &["reference", "decisions"]);
    assert!(topic.contains("choose_or_pass") && !topic.contains("shuffle(place"), "{topic}");
    for word in ["tiles", "laying"] {
        assert!(run_ok(ROOT, &["reference", word]).contains("not_covering("), "{word}");
    }
    assert!(run_ok(ROOT, &["reference", "grid"]).contains("neighbors("));
    assert_usage_error(ROOT, &["reference", "shufle"], &["did you mean `shuffle`"]);
}

/// Returns the file name and the content of each drawing in a folder, sorted by file name.
fn drawings(folder: &Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<(String, String)> = entries
        .map(|path| (path.file_name().unwrap().to_string_lossy().into(), std::fs::read_to_string(path).unwrap()))
        .collect();
    found.sort();
    found
}

#[test]
fn draw_writes_svg_files_of_scenes_and_rounds() {
    let folder = std::env::temp_dir().join(format!("parlour-cli-{}-drawings", std::process::id()));
    let (scenes, rounds) = (folder.join("scenes"), folder.join("rounds"));
    run_ok(
        ROOT,
        &["draw", "games/monga-alley/plays/two_players.play", "--out", scenes.to_str().unwrap(), "--lang", "zh-Hant"],
    );
    let found = drawings(&scenes);
    assert!(found.len() >= 5 && found[0].0 == "two_players-01.svg", "{:?}", found.iter().map(|it| &it.0));
    assert!(found[0].1.contains("E8 a merge fight") && found[0].1.contains("R = 民宅區；"), "{}", found[0].1);
    run_ok(ROOT, &["run", "monga-alley", "--players", "2", "--seed", "1", "-q", "--draw", rounds.to_str().unwrap()]);
    let found = drawings(&rounds);
    assert_eq!(
        found.iter().map(|it| &*it.0).collect::<Vec<_>>(),
        ["01.svg", "02.svg", "03.svg", "04.svg", "05.svg", "06.svg"]
    );
    assert!(found[0].1.contains(">After the setup<") && found[5].1.contains(">After round 5<"), "{}", found[5].1);
    assert!(found.iter().all(|(_, svg)| svg.starts_with("<svg ") && svg.ends_with("</svg>\n")));
    std::fs::remove_dir_all(&folder).unwrap();
    let out = folder.to_str().unwrap();
    let told = parlour(ROOT, &["run", "stockpile", "--players", "2", "--seed", "1", "-q", "--draw", out]);
    assert!(told.err.contains("nothing is drawn") && !folder.exists(), "{}", told.err);
}

#[test]
fn info_lists_the_printed_cells_of_tiles() {
    let told = run_ok(ROOT, &["info", "monga-alley"]);
    let row = |id: &str| told.lines().find(|line| line.trim().starts_with(id)).unwrap().to_owned();
    assert!(row("i01").ends_with("R! C / C R") && row("d01").ends_with("R R / R C"), "{}", row("d01"));
    assert!(row("+ ").contains("landmark"), "{told}");
    let document = json(&run_ok(ROOT, &["info", "monga-alley", "--format", "json"]));
    let kinds = document["kinds"].as_array().unwrap();
    let tiles = kinds.iter().find(|kind| kind["id"] == "initial").unwrap();
    assert_eq!(tiles["components"][0]["cells"], serde_json::json!(["R! C", "C R"]));
}

#[test]
fn info_mentions_a_trigger_order_that_is_not_the_default() {
    let usual = run_ok(ROOT, &["info", "examples/games/ripostes"]);
    assert!(!usual.contains("triggered"), "{usual}");
    for (order, told) in [
        ("triggers = \"last_in\"", ["triggered last is carried out first", ""]),
        (
            "triggers = \"turn_order\"\ntrigger_choice = \"answer\"",
            ["in turn order", "chooses the next one (`answer`)"],
        ),
    ] {
        let folder = Folder::new("triggers");
        for (path, text) in game_texts("examples/games/ripostes") {
            let text = text.replace("triggers = \"first_in\"", order);
            folder.write(&path, text);
        }
        let info = run_ok(folder.path(), &["info", "."]);
        assert!(told.iter().all(|told| info.contains(told)), "{info}");
    }
}

/// Only the parts of a game that are played must be free of mistakes. A wrong argument is reported even if other files have mistakes.
#[test]
fn errors_in_unused_overlays_do_not_prevent_playing() {
    let folder = Folder::new("elsewhere");
    for (path, text) in game_texts("games/wall-street-1920") {
        folder.write(&path, text);
    }
    let broken = folder.read("overlays/tycoons.toml") + "\n[zones.elsewhere]\nshape = \"pilee\"\n";
    folder.write("overlays/tycoons.toml", broken);
    run_ok(ROOT, &["run", folder.path(), "--seed", "1"]);
    assert_usage_error(ROOT, &["run", folder.path(), "--set", "params.nosuch=3"], &["called `nosuch`"]);
    for arguments in [&["check", folder.path()][..], &["run", folder.path(), "--option", "tycoons=on"]] {
        let said = parlour(ROOT, arguments);
        assert!(said.err.contains("did you mean `pile`?"), "{arguments:?}: {}", said.err);
    }
}

#[test]
fn usage_errors_are_explained_with_exit_code_2() {
    assert_usage_error(ROOT, &["run", "stockpil"], &["there is no game `stockpil`", "did you mean `stockpile`"]);
    assert_usage_error(
        ROOT,
        &["check", "stockpile", "--games", "five"],
        &["'five'", "write a whole number from 1 to 100000"],
    );
    assert_usage_error(ROOT, &["simulate", "stockpile", "--games", "five"], &["'five'", "write a whole number from 1"]);
    assert_usage_error(ROOT, &["run", "stockpile", "--players", "two"], &["'two'", "write a whole number from 1"]);
    assert_usage_error(ROOT, &["run", "stockpile", "--seed", "abc"], &["'abc'", "write a whole number from 0"]);
    assert_usage_error(ROOT, &["run", "stockpile", "--seed", "-1"], &["'-1'", "write a whole number from 0"]);
    assert_usage_error(ROOT, &["run", "nowhere/stockpile"], &["there is no folder `nowhere/stockpile`"]);
    assert_usage_error(ROOT, &["run", "stockpile", "--players", "9"], &["2 to 5 players, not 9"]);
    assert_usage_error(
        ROOT,
        &["simulate", "stockpile", "--players", "3..9"],
        &["2 to 5 players, not 3 to 9", "give `--players 3..5`"],
    );
    assert_usage_error(ROOT, &["simulate", "stockpile", "--shard", "1/2"], &["`--shard` needs `--seed`", "`--seed 7`"]);
    assert_usage_error(ROOT, &["simulate", "stockpile", "--players", "5..3"], &["a range such as"]);
    assert_usage_error(
        ROOT,
        &["simulate", "stockpile", "--players", "3", "--agents", "random,first"],
        &["list 1 or 3"],
    );
    assert_usage_error(ROOT, &["run", "stockpile", "--option", "first_playr=2"], &["did you mean `first_player`"]);
    assert_usage_error(ROOT, &["run", "stockpile", "--option", "first_player"], &["NAME=VALUE"]);
    assert_usage_error(ROOT, &["run", "stockpile", "--option", "first_player=9"], &["first_player"]);
    assert_usage_error(ROOT, &["run", "stockpile", "--set", "params.start_csh=25"], &["did you mean `start_cash`"]);
    assert_usage_error(ROOT, &["info", "stockpile", "--set", "params.start_cash=many"], &["start_cash"]);
    let eight = |players| ["run", "monga-alley", "--players", players, "--set", "params.rounds=8"];
    assert_usage_error(ROOT, &eight("5"), &["`rounds` is 8, but with 5 players must be between 1 and 7", "its `max`"]);
    assert!(parlour(ROOT, &eight("4")).code == 0);
    assert_usage_error(ROOT, &["run", "stockpile", "--agents", "randm"], &["did you mean `random`"]);
    assert_usage_error(ROOT, &["run", "stockpile", "--names", "Ann"], &["--names"]);
    assert_usage_error(ROOT, &["run", "stockpile", "--names", "Ann,,Cho"], &["name 2 of `--names` is empty"]);
    assert_usage_error(ROOT, &["run", "stockpile", "--names", "Ann,Ann"], &["`Ann` twice"]);
    assert_usage_error(ROOT, &["run", "stockpile", "--as", "Bem"], &["did you mean `Ben`"]);
    assert_usage_error(ROOT, &["run", "stockpile", "--as", "Ben", "--format", "json"], &["--as"]);
    assert_usage_error(ROOT, &["run", "stockpile", "--lang", "de"], &["zh-Hant"]);
    assert_usage_error(ROOT, &["fly"], &["fly"]);
}

#[test]
fn explanations_have_no_line_starting_with_a_comma() {
    let explained = run_ok(ROOT, &["explain", "bad-face"]);
    assert!(explained.contains("For example, components/card.toml:\n\n"), "{explained}");
    assert!(explained.contains("\nand faces/card.html:\n\n") && !explained.contains("\n,"), "{explained}");
}

/// A program that is built in a checkout reports the checked-out commit, in every build profile. Outside of a checkout, it reports none.
#[test]
fn version_prints_the_commit_of_the_checkout() {
    let version = run_ok(ROOT, &["--version"]);
    let first = version.lines().next().unwrap();
    let given = option_env!("PARLOUR_COMMIT").filter(|given| !given.is_empty()).map(str::to_owned);
    let checked_out = || {
        let git =
            std::process::Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).current_dir(ROOT).output();
        // If Git is missing or refuses to read the checkout, neither the build nor this test knows the commit.
        let commit = String::from_utf8(git.ok().filter(|git| git.status.success())?.stdout).unwrap().trim().to_owned();
        Path::new(ROOT).join(".git").exists().then_some(commit)
    };
    match given.or_else(checked_out) {
        Some(commit) => assert!(first.ends_with(&format!(" (commit {commit})")), "{first} is built from {commit}"),
        None => assert!(!first.contains("commit"), "{first}"),
    }
}

#[test]
fn help_and_version_succeed() {
    let version = run_ok(ROOT, &["--version"]);
    assert!(
        version.starts_with("parlour ") && version.contains("\nformats: games 1, playscripts 2, runs 1"),
        "{version}"
    );
    for command in ["run", "simulate", "check", "info", "reference"] {
        let told = run_ok(ROOT, &[command, "--help"]);
        assert!(told.contains("Examples:") && told.contains("Usage:"), "{told}");
    }
}

#[test]
fn check_reports_no_warnings_for_any_game() {
    let effort = if is_thorough() { "200" } else { "20" };
    for folder in games() {
        let checked = parlour(ROOT, &["check", folder.to_str().unwrap(), "--games", "1", "--effort", effort]);
        let is_note = |line: &str| line.is_empty() || line.starts_with("note: never reached by ");
        assert!(checked.err.lines().all(is_note), "{}: {}", folder.display(), checked.err);
        assert!(checked.out.contains("no mistakes found ("), "{}", checked.out);
    }
}

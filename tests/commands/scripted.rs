//! Playscripts from the command line: running tests, recording games, continuing from a recording, and updating recordings.

use crate::folder::Folder;
use crate::program::{ROOT, command, parlour, run_expecting, run_ok};
use serde_json::Value;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

/// Creates a folder that contains the game `guess`.
fn with_guess(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("guess/game.toml", GUESS);
    folder.write("guess/components/cards.toml", CARDS);
    folder.write("guess/rules/play.rhai", SPEAK);
    folder
}

/// Game in which players say numbers, and draw a card after each number.
const GUESS: &str = r#"
[game]
id = "guess"
players = { min = 2, max = 3 }
[options.mood]
values = ["calm", "wild"]
[params]
limit = 3
[zones.deck]
shape = "pile"
starts_with = ["card"]
face = "down"
[zones.hand]
per = "seat"
shape = "hand"
[values.seat]
said = { start = 0 }
[decisions.say]
ask = { en = "Say a number", zh-Hant = "說一個數字" }
[flow]
setup = ["shuffle_deck"]
round = ["play"]
rounds = 3
ending = "tired"
[phases.play]
steps = [{ each_seat = "speak" }]
[endings]
tired = { en = "Enough was said", zh-Hant = "說夠了" }
bored = { en = "Nothing was said", zh-Hant = "沒話說" }
"#;

const CARDS: &str = r#"
[kinds.card]
name = { en = "Card", zh-Hant = "牌" }
[[card]]
id = "ace"
count = 9
[[card]]
id = "king"
count = 9
"#;

const SPEAK: &str = r#"/// The deck is shuffled.
fn shuffle_deck() {
    deck.shuffle();
}

/// A player says a number and draws a card. A seat that has only said 0 ends the game in the third round.
fn speak(seat) {
    let number = choose_number(seat, "say", 0, limit);
    seat.said += number;
    deck.draw(seat.hand);
    if round == 3 && seat.said == 0 {
        end_game("bored");
    }
}

/// Returns the sum of the numbers that the seat has said.
fn score(seat) { seat.said }
"#;

const SCENES: &str = r#"// Two scenes.
game guess
players Ann "小 安"

scene "numbers add up" {
    Ann: say 2
    "小 安": say 1
    Ann: say 3
    expect Ann.said == 5
}

scene "a card is drawn" {
    next shuffle of deck: king, ace
    Ann: say 1
    expect Ann.hand.count() == 1
    expect not "小 安" sees Ann.hand
}
"#;

fn with_scenes(name: &str) -> Folder {
    let folder = with_guess(name);
    folder.write("guess/plays/scenes.play", SCENES);
    folder
}

// ----- running tests

#[test]
fn playscripts_are_found_by_path_name_and_working_directory() {
    let folder = with_scenes("found");
    for path in ["guess", "guess/plays/scenes.play", "guess/game.toml", "guess/plays", "."] {
        assert_eq!(run_ok(&folder, &["test", path]), "2 passed, 0 failed\n", "{path}");
    }
    assert_eq!(run_ok(&folder, &["test"]), "2 passed, 0 failed\n");
    assert_eq!(run_ok(folder.at("guess/rules"), &["test", "../plays"]), "2 passed, 0 failed\n");
    let bundled = run_ok(&folder, &["test", "stockpile"]);
    assert!(bundled.ends_with(" passed, 0 failed\n"), "{bundled}");
}

#[test]
fn playscripts_in_a_game_folder_must_name_that_game() {
    let folder = with_scenes("another");
    folder.write("guess/plays/other.play", "game stockpile\nplayers Ann Ben Cho\nauto until phase demand\n");
    for path in ["guess", "guess/plays/other.play"] {
        let told = run_expecting(1, &folder, &["test", path]);
        assert!(
            told.contains("error[unknown-game]: this playscript is for `stockpile`, but is in the folder of `guess`"),
            "{told}"
        );
        assert!(told.contains("guess/plays/other.play:1:1") && told.contains("write `game guess`"), "{told}");
    }
    for command in [&["run", "--from"][..], &["draw"]] {
        let told = run_expecting(1, &folder, &[command, &["guess/plays/other.play"]].concat());
        assert!(told.contains("is in the folder of `guess`") && told.contains("write `game guess`"), "{told}");
    }
}

#[test]
fn playscripts_outside_game_folders_can_use_bundled_games() {
    let folder = with_guess("anywhere");
    folder.write("alone.play", "game stockpile\nplayers Ann Ben Cho\nauto until phase demand\n");
    assert_eq!(run_ok(&folder, &["test", "alone.play"]), "1 passed, 0 failed\n");
}

#[test]
fn failures_show_location_both_sides_table_rule_and_a_summary() {
    let folder = with_scenes("failing");
    folder.write("guess/rules/play.rhai", SPEAK.replace("seat.said += number;", "seat.said = number;"));
    folder.write("guess/plays/more.play", "game guess\nplayers Ann Ben\nAnn: say 4\n");
    let told = run_expecting(1, &folder, &["test", "guess"]);
    for words in [
        "FAILED guess/plays/scenes.play: numbers add up\n",
        "error[expect]: `Ann.said` is 3, expected 5\n",
        "--> guess/plays/scenes.play:9:5\n",
        "|     expect Ann.said == 5\n",
        "|     ^^^^^^^^^^^^^^^^^^^^ does not hold\n",
        "rules/play.rhai:9:5\n",
        "`Ann.said` went from 2 to 3 here\n",
        "= the table as Ann knows it:\n",
        "Ann.hand  ",
        "= reproduce: parlour test guess/plays/scenes.play --filter 'numbers add up'\n",
        "FAILED guess/plays/more.play\n",
        "`4` is not offered\n",
        "= offered: ",
        "asked here\n",
    ] {
        assert!(told.contains(words), "{words:?} in\n{told}");
    }
    assert!(told.ends_with("\n1 passed, 2 failed\n"), "{told}");
    assert!(!told.contains('\u{1b}'), "no colors in a pipe");
}

#[test]
fn filters_match_scenes_and_files_and_must_match_something() {
    let folder = with_scenes("filter");
    assert_eq!(run_ok(&folder, &["test", "--filter", "card"]), "1 passed, 0 failed\n");
    assert_eq!(run_ok(&folder, &["test", "--filter", "scenes.play"]), "2 passed, 0 failed\n");
    assert!(run_expecting(2, &folder, &["test", "--filter", "nowhere"]).contains("`nowhere`"));
}

#[test]
fn missing_games_and_playscripts_are_usage_errors_with_help() {
    let folder = with_guess("usage");
    assert!(run_expecting(2, &folder, &["test", "guess"]).contains("folder `plays/`"));
    assert!(run_expecting(2, &folder, &["test", "stockpil"]).contains("did you mean `stockpile`"));
    assert!(run_expecting(2, &folder, &["run", "guess/rules/play.rhai"]).contains("give the folder"));
    assert!(run_expecting(2, &folder, &["run"]).contains("<GAME"));
    assert!(run_expecting(2, &folder, &["test", "stockpile", "--bless"]).contains("cannot be rewritten"));
}

#[test]
fn games_can_be_run_by_the_path_of_game_toml() {
    let folder = with_guess("toml");
    let told = run_ok(&folder, &["run", "guess/game.toml", "-s", "1", "-q"]);
    assert_eq!(told, run_ok(&folder, &["run", "guess", "-s", "1", "-q"]));
    assert_eq!(told, run_ok(folder.at("guess"), &["run", "game.toml", "-s", "1", "-q"]));
}

#[test]
fn a_broken_game_is_reported_once_and_its_scenes_count_as_not_run() {
    let folder = with_scenes("broken");
    folder.write("guess/plays/more.play", "game guess\nplayers Ann Ben\nAnn: say 2\n");
    folder.write("guess/game.toml", GUESS.replace("rounds = 3", "ruonds = 3"));
    let told = run_expecting(1, &folder, &["test"]);
    assert_eq!(told.matches("unknown-key").count(), 1, "{told}");
    assert!(told.ends_with("\n0 passed, 0 failed, 3 not run\n"), "{told}");
}

#[test]
fn test_results_are_written_as_json_junit_and_lcov() {
    let folder = with_scenes("formats");
    folder.write("guess/plays/more.play", "game guess\nplayers Ann Ben\nexpect Ann.said < \"&\"\n");
    let arguments = ["test", "--format", "json", "--junit", "report.xml", "--coverage", "--lcov", "lcov.info"];
    let output = parlour(&folder, &arguments);
    assert_eq!(output.code, 1);
    let results: Value = serde_json::from_str(&output.out).unwrap();
    assert_eq!((results["passed"].as_u64(), results["failed"].as_u64()), (Some(2), Some(1)));
    let failed = results["scenes"].as_array().unwrap().iter().find(|scene| scene["passed"] == false).unwrap();
    assert_eq!(failed["file"], "guess/plays/more.play");
    assert_eq!(failed["failure"]["place"]["line"], 3);
    assert_eq!(results["coverage"][0]["game"], "guess");

    let report = folder.read("report.xml");
    assert!(report.contains("<testsuites tests=\"3\" failures=\"1\">"), "{report}");
    assert!(report.contains("name=\"numbers add up\""), "{report}");
    assert!(report.contains("&lt; &quot;&amp;&quot;") && !report.contains("< \"&\""), "{report}");
    for tag in ["testsuites", "testsuite", "failure"] {
        assert_eq!(report.matches(&format!("<{tag} ")).count(), report.matches(&format!("</{tag}>")).count(), "{tag}");
    }

    let lcov = folder.read("lcov.info");
    let records: Vec<&str> = lcov.lines().collect();
    assert_eq!(records[..2], ["TN:", "SF:guess/rules/play.rhai"]);
    for record in ["FN:7,speak", "FNF:3", "DA:12,0", "end_of_record"] {
        assert!(records.contains(&record), "{record} in\n{lcov}");
    }
    let hit = records.iter().filter(|line| line.starts_with("DA:") && !line.ends_with(",0")).count();
    assert!(records.contains(&format!("LH:{hit}").as_str()), "{lcov}");
}

#[test]
fn coverage_lists_what_no_playscript_reaches() {
    let folder = with_scenes("coverage");
    let told = run_ok(&folder, &["test", "--coverage"]);
    let rows: Vec<String> = told.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for row in ["options 1 2 mood = wild", "endings 0 2 bored, tired", "functions 2 3 score", "lines 5 7"] {
        assert!(rows.iter().any(|known| known == row), "{row:?} in\n{told}");
    }
    assert!(told.contains("  rules/play.rhai: 12–17\n"), "{told}");
    folder.write(
        "guess/plays/end.play",
        "game guess\nplayers Ann Ben\noption mood = wild\nscene \"a\" { \n Ann: say 0\n Ben: say 0\n Ann: say 0\n Ben: say 0\n Ann: say 0\n \
         expect ending bored\n}\nscene \"b\" {\n auto until end with random\n seed 3\n}\n",
    );
    let told = run_expecting(1, &folder, &["test", "--coverage"]);
    assert!(told.lines().any(|line| line.split_whitespace().eq(["lines", "7", "7"])), "{told}");
}

/// Components that are never on the table count as reached if events change or mention them.
#[test]
fn coverage_counts_components_that_events_reach() {
    let folder = with_guess("reached");
    let coins = "[[coin]]\nid = \"penny\"\ncount = 0\n[[coin]]\nid = \"dime\"\ncount = 0\n[[coin]]\nid = \"cent\"\ncount = 0\n[[coin]]\nid = \"nickel\"\ncount = 0\n[[coin]]\nid = \"ghost\"\ncount = 0\n";
    folder.write("guess/components/coins.toml", coins);
    let more = "[zones.pot]\nshape = \"pile\"\nper = \"coin\"\n[values.coin]\nworth = { start = 0 }\n[values.game]\nlast = { type = \"coin\" }\n[says]\nnames = { en = \"{coin} is named\", zh-Hant = \"說到{coin}\" }\n[decisions.say]";
    folder.write("guess/game.toml", GUESS.replacen("[decisions.say]", more, 1));
    let rules = "    seat.said += number;\n    let penny = component(\"penny\");\n    penny.worth = number;\n    say(\"names\", #{ coin: component(\"dime\") });\n    game.last = component(\"cent\");\n    say(\"names\", #{ coin: pot[component(\"nickel\")] });\n";
    folder.write("guess/rules/play.rhai", SPEAK.replace("    seat.said += number;\n", rules));
    folder.write("guess/plays/end.play", "game guess\nplayers Ann Ben\nseed 3\nauto until end with random\n");
    let told = run_ok(&folder, &["test", "--coverage"]);
    let rows: Vec<String> = told.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert!(rows.iter().any(|row| row == "components 6 7 ghost"), "{told}");
}

/// Expectations can use the names of tallies. Names that no rule counts are reported.
#[test]
fn tallies_can_be_used_in_expectations() {
    let folder = with_guess("counted");
    folder.write("guess/game.toml", GUESS);
    let counting = "    seat.said += number;\n    tally(\"times_said\", seat, 1);\n    tally(\"all said\", 1);\n";
    folder.write("guess/rules/play.rhai", SPEAK.replace("    seat.said += number;\n", counting));
    let play = "game guess\nplayers Ann Ben\nexpect tallies == #{}\nAnn: say 0\nexpect tallies.times_said[Ann] == 1 && tallies.times_said[Ben] == 0\nexpect tallies[\"all said\"] == 1\n";
    folder.write("guess/plays/a.play", play);
    assert_eq!(run_ok(&folder, &["test"]), "1 passed, 0 failed\n");
    folder.write("guess/plays/a.play", play.replace("tallies.times_said[Ben]", "tallies.times_sayd[Ben]"));
    let told = run_expecting(1, &folder, &["test"]);
    assert!(told.contains("error[unknown-field]") && told.contains("did you mean `times_said`?"), "{told}");
}

#[test]
fn rejecting_words_of_another_decision_is_an_error() {
    let folder = with_guess("asks_both");
    let decisions = "[decisions.say]\nask = \"Which word?\"\n[decisions.pace]\nask = \"How fast?\"\n";
    let [before, after] = [GUESS.split_once("[decisions.say]").unwrap().0, GUESS.split_once("[flow]").unwrap().1];
    folder.write("guess/game.toml", format!("{before}{decisions}[flow]{after}"));
    let asks = "    choose(seat, \"say\", [\"keep\", \"sell\"]);\n    choose(seat, \"pace\", [\"fast\", \"slow\"]);\n";
    let rules =
        SPEAK.replace("    let number = choose_number(seat, \"say\", 0, limit);\n    seat.said += number;\n", asks);
    folder.write("guess/rules/play.rhai", &rules);
    let play = |line: &str| folder.write("guess/plays/a.play", format!("game guess\nplayers Ann Ben\n{line}\n"));
    play("reject Ann: say fast");
    let told = run_expecting(1, &folder, &["test"]);
    assert!(told.contains("error[unknown-word]") && told.contains("never offered"), "{told}");
    play("Ann: say keep\nreject Ann: pace sell");
    let told = run_expecting(1, &folder, &["test"]);
    assert!(told.contains("error[unknown-word]"), "{told}");
}

// ----- recording and continuing

/// Records a game in which agents take the first option, so that a game continued from a part of the recording has the same result.
fn recorded(folder: &Folder, game: &str, players: &str) -> String {
    run_ok(folder, &["run", game, "-p", players, "-s", "5", "-q", "--agents", "first", "--record", "whole.play"]);
    folder.read("whole.play")
}

#[test]
fn recording_does_not_change_the_game_and_the_recording_replays() {
    let folder = with_guess("record");
    let told = run_ok(&folder, &["run", "guess", "-s", "5"]);
    fs::create_dir_all(folder.at("guess/plays")).unwrap();
    assert_eq!(told, run_ok(&folder, &["run", "guess", "-s", "5", "--record", "guess/plays/a.play"]));
    assert_eq!(run_ok(&folder, &["test"]), "1 passed, 0 failed\n");
    let json = ["run", "guess", "-s", "5", "--format", "json"];
    let plain: Value = serde_json::from_str(&run_ok(&folder, &json)).unwrap();
    let with_file: Value =
        serde_json::from_str(&run_ok(&folder, &[&json[..], &["--record", "a.play"]].concat())).unwrap();
    assert_eq!(plain, with_file);
}

#[test]
fn recordings_truncated_anywhere_resume_to_the_same_end() {
    let folder = with_guess("cut");
    for (game, players) in [("guess", "3"), ("stockpile", "3")] {
        let whole = recorded(&folder, game, players);
        let head = whole.find("table ").unwrap();
        let steps = if game == "guess" { 7 } else { 1_501 };
        for at in (head..whole.len()).step_by(steps).chain([whole.len() - 1, whole.len()]) {
            if !whole.is_char_boundary(at) {
                continue;
            }
            folder.write("cut.play", &whole[..at]);
            let from = ["run", game, "--from", "cut.play", "--agents", "first", "-q", "--record", "again.play"];
            run_ok(&folder, &from);
            assert_eq!(folder.read("again.play"), whole, "{game} cut after {at} bytes");
        }
    }
}

#[test]
fn recordings_find_their_game() {
    let folder = with_guess("home");
    recorded(&folder, "guess", "2");
    fs::create_dir_all(folder.at("guess/plays")).unwrap();
    fs::rename(folder.at("whole.play"), folder.at("guess/plays/whole.play")).unwrap();
    assert!(run_ok(&folder, &["run", "--from", "guess/plays/whole.play", "-q"]).contains("rank"));
    recorded(&folder, "guess", "2");
    assert!(run_expecting(1, &folder, &["run", "--from", "whole.play"]).contains("there is no game `guess` here"));
    assert!(
        run_expecting(1, &folder, &["run", "stockpile", "--from", "whole.play"])
            .contains("there is no game `guess` here")
    );
    assert!(run_expecting(2, &folder, &["run", "guess", "--from", "whole.play", "--seed", "3"]).contains("--seed"));
    assert!(run_expecting(2, &folder, &["run", "--from", "nowhere.play"]).contains("cannot be read"));
    folder.write("guess/plays/scenes.play", SCENES);
    let told = run_expecting(1, &folder, &["run", "--from", "guess/plays/scenes.play"]);
    assert!(told.contains("error[several-games]") && told.contains("scenes.play:6:5"), "{told}");
}

#[test]
fn unusual_player_names_are_quoted_in_recordings() {
    let folder = with_guess("names");
    let names = ["run", "guess", "-p", "3", "-s", "5", "-q", "--record", "a.play", "--names"];
    run_ok(&folder, &[&names[..], &["Big Cho,安,do"]].concat());
    assert!(folder.read("a.play").contains("players \"Big Cho\" 安 \"do\"\n"));
    run_ok(&folder, &["run", "guess", "--from", "a.play", "-q"]);
    assert!(run_expecting(2, &folder, &[&names[..], &["A\"b,c,d"]].concat()).contains("cannot be called"));
    assert!(run_expecting(2, &folder, &[&names[..], &[" Ann,Ann,c"]].concat()).contains("remove the blanks"));
    let named = "game guess\nplayers \"Big Cho\" 安 2nd\nexpect 安.number == 2\nexpect Big_Cho.number == 1\nexpect player_2nd == seats[2]\n";
    fs::create_dir_all(folder.at("guess/plays")).unwrap();
    folder.write("guess/plays/named.play", named);
    run_ok(&folder, &["test", "guess/plays/named.play"]);
}

#[cfg(unix)]
#[test]
fn links_and_devices_are_not_read_as_playscripts() {
    let folder = with_guess("stranger");
    folder.write("guess/plays/good.play", "game guess\nplayers Ann Ben\n");
    folder.write("secret", "a secret");
    for (to, link) in [("../../secret", "secret.play"), ("/dev/zero", "zero.play"), ("..", "up"), (".", "here")] {
        crate::unix::link(to, folder.at(&format!("guess/plays/{link}")));
    }
    let told = run_expecting(1, &folder, &["test", "guess"]);
    assert!(told.matches("is a link").count() == 2 && !told.contains("a secret"), "{told}");
    assert!(run_expecting(2, &folder, &["run", "--from", "/dev/zero"]).contains("is not a file"));
}

#[test]
fn a_killed_run_leaves_either_the_old_or_the_new_file() {
    let folder = with_guess("killed");
    let whole = recorded(&folder, "stockpile", "5");
    let old = "game stockpile\n";
    let (mut kept, mut replaced) = (0, 0);
    for wait in 0..40 {
        folder.write("whole.play", old);
        let arguments = ["run", "stockpile", "-p", "5", "-s", "5", "-q", "--agents", "first", "--record", "whole.play"];
        let mut child = command(&folder, &arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait * 5));
        let _ = child.kill();
        child.wait().unwrap();
        match folder.read("whole.play") {
            found if found == old => kept += 1,
            found => {
                assert_eq!(found, whole);
                replaced += 1;
            }
        }
    }
    assert!(kept > 0, "{kept} kept, {replaced} replaced: it was never killed in time");
}

// ----- updating recordings

#[test]
fn divergence_after_rule_changes_is_reported_and_can_be_blessed() {
    let folder = with_guess("bless");
    let whole = recorded(&folder, "guess", "2");
    folder.write("guess/plays/whole.play", format!("// What everybody says.\n{whole}"));
    assert_eq!(run_ok(&folder, &["test", "guess", "--bless"]), "1 passed, 0 failed\n");
    assert_eq!(folder.read("guess/plays/whole.play"), format!("// What everybody says.\n{whole}"));

    folder.write("guess/rules/play.rhai", SPEAK.replace("deck.draw(seat.hand)", "deck.draw(2, seat.hand)"));
    let told = run_expecting(1, &folder, &["test", "guess"]);
    let first = 2 + whole.lines().position(|line| line.starts_with("Ann: say")).unwrap();
    for words in [
        "error[went-another-way]",
        &format!("guess/plays/whole.play:{first}:1\n"),
        "the two tables, where they differ:",
        "recorded",
        "Ann.hand",
        "`ace` came to `Ann.hand` here",
        "`parlour test --bless`",
    ] {
        let either = told.contains(words) || told.contains(&words.replace("ace", "king"));
        assert!(either, "{words:?} in\n{told}");
    }
    let output = parlour(&folder, &["test", "guess", "--bless"]);
    assert_eq!(output.out, "1 passed, 0 failed\n");
    assert!(output.err.contains("recorded anew: guess/plays/whole.play (5 of 5 choices kept)"));
    let anew = folder.read("guess/plays/whole.play");
    assert!(anew.starts_with("// What everybody says.\nformat 2\ngame guess\n") && !anew.contains(&whole), "{anew}");
}

#[test]
fn bless_adds_a_missing_format_line() {
    let folder = with_guess("unsaid");
    let whole = recorded(&folder, "guess", "2");
    folder.write("guess/plays/whole.play", whole.strip_prefix("format 2\n").unwrap());
    run_ok(&folder, &["test", "guess", "--bless"]);
    assert_eq!(folder.read("guess/plays/whole.play"), whole);
}

#[test]
fn bless_replaces_choices_that_are_no_longer_offered() {
    let folder = with_guess("offered");
    let play =
        "game guess\nplayers Ann Ben\nseed 2\nAnn: say 3 @ 0000000000000000\nBen: say 1\nAnn: say 3\nend tired\n";
    folder.write("guess/plays/whole.play", play);
    folder.write("guess/game.toml", GUESS.replace("limit = 3", "limit = 2"));
    let output = parlour(&folder, &["test", "guess", "--bless"]);
    assert_eq!(output.code, 0, "{}", output.out);
    assert!(output.err.contains("(0 of 3 choices kept)"), "{}", output.err);
    let anew = folder.read("guess/plays/whole.play");
    assert!(anew.contains("\nend ") && !anew.contains("say 3"), "{anew}");
}

#[test]
fn bless_does_not_change_scenes() {
    let folder = with_scenes("scenes");
    folder.write("guess/game.toml", GUESS.replace("limit = 3", "limit = 2"));
    run_expecting(1, &folder, &["test", "guess", "--bless"]);
    assert_eq!(folder.read("guess/plays/scenes.play"), SCENES);
}

#[test]
fn bless_does_not_continue_unfinished_recordings() {
    let folder = with_guess("open");
    let whole = recorded(&folder, "guess", "2");
    let cut: String =
        whole.lines().take_while(|line| *line != "note Round 2").fold(String::new(), |cut, line| cut + line + "\n");
    folder.write("guess/plays/cut.play", &cut);
    run_ok(&folder, &["test", "guess", "--bless"]);
    assert_eq!(folder.read("guess/plays/cut.play"), cut);
}

#[test]
fn examples_pass_and_cover_every_line_and_function() {
    let told = run_ok(ROOT, &["test", "examples", "--coverage"]);
    assert!(told.contains(" passed, 0 failed\n"));
    for line in told.lines().filter(|line| line.starts_with("lines") || line.starts_with("functions")) {
        let numbers: Vec<&str> = line.split_whitespace().skip(1).collect();
        assert_eq!(numbers.len(), 2, "{told}");
        assert_eq!(numbers[0], numbers[1], "{told}");
    }
}

const MARKET: &str = r#"
[game]
id = "market"
players = { min = 2, max = 2 }

[zones.supply]
shape = "bag"
starts_with = ["ware"]

[zones.deck]
per = "seat"
shape = "pile"
face = "down"
refill = "discard"

[zones.discard]
per = "seat"
shape = "pile"

[zones.hand]
per = "seat"
shape = "hand"

[decisions.drop]
ask = "Which?"

[decisions.order]
ask = "In which order?"

[decisions.price]
ask = "At which price?"

[values.seat]
paid = 0

[flow]
setup = ["deal"]
round = ["market"]
rounds = 4
ending = "closed"

[phases.market]
steps = [{ each_seat = "trade" }]

[endings]
closed = "The market closes"
"#;

const WARES: &str = r#"
[[ware]]
id = "tea"
count = 6

[[ware]]
id = "silk"
count = 6

[[ware]]
id = "jade"
count = 4
"#;

const TRADE: &str = r#"
/// Gives each player a supply of wares.
fn deal() {
    for seat in seats {
        supply.draw(8, seat.deck);
        seat.deck.draw(4, seat.hand);
    }
}

/// Discards two wares, names a price, and draws two new wares.
fn trade(seat) {
    choose_some(seat, "drop", seat.hand.pieces, 2, 2).move_to(seat.discard);
    seat.paid += choose(seat, "price", 2..=4);
    let dear = seat.hand.count(|ware| ware.component == component("jade"));
    if dear > 1 { seat.paid += choose(seat, "price", 0..2); }
    seat.deck.draw(2, seat.hand);
    choose_order(seat, "order", seat.hand.pieces).move_to(seat.hand);
}

fn score(seat) { seat.paid }
"#;

/// A recording replays which of several alike pieces was picked, and in which order they were shuffled.
#[test]
fn recordings_with_identical_picked_and_shuffled_pieces_replay() {
    let folder = with_guess("market");
    folder.write("market/game.toml", MARKET);
    folder.write("market/components/wares.toml", WARES);
    folder.write("market/rules/play.rhai", TRADE);
    run_ok(&folder, &["check", "market"]);
    fs::create_dir_all(folder.at("market/plays")).unwrap();
    for seed in 1..=20 {
        let (seed, play) = (seed.to_string(), format!("market/plays/{seed}.play"));
        run_ok(&folder, &["run", "market", "--seed", &seed, "--record", &play, "--quiet"]);
    }
    assert_eq!(run_ok(&folder, &["test", "market"]), "20 passed, 0 failed\n");
    let played = run_ok(&folder, &["run", "market", "--seed", "1"]);
    assert!(played.contains("Ann's discard") || played.contains("Ann's Discard"), "{played}");
}

/// Pieces that `arrange` has placed are not removed by a later `put`. Pieces that are picked without a question may be named.
#[test]
fn put_does_not_take_pieces_that_were_placed_before() {
    let folder = with_guess("stall");
    folder.write("stall/game.toml", MARKET.replace("\"market\"\nplayers", "\"stall\"\nplayers"));
    folder.write("stall/components/wares.toml", WARES);
    folder.write("stall/rules/play.rhai", TRADE);
    folder.write(
        "stall/plays/set.play",
        r#"game stall
players Ann Ben
seed 1
start at market
arrange {
    clear(Ann.hand);
    clear(Ann.deck);
    put("jade", 2, Ann.hand);
    put("jade", 2, Ben.hand);
    put(["tea", "silk"], Ann.hand);
}
expect Ann.hand.count("component", component("jade")) == 2
expect Ben.hand.count("component", component("jade")) >= 2
Ann: drop jade + tea
Ann: price 3
Ann: order silk + jade
"#,
    );
    run_ok(&folder, &["test", "stall"]);
}

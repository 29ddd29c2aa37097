//! `parlour count`: counts lines of play ply by ply, explains what it counts in games with chance and secrets, and stops at limits.

use crate::folder::Folder;
use crate::program::{ROOT, assert_usage_error, parlour, run_expecting, run_ok};
use serde_json::Value;

/// Returns three counts for each ply from the JSON output: lines of play, lines that ended at earlier plies, and distinct positions, if
/// these are counted.
fn plies(arguments: &[&str]) -> Vec<(u64, u64, Option<u64>)> {
    let told = run_ok(ROOT, &[&["count"], arguments, &["--format", "json"]].concat());
    let document: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(document["stopped"], Value::Null);
    let number = |ply: &Value, key: &str| ply[key].as_u64().unwrap();
    let ply = |ply: &Value| (number(ply, "lines"), number(ply, "ended_before"), ply["positions"].as_u64());
    document["plies"].as_array().unwrap().iter().map(ply).collect()
}

/// Each line of play marks the nine squares one after another, until three marks are in a row.
#[test]
fn count_prints_total_and_finished_lines_of_each_ply() {
    let lines = [(9, 0), (72, 0), (504, 0), (3_024, 0), (15_120, 0), (54_720, 1_440)];
    let expected: Vec<_> = lines.into_iter().map(|(lines, ended)| (lines, ended, None)).collect();
    assert_eq!(plies(&["tic-tac-toe", "--plies", "6"]), expected);
    let told = run_ok(ROOT, &["count", "tic-tac-toe", "--plies", "3"]);
    assert!(told.contains("if it grows like that, ply 4 has about 3,500 lines"), "{told}");
    assert!(!told.contains("chance") && !told.contains("hidden"), "{told}");
}

/// A deal of Kuhn poker can be played in five different ways.
#[test]
fn a_small_game_is_counted_completely() {
    let expected = [(2, 0), (4, 0), (2, 3), (0, 5)].map(|(lines, ended)| (lines, ended, None));
    assert_eq!(plies(&["kuhn-poker", "--plies", "9"]), expected);
    let told = run_ok(ROOT, &["count", "kuhn-poker", "--plies", "9"]);
    assert!(told.contains("every line has come to its end: there are 5 games"), "{told}");
}

/// The expected numbers of positions are from <https://oeis.org/A212693>.
#[test]
fn transposed_positions_are_counted_once() {
    let expected = [(7, 7), (49, 49), (343, 238), (2_401, 1_120), (16_807, 4_263)];
    let expected: Vec<_> = expected.into_iter().map(|(lines, positions)| (lines, 0, Some(positions))).collect();
    assert_eq!(plies(&["connect-four", "--plies", "5", "--positions"]), expected);
}

#[test]
fn lines_are_split_by_the_first_answer() {
    let told = run_ok(ROOT, &["count", "chess", "--plies", "2", "--split"]);
    let (_, split) = told.split_once("lines at ply 2 by the first answer\n").unwrap();
    let lines: Vec<&str> = split.lines().collect();
    assert_eq!(lines.len(), 20, "{split}");
    assert!(lines.iter().all(|line| line.trim_start().starts_with("20  piece=Ann.")), "{split}");
    let told = run_ok(ROOT, &["count", "chess", "--plies", "2", "--split", "--format", "json"]);
    let document: Value = serde_json::from_str(&told).unwrap();
    let sum: u64 = document["split"].as_array().unwrap().iter().map(|row| row["lines"].as_u64().unwrap()).sum();
    assert_eq!(sum, 400);
}

#[test]
fn counts_mention_chance_and_hidden_pieces_and_ignore_jobs() {
    let one = run_ok(ROOT, &["count", "leduc-poker", "--plies", "4", "--seed", "5", "--jobs", "1"]);
    assert!(one.contains("as seed 5 has them") && one.contains("hidden pieces lie as they were dealt"), "{one}");
    assert_eq!(one, run_ok(ROOT, &["count", "leduc-poker", "--plies", "4", "--seed", "5", "--jobs", "2"]));
}

#[test]
fn counting_can_start_from_a_saved_position() {
    let folder = Folder::new("count-from");
    let moves = "format 2\ngame tic-tac-toe\nplayers Ann Ben\nseed 1\nAnn: mark 1,1\nBen: mark 2,2\n";
    folder.write("game.play", moves);
    let told = run_ok(&folder, &["count", "--from", "game.play", "--plies", "2"]);
    assert!(told.contains("\n  1                  7 ") && told.contains("\n  2                 42 "), "{told}");
    assert_usage_error(&folder, &["count", "--from", "game.play", "--plies", "2", "--seed", "3"], &["--seed"]);
}

#[test]
fn a_time_limit_ends_a_count_after_the_last_complete_ply() {
    let output = parlour(ROOT, &["count", "go", "--plies", "50", "--seconds", "2"]);
    assert_eq!(output.code, 0);
    assert!(output.out.contains("\n  1                 82 "), "{}", output.all());
    assert!(output.err.contains(" after 2 s: `--seconds` gives it more time"), "{}", output.err);
}

/// `count` refuses a game that asks a question with very many options, and a game whose rules fail in one line of play.
#[test]
fn splits_of_huge_option_sets_and_failing_rules_are_reported() {
    let folder = Folder::new("count-refused");
    let game = "[game]\nid = \"guess\"\nplayers = { min = 1, max = 1 }\n[decisions.say]\nask = \"Say a number\"\n\
                [values.seat]\nsaid = 0\n[flow]\nround = [\"play\"]\nrounds = 3\n[phases.play]\nsteps = [{ each_seat = \"speak\" }]\n";
    folder.write("game.toml", game);
    let rules = |most: &str, then: &str| {
        format!(
            "fn speak(seat) {{ let n = choose_number(seat, \"say\", 1, {most}); {then} }}\nfn score(seat) {{ seat.said }}\n"
        )
    };
    folder.write("rules/play.rhai", rules("1_000_000_000", "seat.said = n;"));
    let told = run_ok(&folder, &["count", ".", "--plies", "1"]);
    assert!(told.contains("1,000,000,000"), "{told}");
    assert_usage_error(
        &folder,
        &["count", ".", "--plies", "1", "--split"],
        &["1,000,000,000 options", "leave out `--split`"],
    );
    folder.write("rules/play.rhai", rules("3", "seat.said += 6 / (n - 2);"));
    let told = run_expecting(1, &folder, &["count", ".", "--plies", "3"]);
    assert!(told.contains("error[") && told.contains("as a playscript") && told.contains(": say "), "{told}");
    assert_usage_error(&folder, &["count", ".", "--plies", "0"], &["from 1 to 100"]);
    assert_usage_error(&folder, &["count", "--plies", "2"], &["GAME"]);
}

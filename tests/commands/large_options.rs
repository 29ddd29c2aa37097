//! Command-line tests of questions with far more options than can be listed. They must not take too much memory or time.

use crate::folder::Folder;
use crate::program::{parlour, run_ok, run_with_input};

pub(crate) const GAME: &str = r#"
[game]
format = 1
id = "large"
players = { min = 1, max = 1 }
[zones.board]
shape = "grid"
columns = 20
rows = 20
[decisions.number]
ask = "How many?"
[decisions.move]
ask = "Which moves?"
parts = { from = "board", to = "board", how = "number" }
[values.seat]
points = 0
[flow]
round = ["play"]
rounds = 1
[phases.play]
steps = [{ each_seat = "turn" }]
"#;

pub(crate) const RULES: &str = r#"
fn turn(seat) {
    seat.points = choose_number(seat, "number", 0, 1_000_000_000);
    let m = choose(seat, "move", each_of(#{ from: board.spaces, to: board.spaces, how: [1, 2, 3] }));
    seat.points += m.how;
}
fn score(seat) { seat.points }
"#;

fn large(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("game.toml", GAME);
    folder.write("rules/play.rhai", RULES);
    folder
}

#[test]
fn options_of_huge_sets_can_be_typed() {
    let folder = large("large-typed");
    let said = run_with_input(
        folder.path(),
        &["play", ".", "--players", "1", "--agents", "human", "--seed", "2"],
        "why 2000000000\nwhy 77\n123456789\nwhy from=9,9 to=2,2\nfrom=3,4 to=5,6 how=2\n",
    );
    assert_eq!(said.code, 0, "{}", said.all());
    assert!(said.out.contains("123456791"), "{}", said.all());
}

#[test]
fn an_ambiguous_word_lists_all_options_that_contain_it() {
    let folder = large("large-words");
    let said = run_with_input(
        folder.path(),
        &["play", ".", "--players", "1", "--agents", "human", "--seed", "2"],
        "7\n9,9\n3,3 4,4\nfrom 3,3, to 4,4, how 2\n",
    );
    assert_eq!(said.code, 0, "{}", said.all());
    // Of the pairs of `from` and `to`, 400 have `from` at 3,3 and 400 have `to` at 4,4; one pair has both. Each pair has 3 values of `how`,
    // and 30 options are listed.
    assert!(said.out.contains(&format!("… and {} more", (2 * 400 - 1) * 3 - 30)), "{}", said.all());
    let listed = |word: &str| said.out.lines().filter(|line| line.contains(word) && line.contains(", how ")).count();
    assert!(listed("9,9,") >= 30, "{}", said.all());
    assert_eq!((listed("from 3,3, to 4,4, how 1"), listed("from 4,4, to 3,3, how 3")), (1, 1), "{}", said.all());
    assert!(said.out.contains("Points 7 → 9"), "{}", said.all());
}

#[test]
fn playscripts_can_name_options_of_huge_sets() {
    let folder = large("large-play");
    let play = "format 1\ngame large\nplayers Ann\nscene \"one of very many\" {\n    \
        offers Ann: number 1000000001\n    allows Ann: number 999999999\n    reject Ann: number -1\n    Ann: number 123456789\n    \
        offers Ann: move 480000\n    Ann: move from=3,4 to=5,6 how=2\n    expect Ann.points == 123456791\n}\n";
    folder.write("plays/large.play", play);
    run_ok(folder.path(), &["test", "."]);
    let wrong = play.replace("Ann: number 123456789\n", "Ann: number 2000000000\n");
    folder.write("plays/large.play", wrong);
    let said = parlour(folder.path(), &["test", "."]);
    assert_eq!(said.code, 1, "{}", said.all());
    assert!(said.all().contains("`2000000000` is not offered"), "{}", said.all());
}

#[test]
fn simulation_and_recording_work_with_huge_option_sets() {
    let folder = large("large-simulated");
    run_ok(folder.path(), &["check", "."]);
    run_ok(folder.path(), &["simulate", ".", "--games", "3", "--seed", "1", "--agents", "search:10"]);
    run_ok(folder.path(), &["simulate", ".", "--games", "3", "--seed", "1", "--prospects", "10"]);
    folder.write("plays/.keep", "");
    let run = run_ok(
        folder.path(),
        &["run", ".", "--players", "1", "--seed", "5", "--agents", "random", "--record", "plays/kept.play"],
    );
    assert!(!run.is_empty());
    run_ok(folder.path(), &["test", "."]);
}

//! `parlour play`: saved games that are continued, answers with several picks, and the display of the table.

use crate::folder::Folder;
use crate::program::{ROOT, RunOutput, command, run_with_input};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

const BOARD: &str = "examples/games/tic-tac-toe";
const CARDS: &str = "examples/games/goofspiel";

/// Returns a command that runs the program with a pipe as its standard input.
fn at_a_table(arguments: &[&str]) -> Command {
    let mut command = command(ROOT, arguments);
    command.stdin(Stdio::piped());
    command
}

// ----- seats of people and agents

#[test]
fn resumed_games_keep_the_seat_of_the_player() {
    let place = Folder::new("seat");
    let file = place.path_of("kept.play");
    let said = run_with_input(
        ROOT,
        &["play", CARDS, "--agents", "random,human", "--seed", "7", "--save", &file, "--lang", "zh-Hant"],
        "1\nquit\n",
    );
    let on = said.err.lines().find(|line| line.contains("接續對局")).unwrap();
    assert!(on.ends_with(" --lang zh-Hant") && !on.contains("--agents"), "{on}");
    assert!(place.read("kept.play").contains("\nagents random human\n"), "{}", place.read("kept.play"));
    let said = run_with_input(ROOT, &["play", CARDS, "--from", &file], "2\nquit\n");
    assert!(said.out.contains("\nBen: ") && !said.out.contains("\nAnn: "), "{}", said.out);
    assert_eq!(place.read("kept.play").matches("agents random human").count(), 1, "{}", place.read("kept.play"));
    let said = run_with_input(ROOT, &["play", CARDS, "--from", &file, "--agents", "human,random"], "quit\n");
    assert!(said.out.contains("\nAnn: "), "{}", said.out);
}

#[test]
fn resumed_games_keep_all_players_at_one_screen() {
    let place = Folder::new("people");
    let file = place.path_of("kept.play");
    run_with_input(
        ROOT,
        &["play", CARDS, "--agents", "human,human", "--seed", "3", "--save", &file],
        "\n1\n\n1\n\nquit\n",
    );
    let said = run_with_input(ROOT, &["play", CARDS, "--from", &file], "\n1\n\nquit\n");
    assert!(said.out.contains("Ann, it is your turn") && said.out.contains("Ben, it is your turn"), "{}", said.out);
}

#[test]
fn saved_games_pass_check_and_test() {
    let place = Folder::new("checked");
    fs::create_dir_all(place.0.join("plays")).unwrap();
    for part in ["game.toml", "components/marks.toml", "rules/play.rhai"] {
        place.write(part, fs::read_to_string(format!("{BOARD}/{part}")).unwrap());
    }
    let (game, file) = (place.path(), place.path_of("plays/kept.play"));
    run_with_input(ROOT, &["play", game, "--agents", "human,random", "--seed", "7", "--save", &file], "5\nquit\n");
    assert!(place.read("plays/kept.play").contains("agents human random"), "{}", place.read("plays/kept.play"));
    for command in ["check", "test"] {
        let said = run_with_input(ROOT, &[command, game], "");
        assert_eq!(said.code, 0, "{command}: {}{}", said.out, said.err);
    }
    let head = "game tic_tac_toe\nplayers Ann Ben\nagents random human\n";
    place.write("plays/kept.play", format!("{head}auto until end\n"));
    let said = run_with_input(ROOT, &["test", game], "");
    assert!(said.out.contains("Ben is a person, who cannot be asked `mark` in a play"), "{}{}", said.out, said.err);
    place.write("plays/kept.play", format!("{}auto until end\n", head.replace("human", "other")));
    let said = run_with_input(ROOT, &["test", game], "");
    assert!(said.out.contains("Ben is an agent that is not named here, who cannot be asked `mark`"), "{}", said.out);
    place.write("plays/kept.play", format!("{head}auto until decision mark\nauto until end with random\n"));
    let said = run_with_input(ROOT, &["test", game], "");
    assert_eq!(said.code, 0, "nobody has to be asked: {}{}", said.out, said.err);
    place.write("plays/kept.play", format!("{head}auto until end with human\n"));
    let said = run_with_input(ROOT, &["check", game], "");
    assert!(said.err.contains("a person cannot be asked in a play"), "{}{}", said.out, said.err);
}

#[test]
fn saved_games_never_start_programs_or_read_other_files() {
    let place = Folder::new("stranger");
    let lines = "game tic_tac_toe\nplayers Ann Ben\nseed 1\nAnn: mark board[2,2]\nBen: mark board[1,1]\n";
    let (other, file) = (place.write("two words.play", lines), place.path_of("kept.play"));
    let agents = format!("human,playscript:{other}");
    let said = run_with_input(ROOT, &["play", BOARD, "--agents", &agents, "--seed", "1", "--save", &file], "5\nquit\n");
    assert!(place.read("kept.play").contains("agents human other\n"), "{}", place.read("kept.play"));
    assert!(said.err.contains(&format!(" --agents '{agents}'")), "{}", said.err);
    // If the file does not name the agent of a seat, no other agent takes the seat.
    let said = run_with_input(ROOT, &["play", BOARD, "--from", &file], "1\n1\nquit\n");
    assert!(said.code == 2 && said.err.contains("the file does not name the agent of"), "{}", said.err);
    assert!(said.err.contains("choose the players: `--agents human,…`"), "{}", said.err);
    let lines = lines.replace("seed 1\n", "seed 1\nagents human cmd:no-such-program\n");
    let stranger = place.write("stranger.play", &lines);
    let said = run_with_input(ROOT, &["play", BOARD, "--from", &stranger], "1\n1\n1\nquit\n");
    assert!(said.code == 2 && said.err.contains("the file does not name the agent of"), "{}", said.err);
    assert!(said.err.contains("choose the players: `--agents human,cmd:no-such-program`"), "{}", said.err);
}

// ----- games are not lost

#[test]
fn an_unwritable_save_file_is_reported_before_play() {
    let place = Folder::new("unwritable");
    // The file name exceeds the limit of file systems.
    let file = place.path_of(&format!("{}.play", "k".repeat(300)));
    let said =
        run_with_input(ROOT, &["play", BOARD, "--agents", "human,first", "--seed", "1", "--save", &file], "5\nquit\n");
    assert!(
        said.code == 2 && said.err.contains("cannot be kept in") && said.out.is_empty(),
        "{}{}",
        said.out,
        said.err
    );
}

#[test]
fn quit_asks_again_if_the_game_cannot_be_saved() {
    let place = Folder::new("stays");
    let file = place.path_of("gone/kept.play");
    fs::create_dir(place.path_of("gone")).unwrap();
    let mut child =
        at_a_table(&["play", BOARD, "--agents", "human,human", "--seed", "1", "--save", &file]).spawn().unwrap();
    let (mut keys, mut said) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut until = |text: &str| {
        let mut line = String::new();
        while !line.contains(text) {
            line.clear();
            assert!(said.read_line(&mut line).unwrap() > 0, "`{text}` does not come");
        }
    };
    until("press Enter");
    fs::remove_dir(place.path_of("gone")).unwrap();
    fs::write(place.path_of("gone"), "").unwrap();
    keys.write_all(b"\n5\n\nquit\nlog\n").unwrap();
    // The same question is asked again.
    until("Ann marks");
    until("Ann marks");
    fs::remove_file(place.path_of("gone")).unwrap();
    keys.write_all(b"quit\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(place.read("gone/kept.play").contains("Ann: mark board[2,2]"));
}

#[test]
fn quitting_at_once_still_writes_the_named_file() {
    let place = Folder::new("at-once");
    let (file, again) = (place.path_of("kept.play"), place.path_of("again.play"));
    assert_eq!(
        run_with_input(ROOT, &["play", BOARD, "--agents", "human,first", "--seed", "1", "--save", &file], "quit\n")
            .code,
        0
    );
    assert!(place.read("kept.play").contains("agents human first"));
    assert_eq!(run_with_input(ROOT, &["play", BOARD, "--from", &file, "--save", &again], "quit\n").code, 0);
    assert_eq!(place.read("kept.play"), place.read("again.play"));
}

#[test]
fn invalid_utf8_input_is_rejected_and_the_game_continues() {
    let place = Folder::new("bytes");
    let file = place.path_of("kept.play");
    let arguments = ["play", BOARD, "--agents", "human,first", "--seed", "1", "--save", &file];
    let said = run_with_input(ROOT, &arguments, b"\xff\xfe\n5\nquit\n");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("none of the 9 options"), "{}", said.out);
    assert!(place.read("kept.play").contains("mark board[2,2]"));
}

#[test]
fn a_missing_save_folder_is_reported_before_play() {
    let place = Folder::new("nowhere");
    let file = place.path_of("no/such/folder/kept.play");
    let said = run_with_input(ROOT, &["play", BOARD, "--seed", "1", "--save", &file], "5\nquit\n");
    assert!(said.code == 2 && said.err.contains("there is no folder `"), "{}", said.err);
    assert!(!said.out.contains("Where does your mark go?"), "{}", said.out);
}

/// The folder disappears during the game.
#[test]
fn the_game_continues_if_it_cannot_be_saved() {
    let place = Folder::new("gone");
    let file = place.path_of("kept.play");
    let mut child =
        at_a_table(&["play", BOARD, "--agents", "human,first", "--seed", "1", "--save", &file]).spawn().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    said.read_until(b'>', &mut Vec::new()).unwrap();
    // A file has replaced the folder.
    fs::remove_dir_all(&place.0).unwrap();
    fs::write(&place.0, "").unwrap();
    child.stdin.take().unwrap().write_all(b"5\nsave\nboard[3,3]\nquit\n").unwrap();
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors.matches("cannot be written").count(), 3, "at `save`, at `quit` and at the end: {errors}");
    assert_eq!(rest.matches("Where does your mark go?").count(), 4, "{rest}");
    assert_eq!(output.status.code(), Some(2));
}

/// The reader of the output closes the pipe, as `head` does.
#[test]
fn the_game_is_saved_when_the_output_is_closed() {
    let place = Folder::new("closed");
    let file = place.path_of("kept.play");
    let mut child =
        at_a_table(&["play", BOARD, "--agents", "human,first", "--seed", "1", "--save", &file]).spawn().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    let mut keys = child.stdin.take().unwrap();
    said.read_until(b'>', &mut Vec::new()).unwrap();
    drop(said);
    keys.write_all(b"5\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(place.read("kept.play").contains("mark board[2,2]"));
}

#[cfg(unix)]
#[test]
fn interrupting_an_agent_warns_and_a_second_interrupt_exits() {
    let place = Folder::new("thinking");
    let (file, agent) = (place.path_of("kept.play"), place.write("agent.sh", "read line\nsleep 5\n"));
    let agents = format!("human,cmd:sh {agent}");
    let mut child = at_a_table(&["play", BOARD, "--agents", &agents, "--seed", "1", "--save", &file]).spawn().unwrap();
    let mut keys = child.stdin.take().unwrap();
    keys.write_all(b"5\n").unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    said.read_until(b'>', &mut Vec::new()).unwrap();
    // The answer is read and the agent is asked only some time after the question is shown.
    std::thread::sleep(std::time::Duration::from_secs(1));
    crate::unix::interrupt(&child);
    let mut told = BufReader::new(child.stderr.take().unwrap()).lines();
    let word = told.by_ref().map(Result::unwrap).find(|line| !line.is_empty()).unwrap();
    assert!(word.contains("Ctrl-C again leaves without keeping it"), "{word}");
    std::thread::sleep(std::time::Duration::from_millis(400));
    crate::unix::interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!place.0.join("kept.play").exists());
}

#[test]
fn finished_games_are_saved_without_resume_instructions() {
    let place = Folder::new("over");
    let file = place.path_of("kept.play");
    let arguments = ["play", BOARD, "--agents", "human,first", "--seed", "1", "--save", &file];
    let said = run_with_input(ROOT, &arguments, "1\n".repeat(9));
    assert!(said.out.contains("Ending: "), "{}", said.out);
    assert!(said.err.contains("The game is kept in ") && !said.err.contains("go on with"), "{}", said.err);
}

#[test]
fn agents_forget_undone_choices() {
    let place = Folder::new("forget");
    let lines = "game tic_tac_toe\nplayers Ann Ben\nseed 1\nBen: mark board[1,1]\nBen: mark board[3,1]\n";
    let (other, file) = (place.write("other.play", lines), place.path_of("kept.play"));
    let agents = format!("human,playscript:{other}");
    let arguments = ["play", BOARD, "--agents", &agents, "--seed", "1", "--save", &file];
    run_with_input(ROOT, &arguments, "board[2,2]\nundo\nboard[3,3]\nquit\n");
    let kept = place.read("kept.play");
    assert!(kept.contains("Ben: mark board[1,1]") && !kept.contains("board[3,1]"), "{kept}");
}

#[test]
fn agents_continue_in_resumed_games() {
    let place = Folder::new("go-on");
    let lines = "game tic_tac_toe\nplayers Ann Ben\nseed 1\nBen: mark board[1,1]\nBen: mark board[3,1]\n";
    let (other, file, again) =
        (place.write("other.play", lines), place.path_of("kept.play"), place.path_of("again.play"));
    let agents = format!("human,playscript:{other}");
    run_with_input(ROOT, &["play", BOARD, "--agents", &agents, "--seed", "1", "--save", &file], "board[2,2]\nquit\n");
    assert!(place.read("kept.play").contains("Ben: mark board[1,1]"));
    // Continues the game, takes back the first choice made since then, and makes another one.
    let arguments = ["play", BOARD, "--from", &file, "--agents", &agents, "--save", &again];
    run_with_input(ROOT, &arguments, "board[3,3]\nundo\nboard[2,3]\nquit\n");
    let kept = place.read("again.play");
    assert!(kept.contains("Ann: mark board[2,3]") && kept.contains("Ben: mark board[3,1]"), "{kept}");
    let said =
        run_with_input(ROOT, &["run", BOARD, "--from", &file, "--agents", &format!("first,playscript:{other}")], "");
    assert!(said.out.contains("Ben") && said.err.contains("has no further answer for Ben"), "{}{}", said.out, said.err);
    let wrong = place.write("wrong.play", "game tic_tac_toe\nplayers Ann Ben\nseed 1\nBen: mark board[4,1]\n");
    let said = run_with_input(ROOT, &["run", BOARD, "--agents", &format!("first,playscript:{wrong}")], "");
    assert!(said.err.contains("wrong.play:4:1") && said.err.contains("not offered here"), "{}", said.err);
}

// ----- answers with several picks

const GARDEN: &str = r#"[game]
id = "garden"
name = { en = "Garden", zh-Hant = "花園" }
players = { min = 1, max = 2 }

[zones.bed]
name = { en = "Bed", zh-Hant = "花圃" }
shape = "grid"
columns = [-1, 1]
rows = [2, 3]
accepts = ["flower"]

[zones.basket]
name = { en = "Basket", zh-Hant = "花籃" }
per = "seat"
shape = "hand"
starts_with = ["flower"]
accepts = ["flower"]

[zones.shelf]
name = { en = "Shelf", zh-Hant = "花架" }
shape = "row"
spaces = ["top_board", "low"]
accepts = ["flower"]

[values.space]
water = { in = "bed", start = 1, name = { en = "water", zh-Hant = "水分" } }

[decisions.gather]
ask = { en = "Which flowers do you gather?", zh-Hant = "採哪些花？" }

[decisions.plant]
ask = { en = "What goes where?", zh-Hant = "什麼種在哪裡？" }
parts = { flower = "flower", to = "bed" }

[flow]
round = ["gathering"]

[phases.gathering]
steps = [{ each_seat = "gather" }]

[endings]
over = { en = "Over", zh-Hant = "結束" }

[words]
low = { en = "low board", zh-Hant = "下層" }
sun = { en = "full sun", zh-Hant = "全日照" }
"#;

const FLOWERS: &str = r#"[kinds.flower]
name = { en = "Flower", zh-Hant = "花" }

[[flower]]
id = "aster"
name = { en = "aster", zh-Hant = "紫菀" }
likes = "sun"
water = 2
each = "seat"
count = 2

[[flower]]
id = "rose"
name = { en = "rose", zh-Hant = "玫瑰" }
likes = "shade"
water = 2
each = "seat"

[[flower]]
id = "lily"
name = { en = "lily", zh-Hant = "百合" }
likes = "sun"
water = 2
each = "seat"
"#;

const GATHER: &str = r#"/// A player gathers two or three flowers.
fn gather(seat) {
    let gathered = choose_some(seat, "gather", seat.basket, 2, 3);
    gathered[0].move_to(shelf["low"]);
    let wet = bed.at(1, 2);
    wet.water = 4;
    let planted = choose(seat, "plant", || plantings(seat));
    planted.flower.move_to(planted.to);
    choose_some(seat, "gather", seat.basket, 1, 1);
    end_game("over");
}

/// Returns every pair of a flower in the basket and an empty place in the bed.
fn plantings(seat) {
    let found = [];
    for flower in seat.basket.pieces {
        for to in bed.empty { found.push(#{ flower: flower, to: to }); }
    }
    found
}

/// Returns 0 for all seats.
fn score(seat) { 0 }
"#;

fn garden(name: &str) -> Folder {
    let place = Folder::new(name);
    place.write("game.toml", GARDEN);
    place.write("components/flowers.toml", FLOWERS);
    place.write("rules/gather.rhai", GATHER);
    place
}

fn at_the_garden(place: &Folder, input: &str, more: &[&str]) -> RunOutput {
    let (game, file) = (place.path(), place.path_of("kept.play"));
    let arguments = ["play", game, "--players", "1", "--seed", "1", "--save", &file];
    run_with_input(ROOT, &[&arguments[..], more].concat(), input)
}

#[test]
fn several_items_can_be_picked_in_any_order() {
    let place = garden("picking");
    let said = at_the_garden(&place, "lily\ndone\nwhy done\nrose\nundo\naster\nwhy tulip\ndone\nquit\n", &[]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("aster × 2") && said.out.contains("(pick 2 to 3)"), "{}", said.out);
    assert!(said.out.contains("none of the 2 options is so; `why done`"), "one is too few: {}", said.out);
    assert!(said.out.contains("one more has to be picked first"), "{}", said.out);
    assert!(said.out.contains("(pick 2 to 3, 2 so far: Ann's lily, Ann's rose)"), "{}", said.out);
    assert!(said.out.contains("(pick 2 to 3, 2 so far: Ann's lily, Ann's aster)"), "{}", said.out);
    assert!(said.out.contains("no option has `tulip` in it"), "{}", said.out);
    let kept = place.read("kept.play");
    assert!(kept.contains("\nAnn: gather Ann.lily + Ann.aster @"), "{kept}");
    let said = run_with_input(ROOT, &["test", &place.path_of("kept.play")], "");
    assert_eq!(said.code, 0, "the recording can be played: {}{}", said.out, said.err);
}

#[test]
fn picking_ends_at_the_maximum_and_is_undone_as_a_whole() {
    let place = garden("whole");
    let said = at_the_garden(&place, "rose\nlily\naster\nundo\naster\naster\nlily\nquit\n", &[]);
    assert_eq!(said.out.matches("What goes where?").count(), 2, "{}", said.out);
    assert!(said.out.contains("2 so far: Ann's rose, Ann's lily"), "{}", said.out);
    assert!(said.out.contains("2 so far: Ann's aster, Ann's aster"), "{}", said.out);
    let kept = place.read("kept.play");
    assert!(kept.contains("\nAnn: gather Ann.lily + Ann.aster + Ann.aster @"), "{kept}");
    let said = run_with_input(ROOT, &["test", &place.path_of("kept.play")], "");
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
}

/// Rules for picking flowers. Between two flowers that are alike lies a different one.
const BETWEEN: &str = r#"/// A player gathers two or three flowers.
fn gather(seat) {
    let sunny = seat.basket.where("likes", "sun");
    let shady = seat.basket.where("likes", "shade");
    choose_some(seat, "gather", [sunny[1], shady[0], sunny[2]], 2, 3);
    end_game("over");
}

/// Returns 0 for all seats.
fn score(seat) { 0 }
"#;

#[test]
fn identical_items_that_are_not_adjacent_can_be_picked() {
    let place = garden("alike");
    place.write("rules/gather.rhai", BETWEEN);
    let said = at_the_garden(&place, "1\n1\n1\n", &[]);
    assert!(said.out.contains("(pick 2 to 3, 2 so far: Ann's aster, Ann's aster)"), "{}", said.out);
    assert!(said.out.contains("Ann: Ann's aster, Ann's aster, Ann's rose "), "{}", said.out);
    let play = "game garden\nplayers Ann\nseed 1\nAnn: gather aster + aster + rose\nexpect ending over\n";
    let said = run_with_input(ROOT, &["test", &place.write("plays/several.play", play)], "");
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
}

// ----- display of the table

#[test]
fn empty_maps_are_displayed_with_space_labels() {
    let place = garden("labels");
    let said = at_the_garden(&place, "aster\nrose\ndone\naster 1,2\nquit\n", &[]);
    assert!(said.out.contains("\n  Bed:\n       -1  0  1\n     2  .  .  .\n     3  .  .  .\n"), "{}", said.out);
    assert!(said.out.contains("\n       -1  0  1\n     2  .  .  A\n"), "{}", said.out);
    let said = run_with_input(ROOT, &["play", BOARD, "--seed", "1"], "quit\n");
    assert!(said.out.contains("Board:\n       1 2 3\n     1 . . .\n"), "{}", said.out);
}

#[test]
fn only_changed_values_of_spaces_are_displayed() {
    let place = garden("values");
    let said = at_the_garden(&place, "aster\nrose\ndone\nquit\n", &[]);
    assert!(said.out.contains("\n  water: Bed (1,2) 4\n"), "{}", said.out);
    assert!(!said.out.contains("(0,2) 1"), "{}", said.out);
}

#[test]
fn labels_parts_and_fields_are_translated() {
    let place = garden("words");
    let input = "look 花\n紫菀\n玫瑰\ndone\nquit\n";
    let said = at_the_garden(&place, input, &["--lang", "zh-Hant"]);
    assert!(said.out.contains("花架 (1): 下層 "), "{}", said.out);
    assert!(said.out.contains("：likes 全日照；水分 2"), "a field is called like a value: {}", said.out);
    let arguments = ["play", "stockpile", "--seed", "1", "--lang", "zh-Hant", "--save", &place.path_of("other.play")];
    let said = run_with_input(ROOT, &arguments, "look 美國汽車公司\nquit\n");
    assert!(said.out.contains("起始格 5；分割格 6"), "{}", said.out);
    let said =
        run_with_input(ROOT, &["play", "examples/games/breakthrough", "--seed", "1", "--lang", "zh-Hant"], "a\nquit\n");
    assert!(said.out.contains("移動 ") && said.out.contains("到 ") && !said.out.contains("piece"), "{}", said.out);
}

const SITE: &str = r#"
[game]
id = "site"
players = { min = 1, max = 1 }
[decisions.build]
ask = { en = "What do you build?", zh-Hant = "建造什麼？" }
parts = { house = "any", pay = "number", at = "number" }
[flow]
round = ["play"]
rounds = 1
[phases.play]
steps = [{ each_seat = "turn" }]
[words]
house = { en = "house", zh-Hant = "房屋" }
mill = { en = "mill", zh-Hant = "磨坊" }
inn = { en = "inn", zh-Hant = "旅店" }
tower = { en = "tower", zh-Hant = "高塔" }
pay = { en = "paying", zh-Hant = "支付" }
at = { en = "at", zh-Hant = "位置" }
"#;

const BUILD: &str = r#"
fn turn(seat) { choose_or_pass(seat, "build", || sites()); }
fn sites() {
    let open = each_of(#{ house: ["mill", "inn"], pay: [1, 2, 3, 4], at: [1, 2, 3, 4] });
    open + each_of(#{ house: ["tower"], pay: [4], at: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] })
}
fn score(seat) { 0 }
"#;

fn at_the_site(name: &str, input: &str, more: &[&str]) -> (String, String) {
    let place = Folder::new(name);
    place.write("game.toml", SITE);
    place.write("rules/build.rhai", BUILD);
    let (game, file) = (place.path(), place.path_of("kept.play"));
    let arguments = ["play", game, "--players", "1", "--seed", "1", "--save", &file];
    let said = run_with_input(ROOT, &[&arguments[..], more].concat(), input);
    assert_eq!(said.code, 0, "{}", said.err);
    (said.out, place.read("kept.play"))
}

#[test]
fn large_option_lists_are_chosen_part_by_part() {
    let (out, kept) = at_the_site("parts", "c\nback\na\n\nb\n18\nquit\n", &[]);
    let asked = "What do you build?\n  46 options, part by part";
    assert!(out.contains(asked), "{out}");
    let all = "\n   a  house mill (16)\n   b  house inn (16)\n   c  house tower (13)\n  46  pass\n";
    assert_eq!(out.matches(all).count(), 2, "the way back leads to it: {out}");
    let tower = "  house tower: 13 options; `back` goes back\n  the same in all of them: paying 4\n  33  house tower, paying 4, at 1\n";
    assert!(out.contains(tower), "{out}");
    let mill = "  house mill: 16 options; `back` goes back\n  a  paying 1 (4)\n  b  paying 2 (4)\n  c  paying 3 (4)\n";
    assert_eq!(out.matches(mill).count(), 2, "Enter alone lists it again: {out}");
    let paid = "  house mill, paying 2: 4 options; `back` goes back\n   2  house mill, paying 2, at 1\n  10  ";
    assert!(out.contains(paid), "{out}");
    assert!(kept.contains("Ann: build house=mill pay=2 at=3"), "{kept}");
}

#[test]
fn a_choice_by_parts_also_accepts_the_whole_option() {
    for whole in ["31", "house=inn pay=3 at=4", "house inn, paying 3, at 4", "inn pay=3 at=4", "inn\n31"] {
        let (_, kept) = at_the_site("whole", &format!("{whole}\nquit\n"), &[]);
        assert!(kept.contains("Ann: build house=inn pay=3 at=4"), "{whole}: {kept}");
    }
    let (out, kept) = at_the_site("words", "at=3\nundo\nat=3\ninn\npay=3\nquit\n", &[]);
    assert_eq!(out.matches("\n  at=3: 9 options; `back` goes back\n").count(), 2, "{out}");
    assert!(out.contains("\n  at=3, inn: 4 options"), "{out}");
    assert!(kept.contains("Ann: build house=inn pay=3 at=3"), "{kept}");
}

#[test]
fn choosing_by_parts_is_available_in_chinese() {
    let (out, kept) = at_the_site("parts-zh", "c\nback\n旅店\nd\nundo\n31\nquit\n", &["--lang", "zh-Hant"]);
    assert!(out.contains("建造什麼？\n  共 46 個選項，逐項詢問"), "{out}");
    assert!(out.contains("\n   a  房屋 磨坊（16）\n"), "{out}");
    let tower = "  房屋 高塔：13 個選項；輸入 `back` 回到上一項\n  這些選項都是：支付 4\n";
    assert!(out.contains(tower), "{out}");
    assert!(out.contains("\n  旅店：16 個選項") && out.contains("支付 4：4 個選項"), "{out}");
    assert!(kept.contains("Ann: build house=inn pay=3 at=4"), "a number is one of the whole list: {kept}");
}

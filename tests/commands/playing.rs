//! `parlour play` and `parlour arena` as a person uses them.

use crate::folder::Folder;
use crate::program::{ROOT, RunOutput, command};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

/// Runs the program with the given standard input. Joins wrapped lines of its output.
fn run_with_input(folder: impl AsRef<Path>, arguments: &[&str], input: impl AsRef<[u8]>) -> RunOutput {
    let said = crate::program::run_with_input(folder, arguments, input);
    RunOutput { out: unbroken(&said.out), ..said }
}

/// Joins lines that were wrapped.
fn unbroken(text: &str) -> String {
    let mut whole = String::new();
    for line in text.split('\n') {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let before = whole.rsplit('\n').next().unwrap_or_default().chars().count();
        if matches!(indent, 6 | 8) && before > 60 {
            whole.extend([" ", line.trim_start()]);
        } else {
            whole.extend(["\n", line]);
        }
    }
    whole.remove(0);
    whole
}

const BOARD: &str = "examples/games/tic-tac-toe";

#[test]
fn a_whole_game_can_be_played_through_a_pipe() {
    let said = run_with_input(ROOT, &["play", BOARD, "--agents", "human,first", "--seed", "1"], "1\n".repeat(9));
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("Where does your mark go?"), "{}", said.out);
    assert!(said.out.contains("Ending: Three in a line"), "{}", said.out);
    assert!(!said.out.contains('\u{1b}'), "plain when piped");
}

#[test]
fn tile_maps_are_drawn_and_tiles_in_hand_show_their_print() {
    let folder = Folder::new("map");
    let file = folder.path_of("kept.play");
    let arguments = [
        "play",
        "monga-alley",
        "--agents",
        "human,first",
        "--option",
        "first_player=1",
        "--seed",
        "1",
        "--save",
        &file,
    ];
    let said = run_with_input(ROOT, &arguments, "quit\n");
    assert!(said.out.contains("\n     0  T"), "rows are labeled as options write them: {}", said.out);
    assert!(said.out.contains("T = Longshan Temple; + = landmark, size 2; ! = heritage"), "{}", said.out);
    assert!(said.out.contains("Ben's Hand (2): 2 hidden"), "{}", said.out);
    let hand = said.out.lines().find(|line| line.contains("Ann's Initial tiles (5)")).unwrap();
    assert_eq!(hand.matches(" / ").count(), 5, "{hand}");
    // There are ten tiles, so each player has the five tiles that the other player lacks.
    let others = said.out.lines().find(|line| line.contains("Ben's Initial tiles (5)")).unwrap();
    assert_eq!(others.matches(" / ").count(), 5, "{others}");
}

#[test]
fn options_are_chosen_by_number_text_or_part() {
    let folder = Folder::new("options");
    let board = Path::new(ROOT).join(BOARD);
    let said = run_with_input(
        &folder,
        &["play", board.to_str().unwrap(), "--agents", "human,first", "--seed", "1"],
        "2,2\n[1\nlook\nboard[9,9]\nwhy board[9,9]\nquit\n",
    );
    let out = &said.out;
    assert!(out.contains("Ann marks Board (2,2)") || out.contains("(2,2)"), "{out}");
    assert!(out.contains("none of the") && out.contains("look at what?"), "{out}");
    assert!(out.contains("The rules say:") && out.contains("three in a line win"), "{out}");
    assert!(folder.at("tic_tac_toe-1.play").is_file());
}

#[test]
fn undo_works_and_quitting_saves_the_game() {
    let folder = Folder::new("undo");
    let file = folder.path_of("kept.play");
    let arguments = ["play", BOARD, "--agents", "human,first", "--seed", "1", "--save", &file];
    let said = run_with_input(ROOT, &arguments, "undo\n5\nundo\n9\nquit\n");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("There is nothing to take back."), "{}", said.out);
    let play = std::fs::read_to_string(&file).unwrap();
    assert!(play.contains("mark board[3,3]") && !play.contains("mark board[2,2]"), "{play}");
    let on = run_with_input(
        ROOT,
        &["play", BOARD, "--from", &file, "--agents", "human,first", "--save", &file],
        "board[2,2]\nquit\n",
    );
    assert_eq!(on.code, 0, "{}", on.err);
    let play = std::fs::read_to_string(&file).unwrap();
    assert!(play.contains("mark board[3,3]") && play.contains("mark board[2,2]"), "{play}");
    let again = run_with_input(ROOT, &["run", BOARD, "--seed", "1", "--agents", &format!("playscript:{}", &file)], "");
    assert!(again.err.contains("has no further answer for"), "{}", again.err);
}

#[test]
fn undoing_a_revealing_choice_needs_consent_of_the_other_players() {
    let folder = Folder::new("undo-seen");
    let file = folder.path_of("kept.play");
    let agents = ["--agents", "human,human", "--names", "Ann,Ben", "--seed", "3", "--save", &file];
    let arguments = [&["play", "examples/games/little-tricks"][..], &agents].concat();
    // The first player plays a card, then asks to take it back. The other player refuses the first time, and agrees the second time.
    let asked = |answers: &str| run_with_input(ROOT, &arguments, format!("\n1\n\n1\n\nundo\n{answers}quit\n"));
    let refused = asked("no\n");
    assert!(refused.out.contains("asks to take back a choice, and what followed."), "{}", refused.out);
    assert!(refused.out.contains("does not agree: the choice stands."), "{}", refused.out);
    assert!(!std::fs::read_to_string(&file).unwrap().contains("redeal "));
    std::fs::remove_file(&file).unwrap();
    let agreed = asked("\n");
    assert!(agreed.out.contains("takes back a choice, and the others agree"), "{}", agreed.out);
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.contains("redeal ") && kept.contains(" agreed @ "), "{kept}");
    let again = run_with_input(ROOT, &["run", "--from", &file, "--agents", "random"], "");
    assert_eq!(again.code, 0, "{}", again.err);
}

#[test]
fn undone_choices_are_removed_from_the_save_file() {
    let folder = Folder::new("saved");
    let file = folder.path_of("kept.play");
    let arguments = ["play", BOARD, "--agents", "human,first", "--seed", "1", "--save", &file];
    let said = run_with_input(ROOT, &arguments, "5\nsave\nundo\nquit\n");
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(said.err.matches("The game is kept in").count(), 2, "{}", said.err);
    assert!(!std::fs::read_to_string(&file).unwrap().contains("mark board"));
}

#[test]
fn numeric_options_are_listed_without_option_numbers() {
    let folder = Folder::new("numbers");
    let file = folder.path_of("kept.play");
    let arguments = ["play", "wall-street-1920", "--players", "3", "--seed", "5", "--save", &file];
    let said = run_with_input(ROOT, &arguments, "1\nquit\n");
    assert!(said.out.contains("Where does your pawn begin?\n  0\n  1\n"), "{}", said.out);
    let play = std::fs::read_to_string(&file).unwrap();
    assert!(play.contains("Ann: pawn circle[1]"), "{play}");
}

#[test]
fn map_letters_keep_their_meaning_during_a_game() {
    let folder = Folder::new("letters");
    let file = folder.path_of("kept.play");
    let arguments = ["play", BOARD, "--agents", "human,human", "--seed", "1", "--save", &file];
    let said = run_with_input(ROOT, &arguments, "\n3,3\n\n1,1\n\nquit\n");
    assert!(said.out.contains("A Ann/mark, B Ben/mark") && !said.out.contains("A Ben/mark"), "{}", said.out);
}

/// If the program is interrupted while it waits for input, it saves the game.
#[cfg(unix)]
#[test]
fn interrupted_games_are_saved() {
    let folder = Folder::new("interrupted");
    let file = folder.path_of("kept.play");
    let arguments = ["play", BOARD, "--agents", "human,first", "--seed", "1", "--save", &file];
    let mut child = command(ROOT, &arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut typed = child.stdin.take().unwrap();
    typed.write_all(b"5\n").unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    for question in 0..2 {
        said.read_until(b'>', &mut Vec::new()).unwrap();
        assert!(child.try_wait().unwrap().is_none(), "it waits at question {question}");
    }
    crate::unix::interrupt(&child);
    child.wait().unwrap();
    let play = std::fs::read_to_string(&file).unwrap();
    assert!(play.contains("mark board[2,2]"), "{play}");
}

/// Creates a campaign of two games. In each of them, the first seat answers one question.
fn campaign(name: &str) -> Folder {
    let data = "[game]\nid = \"walks\"\nplayers = { min = 1, max = 1 }\n\
        [options.leg]\nvalues = [\"river\", \"city\"]\n[campaign]\noption = \"leg\"\ncarry = [\"steps\"]\n\
        [values.seat]\nsteps = 0\n[decisions.walk]\nask = \"How far?\"\n\
        [flow]\nround = [\"day\"]\nrounds = 1\n[phases.day]\nsteps = [{ each_seat = \"walk\" }]\n";
    let rules = "fn walk(seat) { seat.steps += choose_number(seat, \"walk\", 1, 3); }\nfn score(seat) { seat.steps }\n";
    let folder = Folder::new(name);
    folder.write("walks/game.toml", data);
    folder.write("walks/rules/play.rhai", rules);
    folder
}

#[test]
fn each_line_of_the_input_is_read_in_one_game_of_a_campaign() {
    let folder = campaign("lines");
    let arguments = ["play", "walks", "--seed", "1", "--agents", "human", "--save", "kept.play"];
    let said = run_with_input(folder.path(), &arguments, "1\n\n3\n");
    assert_eq!((said.code, said.err.matches("The game is kept in").count()), (0, 2), "{}{}", said.out, said.err);
    assert!(said.out.contains("Ann: How far?\n") && said.out.contains("Steps 1 → 4"), "{}", said.out);
}

/// Input without a pause does not keep the program from noticing an interruption.
#[cfg(unix)]
#[test]
fn an_interruption_is_noticed_while_lines_arrive() {
    let folder = campaign("endless");
    let arguments = ["play", "walks", "--seed", "1", "--agents", "first", "--save", "kept.play"];
    let mut child = command(folder.path(), &arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut typed = child.stdin.take().unwrap();
    // The input ends some time, so that a program that notices nothing ends as well.
    let typing = std::thread::spawn(move || (0..300_000).try_for_each(|_| typed.write_all(b"next\n")));
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap().contains("Only Enter goes on")));
    crate::unix::interrupt(&child);
    said.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    typing.join().unwrap().unwrap_err();
}

#[test]
fn only_the_file_of_the_resumed_game_is_overwritten() {
    let folder = Folder::new("place");
    let file = folder.path_of("kept.play");
    std::fs::write(&file, "notes\n").unwrap();
    let said = run_with_input(ROOT, &["play", BOARD, "--seed", "1", "--save", &file], "5\nquit\n");
    assert!(said.code == 2 && said.err.contains("already exists"), "{}", said.err);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "notes\n");
    std::fs::remove_file(&file).unwrap();
    let agents = ["--agents", "human,first"];
    let begun = ["play", BOARD, "--seed", "1", "--save", &file];
    let said = run_with_input(ROOT, &[&begun[..], &agents].concat(), "5\nquit\n");
    let command = said.err.lines().find_map(|line| line.split("go on with: parlour ").nth(1)).unwrap();
    let on: Vec<&str> = command.split(' ').chain(agents).collect();
    let said = run_with_input(ROOT, &on, "undo\nboard[3,3]\nquit\n");
    assert!(said.out.contains("since the game was taken up again"), "{}{}", said.out, said.err);
    let play = std::fs::read_to_string(&file).unwrap();
    assert!(play.contains("mark board[2,2]") && play.contains("mark board[3,3]"), "it goes back to its file: {play}");
}

#[test]
fn players_sharing_a_screen_do_not_see_simultaneous_answers() {
    let arguments = ["play", "examples/games/goofspiel", "--agents", "human,human", "--seed", "3"];
    let folder = Folder::new("seats");
    let file = folder.path_of("kept.play");
    let arguments = [&arguments[..], &["--save", &file]].concat();
    let said = run_with_input(ROOT, &arguments, "\n1\n\nquit\n");
    let turns: Vec<&str> = said.out.split("it is your turn").collect();
    assert_eq!(turns.len(), 3, "{}", said.out);
    assert!(!turns[2].contains("Ann bids"), "an answer given at the same time is not told: {}", turns[2]);
}

#[test]
fn play_is_available_in_chinese() {
    let folder = Folder::new("chinese");
    let file = folder.path_of("kept.play");
    let arguments = ["play", "stockpile", "--lang", "zh-Hant", "--seed", "2", "--save", &file];
    let said = run_with_input(ROOT, &arguments, "?\nwhy 99\nquit\n");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("為什麼不能這樣選") && said.out.contains("手牌"), "{}", said.out);
}

#[test]
fn an_arena_ends_when_the_ranking_is_clear() {
    let arguments =
        ["arena", "examples/games/connect-four", "--agents", "search:60,random", "--games", "400", "--seed", "1"];
    let said = run_with_input(ROOT, &arguments, "");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("the order is clear"), "{}", said.out);
    let first = said.out.lines().find(|line| line.trim_start().starts_with("1 ")).unwrap();
    assert!(first.contains("search:60"), "{}", said.out);
}

#[test]
fn arena_prints_json_and_needs_an_agent_for_every_seat() {
    let arguments =
        ["arena", BOARD, "--agents", "random,first", "--games", "8", "--seed", "1", "--all", "--format", "json"];
    let said = run_with_input(ROOT, &arguments, "");
    let document: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(document["games"], 8);
    assert_eq!(document["agents"].as_array().unwrap().len(), 2);
    let said = run_with_input(ROOT, &["arena", "stockpile", "--agents", "random,first", "--players", "4"], "");
    assert_eq!((said.code, said.err.contains("name one for each seat")), (2, true), "{}", said.err);
}

#[test]
fn arena_explains_games_left_out_for_seat_rotation() {
    let of = |games: &str| {
        let agents = ["--agents", "random,first,random", "--players", "3", "--seed", "1", "--all"];
        run_with_input(ROOT, &[&["arena", "stockpile", "--games", games], &agents[..]].concat(), "").out
    };
    let why = "6 games, not 7: seats rotate, so that 3 games make a block in which everybody sits once on every seat; 7 is no \
               multiple of 3";
    assert!(of("7").contains(why), "{}", of("7"));
    assert!(!of("6").contains("seats rotate"));
}

#[test]
fn failing_agents_are_reported_with_a_command_to_reproduce() {
    let said = run_with_input(
        ROOT,
        &["arena", BOARD, "--agents", "cmd:no-such-program,random", "--games", "2", "--seed", "1"],
        "",
    );
    assert_eq!(said.code, 1);
    assert!(said.err.contains("does not start") && said.err.contains("reproduce: parlour run"), "{}", said.err);
    let said = run_with_input(ROOT, &["run", "stockpile", "--agents", "tradr"], "");
    assert!(said.err.contains("did you mean `trader`?"), "{}", said.err);
    let said = run_with_input(ROOT, &["run", "stockpile", "--agents", "human"], "");
    assert!(said.err.contains("parlour play"), "{}", said.err);
}

#[test]
fn changed_values_of_pieces_are_displayed() {
    let recorded = std::fs::read_to_string("games/revolution-1828/plays/recorded_clean_hands.play").unwrap();
    let fallen = recorded.split_inclusive('\n').scan(false, |is_past, line| {
        let goes_on = !*is_past;
        *is_past |= line.contains("upright=no");
        goes_on.then_some(line)
    });
    let folder = Folder::new("fallen");
    let file = folder.path_of("kept.play");
    std::fs::write(&file, fallen.collect::<String>()).unwrap();
    let said = run_with_input(ROOT, &["play", "--from", &file, "--save", &file], "quit\n");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("middle (1): purple elector of South Central (upright no)"), "{}", said.out);
}

#[test]
fn the_table_header_shows_round_first_player_and_phase() {
    let folder = Folder::new("head");
    let [file, other] = ["kept.play", "other.play"].map(|name| folder.path_of(name));
    let arguments = ["play", "stockpile", "--players", "2", "--seed", "5", "--save"];
    let said = run_with_input(ROOT, &[&arguments[..], &[&file]].concat(), "quit\n");
    assert!(said.out.contains("\n\n  Round 1 · Ben begins · Supply · "), "{}", said.out);
    let said = run_with_input(ROOT, &[&arguments[..], &[&other, "--lang", "zh-Hant"]].concat(), "quit\n");
    assert!(said.out.contains("\n\n  第 1 回合 · Ben先行 · 供應階段"), "{}", said.out);
    assert!(said.out.contains("\n    抽籤決定由Ben先行\n"), "{}", said.out);
}

#[test]
fn a_randomly_drawn_first_player_is_logged_as_random() {
    let begun = |more: &[&str]| {
        run_with_input(ROOT, &[&["run", "revolution-1828", "--agents", "first", "--seed", "3"], more].concat(), "").out
    };
    let (drawn, named) = (begun(&[]), begun(&["--option", "first_player=2"]));
    assert!(
        drawn.contains("\n    Ben goes first, drawn at random\n") && drawn.contains("\nRound 1 · Ben begins\n"),
        "{drawn}"
    );
    assert!(!named.contains("at random") && named.contains("\nRound 1 · Ben begins\n"), "{named}");
}

#[test]
fn values_of_components_that_are_not_in_play_are_not_displayed() {
    let table = |option: &str| {
        let (option, folder) = (format!("tycoons={option}"), Folder::new("faces"));
        let file = folder.path_of("kept.play");
        let arguments = ["play", "wall-street-1920", "--players", "3", "--seed", "1", "--option", &option];
        run_with_input(ROOT, &[&arguments[..], &["--save", &file]].concat(), "quit\n").out
    };
    assert!(table("on").contains("face: Tycoon card A reward"), "{}", table("on"));
    assert!(table("off").contains("price: corn 3, cotton 4, steel 5, oil 6"), "{}", table("off"));
    assert!(!table("off").contains("Tycoon card A") && table("off").contains("trend: green"), "{}", table("off"));
}

#[test]
fn items_with_shown_false_are_not_displayed_at_the_table() {
    let folder = Folder::new("bookkeeping");
    let game = r#"
[game]
id = "own"
players = { min = 2, max = 2 }
[zones.ledger]
shape = "pile"
starts_with = ["card"]
shown = false
[zones.desk]
shape = "pile"
starts_with = ["token"]
[values.game]
deals = { start = 7, shown = false }
weather = { words = ["dry", "wet"] }
[values.seat]
debts = { start = 3, shown = false }
coins = 5
[decisions.act]
ask = "What now?"
[flow]
round = ["play"]
rounds = 1
[phases.play]
steps = [{ each_seat = "act" }]
"#;
    let rules = "fn act(seat) {\n    choose(seat, \"act\", [\"work\", \"rest\"]);\n    game.deals += ledger.count() + desk.count();\n    \
                 if game.weather == \"dry\" { seat.debts += 1; seat.coins += 1; game.weather = \"wet\"; }\n}\n\
                 fn score(seat) { seat.coins - seat.debts + game.deals }\n";
    folder.write("own/game.toml", game);
    folder.write("own/components/own.toml", "[[card]]\nid = \"ledger_card\"\n[[token]]\nid = \"stone\"\n");
    folder.write("own/rules/play.rhai", rules);
    let table = run_with_input(folder.path(), &["play", "own", "--save", "kept.play"], "quit\n").out;
    assert!(table.contains("Desk (1): Stone") && table.contains("player  Coins"), "{table}");
    for hidden in ["Ledger", "Deals", "Debts"] {
        assert!(!table.contains(hidden), "{hidden}: {table}");
    }
    let listed = run_with_input(folder.path(), &["info", "own"], "").out;
    assert_eq!(listed.matches("left out").count(), 3, "{listed}");
    std::fs::remove_file(folder.at("kept.play")).unwrap();
    folder.write("own/game.toml", game.replace(", shown = false", "").replace("shown = false\n", ""));
    let table = run_with_input(folder.path(), &["play", "own", "--save", "kept.play"], "quit\n").out;
    for told in ["Ledger (1): Ledger card", "Deals: 7", "Debts"] {
        assert!(table.contains(told), "{told}: {table}");
    }
}

#[test]
fn look_prints_the_fields_of_a_card() {
    let folder = Folder::new("look");
    let file = folder.path_of("kept.play");
    let arguments = ["play", "wall-street-1920", "--players", "3", "--seed", "1", "--save", &file];
    let said = run_with_input(ROOT, &arguments, "?\nlook CORN\nlook steel rising\nlook nobody\nquit\n");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("look NAME"), "{}", said.out);
    assert!(said.out.contains("Corn (Stock card × 5): counts as corn; shares 1; cost 1; dynamite 1"), "{}", said.out);
    assert!(said.out.contains("Steel rising (Stock card × 2): counts as steel; shares 1; price moves steel 1; cost 4"));
    assert!(said.out.contains("nothing in the box is called `nobody`"), "{}", said.out);
    std::fs::remove_file(&file).unwrap();
    let said = run_with_input(
        ROOT,
        &[&arguments[..], &["--lang", "zh-Hant"]].concat(),
        "?\nlook 炸藥\nlook 玉米股票卡\nquit\n",
    );
    assert!(said.out.contains("look 名稱") && said.out.contains("費用 1；炸藥 1"), "{}", said.out);
}

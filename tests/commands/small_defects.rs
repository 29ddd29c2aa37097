//! Small guarantees of commands that do not fit into any other file: texts that are printed only once, files that are kept beside others,
//! skipped files, and labels on maps.

use crate::folder::Folder;
use crate::program::{new_game_folder, parlour, run_ok, run_with_input};

/// Writes a game with a hex map and with pieces that have a value. The first printed field is empty on most spaces.
fn with_map(folder: &Folder) {
    folder.write(
        "map/game.toml",
        r#"[game]
id = "map"
players = { min = 2, max = 2 }
[zones.land]
shape = "hex"
columns = 6
rows = 5
outline = "rectangle"
accepts = ["man"]
[zones.land.printed]
ground = [". . . . . .", " . wood . . . .", ". . . . . .", " . . . . . .", ". . . hill . ."]
side = ["l l l r r r", " l l l r r r", "l l l r r r", " l l l r r r", "l l l r r r"]
[zones.camp]
per = "seat"
shape = "hand"
starts_with = ["man"]
seen_by = "everybody"
[values.piece]
figures = { start = 4, min = 0, on = ["land"] }
[decisions.put]
ask = "Where?"
tell = "{seat} goes to {choice}"
[flow]
round = ["p"]
rounds = 2
[phases.p]
steps = [{ each_seat = "enter" }]
"#,
    );
    folder.write("map/components/men.toml", "[[man]]\nid = \"man\"\neach = \"seat\"\ncount = 3\n");
    folder.write(
        "map/rules/play.rhai",
        "fn enter(seat) {\n    let to = choose(seat, \"put\", land.empty);\n    let man = seat.camp.top;\n    man.move_to(to);\n    man.figures = 3;\n}\nfn score(seat) { 0 }\n",
    );
}

#[test]
fn maps_show_all_spaces_printed_fields_and_piece_values() {
    let folder = Folder::new("map");
    with_map(&folder);
    let said = run_with_input(&folder, &["play", "map", "--seed", "2", "--agents", "human,first"], "1\n1\n");
    let table = said.out.split("Where?").next().unwrap();
    assert_eq!(table.matches("  l  ").count() / 2, 14, "each space on the left that is not wood: {table}");
    assert!(table.contains("wood l") && table.contains("hill r"), "{table}");
    let later = said.out.rsplit("Where?").nth(1).unwrap();
    assert!(later.contains("Figures 3"), "{later}");
    assert!(later.contains("'s turn"), "the table says whose turn it is: {later}");
}

#[test]
fn simulating_with_random_agents_suggests_the_games_own_agents() {
    let folder = Folder::new("at-random");
    let told = parlour(&folder, &["simulate", "stockpile", "--games", "4", "--seed", "1"]);
    let remark = "run `parlour simulate stockpile --agents ";
    assert_eq!(told.err.matches(remark).count(), 1, "{}", told.err);
    let agent = told.err.split(remark).nth(1).unwrap().split('`').next().unwrap();
    let told = parlour(&folder, &["simulate", "stockpile", "--games", "4", "--seed", "1", "--agents", agent]);
    assert!(told.code == 0 && !told.err.contains("at random"), "{}", told.all());
    let small = new_game_folder("without-agents");
    let told = parlour(&small, &["simulate", "my-game", "--games", "4", "--seed", "1"]);
    let has_agents = small.at("my-game/agents").exists();
    assert_eq!(told.err.contains("play at random"), has_agents, "{}", told.err);
}

#[test]
fn a_target_of_zero_faults_is_never_undecided() {
    let folder = new_game_folder("no-faults");
    let text = folder.read("my-game/game.toml");
    let text = text.split("[targets]").next().unwrap().to_owned();
    folder.write("my-game/game.toml", text + "\n[targets]\nfaults = 0\n");
    let told = run_ok(&folder, &["simulate", "my-game", "--games", "20", "--seed", "1", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert!(document.to_string().contains("\"met\""), "{document}");
    assert!(!document.to_string().contains("\"open\""), "{document}");
}

#[test]
fn playscripts_of_unknown_games_are_skipped_unless_named() {
    let folder = new_game_folder("elsewhere");
    folder.write("runs/plays/first.play", "format 1\ngame another-game\nplayers Ann Ben\nseed 1\n");
    let told = run_ok(&folder, &["test", "."]);
    assert!(told.contains("passed, 0 failed") && !told.contains("0 passed"), "{told}");
    let told = parlour(&folder, &["test", "runs/plays/first.play"]);
    assert!(told.code == 1 && told.all().contains("unknown-game"), "{}", told.all());
}

#[test]
fn json_and_recordings_write_choices_the_same_way() {
    let folder = Folder::new("json");
    folder.write(
        "game/game.toml",
        "[game]\nid = \"piles\"\nplayers = { min = 1, max = 1 }\n\
         [zones.heap]\nshape = \"pile\"\nstarts_with = [\"card\"]\n[zones.store]\nshape = \"pile\"\n\
         [decisions.take]\nask = \"Which?\"\n[flow]\nsetup = [\"part\"]\nround = [\"play\"]\nrounds = 1\n\
         [phases.play]\nsteps = [{ each_seat = \"turn\" }]\n",
    );
    folder.write("game/components/cards.toml", "[[card]]\nid = \"ace\"\ncount = 2\n[[card]]\nid = \"king\"\n");
    folder.write(
        "game/rules/play.rhai",
        "fn part() { heap.find(\"component\", component(\"ace\")).move_to(store); }\n\
         fn turn(seat) { choose(seat, \"take\", heap.pieces + store.pieces).move_to(box); }\nfn score(seat) { 0 }\n",
    );
    let (mut seen, mut recorded) = (String::new(), String::new());
    for seed in 0..12 {
        let seed = seed.to_string();
        seen += &run_ok(&folder, &["run", "game", "--seed", &seed, "--format", "json"]);
        recorded += &run_ok(&folder, &["run", "game", "--seed", &seed, "--record", &format!("{seed}.play")]);
        recorded += &folder.read(&format!("{seed}.play"));
    }
    for place in ["ace@heap", "ace@store"] {
        assert!(recorded.contains(&format!("take {place}")), "{recorded}");
        assert!(seen.contains(&format!("\"{place}\"")), "{seen}");
    }
}

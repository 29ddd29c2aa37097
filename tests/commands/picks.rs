//! Answers that pick several items, some without a question because only one choice is left. Such answers are recorded, replayed and used
//! in scenes.

use crate::folder::Folder;
use crate::program::{parlour, run_ok};

const GAME: &str = r#"
[game]
id = "picks"
players = { min = 2, max = 2 }
[zones.hand]
per = "seat"
shape = "hand"
seen_by = "everybody"
starts_with = ["card"]
[zones.kept]
per = "seat"
shape = "hand"
[zones.cup]
per = "seat"
shape = "hand"
seen_by = "everybody"
starts_with = ["die"]
[values.seat]
coins = 0
[decisions.keep]
ask = "Which do you keep?"
[decisions.order]
ask = "In which order?"
[decisions.lock]
ask = "Which die?"
tell = "{seat} locks {choice}"
[decisions.bet]
ask = "On which die?"
parts = { die = "die", coins = "number" }
[flow]
round = ["play"]
rounds = 2
[phases.play]
steps = [{ each_seat = "turn" }]
"#;

const BOX: &str = r#"
[[card]]
id = "a"
count = 2
each = "seat"
[[card]]
id = "b"
each = "seat"
[[coin]]
id = "c"
count = 4
[[die]]
id = "token"
faces = [0, 0, 5]
count = 3
each = "seat"
[[die]]
id = "sky"
faces = ["sun", "rain"]
each = "seat"
"#;

/// Creates a game in which a player keeps `least` to `most` of three cards, of which two are alike.
pub(crate) fn picks(name: &str, least: u32, most: u32) -> Folder {
    let folder = Folder::new(name);
    std::fs::create_dir_all(folder.at("picks/plays")).unwrap();
    folder.write("picks/game.toml", GAME);
    folder.write("picks/components/box.toml", BOX);
    let rules = format!(
        r#"
fn turn(seat) {{
    if round == 2 {{ return dice(seat); }}
    choose_some(seat, "keep", || seat.hand.pieces, {least}, {most}).move_to(seat.kept);
    tally("ordered", choose_order(seat, "order", seat.kept).count());
}}
fn dice(seat) {{
    for die in seat.cup.pieces {{ die.roll(); }}
    choose(seat, "lock", seat.cup);
    let bet = choose(seat, "bet", each_of(#{{ die: seat.cup.where("component", component("sky")), coins: [1, 2] }}));
    seat.coins = bet.coins;
}}
fn score(seat) {{ seat.kept.count() }}
"#
    );
    folder.write("picks/rules/play.rhai", &rules);
    folder
}

#[test]
fn forced_picks_are_recorded_and_replayed() {
    for (least, most) in [(0, 3), (1, 2), (2, 2), (2, 3), (3, 3)] {
        let folder = picks(&format!("picks_recorded_{least}_{most}"), least, most);
        for seed in 1..=8 {
            let (seed, file) = (seed.to_string(), format!("picks/plays/{seed}.play"));
            run_ok(&folder, &["run", "picks", "--players", "2", "--seed", &seed, "--record", &file]);
        }
        assert_eq!(run_ok(&folder, &["test", "picks"]), "8 passed, 0 failed\n", "{least} to {most}");
    }
}

/// Runs scenes of the game in which exactly two cards are kept. Returns the output: as `Ok` if all scenes pass, otherwise as `Err`.
fn scenes(name: &str, lines: &str) -> Result<String, String> {
    let folder = picks(name, 2, 2);
    let head = "format 1\ngame picks\nplayers Ann Ben\nseed 1\n";
    folder.write("picks/plays/all.play", format!("{head}scene \"all\" {{\n{lines}\n}}\n"));
    let said = parlour(&folder, &["test", "picks"]);
    if said.code == 0 { Ok(said.out) } else { Err(said.all()) }
}

#[test]
fn playscripts_may_omit_forced_picks() {
    for answer in ["Ann.a + Ann.a", "Ann.b + Ann.a", "Ann.a + Ann.b"] {
        let count = if answer.contains('b') { 1 } else { 2 };
        let lines = format!(
            "allows Ann: keep {answer}\nAnn: keep {answer}\nexpect Ann.kept.pieces.where(\"component\", component(\"a\")).count() == {count}"
        );
        scenes(&format!("picks_whole_{}", answer.replace([' ', '+', '.'], "")), &lines).unwrap();
    }
    scenes("picks_left_out", "Ann: keep Ann.b\nexpect Ann.kept.count() == 2").unwrap();
}

#[test]
fn rejecting_a_valid_pick_is_a_failure() {
    let found = scenes("picks_rejected", "reject Ann: keep Ann.a + Ann.a").unwrap_err();
    assert!(found.contains("`Ann.a + Ann.a` is offered"), "{found}");
    let found = scenes("picks_order", "Ann: keep Ann.a + Ann.b\nreject Ann: order Ann.b + Ann.a").unwrap_err();
    assert!(found.contains("`Ann.b + Ann.a` is offered"), "{found}");
    scenes("picks_too_many", "reject Ann: keep Ann.a + Ann.a + Ann.b\nreject Ann: keep Ann.b + Ann.b").unwrap();
    let found = scenes("picks_one_too_many", "Ann: keep Ann.a + Ann.a + Ann.b").unwrap_err();
    assert!(found.contains("no further choice is asked for") && found.contains("is picked by then"), "{found}");
}

#[test]
fn forced_picks_may_be_named_and_done_ends_the_picks() {
    let alike = |lines: &str| {
        format!("arrange {{ clear(Ann.hand); put(\"c\", 3, Ann.hand); }}\n{lines}\nexpect Ann.kept.count() == 2")
    };
    for (name, lines) in [("one", "Ann: keep c"), ("both", "Ann: keep c + c"), ("all", "Ann: keep c + c + done")] {
        let folder = picks(&format!("picks_alike_{name}"), 2, 3);
        let head = "format 1\ngame picks\nplayers Ann Ben\nseed 1\n";
        folder.write("picks/plays/all.play", format!("{head}scene \"all\" {{\n{}\n}}\n", alike(lines)));
        let said = parlour(&folder, &["test", "picks"]);
        assert_eq!(said.code, 0, "{lines}: {}", said.all());
    }
    let folder = picks("picks_done", 2, 3);
    let scene = alike("reject Ann: keep c + done\nreject Ann: keep c + c + c + c\nAnn: keep c + c");
    folder.write(
        "picks/plays/all.play",
        format!("format 1\ngame picks\nplayers Ann Ben\nscene \"all\" {{\n{scene}\n}}\n"),
    );
    let said = parlour(&folder, &["test", "picks"]);
    assert_eq!(said.code, 0, "{}", said.all());
}

#[test]
fn dice_are_fixed_and_named_by_their_faces() {
    let lines = "start at play round 2\nroll token 0 5 0\nroll sky rain\noffers Ann: lock 3\nAnn: lock 0\n\
                 reject Ann: bet die=sun coins=2\nAnn: bet die=rain coins=2\nexpect Ann.coins == 2";
    scenes("picks_dice", lines).unwrap();
    let found = scenes("picks_no_face", "start at play round 2\nroll sky snow").unwrap_err();
    assert!(found.contains("no-faces") && found.contains("the die has no face `snow`"), "{found}");
}

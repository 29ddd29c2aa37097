//! The first screen of a report names a planted fault, and none where there is none.

use crate::dice::{GAME, RULES, parlour, with_dice};

/// The first screen of a report on 400 games of the dice game with a change.
fn first_screen(name: &str, changes: &[(&str, &str)], more: &str) -> String {
    let folder = with_dice(name);
    let (mut game, mut rules) = (GAME.to_owned(), RULES.to_owned());
    for (old, new) in changes {
        assert!(game.contains(old) || rules.contains(old), "`{old}` is there");
        (game, rules) = (game.replace(old, new), rules.replace(old, new));
    }
    folder.write("dice/game.toml", game);
    folder.write("dice/rules/play.rhai", rules);
    folder.write("dice/agents/reds.rhai", "fn rate_cheer(seat, color) { if color == \"red\" { 2 } else { 1 } }\n");
    let (code, _, told) = parlour(&folder, &format!("simulate dice --players 2 --games 400 --seed 3 --out run{more}"));
    assert!(code < 2, "{told}");
    let page = folder.read("run/report.html");
    page.split("<div class=\"first\">").nth(1).unwrap().split("<details").next().unwrap().to_owned()
}

#[test]
fn a_game_without_a_fault_has_no_warning() {
    let screen = first_screen("sound", &[], " --agents reds,random");
    assert!(screen.contains("2 players · 400 games · reds, random"), "{screen}");
    assert!(screen.contains("Seats look fair") && screen.contains("A game takes 3 rounds"), "{screen}");
    assert!(!screen.contains("class=\"finding\"") && !screen.contains("class=\"wrong\""), "{screen}");
}

#[test]
fn planted_faults_are_named_on_the_first_screen() {
    let lost = [
        ("thrown = \"Every die is thrown\"", "thrown = { name = \"Lost\", winners = \"nobody\" }"),
        ("never = \"This never happens\"", "never = { name = \"Won\", winners = \"everybody\" }"),
    ];
    let planted: [(&str, &[(&str, &str)], &str, &str); 7] = [
        ("gift", &[("gift = 0", "gift = 6")], "", "Seat 1 wins too often"),
        ("burden", &[("gift = 0", "gift = -6")], "", "Seat 2 wins too often"),
        ("hard", &lost, "", "Very hard: the game is won in only 0 %"),
        ("unchosen", &[], " --agents first", "2 options were never chosen: green, red."),
        (
            "runaway",
            &[("seat.points += thrown;", "seat.points += thrown * thrown * if round == 1 { 99 } else { 1 };")],
            "",
            "Runaway leader",
        ),
        (
            "dragging",
            &[(
                "let color =",
                "if roll(12) == 1 { for _again in 0..60 { choose(seat, \"cheer\", [\"blue\", \"red\"]); } }\n    let color =",
            )],
            "",
            "Some games drag on",
        ),
        ("failing", &[("tally(\"red\", 1);", "seat.points = 1 / (color.len() - 3);")], "", "400 games failed"),
    ];
    for (name, changes, more, told) in planted {
        let screen = first_screen(name, changes, more);
        assert!(screen.contains(told), "{name}: {screen}");
        assert!(screen.contains("class=\"finding\"") || screen.contains("class=\"wrong\""), "{name}: {screen}");
    }
}

#[test]
fn a_game_with_agents_of_its_own_is_not_judged_by_random_play_alone() {
    let screen = first_screen("random", &[], "");
    assert!(screen.contains("All seats chose at random. For a better test: <code>--agents reds</code>."), "{screen}");
}

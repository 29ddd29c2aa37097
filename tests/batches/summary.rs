//! The first screen of a report or comparison lists planted faults and differences, and nothing else.

use crate::dice_game::{GAME, RULES, parlour, with_dice};

/// Returns the verdicts on the first screen of [`report`].
fn first_screen(name: &str, changes: &[(&str, &str)], more: &str) -> String {
    verdicts_of(&report(name, changes, more))
}

/// Returns the verdicts on the first screen of a page.
fn verdicts_of(page: &str) -> String {
    page.split("<div class=\"first\">").nth(1).unwrap().split("<details").next().unwrap().to_owned()
}

/// Returns the report page for 400 games of the dice game. `changes` lists replacements in its files; `more` is appended to the command.
fn report(name: &str, changes: &[(&str, &str)], more: &str) -> String {
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
    folder.read("run/report.html")
}

#[test]
fn a_game_without_a_fault_has_no_warning() {
    let page = report("sound", &[], " --agents reds,random");
    let screen = verdicts_of(&page);
    assert!(screen.contains("2 players · 400 games · reds, random"), "{screen}");
    assert!(screen.contains("Nothing stands out in these games."), "{screen}");
    assert!(screen.contains("Seats look fair") && screen.contains("A game takes 3 rounds"), "{screen}");
    for name in ["fair: 50 %", "by chance: 50 %", "mean: "] {
        assert!(page.contains(&format!(">{name}")), "a dashed line has the name {name}");
    }
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
        ("unchosen", &[], " --agents first", "2 options were never chosen: green ("),
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

/// Returns the first screen of a report on a dice game in which players choose charms. `charms` is the expression for the options.
fn first_screen_with_charms(name: &str, charms: &str, agents: &str) -> String {
    let folder = with_dice(name);
    folder.write(
        "dice/game.toml",
        GAME.replace("[flow]", "[decisions.boo]\nask = \"Whom do you boo?\"\n\n[flow]")
            .replace("[options.luck]\nvalues = [\"fair\", \"loaded\"]", ""),
    );
    let old = "choose(seat, \"cheer\", [\"blue\", \"red\", \"green\"]);";
    assert!(RULES.contains(old), "{RULES}");
    let new = format!("\"red\";\n    choose_or_pass(seat, \"cheer\", {charms});");
    folder.write("dice/rules/play.rhai", RULES.replace(old, &new));
    let charm = |id: &str, cost: u8| format!("[[charm]]\nid = \"{id}\"\nname = \"{id}\"\ncost = {cost}\n");
    folder.write("dice/components/box.toml", [charm("fox", 1), charm("owl", 2), charm("toad", 9)].concat());
    folder.write(
        "dice/agents/foxes.rhai",
        "fn rate_cheer(seat, charm) { if charm == () { 0 } else { 10 - charm.cost } }\n",
    );
    let command = format!("simulate dice --players 2 --games 400 --seed 3 --out run --agents {agents}");
    let (code, _, told) = parlour(&folder, &command);
    assert!(code < 2, "{told}");
    verdicts_of(&folder.read("run/report.html"))
}

#[test]
fn a_component_that_no_decision_offers_is_named() {
    let screen = first_screen_with_charms("dead", "components(\"charm\").filter(|one| one.cost <= 3)", "random");
    assert!(screen.contains("The component “toad” looks dead: players can never choose it."), "{screen}");
    let screen = first_screen_with_charms("alive", "components(\"charm\")", "random");
    assert!(!screen.contains("looks dead"), "{screen}");
}

#[test]
fn a_component_that_nobody_wants_is_named_and_a_pass_is_not() {
    let screen = first_screen_with_charms("unwanted", "components(\"charm\")", "foxes");
    assert!(screen.contains("2 options were never chosen: owl (") && screen.contains(", toad ("), "{screen}");
    let screen = first_screen_with_charms("one", "[component(\"fox\")]", "foxes");
    assert!(!screen.contains("ever chosen") && screen.contains("Nothing stands out"), "{screen}");
}

#[test]
fn a_component_may_be_left_in_one_decision_if_it_is_taken_in_another() {
    let two = "components(\"charm\"));\n    choose(seat, \"boo\", [component(\"owl\"), component(\"toad\")]";
    let screen = first_screen_with_charms("elsewhere", two, "foxes");
    assert!(!screen.contains("ever chosen") && screen.contains("Nothing stands out"), "{screen}");
}

#[test]
fn a_report_on_random_play_suggests_the_games_own_agents() {
    let screen = first_screen("random", &[], "");
    assert!(screen.contains("All seats chose at random. For a better test: <code>--agents reds</code>."), "{screen}");
}

/// Returns the first screen of a comparison of the dice game with a changed copy.
fn compared_screen(name: &str, changes: &[(&str, &str)], more: &str) -> String {
    let folder = with_dice(name);
    let (mut game, mut rules) = (GAME.to_owned(), RULES.to_owned());
    for (old, new) in changes {
        assert!(game.contains(old) || rules.contains(old), "`{old}` is there");
        (game, rules) = (game.replace(old, new), rules.replace(old, new));
    }
    folder.write("changed/game.toml", game);
    folder.write("changed/rules/play.rhai", rules);
    let (code, _, told) =
        parlour(&folder, &format!("compare dice --b changed --players 2 --games 300 --seed 3 --out run{more}"));
    assert!(code < 2, "{told}");
    let page = folder.read("run/compare.html");
    page.split("<h2>").nth(1).unwrap().split("All measures").next().unwrap().to_owned()
}

#[test]
fn a_comparison_states_the_changes_and_their_effects() {
    let screen = compared_screen("gifted", &[("gift = 0", "gift = 6")], "");
    for text in ["2 players · 300 paired games", "gift <b>0 → 6</b>", "Seats are less balanced", "The mean score rises"]
    {
        assert!(screen.contains(text), "{text}: {screen}");
    }
    assert!(screen.contains("parlour run changed --players 2 --seed "), "the first pair can be played: {screen}");

    let rules = [("seat.points += thrown;", "seat.points += thrown + 1;")];
    let screen = compared_screen("raised", &rules, "");
    for text in ["play.rhai</code> 1 line added, 1 removed", "+ ", "The mean score rises"] {
        assert!(screen.contains(text), "{text}: {screen}");
    }
    assert!(!screen.contains("Seats are"), "both seats gain: {screen}");
}

#[test]
fn a_comparison_of_equal_games_shows_no_difference() {
    let screen = compared_screen("equal", &[], "");
    assert!(
        screen.contains("Nothing: both versions are the same.") && screen.contains("No difference was seen."),
        "{screen}"
    );
    assert!(!screen.contains("<tr class=\"clear\">"), "{screen}");
    let renamed = [("let color", "// A comment changes nothing.\n    let color")];
    let screen = compared_screen("commented", &renamed, "");
    assert!(screen.contains("1 line added, 0 removed") && screen.contains("No difference was seen."), "{screen}");
}

#[test]
fn a_comparison_of_a_cooperative_game_states_its_success() {
    let lost = [
        ("thrown = \"Every die is thrown\"", "thrown = { name = \"Lost\", winners = \"nobody\" }"),
        ("never = \"This never happens\"", "never = { name = \"Won\", winners = \"everybody\" }"),
    ];
    let folder = with_dice("crew");
    let replaced = |text: &str| lost.iter().fold(text.to_owned(), |text, (old, new)| text.replace(old, new));
    folder.write("dice/game.toml", replaced(GAME));
    folder.write("easy/game.toml", replaced(GAME));
    let win = "let color";
    folder.write(
        "easy/rules/play.rhai",
        RULES.replacen(win, "if thrown == 6 { end_game(\"never\"); }\n    let color", 1),
    );
    let (code, _, told) = parlour(&folder, "compare dice --b easy --players 2 --games 300 --seed 3 --out run");
    assert!(code < 2, "{told}");
    let page = folder.read("run/compare.html");
    assert!(page.contains("Success rises from 0 % to "), "{}", page.split("<h2>").nth(1).unwrap());
    assert!(!page.contains("Seats are"), "players who work together have no seats to compare");
}

/// Returns the first screen of a sweep of the dice game.
fn swept_screen(name: &str, vary: &str) -> String {
    let folder = with_dice(name);
    let (code, _, told) =
        parlour(&folder, &format!("sweep dice {vary} --players 2 --games 400 --seed 3 --agents first --out run"));
    assert!(code < 2, "{told}");
    let page = folder.read("run/sweep.html");
    page.split("<div class=\"first swept\">").nth(1).unwrap().split("<div class=\"tabbed\">").next().unwrap().to_owned()
}

#[test]
fn a_sweep_opens_with_its_curve_and_its_effects() {
    let screen = swept_screen("curve", "--vary params.gift=0..8/4");
    assert!(screen.contains("2 players · 3 settings · 400 games each · all seats: first"), "{screen}");
    assert!(screen.contains("Seat gap by gift") && screen.contains("nearest to the targets"), "{screen}");
    assert!(screen.contains("target: at most 20 %"), "the curve shows where the figure is wanted: {screen}");
    let effects = screen.split("Gift 0 → 8: ").nth(1).expect("the effects are stated");
    let (changed, same) = effects.split_once("; no clear change: ").unwrap();
    assert!(changed.contains("seat gap ") && changed.contains("score ") && !changed.contains("rounds"), "{changed}");
    assert!(same.starts_with("margin") || same.contains("rounds"), "{same}");
    let numbers = screen.split("data-numbers=\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(numbers.lines().next(), Some("setting,value,low,high,count"), "{numbers}");
    assert_eq!(numbers.lines().count(), 4, "{numbers}");
}

#[test]
fn a_sweep_without_an_effect_states_none() {
    let screen = swept_screen("idle", "--vary luck=fair,loaded");
    assert!(screen.contains("Luck fair → loaded: no figure clearly changes."), "{screen}");
    assert!(!screen.contains("class=\"finding\""), "{screen}");
}

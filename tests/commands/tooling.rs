//! Tools for designers besides playing: new games, checks by playing, `--watch`, spreadsheets, and descriptions for editors and shells.

use crate::folder::Folder;
use crate::program::{ROOT, assert_usage_error, command, parlour, run_ok};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Creates a game with `parlour new`, and replaces `from` with `to` in its rules.
fn with_game(name: &str, from: &str, to: &str) -> Folder {
    let folder = Folder::new(name);
    run_ok(&folder, &["new", "my-game"]);
    folder.change("my-game/rules/play.rhai", from, to);
    folder
}

// ----- parlour new

#[test]
fn new_games_pass_check_and_test_and_play_with_all_player_counts() {
    let folder = Folder::new("new");
    let told = run_ok(&folder, &["new", "games/my-game"]);
    assert!(told.contains("parlour run games/my-game") && told.contains("plays/rules.play"), "{told}");
    let checked = parlour(&folder, &["check", "games/my-game"]);
    assert_eq!(checked.err, "", "not even a warning");
    assert!(checked.out.contains("my-game: no mistakes found"), "{}", checked.out);
    let tested = run_ok(&folder, &["test", "games/my-game"]);
    assert!(tested.contains("passed, 0 failed") && !tested.contains("0 passed"), "{tested}");
    for players in ["2", "3", "4"] {
        let told = run_ok(&folder, &["run", "games/my-game", "-p", players, "-s", "1"]);
        assert!(told.contains("My Game"), "it has the new name: {told}");
    }
    let chinese = run_ok(&folder, &["run", "games/my-game", "-p", "2", "-s", "1", "--lang", "zh-Hant"]);
    assert!(chinese.contains("打出"), "{chinese}");
}

#[test]
fn games_are_copied_under_a_new_name_with_passing_playscripts() {
    let folder = Folder::new("from");
    for game in ["stockpile", "revolution-1828", "tic-tac-toe", "chess"] {
        let name = format!("my-{game}");
        run_ok(&folder, &["new", &name, "--from", game]);
        let tested = run_ok(&folder, &["test", &name]);
        assert!(tested.contains(", 0 failed"), "{tested}");
        assert!(folder.read(&format!("{name}/game.toml")).contains(&format!("id = \"{name}\"")));
    }
    run_ok(&folder, &["new", "another", "--from", "my-stockpile"]);
    assert!(run_ok(&folder, &["info", "another"]).contains("Stockpile"), "people call it as before");
    assert!(run_ok(&folder, &["test", "another"]).contains(", 0 failed"));
}

#[test]
fn new_lists_games_and_samples_that_can_be_copied() {
    let folder = Folder::new("samples");
    let told = run_ok(&folder, &["new", "--list"]);
    let (games, samples) = told.split_once("Samples").unwrap();
    assert!(games.contains("stockpile") && games.contains("2–5 players"), "{told}");
    for (parent, known) in [("games", games), ("examples/games", samples), ("examples/gallery", samples)] {
        for entry in std::fs::read_dir(parent).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(known.lines().any(|line| line.starts_with(&format!("  {name} "))), "{name}: {told}");
        }
    }
    assert!(run_ok(&folder, &["run", "tic-tac-toe", "--seed", "1"]).contains("Ending"));
    assert_usage_error(&folder, &["new", "other", "--from", "ches"], &["no game `ches`", "did you mean `chess`?"]);
    assert_usage_error(&folder, &["new"], &["NAME"]);
}

#[test]
fn new_never_overwrites_and_every_refusal_has_help() {
    let folder = Folder::new("refused");
    run_ok(&folder, &["new", "my-game"]);
    folder.write("my-game/game.toml", "mine");
    assert_usage_error(&folder, &["new", "my-game"], &["`my-game` is there already", "another name"]);
    assert_eq!(folder.read("my-game/game.toml"), "mine");
    assert_usage_error(&folder, &["new", "My Game"], &["cannot be called `My Game`", "as `my-game`"]);
    assert_usage_error(&folder, &["new", "x/../y"], &["`x/../y` contains `..` after another folder", "without `..`"]);
    assert_usage_error(&folder, &["new", "games/nul"], &["Windows keeps the name `nul` for itself", "`my-nul`"]);
    assert!(!folder.0.join("x").exists() && !folder.0.join("y").exists());
    assert_usage_error(
        &folder.0,
        &["new", "other", "--from", "stokpile"],
        &["no game `stokpile`", "did you mean `stockpile`?"],
    );
    run_ok(&folder, &["new", "good"]);
    assert_usage_error(&folder, &["new", "good/inner", "--from", "good"], &["inside the game it is copied from"]);
    assert!(!folder.0.join("other").exists() && !folder.0.join("good/inner").exists());
}

// ----- checks by playing

/// Returns the playscript that is printed below a diagnostic.
fn script(told: &str) -> String {
    let (_, rest) = told.split_once("the fault as a playscript").unwrap_or_else(|| panic!("{told}"));
    let lines = rest.lines().skip(1).skip_while(|line| line.is_empty());
    lines.take_while(|line| line.starts_with("    ")).flat_map(|line| [line.trim(), "\n"]).collect()
}

/// Returns the diagnostics of `parlour check`, and the output of testing the playscript that they contain.
fn shown(folder: &Folder) -> (String, String) {
    let checked = parlour(folder, &["check", "my-game"]);
    assert_eq!(checked.code, 1, "{}{}", checked.out, checked.err);
    let told = checked.err;
    folder.write("my-game/plays/found.play", script(&told));
    let tested = parlour(folder, &["test", "my-game/plays/found.play"]);
    assert_eq!(tested.code, 1, "{told}\n{}", tested.out);
    (told, tested.out)
}

/// Returns the number of choices in a playscript.
fn choices(told: &str) -> usize {
    script(told).lines().filter(|line| line.contains(": play ")).count()
}

#[test]
fn rule_faults_come_with_seed_and_shortest_playscript() {
    let to =
        "winner.points += trick_points; if winner.points > 3 { winner.points /= deck.count(\"color\", \"gold\"); }";
    let folder = with_game("fault", "winner.points += trick_points;", to);
    let (told, tested) = shown(&folder);
    assert!(told.contains("error[arithmetic]") && told.contains("--seed"), "{told}");
    assert!(told.contains("the shortest of"), "{told}");
    assert!(tested.contains("error[arithmetic]") && tested.contains("rules/play.rhai:24"), "{tested}");
    // Four points require four tricks, which have at most eight choices. Choices with only one option are not written.
    assert!((1..=8).contains(&choices(&told)), "{told}");
    // Without its last choice, the playscript does not show the fault.
    let script = script(&told);
    let shorter: Vec<&str> = script.lines().collect();
    let shorter = shorter[..shorter.len() - 1].join("\n") + "\n";
    folder.write("my-game/plays/found.play", shorter);
    let tested = parlour(&folder, &["test", "my-game/plays/found.play"]);
    assert!(!tested.out.contains("error[arithmetic]"), "{}", tested.out);
}

#[test]
fn broken_invariants_come_with_a_short_playscript() {
    let from = "seats.sum(|seat| seat.won.count()) % seats.count() == 0";
    let folder = with_game("invariant", from, "seats.sum(|seat| seat.won.count()) < 2 * seats.count()");
    let (told, tested) = shown(&folder);
    assert!(told.contains("error[broken-invariant]: `invariant_tricks_are_whole` does not hold"), "{told}");
    assert!(tested.contains("error[broken-invariant]"), "{tested}");
    assert!((1..=4).contains(&choices(&told)), "{told}");
}

#[test]
fn decisions_without_options_are_reported_with_a_playscript() {
    let folder = with_game("options", "if same.is_empty() { seat.hand.pieces } else { same }", "same");
    let (told, tested) = shown(&folder);
    assert!(told.contains("error[no-options]") && tested.contains("error[no-options]"), "{told}{tested}");
}

#[test]
fn endless_games_are_reproduced_by_random_play() {
    let to = "deck.pieces.where(\"color\", \"gold\").count() > 0";
    let folder = with_game("endless", "seats.first.hand.is_empty()\n", &format!("{to}\n"));
    folder.change("my-game/rules/play.rhai", "    set_first(winner);", "    set_first(winner);\n    deal_again();");
    let again = "\n/// Whoever is out of cards gets all the cards back.\nfn deal_again() {\n    if !first.hand.is_empty() { return; }\n    for seat in seats { seat.won.move_to(deck, \"down\"); }\n    deal();\n}\n";
    let rules = folder.read("my-game/rules/play.rhai") + again;
    folder.write("my-game/rules/play.rhai", rules);
    let (told, tested) = shown(&folder);
    assert!(told.contains("error[endless]: the game did not end within 20000 decisions"), "{told}");
    assert!(script(&told).contains("auto until end with random"), "{told}");
    assert!(tested.contains("error[endless]"), "{tested}");
}

#[test]
fn check_stops_after_the_first_endless_game() {
    let to = "winner.points += trick_points;\n    while seats.count() == 2 { choose(winner, \"play\", winner.won.pieces); }\n    while seats.count() > 2 { choose(winner, \"play\", winner.won.pieces); }";
    let folder = with_game("endless-first", "winner.points += trick_points;", to);
    let checked = parlour(&folder, &["check", "my-game"]);
    assert_eq!(checked.code, 1, "{}{}", checked.out, checked.err);
    // Games with other numbers of players do not end either. They are played at the same time, and given up.
    assert_eq!(checked.err.matches("error[endless]").count(), 1, "{}", checked.err);
    assert!(checked.err.contains("--players 2"), "{}", checked.err);
}

#[test]
fn a_number_in_quotes_has_one_message() {
    let folder = Folder::new("quoted-number");
    run_ok(&folder, &["new", "my-game", "--from", "workshops"]);
    folder.change("my-game/components/workshops.toml", "add = 1", "add = \"1\"");
    let checked = parlour(&folder, &["check", "my-game"]);
    assert!(checked.err.contains("error[wrong-type]: `add` must be a number"), "{}", checked.err);
    assert!(!checked.err.contains("quoted-number"), "{}", checked.err);
}

#[test]
fn check_finds_failing_agents() {
    let folder = with_game("agent", "winner.points += trick_points;", "winner.points += trick_points;");
    std::fs::create_dir_all(folder.0.join("my-game/agents")).unwrap();
    let agent = "/// Fails.\nfn rate_follow(seat, option) { rated(option) }\n/// Fails.\nfn rated(option) { [0][seats.count()] }\n";
    let decision = folder.read("my-game/game.toml");
    let decision = decision.split("[decisions.").nth(1).unwrap().split(']').next().unwrap().to_owned();
    let agent = agent.replace("follow", &decision);
    folder.write("my-game/agents/careless.rhai", agent);
    let told = parlour(&folder, &["check", "my-game"]).err;
    assert!(told.contains("agents/careless.rhai:4") && told.contains("--agents careless"), "{told}");
}

#[test]
fn check_finds_faults_of_a_single_option_value() {
    let to =
        "if variant == \"double\" && winner.points > 0 { winner.points -= 9; }\n    winner.points += trick_points;";
    let folder = with_game("variant", "winner.points += trick_points;", to);
    folder.change(
        "my-game/game.toml",
        "# ----- parameters",
        "[options.variant]\nvalues = [\"plain\", \"double\"]\n\n# -----",
    );
    let (told, tested) = shown(&folder);
    assert!(told.contains("error[out-of-bounds]") && told.contains("--option variant=double"), "{told}");
    assert!(script(&told).contains("option variant = double"), "{told}");
    assert!(tested.contains("error[out-of-bounds]"), "{tested}");
}

#[test]
fn check_finds_the_player_count_whose_deal_is_too_large() {
    let folder = Folder::new("short");
    run_ok(&folder, &["new", "my-game"]);
    folder.change("my-game/game.toml", "max = 4 }", "max = 6 }");
    let hands = "2 = 8\n3 = 8\n4 = 6\nmin = 1\nmax = { 2 = 12, 3 = 8, 4 = 6 }";
    folder.change("my-game/game.toml", hands, "value = 4");
    run_ok(&folder, &["check", "my-game"]);
    // Six hands of five cards require three cards more than the deck has.
    folder.change("my-game/game.toml", "value = 4", "value = 5");
    let (told, tested) = shown(&folder);
    assert!(told.contains("error[too-few]: 5 to be drawn from `deck`, which had only 2 pieces"), "{told}");
    assert!(told.contains("--players 6") && told.contains("deck.draw_up_to(5, …)"), "{told}");
    assert!(tested.contains("error[too-few]"), "{tested}");
}

#[test]
fn check_saves_playscripts_of_faults_in_the_plays_folder() {
    let folder = with_game("kept", "if same.is_empty() { seat.hand.pieces } else { same }", "same");
    let checked = parlour(&folder, &["check", "my-game", "--save"]);
    let command = checked.err.lines().find_map(|line| line.split_once("parlour test ")).unwrap().1.to_owned();
    assert!(command.starts_with("my-game/plays/found-no-options-"), "{command}");
    let tested = parlour(&folder, &["test", &command]);
    assert!(tested.out.contains("error[no-options]"), "{}", tested.out);
}

#[test]
fn score_formulas_are_printed() {
    let folder = with_game(
        "score",
        "fn score(seat) {\n    seat.points\n}",
        "fn score(seat) { #{ points: [[seat.number, 4], 5, [0, 7]], bonus: #{ lead: 2, trail: 0 }, flat: 3 } }\nfn rank(seat) { total(score(seat)) }",
    );
    let told = run_ok(&folder, &["run", "my-game", "--players", "2", "--seed", "1"]);
    for line in ["Ann's points: 1 × 4 + 5", "Ben's points: 2 × 4 + 5", "Ann's bonus: lead 2", "  Ben        18 "] {
        assert!(told.contains(line), "{line}: {told}");
    }
    let told = run_ok(&folder, &["run", "my-game", "--players", "2", "--seed", "1", "--lang", "zh-Hant"]);
    assert!(told.contains("Ann的分數：1 × 4 + 5"), "{told}");
    let told = run_ok(&folder, &["run", "my-game", "--players", "2", "--seed", "1", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&told).unwrap();
    let workings = &document["outcome"]["standings"][1]["workings"];
    assert_eq!(workings["points"][0]["factors"], serde_json::json!([2, 4]), "{document}");
    assert_eq!(workings["bonus"][0]["name"], "lead", "{document}");
}

#[test]
fn the_games_option_increases_the_number_of_games_played() {
    let folder = Folder::new("games");
    run_ok(&folder, &["new", "my-game"]);
    assert!(run_ok(&folder, &["check", "my-game", "--games", "10"]).contains("46 games played"));
}

#[test]
fn effort_0_reports_static_findings_without_playing() {
    let folder = Folder::new("text");
    run_ok(&folder, &["new", "my-game"]);
    folder.write("my-game/rules/more.rhai", "fn left_over() { 1 }\n");
    let checked = parlour(&folder, &["check", "my-game", "--effort", "0"]);
    assert_eq!(checked.code, 0, "{}", checked.all());
    assert!(checked.err.contains("nobody calls `left_over`"), "{}", checked.all());
    assert!(checked.out.contains("(only the files were checked: no game was played)"), "{}", checked.all());
}

#[test]
fn check_plays_the_same_games_on_any_number_of_threads() {
    // A game may take 256 MB, so this amount of memory suffices for one game at a time.
    let calls = [["3", "256MB"], ["3", "4GB"], ["1", "4GB"]];
    let told = calls.map(|[effort, memory]| {
        run_ok(ROOT, &["check", "examples/games/three-winters", "--effort", effort, "--memory", memory])
    });
    let games = |told: &str| -> u32 { told.split_once('(').unwrap().1.split(' ').next().unwrap().parse().unwrap() };
    assert_eq!(told[0], told[1]);
    assert!(told[0].contains("; a higher `--effort` plays more)"), "{}", told[0]);
    assert!(games(&told[2]) < games(&told[0]), "{told:?}");
}

#[test]
fn check_plays_every_option_value_several_times() {
    let folder = Folder::new("values");
    run_ok(&folder, &["new", "my-game"]);
    folder.change(
        "my-game/game.toml",
        "# ----- parameters",
        "[options.variant]\nvalues = [\"plain\", \"double\"]\n\n# -----",
    );
    folder.change(
        "my-game/rules/play.rhai",
        "+= trick_points;",
        "+= if variant == \"plain\" { trick_points } else { bonus };",
    );
    let told = run_ok(&folder, &["check", "my-game"]);
    assert!(
        told.contains("43 games played"),
        "three counts of players, nothing or one of two values, three games, and three params at their ends: {told}"
    );
}

#[test]
fn typos_in_overlays_are_reported_for_any_chosen_options() {
    let folder = Folder::new("overlay");
    run_ok(&folder, &["new", "my-game"]);
    folder.change(
        "my-game/game.toml",
        "# ----- parameters",
        "[options.variant]\nvalues = [\"plain\", \"rich\"]\noverlay = { rich = \"overlays/rich.toml\" }\n\n# -----",
    );
    std::fs::create_dir_all(folder.0.join("my-game/overlays")).unwrap();
    folder.write("my-game/overlays/rich.toml", "[params]\ntrick_pionts = 3\n");
    let checked = parlour(&folder, &["check", "my-game"]);
    let told = checked.err;
    for words in ["nothing uses the param `trick_pionts`", "overlays/rich.toml:2:1", "did you mean `trick_points`?"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert_eq!(told.matches("trick_pionts").count(), 2, "the message and its line: {told}");
}

#[test]
fn check_validates_playscripts_without_running_them() {
    let folder = Folder::new("plays");
    run_ok(&folder, &["new", "my-game"]);
    let play = "game my-game\nplayers Ann Ben\nAnn: plya 3\nexpect Ann.points == 9\n";
    folder.write("my-game/plays/slips.play", play);
    folder.write("my-game/plays/other.play", "game stokpile\nplayers Ann Ben\n");
    folder.write("my-game/plays/syntax.play", "game my-game\nplayer Ann Ben\n");
    let checked = parlour(&folder, &["check", "my-game"]);
    let told = checked.err;
    assert_eq!(checked.code, 1, "{told}");
    for words in [
        "there is no decision `plya`",
        "did you mean `play`?",
        "this playscript is for `stokpile`",
        "error[play-syntax]",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(!told.contains("error[expect]"), "nothing is run: {told}");
}

// ----- parlour check --watch

/// Running process of `parlour check --watch`.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn begin(folder: &Path) -> Self {
        let mut child = command(folder, &["check", "my-game", "--watch"]).spawn().unwrap();
        let (sender, lines) = channel();
        let streams: [Box<dyn std::io::Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for stream in streams {
            let sender = sender.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    let _ = sender.send(line);
                }
            });
        }
        Self { child, lines }
    }

    /// Reads lines until they contain all of `words`, and returns the lines. The two output streams may be interleaved in any way.
    fn until(&self, words: &[&str]) -> String {
        let deadline = Instant::now() + Duration::from_mins(2);
        let mut told = String::new();
        while let Ok(line) = self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            told.push_str(&line);
            told.push('\n');
            if words.iter().all(|words| told.contains(words)) {
                return told;
            }
        }
        panic!("{words:?} is never told:\n{told}");
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
#[cfg(unix)]
fn watch_checks_and_tests_again_after_every_change() {
    let folder = Folder::new("watch");
    run_ok(&folder, &["new", "my-game"]);
    let mut watching = Watching::begin(&folder.0);
    watching.until(&["no mistakes found", "plays: 8 passed, 0 failed", "watching my-game"]);
    folder.change("my-game/rules/play.rhai", "set_first(winner)", "set_frist(winner)");
    let told = watching.until(&["saved: rules/play.rhai", "did you mean `set_first`", "not run", "watching my-game"]);
    assert_eq!(told.matches("set_frist").count(), 2, "the message and its line: {told}");
    // Saving a file without a change does not start another check.
    folder.write("my-game/rules/play.rhai", folder.read("my-game/rules/play.rhai"));
    std::thread::sleep(Duration::from_millis(500));
    folder.change("my-game/rules/play.rhai", "set_frist(winner)", "set_first(seats.first)");
    let told = watching.until(&["no mistakes found", "FAILED", "expect first == Ben", "watching my-game"]);
    assert!(!told.contains("set_frist"), "{told}");
    folder.change("my-game/rules/play.rhai", "set_first(seats.first)", "set_first(winner)");
    watching.until(&["plays: 8 passed, 0 failed", "watching my-game"]);
    // Spreadsheets are watched, but not the lock files that spreadsheet programs create beside them.
    folder.write("my-game/components/~$hat.xlsx", "open");
    folder.write("my-game/components/hat.csv", "id,worth\ncrown,2.5\n");
    let told = watching.until(&["saved: components/hat.csv", "numbers must be whole", "watching my-game"]);
    assert!(!told.contains('~'), "{told}");
    folder.write("my-game/components/hat.csv", "id,worth\ncrown,2\n");
    // The recorded games were played without the hat.
    watching.until(&["saved: components/hat.csv", "crown", "5 passed, 3 failed", "watching my-game"]);
    crate::unix::interrupt(&watching.child);
    watching.until(&["ended"]);
    // Three playscripts failed at the last check.
    assert_eq!(watching.child.wait().unwrap().code(), Some(1));
}

#[test]
#[cfg(unix)]
fn watch_exits_with_1_if_the_last_check_has_warnings() {
    let folder = Folder::new("watch-end");
    run_ok(&folder, &["new", "my-game"]);
    for (more, words, code) in [("", "no mistakes found (", 0), ("fn left_over() { 1 }\n", "1 warning (", 1)] {
        folder.write("my-game/rules/more.rhai", more);
        let mut watching = Watching::begin(&folder.0);
        watching.until(&[words, "plays: 8 passed, 0 failed", "watching my-game"]);
        crate::unix::interrupt(&watching.child);
        watching.until(&["ended"]);
        assert_eq!(watching.child.wait().unwrap().code(), Some(code), "{words}");
    }
}

#[test]
fn watch_requires_a_game_folder() {
    let folder = Folder::new("unwatched");
    assert_usage_error(
        &folder.0,
        &["check", "stockpile", "--watch"],
        &["no files to watch", "parlour new my-stockpile --from stockpile"],
    );
    assert_usage_error(&folder, &["check", "nowhere", "--watch"], &["there is no folder `nowhere`"]);
}

// ----- shell completions and manual pages

#[test]
fn completions_and_manual_pages_cover_every_command() {
    let folder = Folder::new("manual");
    let help = run_ok(&folder, &["--help"]);
    let commands = help.split_once("Commands:\n").unwrap().1.split("\n\n").next().unwrap();
    let is_command = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let commands: Vec<&str> =
        commands.lines().filter(is_command).map(|line| line.trim().split(' ').next().unwrap()).collect();
    assert!(commands.len() > 20 && commands.contains(&"simulate"), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let completions = run_ok(&folder, &["completions", shell]);
        assert!(commands.iter().all(|command| completions.contains(command)), "{shell}");
        assert!(completions.contains("--players") || completions.contains("-l players"), "{shell}");
    }
    run_ok(&folder, &["man", "--out", "pages"]);
    for command in commands {
        let page = folder.read(&format!("pages/parlour-{command}.1"));
        assert!(page.contains("Examples:") && page.contains(&format!("parlour {command}")), "{command}: {page}");
    }
    assert!(folder.read("pages/parlour.1").contains("Exit codes"));
}

// ----- parlour cards

#[test]
fn cards_writes_spreadsheets_that_can_replace_component_rows() {
    let folder = Folder::new("cards");
    run_ok(&folder, &["new", "my-game"]);
    for (out, told) in [
        ("my-game/components/box.xlsx", "my-game/components/box.xlsx, sheet card: 27 rows"),
        ("my-game/components/box.ods", "my-game/components/box.ods, sheet card: 27 rows"),
        ("my-game/components", "my-game/components/card.csv: 27 rows"),
    ] {
        assert!(run_ok(&folder, &["cards", "my-game", "--out", out]).contains(told), "{out}");
        let twice = parlour(&folder, &["check", "my-game"]).all();
        assert!(twice.contains("the component `red_1` is declared twice"), "{twice}");
        let toml = folder.read("my-game/components/cards.toml");
        folder.write("my-game/components/cards.toml", toml.split("[[card]]").next().unwrap());
        // The game's recordings also replay with the same results.
        assert!(run_ok(&folder, &["test", "my-game"]).contains("8 passed, 0 failed"), "{out}");
        folder.write("my-game/components/cards.toml", toml);
        let file = if out.ends_with("components") { "my-game/components/card.csv" } else { out };
        std::fs::remove_file(folder.at(file)).unwrap();
    }
    folder.write("box.ods", "mine");
    let kept = parlour(&folder, &["cards", "my-game", "--out", "box.ods"]).all();
    assert!(kept.contains("`box.ods` is there already") && folder.read("box.ods") == "mine", "{kept}");
    let other = parlour(&folder, &["cards", "my-game", "--out", "box.csv"]).all();
    assert!(other.contains("no `.csv` file is written"), "{other}");
}

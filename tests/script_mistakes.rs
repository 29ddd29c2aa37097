//! What is said about mistakes in scripts: every message with its place.

#![allow(clippy::unwrap_used, reason = "tests are to be read")]

mod sampler;

use parlour::agents::First;
use parlour::diagnostic::Diagnostics;
use parlour::session::{Player, Setup};
use std::fmt::Write;
use std::path::Path;

/// What is said about the sampler with these rules: before it is played, or else when it is.
fn said(rules: &str) -> String {
    let game = match parlour::load_texts("sampler", sampler::texts(rules)) {
        Ok(game) => game,
        Err(found) => return found.to_string(),
    };
    let players = (0..3).map(|_| Box::new(First) as Box<dyn Player>).collect();
    let played = game.play(&Setup::seats(3), players, false).unwrap();
    match played.outcome {
        Ok(_) => "nothing\n".to_owned(),
        Err(found) => Diagnostics(vec![*found]).to_string(),
    }
}

/// The cases of a file: each begins with a line `##### what is wrong`, then the rules, a line `---`, what is said.
fn cases(text: &str) -> Vec<(&str, &str, &str)> {
    let found = text.split("##### ").skip(1).map(|case| {
        let (name, rest) = case.split_once('\n').unwrap();
        let (rules, expected) = rest.split_once("---\n").unwrap_or((rest, ""));
        (name, rules, expected)
    });
    found.collect()
}

/// Rules a case leaves out.
fn whole(rules: &str) -> String {
    let mut whole = rules.to_owned();
    for (name, function) in [("fn set_up(", "fn set_up() {}\n"), ("fn turn_of(", "fn turn_of(seat) {}\n")] {
        if !rules.contains(name) {
            whole.push_str(function);
        }
    }
    whole
}

fn check(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/scripts").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let (mut found, mut wrong) = (String::new(), Vec::new());
    for (name, rules, expected) in cases(&text) {
        let now = said(&whole(rules));
        if now.trim() != expected.trim() {
            wrong.push(format!("{name}\nfound:\n{}\n\nexpected:\n{}\n", now.trim(), expected.trim()));
        }
        write!(found, "##### {name}\n{}---\n{}\n\n", rules, now.trim()).unwrap();
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, found).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{} of tests/cases/scripts/{file}:\n\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn unknown_names_are_found_before_anything_runs() {
    check("names.txt");
}

#[test]
fn wrong_calls_are_found_before_anything_runs() {
    check("calls.txt");
}

#[test]
fn wrong_words_in_quotes_are_found_before_anything_runs() {
    check("words.txt");
}

#[test]
fn functions_that_cannot_be_kept_are_found_before_anything_runs() {
    check("functions.txt");
}

#[test]
fn syntax_errors_are_told_in_our_words() {
    check("syntax.txt");
}

#[test]
fn mistakes_that_show_while_rules_run_are_told_with_their_place() {
    check("running.txt");
}

/// What is said when the sampler's data is changed, with rules that are well unless they are given.
fn said_of_data(changes: &[(&str, &str)], rules: &str) -> String {
    let mut texts = sampler::texts(&whole(rules));
    for (from, to) in changes {
        let (_, text) = texts.iter_mut().find(|(_, text)| text.contains(from)).unwrap();
        *text = text.replacen(from, to, 1);
    }
    parlour::load_texts("sampler", texts).err().unwrap_or_default().to_string()
}

#[test]
fn what_is_called_like_what_every_such_thing_has_is_refused() {
    let changes = [
        ("faces = [1, 2, 3]", "faces = [1, 2, 3]\nowner = 3"),
        ("cash = { start = 5", "number = 0\ncash = { start = 5"),
        ("spaces = 5", "spaces = [{ at = 1, top = 3 }]"),
    ];
    assert_eq!(
        said_of_data(&changes, "").trim(),
        "\
error[shared-name]: a field of the kind `die` is called `owner`, which every piece has already
  = help: give it another name in the game's files
error[shared-name]: a value of each seat is called `number`, which every seat has already
  = help: give it another name in the game's files
error[shared-name]: a field of the spaces of `track` is called `top`, which every space has already
  = help: give it another name in the game's files"
    );
}

#[test]
fn syntax_errors_of_data_and_of_scripts_are_told_together() {
    let found = said_of_data(&[("shape = \"hand\"", "shape = hand\"")], "fn set_up() { deck.shuffle( }");
    assert!(found.contains(" --> game.toml:") || found.contains("--> game.toml:"), "{found}");
    assert!(found.contains("error[syntax]: something is missing before `}`"), "{found}");
}

#[test]
fn mistakes_of_data_bring_no_mistakes_of_scripts_with_them() {
    let rules = "fn turn_of(seat) { choose(seat, \"pick\", seat.hand); deck.draw(discard); game.trend += bonus; }";
    for change in [
        ("[decisions.pick]\nask = \"Pick one\"", "[decisions.pick]\nasks = \"Pick one\""),
        ("bonus = 10", "bonus = { 9 = 1 }"),
        ("trend = 0", "trend = { start = \"nowhere\" }"),
        ("per = \"seat\"", "per = \"player\""),
        ("starts_with = [\"card\"]", "starts_with = [\"cards\"]"),
    ] {
        let found = said_of_data(&[change], rules);
        assert!(found.contains("game.toml"), "{change:?}\n{found}");
        assert!(!found.contains("play.rhai"), "{change:?}\n{found}");
    }
}

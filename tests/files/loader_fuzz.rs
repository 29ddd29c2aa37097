//! Fuzz tests of the loader: any edit of a game's files yields a model, or diagnostics that can be rendered.

use parlour::diagnostic::{Diagnostics, render};
use parlour::loader::{Choices, Files, Package};
use proptest::prelude::*;

const GAME: &str = r#"
[game]
id = "x"
players = { min = 1, max = 3 }
[options.board]
values = ["a", "b"]
overlay = { b = "overlays/b.toml" }
[params]
cash = { 1 = 3, 2 = 4, 3 = [1, "股"] }
[zones.map]
shape = "grid"
columns = [0, 2]
rows = "cash"
[zones.track]
per = ["seat", "card"]
shape = "row"
spaces = [{ at = 1, pay = true }]
starts_with = ["card"]
[values.card]
price = { start = 3, min = 1, max = 4 }
[phases.p]
steps = ["a", { each_seat = [{ turns = "b", until = "c" }] }]
[flow]
round = ["p"]
rounds = 3
[endings.rich]
name = { en = "x", zh-Hant = "有錢" }
"#;

const CARDS: &str = "[[card]]\nid = \"a\"\ncount = 2\neach = \"seat\"\nmoves = [{ by = 1, to = \"b\" }]\n[[card]]\nid = \"b\"\nmoves = []\n";
const OVERLAY: &str = "[params]\ncash = 2\n[[card]]\nid = \"a\"\ncount = 0\n";

/// Texts to insert into files: syntax and keys of the format.
const FRAGMENTS: [&str; 24] = [
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    ".",
    "\"",
    "\n",
    "-1",
    "0",
    "999999999999",
    "true",
    "1.5",
    "over = \"map\"",
    "copies = \"track\"",
    "per = \"seat\"",
    "[[card]]",
    "[zones.map]",
    "card",
    "start = ",
    "provenance",
    "2 = ",
    "股",
];

/// Replaces `length` characters from position `at` with `scrap`. The position is taken modulo one more than the number of characters.
fn edit(text: &str, at: usize, length: usize, scrap: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let from = at % (chars.len() + 1);
    let to = (from + length).min(chars.len());
    chars[..from].iter().copied().chain(scrap.chars()).chain(chars[to..].iter().copied()).collect()
}

/// Renders the diagnostics, and asserts that their spans lie within the source texts.
fn check_rendering(found: &Diagnostics) {
    for diagnostic in &found.0 {
        assert!(!render(diagnostic, false).is_empty());
        for mark in &diagnostic.marks {
            assert!(mark.place.source.text.get(mark.place.span.clone()).is_some(), "{diagnostic:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edited_files_load_or_yield_diagnostics(
        edits in prop::collection::vec((0..3_usize, 0..2000_usize, 0..20_usize, prop::sample::select(&FRAGMENTS[..])), 1..5),
        set in prop::sample::select(&["params.cash", "params.cash.2", "zones.track.spaces.1.pay", "card.a.count", "x..y", ""][..]),
        value in prop::sample::select(&["1", "[", "{ 2 = 3 }", "股", "word", ""][..]),
    ) {
        let mut texts = [GAME.to_owned(), CARDS.to_owned(), OVERLAY.to_owned()];
        for (file, at, length, scrap) in edits {
            texts[file] = edit(&texts[file], at, length, scrap);
        }
        let paths = ["game.toml", "components/a.toml", "overlays/b.toml"].map(str::to_owned);
        let files = Files::from_texts("x", paths.into_iter().zip(texts)).expect("the files are small");
        match Package::parse(files) {
            Err(found) => check_rendering(&found),
            Ok(package) => {
                check_rendering(&package.check());
                let choices = Choices { players: 2, options: vec![("board".into(), "b".into())], sets: vec![(set.into(), value.into())] };
                if let Err(found) = package.build(&choices) {
                    check_rendering(&found);
                }
            }
        }
    }
}

//! A game with twenty single mistakes, ten in its data and ten in its scripts: every one is told, at its place.

use crate::folder;
use crate::recorded::hold;
use parlour::diagnostic::{Diagnostic, Diagnostics};
use std::path::Path;

/// A mistake: the file, what stands there, what stands there now, and the words under the caret.
type Mistake = (&'static str, &'static str, &'static str, &'static str);

const MISTAKES: [Mistake; 20] = [
    (
        "game.toml",
        "accepts = [\"stock\", \"fee\", \"action\"]\nface = \"down\"",
        "accepts = [\"stock\", \"fee\", \"action\"]\nface = \"dwon\"",
        "\"dwon\"",
    ),
    ("game.toml", "refill = \"discard\"", "refill = \"discrad\"", "\"discrad\""),
    ("game.toml", "copies = \"lots\"", "copies = \"lotts\"", "\"lotts\""),
    ("game.toml", "accepts = [\"meeple\"]\nprovenance", "accept = [\"meeple\"]\nprovenance", "accept"),
    ("game.toml", "min = 0, name = { en = \"cash\"", "minimum = 0, name = { en = \"cash\"", "minimum"),
    ("game.toml", "price = \"number\"", "price = \"nubmer\"", "\"nubmer\""),
    ("game.toml", "\"demand\", \"action\", \"selling\"", "\"demnad\", \"action\", \"selling\"", "\"demnad\""),
    ("game.toml", "secret = true", "secret = \"yes\"", "\"yes\""),
    ("components/information.toml", "by = -3\n", "by = \"-3\"\n", "\"-3\""),
    ("components/market.toml", "company = \"epic\"", "company = \"epci\"", "\"epci\""),
    ("rules/1_setup.rhai", "starters.shuffle();", "starters.shufle();", "shufle"),
    ("rules/2_information.rhai", "companies.draw(", "compnies.draw(", "compnies"),
    ("rules/3_supply.rhai", "if seat.hand.is_empty()", "if seat.hnad.is_empty()", "hnad"),
    ("rules/4_demand.rhai", "choose(seat, \"bid\"", "choose(seat, \"bdi\"", "\"bdi\""),
    ("rules/4_demand.rhai", "seat.debts.smallest(\"fee\")", "seat.debts.smallest(\"fees\")", "\"fees\""),
    ("rules/5_action.rhai", "played.card.move_to(discard);", "played.card.move_to(discard)", ")"),
    ("rules/5_action.rhai", "gain(seat, bonus)", "gain(bonus)", "gain"),
    ("rules/6_selling.rhai", "|| sales(seat));\n    while", "|| sale(seat));\n    while", "sale"),
    ("rules/7_movement.rhai", "say(\"dividend\"", "say(\"divident\"", "\"divident\""),
    ("rules/8_scoring.rhai", "let gained = seat", "let gained == seat", "=="),
];

/// The files with some mistakes in them.
fn broken(mistakes: &[Mistake]) -> Vec<(String, String)> {
    let mut files = folder::game("games/stockpile");
    for (path, from, to, _) in mistakes {
        let (_, text) = files.iter_mut().find(|(known, _)| known == path).unwrap();
        assert!(text.contains(from), "{path} has no `{from}`");
        *text = text.replacen(from, to, 1);
    }
    files
}

fn said(mistakes: &[Mistake]) -> Diagnostics {
    parlour::load_texts("stockpile", broken(mistakes)).err().unwrap_or_default()
}

/// Whether a diagnostic stands at a mistake.
fn tells((path, _, _, marked): &Mistake, found: &Diagnostic) -> bool {
    let Some(mark) = found.marks.first() else { return false };
    mark.place.source.path == *path && mark.place.source.text[mark.place.span.clone()] == **marked
}

#[test]
fn every_one_of_twenty_mistakes_is_told_at_its_place() {
    let found = said(&MISTAKES);
    let missing: Vec<&Mistake> =
        MISTAKES.iter().filter(|mistake| !found.0.iter().any(|found| tells(mistake, found))).collect();
    assert!(missing.is_empty(), "not told: {missing:?}\n\n{found}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/broken-stockpile.txt");
    hold(&path, &found.to_string());
}

#[test]
fn every_mistake_alone_is_told_at_its_place_and_first() {
    for mistake in &MISTAKES {
        let found = said(&[*mistake]);
        assert!(found.0.iter().any(|found| tells(mistake, found)), "{mistake:?}\n{found}");
        assert!(found.0.len() <= 2, "{mistake:?} is told {} times:\n{found}", found.0.len());
    }
}

#[test]
fn the_game_itself_has_no_mistakes() {
    assert_eq!(said(&[]).to_string(), "");
}

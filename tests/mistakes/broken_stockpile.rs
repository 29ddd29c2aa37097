//! Checks that twenty mistakes in a game, ten in its data and ten in its scripts, are each reported at their location.

use crate::folder;
use crate::recorded::assert_recorded;
use parlour::diagnostic::{Diagnostic, Diagnostics};
use std::path::Path;

/// Mistake: the file, the correct text, its replacement, and the text that the message must mark.
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
    ("game.toml", "min = 0, paper = \"money\"", "minimum = 0, paper = \"money\"", "minimum"),
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

/// Returns the files of the game with the given mistakes.
fn broken(mistakes: &[Mistake]) -> Vec<(String, String)> {
    let mut files = folder::game_texts("games/stockpile");
    for (path, from, to, _) in mistakes {
        let (_, text) = files.iter_mut().find(|(known, _)| known == path).unwrap();
        assert!(text.contains(from), "{path} has no `{from}`");
        *text = text.replacen(from, to, 1);
    }
    files
}

/// Returns the diagnostics of the game with the given mistakes.
fn diagnostics(mistakes: &[Mistake]) -> Diagnostics {
    parlour::load_texts("stockpile", broken(mistakes)).err().unwrap_or_default()
}

/// Returns whether the first mark of a diagnostic is the marked text of a mistake.
fn marks((path, _, _, marked): &Mistake, found: &Diagnostic) -> bool {
    let Some(mark) = found.marks.first() else { return false };
    mark.place.source.path == *path && mark.place.source.text[mark.place.span.clone()] == **marked
}

#[test]
fn twenty_mistakes_are_reported_together() {
    let found = diagnostics(&MISTAKES);
    let missing: Vec<&Mistake> =
        MISTAKES.iter().filter(|mistake| !found.0.iter().any(|found| marks(mistake, found))).collect();
    assert!(missing.is_empty(), "not reported: {missing:?}\n\n{found}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/broken-stockpile.txt");
    assert_recorded(&path, &found.to_string());
}

#[test]
fn each_single_mistake_is_reported_with_at_most_one_other_message() {
    for mistake in &MISTAKES {
        let found = diagnostics(&[*mistake]);
        assert!(found.0.iter().any(|found| marks(mistake, found)), "{mistake:?}\n{found}");
        assert!(found.0.len() <= 2, "{mistake:?} has {} messages:\n{found}", found.0.len());
    }
}

#[test]
fn the_unchanged_game_has_no_diagnostics() {
    assert_eq!(diagnostics(&[]).to_string(), "");
}

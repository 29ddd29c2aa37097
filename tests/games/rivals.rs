//! Checks that the handwritten Rust programs of `benches/rivals` play the same games as the engine, so that their speed can be compared.

#![allow(clippy::disallowed_types, reason = "means are fractions")]

#[path = "../../benches/rivals/by_hand/mod.rs"]
mod by_hand;

use by_hand::{Ended, Lots, RIVALS, compared};
use parlour::agents::Random;
use parlour::session::{Player, Setup};

/// Plays random games with the engine and the handwritten program, and asserts that their lengths and scores do not differ significantly.
fn assert_same_game(folder: &str, setup: &Setup, games: u64) {
    let game = parlour::load(folder).unwrap_or_else(|found| panic!("{found}"));
    let agent = |seed: u64, seat: u8| Box::new(Random::new(seed, &format!("agent {seat}"))) as Box<dyn Player>;
    let play = |seed| {
        let players = (0..setup.seats).map(|seat| agent(seed, seat)).collect();
        let played = game.play(&setup.clone().seed(seed), players, false).unwrap();
        let standings = played.outcome.unwrap().standings;
        Ended { decisions: played.decisions, scores: standings.iter().map(|standing| standing.score).collect() }
    };
    let ours: Vec<Ended> = (0..games).map(play).collect();
    let (_, rival) = RIVALS.iter().find(|(name, _)| folder.ends_with(name)).expect("there is a rival");
    let mut lots = Lots(7);
    let theirs: Vec<Ended> = (0..games * 10).map(|_| rival(usize::from(setup.seats), &mut lots)).collect();
    for figure in compared(&ours, &theirs) {
        assert!(figure.is_alike(), "{figure}");
    }
}

#[test]
fn the_handwritten_ridge_race_is_the_same_game() {
    assert_same_game("benches/rivals/ridge-race", &Setup::seats(2), 300);
    assert_same_game("benches/rivals/ridge-race", &Setup::seats(4), 100);
}

#[test]
fn the_handwritten_stockpile_is_the_same_game() {
    assert_same_game("games/stockpile", &Setup::seats(4).option("first_player", "1"), 300);
}

#[test]
fn the_handwritten_tic_tac_toe_and_connect_four_are_the_same_games() {
    assert_same_game("examples/games/tic-tac-toe", &Setup::seats(2), 1_000);
    assert_same_game("examples/games/connect-four", &Setup::seats(2), 1_000);
}

#[test]
fn ridge_race_has_no_warnings() {
    let game = parlour::load("benches/rivals/ridge-race").unwrap_or_else(|found| panic!("{found}"));
    assert!(game.warnings().0.is_empty(), "{}", game.warnings());
}

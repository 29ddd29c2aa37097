//! Games that are also written by hand, to measure the engine beside them, are the same games.

#![allow(clippy::disallowed_types, reason = "means are fractions")]

#[path = "../../benches/rivals/by_hand/mod.rs"]
mod by_hand;

use by_hand::{Ended, Lots, RIVALS, compared};
use parlour::agents::Random;
use parlour::session::{Player, Setup};

/// By many games of the engine and many more of a program in Rust, length and outcomes are alike.
fn plays_the_same(folder: &str, setup: &Setup, games: u64) {
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
fn ridge_race_by_hand_is_the_same_game() {
    plays_the_same("benches/rivals/ridge-race", &Setup::seats(2), 300);
    plays_the_same("benches/rivals/ridge-race", &Setup::seats(4), 100);
}

#[test]
fn stockpile_by_hand_is_the_same_game() {
    plays_the_same("games/stockpile", &Setup::seats(4).option("first_player", "1"), 300);
}

#[test]
fn lines_of_marks_and_disks_by_hand_are_the_same_games() {
    plays_the_same("examples/games/tic-tac-toe", &Setup::seats(2), 1_000);
    plays_the_same("examples/games/connect-four", &Setup::seats(2), 1_000);
}

#[test]
fn ridge_race_has_nothing_to_complain_of() {
    let game = parlour::load("benches/rivals/ridge-race").unwrap_or_else(|found| panic!("{found}"));
    assert!(game.warnings().0.is_empty(), "{}", game.warnings());
}

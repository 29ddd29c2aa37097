//! Checks that all programs play the same game, by comparing their figures.

use super::by_hand::{Ended, Lots, compared};
use super::python::Python;
use super::{Contest, play};

/// Number of games that each program plays.
const GAMES: u64 = 4_000;

/// Compares all programs with the engine and prints the figures. Returns false if the figures differ or Python is not available.
pub(crate) fn all_agree(contests: &[Contest], mut python: Option<Python>) -> bool {
    let mut agree = python.is_some();
    for contest in contests.iter().filter(|contest| contest.rival.is_some() || contest.module.is_some()) {
        let ours = by_engine(contest);
        if let Some(rival) = contest.rival {
            let mut lots = Lots(7);
            let theirs: Vec<Ended> = (0..GAMES).map(|_| rival(usize::from(contest.seats), &mut lots)).collect();
            agree &= agrees(contest.name, "Rust", &ours, &theirs);
        }
        if let (Some(module), Some(python)) = (contest.module, python.as_mut()) {
            let theirs = python.games(module, contest.seats, GAMES);
            agree &= agrees(contest.name, "Python", &ours, &theirs);
        }
    }
    agree
}

/// Plays games with the engine. In Stockpile, seat 1 is the first player.
fn by_engine(contest: &Contest) -> Vec<Ended> {
    let setup = contest.setup.clone();
    let setup = if contest.name == "stockpile" { setup.option("first_player", "1") } else { setup };
    let game = |seed| {
        let played = play(&contest.game, &setup, seed);
        let standings = played.outcome.unwrap().standings;
        Ended { decisions: played.decisions, scores: standings.iter().map(|standing| standing.score).collect() }
    };
    (0..GAMES).map(game).collect()
}

/// Prints the figures of two programs. Returns whether all figures agree.
fn agrees(game: &str, rival: &str, ours: &[Ended], theirs: &[Ended]) -> bool {
    let mut agree = true;
    for figure in compared(ours, theirs) {
        println!("{game:<14} {rival:<8} {figure}");
        agree &= figure.is_alike();
    }
    agree
}

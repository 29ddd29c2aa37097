//! Games written in plain Rust without the engine, one program per game, like those in `../python`. Benchmarks compare the engine with
//! them.

mod figures;
mod line_games;
mod lots;
mod ridge_race;
mod stockpile;

pub(crate) use figures::compared;
pub(crate) use lots::Lots;

/// Result of a game.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Number of decisions with more than one option.
    pub(crate) decisions: u64,
    /// Score of each player.
    pub(crate) scores: Vec<i64>,
}

/// Function that plays a hand-written game once with the given number of random players.
pub(crate) type Rival = fn(usize, &mut Lots) -> Ended;

/// Hand-written games, each with the name of the game's folder.
pub(crate) const RIVALS: [(&str, Rival); 4] = [
    ("ridge-race", ridge_race::play),
    ("stockpile", stockpile::play),
    ("connect-four", line_games::connect_four),
    ("tic-tac-toe", line_games::tic_tac_toe),
];

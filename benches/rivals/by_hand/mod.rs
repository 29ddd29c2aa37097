//! Games written by hand in Rust, each for itself, as plainly as in `../python`: what the engine is measured against.

mod figures;
mod line_games;
mod lots;
mod ridge_race;
mod stockpile;

pub(crate) use figures::compared;
pub(crate) use lots::Lots;

/// How a game ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// How many decisions left a choice.
    pub(crate) decisions: u64,
    /// The score of each player.
    pub(crate) scores: Vec<i64>,
}

/// A game written by hand: so many random players play it once.
pub(crate) type Rival = fn(usize, &mut Lots) -> Ended;

/// The games there is a rival for, by the name of their folder.
pub(crate) const RIVALS: [(&str, Rival); 4] = [
    ("ridge-race", ridge_race::play),
    ("stockpile", stockpile::play),
    ("connect-four", line_games::connect_four),
    ("tic-tac-toe", line_games::tic_tac_toe),
];

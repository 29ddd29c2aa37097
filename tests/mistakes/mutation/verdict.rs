//! What becomes of a slip: found before play, found by playing, or not found.

use parlour::agents::Random;
use parlour::diagnostic::{Diagnostic, Diagnostics, Severity};
use parlour::session::{Game, Player, Setup};

/// How many games are played with each number of players.
const GAMES: u64 = 3;

/// What `check` says of a game.
pub(crate) enum Verdict {
    /// Found before anything is played.
    Static(Vec<Diagnostic>),
    /// Found in one of the games that `check` plays.
    Played(Vec<Diagnostic>),
    /// Nothing is said.
    Passed,
}

impl Verdict {
    /// What is said.
    pub(crate) fn said(&self) -> &[Diagnostic] {
        match self {
            Self::Static(said) | Self::Played(said) => said,
            Self::Passed => &[],
        }
    }
}

/// Checks a game as `parlour check` does.
pub(crate) fn of(texts: Vec<(String, String)>) -> Verdict {
    let game = match parlour::load_texts("edited", texts) {
        Ok(game) => game.holding_invariants(),
        Err(found) => return Verdict::Static(found.0),
    };
    let found = remarks(&game);
    if !found.is_empty() {
        return Verdict::Static(found);
    }
    let players = game.players().map(Setup::seats);
    let games = players.flat_map(|setup| (1..=GAMES).map(move |seed| setup.clone().seed(seed)));
    let found = games.map(|setup| played(&game, &setup)).find(|found| !found.is_empty());
    found.map_or(Verdict::Passed, Verdict::Played)
}

/// What `check` says of a game before anything is played.
pub(crate) fn before_play(texts: Vec<(String, String)>) -> Vec<Diagnostic> {
    match parlour::load_texts("edited", texts) {
        Ok(game) => remarks(&game),
        Err(found) => found.0,
    }
}

/// Whether anything is said that the game cannot be played with.
pub(crate) fn is_said(found: &[Diagnostic]) -> bool {
    found.iter().any(|found| found.severity == Severity::Error)
}

/// Every mistake, and what is remarked whatever is chosen.
fn remarks(game: &Game) -> Vec<Diagnostic> {
    let mut found = game.warnings().0;
    let mut remarks: Option<Vec<Diagnostic>> = None;
    for setup in setups(game) {
        match game.host(&setup) {
            Err(mistakes) => found.extend(mistakes.0),
            Ok((_, host)) => {
                let here = host.warnings();
                let common = |known: Vec<Diagnostic>| known.into_iter().filter(|one| here.contains(one)).collect();
                remarks = Some(remarks.map_or_else(|| here.to_vec(), common));
            }
        }
    }
    found.extend(remarks.unwrap_or_default());
    found
}

/// A game with every number of players, and every value of every option by itself.
pub(crate) fn setups(game: &Game) -> Vec<Setup> {
    let options = game.option_values();
    let chosen: Vec<(&String, &String)> =
        options.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value))).collect();
    let with_options = |seats| chosen.iter().map(move |(name, value)| Setup::seats(seats).option(name, value));
    game.players().flat_map(|seats| std::iter::once(Setup::seats(seats)).chain(with_options(seats))).collect()
}

fn played(game: &Game, setup: &Setup) -> Vec<Diagnostic> {
    let agent = |seat: u8| Box::new(Random::new(setup.seed, &format!("agent {seat}"))) as Box<dyn Player>;
    match game.play(setup, (1..=setup.seats).map(agent).collect(), false) {
        Err(Diagnostics(found)) => found,
        Ok(played) => played.outcome.err().map(|found| *found).into_iter().collect(),
    }
}

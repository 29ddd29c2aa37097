//! Classifies a mutated game: its error is found before play, found while playing, or not found.

use parlour::agents::Random;
use parlour::diagnostic::{Diagnostic, Diagnostics, Severity};
use parlour::session::{Game, Player, Setup};

/// Number of games played with each number of players.
const GAMES: u64 = 3;

/// Result of [`classify`], with the diagnostics of the stage that found the error.
pub(crate) enum Verdict {
    /// Diagnostics that were reported before play.
    Static(Vec<Diagnostic>),
    /// Diagnostics of the first played game that failed.
    Played(Vec<Diagnostic>),
    /// No diagnostics.
    Passed,
}

impl Verdict {
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::Static(found) | Self::Played(found) => found,
            Self::Passed => &[],
        }
    }
}

/// Checks a game statically, and then plays [`GAMES`] random games for each number of players.
pub(crate) fn classify(texts: Vec<(String, String)>) -> Verdict {
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
    let found = games.map(|setup| play(&game, &setup)).find(|found| !found.is_empty());
    found.map_or(Verdict::Passed, Verdict::Played)
}

/// Returns the diagnostics that are found without playing.
pub(crate) fn before_play(texts: Vec<(String, String)>) -> Vec<Diagnostic> {
    match parlour::load_texts("edited", texts) {
        Ok(game) => remarks(&game),
        Err(found) => found.0,
    }
}

/// Returns whether any of the diagnostics is an error.
pub(crate) fn has_error(found: &[Diagnostic]) -> bool {
    found.iter().any(|found| found.severity == Severity::Error)
}

/// Returns the warnings of the game, the errors with any setup, and the warnings that every setup has in common.
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

/// Returns, for each number of players, the default setup and one setup for each value of each option. Options are varied one at a time.
pub(crate) fn setups(game: &Game) -> Vec<Setup> {
    let options = game.option_values();
    let chosen: Vec<(&String, &String)> =
        options.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value))).collect();
    let with_options = |seats| chosen.iter().map(move |(name, value)| Setup::seats(seats).option(name, value));
    game.players().flat_map(|seats| std::iter::once(Setup::seats(seats)).chain(with_options(seats))).collect()
}

/// Plays a game with random agents, and returns the diagnostics if it fails.
fn play(game: &Game, setup: &Setup) -> Vec<Diagnostic> {
    let agent = |seat: u8| Box::new(Random::new(setup.seed, &format!("agent {seat}"))) as Box<dyn Player>;
    match game.play(setup, (1..=setup.seats).map(agent).collect(), false) {
        Err(Diagnostics(found)) => found,
        Ok(played) => played.outcome.err().map(|found| *found).into_iter().collect(),
    }
}

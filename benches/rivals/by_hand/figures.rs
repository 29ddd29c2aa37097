//! Compares two programs by the means of their figures. Two means agree if they differ by at most three standard errors of the difference.

use super::Ended;
use std::fmt;

/// Means of one figure in two programs.
pub(crate) struct Compared {
    name: String,
    ours: f64,
    theirs: f64,
    /// Standard error of the difference between the means.
    error: f64,
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, ours, theirs, error } = self;
        write!(f, "{name:<10} {ours:>10.3} {theirs:>10.3} ± {error:.3}")?;
        f.write_str(if self.is_alike() { "" } else { "  NOT THE SAME" })
    }
}

impl Compared {
    /// Returns whether the two means differ by at most three standard errors.
    pub(crate) fn is_alike(&self) -> bool {
        (self.ours - self.theirs).abs() <= 3.0 * self.error
    }
}

/// Compares the means of two programs: the number of decisions, the score of each player, and how often each player has the best score.
pub(crate) fn compared(ours: &[Ended], theirs: &[Ended]) -> Vec<Compared> {
    let names = |what: &'static str| (1..=ours[0].scores.len()).map(move |player| format!("{what} {player}"));
    let names = std::iter::once("decisions".to_owned()).chain(names("score")).chain(names("best"));
    let (ours, theirs) = (figures(ours), figures(theirs));
    let compare = |(at, name)| {
        let ((ours, one), (theirs, other)) = (mean(&ours, at), mean(&theirs, at));
        Compared { name, ours, theirs, error: one.hypot(other) }
    };
    names.enumerate().map(compare).collect()
}

/// Returns a row of figures for each game: the number of decisions, the score of each player, and for each player 1 if the player has the
/// best score, otherwise 0.
fn figures(games: &[Ended]) -> Vec<Vec<f64>> {
    let row = |game: &Ended| {
        let best = game.scores.iter().max();
        let is_best = game.scores.iter().map(|score| f64::from(u8::from(Some(score) == best)));
        let scores = game.scores.iter().map(|score| *score as f64);
        std::iter::once(game.decisions as f64).chain(scores).chain(is_best).collect()
    };
    games.iter().map(row).collect()
}

/// Returns the mean and the standard error of the figure in column `at`.
fn mean(games: &[Vec<f64>], at: usize) -> (f64, f64) {
    let count = games.len() as f64;
    let mean = games.iter().map(|row| row[at]).sum::<f64>() / count;
    let spread = games.iter().map(|row| (row[at] - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (spread / count).sqrt())
}

//! Compares taking an option with not taking it, in games in which both were possible and the seats were in similar
//! positions.
//!
//! A seat that is ahead often has other options than the rest, and chooses differently. Seats that were offered the
//! option are therefore compared within groups of equal standing, and the differences of the groups are averaged. Each
//! game counts once: only the first seat that was offered the option, and its first offer. All observations are thus
//! independent.

use super::difference::Difference;
use serde::{Deserialize, Serialize};

/// Standing of a seat when an option was offered, as of the last time the standings were computed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) enum Standing {
    /// Another seat or team is ahead.
    Behind,
    /// The seat shares the best standing, or the standings have not been computed yet.
    #[default]
    Level,
    /// All others are behind.
    Ahead,
}

/// First offer of an option in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FirstOffer {
    pub(super) standing: Standing,
    /// Whether the offer was taken.
    pub(super) is_taken: bool,
    /// Share of first place that the seat's side won, in units of the win unit.
    pub(super) win: i64,
}

/// Counts over the games in which a seat with the same standing made the same choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Cell {
    games: u64,
    /// Sum of the shares of first place, in the same unit as [`FirstOffer::win`].
    wins: i64,
}

/// First offers of an option over many games, by standing. Each standing has a cell for offers not taken and one for
/// offers taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Matched([[Cell; 2]; 3]);

/// Minimum number of games that a comparison needs with the offer taken, and likewise with the offer not taken.
const MIN_GAMES: u64 = 30;

impl Matched {
    /// Adds games with the same first offer.
    pub(super) fn add_many(&mut self, offer: FirstOffer, games: u64) {
        let cell = &mut self.0[offer.standing as usize][usize::from(offer.is_taken)];
        cell.games += games;
        cell.wins = cell.wins.saturating_add(offer.win.saturating_mul(games as i64));
    }

    /// Adds the offers of other games.
    pub(super) fn merge(&mut self, other: &Self) {
        for (cells, more) in self.0.iter_mut().zip(&other.0) {
            for (cell, more) in cells.iter_mut().zip(more) {
                cell.games += more.games;
                cell.wins = cell.wins.saturating_add(more.wins);
            }
        }
    }

    /// Returns whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the number of games in which the first offer was taken, and the number of games with a first offer.
    pub fn taken(&self) -> (u64, u64) {
        let sum = |at: usize| self.0.iter().map(|cells| cells[at].games).sum::<u64>();
        (sum(1), sum(0) + sum(1))
    }

    /// Returns the increase of the win share if the first offer is taken, as a weighted mean over the standings. The weight of a standing
    /// is its number of games. Returns `None` if too few games allow the comparison.
    ///
    /// A standing is left out if either choice was made in fewer than two games. The variance is estimated after adding a win and a loss to
    /// each cell (Agresti and Caffo 2000), so that cells without any win do not appear certain.
    pub fn difference(&self, unit: i64) -> Option<Difference> {
        let compared: Vec<&[Cell; 2]> = self.0.iter().filter(|cells| cells.iter().all(|cell| cell.games > 1)).collect();
        let sum = |at: usize| compared.iter().map(|cells| cells[at].games).sum::<u64>();
        if sum(0) < MIN_GAMES || sum(1) < MIN_GAMES {
            return None;
        }
        let all = (sum(0) + sum(1)) as f64;
        let (mut value, mut variance, mut squares) = (0.0, 0.0, 0.0);
        for [refused, taken] in compared.iter().copied() {
            let weight = (refused.games + taken.games) as f64 / all;
            value += weight * (taken.share(unit) - refused.share(unit));
            for cell in [refused, taken] {
                let part = weight * weight * cell.variance(unit);
                variance += part;
                squares += part * part / (cell.games as f64 - 1.0);
            }
        }
        // Degrees of freedom by the Welch–Satterthwaite equation.
        Some(Difference::of_estimate(value, sum(0) + sum(1), variance.sqrt(), variance * variance / squares))
    }
}

impl Cell {
    fn share(&self, unit: i64) -> f64 {
        self.wins as f64 / (self.games as f64 * unit as f64)
    }

    /// Returns the variance of the win share, after adding a win and a loss.
    fn variance(&self, unit: i64) -> f64 {
        let games = self.games as f64 + 2.0;
        let share = (self.wins as f64 / unit as f64 + 1.0) / games;
        share * (1.0 - share) / games
    }
}

#[cfg(test)]
mod tests {
    use super::super::difference::adjust_differences;
    use super::{FirstOffer, Matched, Standing};
    use crate::table::Chance;

    /// Plays games in which a seat that is ahead wins more often and also takes the option more often. Taking the option adds `effect`
    /// percentage points to the win probability.
    fn planted(seed: u64, games: u32, effect: u32) -> Matched {
        let (mut chance, mut found) = (Chance::new(seed, "matched"), Matched::default());
        for _ in 0..games {
            let (standing, takes, wins) = match chance.below(3) {
                0 => (Standing::Behind, 20, 20),
                1 => (Standing::Level, 50, 40),
                _ => (Standing::Ahead, 80, 60),
            };
            let is_taken = chance.below(100) < takes;
            let win = i64::from(chance.below(100) < wins + if is_taken { effect } else { 0 }) * 2;
            found.add_many(FirstOffer { standing, is_taken, win }, 1);
        }
        found
    }

    #[test]
    fn leaders_taking_an_option_more_often_is_not_an_effect() {
        let (mut found_any, mut covered) = (0, 0);
        for seed in 0..400 {
            let matched = planted(seed, 600, 0);
            let difference = matched.difference(2).unwrap();
            found_any += u32::from(adjust_differences(&[difference])[0].is_finding());
            covered += u32::from(difference.unadjusted().interval.contains(0.0));
        }
        // One finding in 20 runs is expected by chance. The probability of more than 32 findings in 400 runs is less than 0.5 %.
        assert!(found_any <= 32 && covered >= 368, "{found_any} found, {covered} covered");
    }

    #[test]
    fn an_effect_is_found_with_its_size() {
        let found: Vec<f64> =
            (0..20).map(|seed| planted(seed, 2000, 15).difference(2).unwrap().unadjusted().value).collect();
        let mean = found.iter().sum::<f64>() / 20.0;
        assert!((mean - 0.15).abs() < 0.02, "{mean}");
        let is_found = |seed| adjust_differences(&[planted(seed, 2000, 15).difference(2).unwrap()])[0].is_finding();
        assert_eq!((0..20).filter(|seed| is_found(*seed)).count(), 20);
    }

    #[test]
    fn options_without_variation_within_a_standing_are_not_compared() {
        let mut found = Matched::default();
        for standing in [Standing::Behind, Standing::Ahead] {
            found.add_many(FirstOffer { standing, is_taken: standing == Standing::Ahead, win: 1 }, 500);
        }
        assert!(found.difference(1).is_none());
        assert_eq!(found.taken(), (500, 1000));
    }
}

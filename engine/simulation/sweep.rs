//! Parameter sweeps: plays all combinations of values of some of a game's numbers, or searches for a combination that meets the targets.

use super::target::{Judgment, TargetResult};
use serde::{Deserialize, Serialize};

/// A number or option of the game, with the values to try.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dial {
    /// Path as for `--set`, or the name of an option.
    pub path: String,
    /// Values as for `--set`.
    pub values: Vec<String>,
}

/// One setting of all dials: the index of the chosen value of each dial.
pub type Setting = Vec<usize>;

/// Maximum number of settings of a sweep.
pub const MAX_SETTINGS: usize = 10_000;

/// Maximum number of dials of a sweep. Each setting has a place for each dial, even for dials with a single value.
pub const MAX_DIALS: usize = 100;

/// Returns the number of combinations of the values of all dials. Saturates at `usize::MAX`.
pub fn count_settings(dials: &[Dial]) -> usize {
    dials.iter().fold(1, |count, dial| count.saturating_mul(dial.values.len()))
}

/// Returns every combination of the values of all dials. The last dial varies fastest.
pub fn grid(dials: &[Dial]) -> Vec<Setting> {
    let mut settings = vec![Vec::new()];
    for dial in dials {
        settings = settings
            .iter()
            .flat_map(|setting: &Setting| {
                (0..dial.values.len()).map(move |at| setting.iter().copied().chain([at]).collect())
            })
            .collect();
    }
    settings
}

/// Returns the distance of figures from the targets: the number of missed targets, then the total distance.
pub fn distance(judged: &[TargetResult]) -> (usize, f64) {
    let missed = judged.iter().filter(|one| one.standing == Judgment::Missed).count();
    (missed, judged.iter().map(|one| one.distance).sum())
}

/// Searches for the best setting by sequential halving: every setting plays a few games, the better half plays twice as
/// many, and so on until one setting is left. Returns the settings from best to worst. Takes far fewer games than a
/// full grid.
///
/// Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits" (2013). `distance` returns the
/// distance of a setting from the targets after a total number of games.
///
/// # Errors
/// Returns the first error of `distance`.
pub fn search<E>(
    settings: &[Setting],
    games: u64,
    mut distance: impl FnMut(&Setting, u64) -> Result<(usize, f64), E>,
) -> Result<Vec<Setting>, E> {
    let rounds = settings.len().max(1).next_power_of_two().ilog2();
    let mut left: Vec<Setting> = settings.to_vec();
    let mut out: Vec<Setting> = Vec::new();
    for round in 0..rounds {
        let share = (games >> (rounds - round - 1).min(63)).clamp(MIN_GAMES.min(games), games);
        let mut ranked = Vec::new();
        for (place, setting) in left.iter().enumerate() {
            ranked.push((distance(setting, share)?, place));
        }
        ranked.sort_by(|(one, a), (two, b)| one.0.cmp(&two.0).then(one.1.total_cmp(&two.1)).then(a.cmp(b)));
        let kept = left.len().div_ceil(2);
        let order: Vec<Setting> = ranked.into_iter().map(|(_, place)| left[place].clone()).collect();
        out.splice(0..0, order[kept..].iter().cloned());
        left = order[..kept].to_vec();
    }
    left.extend(out);
    Ok(left)
}

/// Minimum number of games that a setting plays in a round of [`search`].
const MIN_GAMES: u64 = 50;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_contains_every_combination_once() {
        let dial = |count: usize| Dial { path: String::new(), values: vec![String::new(); count] };
        let settings = grid(&[dial(2), dial(3)]);
        assert_eq!(settings.len(), 6);
        assert_eq!(settings[4], [1, 1]);
        assert_eq!(grid(&[]), [Vec::<usize>::new()]);
    }

    #[test]
    fn the_search_finds_the_best_setting_with_fewer_games_than_a_grid() {
        let settings = grid(&[Dial { path: String::new(), values: vec![String::new(); 16] }]);
        let mut played = [0; 16];
        let found = search(&settings, 1600, |setting, games| {
            played[setting[0]] = games;
            Ok::<_, ()>((0, (setting[0] as f64 - 11.0).abs()))
        });
        let found = found.unwrap();
        assert_eq!((found[0][0], found.len()), (11, 16));
        let sum: u64 = played.iter().sum();
        assert!(sum < 1600 * 16 / 2, "{sum}");
    }
}

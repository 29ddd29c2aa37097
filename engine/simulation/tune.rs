//! Searches for the smallest change to a game's numbers with which the game meets its targets.
//!
//! First, each number is changed alone. The changes that bring the game closer to its targets are then combined, keeping the best few at
//! each stage (beam search), until some combination meets the targets. Settings are compared with the same random numbers over few games.
//! Only the settings that are kept play the full number of games.

use super::sweep::{Dial, Setting};
use std::collections::BTreeMap;

/// A number that may be changed, with its current value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TunableNumber {
    /// Path and values of the number, including its current value.
    pub dial: Dial,
    /// Index of the current value.
    pub present: usize,
}

/// Distance from the targets: number of missed targets, then the total distance of the figures from their bounds.
/// Smaller is better.
pub type TargetDistance = (usize, f64);

/// A setting that was played for the full number of games, with its result.
#[derive(Debug, Clone, PartialEq)]
pub struct TunedSetting {
    /// Index of the chosen value of each number.
    pub setting: Setting,
    /// Size of the change (see [`change_size`]).
    pub size: f64,
    /// Distance of the setting's figures from the targets.
    pub distance: TargetDistance,
}

/// Maximum number of settings, closest to the targets, that are extended by another change. In addition, at most this many other settings
/// are extended that meet the targets with the smallest changes.
const BEAM: usize = 6;

/// Maximum number of numbers that are changed together.
const MAX_CHANGES: usize = 3;

/// Maximum number of single changes that are combined with others.
const MAX_COMBINED: usize = 12;

/// Divisor for screening: settings are first compared over one fourth of the games.
const SCREENING: u64 = 4;

/// Minimum number of games for comparing settings.
const MIN_GAMES: u64 = 50;

impl TunableNumber {
    /// Returns the relative size of a change of the number: the difference divided by the current value or by 1, whichever is larger.
    fn change(&self, at: usize) -> f64 {
        let number = |at: usize| self.dial.values[at].parse::<f64>().unwrap_or(0.0);
        let present = number(self.present);
        (number(at) - present).abs() / present.abs().max(1.0)
    }
}

/// Returns the size of the change to a setting: the sum of the relative changes of its numbers. For example, the size is 1 if one number is
/// doubled.
pub fn change_size(numbers: &[TunableNumber], setting: &Setting) -> f64 {
    numbers.iter().zip(setting).map(|(number, at)| number.change(*at)).sum()
}

/// Searches for small changes to the current setting that bring the game closer to its targets. `distance` plays a setting up to a total
/// number of games and returns its distance from the targets, or `None` if the game cannot be played with this setting.
///
/// Returns the settings that have played all games and are closer to the targets than every smaller change, from the current setting to the
/// closest one. Returns an empty list if the game cannot be played with the current setting.
///
/// # Errors
/// Returns the first error of `distance`.
pub fn tune<E>(
    numbers: &[TunableNumber],
    games: u64,
    mut distance: impl FnMut(&Setting, u64) -> Result<Option<TargetDistance>, E>,
) -> Result<Vec<TunedSetting>, E> {
    let present: Setting = numbers.iter().map(|number| number.present).collect();
    let few = (games / SCREENING).clamp(MIN_GAMES.min(games), games);
    let mut played: Vec<TunedSetting> = Vec::new();
    let mut screened: BTreeMap<Setting, Option<TargetDistance>> = BTreeMap::new();
    let Some(base) = distance(&present, games)? else { return Ok(played) };
    played.push(TunedSetting { setting: present.clone(), size: 0.0, distance: base });
    // Play the current setting over the number of games that the others play in screening.
    let base_screened = distance(&present, few)?.unwrap_or(base);
    let mut steps: Vec<(usize, usize)> = Vec::new();
    for (at, number) in numbers.iter().enumerate() {
        steps.extend((0..number.dial.values.len()).filter(|value| *value != number.present).map(|value| (at, value)));
    }
    let mut beam = vec![present];
    for changes in 1..=MAX_CHANGES {
        if base.1 <= 0.0 && base.0 == 0 {
            break;
        }
        let mut found: Vec<TunedSetting> = Vec::new();
        for from in &beam {
            for (at, value) in &steps {
                let mut setting = from.clone();
                if setting[*at] != numbers[*at].present {
                    continue;
                }
                setting[*at] = *value;
                if screened.contains_key(&setting) {
                    continue;
                }
                let far = distance(&setting, few)?;
                screened.insert(setting.clone(), far);
                let size = change_size(numbers, &setting);
                found.extend(far.map(|distance| TunedSetting { setting, size, distance }));
            }
        }
        found.sort_by(compare_distance);
        if changes == 1 {
            // Only changes that help on their own are combined, since there are too many combinations to try them all.
            steps = found
                .iter()
                .filter(|one| is_nearer(one.distance, base_screened))
                .take(MAX_COMBINED)
                .filter_map(|one| {
                    (0..numbers.len())
                        .find(|at| one.setting[*at] != numbers[*at].present)
                        .map(|at| (at, one.setting[at]))
                })
                .collect();
        }
        // In addition to the closest settings, the smallest changes that meet the targets are kept.
        let mut kept: Vec<TunedSetting> = found.iter().take(BEAM).cloned().collect();
        let mut meeting: Vec<&TunedSetting> = found.iter().skip(BEAM).filter(|one| one.distance == (0, 0.0)).collect();
        meeting.sort_by(|one, other| one.size.total_cmp(&other.size));
        kept.extend(meeting.into_iter().take(BEAM).cloned());
        beam = Vec::new();
        for mut one in kept {
            let Some(far) = distance(&one.setting, games)? else { continue };
            one.distance = far;
            beam.push(one.setting.clone());
            played.push(one);
        }
        if played.iter().any(|one| one.distance == (0, 0.0)) {
            break;
        }
    }
    Ok(front(played))
}

fn is_nearer(one: TargetDistance, other: TargetDistance) -> bool {
    one.0 < other.0 || one.0 == other.0 && one.1 < other.1
}

fn compare_distance(one: &TunedSetting, other: &TunedSetting) -> std::cmp::Ordering {
    one.distance
        .0
        .cmp(&other.distance.0)
        .then(one.distance.1.total_cmp(&other.distance.1))
        .then(one.size.total_cmp(&other.size))
}

/// Returns the settings that are closer to the targets than every smaller change.
fn front(mut played: Vec<TunedSetting>) -> Vec<TunedSetting> {
    played.sort_by(|one, other| one.size.total_cmp(&other.size).then(compare_distance(one, other)));
    let mut found: Vec<TunedSetting> = Vec::new();
    for one in played {
        if found.last().is_none_or(|last| is_nearer(one.distance, last.distance)) {
            found.push(one);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{TunableNumber, TunedSetting, change_size, tune};
    use crate::simulation::{Dial, Setting};

    /// Creates numbers with the current value 10 and other values around it.
    fn numbers(count: usize) -> Vec<TunableNumber> {
        let values = ["5", "8", "10", "12", "15", "20"].map(str::to_owned).to_vec();
        (0..count)
            .map(|at| TunableNumber {
                dial: Dial { path: format!("params.n{at}"), values: values.clone() },
                present: 2,
            })
            .collect()
    }

    /// Searches for settings in which a weighted sum of the numbers lies in a range. Returns the front and the number
    /// of games.
    fn search(weights: &[f64], low: f64, high: f64) -> (Vec<TunedSetting>, u64) {
        let numbers = numbers(weights.len());
        let mut played = 0;
        let found = tune(&numbers, 400, |setting: &Setting, games| {
            played += games;
            let number = |(number, at): (&TunableNumber, &usize)| number.dial.values[*at].parse::<f64>().unwrap();
            let sum: f64 =
                numbers.iter().zip(setting).map(number).zip(weights).map(|(number, weight)| number * weight).sum();
            let far = (low - sum).max(sum - high).max(0.0);
            Ok::<_, ()>(Some((usize::from(far > 0.0), far)))
        });
        (found.unwrap(), played)
    }

    #[test]
    fn the_smallest_change_that_meets_the_target_is_found() {
        // The present sum is 10 + 2 × 10 = 30. Changing one number is enough: with the second at 12, which is a change
        // of a fifth, the sum is 34.
        let (found, _) = search(&[1.0, 2.0], 34.0, 40.0);
        assert_eq!((found[0].size, found[0].distance.0), (0.0, 1), "the present setting comes first");
        let last = found.last().unwrap();
        assert_eq!((last.setting.clone(), last.distance), (vec![2, 3], (0, 0.0)));
        assert!((last.size - 0.2).abs() < 1e-9 && (change_size(&numbers(2), &last.setting) - 0.2).abs() < 1e-9);
    }

    #[test]
    fn changes_are_combined_where_none_suffices_alone() {
        let (found, played) = search(&[1.0, 1.0, 0.0, 0.0, 0.0, 0.0], 38.0, 42.0);
        let last = found.last().unwrap();
        assert_eq!((last.setting.clone(), last.distance), (vec![5, 5, 2, 2, 2, 2], (0, 0.0)));
        assert!(
            found.windows(2).all(|pair| pair[0].size < pair[1].size && pair[0].distance.1 > pair[1].distance.1),
            "{found:?}"
        );
        assert!(played < 400 * 60, "{played} games, of {} for a grid of two numbers alone", 400 * 15 * 25);
    }

    #[test]
    fn nothing_is_changed_where_the_targets_are_met_or_out_of_reach() {
        let (met, _) = search(&[1.0], 9.0, 11.0);
        assert_eq!((met.len(), met[0].distance), (1, (0, 0.0)));
        let (never, _) = search(&[0.0], 99.0, 100.0);
        assert_eq!((never.len(), never[0].distance.0), (1, 1));
    }
}

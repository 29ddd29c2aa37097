//! Estimates the expected strength of a component from a number printed on it.
//!
//! In many games, cards with higher numbers are meant to be better. The first screen should therefore warn only of cards that deviate from
//! the trend of their kind. The trend is a least-squares parabola through all cards of the kind. Its argument is the printed number that
//! explains the largest share of the variance.

use super::item_row::ItemRow;
use crate::model::{Component, Model};
use crate::simulation::Estimate;

/// Minimum number of components for a trend.
const MIN_COMPONENTS: usize = 6;

/// Minimum share of the variance that a printed number must explain for a trend.
const MIN_EXPLAINED: f64 = 0.3;

/// Returns, for each row, the difference from its kind that a number printed on the component predicts. The difference is 0 if the kind has
/// no trend.
pub(super) fn expected_by_number(model: &Model, rows: &[ItemRow]) -> Vec<f64> {
    let mut expected = vec![0.0; rows.len()];
    let mut groups: Vec<&str> = rows.iter().map(|row| row.group.as_str()).collect();
    groups.sort_unstable();
    groups.dedup();
    for group in groups {
        let own: Vec<(usize, &Component, Estimate)> = rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.group == group)
            .filter_map(|(at, row)| {
                let component = model.components.iter().find(|one| *one.id == *row.id)?;
                Some((at, component, row.excess?.estimate))
            })
            .collect();
        let values: Vec<f64> = own.iter().map(|(_, _, excess)| excess.value).collect();
        let trends = (0..model.fields.len()).filter_map(|field| {
            let number = |component: &Component| {
                let (_, value) = component.fields.iter().find(|(known, _)| known.index() == field)?;
                model.field_text(value).parse::<f64>().ok()
            };
            let numbers: Option<Vec<f64>> = own.iter().map(|(_, component, _)| number(component)).collect();
            parabola(&numbers?, &values)
        });
        let best = trends.max_by(|(one, _), (other, _)| one.total_cmp(other));
        if let Some((_, fitted)) = best.filter(|(explained, _)| *explained >= MIN_EXPLAINED) {
            own.iter().zip(fitted).for_each(|((at, ..), value)| expected[*at] = value);
        }
    }
    expected
}

/// Fits a parabola. Returns the share of the variance that it explains, and the fitted values. Returns `None` if there are too few values
/// or too few different numbers, or if all values are equal.
fn parabola(numbers: &[f64], values: &[f64]) -> Option<(f64, Vec<f64>)> {
    let count = numbers.len();
    let mut different = numbers.to_vec();
    different.sort_by(f64::total_cmp);
    different.dedup();
    if count < MIN_COMPONENTS || different.len() < 4 {
        return None;
    }
    // Centering and scaling the numbers keeps the equations well-conditioned.
    let mean = numbers.iter().sum::<f64>() / count as f64;
    let scale = numbers.iter().map(|number| (number - mean).abs()).fold(0.0, f64::max);
    let powers: Vec<[f64; 3]> = numbers
        .iter()
        .map(|number| {
            let x = (number - mean) / scale;
            [1.0, x, x * x]
        })
        .collect();
    let mut system = [[0.0; 4]; 3];
    for (row, value) in powers.iter().zip(values) {
        for at in 0..3 {
            for other in 0..3 {
                system[at][other] += row[at] * row[other];
            }
            system[at][3] += row[at] * value;
        }
    }
    let factors = solve(system)?;
    let fitted: Vec<f64> =
        powers.iter().map(|row| row.iter().zip(factors).map(|(power, factor)| power * factor).sum()).collect();
    let middle = values.iter().sum::<f64>() / count as f64;
    let all: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
    let left: f64 = values.iter().zip(&fitted).map(|(value, fit)| (value - fit).powi(2)).sum();
    (all > 0.0).then(|| (1.0 - left / all, fitted))
}

/// Solves three linear equations by Gauss–Jordan elimination with pivoting. Returns `None` if there is no unique solution.
fn solve(mut system: [[f64; 4]; 3]) -> Option<[f64; 3]> {
    for column in 0..3 {
        let pivot =
            (column..3).max_by(|one, other| system[*one][column].abs().total_cmp(&system[*other][column].abs()))?;
        system.swap(column, pivot);
        if system[column][column].abs() < 1e-9 {
            return None;
        }
        let lead = system[column];
        for (row, equation) in system.iter_mut().enumerate() {
            if row != column {
                let factor = equation[column] / lead[column];
                equation.iter_mut().zip(lead).for_each(|(own, of_lead)| *own -= factor * of_lead);
            }
        }
    }
    Some([0, 1, 2].map(|row| system[row][3] / system[row][row]))
}

#[cfg(test)]
mod tests {
    use super::parabola;

    #[test]
    fn a_parabola_is_fitted_exactly_and_an_outlier_is_off_it() {
        let numbers: Vec<f64> = (1..=9).map(f64::from).collect();
        let mut values: Vec<f64> = numbers.iter().map(|x| 0.01 * x * x - 0.02 * x + 0.1).collect();
        let (explained, fitted) = parabola(&numbers, &values).unwrap();
        assert!(explained > 0.999_999 && fitted.iter().zip(&values).all(|(fit, value)| (fit - value).abs() < 1e-9));
        values[4] += 0.4;
        let (_, fitted) = parabola(&numbers, &values).unwrap();
        assert!((values[4] - fitted[4]).abs() > 0.2, "{fitted:?}");
    }

    #[test]
    fn few_or_equal_numbers_have_no_trend() {
        assert!(parabola(&[1.0, 2.0, 3.0], &[0.1, 0.2, 0.3]).is_none());
        assert!(parabola(&[1.0; 9], &[0.1; 9]).is_none());
        assert!(parabola(&[1.0, 1.0, 2.0, 2.0, 1.0, 2.0], &[0.1; 6]).is_none());
    }
}

//! Colors of a board's spaces, based on a printed field that divides the spaces into a few groups.

use crate::model::{Family, FieldType, FieldValue, Model, Space};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum number of groups with different colors.
const MAX_GROUNDS: usize = 10;

/// Muted colors on which dark letters are readable, each with the words that suggest this color.
const GROUNDS: [(&str, &[&str]); 13] = [
    ("#a9c59a", &["wood", "forest", "green", "jungle", "trees", "orchard"]),
    ("#dfe6b4", &["plain", "grass", "meadow", "field", "pasture", "lime", "prairie", "farm"]),
    ("#c9a878", &["hill", "brown", "clay", "earth", "brick"]),
    ("#b3aca6", &["mountain", "rock", "stone", "gray", "grey", "peak", "ore"]),
    ("#9fc3dc", &["water", "sea", "lake", "river", "ocean", "blue", "coast"]),
    ("#ecd9a0", &["desert", "sand", "dune", "yellow", "gold", "wheat"]),
    ("#a8c6bd", &["swamp", "marsh", "teal", "bog"]),
    ("#e2b3a4", &["city", "town", "village", "red", "market", "house"]),
    ("#f1f3f5", &["ice", "snow", "white", "glacier"]),
    ("#d8bcd9", &["purple", "violet", "temple", "magic"]),
    ("#e9bd8c", &["orange", "road", "camp"]),
    ("#e6c3cf", &["pink", "rose", "garden"]),
    ("#8f8a84", &["black", "wall", "cave", "lava"]),
];

/// Colors for ascending numbers, from low to high.
const HEIGHTS: [&str; 6] = ["#dfe6c6", "#d8d3a6", "#cdb989", "#bc9d6f", "#a9865f", "#967254"];

/// Colors of the spaces of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terrain {
    /// Name of the printed field that divides the spaces into groups.
    field: Arc<str>,
    /// Values of the field, with their colors.
    colors: Vec<(FieldValue, &'static str)>,
}

impl Terrain {
    /// Returns the colors of a board. Returns `None` unless a printed field contains words that suggest colors, or divides the spaces into
    /// a few groups.
    pub fn new(model: &Model, family: &Family) -> Option<Self> {
        let of_type = |wanted: FieldType| {
            let fields = family.printed.iter().filter(move |(_, of)| **of == wanted);
            fields.filter_map(|(name, _)| Some((name, values(model, family, name)?)))
        };
        // Fields with words that suggest a color take precedence.
        let grounds = of_type(FieldType::Word)
            .filter(|(_, (values, _))| values.iter().any(|word| suggested_ground(word).is_some()));
        let groups = of_type(FieldType::Word).chain(of_type(FieldType::Number)).filter(|(_, (_, divides))| *divides);
        let (field, (values, _)) = grounds.chain(groups).next()?;
        let is_number = matches!(values[0], FieldValue::Number(_));
        let colors = if is_number { by_number(&values) } else { by_word(&values) };
        Some(Self { field: field.clone(), colors })
    }

    /// Returns the color of a space. Returns `None` if the field that divides the spaces is not printed on the space.
    pub fn color_of(&self, space: &Space) -> Option<&'static str> {
        let printed = space.fields.get(&self.field)?;
        self.colors.iter().find(|(value, _)| value == printed).map(|(_, color)| *color)
    }
}

/// Returns the different values of a field in order of first appearance, and whether they divide the spaces into groups: there are at least
/// two values, and on average each occurs on at least two spaces. Returns `None` if there are no values or too many.
fn values(model: &Model, family: &Family, name: &Arc<str>) -> Option<(Vec<FieldValue>, bool)> {
    let zones = family.zones.clone().map(|zone| &model.zones[usize::from(zone)]);
    let spaces = zones.flat_map(|zone| zone.spaces.clone()).map(|space| &model.spaces[usize::from(space)]);
    let mut found: Vec<FieldValue> = Vec::new();
    let mut number = 0;
    for value in spaces.filter_map(|space| space.fields.get(name)).filter(|value| **value != FieldValue::Nothing) {
        number += 1;
        if !found.contains(value) {
            found.push(value.clone());
        }
        if found.len() > MAX_GROUNDS {
            return None;
        }
    }
    let divides = found.len() >= 2 && number >= 2 * found.len();
    (!found.is_empty()).then_some((found, divides))
}

/// Returns the color that a word suggests, as an index into [`GROUNDS`].
fn suggested_ground(value: &FieldValue) -> Option<usize> {
    let FieldValue::Word(word) = value else { return None };
    let word = word.to_lowercase();
    let parts: Vec<&str> = word.split(['_', '-', ' ']).collect();
    let is_meant = |known: &&str| parts.iter().any(|part| part == known || part.strip_suffix('s') == Some(*known));
    GROUNDS.iter().position(|(_, words)| words.iter().any(&is_meant))
}

fn by_word(values: &[FieldValue]) -> Vec<(FieldValue, &'static str)> {
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut colors: Vec<Option<usize>> = Vec::new();
    for value in values {
        colors.push(suggested_ground(value).filter(|at| taken.insert(*at)));
    }
    for color in &mut colors {
        if color.is_none() {
            *color = (0..GROUNDS.len()).find(|at| taken.insert(*at));
        }
    }
    values.iter().cloned().zip(colors.into_iter().map(|at| GROUNDS[at.unwrap_or_default()].0)).collect()
}

fn by_number(values: &[FieldValue]) -> Vec<(FieldValue, &'static str)> {
    let mut sorted: Vec<i64> = values
        .iter()
        .filter_map(|value| if let FieldValue::Number(number) = value { Some(*number) } else { None })
        .collect();
    sorted.sort_unstable();
    let count = sorted.len().max(1);
    let color = |at: usize| {
        let last = HEIGHTS.len() - 1;
        HEIGHTS[if count <= HEIGHTS.len() { at * last / (count - 1).max(1) } else { at * HEIGHTS.len() / count }]
    };
    sorted.into_iter().enumerate().map(|(at, number)| (FieldValue::Number(number), color(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::{by_number, by_word};
    use crate::model::FieldValue;

    #[test]
    fn known_terrain_words_get_matching_colors_and_others_unused_ones() {
        let words = ["hills", "zzz", "deep_water", "forest"].map(|word| FieldValue::Word(word.into()));
        let colors: Vec<&str> = by_word(&words).into_iter().map(|(_, color)| color).collect();
        assert_eq!(colors, ["#c9a878", "#dfe6b4", "#9fc3dc", "#a9c59a"]);
    }

    #[test]
    fn numbers_get_darker_as_they_rise() {
        let numbers = [3, 1, 2].map(FieldValue::Number);
        let colors = by_number(&numbers);
        assert_eq!(colors[0], (FieldValue::Number(1), "#dfe6c6"));
        assert_eq!(colors[2], (FieldValue::Number(3), "#967254"));
    }
}

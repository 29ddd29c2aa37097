//! Targets on the command line, such as `seat gap < 3 points`.

use crate::simulation::DEFINITIONS;
use serde::{Deserialize, Serialize};

/// Target given on the command line: a figure with its bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct TargetArgument {
    /// Id of the figure, as in `[targets]`.
    figure: String,
    min: Option<String>,
    max: Option<String>,
}

impl TargetArgument {
    /// Returns the target as a path and a value for `--set`.
    pub(super) fn to_set(&self) -> (String, String) {
        let bound = |name: &str, bound: &Option<String>| bound.as_ref().map(|bound| format!("{name} = {bound}"));
        let bounds: Vec<String> = [bound("min", &self.min), bound("max", &self.max)].into_iter().flatten().collect();
        (format!("targets.{}", self.figure), format!("{{ {} }}", bounds.join(", ")))
    }
}

/// Parses a target: a figure with an upper bound, a lower bound, or a range.
pub(super) fn parse_target_argument(text: &str) -> Result<TargetArgument, String> {
    let wrong = || "write a figure and a bound, as `seat gap < 3 points`, `success >= 0.4` or `rounds 5..8`".to_owned();
    for (sign, is_max) in [("<=", true), ("≤", true), ("<", true), (">=", false), ("≥", false), (">", false)] {
        if let Some((figure, bound)) = text.split_once(sign) {
            let bound = Some(number(bound).ok_or_else(wrong)?);
            let (min, max) = if is_max { (None, bound) } else { (bound, None) };
            return Ok(TargetArgument { figure: figure_id(figure).ok_or_else(wrong)?, min, max });
        }
    }
    let (low, high) = text.split_once("..").ok_or_else(wrong)?;
    let (figure, low) = low.trim().rsplit_once(' ').ok_or_else(wrong)?;
    let is_share = high.contains('%') || high.contains("point");
    let low = if is_share && !low.contains('%') { format!("{low} %") } else { low.to_owned() };
    let (min, max) = (number(&low).ok_or_else(wrong)?, number(high).ok_or_else(wrong)?);
    Ok(TargetArgument { figure: figure_id(figure).ok_or_else(wrong)?, min: Some(min), max: Some(max) })
}

/// Converts the id of a figure, or its name in reports, to the id. Returns `None` if the name is empty or contains a character that ids
/// cannot contain.
fn figure_id(name: &str) -> Option<String> {
    let name = name.trim().trim_end_matches('=').trim();
    let known = DEFINITIONS.iter().find(|known| known.name.eq_ignore_ascii_case(name));
    let id = known.map_or_else(|| name.replace(' ', "_").to_lowercase(), |known| known.id.to_owned());
    let is_plain = |letter: char| letter.is_alphanumeric() || "_.-[]".contains(letter);
    (!id.is_empty() && id.chars().all(is_plain)).then_some(id)
}

/// Parses a number, and formats it as a decimal fraction. Points and percentages are divided by 100.
fn number(text: &str) -> Option<String> {
    let text = text.trim();
    let units = ["percentage points", "percentage point", "points", "point", "%"];
    let hundredths = units.into_iter().find_map(|unit| text.strip_suffix(unit));
    let number: f64 = hundredths.unwrap_or(text).trim().parse().ok()?;
    let number = if hundredths.is_some() { number / 100.0 } else { number };
    let text = format!("{number:.6}");
    number.is_finite().then(|| text.trim_end_matches('0').trim_end_matches('.').to_owned())
}

#[cfg(test)]
mod tests {
    use super::parse_target_argument;

    #[test]
    fn targets_parse_from_comparisons_and_ranges() {
        for (text, path, value) in [
            ("seat_win gap < 3 points", "targets.seat_win_gap", "{ max = 0.03 }"),
            ("seat gap<=3%", "targets.seat_win_gap", "{ max = 0.03 }"),
            ("success ≥ 0.4", "targets.success", "{ min = 0.4 }"),
            ("rounds 5..8", "targets.rounds", "{ min = 5, max = 8 }"),
            ("success 40..60 %", "targets.success", "{ min = 0.4, max = 0.6 }"),
            ("leader at half wins < 60 %", "targets.leader_half", "{ max = 0.6 }"),
            ("ending.broke > 0.1", "targets.ending.broke", "{ min = 0.1 }"),
        ] {
            let found = parse_target_argument(text).unwrap().to_set();
            assert_eq!(found, (path.to_owned(), value.to_owned()), "{text}");
        }
        for wrong in ["", "rounds", "rounds <", "< 3", "rounds < many", "rounds 5..", "rounds ..", "a=b; < 3"] {
            assert!(parse_target_argument(wrong).is_err(), "{wrong}");
        }
    }
}

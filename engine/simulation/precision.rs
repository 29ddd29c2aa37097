//! Stopping rule of a batch: play until the intervals of given figures are narrow enough.

use super::estimate::{CONFIDENCE, Estimate, z_quantile};
use super::figures::Figures;
use super::measure::{DEFINITIONS, definition};
use super::target::{check_figure, figure};
use crate::diagnostic::did_you_mean;
use crate::model::{Figure, Language, Model, Target};

/// Number of games between checks of the stopping rule. The rule is checked only at multiples of this number, so that
/// the number of games does not depend on the number of threads or on interruptions.
pub const LOOK: u64 = 1000;

/// Ratio of the half width at which a batch stops to the requested half width.
///
/// A batch that stops as soon as an interval is narrow enough tends to stop when the games happen to vary too little. A stricter rule
/// compensates for that, so that the stated interval contains the true value as often as claimed.
///
/// Chow and Robbins, "On the Asymptotic Theory of Fixed-Width Sequential Confidence Intervals for the Mean" (1965) show that the loss of
/// coverage vanishes for many games. Frey, "Fixed-Width Sequential Confidence Intervals for a Proportion" (2010) compensates for it with a
/// stricter stopping rule. `tests/batches/stopping.rs` tests the coverage.
const STOPPING_FACTOR: f64 = 0.975;

/// Minimum half width that can be requested, as a share or in the figure's unit. A smaller one would take more games than can be played.
const MIN_WIDTH: f64 = 0.000_01;

/// Exclusive upper bound of the half width that can be requested for a share. Every share is known this precisely without any games.
const MAX_SHARE_WIDTH: f64 = 0.5;

/// Maximum half width that can be requested for figures that are not shares.
const MAX_WIDTH: f64 = 1e12;

/// Minimum number of games with a figure before its interval is checked.
const MIN_GAMES: u64 = 100;

/// Requested precision of one or more figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Precision {
    figures: Vec<String>,
    within: f64,
    is_share: bool,
}

/// Result of checking the stopping rule at some point of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct InterimLook {
    /// Whether all intervals are narrow enough. Only true if the number of games is a multiple of [`LOOK`].
    pub is_enough: bool,
    /// Name of the figure with the widest interval.
    pub widest: String,
    /// Half width of the widest interval, adjusted so that the intervals of all figures hold simultaneously. `None` if too few games have
    /// the figure.
    pub reach: Option<f64>,
    /// Half width at which the batch stops. Slightly smaller than requested, because of the repeated checks.
    pub allowed: f64,
    /// Total number of games needed, assuming that the variance stays the same. `None` if too few games have the figure.
    pub games: Option<u64>,
}

impl Precision {
    /// Parses a request such as `win share ± 1 point` or `rounds +- 0.1`. Figures are named as in targets or in reports.
    ///
    /// # Errors
    /// Returns a message and a help text if the figure or the width is not valid.
    pub fn parse(text: &str, model: &Model) -> Result<Self, (String, String)> {
        let sign = ["±", "+/-", "+-"].into_iter().find_map(|sign| text.split_once(sign));
        let Some((name, width)) = sign.map(|(name, width)| (name.trim(), width.trim())) else {
            let name = if text.trim().is_empty() { "win share" } else { text.trim() };
            return Err((
                format!("`{text}` does not say how narrow"),
                format!(
                    "write the figure and a width, as `{name} ± 1 point` for a share or `rounds ± 0.1`; `+-` stands for `±`"
                ),
            ));
        };
        let figures = figures_of(name, model).map_err(|help| (format!("`{name}` is no figure of the game"), help))?;
        let is_share = Target::is_share(&figures[0]);
        let within = read_width(name, width, is_share)?;
        Ok(Self { figures, within, is_share })
    }

    /// Returns the requested half width of the interval, in the figure's unit.
    pub fn within(&self) -> f64 {
        self.within
    }

    /// Returns whether the figures are shares from 0 to 1.
    pub fn is_share(&self) -> bool {
        self.is_share
    }

    /// Compares the intervals of the requested figures, after the games played so far, with the requested half width.
    pub fn look(&self, model: &Model, figures: &Figures) -> InterimLook {
        // Bonferroni correction, so that the intervals of all figures hold simultaneously.
        let doubt = (1.0 - CONFIDENCE) / self.figures.len() as f64;
        let wider = z_quantile(1.0 - doubt) / z_quantile(CONFIDENCE);
        let half_width = |word: &String| {
            let found = figure(model, figures, word).filter(|found| found.count >= MIN_GAMES);
            found.map_or(f64::INFINITY, |found| wider * half_width_of(&found))
        };
        let all = self.figures.iter().map(|word| (half_width(word), word));
        let widest = all.max_by(|(one, _), (two, _)| one.total_cmp(two));
        let (reach, word) = widest.expect("there is a figure");
        let asked = self.within * STOPPING_FACTOR;
        let is_known = reach.is_finite();
        let factor = (reach / asked).powi(2).max(1.0);
        let needed = (figures.games as f64 * factor / LOOK as f64).ceil() as u64;
        InterimLook {
            is_enough: reach <= asked && figures.games > 0 && figures.games.is_multiple_of(LOOK),
            widest: name_of(word, model),
            allowed: asked,
            reach: is_known.then_some(reach),
            games: is_known.then(|| needed.max(1).saturating_mul(LOOK)),
        }
    }
}

/// Returns the larger distance from the value to an end of its interval.
fn half_width_of(found: &Estimate) -> f64 {
    (found.interval.high - found.value).max(found.value - found.interval.low)
}

/// Returns the identifiers of the figures called `name`. The error is a help text that says what to write.
fn figures_of(name: &str, model: &Model) -> Result<Vec<String>, String> {
    let (group, qualifier) = match name.split_once([',', ':']) {
        Some((group, qualifier)) => (group.trim(), Some(qualifier.trim())),
        None => (name, None),
    };
    let is_called = |id: &str, name: &str| group.eq_ignore_ascii_case(id) || group.eq_ignore_ascii_case(name);
    let known = DEFINITIONS.iter().find(|known| is_called(known.id, known.name));
    let id = known.map_or(group, |known| known.id);
    let word = match qualifier {
        None => id.to_owned(),
        Some(qualifier) if id == "ending" => format!("ending.{}", ending_called(qualifier, model)),
        Some(qualifier) => format!("{id}.{}", qualifier.strip_prefix("seat").unwrap_or(qualifier).trim()),
    };
    let of_all = |all: Vec<String>| all.into_iter().map(|each| format!("{word}.{each}")).collect();
    match &*word {
        "win" => Ok(of_all((1..=model.seats).map(|seat| seat.to_string()).collect())),
        "ending" if !model.endings.is_empty() => {
            Ok(of_all(model.endings.iter().map(|ending| ending.id.to_string()).collect()))
        }
        _ => match check_figure(model, &word) {
            Ok(()) => Ok(vec![word]),
            Err(help) if known.is_some() && qualifier.is_some() => Err(help),
            Err(help) => Err(nearest_name(name).unwrap_or(help)),
        },
    }
}

fn ending_called<'m>(name: &'m str, model: &'m Model) -> &'m str {
    let is_called = |known: &str| known.eq_ignore_ascii_case(name);
    let found = model.endings.iter().find(|ending| is_called(ending.name.get(Language::English)));
    found.map_or(name, |ending| &ending.id)
}

/// Suggests the figure whose name or identifier is most similar to `written`. Returns `None` if no figure is similar, or if `written`
/// contains a dot.
fn nearest_name(written: &str) -> Option<String> {
    if written.contains('.') {
        return None;
    }
    let is_figure = |id: &str| Figure::from_word(id).is_some() || id == "win" || id == "ending";
    let figures = DEFINITIONS.iter().filter(|known| is_figure(known.id));
    did_you_mean(written, figures.flat_map(|known| [known.name, known.id]))
}

/// Returns a figure's display name, including the seat or ending that the figure is about.
fn name_of(word: &str, model: &Model) -> String {
    let (id, qualifier) = word.split_once('.').unwrap_or((word, ""));
    let name = if DEFINITIONS.iter().any(|known| known.id == id) { definition(id).name } else { id };
    match id {
        _ if qualifier.is_empty() => name.to_owned(),
        "win" | "score" => format!("{name}, seat {qualifier}"),
        "ending" => match model.find_ending(qualifier) {
            Some(found) => format!("{name}: {}", model.endings[found.index()].name.get(Language::English)),
            None => format!("{name}: {qualifier}"),
        },
        _ => format!("{name} {qualifier}"),
    }
}

/// Parses a half width: points or a fraction for a share, otherwise a number in the figure's unit. The error is a message and a help text.
fn read_width(name: &str, text: &str, is_share: bool) -> Result<f64, (String, String)> {
    let example = if is_share { format!("{name} ± 1 point") } else { format!("{name} ± 0.5") };
    let mistake = |what: String, help: String| Err((what, help));
    if text.is_empty() {
        return mistake(format!("`{name} ±` has no width"), format!("write how narrow, as `{example}`"));
    }
    let end = text.find(|sign: char| !sign.is_ascii_digit() && sign != '.' && sign != '-').unwrap_or(text.len());
    let (digits, unit) = (&text[..end], text[end..].trim());
    let Ok(number) = digits.parse::<f64>() else {
        return mistake(format!("`{text}` is no width"), format!("write a number, as `{example}`"));
    };
    if unit.contains(|sign: char| sign.is_ascii_digit()) {
        return mistake(
            format!("`{text}` is no number as it is written here"),
            format!("write digits alone, with a full stop before a part of one, as `{example}`"),
        );
    }
    if number <= 0.0 {
        return mistake(
            format!("an interval is never as narrow as {text}"),
            format!("write a number above 0, as `{example}`"),
        );
    }
    let in_points = matches!(unit, "point" | "points");
    let of_share = is_share && in_points;
    let narrowest = if of_share { 100.0 * MIN_WIDTH } else { MIN_WIDTH };
    if number < narrowest && (of_share || unit.is_empty()) {
        return mistake(
            format!("no batch has as many games as ± {text} takes"),
            format!("write no less than {narrowest}{}, as `{example}`", if of_share { " points" } else { "" }),
        );
    }
    match (is_share, unit) {
        (true, _) if in_points && number / 100.0 < MAX_SHARE_WIDTH => Ok(number / 100.0),
        (true, "") if number < MAX_SHARE_WIDTH => Ok(number),
        (true, "") if number < 1.0 => {
            mistake(format!("every share is known to within {text}"), format!("write a smaller part, as `{example}`"))
        }
        (false, "") if number > MAX_WIDTH => mistake(
            "no figure of a game is as large as this width".to_owned(),
            format!("write how narrow, as `{example}`"),
        ),
        (true, "") => mistake(
            format!("{name} is a share, from 0 to 1, and every interval is narrower than {text}"),
            if number / 100.0 < MAX_SHARE_WIDTH {
                format!("write `{name} ± {text} {}`, hundredths, or a part of one", points(digits))
            } else {
                format!("write how narrow, as `{example}`")
            },
        ),
        (true, "%") => mistake(
            "`%` may mean a part of the figure, or points".to_owned(),
            format!("write `{name} ± {digits} {}`", points(digits)),
        ),
        (true, _) if in_points => {
            mistake(format!("every share is known to within {text}"), format!("write fewer points, as `{example}`"))
        }
        (true, _) => mistake(format!("`{unit}` is no unit of a share"), format!("write points, as `{example}`")),
        (false, "") => Ok(number),
        (false, _) if in_points => mistake(
            format!("{name} is no share: it is not counted in hundredths"),
            format!("write a plain number in its own unit, as `{name} ± {digits}`"),
        ),
        (false, _) => {
            mistake(format!("`{unit}` is no unit here"), format!("write a plain number, as `{name} ± {digits}`"))
        }
    }
}

fn points(digits: &str) -> &'static str {
    if digits == "1" { "point" } else { "points" }
}

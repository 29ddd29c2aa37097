//! How narrow an interval a batch is played until, and whether it is.

use super::estimate::{CONFIDENCE, Estimate, reach};
use super::figures::Figures;
use super::measure::{DEFINITIONS, definition};
use super::target::{check_figure, figure};
use crate::diagnostic::did_you_mean;
use crate::model::{Figure, Language, Model, Target};

/// After each so many games it is looked at how wide the intervals are, and never in between: the games that a batch stops
/// after do not depend on how many threads play them, or how often it was interrupted.
pub const LOOK: u64 = 1000;

/// An interval is narrow enough when it is this part of what is asked. A batch that stops at the first interval that is narrow
/// enough rather stops where games happened to vary too little; what is stated covers the truth as often as it says if the rule of
/// stopping asks for somewhat more than what is stated.
///
/// Chow and Robbins, "On the Asymptotic Theory of Fixed-Width Sequential Confidence Intervals for the Mean" (1965): from
/// many games on the loss is small. Frey, "Fixed-Width Sequential Confidence Intervals for a Proportion" (2010): a stricter rule
/// of stopping makes up for it. `tests/batches/until.rs` holds the coverage.
const STRICTER: f64 = 0.975;

/// Nothing is asked for more narrowly than this, of a share or in a figure's own unit: it would take more games than are played.
const NARROWEST: f64 = 0.000_01;

/// Every share is known to within this.
const WIDEST_SHARE: f64 = 0.5;

/// No figure of a game is as large.
const WIDEST: f64 = 1e12;

/// From fewer games that have a figure nothing is concluded about how it varies.
const FEWEST: u64 = 100;

/// Figures, and how narrowly they are to be known.
#[derive(Debug, Clone, PartialEq)]
pub struct Precision {
    figures: Vec<String>,
    within: f64,
    is_share: bool,
}

/// The widths of intervals after some games.
#[derive(Debug, Clone, PartialEq)]
pub struct InterimLook {
    /// Whether all of them are narrow enough; so they are only after a number of games at which it is looked.
    pub is_enough: bool,
    /// The figure with the widest interval, by its word.
    pub widest: String,
    /// How far it may lie from the figure, for all figures together to be right as often as an interval is; nothing where too few games
    /// have the figure.
    pub reach: Option<f64>,
    /// How far it may reach, so that what is asked holds however often it was looked.
    pub allowed: f64,
    /// How many games it would take in all, if they vary as they do.
    pub games: Option<u64>,
}

impl Precision {
    /// Reads what is asked: `win share ± 1 point`, `rounds +- 0.1`. Figures are called as targets call them, or as reports do.
    ///
    /// # Errors
    /// What is wrong where it is no figure of the game, or no width; and what to write.
    pub fn read(text: &str, model: &Model) -> Result<Self, (String, String)> {
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

    /// How far an interval may reach from its figure, in the figure's unit.
    pub fn within(&self) -> f64 {
        self.within
    }

    /// Whether the figures are shares, from 0 to 1.
    pub fn is_share(&self) -> bool {
        self.is_share
    }

    /// Looks at the figures of the first games of a batch.
    pub fn look(&self, model: &Model, figures: &Figures) -> InterimLook {
        // Bonferroni: each of several is known so surely that all of them together hold as often as one alone would.
        let doubt = (1.0 - CONFIDENCE) / self.figures.len() as f64;
        let wider = reach(1.0 - doubt) / reach(CONFIDENCE);
        let reach = |word: &String| {
            let found = figure(model, figures, word).filter(|found| found.count >= FEWEST);
            found.map_or(f64::INFINITY, |found| wider * reach_of(&found))
        };
        let all = self.figures.iter().map(|word| (reach(word), word));
        let widest = all.max_by(|(one, _), (two, _)| one.total_cmp(two));
        let (reach, word) = widest.expect("there is a figure");
        let asked = self.within * STRICTER;
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

/// The larger of the two ways from a figure to the ends of its interval.
fn reach_of(found: &Estimate) -> f64 {
    (found.interval.high - found.value).max(found.value - found.interval.low)
}

/// The words of the figures that a name stands for; otherwise what to write.
fn figures_of(name: &str, model: &Model) -> Result<Vec<String>, String> {
    let (group, of) = match name.split_once([',', ':']) {
        Some((group, of)) => (group.trim(), Some(of.trim())),
        None => (name, None),
    };
    let is_called = |id: &str, name: &str| group.eq_ignore_ascii_case(id) || group.eq_ignore_ascii_case(name);
    let known = DEFINITIONS.iter().find(|known| is_called(known.id, known.name));
    let id = known.map_or(group, |known| known.id);
    let word = match of {
        None => id.to_owned(),
        Some(of) if id == "ending" => format!("ending.{}", ending_called(of, model)),
        Some(of) => format!("{id}.{}", of.strip_prefix("seat").unwrap_or(of).trim()),
    };
    let of_all = |all: Vec<String>| all.into_iter().map(|of| format!("{word}.{of}")).collect();
    match &*word {
        "win" => Ok(of_all((1..=model.seats).map(|seat| seat.to_string()).collect())),
        "ending" if !model.endings.is_empty() => {
            Ok(of_all(model.endings.iter().map(|ending| ending.id.to_string()).collect()))
        }
        _ => match check_figure(model, &word) {
            Ok(()) => Ok(vec![word]),
            Err(help) if known.is_some() && of.is_some() => Err(help),
            Err(help) => Err(nearest_name(name).unwrap_or(help)),
        },
    }
}

fn ending_called<'m>(name: &'m str, model: &'m Model) -> &'m str {
    let is_called = |known: &str| known.eq_ignore_ascii_case(name);
    let found = model.endings.iter().find(|ending| is_called(ending.name.get(Language::English)));
    found.map_or(name, |ending| &ending.id)
}

/// The figure that was meant, by what people call it or by its word.
fn nearest_name(written: &str) -> Option<String> {
    if written.contains('.') {
        return None;
    }
    let is_figure = |id: &str| Figure::named(id).is_some() || id == "win" || id == "ending";
    let figures = DEFINITIONS.iter().filter(|known| is_figure(known.id));
    did_you_mean(written, figures.flat_map(|known| [known.name, known.id]))
}

/// What people call a figure.
fn name_of(word: &str, model: &Model) -> String {
    let (id, of) = word.split_once('.').unwrap_or((word, ""));
    let name = if DEFINITIONS.iter().any(|known| known.id == id) { definition(id).name } else { id };
    match id {
        _ if of.is_empty() => name.to_owned(),
        "win" | "score" => format!("{name}, seat {of}"),
        "ending" => match model.find_ending(of) {
            Some(found) => format!("{name}: {}", model.endings[found.index()].name.get(Language::English)),
            None => format!("{name}: {of}"),
        },
        _ => format!("{name} {of}"),
    }
}

/// A width in the figure's own unit: a share is given in points, or as a part of one.
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
    let narrowest = if of_share { 100.0 * NARROWEST } else { NARROWEST };
    if number < narrowest && (of_share || unit.is_empty()) {
        return mistake(
            format!("no batch has as many games as ± {text} takes"),
            format!("write no less than {narrowest}{}, as `{example}`", if of_share { " points" } else { "" }),
        );
    }
    match (is_share, unit) {
        (true, _) if in_points && number / 100.0 < WIDEST_SHARE => Ok(number / 100.0),
        (true, "") if number < WIDEST_SHARE => Ok(number),
        (true, "") if number < 1.0 => {
            mistake(format!("every share is known to within {text}"), format!("write a smaller part, as `{example}`"))
        }
        (false, "") if number > WIDEST => mistake(
            "no figure of a game is as large as this width".to_owned(),
            format!("write how narrow, as `{example}`"),
        ),
        (true, "") => mistake(
            format!("{name} is a share, from 0 to 1, and every interval is narrower than {text}"),
            if number / 100.0 < WIDEST_SHARE {
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

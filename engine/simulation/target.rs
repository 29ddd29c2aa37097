//! Comparison of figures with the targets that the author set.

use super::estimate::{Estimate, Interval};
use super::figures::Figures;
use super::histogram::Histogram;
use super::measure::Measure;
use crate::diagnostic::did_you_mean;
use crate::model::{Figure, FigureGroup, Model, Target};
use crate::session::tallied_names;
use serde::Serialize;

/// Result of comparing a figure with a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgment {
    /// The whole interval of the figure lies within the bounds.
    Met,
    /// The interval contains a bound, or no game has the figure. More games may decide the result.
    Open,
    /// The whole interval lies outside the bounds.
    Missed,
}

/// A target with its figure and result.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetResult {
    /// The target.
    pub target: Target,
    /// The figure; `None` if no game has this figure.
    pub estimate: Option<Estimate>,
    /// Result of the comparison.
    pub standing: Judgment,
    /// Distance of the figure from the bounds, relative to the bound (absolute if the bound is 0). 0 if the figure lies within the bounds,
    /// and 1 if no game has the figure.
    pub distance: f64,
}

impl Judgment {
    /// Returns the word for the result.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Open => "open",
            Self::Missed => "missed",
        }
    }
}

/// Compares the targets of a game with its figures. Targets that compare seats do not apply to games that all players
/// win or lose together. Batches of campaigns are judged only by figures that campaigns have, and batches of single
/// games by all figures except those that only campaigns have.
pub fn judge(model: &Model, figures: &Figures) -> Vec<TargetResult> {
    let is_campaign = figures.is_of_campaigns();
    let is_cooperative = figures.success().is_some();
    let applies = |target: &&Target| {
        let is_played = if is_campaign {
            Target::is_of_campaigns(&target.figure)
        } else {
            !Target::is_of_campaigns_only(&target.figure)
        };
        is_played && !(is_cooperative && Target::is_between_seats(&target.figure))
    };
    model.targets.iter().filter(applies).map(|target| judge_one(model, figures, target)).collect()
}

fn judge_one(model: &Model, figures: &Figures, target: &Target) -> TargetResult {
    let estimate = figure(model, figures, &target.figure).filter(|estimate| estimate.count > 0);
    let Some(found) = estimate else {
        return TargetResult { target: target.clone(), estimate: None, standing: Judgment::Open, distance: 1.0 };
    };
    let bound = |millionths: Option<i64>| millionths.map(|bound| bound as f64 / Target::UNIT as f64);
    let (min, max) = (bound(target.min), bound(target.max));
    let keeps = |number: f64| min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max);
    // If the target is that no game fails, judge the value instead of its interval. The interval of a share never shrinks to 0, however
    // many games are played.
    let is_exact = Figure::from_word(&target.figure) == Some(Figure::Faults) && max == Some(0.0);
    let Interval { low, high } =
        if is_exact { Interval { low: found.value, high: found.value } } else { found.interval };
    let is_beyond = max.is_some_and(|max| low > max) || min.is_some_and(|min| high < min);
    let standing = if is_beyond {
        Judgment::Missed
    } else if keeps(low) && keeps(high) {
        Judgment::Met
    } else {
        Judgment::Open
    };
    let over = |bound: f64, by: f64| by.max(0.0) / if bound == 0.0 { 1.0 } else { bound.abs() };
    let above = max.map_or(0.0, |max| over(max, found.value - max));
    let below = min.map_or(0.0, |min| over(min, min - found.value));
    TargetResult { target: target.clone(), estimate, standing, distance: above + below }
}

/// Returns a figure by the word that targets and sweeps use. `None` if there is no such figure.
pub fn figure(model: &Model, figures: &Figures, word: &str) -> Option<Estimate> {
    if let Some(figure) = Figure::from_word(word) {
        return Some(figure_of_all(figures, figure));
    }
    let (group, name) = FigureGroup::split(word)?;
    let number = || name.parse::<u8>().ok()?.checked_sub(1);
    let measure = match group {
        FigureGroup::Ending => Measure::Ending(model.find_ending(name).map(|_| name.into())?),
        FigureGroup::Tally => tally(figures, name),
        FigureGroup::Win => Measure::Win(number()?),
        FigureGroup::Place => Measure::Place(number()?),
        FigureGroup::Score => Measure::Score(number()?),
        FigureGroup::Attempts => Measure::Attempts(name.into()),
        FigureGroup::ScenarioWon => Measure::ScenarioWon(name.into()),
        FigureGroup::Carried => {
            let (scenario, place) = name.split_once('.')?;
            Measure::Carried(scenario.into(), place.into())
        }
    };
    Some(figures.estimate(&measure))
}

fn figure_of_all(figures: &Figures, figure: Figure) -> Estimate {
    let measure = match figure {
        Figure::SeatWinGap => return figures.seat_gap(),
        Figure::Faults => return faults(figures),
        Figure::Success => Measure::Success,
        Figure::CampaignGames => Measure::CampaignGames,
        Figure::Score => Measure::Scores,
        Figure::Ties => Measure::Tie,
        Figure::Rounds => Measure::Rounds,
        Figure::Turns => Measure::Turns,
        Figure::Decisions => Measure::Decisions,
        Figure::Forced => Measure::Forced,
        Figure::Options => Measure::Options,
        Figure::Margin => Measure::Margin,
        Figure::LastGap => Measure::LastGap,
        Figure::LeadChanges => Measure::LeadChanges,
        Figure::LastLead => Measure::LastLead,
        Figure::LeaderQuarter => Measure::LeaderWins(1),
        Figure::LeaderHalf => Measure::LeaderWins(2),
        Figure::LeaderThreeQuarters => Measure::LeaderWins(3),
        Figure::Comeback => Measure::Comeback,
    };
    figures.estimate(&measure)
}

/// Help text for a target of `success` in a game that is not co-operative.
const NOT_COOPERATIVE: &str = "success is of games that all players win or lose together: give every ending `winners = \"everybody\"` or \
                               `winners = \"nobody\"`";

/// Checks that a word names a figure of a game.
///
/// # Errors
/// Returns a help text that says what to write instead.
pub fn check_figure(model: &Model, word: &str) -> Result<(), String> {
    match Figure::from_word(word) {
        Some(Figure::Success) if !model.is_cooperative() => return Err(NOT_COOPERATIVE.to_owned()),
        Some(_) => return Ok(()),
        None => {}
    }
    let Some((group, name)) = FigureGroup::split(word) else {
        return Err(did_you_mean(word, Figure::words()).unwrap_or_else(all_figures));
    };
    match group {
        FigureGroup::Ending if model.find_ending(name).is_none() => {
            let endings = || model.endings.iter().map(|ending| &*ending.id);
            Err(did_you_mean(name, endings())
                .unwrap_or_else(|| format!("the endings are {}", endings().collect::<Vec<_>>().join(", "))))
        }
        FigureGroup::Win | FigureGroup::Place | FigureGroup::Score
            if !name.parse().is_ok_and(|seat: u8| (1..=model.seats).contains(&seat)) =>
        {
            Err(format!(
                "the {} are 1 to {}",
                if group == FigureGroup::Place { "places" } else { "seats" },
                model.seats
            ))
        }
        FigureGroup::Tally => {
            let counter =
                name.rsplit_once('.').filter(|(_, seat)| seat.parse::<u8>().is_ok()).map_or(name, |(of, _)| of);
            // `tallied_names` is `None` if the rules compute names of tallies at run time. In that case any name is
            // accepted.
            let counts = tallied_names(model).is_none_or(|names| names.iter().any(|name| **name == *counter));
            if counts {
                Ok(())
            } else {
                Err(format!("no rule counts it: write `tally(\"{counter}\", 1)` in the rules"))
            }
        }
        FigureGroup::Attempts | FigureGroup::ScenarioWon | FigureGroup::Carried => {
            let scenarios = model.scenarios().unwrap_or_default();
            let (scenario, place) = name.split_once('.').map_or((name, None), |(name, place)| (name, Some(place)));
            if scenarios.iter().all(|known| **known != *scenario) {
                let known = || scenarios.iter().map(|known| &**known);
                return Err(did_you_mean(scenario, known())
                    .unwrap_or_else(|| format!("the scenarios are {}", known().collect::<Vec<_>>().join(", "))));
            }
            if (group == FigureGroup::Carried) == place.is_some() { Ok(()) } else { Err(all_figures()) }
        }
        FigureGroup::Ending | FigureGroup::Win | FigureGroup::Place | FigureGroup::Score => Ok(()),
    }
}

/// Returns a help text that lists all figures.
fn all_figures() -> String {
    let groups = FigureGroup::ALL.map(|group| format!("`{}.{}`", group.word(), group.placeholder()));
    format!("the figures are {}, {}", Figure::words().join(", "), groups.join(", "))
}

/// Returns the measure of a tally. A name that ends in a dot and the number of a seat means the tally of this seat, unless the game has a
/// tally with this name. Any other name means the tally of the game.
fn tally(figures: &Figures, name: &str) -> Measure {
    let whole = Measure::Tally(name.into(), None);
    if figures.measures.contains_key(&whole) {
        return whole;
    }
    let of_seat = name.rsplit_once('.').and_then(|(name, seat)| Some((name, seat.parse::<u8>().ok()?)));
    match of_seat {
        Some((name, seat)) if seat > 0 => Measure::Tally(name.into(), Some(seat - 1)),
        _ => whole,
    }
}

/// Returns the share of games that failed.
fn faults(figures: &Figures) -> Estimate {
    let mut histogram = Histogram::default();
    histogram.add_many(1, figures.games - figures.finished);
    histogram.add_many(0, figures.finished);
    super::estimate::share(&histogram, 1)
}

//! Whether figures are what the author wants them to be.

use super::estimate::{Estimate, Interval};
use super::figures::Figures;
use super::histogram::Histogram;
use super::measure::Measure;
use crate::diagnostic::did_you_mean;
use crate::model::{Model, Target};
use crate::session::tallied_names;
use serde::Serialize;

/// How a target fares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgment {
    /// The figure keeps the bounds, and so does its whole interval.
    Met,
    /// The interval reaches over a bound: more games would tell.
    Open,
    /// The figure and its whole interval lie outside.
    Missed,
}

/// A target with the figure it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// What is wanted.
    pub target: Target,
    /// What the figure is; nothing where no game says.
    pub estimate: Option<Estimate>,
    /// How it fares.
    pub standing: Judgment,
    /// How far the figure lies outside of the bounds, as a part of the bound (of 1 where the bound is 0).
    pub distance: f64,
}

impl Judgment {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Open => "open",
            Self::Missed => "missed",
        }
    }
}

/// Every target of a game against its figures.
pub fn judge(model: &Model, figures: &Figures) -> Vec<Judged> {
    model.targets.iter().map(|target| judge_one(model, figures, target)).collect()
}

fn judge_one(model: &Model, figures: &Figures, target: &Target) -> Judged {
    let estimate = figure(model, figures, &target.figure).filter(|estimate| estimate.count > 0);
    let Some(found) = estimate else {
        return Judged { target: target.clone(), estimate: None, standing: Judgment::Open, distance: 1.0 };
    };
    let bound = |millionths: Option<i64>| millionths.map(|bound| bound as f64 / Target::UNIT as f64);
    let (min, max) = (bound(target.min), bound(target.max));
    let keeps = |number: f64| min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max);
    let Interval { low, high } = found.interval;
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
    Judged { target: target.clone(), estimate, standing, distance: above + below }
}

/// A figure by its word, as targets and sweeps name it.
pub fn figure(model: &Model, figures: &Figures, word: &str) -> Option<Estimate> {
    let measure = match word {
        "seat_win_gap" => return Some(figures.seat_gap()),
        "faults" => return Some(faults(figures)),
        "score" => Measure::Scores,
        "ties" => Measure::Tie,
        "rounds" => Measure::Rounds,
        "turns" => Measure::Turns,
        "decisions" => Measure::Decisions,
        "forced" => Measure::Forced,
        "options" => Measure::Options,
        "margin" => Measure::Margin,
        "last_gap" => Measure::LastGap,
        "lead_changes" => Measure::LeadChanges,
        "last_lead" => Measure::LastLead,
        "leader_quarter" => Measure::LeaderWins(1),
        "leader_half" => Measure::LeaderWins(2),
        "leader_three_quarters" => Measure::LeaderWins(3),
        "comeback" => Measure::Comeback,
        _ => match word.split_once('.')? {
            ("ending", name) => Measure::Ending(model.find_ending(name).map(|_| name.into())?),
            ("tally", name) => tally(figures, name),
            ("win", seat) => Measure::Win(seat.parse::<u8>().ok()?.checked_sub(1)?),
            ("place", place) => Measure::Place(place.parse::<u8>().ok()?.checked_sub(1)?),
            ("score", seat) => Measure::Score(seat.parse::<u8>().ok()?.checked_sub(1)?),
            _ => return None,
        },
    };
    Some(figures.estimate(&measure))
}

/// Whether a word names a figure of a game, as targets, sweeps and [`figure`] know it.
///
/// # Errors
/// What to write instead.
pub fn check_figure(model: &Model, word: &str) -> Result<(), String> {
    if Target::FIGURES.contains(&word) {
        return Ok(());
    }
    let all = || {
        let plain = Target::FIGURES.join(", ");
        format!("the figures are {plain}, `ending.NAME`, `tally.NAME`, `win.SEAT`, `place.NUMBER`, `score.SEAT`")
    };
    match word.split_once('.') {
        Some(("ending", name)) if model.find_ending(name).is_none() => {
            let endings = || model.endings.iter().map(|ending| &*ending.id);
            Err(did_you_mean(name, endings())
                .unwrap_or_else(|| format!("the endings are {}", endings().collect::<Vec<_>>().join(", "))))
        }
        Some(("win" | "place" | "score", seat))
            if !seat.parse().is_ok_and(|seat: u8| (1..=model.seats).contains(&seat)) =>
        {
            Err(format!("the seats are 1 to {}", model.seats))
        }
        Some(("tally", name)) => {
            let counter =
                name.rsplit_once('.').filter(|(_, seat)| seat.parse::<u8>().is_ok()).map_or(name, |(of, _)| of);
            // A name that is put together while rules run may be any.
            let counts = tallied_names(model).is_none_or(|names| names.iter().any(|name| **name == *counter));
            if counts {
                Ok(())
            } else {
                Err(format!("no rule counts it: write `tally(\"{counter}\", 1)` in the rules"))
            }
        }
        Some(("ending" | "win" | "score", _)) => Ok(()),
        _ => Err(did_you_mean(word, Target::FIGURES).unwrap_or_else(all)),
    }
}

/// A counter of the game, or of the seat after the last dot.
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

/// The share of games that failed.
fn faults(figures: &Figures) -> Estimate {
    let mut histogram = Histogram::default();
    histogram.add_many(1, figures.games - figures.finished);
    histogram.add_many(0, figures.finished);
    super::estimate::share(&histogram, 1)
}

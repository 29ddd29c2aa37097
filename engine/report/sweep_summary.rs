//! The first screen of a sweep: the setting nearest to the targets, the effects of the dials, and the curves.

use super::figure_names::{figure_kind, figure_name};
use super::finding::{Finding, Weight};
use super::findings::figure_definition;
use super::number::{amount, capitalize, grouped, percent};
use super::plot::{self, HeatCell, Plot};
use super::sweep_row::SweepRow;
use crate::model::Target;
use crate::simulation::{DEFINITIONS, Dial, Estimate, MeasureKind};
use serde::Serialize;

/// Maximum number of curves on the first screen.
const MAX_PLOTS: usize = 4;

/// Maximum number of figures that one sentence names.
const MAX_NAMES: usize = 3;

/// The first screen of a sweep.
#[derive(Debug, Clone, Serialize)]
pub(super) struct SweepSummary {
    heading: String,
    verdicts: Vec<Finding>,
    plots: Vec<Plot>,
}

/// Results of a sweep that the first screen and the plots show.
pub(super) struct SweepResults<'a> {
    pub(super) dials: &'a [Dial],
    /// Settings with their figures, nearest to the targets first.
    pub(super) rows: &'a [SweepRow<'a>],
}

impl SweepSummary {
    /// Creates a first screen from a heading, verdicts and plots.
    pub(super) fn of_plots(heading: String, verdicts: Vec<Finding>, plots: Vec<Plot>) -> Self {
        Self { heading, verdicts, plots }
    }

    /// Summarizes a sweep. Returns the first screen, and the plots for which the first screen has no room.
    pub(super) fn new(
        heading: String,
        mut verdicts: Vec<Finding>,
        results: &SweepResults<'_>,
        tab: &'static str,
    ) -> (Self, Vec<Plot>) {
        verdicts.extend(results.effects());
        verdicts.sort_by_key(|verdict| verdict.weight);
        let mut plots = results.plots();
        let rest = plots.split_off(plots.len().min(MAX_PLOTS));
        let rest = rest.into_iter().map(|plot| Plot { tab, ..plot }).collect();
        (Self { heading, verdicts, plots }, rest)
    }
}

/// Returns the display name of a dial.
pub(super) fn dial_name(dial: &Dial) -> String {
    dial.path.trim_start_matches("params.").replace('_', " ")
}

fn show(number: f64, kind: MeasureKind) -> String {
    match kind {
        MeasureKind::Share => percent(number),
        MeasureKind::Amount => amount(number),
    }
}

/// Rows that differ only in the value of one dial, each with the index of this value.
type Slice<'r> = Vec<(usize, &'r SweepRow<'r>)>;

impl SweepResults<'_> {
    /// Returns the ids of the figures. Figures with targets come first.
    fn words(&self) -> Vec<&str> {
        self.rows.first().map_or_else(Vec::new, |row| row.figures.iter().map(|(word, _)| word.as_str()).collect())
    }

    /// Returns whether the author has set targets. If so, the first row is the one nearest to the targets.
    fn has_targets(&self) -> bool {
        self.rows.first().is_some_and(|row| !row.judged.is_empty())
    }

    /// Returns the rows that agree with the first row in all dials except `dial`, in the order of that dial's values.
    fn slice(&self, dial: usize) -> Slice<'_> {
        let Some(first) = self.rows.first() else { return Vec::new() };
        let is_along = |row: &&SweepRow<'_>| {
            row.setting.iter().zip(first.setting).enumerate().all(|(at, (one, other))| at == dial || one == other)
        };
        let mut found: Slice<'_> = self.rows.iter().filter(is_along).map(|row| (row.setting[dial], row)).collect();
        found.sort_by_key(|(at, _)| *at);
        found
    }

    /// States for each dial which figures change between its first and its last value.
    ///
    /// Only the two ends are compared; otherwise chance differences between many values would look like effects. A
    /// figure is said to change if the two intervals do not overlap.
    fn effects(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        for (at, dial) in self.dials.iter().enumerate() {
            let slice = self.slice(at);
            let (Some((from, first)), Some((to, last))) = (slice.first(), slice.last()) else { continue };
            if from == to {
                continue;
            }
            let (mut changed, mut same) = (Vec::new(), Vec::new());
            for (figure, (word, before)) in first.figures.iter().enumerate() {
                let (Some(before), Some(after)) = (before, &last.figures[figure].1) else { continue };
                let kind = figure_kind(word);
                let is_apart = before.interval.high < after.interval.low || after.interval.high < before.interval.low;
                if is_apart {
                    let (before, after) = (show(before.value, kind), show(after.value, kind));
                    changed.push(format!("{} {before} → {after}", figure_name(word)));
                } else {
                    same.push(figure_name(word));
                }
            }
            let rest = if self.dials.len() > 1 { ", the rest as in the nearest setting" } else { "" };
            let steps = format!("{} {} → {}{rest}", dial_name(dial), dial.values[*from], dial.values[*to]);
            let text = match (changed.is_empty(), same.is_empty()) {
                (true, _) => format!("{}: no figure clearly changes.", capitalize(&steps)),
                (false, true) => format!("{}: {}.", capitalize(&steps), listed(&changed)),
                (false, false) => {
                    format!("{}: {}; no clear change: {}.", capitalize(&steps), listed(&changed), listed(&same))
                }
            };
            let weight = if changed.is_empty() { Weight::Note } else { Weight::Finding };
            found.push(Finding { weight, about: "", text });
        }
        found
    }

    /// Plots every figure. With one dial, the plot is a curve; with two dials, a heat map; with more, one curve per dial through the
    /// setting nearest to the targets.
    fn plots(&self) -> Vec<Plot> {
        let words = self.words();
        // Figures that are the same in all settings come last: their curves show nothing.
        let is_constant = |at: &usize| {
            let values = || self.rows.iter().filter_map(|row| Some(row.figures[*at].1?.value));
            values().zip(values().skip(1)).all(|(one, next)| one.total_cmp(&next).is_eq())
        };
        let (constant, varying): (Vec<usize>, Vec<usize>) = (0..words.len()).partition(is_constant);
        let order = varying.into_iter().chain(constant).map(|at| (at, &words[at]));
        let all = order.flat_map(|(at, word)| match self.dials {
            [_, _] => vec![self.heat(at, word)],
            dials => (0..dials.len()).map(|dial| self.curve(at, word, dial)).collect(),
        });
        all.flatten().collect()
    }

    fn curve(&self, figure: usize, word: &str, dial: usize) -> Option<Plot> {
        let mut points: Vec<(String, Estimate)> = Vec::new();
        let mut best = None;
        for (value, row) in self.slice(dial) {
            let Some(estimate) = row.figures[figure].1 else { continue };
            if self.has_targets() && self.rows.first().is_some_and(|first| first.setting == row.setting) {
                best = Some(points.len());
            }
            points.push((self.dials[dial].values[value].clone(), estimate));
        }
        let target = self.rows.first()?.judged.iter().find(|one| *one.target.figure == *word);
        let bound = |millionths: Option<i64>| millionths.map(|bound| bound as f64 / Target::UNIT as f64);
        let wanted = target.map_or((None, None), |one| (bound(one.target.min), bound(one.target.max)));
        let title = format!("{} by {}", capitalize(&figure_name(word)), dial_name(&self.dials[dial]));
        let drawing = plot::curve(&title, &points, plot::CurveMarks { wanted, best }, figure_kind(word));
        Plot::new(title, figure_definition_or_none(word), "", drawing)
    }

    fn heat(&self, figure: usize, word: &str) -> Option<Plot> {
        let [across, down] = self.dials else { return None };
        let kind = figure_kind(word);
        let title = format!(
            "{} by {} (across) and {} (down)",
            capitalize(&figure_name(word)),
            dial_name(across),
            dial_name(down)
        );
        let mut placed: Vec<(&SweepRow<'_>, Estimate)> =
            self.rows.iter().filter_map(|row| Some((row, row.figures[figure].1?))).collect();
        placed.sort_by_key(|(row, _)| row.setting);
        let least = placed.iter().map(|(_, estimate)| estimate.value).fold(f64::INFINITY, f64::min);
        let cells: Vec<HeatCell> = placed
            .iter()
            .map(|(row, estimate)| HeatCell {
                column: row.setting[0],
                row: row.setting[1],
                share: estimate.value - least,
                value: estimate.value,
                name: format!(
                    "{} = {}, {} = {}",
                    across.path, across.values[row.setting[0]], down.path, down.values[row.setting[1]]
                ),
                text: show(estimate.value, kind),
            })
            .collect();
        if cells.is_empty() {
            return None;
        }
        Plot::new(
            title.clone(),
            figure_definition_or_none(word),
            "",
            plot::heat(&title, &cells, &across.values, &down.values),
        )
    }
}

/// Returns the id of a figure's definition, or an empty string if it has none.
fn figure_definition_or_none(word: &str) -> &'static str {
    let id = word.split('.').next().unwrap_or(word);
    if DEFINITIONS.iter().any(|known| known.id == id) { figure_definition(word) } else { "" }
}

/// Joins the first [`MAX_NAMES`] names with commas. If there are more names, appends their number.
fn listed(names: &[String]) -> String {
    let shown = names.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Formats the heading of a sweep's first screen.
pub(super) fn heading(players: u8, rows: &[SweepRow<'_>], agents: &[String]) -> String {
    let players = if players == 1 { "1 player".to_owned() } else { format!("{players} players") };
    let settings =
        if rows.len() == 1 { "1 setting".to_owned() } else { format!("{} settings", grouped(rows.len() as i64)) };
    let most = rows.iter().map(|row| row.games).max().unwrap_or(0);
    let least = rows.iter().map(|row| row.games).min().unwrap_or(0);
    let games = if least == most {
        grouped(most as i64)
    } else {
        format!("{} to {}", grouped(least as i64), grouped(most as i64))
    };
    let who = match agents {
        [one] => format!("all seats: {one}"),
        many => many.join(", "),
    };
    format!("{players} · {settings} · {games} games each · {who}")
}

//! Page of a search for settings that meet the targets. The page shows how close changes of each size come to the targets.

use super::figure_names::{figure_kind, figure_name};
use super::finding::Finding;
use super::grid::{Cell, SortableTable, word};
use super::heading::Heading;
use super::number::{capitalize, estimate_text};
use super::page::{Part, bots, render};
use super::plot::{self, Plot};
use super::sweep_summary::SweepSummary;
use crate::model::Target;
use crate::simulation::{Estimate, TargetResult};

/// Name of the tab with the table of changes.
const SETTINGS: &str = "Settings";

/// One point on the trade-off between a small change and meeting the targets.
#[derive(Debug)]
pub struct TunedRow {
    /// Description of the change, for people.
    pub name: String,
    /// Size of the change: the sum of the relative changes of all numbers. For example, 1 means that one number was doubled.
    pub size: f64,
    /// Results for all targets.
    pub judged: Vec<TargetResult>,
}

/// Renders the page of a search. `rows` are ordered from no change to the largest change. `found` is the index of the proposed row, if
/// there is one.
pub fn tuning_page(
    title: &str,
    (players, agents): (u8, &[String]),
    rows: &[TunedRow],
    found: Option<usize>,
    verdict: Finding,
    provenance: &[(String, String)],
) -> String {
    let figures: Vec<String> =
        rows.first().map_or_else(Vec::new, |row| row.judged.iter().map(|one| one.target.figure.to_string()).collect());
    let heads = [Heading::text("point"), Heading::text("change"), Heading::number("size")]
        .into_iter()
        .chain(figures.iter().map(|figure| Heading::number(figure_name(figure))));
    let mut grid = SortableTable::new("Changes, the smallest first", "", heads).with_tab(SETTINGS);
    "Each row comes closer to the targets than the rows above. Size: the changes of all numbers, each in percent of what it was, added up. \
     Open: the interval reaches beyond the target, so more games could tell."
        .clone_into(&mut grid.text);
    for (at, row) in rows.iter().enumerate() {
        let size = Cell { text: format!("{:.0} %", row.size * 100.0), sort: Some(row.size) };
        let mut cells = vec![word(point_name(at)), word(row.name.clone()), size];
        cells.extend(row.judged.iter().map(|one| match &one.estimate {
            Some(estimate) => Cell {
                text: format!("{} {}", estimate_text(estimate, figure_kind(&one.target.figure)), one.standing.word()),
                sort: Some(estimate.value),
            },
            None => word("no game says"),
        }));
        grid.rows.push(cells);
    }
    let plots = figures.iter().enumerate().filter_map(|(at, figure)| trade_off(rows, at, figure, found)).collect();
    let players = if players == 1 { "1 player".to_owned() } else { format!("{players} players") };
    let heading = format!("{players} · {}", agents.join(", "));
    let part = Part {
        id: "tuning".to_owned(),
        title: "Settings".to_owned(),
        incomplete: String::new(),
        findings: Vec::new(),
        expected: Vec::new(),
        summary: None,
        comparison: None,
        sweep: Some(SweepSummary::of_plots(heading, vec![verdict], plots)),
        map: None,
        tabs: vec![SETTINGS],
        plots: Vec::new(),
        tables: vec![grid],
        stories: Vec::new(),
    };
    render(title, "The smallest change that meets the targets", &bots(agents), &[part], provenance)
}

/// Returns the name of a point on the curves.
fn point_name(at: usize) -> String {
    if at == 0 { "now".to_owned() } else { at.to_string() }
}

/// Draws a figure along the points of the trade-off.
fn trade_off(rows: &[TunedRow], figure: usize, word: &str, found: Option<usize>) -> Option<Plot> {
    let points: Vec<(String, Estimate)> = rows
        .iter()
        .enumerate()
        .filter_map(|(at, row)| Some((point_name(at), row.judged.get(figure)?.estimate?)))
        .collect();
    let target = &rows.first()?.judged.get(figure)?.target;
    let bound = |millionths: Option<i64>| millionths.map(|bound| bound as f64 / Target::UNIT as f64);
    let wanted = (bound(target.min), bound(target.max));
    let title = format!("{}: from no change to the largest", capitalize(&figure_name(word)));
    let drawn = plot::curve(&title, &points, plot::CurveMarks { wanted, best: found }, figure_kind(word));
    Plot::new(title, "", "", drawn)
}

//! Page of a contest between crews.

use super::finding::{Finding, Weight};
use super::grid::{Cell, SortableTable, count, maybe, word};
use super::heading::Heading;
use super::number::{amount, points};
use super::page::{Part, irreproducible_note, render};
use super::plot::{self, Plot};
use super::summary::rounded;
use super::tables::faults_of_contest;
use crate::simulation::{AdjustedDifference, ContestResult, CrewLead, Estimate, MeasureKind};

/// Results of one crew.
#[derive(Debug)]
pub struct CrewRow<'a> {
    /// Name of the agent that plays all seats.
    pub name: &'a str,
    /// Share of games that the crew won.
    pub success: Estimate,
    /// Mean score.
    pub score: Estimate,
    /// Lead of the crew over the next one; `None` for the last crew.
    pub lead: Option<CrewLead>,
}

/// Renders the page of a contest between crews. `rows` lists the crews, best first.
pub fn crews_page(
    title: &str,
    subtitle: &str,
    rows: &[CrewRow<'_>],
    incomplete: String,
    result: &ContestResult,
    provenance: &[(String, String)],
) -> String {
    let heads = [
        Heading::number("rank"),
        Heading::text("crew"),
        Heading::number("games"),
        Heading::number("success"),
        Heading::number("score"),
        Heading::number("success against the next, points"),
        Heading::number("score against the next"),
    ];
    let mut grid = SortableTable::new("Crews", "success", heads);
    "Each crew has played the same deals. A range without 0 is a difference.".clone_into(&mut grid.text);
    for (at, row) in rows.iter().enumerate() {
        let score = Some(row.score).filter(|score| score.count > 0);
        grid.rows.push(vec![
            count(at as u64 + 1),
            word(row.name),
            count(row.success.count),
            maybe(Some(&row.success), MeasureKind::Share),
            maybe(score.as_ref(), MeasureKind::Amount),
            row.lead.map_or_else(|| word(""), |lead| lead_cell(&lead.success, points)),
            row.lead.map_or_else(|| word(""), |lead| lead_cell(&lead.score, amount)),
        ]);
    }
    let success: Vec<(String, Estimate)> = rows.iter().map(|row| (row.name.to_owned(), row.success)).collect();
    let scores: Vec<(String, Estimate)> =
        rows.iter().filter(|row| row.score.count > 0).map(|row| (row.name.to_owned(), row.score)).collect();
    let plots = [
        Plot::new("Success".to_owned(), "success", "", plot::bars("Success", &success, None, MeasureKind::Share)),
        Plot::new("Mean score".to_owned(), "score", "", plot::bars("Mean score", &scores, None, MeasureKind::Amount)),
    ];
    let verdicts = rows.windows(2).filter_map(|pair| Some(verdict(&pair[0], &pair[1], &pair[0].lead?)));
    let part = Part {
        id: "crews".to_owned(),
        title: "Crews".to_owned(),
        incomplete,
        findings: faults_of_contest(result).into_iter().chain(verdicts).collect(),
        expected: Vec::new(),
        summary: None,
        comparison: None,
        sweep: None,
        map: None,
        tabs: Vec::new(),
        plots: plots.into_iter().flatten().collect(),
        tables: vec![grid],
        stories: Vec::new(),
    };
    let names: Vec<String> = rows.iter().map(|row| row.name.to_owned()).collect();
    let banner = format!("Each agent plays all seats, and all play the same deals.{}", irreproducible_note(&names));
    render(title, subtitle, &banner, &[part], provenance)
}

/// States whether a crew is better than the next one.
fn verdict(row: &CrewRow<'_>, next: &CrewRow<'_>, lead: &CrewLead) -> Finding {
    let (one, other) = (rounded(row.success.value), rounded(next.success.value));
    let (weight, text) = if lead.success.is_finding() {
        (Weight::Note, format!("{} wins more often than {}: {one} of the deals against {other}.", row.name, next.name))
    } else {
        (
            Weight::Note,
            format!(
                "{} and {} are not shown to differ in success: {one} of the deals against {other}.",
                row.name, next.name
            ),
        )
    };
    Finding { weight, about: "success", text }
}

fn lead_cell(lead: &AdjustedDifference, show: fn(f64) -> String) -> Cell {
    let Estimate { value, interval, .. } = lead.estimate;
    if !interval.low.is_finite() || !interval.high.is_finite() {
        return word("too few games");
    }
    Cell { text: format!("{} ({} to {})", show(value), show(interval.low), show(interval.high)), sort: Some(value) }
}

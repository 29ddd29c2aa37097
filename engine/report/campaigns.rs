//! Statistics of campaigns by scenario: how often each scenario is played and won, and which values are carried over to the next scenario.

use super::grid::{SortableTable, maybe, word};
use super::heading::Heading;
use super::number::{amount, capitalize, percent};
use super::plot::{self, Plot};
use crate::model::{Language, Model};
use crate::simulation::{Estimate, Figures, Histogram, Measure, MeasureKind};
use std::sync::Arc;

/// Name of the tab that shows the scenarios.
pub(super) const TAB: Option<&str> = Some("Campaign");

/// A column of the table of scenarios: its heading, and the measure that it shows for a scenario.
type Column = (String, Box<dyn Fn(&Arc<str>) -> Measure>);

/// Returns the scenarios that at least one campaign reached, in the order of their declaration.
fn scenarios(model: &Model, figures: &Figures) -> Vec<Arc<str>> {
    let is_played = |scenario: &Arc<str>| figures.measures.contains_key(&Measure::Attempts(scenario.clone()));
    model.scenarios().unwrap_or_default().into_iter().filter(is_played).collect()
}

/// Returns the names of the values and zones that are carried over to the next scenario.
fn places(figures: &Figures) -> Vec<Arc<str>> {
    let mut found: Vec<Arc<str>> = Vec::new();
    for measure in figures.measured() {
        if let Measure::Carried(_, place) = measure
            && !found.contains(place)
        {
            found.push(place.clone());
        }
    }
    found
}

/// Returns the share of campaigns that reached a scenario.
fn reached(figures: &Figures, scenario: &Arc<str>) -> f64 {
    let attempts = figures.measures.get(&Measure::Attempts(scenario.clone()));
    attempts.map_or(0, Histogram::total) as f64 / figures.finished.max(1) as f64
}

/// Returns the table columns for the scenarios: attempts, success if campaigns can succeed, and the numbers carried over.
fn columns(figures: &Figures) -> Vec<Column> {
    let mut found: Vec<Column> =
        vec![("attempts".to_owned(), Box::new(|scenario| Measure::Attempts(scenario.clone())))];
    if figures.success().is_some() {
        found.push(("won".to_owned(), Box::new(|scenario| Measure::ScenarioWon(scenario.clone()))));
    }
    for place in places(figures) {
        let name = place.to_string();
        found.push((name, Box::new(move |scenario| Measure::Carried(scenario.clone(), place.clone()))));
    }
    found
}

/// Returns the display name of a column.
fn column_name(model: &Model, name: &str) -> String {
    if matches!(name, "attempts" | "won") { name.to_owned() } else { model.part_of_score(name, Language::English) }
}

/// Returns the headings and rows of a table of the scenarios, for the terminal. There are no rows if the figures are about single games.
pub fn scenario_table(model: &Model, figures: &Figures) -> (Vec<Heading>, Vec<Vec<String>>) {
    let columns = columns(figures);
    let mut heads = vec![Heading::text("scenario"), Heading::number("of campaigns")];
    heads.extend(columns.iter().map(|(name, _)| match name.as_str() {
        "attempts" | "won" => Heading::number(name),
        _ => Heading::number(format!("{} handed on", column_name(model, name))),
    }));
    let row = |scenario: &Arc<str>| {
        let mut row = vec![model.named_word(scenario, Language::English), percent(reached(figures, scenario))];
        row.extend(columns.iter().map(|(_, measure)| {
            let measure = measure(scenario);
            let found = figures.estimate(&measure);
            match measure.sort() {
                _ if found.count == 0 => String::new(),
                MeasureKind::Share => percent(found.value),
                MeasureKind::Amount => amount(found.value),
            }
        }));
        row
    };
    (heads, scenarios(model, figures).iter().map(row).collect())
}

/// Returns the table of the scenarios; `None` if the figures are about single games.
pub(super) fn table(model: &Model, figures: &Figures) -> Option<SortableTable> {
    let (all, columns) = (scenarios(model, figures), columns(figures));
    let heads = [Heading::text("scenario"), Heading::number("of campaigns")]
        .into_iter()
        .chain(columns.iter().map(|(name, _)| Heading::number(column_name(model, name))));
    let mut grid = SortableTable::new("Scenarios", "attempts", heads).with_tab(TAB?);
    "After attempts and success: what is handed on to the next game, all seats together.".clone_into(&mut grid.text);
    for scenario in &all {
        let mut row =
            vec![word(model.named_word(scenario, Language::English)), word(percent(reached(figures, scenario)))];
        row.extend(columns.iter().map(|(_, measure)| {
            let measure = measure(scenario);
            let found = figures.estimate(&measure);
            maybe(Some(&found).filter(|found| found.count > 0), measure.sort())
        }));
        grid.rows.push(row);
    }
    (!all.is_empty()).then_some(grid)
}

/// Draws a plot for each column of the table, with one entry per scenario.
pub(super) fn plots(model: &Model, figures: &Figures) -> Vec<Plot> {
    let all = scenarios(model, figures);
    let plot = |(name, measure): Column| {
        let points: Vec<(String, Estimate)> = all
            .iter()
            .map(|scenario| (model.named_word(scenario, Language::English), figures.estimate(&measure(scenario))))
            .filter(|(_, estimate)| estimate.count > 0)
            .collect();
        let measure = measure(all.first()?);
        let title = match &measure {
            Measure::Attempts(_) => "Attempts by scenario".to_owned(),
            Measure::ScenarioWon(_) => "Scenarios won".to_owned(),
            _ => format!("{} handed on after each scenario", capitalize(&column_name(model, &name))),
        };
        let drawn = match &measure {
            Measure::Carried(..) => plot::curve(&title, &points, plot::CurveMarks::default(), MeasureKind::Amount),
            _ => plot::bars(&title, &points, None, measure.sort()),
        };
        Plot::new(title, measure.id(), TAB?, drawn)
    };
    let is_varied = |(name, measure): &Column| {
        // If each scenario is played exactly once, the number of attempts needs no plot.
        name != "attempts"
            || all.iter().any(|scenario| (figures.estimate(&measure(scenario)).value - 1.0).abs() > f64::EPSILON)
    };
    columns(figures).into_iter().filter(is_varied).filter_map(plot).collect()
}

/// Returns the plural noun for what the figures count: campaigns or games.
pub(super) fn unit_word(figures: &Figures) -> &'static str {
    if figures.is_of_campaigns() { "campaigns" } else { "games" }
}

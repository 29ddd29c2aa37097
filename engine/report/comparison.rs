//! Renders comparisons as a sentence, tables, JSON and a page.

use super::changes::changed_lines;
use super::compared::{ComparedPlayers, format_change, measure_kind, measure_name};
use super::comparison_summary::ComparisonSummary;
use super::finding::{Finding, Weight};
use super::grid::{Cell, SortableTable, count, word};
use super::heading::Heading;
use super::multiple_testing::testing_rule;
use super::number::{capitalize, estimate_text, grouped, plain, value};
use super::page::{Part, bots, bots_of_versions, render};
use super::plot::{self, Plot};
use super::rows::line;
use crate::model::Model;
use crate::simulation::{
    ComparedMeasure, Comparison, Estimate, FALSE_FINDINGS, FEWEST_PAIRS, Interval, Margin, Measure, MeasureKind,
    Verdict,
};
use serde_json::{Value, json};

/// Name of the tab that shows the measures that differ.
const DIFFERENCES: &str = "Differences";

/// Name of the tab that shows all measures.
const ALL_MEASURES: &str = "All measures";

fn measure_id(row: &ComparedMeasure) -> String {
    row.measure.as_ref().map_or_else(|| "seat_win_gap".to_owned(), Measure::word)
}

/// Formats the change of a measure. For an amount, adds the change in percent if [`relative_change`] returns one.
fn change_text(row: &ComparedMeasure) -> String {
    let part = relative_change(row).map(|part| format!(" ({part:+.1} %)")).unwrap_or_default();
    format!("{}{part}", format_change(row.difference.value, measure_kind(row)))
}

/// Returns the change of an amount in percent, if the change is significant and a percentage is meaningful.
fn relative_change(row: &ComparedMeasure) -> Option<f64> {
    let part = row.difference.value / row.a.value.abs();
    let is_stated =
        measure_kind(row) == MeasureKind::Amount && row.verdict.is_finding() && part.is_finite() && part.abs() < 100.0;
    is_stated.then_some(part * 100.0)
}

/// Formats the confidence interval of a difference.
fn format_interval(interval: Interval, sort: MeasureKind) -> String {
    if !interval.low.is_finite() || !interval.high.is_finite() {
        return "too few games".to_owned();
    }
    format!(
        "{} to {}",
        format_change(interval.low, sort).trim_end_matches(" percentage points"),
        format_change(interval.high, sort)
    )
}

/// Summarizes the result of a comparison. If games failed, also states the number of failed games of each version.
pub fn overall(comparison: &Comparison, rows: &[ComparedMeasure]) -> String {
    let failed = [&comparison.a, &comparison.b].map(|figures| figures.games - figures.finished);
    let fails = if failed == [0, 0] {
        String::new()
    } else {
        format!(
            " {} games of A and {} of B failed: only pairs that both came to an end are compared.",
            failed[0], failed[1]
        )
    };
    format!("{}{fails}", result_sentence(comparison, rows))
}

fn result_sentence(comparison: &Comparison, rows: &[ComparedMeasure]) -> String {
    if comparison.pairs() < FEWEST_PAIRS {
        let pairs = if comparison.pairs() == 1 { "pair" } else { "pairs" };
        return format!("{} {pairs} of games: too few to show anything.", comparison.pairs());
    }
    let pairs = grouped(comparison.pairs() as i64);
    if comparison.alike == comparison.pairs() {
        return format!("Nothing differs: all {pairs} pairs of games came out alike in every measure.");
    }
    let count = |wanted: fn(Verdict) -> bool| rows.iter().filter(|row| wanted(row.verdict)).count();
    let found = count(Verdict::is_finding);
    if found == 0 {
        let beyond = if rows.iter().any(is_within_margin) { " beyond the margin" } else { "" };
        let alike = match comparison.alike {
            0 => String::new(),
            alike => format!(", {} of which came out alike in every measure", grouped(alike as i64)),
        };
        return format!(
            "No evidence of a difference{beyond} in any of {} measures after {pairs} pairs of games{alike}.",
            rows.len()
        );
    }
    let balance = match rows.iter().find(|row| row.measure.is_none()).map(|row| row.verdict) {
        Some(Verdict::Better) => " The seats are better balanced in B.",
        Some(Verdict::Worse) => " The seats are worse balanced in B.",
        _ => "",
    };
    let differ = if found == 1 { "differs" } else { "differ" };
    format!("{found} of {} measures {differ} after {pairs} pairs of games.{balance}", rows.len())
}

/// States the rule by which a measure counts as different. The rule corrects for the number of measures.
pub fn rule(rows: &[ComparedMeasure]) -> String {
    let adjusted: Vec<f64> = rows.iter().map(|row| row.false_findings).collect();
    let rule = testing_rule("A measure differs", &format!("{} measures", rows.len()), &adjusted);
    if rows.iter().any(is_within_margin) {
        return format!("{rule} One whose whole interval lies within the margin is called equivalent all the same.");
    }
    rule
}

/// Returns whether a difference is significant, but its whole interval lies within the margin.
fn is_within_margin(row: &ComparedMeasure) -> bool {
    row.verdict == Verdict::Equivalent && row.false_findings <= FALSE_FINDINGS
}

/// Summarizes the measures that do not count as different, with one line per verdict.
pub fn summarize_rest(model: &Model, rows: &[ComparedMeasure]) -> Vec<String> {
    let rows_with = |wanted: Verdict| rows.iter().filter(|row| row.verdict == wanted).collect::<Vec<_>>();
    let named = |rows: &[&ComparedMeasure]| {
        let all = group_by_seats(model, rows.iter().copied());
        all.into_iter().map(|group| group.name).collect::<Vec<_>>().join("; ")
    };
    let mut lines = Vec::new();
    let (alike, same, unclear) =
        (rows_with(Verdict::Equivalent), rows_with(Verdict::Identical), rows_with(Verdict::NoEvidence));
    if !alike.is_empty() {
        lines.push(format!("{} equivalent, within the margin: {}", alike.len(), named(&alike)));
    }
    if !same.is_empty() {
        lines.push(format!("{} identical, the same in every pair of games: {}", same.len(), named(&same)));
    }
    if !unclear.is_empty() {
        lines.push(format!("{} without evidence of a difference", unclear.len()));
    }
    lines
}

/// Rows about the same measure, with the same verdict, for several seats.
struct SeatGroup<'r> {
    name: String,
    rows: Vec<&'r ComparedMeasure>,
}

/// Groups rows that have the same measure and verdict but different seats. Any other row is a group of its own.
fn group_by_seats<'r>(model: &Model, rows: impl IntoIterator<Item = &'r ComparedMeasure>) -> Vec<SeatGroup<'r>> {
    let mut all: Vec<(String, Vec<String>, Vec<&'r ComparedMeasure>)> = Vec::new();
    for row in rows {
        let name = measure_name(model, row);
        let (whole, seat) = name.rsplit_once(", seat ").map_or((&*name, None), |(whole, seat)| (whole, Some(seat)));
        let is_same = |(known, seats, rows): &&mut (String, Vec<String>, Vec<&ComparedMeasure>)| {
            known == whole && seat.is_some() && !seats.is_empty() && rows[0].verdict == row.verdict
        };
        match all.iter_mut().find(is_same) {
            Some((_, seats, rows)) => {
                seats.extend(seat.map(str::to_owned));
                rows.push(row);
            }
            None => all.push((whole.to_owned(), Vec::from_iter(seat.map(str::to_owned)), vec![row])),
        }
    }
    let of_seats = |seats: &[String]| match seats {
        [] => String::new(),
        [one] => format!(", seat {one}"),
        all if all.len() == usize::from(model.seats) => ", every seat".to_owned(),
        some => format!(", seats {}", some.join(" and ")),
    };
    let named =
        all.into_iter().map(|(whole, seats, rows)| SeatGroup { name: format!("{whole}{}", of_seats(&seats)), rows });
    named.collect()
}

impl SeatGroup<'_> {
    /// Formats a number over all rows as a range, from the least value to the greatest.
    fn span(&self, number: impl Fn(&ComparedMeasure) -> f64, text: impl Fn(&ComparedMeasure) -> String) -> String {
        let order = |a: &&&ComparedMeasure, b: &&&ComparedMeasure| number(a).total_cmp(&number(b));
        let ends = [self.rows.iter().min_by(order), self.rows.iter().max_by(order)];
        let [least, most] = ends.map(|row| row.map_or_else(String::new, |row| text(row)));
        if least == most {
            return most;
        }
        format!("{} to {most}", least.trim_end_matches(" percentage points").trim_end_matches(" %"))
    }

    /// Returns the smallest interval that contains the confidence intervals of all rows.
    fn interval(&self) -> Interval {
        let interval_of = |row: &&ComparedMeasure| row.difference.interval;
        let low = self.rows.iter().map(interval_of).map(|interval| interval.low).fold(f64::INFINITY, f64::min);
        let high = self.rows.iter().map(interval_of).map(|interval| interval.high).fold(f64::NEG_INFINITY, f64::max);
        Interval { low, high }
    }

    /// Formats the values of both versions, the difference, and its confidence interval, each as a range over the rows.
    fn cells(&self) -> [String; 4] {
        let sort = measure_kind(self.rows[0]);
        let parts = || self.rows.iter().filter_map(|row| relative_change(row));
        let (least, most) = (parts().fold(f64::INFINITY, f64::min), parts().fold(f64::NEG_INFINITY, f64::max));
        let part = match self.rows.as_slice() {
            [_] => parts().next().map(|part| format!(" ({part:+.1} %)")),
            all => (parts().count() == all.len()).then(|| format!(" ({least:+.1} to {most:+.1} %)")),
        };
        [
            self.span(|row| row.a.value, |row| value(&row.a, sort)),
            self.span(|row| row.b.value, |row| value(&row.b, sort)),
            format!(
                "{}{}",
                self.span(|row| row.difference.value, |row| format_change(row.difference.value, sort)),
                part.unwrap_or_default()
            ),
            format_interval(self.interval(), sort),
        ]
    }
}

/// Returns findings: the faults of both versions, the overall result, and the significant differences.
fn sentences(model: &Model, comparison: &Comparison, rows: &[ComparedMeasure]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (word, figures) in [("A", &comparison.a), ("B", &comparison.b)] {
        found.extend(figures.faults.iter().map(|fault| {
            let place = fault.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
            let (count, all) = (grouped(fault.count as i64), grouped(figures.games as i64));
            let text = format!("{word}: {count} of {all} games failed: {}{place}.", fault.message);
            Finding { weight: Weight::Wrong, about: "coverage", text }
        }));
    }
    found.push(Finding { weight: Weight::Note, about: "win", text: overall(comparison, rows) });
    for group in group_by_seats(model, rows.iter().filter(|row| row.verdict.is_finding())) {
        let (row, [a, b, by, reach]) = (group.rows[0], group.cells());
        let text = format!(
            "{} is {} in B: {b} instead of {a}, {by} (interval {reach}).",
            capitalize(&group.name),
            row.verdict.words(),
        );
        let weight = if row.verdict == Verdict::Worse { Weight::Wrong } else { Weight::Finding };
        found.push(Finding { weight, about: about(row), text });
    }
    found
}

fn about(row: &ComparedMeasure) -> &'static str {
    row.measure.as_ref().map_or("seat_win_gap", Measure::id)
}

/// Returns table rows with the columns: measure, A, B, difference, interval, verdict.
pub fn comparison_table<'r>(model: &Model, rows: impl IntoIterator<Item = &'r ComparedMeasure>) -> Vec<[String; 6]> {
    let line = |row: &ComparedMeasure| {
        let sort = measure_kind(row);
        [
            measure_name(model, row),
            value(&row.a, sort),
            value(&row.b, sort),
            change_text(row),
            format_interval(row.difference.interval, sort),
            row.verdict.words().to_owned(),
        ]
    };
    rows.into_iter().map(line).collect()
}

/// Like [`comparison_table`], but lists only significant differences, and combines the rows of several seats with the same verdict.
pub fn differences_table(model: &Model, rows: &[ComparedMeasure]) -> Vec<[String; 6]> {
    let line = |group: SeatGroup<'_>| {
        let [a, b, by, reach] = group.cells();
        let verdict = group.rows[0].verdict.words().to_owned();
        [group.name, a, b, by, reach, verdict]
    };
    group_by_seats(model, rows.iter().filter(|row| row.verdict.is_finding())).into_iter().map(line).collect()
}

/// Returns the comparison as JSON and as CSV.
pub fn comparison_document(compared: &ComparedPlayers<'_>, margin: Margin) -> (Value, Vec<u8>) {
    let ComparedPlayers { model, comparison, rows, .. } = compared;
    let mut lines = line(&[
        "players",
        "measure",
        "a",
        "a_low",
        "a_high",
        "b",
        "b_low",
        "b_high",
        "difference",
        "low",
        "high",
        "pairs",
        "false_findings",
        "margin",
        "verdict",
    ]);
    let mut list = Vec::new();
    for row in *rows {
        let three = |of: &Estimate| [of.value, of.interval.low, of.interval.high];
        let mut fields = vec![model.seats.to_string(), measure_id(row)];
        fields.extend([&row.a, &row.b, &row.difference].into_iter().flat_map(three).map(plain));
        fields.push(row.difference.count.to_string());
        fields.extend([row.false_findings, row.margin].map(plain));
        fields.push(row.verdict.words().to_owned());
        lines.extend(line(&fields));
        let finite = |number: f64| number.is_finite().then_some(number);
        list.push(json!({
            "measure": measure_id(row),
            "a": row.a.value,
            "a_low": finite(row.a.interval.low),
            "a_high": finite(row.a.interval.high),
            "b": row.b.value,
            "b_low": finite(row.b.interval.low),
            "b_high": finite(row.b.interval.high),
            "difference": row.difference.value,
            "low": finite(row.difference.interval.low),
            "high": finite(row.difference.interval.high),
            "pairs": row.difference.count,
            "false_findings": row.false_findings,
            "margin": row.margin,
            "verdict": row.verdict,
        }));
    }
    let document = json!({
        "players": model.seats,
        "rules": { "a": compared.rules[0], "b": compared.rules[1] },
        "changed": changed_lines(compared.before, model, compared.agents),
        "planned": compared.planned,
        "complete": compared.is_complete(),
        "pairs": comparison.pairs(),
        "alike": comparison.alike,
        "games": comparison.b.games,
        "faults_a": comparison.a.games - comparison.a.finished,
        "faults_b": comparison.b.games - comparison.b.finished,
        "margin": { "share": margin.share, "amount": margin.amount },
        "verdict": overall(comparison, rows),
        "rule": rule(rows),
        "measures": list,
    });
    (document, lines)
}

/// Renders the page of a comparison, with a section for each number of players.
pub fn comparison_page(
    title: &str,
    subtitle: &str,
    agents: [&[String]; 2],
    parts: &[ComparedPlayers<'_>],
    provenance: &[(String, String)],
) -> String {
    let mut rows = provenance.to_vec();
    for compared in parts {
        for (version, rules) in ["A", "B"].iter().zip(compared.rules) {
            rows.push((format!("Rules of {version}, {} players", compared.model.seats), rules.clone()));
        }
    }
    let parts: Vec<Part> = parts.iter().map(part).collect();
    let banner = match agents {
        [a, b] if a == b => bots(a),
        versions => bots_of_versions(versions),
    };
    render(title, subtitle, &banner, &parts, &rows)
}

fn part(compared: &ComparedPlayers<'_>) -> Part {
    let ComparedPlayers { model, comparison, rows, .. } = compared;
    let differing: Vec<&ComparedMeasure> = rows.iter().filter(|row| row.verdict.is_finding()).collect();
    let mut changed = grid("What differs", model, differing).with_tab(DIFFERENCES);
    changed.text = rule(rows);
    let mut all = grid(&format!("All {} measures", rows.len()), model, rows.iter()).with_tab(ALL_MEASURES);
    all.text = format!(
        "{} {}. A and B are of the pairs of games that both have the measure, as the difference is.",
        rule(rows),
        summarize_rest(model, rows).join(". ")
    );
    let mut counts = SortableTable::new("Games", "", [Heading::text(""), Heading::number("A"), Heading::number("B")])
        .with_tab(ALL_MEASURES);
    let (a, b) = (&comparison.a, &comparison.b);
    counts.rows.push(vec![word("played"), count(a.games), count(b.games)]);
    counts.rows.push(vec![word("failed"), count(a.games - a.finished), count(b.games - b.finished)]);
    let incomplete = if compared.is_complete() {
        String::new()
    } else {
        format!("{} of {} pairs of games were played.", grouped(b.games as i64), grouped(compared.planned as i64))
    };
    let tables = if changed.rows.is_empty() { vec![all, counts] } else { vec![changed, all, counts] };
    Part {
        id: format!("players-{}", model.seats),
        title: format!("{} players, {} pairs of games", model.seats, grouped(comparison.pairs() as i64)),
        incomplete,
        findings: sentences(model, comparison, rows),
        expected: Vec::new(),
        summary: None,
        comparison: Some(ComparisonSummary::new(compared)),
        sweep: None,
        map: None,
        tabs: vec![DIFFERENCES, ALL_MEASURES],
        plots: [
            (MeasureKind::Share, "Differences of shares, in percentage points"),
            (MeasureKind::Amount, "Differences of amounts, in percent of A"),
        ]
        .into_iter()
        .filter_map(|(wanted, title)| differences(model, rows, wanted, title))
        .collect(),
        tables,
        stories: Vec::new(),
    }
}

/// Renders a table of measures.
fn grid<'r>(title: &str, model: &Model, rows: impl IntoIterator<Item = &'r ComparedMeasure> + Clone) -> SortableTable {
    let heads = [
        Heading::text("measure"),
        Heading::number("A (95 %)"),
        Heading::number("B (95 %)"),
        Heading::number("B less A"),
        Heading::number("interval"),
        Heading::number("pairs"),
        Heading::number("false findings"),
        Heading::text("verdict"),
    ];
    let mut grid = SortableTable::new(title, "", heads);
    for (row, cells) in rows.clone().into_iter().zip(comparison_table(model, rows)) {
        let [name, _, _, difference, span, verdict] = cells;
        let number = |text: String, number: f64| Cell { text, sort: number.is_finite().then_some(number) };
        let sort = measure_kind(row);
        grid.rows.push(vec![
            word(name),
            number(estimate_text(&row.a, sort), row.a.value),
            number(estimate_text(&row.b, sort), row.b.value),
            number(difference, row.difference.value),
            word(span),
            count(row.difference.count),
            number(format!("{:.3}", row.false_findings), row.false_findings),
            word(verdict),
        ]);
    }
    grid
}

/// Plots the significant differences of one kind of measure side by side. Differences of amounts are shown relative to the amount in the
/// first version.
fn differences(model: &Model, rows: &[ComparedMeasure], wanted: MeasureKind, title: &str) -> Option<Plot> {
    let is_shown =
        |row: &&ComparedMeasure| row.verdict.is_finding() && (wanted == MeasureKind::Share || row.a.value != 0.0);
    let of_kind = rows.iter().filter(|row| measure_kind(row) == wanted).filter(is_shown);
    let dots: Vec<_> = of_kind
        .map(|row| {
            let scale = if wanted == MeasureKind::Share { 1.0 } else { row.a.value.abs() };
            let mut estimate = row.difference;
            estimate.value /= scale;
            estimate.interval.low /= scale;
            estimate.interval.high /= scale;
            (measure_name(model, row), estimate, row.verdict.is_finding())
        })
        .collect();
    if dots.is_empty() {
        return None;
    }
    Plot::new(title.to_owned(), "", DIFFERENCES, plot::dots(title, &dots, wanted == MeasureKind::Share))
}

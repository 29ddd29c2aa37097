//! Summary tables as CSV, and the pages of sweeps and arenas.

use super::figure_names::{figure_kind, figure_name};
use super::finding::{Finding, Weight};
use super::grid::{Cell, SortableTable, count, maybe, word};
use super::heading::Heading;
use super::items;
use super::names;
use super::number::{estimate_text, plain};
use super::page::{Part, bots, irreproducible_note, render};
use super::rows::line;
use super::sweep_row::SweepRow;
use super::sweep_summary::{SweepResults, SweepSummary, heading};
use crate::model::Model;
use crate::simulation::{AdjustedDifference, ContestResult, Dial, Estimate, FaultGroup, Figures, MeasureKind};

/// Renders `measures.csv`: all measures of all batches.
pub(super) fn measures(batches: &[(&Model, &Figures)]) -> Vec<u8> {
    let mut lines = line(&["players", "measure", "value", "low", "high", "count", "least", "median", "most"]);
    for (_, figures) in batches {
        let players = figures.seats.to_string();
        if figures.seats > 1 && figures.finished > 0 && figures.success().is_none() {
            let gap = figures.seat_gap();
            lines.extend(line(&estimate_fields(&players, "seat_win_gap", &gap, ["", "", ""].map(str::to_owned))));
        }
        for measure in figures.measured() {
            let (histogram, unit) = (figures.histogram(measure), measure.unit(figures.seats) as f64);
            let number = |found: Option<f64>| found.map_or_else(String::new, |number| plain(number / unit));
            let rest = [
                number(histogram.min().map(|number| number as f64)),
                number(histogram.median()),
                number(histogram.max().map(|number| number as f64)),
            ];
            lines.extend(line(&estimate_fields(&players, &measure.word(), &figures.estimate(measure), rest)));
        }
    }
    lines
}

fn estimate_fields(players: &str, word: &str, estimate: &Estimate, rest: [String; 3]) -> Vec<String> {
    let mut fields = vec![players.to_owned(), word.to_owned()];
    fields.extend([estimate.value, estimate.interval.low, estimate.interval.high].map(plain));
    fields.push(estimate.count.to_string());
    fields.extend(rest);
    fields
}

/// Renders `items.csv`: all options and components of all batches.
pub(super) fn items(batches: &[(&Model, &Figures)]) -> Vec<u8> {
    let mut lines = line(&[
        "players",
        "what",
        "group",
        "id",
        "name",
        "offered",
        "picked",
        "wins_with",
        "wins_with_low",
        "wins_with_high",
        "wins_without",
        "wins_without_low",
        "wins_without_high",
        "difference",
        "low",
        "high",
        "false_findings",
        "against_kind",
        "against_kind_low",
        "against_kind_high",
        "against_kind_false_findings",
        "against_not_taken",
        "against_not_taken_low",
        "against_not_taken_high",
        "against_not_taken_false_findings",
    ]);
    for (model, figures) in batches {
        let options = items::options(model, figures).into_iter().map(|row| ("option", row));
        let components = items::components(model, figures).into_iter().map(|row| ("component", row));
        for (what, row) in options.chain(components) {
            let share = |estimate: Option<Estimate>| match estimate {
                Some(found) => [found.value, found.interval.low, found.interval.high].map(plain),
                None => ["", "", ""].map(str::to_owned),
            };
            let mut fields =
                vec![figures.seats.to_string(), what.to_owned(), row.group.clone(), row.id.clone(), row.name.clone()];
            fields.extend([row.offered.to_string(), row.picked.to_string()]);
            fields.extend(share(row.with).into_iter().chain(share(row.without)));
            for difference in [&row.difference, &row.excess, &row.matched] {
                fields.extend(match difference {
                    Some(AdjustedDifference { estimate, false_findings }) => {
                        [estimate.value, estimate.interval.low, estimate.interval.high, *false_findings].map(plain)
                    }
                    None => ["", "", "", ""].map(str::to_owned),
                });
            }
            lines.extend(line(&fields));
        }
    }
    lines
}

/// Renders `bands.csv`: distributions of values by round.
pub(super) fn bands(batches: &[(&Model, &Figures)]) -> Vec<u8> {
    let mut lines = line(&["players", "value", "round", "p5", "p25", "median", "p75", "p95", "mean", "count"]);
    for (model, figures) in batches {
        let mut keys: Vec<_> = figures.bands.keys().copied().collect();
        keys.sort_unstable();
        for key in keys {
            let histogram = &figures.bands[&key];
            let mut fields = vec![figures.seats.to_string(), names::band(model, key), key.round.to_string()];
            fields.extend(
                [5, 25, 50, 75, 95]
                    .map(|at| histogram.percentile(at).map_or_else(String::new, |number| number.to_string())),
            );
            fields.extend([histogram.mean().map_or_else(String::new, plain), histogram.total().to_string()]);
            lines.extend(line(&fields));
        }
    }
    lines
}

/// Renders `sweep.csv`: one line per setting and figure.
pub fn sweep_table(dials: &[Dial], rows: &[SweepRow<'_>]) -> Vec<u8> {
    let mut heads: Vec<String> = dials.iter().map(|dial| dial.path.clone()).collect();
    heads.extend(["figure", "value", "low", "high", "games", "failed", "target", "rules"].map(str::to_owned));
    let mut lines = line(&heads);
    for row in rows {
        for (word, estimate) in &row.figures {
            let mut fields: Vec<String> =
                dials.iter().zip(row.setting).map(|(dial, at)| dial.values[*at].clone()).collect();
            fields.push(word.clone());
            let numbers =
                estimate.map_or([f64::NAN; 3], |found| [found.value, found.interval.low, found.interval.high]);
            fields.extend(numbers.map(plain));
            fields.extend([row.games, row.failed].map(|count| count.to_string()));
            let judged = row.judged.iter().find(|one| *one.target.figure == **word);
            fields.extend([judged.map_or("", |one| one.standing.word()).to_owned(), row.rules.clone()]);
            lines.extend(line(&fields));
        }
    }
    lines
}

/// Name of the tab with the curves for which the first screen of a sweep has no room.
const FIGURES: &str = "Figures";

/// Name of the tab with the table of a sweep's settings.
const SETTINGS: &str = "Settings";

/// Renders the page of a sweep.
pub fn sweep_page(
    title: &str,
    subtitle: &str,
    (players, agents): (u8, &[String]),
    dials: &[Dial],
    rows: &[SweepRow<'_>],
    (findings, incomplete): (Vec<Finding>, String),
    provenance: &[(String, String)],
) -> String {
    let words: Vec<&str> =
        rows.first().map_or_else(Vec::new, |row| row.figures.iter().map(|(word, _)| word.as_str()).collect());
    let heads = dials
        .iter()
        .map(|dial| Heading::text(dial.path.as_str()))
        .chain(words.iter().map(|word| Heading::number(figure_name(word))))
        .chain([Heading::number("games"), Heading::number("failed"), Heading::text("targets")]);
    let mut grid = SortableTable::new("Settings, nearest to the targets first", "", heads).with_tab(SETTINGS);
    for row in rows {
        let mut cells: Vec<Cell> =
            dials.iter().zip(row.setting).map(|(dial, at)| dial_cell(&dial.values[*at])).collect();
        cells.extend(row.figures.iter().map(|(figure, estimate)| match estimate {
            Some(found) => Cell { text: estimate_text(found, figure_kind(figure)), sort: Some(found.value) },
            None => word("no game says"),
        }));
        cells.extend([row.games, row.failed].map(count));
        cells.push(word(
            row.judged
                .iter()
                .map(|one| format!("{} {}", one.target.figure, one.standing.word()))
                .collect::<Vec<_>>()
                .join(", "),
        ));
        grid.rows.push(cells);
    }
    let results = SweepResults { dials, rows };
    let (sweep, plots) = SweepSummary::new(heading(players, rows, agents), findings, &results, FIGURES);
    let tabs = if plots.is_empty() { vec![SETTINGS] } else { vec![SETTINGS, FIGURES] };
    let part = Part {
        id: "sweep".to_owned(),
        title: "Settings".to_owned(),
        incomplete,
        findings: Vec::new(),
        expected: Vec::new(),
        summary: None,
        comparison: None,
        sweep: Some(sweep),
        map: None,
        tabs,
        plots,
        tables: vec![grid],
        stories: Vec::new(),
    };
    render(title, subtitle, &bots(agents), &[part], provenance)
}

/// Renders the page of an arena. `order` has the names and indices of the agents, best first.
pub fn arena_page(
    title: &str,
    subtitle: &str,
    order: &[(&str, usize)],
    ladder: &ContestResult,
    incomplete: String,
    provenance: &[(String, String)],
) -> String {
    let heads = [
        Heading::number("rank"),
        Heading::text("agent"),
        Heading::number("seated"),
        Heading::number("wins"),
        Heading::number("score"),
        Heading::number("rating"),
        Heading::number("beats the next"),
    ];
    let mut grid = SortableTable::new("Agents", "", heads);
    for (at, (name, agent)) in order.iter().enumerate() {
        let contestant = &ladder.contestants[*agent];
        let (value, interval) = ladder.win_share(*agent);
        let wins = Estimate { value, interval, count: contestant.seated };
        let score = Some(ladder.mean_score(*agent)).filter(|score| score.count > 0);
        let next = order.get(at + 1).and_then(|(_, next)| ladder.win_rate_against(*agent, *next));
        let next = next.map(|(value, interval)| Estimate { value, interval, count: ladder.finished });
        let (rating, uncertainty) = (contestant.rating, contestant.uncertainty);
        grid.rows.push(vec![
            count(at as u64 + 1),
            word(*name),
            count(contestant.seated),
            maybe(Some(&wins), MeasureKind::Share),
            maybe(score.as_ref(), MeasureKind::Amount),
            Cell { text: format!("{rating:.1} ± {uncertainty:.1}"), sort: Some(rating) },
            maybe(next.as_ref(), MeasureKind::Share),
        ]);
    }
    let part = Part {
        id: "agents".to_owned(),
        title: "Agents".to_owned(),
        incomplete,
        findings: faults_of_contest(ladder),
        expected: Vec::new(),
        summary: None,
        comparison: None,
        sweep: None,
        map: None,
        tabs: Vec::new(),
        plots: Vec::new(),
        tables: vec![grid],
        stories: Vec::new(),
    };
    let names: Vec<String> = order.iter().map(|(name, _)| (*name).to_owned()).collect();
    render(title, subtitle, &format!("Seats rotate.{}", irreproducible_note(&names)), &[part], provenance)
}

/// Returns a finding for each fault of a contest.
pub(super) fn faults_of_contest(result: &ContestResult) -> Vec<Finding> {
    let failed = |fault: &FaultGroup| {
        let games = if fault.count == 1 { "1 game".to_owned() } else { format!("{} games", fault.count) };
        Finding { weight: Weight::Wrong, about: "coverage", text: format!("{games} failed: {}.", fault.message) }
    };
    result.faults.iter().map(failed).collect()
}

fn dial_cell(value: &str) -> Cell {
    Cell { text: value.to_owned(), sort: value.parse().ok() }
}

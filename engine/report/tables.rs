//! Tables of summaries for other programs, and the pages of sweeps and arenas.

use super::finding::{Finding, Weight};
use super::items;
use super::names;
use super::number::{amount, estimate_text, plain};
use super::page::{Cell, Part, SortableTable, bots, irreproducible_note, maybe, render, word};
use super::plot::{self, HeatCell, Plot};
use super::rows::line;
use crate::model::{Model, Target};
use crate::simulation::{
    AdjustedDifference, ContestResult, Dial, Estimate, FaultGroup, Figures, MeasureKind, Setting, TargetResult,
};

/// Renders `measures.csv`: all measures of all batches.
pub(super) fn measures(batches: &[(&Model, &Figures)]) -> Vec<u8> {
    let mut lines = line(&["players", "measure", "value", "low", "high", "count", "least", "median", "most"]);
    for (_, figures) in batches {
        let players = figures.seats.to_string();
        if figures.seats > 1 && figures.finished > 0 {
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
            for difference in [&row.difference, &row.excess] {
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

/// One setting of a sweep with its results.
#[derive(Debug)]
pub struct SweepRow<'a> {
    /// Index of the value of each dial.
    pub setting: &'a Setting,
    /// Shown figures by their id; `None` if no game has the figure.
    pub figures: Vec<(String, Option<Estimate>)>,
    /// Targets and whether they are met.
    pub judged: &'a [TargetResult],
    /// Number of games played, including failed ones.
    pub games: u64,
    /// Number of games that failed.
    pub failed: u64,
    /// Fingerprint of the rules with all settings, in hexadecimal.
    pub rules: String,
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

/// Renders the page of a sweep.
pub fn sweep_page(
    title: &str,
    subtitle: &str,
    agents: &[String],
    dials: &[Dial],
    rows: &[SweepRow<'_>],
    (findings, incomplete): (Vec<Finding>, String),
    provenance: &[(String, String)],
) -> String {
    let words: Vec<&str> =
        rows.first().map_or_else(Vec::new, |row| row.figures.iter().map(|(word, _)| word.as_str()).collect());
    let heads: Vec<String> = dials
        .iter()
        .map(|dial| dial.path.clone())
        .chain(words.iter().map(|word| format!("#{word}")))
        .chain(["#games".to_owned(), "#failed".to_owned(), "targets".to_owned()])
        .collect();
    let mut grid = SortableTable::new("Settings", "", &heads.iter().map(String::as_str).collect::<Vec<_>>());
    for row in rows {
        let mut cells: Vec<Cell> =
            dials.iter().zip(row.setting).map(|(dial, at)| dial_cell(&dial.values[*at])).collect();
        cells.extend(row.figures.iter().map(|(_, estimate)| match estimate {
            Some(found) => Cell { text: estimate_text(found, MeasureKind::Amount), sort: Some(found.value) },
            None => word("no game says"),
        }));
        cells.extend([row.games, row.failed].map(super::page::count));
        cells.push(word(
            row.judged
                .iter()
                .map(|one| format!("{} {}", one.target.figure, one.standing.word()))
                .collect::<Vec<_>>()
                .join(", "),
        ));
        grid.rows.push(cells);
    }
    let plots = words.iter().enumerate().filter_map(|(at, word)| sweep_plot(dials, rows, at, word)).collect();
    let part = Part {
        id: "sweep".to_owned(),
        title: "Settings".to_owned(),
        incomplete,
        findings,
        expected: Vec::new(),
        summary: None,
        comparison: None,
        tabs: Vec::new(),
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
    let heads = ["#rank", "agent", "#seated", "#wins", "#score", "#rating", "#beats the next"];
    let mut grid = SortableTable::new("Agents", "", &heads);
    for (at, (name, agent)) in order.iter().enumerate() {
        let contestant = &ladder.contestants[*agent];
        let (value, interval) = ladder.win_share(*agent);
        let wins = Estimate { value, interval, count: contestant.seated };
        let score = Some(ladder.mean_score(*agent)).filter(|score| score.count > 0);
        let next = order.get(at + 1).and_then(|(_, next)| ladder.beats(*agent, *next));
        let next = next.map(|(value, interval)| Estimate { value, interval, count: ladder.finished });
        let (rating, uncertainty) = (contestant.rating, contestant.uncertainty);
        grid.rows.push(vec![
            super::page::count(at as u64 + 1),
            word(*name),
            super::page::count(contestant.seated),
            maybe(Some(&wins), MeasureKind::Share),
            maybe(score.as_ref(), MeasureKind::Amount),
            Cell { text: format!("{rating:.1} ± {uncertainty:.1}"), sort: Some(rating) },
            maybe(next.as_ref(), MeasureKind::Share),
        ]);
    }
    let failed = |fault: &FaultGroup| {
        let games = if fault.count == 1 { "1 game".to_owned() } else { format!("{} games", fault.count) };
        Finding { weight: Weight::Wrong, about: "coverage", text: format!("{games} failed: {}.", fault.message) }
    };
    let part = Part {
        id: "agents".to_owned(),
        title: "Agents".to_owned(),
        incomplete,
        findings: ladder.faults.iter().map(failed).collect(),
        expected: Vec::new(),
        summary: None,
        comparison: None,
        tabs: Vec::new(),
        plots: Vec::new(),
        tables: vec![grid],
        stories: Vec::new(),
    };
    let names: Vec<String> = order.iter().map(|(name, _)| (*name).to_owned()).collect();
    render(title, subtitle, &format!("Seats rotate.{}", irreproducible_note(&names)), &[part], provenance)
}

fn dial_cell(value: &str) -> Cell {
    Cell { text: value.to_owned(), sort: value.parse().ok() }
}

/// Draws a curve over one dial or a heat map over two; `None` for more.
fn sweep_plot(dials: &[Dial], rows: &[SweepRow<'_>], at: usize, word: &str) -> Option<Plot> {
    let title = match dials {
        [first, second] => format!("{word} by {} (across) and {} (down)", first.path, second.path),
        _ => format!("{word} by {}", dials.iter().map(|dial| dial.path.as_str()).collect::<Vec<_>>().join(" and ")),
    };
    let about = crate::simulation::DEFINITIONS.iter().find(|known| known.id == word).map_or("", |known| known.id);
    let placed = rows.iter().filter_map(|row| Some((row.setting, row.figures[at].1?, row.judged)));
    let mut placed: Vec<_> = placed.collect();
    if placed.is_empty() {
        return None;
    }
    placed.sort_by_key(|(setting, _, _)| *setting);
    let svg = match dials {
        [dial] => {
            let points: Vec<(String, Estimate)> =
                placed.iter().map(|(setting, estimate, _)| (dial.values[setting[0]].clone(), *estimate)).collect();
            let wanted =
                placed.first().and_then(|(_, _, judged)| judged.iter().find(|one| *one.target.figure == *word));
            let bound = |millionths: Option<i64>| millionths.map(|bound| bound as f64 / Target::UNIT as f64);
            let wanted = wanted.map_or((None, None), |one| (bound(one.target.min), bound(one.target.max)));
            plot::curve(&title, &points, wanted, MeasureKind::Amount)
        }
        [first, second] => {
            let least = placed.iter().map(|(_, estimate, _)| estimate.value).fold(f64::INFINITY, f64::min);
            let cells: Vec<HeatCell> = placed
                .iter()
                .map(|(setting, estimate, _)| HeatCell {
                    column: setting[0],
                    row: setting[1],
                    share: estimate.value - least,
                    name: format!(
                        "{} = {}, {} = {}",
                        first.path, first.values[setting[0]], second.path, second.values[setting[1]]
                    ),
                    text: amount(estimate.value),
                })
                .collect();
            let named = |dial: &Dial| -> Vec<String> { dial.values.clone() };
            plot::heat(&title, &cells, &named(first), &named(second))
        }
        _ => return None,
    };
    Some(Plot { title, about, tab: "", svg })
}

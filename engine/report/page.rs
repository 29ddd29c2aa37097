//! HTML page with the figures of a run: a single self-contained file.

use super::batch_report::BatchReport;
use super::campaigns;
use super::choice_summary::MapSummary;
use super::comparison_summary::ComparisonSummary;
use super::finding::{Finding, Weight};
use super::findings::{findings, is_label};
use super::game_on_page::GameOnPage;
use super::grid::{Cell, SortableTable, count, figure, maybe, word};
use super::heading::Heading;
use super::item_row::ItemRow;
use super::items;
use super::manifest::Manifest;
use super::multiple_testing::testing_rule;
use super::names;
use super::number::{amount, capitalize, grouped, points, span};
use super::plot::{self, Drawn, HeatCell, Plot, RoundQuantiles};
use super::summary::Summary;
use super::sweep_summary::SweepSummary;
use crate::model::{Label, Language, Model, SpaceId, ZoneId};
use crate::simulation::{
    AdjustedDifference, BandKey, DEFINITIONS, Estimate, Figures, Interest, Measure, MeasureKind, OccurrenceCount,
    PARTS, wilson,
};
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, context};
use serde::Serialize;
use std::collections::BTreeMap;

/// Names of the tabs below the first screen of a report.
const TABS: [&str; 5] = ["Seats", "Cards", "Options", "Flow", "Data"];

/// A section of a page.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Part {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) incomplete: String,
    pub(super) findings: Vec<Finding>,
    /// Findings that agree with an expectation that the author declared.
    pub(super) expected: Vec<Finding>,
    /// First screen of a report about a single run.
    pub(super) summary: Option<Summary>,
    /// First screen of a comparison.
    pub(super) comparison: Option<ComparisonSummary>,
    /// First screen of a choice map.
    pub(super) map: Option<MapSummary>,
    /// First screen of a sweep.
    pub(super) sweep: Option<SweepSummary>,
    /// Names of the tabs below the first screen; empty for pages without tabs.
    pub(super) tabs: Vec<&'static str>,
    pub(super) plots: Vec<Plot>,
    pub(super) tables: Vec<SortableTable>,
    pub(super) stories: Vec<GameOnPage>,
}

/// Returns the word for the reason why a game is remarkable.
pub fn story_word(interest: Interest) -> &'static str {
    match interest {
        Interest::Closest => "closest",
        Interest::Longest => "longest",
        Interest::Shortest => "shortest",
        Interest::Comeback => "comeback",
        Interest::Widest => "widest",
    }
}

/// Renders the page of a run.
pub fn page(manifest: &Manifest, reports: &[BatchReport<'_>]) -> String {
    let name = reports
        .first()
        .map_or_else(|| manifest.game.clone(), |report| report.model.name.get(Language::English).to_owned());
    let parts: Vec<Part> = reports.iter().map(|report| part(manifest, report)).collect();
    let games: u64 = reports.iter().map(|report| report.figures.games).sum();
    let unit = reports.first().map_or("games", |report| campaigns::unit_word(report.figures));
    let subtitle = format!("{} {unit}, seed {}, by Parlour {}", grouped(games as i64), manifest.seed, manifest.parlour);
    render(&name, &subtitle, &bots(&manifest.agents), &parts, &provenance(manifest))
}

/// States which agents played, and which conclusions their games do not support.
pub(super) fn bots(agents: &[String]) -> String {
    limits(&seated(agents), agents)
}

/// Like [`bots`], but for the agents of two versions.
pub(super) fn bots_of_versions([a, b]: [&[String]; 2]) -> String {
    limits(&format!("A: {} B: {}", seated(a), seated(b)), &[a, b].concat())
}

/// States which agent plays each seat.
fn seated(agents: &[String]) -> String {
    match agents {
        [one] => format!("In every seat: {one}."),
        many => many
            .iter()
            .enumerate()
            .map(|(at, agent)| format!("Seat {}: {agent}.", at + 1))
            .collect::<Vec<_>>()
            .join(" "),
    }
}

fn limits(who: &str, agents: &[String]) -> String {
    let irreproducible_note = irreproducible_note(agents);
    format!(
        "{who} What bots do does not tell what people will do: these figures are a check before people play, not instead of it. \
         A finding that holds with several sorts of bots deserves more trust.{irreproducible_note}"
    )
}

/// If a search agent has a time limit, returns a note that the games cannot be reproduced. Otherwise returns an empty string.
pub(super) fn irreproducible_note(agents: &[String]) -> &'static str {
    let is_timed = |agent: &String| agent.starts_with("search") && agent.split(':').any(|word| word.ends_with("ms"));
    if agents.iter().any(is_timed) {
        " Bots that think for a time choose otherwise on another machine or a busy one: these games cannot be played again."
    } else {
        ""
    }
}

/// Script of all pages.
const SCRIPT: &str = include_str!("page.js");

/// Content security policy of all pages: the script above and nothing from outside. `tests/batches/report_page.rs` checks the hash.
const POLICY: &str = "default-src 'none'; script-src 'sha256-s0SRP34iVBT26+XC9OiFVo8oaCF5lQz1uOAvVz6FYHg='; \
                      style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// Returns the beginning of every page, up to its content security policy. No script that is added behind it can run.
#[cfg(feature = "system")]
pub(crate) fn page_beginning() -> String {
    let head = include_str!("page.html").split("{{ policy|safe }}").next().unwrap_or_default();
    format!("{head}{POLICY}\"")
}

/// Renders the page template.
pub(super) fn render(
    title: &str,
    subtitle: &str,
    banner: &str,
    parts: &[Part],
    provenance: &[(String, String)],
) -> String {
    #[derive(Serialize)]
    struct Known {
        id: &'static str,
        name: String,
        text: &'static str,
        details: &'static str,
    }
    let definitions = DEFINITIONS.iter();
    let definitions: Vec<Known> = definitions
        .map(|known| Known { id: known.id, name: capitalize(known.name), text: known.text, details: known.details })
        .collect();
    let by_id: BTreeMap<&str, &str> = DEFINITIONS.iter().map(|known| (known.id, known.text)).collect();
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let page = environment.render_str(
        include_str!("page.html"),
        context! {
            title, subtitle, banner,
            script => SCRIPT,
            policy => POLICY,
            parts => Value::from(Serde(parts)),
            provenance => Value::from(Serde(provenance)),
            definitions => Value::from(Serde(&definitions)),
            definitions_by_id => Value::from(Serde(&by_id)),
        },
    );
    page.unwrap_or_else(|error| panic!("the template of the page is at fault: {error:#}"))
}

/// Formats the requested number of games, and the precision at which a run stops earlier.
fn games_asked(manifest: &Manifest) -> String {
    let most = grouped(manifest.games as i64);
    manifest.until.as_ref().map_or_else(|| most.clone(), |until| format!("until {until}, at most {most}"))
}

/// Returns the name and the value of each property that is needed to repeat a run.
pub(super) fn provenance(manifest: &Manifest) -> Vec<(String, String)> {
    let pairs = |pairs: &[(String, String)]| {
        let text: Vec<String> = pairs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if text.is_empty() { "none".to_owned() } else { text.join(", ") }
    };
    let mut rows = vec![
        ("Game".to_owned(), format!("{} ({})", manifest.game, manifest.path)),
        ("Options".to_owned(), pairs(&manifest.options)),
        ("Changed data".to_owned(), pairs(&manifest.sets)),
        ("Agents".to_owned(), manifest.agents.join(", ")),
        ("Seed".to_owned(), manifest.seed.to_string()),
        ("Games for each number of players".to_owned(), games_asked(manifest)),
        ("Program".to_owned(), format!("Parlour {}", manifest.parlour)),
    ];
    for (file, number) in &manifest.agent_files {
        rows.push((format!("Agent file {file}"), number.clone()));
    }
    for batch in &manifest.batches {
        rows.push((format!("Rules, {} players", batch.players), batch.rules.clone()));
    }
    rows
}

fn part(manifest: &Manifest, report: &BatchReport<'_>) -> Part {
    let figures = report.figures;
    let wanted = manifest.range_of(report.batch);
    let is_whole = figures.games == wanted.end - wanted.start;
    let incomplete = if is_whole {
        String::new()
    } else {
        format!(
            "{} of {} games were played.",
            grouped(figures.games as i64),
            grouped((wanted.end - wanted.start) as i64)
        )
    };
    let (expected, findings) =
        findings(&report.model, figures).into_iter().partition(|finding| finding.weight == Weight::Expected);
    Part {
        id: format!("players-{}", figures.seats),
        title: format!(
            "{} players, {} {}",
            figures.seats,
            grouped(figures.games as i64),
            campaigns::unit_word(figures)
        ),
        incomplete,
        findings,
        expected,
        summary: Some(Summary::new(manifest, report)),
        comparison: None,
        sweep: None,
        map: None,
        tabs: campaigns::TAB.into_iter().filter(|_| figures.is_of_campaigns()).chain(TABS).collect(),
        plots: campaigns::plots(&report.model, figures)
            .into_iter()
            .chain(plots(manifest, &report.model, figures))
            .collect(),
        tables: campaigns::table(&report.model, figures).into_iter().chain(tables(&report.model, figures)).collect(),
        stories: GameOnPage::all(&report.model, &report.stories),
    }
}

fn plots(manifest: &Manifest, model: &Model, figures: &Figures) -> Vec<Plot> {
    let mut plots = Vec::new();
    if figures.finished == 0 {
        return plots;
    }
    let mut add = |title: String, tab: &'static str, about: &'static str, drawn: Drawn| {
        plots.extend(Plot::new(title, about, tab, drawn));
    };
    let seats = |of: fn(u8) -> Measure| -> Vec<(String, Estimate)> {
        let label = |seat: u8| format!("seat {} ({})", seat + 1, manifest.player(model, seat));
        (0..figures.seats).map(|seat| (label(seat), figures.estimate(&of(seat)))).collect()
    };
    if !model.is_cooperative() {
        add(
            "Win share by seat".to_owned(),
            "Seats",
            "win",
            plot::bars(
                "Win share by seat",
                &seats(Measure::Win),
                Some(("fair", figures.fair_share())),
                MeasureKind::Share,
            ),
        );
    }
    let places = figures.places().into_iter().enumerate().map(|(at, share)| (format!("place {}", at + 1), share));
    let places: Vec<(String, Estimate)> = places.collect();
    if !places.is_empty() && !model.is_cooperative() {
        let title = "Win share by turn order";
        add(
            title.to_owned(),
            "Seats",
            "place",
            plot::bars(title, &places, Some(("fair", figures.fair_share())), MeasureKind::Share),
        );
    }
    add(
        "Mean score by seat".to_owned(),
        "Seats",
        "score",
        plot::bars("Mean score by seat", &seats(Measure::Score), None, MeasureKind::Amount),
    );
    let mut scores = crate::simulation::Histogram::default();
    (0..figures.seats).for_each(|seat| scores.merge(&figures.histogram(&Measure::Score(seat))));
    add("Scores of all seats".to_owned(), "Seats", "score", plot::histogram("Scores of all seats", &scores, 1));
    for measure in [Measure::Margin, Measure::Rounds, Measure::Turns, Measure::Decisions, Measure::LeadChanges] {
        let histogram = figures.histogram(&measure);
        if histogram.min() == histogram.max() {
            continue;
        }
        let title = capitalize(&measure.name(model));
        add(title.clone(), "Flow", measure.id(), plot::histogram(&title, &histogram, measure.unit(figures.seats)));
    }
    add(
        "Options per question".to_owned(),
        "Options",
        "options",
        plot::histogram("Options per question", &figures.branching, 1),
    );
    let leaders: Vec<(String, Estimate)> = [(1, "at a quarter"), (2, "at half"), (3, "at three quarters")]
        .into_iter()
        .map(|(quarter, label)| (label.to_owned(), figures.estimate(&Measure::LeaderWins(quarter))))
        .filter(|(_, estimate)| estimate.count > 0)
        .collect();
    if !leaders.is_empty() {
        let title = "How often the leader wins";
        add(
            title.to_owned(),
            "Flow",
            "leader_half",
            plot::bars(title, &leaders, Some(("by chance", figures.fair_share())), MeasureKind::Share),
        );
    }
    for (title, of) in [
        ("How likely the winner was to win", Measure::WinnerChance as fn(u8) -> Measure),
        ("How likely the favorite was to win", Measure::FavoriteChance),
    ] {
        let label = |tenths: u8| format!("after {tenths} of {PARTS} parts of the game");
        let looks = (1..PARTS).map(|tenths| (label(tenths), figures.estimate(&of(tenths))));
        let looks: Vec<(String, Estimate)> = looks.filter(|(_, estimate)| estimate.count > 0).collect();
        if !looks.is_empty() {
            add(
                title.to_owned(),
                "Flow",
                of(1).id(),
                plot::bars(title, &looks, Some(("by chance", figures.fair_share())), MeasureKind::Share),
            );
        }
    }
    let endings = items::endings(model, figures);
    if endings.len() > 1 {
        add("Endings".to_owned(), "Flow", "ending", plot::bars("Endings", &endings, None, MeasureKind::Share));
    }
    for (title, tab, rows) in [
        ("Winning with a component: points against seats without", "Cards", items::components(model, figures)),
        (
            "Taking an option: points against seats that stood alike and did not take it",
            "Options",
            matched_rows(model, figures),
        ),
    ] {
        let about = if tab == "Options" { "matched" } else { "win_with" };
        if let Some(drawn) = differences(title, rows) {
            add(title.to_owned(), tab, about, drawn);
        }
    }
    for (title, drawn) in fans(model, figures) {
        add(title, "Flow", "bands", drawn);
    }
    for (title, drawn) in heats(model, figures) {
        add(title, "Flow", "spaces", drawn);
    }
    plots
}

/// Returns the rows of all options. The difference between win shares is replaced with the matched difference between taking and not taking
/// the option.
fn matched_rows(model: &Model, figures: &Figures) -> Vec<ItemRow> {
    items::options(model, figures).into_iter().map(|row| ItemRow { difference: row.matched, ..row }).collect()
}

/// Plots at most 24 differences: those with the largest absolute values. Returns `None` if no row has a difference.
fn differences(title: &str, mut rows: Vec<ItemRow>) -> Option<Drawn> {
    rows.retain(|row| row.difference.is_some());
    rows.sort_by(|a, b| {
        let size = |row: &ItemRow| row.difference.map_or(0.0, |found| found.estimate.value.abs());
        size(b).total_cmp(&size(a))
    });
    rows.truncate(24);
    rows.sort_by(|a, b| {
        let value = |row: &ItemRow| row.difference.map_or(0.0, |found| found.estimate.value);
        value(b).total_cmp(&value(a))
    });
    let dots: Vec<(String, Estimate, bool)> =
        rows.iter().filter_map(|row| Some((row_label(row), row.difference?.estimate, row.is_finding()))).collect();
    (!dots.is_empty()).then(|| plot::dots(title, &dots, true))
}

/// Returns the label of a row. The label of an option begins with the name of its decision.
fn row_label(row: &ItemRow) -> String {
    if row.pick_share.is_some() { format!("{}: {}", row.group, row.name) } else { row.name.clone() }
}

fn fans(model: &Model, figures: &Figures) -> Vec<(String, Drawn)> {
    let mut keys: Vec<BandKey> = figures.bands.keys().copied().collect();
    keys.sort_unstable();
    let mut fans: BTreeMap<(u16, u16), Vec<RoundQuantiles>> = BTreeMap::new();
    for key in keys {
        let histogram = &figures.bands[&key];
        let at = [5, 25, 50, 75, 95].map(|at| histogram.percentile(at).unwrap_or_default() as f64);
        fans.entry((key.value, key.holder)).or_default().push(RoundQuantiles { round: key.round, at });
    }
    let changing = fans.into_iter().filter(|(_, rounds_data)| {
        let first = rounds_data[0].at;
        rounds_data.len() > 1
            && rounds_data
                .iter()
                .any(|quantiles| quantiles.at.iter().zip(first).any(|(one, two)| (*one - two).abs() > 0.0))
    });
    changing
        .map(|((value, holder), rounds_data)| {
            let title = format!("{} by round", capitalize(&names::band(model, BandKey { value, holder, round: 0 })));
            (title.clone(), plot::fan(&title, &rounds_data))
        })
        .collect()
}

/// Draws a heat map for each zone family with several spaces, unless no piece ever entered any of these spaces. Each cell shows the share
/// of games in which a piece entered the space.
fn heats(model: &Model, figures: &Figures) -> Vec<(String, Drawn)> {
    let mut found = Vec::new();
    for family in model.families.iter().filter(|family| !family.shape.is_single()) {
        let zones: Vec<u16> = family.zones.clone().collect();
        let mut cells = Vec::new();
        let (mut columns, mut rows): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let name = |list: &mut Vec<String>, at: usize, name: String| {
            list.resize(list.len().max(at + 1), String::new());
            if list[at].is_empty() {
                list[at] = name;
            }
        };
        let grid =
            model.spaces.iter().filter(|space| zones.contains(&space.zone.0)).filter_map(|space| match space.label {
                Label::Cell(column, row) => Some((column, row)),
                _ => None,
            });
        let (left, top) =
            grid.fold((i16::MAX, i16::MAX), |(left, top), (column, row)| (left.min(column), top.min(row)));
        for (zone_at, zone) in zones.iter().enumerate() {
            let spaces = model.zones[*zone as usize].spaces.clone();
            for (at, space) in spaces.enumerate() {
                let label = &model.space(SpaceId(space)).label;
                let (column, row) = match (label, family.shape) {
                    (Label::Cell(column, row), shape) if shape.is_grid() && zones.len() == 1 => {
                        let (across, down) = ((*column - left) as usize, (*row - top) as usize);
                        name(&mut rows, down, row.to_string());
                        name(&mut columns, across, column.to_string());
                        (across, down)
                    }
                    _ => {
                        name(&mut rows, zone_at, names::zone(model, ZoneId(*zone)));
                        name(&mut columns, at, label.to_string());
                        (at, zone_at)
                    }
                };
                let times = figures.spaces.get(&space).copied().unwrap_or_default();
                let share = times.games as f64 / figures.games.max(1) as f64;
                let (name, text) = (names::space(model, SpaceId(space)), format!("{:.0} %", share * 100.0));
                cells.push(HeatCell { column, row, share, value: share, name, text });
            }
        }
        if cells.len() > 1 && cells.iter().any(|cell| cell.share > 0.0) {
            let title = format!("Use of {}: share of games", family.name.get(Language::English));
            found.push((title.clone(), plot::heat(&title, &cells, &columns, &rows)));
        }
    }
    found
}

fn tables(model: &Model, figures: &Figures) -> Vec<SortableTable> {
    let mut tables = vec![
        component_grid(model, figures, items::components(model, figures)).with_tab("Cards"),
        option_grid(items::options(model, figures)).with_tab("Options"),
        decisions(model, figures).with_tab("Options"),
        coverage(model, figures).with_tab("Flow"),
        measures(model, figures).with_tab("Data"),
    ];
    // The figures of campaigns do not count the components, options and phases of the games.
    tables.retain(|table| !table.rows.is_empty() && (table.tab == "Data" || !figures.is_of_campaigns()));
    tables
}

/// Returns the table of all measures, with the mean or share and the distribution of each.
fn measures(model: &Model, figures: &Figures) -> SortableTable {
    let heads = [
        Heading::text("measure"),
        Heading::number("mean or share"),
        Heading::number("95 %"),
        Heading::number("least"),
        Heading::number("5 %"),
        Heading::number("median"),
        Heading::number("95 % of games"),
        Heading::number("most"),
        Heading::number("games"),
    ];
    let mut grid = SortableTable::new("All measures", "", heads);
    let gap = figures.seat_gap();
    if figures.seats > 1 && !model.is_cooperative() {
        let blank = || word("");
        grid.rows.push(vec![
            word("seat gap"),
            figure(&gap, MeasureKind::Share),
            word(span(&gap, MeasureKind::Share)),
            blank(),
            blank(),
            blank(),
            blank(),
            blank(),
            count(gap.count),
        ]);
    }
    for measure in figures.measured() {
        let (estimate, sort) = (figures.estimate(measure), measure.sort());
        let histogram = figures.histogram(measure);
        let unit = measure.unit(figures.seats) as f64;
        let number = |found: Option<f64>| match found.filter(|_| sort == MeasureKind::Amount) {
            Some(number) => Cell { text: amount(number / unit), sort: Some(number / unit) },
            None => word(""),
        };
        let at = |hundredths| number(histogram.percentile(hundredths).map(|number| number as f64));
        grid.rows.push(vec![
            word(measure.name(model)),
            figure(&estimate, sort),
            word(span(&estimate, sort)),
            number(histogram.min().map(|number| number as f64)),
            at(5),
            number(histogram.median()),
            at(95),
            number(histogram.max().map(|number| number as f64)),
            count(estimate.count),
        ]);
    }
    grid
}

fn decisions(model: &Model, figures: &Figures) -> SortableTable {
    let heads = [
        Heading::text("decision"),
        Heading::number("asked a game"),
        Heading::number("one answer only"),
        Heading::number("options, mean"),
        Heading::number("median"),
        Heading::number("95 %"),
        Heading::number("most"),
        Heading::number("games with it"),
    ];
    let mut grid = SortableTable::new("Decisions", "options", heads);
    "Behind means and shares stands the 95 % interval; a game is the unit.".clone_into(&mut grid.text);
    for (at, question) in &figures.questions {
        let number = |found: Option<f64>| {
            found.map_or_else(|| word(""), |number| Cell { text: amount(number), sort: Some(number) })
        };
        let a_game = question.times_per_game(figures.games);
        grid.rows.push(vec![
            word(names::decision(model, *at)),
            maybe(Some(&a_game), MeasureKind::Amount),
            maybe(question.forced_share.estimate().as_ref(), MeasureKind::Share),
            maybe(question.options_mean.estimate().as_ref(), MeasureKind::Amount),
            number(question.options.median()),
            number(question.options.percentile(95).map(|number| number as f64)),
            number(question.options.max().map(|number| number as f64)),
            count(question.games),
        ]);
    }
    grid
}

fn difference_cells(difference: Option<&AdjustedDifference>) -> [Cell; 3] {
    let Some(AdjustedDifference { estimate, false_findings: p_value }) = difference else {
        return [word(""), word(""), word("")];
    };
    [
        Cell { text: points(estimate.value), sort: Some(estimate.value) },
        word(format!("{} to {}", points(estimate.interval.low), points(estimate.interval.high))),
        Cell {
            text: if *p_value < 0.001 { "< 0.001".to_owned() } else { format!("{p_value:.3}") },
            sort: Some(*p_value),
        },
    ]
}

/// Returns a sentence that states when a difference in the table counts as significant. Returns an empty string if the rows have no
/// differences.
fn rule(rows: &[ItemRow], what: &str, difference: fn(&ItemRow) -> Option<AdjustedDifference>) -> String {
    let adjusted: Vec<f64> = rows.iter().filter_map(difference).map(|found| found.false_findings).collect();
    if adjusted.is_empty() {
        return String::new();
    }
    testing_rule("Winning differs", &format!("{} {what}", adjusted.len()), &adjusted)
}

fn option_grid(rows: Vec<ItemRow>) -> SortableTable {
    let heads = [
        Heading::text("decision"),
        Heading::text("option"),
        Heading::number("offered"),
        Heading::number("picked"),
        Heading::number("pick share"),
        Heading::number("wins with"),
        Heading::number("wins without"),
        Heading::number("difference, points"),
        Heading::number("interval"),
        Heading::number("false findings"),
        Heading::number("first offer taken"),
        Heading::number("taken against not taken, points"),
        Heading::number("interval"),
        Heading::number("false findings"),
    ];
    let mut grid = SortableTable::new("Options", "matched", heads);
    grid.text = format!(
        "Correlation, not cause: who is ahead may be able to choose what others cannot. {} The last columns \
         compare only where both was possible: seats that took the first offer of a game with seats that were offered it, stood alike \
         (ahead, level or behind), and did not. {}",
        rule(&rows, "options", |row| row.difference),
        rule(&rows, "options where taken and not", |row| row.matched)
    );
    for row in rows {
        let mut cells = vec![word(row.group.clone()), word(row.name.clone()), count(row.offered), count(row.picked)];
        cells.push(maybe(row.pick_share.as_ref(), MeasureKind::Share));
        cells.push(maybe(row.with.as_ref(), MeasureKind::Share));
        cells.push(maybe(row.without.as_ref(), MeasureKind::Share));
        cells.extend(difference_cells(row.difference.as_ref()));
        cells.push(maybe(row.first_taken.as_ref(), MeasureKind::Share));
        cells.extend(difference_cells(row.matched.as_ref()));
        grid.rows.push(cells);
    }
    grid
}

fn component_grid(model: &Model, figures: &Figures, rows: Vec<ItemRow>) -> SortableTable {
    let heads = [
        Heading::text("kind"),
        Heading::text("component"),
        Heading::number("moves"),
        Heading::number("acquired"),
        Heading::number("wins with"),
        Heading::number("wins without"),
        Heading::number("difference, points"),
        Heading::number("interval"),
        Heading::number("false findings"),
        Heading::number("against its kind, points"),
        Heading::number("interval"),
        Heading::number("false findings"),
    ];
    let mut grid = SortableTable::new("Components", "acquired", heads);
    grid.text = format!(
        "Correlation, not cause: who is ahead can buy more. {} {}",
        rule(&rows, "components", |row| row.difference),
        rule(&rows, "components with their kinds", |row| row.excess)
    );
    for row in rows {
        let mut cells = vec![word(row.group.clone()), word(row.name.clone()), count(row.offered), count(row.picked)];
        cells.push(maybe(row.with.as_ref(), MeasureKind::Share));
        cells.push(maybe(row.without.as_ref(), MeasureKind::Share));
        cells.extend(difference_cells(row.difference.as_ref()));
        cells.extend(difference_cells(row.excess.as_ref()));
        grid.rows.push(cells);
    }
    for (at, component) in model.components.iter().enumerate() {
        if !figures.components.contains_key(&(at as u16)) && !is_label(model, component.kind) {
            let kind = model.kinds[component.kind.index()].name.get(Language::English);
            let mut cells = vec![word(kind), word(names::component(model, at as u16)), count(0), count(0)];
            cells.extend((0..8).map(|_| word("")));
            grid.rows.push(cells);
        }
    }
    grid
}

fn coverage(model: &Model, figures: &Figures) -> SortableTable {
    let mut grid = SortableTable::new(
        "What took part",
        "coverage",
        [
            Heading::text("what"),
            Heading::text("name"),
            Heading::number("times"),
            Heading::number("games"),
            Heading::number("share of games (95 %)"),
        ],
    );
    let mut add = |what: &str, name: String, times: OccurrenceCount| {
        let value = times.games as f64 / figures.games.max(1) as f64;
        let interval = wilson(times.games as f64, figures.games);
        let share = maybe(Some(&Estimate { value, interval, count: figures.games }), MeasureKind::Share);
        grid.rows.push(vec![word(what), word(name), count(times.times), count(times.games), share]);
    };
    for (at, phase) in model.phases.iter().enumerate() {
        add(
            "phase",
            phase.name.get(Language::English).to_owned(),
            figures.phases.get(&(at as u16)).copied().unwrap_or_default(),
        );
    }
    let steps: Vec<&str> = names::steps(model).collect();
    for function in &steps {
        add("step", (*function).to_owned(), figures.steps.get(*function).copied().unwrap_or_default());
    }
    for at in 0..model.decisions.len() {
        let question = figures.questions.get(&(at as u16)).cloned().unwrap_or_default();
        let times = question.options.total() + question.forced;
        add("decision", names::decision(model, at as u16), OccurrenceCount { times, games: question.games });
    }
    for (at, say) in model.says.iter().enumerate() {
        add("announcement", say.id.to_string(), figures.says.get(&(at as u16)).copied().unwrap_or_default());
    }
    for ending in &model.endings {
        let games =
            figures.measures.get(&Measure::Ending(ending.id.clone())).map_or(0, |histogram| histogram.sum() as u64);
        add("ending", ending.name.get(Language::English).to_owned(), OccurrenceCount { times: games, games });
    }
    grid
}

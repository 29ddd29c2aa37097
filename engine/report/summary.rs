//! First screen of a report: a few short verdicts and up to four plots.

use super::batch_report::BatchReport;
use super::campaigns;
use super::figure_names::{figure_kind, figure_name};
use super::finding::{Finding, Weight};
use super::findings::{figure_definition, is_runaway, never_moved};
use super::item_row::ItemRow;
use super::items;
use super::manifest::Manifest;
use super::names;
use super::number::{amount, exact, grouped};
use super::plot::{self, Drawn, Plot};
use super::strength_trend::expected_by_number;
use super::unused::{dead_options, never_offered};
use crate::model::{Model, Target};
use crate::simulation::{
    Estimate, FALSE_FINDINGS, Figures, Histogram, Judgment, Measure, MeasureKind, TargetResult, judge,
};
use serde::Serialize;

/// Maximum number of verdicts on the first screen.
const MOST: usize = 5;

/// Smallest difference between win shares that matters to players.
const MIN_RELEVANT_GAP: f64 = 0.03;

/// Largest gap between win shares that may remain undetected if the seats are called fair.
const MAX_HIDDEN_GAP: f64 = 0.1;

/// Smallest difference between win shares by which a component is called too strong or too weak. Components differ in most games, and are
/// meant to, so this limit is larger than for seats.
const MIN_RELEVANT_STRENGTH: f64 = 0.05;

/// Range of success rates outside which a cooperative game is called very hard or very easy.
const FAIR_SUCCESS: [f64; 2] = [0.1, 0.9];

/// Factor for the verdict that a game "drags on": one in twenty games is more than this many times as long as the median game.
const DRAG_FACTOR: f64 = 4.0;

/// Maximum number of plots.
const MAX_PLOTS: usize = 4;

/// Maximum number of plots about the scenarios of campaigns.
const MAX_CAMPAIGN_PLOTS: usize = 3;

/// Maximum number of names in one verdict.
const MAX_NAMES: usize = 3;

/// Callback that adds a verdict. The arguments are its importance, the id of its definition, and the sentence.
type AddVerdict<'a> = dyn FnMut(Weight, &'static str, String) + 'a;

/// First screen for one number of players.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Summary {
    /// Number of players, number of games, and agents.
    heading: String,
    /// Verdicts, most important first.
    verdicts: Vec<Finding>,
    /// Plots beside the verdicts.
    plots: Vec<Plot>,
}

impl Summary {
    /// Summarizes the figures of one number of players.
    pub(super) fn new(manifest: &Manifest, report: &BatchReport<'_>) -> Self {
        let (model, figures) = (&*report.model, report.figures);
        let mut verdicts = verdicts(manifest, report);
        verdicts.sort_by_key(|verdict| verdict.weight);
        if verdicts.iter().all(|verdict| verdict.weight >= Weight::Note) && figures.finished > 0 {
            let text = "Nothing stands out in these games.".to_owned();
            verdicts.insert(0, Finding { weight: Weight::Expected, about: "", text });
        }
        verdicts.truncate(MOST);
        Self { heading: heading(manifest, figures), verdicts, plots: plots(manifest, model, figures) }
    }
}

fn heading(manifest: &Manifest, figures: &Figures) -> String {
    let players = if figures.seats == 1 { "1 player".to_owned() } else { format!("{} players", figures.seats) };
    let who = match manifest.agents.as_slice() {
        [one] if figures.seats == 1 => one.clone(),
        [one] => format!("all seats: {one}"),
        many => many.join(", "),
    };
    format!("{players} · {} {} · {who}", grouped(figures.games as i64), campaigns::unit_word(figures))
}

/// Formats a share as an integer percentage. Shares below 1 % and above 99 % have one decimal, unless they are exactly 0 or 100 %.
pub(super) fn rounded(share: f64) -> String {
    let percent = share * 100.0;
    if (percent > 0.0 && percent < 1.0) || (percent > 99.0 && percent < 100.0) {
        format!("{percent:.1} %")
    } else {
        format!("{percent:.0} %")
    }
}

/// Joins the first [`MAX_NAMES`] names with commas. If there are more names, appends their number.
fn listed(names: &[String]) -> String {
    let shown = names.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn verdicts(manifest: &Manifest, report: &BatchReport<'_>) -> Vec<Finding> {
    let (model, figures) = (&*report.model, report.figures);
    let mut found = Vec::new();
    let mut add = |weight: Weight, about: &'static str, text: String| found.push(Finding { weight, about, text });
    if let Some(own) = &report.own_agent
        && manifest.agents.iter().all(|agent| agent == "random")
    {
        add(Weight::Finding, "", format!("All seats chose at random. For a better test: `--agents {own}`."));
    }
    let failed = figures.games - figures.finished;
    if failed > 0 {
        let message = figures.faults.first().map_or("", |fault| fault.message.as_str());
        add(
            Weight::Wrong,
            "coverage",
            format!("{} of {} games failed: {message}", grouped(failed as i64), grouped(figures.games as i64)),
        );
    }
    targets(&judge(model, figures), &mut add);
    if figures.finished == 0 {
        return found;
    }
    if let Some(success) = figures.success() {
        add(success_weight(&success), "success", success_text(figures, &success));
    } else {
        seats(manifest, figures, &mut add);
    }
    let (components, options) = (items::components(model, figures), items::options(model, figures));
    let unusable: Vec<String> =
        never_offered(model, figures).into_iter().map(|at| names::component(model, at)).collect();
    if let [one] = unusable.as_slice() {
        add(Weight::Finding, "dead", format!("The component “{one}” looks dead: players can never choose it."));
    } else if !unusable.is_empty() {
        let text = format!(
            "{} components look dead, because players can never choose them: {}.",
            unusable.len(),
            listed(&unusable)
        );
        add(Weight::Finding, "dead", text);
    }
    let unpicked: Vec<&ItemRow> = dead_options(&options);
    if let [one] = unpicked.as_slice() {
        let offered = grouped(one.offered as i64);
        add(Weight::Finding, "dead", format!("Never chosen: {} ({}), offered {offered} times.", one.name, one.group));
    } else if !unpicked.is_empty() {
        let names: Vec<String> = unpicked.iter().map(|row| format!("{} ({})", row.name, row.group)).collect();
        add(Weight::Finding, "dead", format!("{} options were never chosen: {}.", unpicked.len(), listed(&names)));
    }
    // If all players win or lose together, no component is unfair to anybody.
    if figures.success().is_none() {
        let trend = expected_by_number(model, &components);
        for (is_strong, word) in [(true, "too strong"), (false, "too weak")] {
            add_extreme(&components, &trend, is_strong, word, &mut add);
        }
    }
    let is_campaign = figures.is_of_campaigns();
    let still: Vec<String> = never_moved(model, figures).into_iter().map(|at| names::component(model, at)).collect();
    if !still.is_empty() && model.options.is_empty() && !is_campaign {
        let number = if still.len() == 1 { "1 component".to_owned() } else { format!("{} components", still.len()) };
        add(Weight::Finding, "dead", format!("{number} never came into play: {}.", listed(&still)));
    }
    if !model.is_cooperative() && figures.seats > 1 {
        leader(figures, &mut add);
    }
    length(figures, &mut add);
    let forced = figures.forced as f64 / (figures.forced + figures.asked).max(1) as f64;
    if forced > 0.5 {
        add(Weight::Finding, "forced", format!("{} of all questions have only one answer.", rounded(forced)));
    }
    found
}

fn targets(judged: &[TargetResult], say: &mut AddVerdict<'_>) {
    let number = |standing: Judgment| judged.iter().filter(|one| one.standing == standing).count();
    for missed in judged.iter().filter(|one| one.standing == Judgment::Missed) {
        let kind = figure_kind(&missed.target.figure);
        let bound = |millionths: i64| match millionths as f64 / Target::UNIT as f64 {
            bound if kind == MeasureKind::Share => format!("{} %", exact(bound * 100.0)),
            bound => exact(bound),
        };
        let show = |number: f64| if kind == MeasureKind::Share { rounded(number) } else { amount(number) };
        let actual = missed.estimate.as_ref().map_or_else(String::new, |found| format!(" is {}", show(found.value)));
        let wanted = match (missed.target.min, missed.target.max) {
            (Some(min), Some(max)) => format!("{} to {}", bound(min), bound(max)),
            (Some(min), None) => format!("at least {}", bound(min)),
            (None, Some(max)) => format!("at most {}", bound(max)),
            (None, None) => continue,
        };
        let about = figure_definition(&missed.target.figure);
        say(
            Weight::Wrong,
            about,
            format!("Target missed: {}{actual}, wanted {wanted}.", figure_name(&missed.target.figure)),
        );
    }
    let (met, open) = (number(Judgment::Met), number(Judgment::Open));
    if open > 0 {
        say(
            Weight::Note,
            "",
            format!("{met} of {} targets met, {open} open: more games would settle them.", judged.len()),
        );
    } else if met > 0 && met == judged.len() {
        say(
            Weight::Note,
            "",
            if met == 1 { "The target is met.".to_owned() } else { format!("All {met} targets are met.") },
        );
    }
}

fn success_weight(success: &Estimate) -> Weight {
    let [low, high] = FAIR_SUCCESS;
    if success.interval.high < low || success.interval.low > high { Weight::Finding } else { Weight::Note }
}

fn success_text(figures: &Figures, success: &Estimate) -> String {
    let share = rounded(success.value);
    match success_weight(success) {
        Weight::Finding if success.value < FAIR_SUCCESS[0] => {
            format!("Very hard: the game is won in only {share} of the games played.")
        }
        Weight::Finding => format!("Very easy: the game is won in {share} of the games played."),
        _ if figures.seats == 1 => format!("The player wins {share} of the games."),
        _ => format!("The players win {share} of the games together."),
    }
}

fn seats(manifest: &Manifest, figures: &Figures, say: &mut AddVerdict<'_>) {
    let (fair, leaders) = (figures.fair_share(), figures.leaders());
    if leaders.len() < 2 {
        return;
    }
    let p_values = figures.p_values_of_seats();
    let gap = |seat: u8| figures.estimate(&Measure::Win(seat)).value - fair;
    let favored = leaders.iter().copied().filter(|seat| p_values[usize::from(*seat)] <= FALSE_FINDINGS);
    // If two seats deviate by the same amount, as in a game for two, the seat with more wins is named.
    let size = |seat: u8| (gap(seat).abs() * 1e6).round() + if gap(seat) > 0.0 { 0.5 } else { 0.0 };
    let widest = favored.max_by(|one, two| size(*one).total_cmp(&size(*two)));
    let agents = if manifest.agents.iter().any(|agent| *agent != manifest.agents[0]) {
        " But the seats have different agents."
    } else {
        ""
    };
    let who = if figures.sides.is_empty() { "Seat" } else { "The team of seat" };
    let text = match widest {
        Some(seat) if gap(seat).abs() >= MIN_RELEVANT_GAP => {
            let often = if gap(seat) > 0.0 { "too often" } else { "too rarely" };
            let share = rounded(fair + gap(seat));
            let text = format!(
                "{who} {} wins {often}: {share} of the games; {} would be fair.{agents}",
                seat + 1,
                rounded(fair)
            );
            return say(Weight::Finding, "win", text);
        }
        Some(seat) => format!(
            "Seats are nearly fair: {} {} wins {}; {} would be exact.",
            who.to_lowercase(),
            seat + 1,
            rounded(fair + gap(seat)),
            rounded(fair)
        ),
        None => {
            let weight = if has_hidden_gap(figures) { Weight::Finding } else { Weight::Note };
            return say(weight, "win", no_gap_text(figures, fair));
        }
    };
    say(Weight::Note, "win", text);
}

/// Returns whether the games are too few to show even a large difference between the seats.
fn has_hidden_gap(figures: &Figures) -> bool {
    figures.seat_gap().interval.high > MAX_HIDDEN_GAP
}

/// States that no seat is favored. If the games are so few that a large gap may be hidden, says how many games are needed.
fn no_gap_text(figures: &Figures, fair: f64) -> String {
    let hidden = figures.seat_gap().interval.high;
    let percentage = (hidden * 100.0).ceil();
    if !has_hidden_gap(figures) {
        return format!("Seats look fair; more games could show a gap of up to {percentage:.0} percentage points.");
    }
    // The width of an interval shrinks with the square root of the number of games.
    let needed = figures.finished as f64 * (hidden / MAX_HIDDEN_GAP).powi(2);
    let unit = 10_f64.powf(needed.log10().floor() - 1.0).max(1.0);
    let needed = ((needed / unit).ceil() * unit) as i64;
    format!(
        "Too few games to compare the seats: even a gap of {percentage:.0} percentage points from the fair {} would not show. Play about {}.",
        rounded(fair),
        grouped(needed)
    )
}

/// Reports the component with the largest unexpected difference from its kind. `trend` contains the difference that a number printed on
/// each component predicts.
fn add_extreme(rows: &[ItemRow], trend: &[f64], is_strong: bool, word: &str, say: &mut AddVerdict<'_>) {
    let difference = |row: &ItemRow| row.excess.map_or(0.0, |excess| excess.estimate.value);
    let is_odd = |(row, trend): &(&ItemRow, &f64)| {
        let is_unexpected = row.excess.is_some_and(|excess| {
            row.is_as_expected(&excess) != Some(true) && !excess.estimate.interval.contains(**trend)
        });
        row.differs_from_kind()
            && is_unexpected
            && (difference(row) - **trend).abs() >= MIN_RELEVANT_STRENGTH
            && (difference(row) > **trend) == is_strong
            && (difference(row) > 0.0) == is_strong
    };
    let odd = rows.iter().zip(trend).filter(is_odd).map(|(row, _)| row);
    let largest = odd.max_by(|a, b| difference(a).abs().total_cmp(&difference(b).abs()));
    let Some(row) = largest else { return };
    let with = row.with.map_or_else(String::new, |with| rounded(with.value));
    let points = (difference(row) * 100.0).abs().round();
    let than = if is_strong { "more" } else { "less" };
    let text = format!(
        "{} looks {word}: seats with it win {with}, {points} percentage points {than} than with any {}.",
        row.name, row.group
    );
    say(Weight::Finding, "within_kind", text);
}

fn leader(figures: &Figures, say: &mut AddVerdict<'_>) {
    let half = figures.estimate(&Measure::LeaderWins(2));
    if half.count < 30 {
        return;
    }
    let share = rounded(half.value);
    if is_runaway(&half) {
        say(
            Weight::Finding,
            "leader_half",
            format!("Runaway leader: whoever leads at half time wins {share} of the games."),
        );
    } else {
        let fair = rounded(figures.fair_share());
        say(
            Weight::Note,
            "leader_half",
            format!("No runaway leader: whoever leads at half time wins {share} of the games; {fair} would be chance."),
        );
    }
}

/// Returns whether the 95th percentile of the lengths is more than [`DRAG_FACTOR`] times their median.
fn drags(lengths: &Histogram) -> bool {
    let (median, most) = (lengths.median().unwrap_or(0.0), lengths.percentile(95).unwrap_or(0));
    median > 0.0 && most as f64 > DRAG_FACTOR * median
}

/// Returns the measure that the first screen uses for the length of a game, and its unit. The measure is the number of rounds, unless all
/// games have the same number of rounds, or the games drag on in decisions but not in rounds. It is then the number of decisions.
fn length_unit(figures: &Figures) -> (Measure, &'static str) {
    let (rounds, decisions) = (figures.histogram(&Measure::Rounds), figures.histogram(&Measure::Decisions));
    let is_fixed = rounds.min() == rounds.max();
    if is_fixed || drags(&decisions) && !drags(&rounds) {
        (Measure::Decisions, "decisions")
    } else {
        (Measure::Rounds, "rounds")
    }
}

fn length(figures: &Figures, say: &mut AddVerdict<'_>) {
    let (measure, unit) = length_unit(figures);
    let lengths = figures.histogram(&measure);
    let (Some(median), Some(most)) = (lengths.median(), lengths.percentile(95)) else { return };
    if drags(&lengths) {
        let text = format!(
            "Some games drag on: one in twenty takes more than {} {unit}, half of them at most {}.",
            grouped(most),
            exact(median)
        );
        return say(Weight::Finding, measure.id(), text);
    }
    let span = |histogram: &Histogram, what: &str| {
        let (low, high) = (histogram.percentile(5)?, histogram.percentile(95)?);
        Some(if low == high { format!("{low} {what}") } else { format!("{low} to {high} {what}") })
    };
    let rounds = figures.histogram(&Measure::Rounds);
    let fixed = if unit == "decisions" && rounds.max() > Some(1) { span(&rounds, "rounds") } else { None };
    let own = span(&lengths, unit);
    let text = fixed.into_iter().chain(own).collect::<Vec<_>>().join(" and ");
    if figures.is_of_campaigns() {
        let games = span(&figures.histogram(&Measure::CampaignGames), "games").unwrap_or_default();
        return say(Weight::Note, "campaign_games", format!("A campaign takes {games}, {text}."));
    }
    let all = if unit == "decisions" && figures.seats > 1 { " of all players together" } else { "" };
    say(Weight::Note, measure.id(), format!("A game takes {text}{all}."));
}

fn plots(manifest: &Manifest, model: &Model, figures: &Figures) -> Vec<Plot> {
    let mut found = Vec::new();
    if figures.finished == 0 {
        return found;
    }
    let mut add = |title: &str, about: &'static str, drawn: Drawn| {
        found.extend(Plot::new(title.to_owned(), about, "", drawn));
    };
    if model.is_cooperative() || figures.seats == 1 {
        let endings = items::endings_with_results(model, figures);
        add("Endings", "ending", plot::bars("Endings", &endings, None, MeasureKind::Share));
    } else {
        let label = |seat: u8| format!("seat {} ({})", seat + 1, manifest.player(model, seat));
        let seats: Vec<(String, Estimate)> =
            (0..figures.seats).map(|seat| (label(seat), figures.estimate(&Measure::Win(seat)))).collect();
        let title = "Wins by seat";
        add(title, "win", plot::bars(title, &seats, Some(("fair", figures.fair_share())), MeasureKind::Share));
    }
    for plot in campaigns::plots(model, figures).into_iter().take(MAX_CAMPAIGN_PLOTS) {
        found.push(Plot { tab: "", ..plot });
    }
    let mut add = |title: &str, about: &'static str, drawn: Drawn| {
        if found.len() < MAX_PLOTS {
            found.extend(Plot::new(title.to_owned(), about, "", drawn));
        }
    };
    let mut scores = Histogram::default();
    (0..figures.seats).for_each(|seat| scores.merge(&figures.histogram(&Measure::Score(seat))));
    if scores.min() != scores.max() {
        add("Final scores", "score", plot::histogram("Final scores", &scores, 1));
    }
    let (measure, unit) = length_unit(figures);
    let lengths = figures.histogram(&measure);
    // If every game has the same length, a verdict says so, and there is nothing to plot.
    if lengths.min() != lengths.max() {
        let title = format!("Length in {unit}");
        add(&title, measure.id(), plot::histogram(&title, &lengths, 1));
    }
    let quarters = [(1, "after a quarter"), (2, "at half time"), (3, "after three quarters")];
    let leaders: Vec<(String, Estimate)> = quarters
        .into_iter()
        .map(|(quarter, label)| (label.to_owned(), figures.estimate(&Measure::LeaderWins(quarter))))
        .filter(|(_, estimate)| estimate.count > 0)
        .collect();
    if !leaders.is_empty() && !model.is_cooperative() && figures.seats > 1 {
        let title = "How often the leader wins";
        add(
            title,
            "leader_half",
            plot::bars(title, &leaders, Some(("by chance", figures.fair_share())), MeasureKind::Share),
        );
    }
    found
}

//! First screen of a comparison: the changes, a verdict, and the most important measures as strips.

use super::changes::{ChangedValue, Changes};
use super::compared::{ComparedPlayers, format_change, measure_kind, measure_name};
use super::finding::{Finding, Weight};
use super::number::{amount, capitalize, grouped, value};
use super::plot;
use super::summary::rounded;
use crate::model::Model;
use crate::simulation::{ComparedMeasure, Figures, Judgment, Measure, MeasureKind, Verdict, judge};
use serde::Serialize;

/// Maximum number of changed values on the first screen.
const MAX_VALUES: usize = 6;

/// Maximum number of findings in the verdict, besides faults and targets.
const MAX_FINDINGS: usize = 3;

/// Maximum number of measures that are shown as strips.
const MAX_STRIPS: usize = 8;

/// Smallest difference of shares that matters to players, unless `--margin` sets a larger one.
const RELEVANT_SHARE: f64 = 0.03;

/// Smallest difference of an amount that matters to players, as a fraction of the amount.
const RELEVANT_FRACTION: f64 = 0.02;

/// Smallest difference of a score or score part that matters to players, as a fraction of the mean score.
const RELEVANT_SCORE: f64 = 0.01;

/// Smallest difference of any amount that matters to players.
const RELEVANT_AMOUNT: f64 = 0.05;

/// A measure in both versions, with a drawing of the difference on an axis centered on zero.
#[derive(Debug, Clone, Serialize)]
struct Strip {
    name: String,
    about: &'static str,
    before: String,
    after: String,
    change: String,
    svg: String,
    /// Verdict on the difference in a few words.
    label: &'static str,
    is_clear: bool,
}

/// The first screen of a comparison with one number of players.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ComparisonSummary {
    heading: String,
    values: Vec<ChangedValue>,
    /// Number of changed values that are not shown.
    more_values: usize,
    changes: Changes,
    verdicts: Vec<Finding>,
    strips: Vec<Strip>,
    /// Number of measures that are not shown because they have no difference that matters.
    unchanged: usize,
    /// Commands that play the first pair of games; empty if a version cannot be named in one command.
    commands: Vec<String>,
}

impl ComparisonSummary {
    /// Summarizes a comparison.
    pub(super) fn new(compared: &ComparedPlayers<'_>) -> Self {
        let ComparedPlayers { model, before, comparison, rows, .. } = compared;
        let changes = Changes::between(before, model, compared.agents);
        let scale = RelevantSize::new(rows);
        let shown = shown_rows(model, rows, &scale);
        let unchanged = rows.iter().filter(|row| !scale.is_relevant(row)).count()
            - shown.iter().filter(|row| !scale.is_relevant(row)).count();
        // The factor 1.5 leaves room for the interval of the largest difference.
        let reach = shown.iter().map(|row| scale.ratio(row) * 1.5).fold(2.0, f64::max).min(plot::STRIP_REACH);
        let players = if model.seats == 1 { "1 player".to_owned() } else { format!("{} players", model.seats) };
        Self {
            heading: format!("{players} · {} paired games", grouped(comparison.pairs() as i64)),
            values: changes.values.iter().take(MAX_VALUES).cloned().collect(),
            more_values: changes.values.len().saturating_sub(MAX_VALUES),
            changes,
            verdicts: verdicts(compared, &scale),
            strips: shown.iter().map(|row| strip(model, row, &scale, reach)).collect(),
            unchanged,
            commands: compared.commands.to_vec(),
        }
    }
}

/// Thresholds above which a difference matters to players.
struct RelevantSize {
    /// Mean score in version A; 0 in games without scores.
    score: f64,
}

impl RelevantSize {
    fn new(rows: &[ComparedMeasure]) -> Self {
        let scores = rows.iter().find(|row| row.measure == Some(Measure::Scores));
        Self { score: scores.map_or(0.0, |row| row.a.value.abs()) }
    }

    /// Returns the smallest difference that matters, in the unit of the row's measure.
    fn of_row(&self, row: &ComparedMeasure) -> f64 {
        if measure_kind(row) == MeasureKind::Share {
            return RELEVANT_SHARE.max(row.margin);
        }
        let size = (RELEVANT_FRACTION * row.a.value.abs()).max(RELEVANT_AMOUNT).max(row.margin);
        match row.measure {
            Some(
                Measure::Score(_)
                | Measure::Scores
                | Measure::Margin
                | Measure::LastGap
                | Measure::Comeback
                | Measure::Part(..),
            ) => size.max(RELEVANT_SCORE * self.score),
            _ => size,
        }
    }

    /// Returns the size of a difference as a multiple of the smallest difference that matters.
    fn ratio(&self, row: &ComparedMeasure) -> f64 {
        row.difference.value.abs() / self.of_row(row)
    }

    /// Returns whether a difference is significant and large enough to matter.
    fn is_relevant(&self, row: &ComparedMeasure) -> bool {
        row.verdict.is_finding() && self.ratio(row) >= 1.0
    }
}

/// Returns the measures that are most important in games like this one, most important first. `None` stands for the seat gap.
fn key_measures(model: &Model) -> Vec<Option<Measure>> {
    let length = [Some(Measure::Rounds), Some(Measure::Decisions)];
    if model.is_cooperative() {
        return [Some(Measure::Success), Some(Measure::Scores)].into_iter().chain(length).collect();
    }
    let seats = (model.seats > 1).then_some(None);
    let others = [Some(Measure::Scores), Some(Measure::Margin)];
    seats.into_iter().chain(others).chain(length).chain([Some(Measure::LeaderWins(2))]).collect()
}

/// Returns the rows to show on the first screen: the key measures, then the largest differences that matter.
fn shown_rows<'r>(model: &Model, rows: &'r [ComparedMeasure], scale: &RelevantSize) -> Vec<&'r ComparedMeasure> {
    let keys = key_measures(model);
    let mut shown: Vec<&ComparedMeasure> =
        keys.iter().filter_map(|key| rows.iter().find(|row| row.measure == *key)).collect();
    let mut others: Vec<&ComparedMeasure> =
        rows.iter().filter(|row| scale.is_relevant(row) && !keys.contains(&row.measure)).collect();
    others.sort_by(|a, b| scale.ratio(b).total_cmp(&scale.ratio(a)));
    shown.extend(others);
    shown.truncate(MAX_STRIPS);
    shown
}

fn strip(model: &Model, row: &ComparedMeasure, scale: &RelevantSize, reach: f64) -> Strip {
    let kind = measure_kind(row);
    let is_clear = scale.is_relevant(row);
    let label = match row.verdict {
        Verdict::Better | Verdict::Worse if is_clear => row.verdict.words(),
        _ if is_clear => "clear",
        Verdict::Identical => "identical",
        Verdict::NoEvidence => "none seen",
        _ => "too small to matter",
    };
    Strip {
        name: capitalize(&measure_name(model, row)),
        about: row.measure.as_ref().map_or("seat_win_gap", Measure::id),
        before: value(&row.a, kind),
        after: value(&row.b, kind),
        change: if row.verdict == Verdict::Identical {
            "0".to_owned()
        } else {
            format_change(row.difference.value, kind)
        },
        svg: plot::strip(&row.difference, scale.of_row(row), reach, is_clear),
        label,
        is_clear,
    }
}

fn verdicts(compared: &ComparedPlayers<'_>, scale: &RelevantSize) -> Vec<Finding> {
    let ComparedPlayers { model, before, comparison, rows, .. } = compared;
    let mut found = Vec::new();
    let mut say = |weight: Weight, about: &'static str, text: String| found.push(Finding { weight, about, text });
    for (version, figures) in [("A", &comparison.a), ("B", &comparison.b)] {
        let failed = figures.games - figures.finished;
        if failed > 0 {
            let message = figures.faults.first().map_or("", |fault| fault.message.as_str());
            let (failed, all) = (grouped(failed as i64), grouped(figures.games as i64));
            say(Weight::Wrong, "coverage", format!("{failed} of {all} games of {version} failed: {message}"));
        }
    }
    if let Some(agent) = compared.suggested_agent {
        say(Weight::Finding, "", format!("All seats chose at random. For a better test: `--agents {agent}`."));
    }
    let mut differing: Vec<&ComparedMeasure> = rows.iter().filter(|row| scale.is_relevant(row)).collect();
    let keys = key_measures(model);
    let is_key = |row: &ComparedMeasure| keys.contains(&row.measure);
    differing.sort_by(|a, b| is_key(b).cmp(&is_key(a)).then(scale.ratio(b).total_cmp(&scale.ratio(a))));
    let mut sentences: Vec<Finding> = Vec::new();
    for row in &differing {
        // In a co-operative game, the shares of the endings repeat the success rate. Rounds and decisions both measure length, so a
        // sentence about one of them is enough.
        let is_success_again = model.is_cooperative() && matches!(row.measure, Some(Measure::Ending(_)));
        let finding = sentence(model, row);
        if !is_success_again && !sentences.iter().any(|known| is_length(known.about) && is_length(finding.about)) {
            sentences.push(finding);
        }
    }
    sentences.truncate(MAX_FINDINGS);
    let has_none = sentences.is_empty();
    for Finding { weight, about, text } in sentences {
        say(weight, about, text);
    }
    if has_none && comparison.pairs() > 0 {
        let small = rows.iter().filter(|row| row.verdict.is_finding()).count();
        let text = match small {
            0 => "No difference was seen.".to_owned(),
            1 => "No difference that matters was seen; 1 measure differs by little.".to_owned(),
            small => format!("No difference that matters was seen; {small} measures differ by little."),
        };
        say(Weight::Note, "", text);
    }
    if let Some(text) = targets(before, model, [&comparison.a, &comparison.b]) {
        say(text.0, "", text.1);
    }
    found.sort_by_key(|finding| finding.weight);
    found
}

fn is_length(about: &str) -> bool {
    about == "rounds" || about == "decisions"
}

/// Describes the difference of one measure in a sentence.
fn sentence(model: &Model, row: &ComparedMeasure) -> Finding {
    let kind = measure_kind(row);
    let verb = if row.difference.value > 0.0 { "rises" } else { "falls" };
    let show = |estimate: &crate::simulation::Estimate| match kind {
        MeasureKind::Share => rounded(estimate.value),
        MeasureKind::Amount => amount(estimate.value),
    };
    let (from, to) = (show(&row.a), show(&row.b));
    let (weight, about, text) = match &row.measure {
        None => {
            let (weight, word) = match row.verdict {
                Verdict::Worse => (Weight::Wrong, "less"),
                _ => (Weight::Finding, "more"),
            };
            let points = |estimate: &crate::simulation::Estimate| format!("{:.1}", estimate.value * 100.0);
            let text = format!(
                "Seats are {word} balanced: the gap goes from {} to {} percentage points.",
                points(&row.a),
                points(&row.b)
            );
            (weight, "seat_win_gap", text)
        }
        Some(Measure::Scores) => (Weight::Finding, "score", format!("The mean score {verb} from {from} to {to}.")),
        Some(Measure::Margin) => {
            (Weight::Finding, "margin", format!("The winner's margin {verb} from {from} to {to}."))
        }
        Some(Measure::LastGap) => {
            (Weight::Finding, "last_gap", format!("The gap between first and last {verb} from {from} to {to}."))
        }
        Some(measure @ (Measure::Rounds | Measure::Decisions)) => {
            let word = if row.difference.value > 0.0 { "longer" } else { "shorter" };
            (Weight::Finding, measure.id(), format!("Games get {word}: {to} {} instead of {from}.", measure.id()))
        }
        Some(Measure::LeaderWins(2)) => {
            let text = format!("Whoever leads at half time wins {to} of the games instead of {from}.");
            (Weight::Finding, "leader_half", text)
        }
        Some(Measure::Success) => {
            (Weight::Finding, "success", format!("Success {verb} from {from} to {to} of the games."))
        }
        Some(measure) => {
            let name = capitalize(&measure_name(model, row));
            (Weight::Finding, measure.id(), format!("{name} {verb} from {from} to {to}."))
        }
    };
    Finding { weight, about, text }
}

/// Describes how many of the game's targets each version meets; `None` if neither version has targets.
fn targets(before: &Model, after: &Model, figures: [&Figures; 2]) -> Option<(Weight, String)> {
    let judged = [judge(before, figures[0]), judge(after, figures[1])];
    let [a, b] = judged.map(|all| (all.iter().filter(|one| one.standing == Judgment::Met).count(), all.len()));
    if a.1 + b.1 == 0 {
        return None;
    }
    let weight = if b.0 < a.0 { Weight::Wrong } else { Weight::Note };
    let text = if a.1 == b.1 {
        let targets = if a.1 == 1 { "target" } else { "targets" };
        format!("{} of {} {targets} met before, {} after.", a.0, a.1, b.0)
    } else {
        format!("{} of {} targets met before, {} of {} after.", a.0, a.1, b.0, b.1)
    };
    Some((weight, text))
}

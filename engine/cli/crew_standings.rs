//! Standings of the crews of `parlour arena --crews`: as text, JSON and a page.

use super::check::count_text;
use super::entrants::{Entrants, contest_document, print_faults};
use super::output::{Failure, Output};
use super::table::TextTable;
use crate::report::Heading;
use crate::report::{CrewRow, amount, percent, points, span};
use crate::session::Game;
use crate::simulation::{AdjustedDifference, Contest, ContestResult, CrewLead, Estimate, MeasureKind};
use serde_json::{Value, json};

/// Returns a row for each crew, best first.
pub(super) fn rows<'a>(field: &'a Entrants, result: &ContestResult) -> Vec<CrewRow<'a>> {
    let order = result.order();
    let mut leads = result.crew_leads().into_iter();
    let row = |crew: usize| {
        let (value, interval) = result.win_share(crew);
        let played = result.contestants[crew].seated;
        let success = Estimate { value, interval, count: played };
        CrewRow { name: &field.names[crew], success, score: result.mean_score(crew), lead: leads.next() }
    };
    order.into_iter().map(row).collect()
}

/// Formats the lead of a crew over the next one, with its interval.
fn lead_text(lead: &AdjustedDifference, kind: MeasureKind) -> String {
    let Estimate { value, interval, .. } = lead.estimate;
    if !interval.low.is_finite() || !interval.high.is_finite() {
        return "too few games".to_owned();
    }
    let show = |number: f64| match kind {
        MeasureKind::Share => points(number),
        MeasureKind::Amount if number > 0.0 => format!("+{}", amount(number)),
        MeasureKind::Amount => amount(number),
    };
    format!("{} ({} to {})", show(value), show(interval.low), show(interval.high))
}

/// Prints the standings.
pub(super) fn print(
    game: &Game,
    field: &Entrants,
    contest: &Contest,
    result: &ContestResult,
    output: &mut Output,
) -> Result<(), Failure> {
    let players = count_text(contest.setup.seats.into(), "player");
    let deals = count_text((result.games / field.names.len().max(1) as u64) as usize, "deal");
    output.line(format!("{} · {players} · {deals}, the same for each crew · seed {}\n", game.id(), contest.seed))?;
    let mut table = TextTable::new([
        Heading::number("rank"),
        Heading::text("crew"),
        Heading::number("games"),
        Heading::number("success"),
        Heading::text("95 %"),
        Heading::number("score"),
        Heading::text("success against the next"),
        Heading::text("score against the next"),
    ]);
    for (at, row) in rows(field, result).iter().enumerate() {
        let lead = |of: fn(&CrewLead) -> &AdjustedDifference, kind| {
            row.lead.as_ref().map_or_else(String::new, |lead| lead_text(of(lead), kind))
        };
        table.row(vec![
            (at + 1).to_string(),
            row.name.to_owned(),
            row.success.count.to_string(),
            percent(row.success.value),
            span(&row.success, MeasureKind::Share),
            if row.score.count > 0 { amount(row.score.value) } else { String::new() },
            lead(|lead| &lead.success, MeasureKind::Share),
            lead(|lead| &lead.score, MeasureKind::Amount),
        ]);
    }
    for line in table.lines("  ") {
        output.line(line)?;
    }
    output.line(
        "  success against the next: in percentage points, over the same deals; a range without 0 is a difference",
    )?;
    if result.stopped {
        let left = contest.games_in_full() - result.games;
        output.line(format!("  the order is clear: stopped {left} games early"))?;
    }
    output.flush()?;
    print_faults(field, contest, result, output)
}

/// Returns the standings as JSON.
pub(super) fn document(game: &Game, field: &Entrants, contest: &Contest, result: &ContestResult) -> Value {
    let finite = |number: f64| number.is_finite().then_some(number);
    let lead = |lead: &AdjustedDifference| {
        let Estimate { value, interval, count } = lead.estimate;
        json!({
            "difference": value,
            "low": finite(interval.low),
            "high": finite(interval.high),
            "deals": count,
            "false_findings": lead.false_findings,
        })
    };
    let crews = rows(field, result).into_iter().enumerate().map(|(at, row)| {
        json!({
            "rank": at + 1,
            "crew": row.name,
            "games": row.success.count,
            "success": row.success.value,
            "low": row.success.interval.low,
            "high": row.success.interval.high,
            "mean_score": (row.score.count > 0).then_some(row.score.value),
            "success_against_next": row.lead.as_ref().map(|found| lead(&found.success)),
            "score_against_next": row.lead.as_ref().map(|found| lead(&found.score)),
        })
    });
    contest_document(game, contest, result, "crews", &crews.collect::<Vec<_>>())
}

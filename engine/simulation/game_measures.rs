//! Measures of a single game.

use super::batch_context::BatchContext;
use super::game_observer::GameStats;
use super::measure::{Measure, thousandths, win_unit};
use crate::model::{First, Op, Seat};
use crate::session::{Outcome, PlayedGame};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns the value of every measure that the game has, in the measure's unit. Games of a batch have nearly the same
/// measures in the same order, which makes the ledger fast.
pub(super) fn game_measures(
    context: &BatchContext,
    outcome: &Outcome,
    wins: &[i64],
    played: &PlayedGame,
    stats: &GameStats,
) -> Vec<(Measure, i64)> {
    let model = &context.model;
    let mut found = Vec::with_capacity(32);
    if context.is_cooperative {
        found.push((Measure::Success, i64::from(outcome.winners().next().is_some())));
    }
    for (standing, win) in outcome.standings.iter().zip(wins) {
        found.push((Measure::Win(standing.seat.0), *win));
        found.push((Measure::Score(standing.seat.0), standing.score));
        let parts = standing.breakdown.iter();
        found.extend(parts.map(|(name, part)| (Measure::Part(name.clone(), standing.seat.0), *part)));
    }
    // If the first seat always begins and turns follow the seat order, a seat's place in turn order equals its number, so the measure would
    // add nothing.
    let has_own_order = |op: &Op| matches!(op, Op::EachSeat { order: Some(_), .. } | Op::Turns { order: Some(_) });
    let may_begin_elsewhere =
        context.moves_first || model.flow.first != First::FirstSeat || model.flow.ops.iter().any(has_own_order);
    if let Some(first) = stats.first.filter(|_| may_begin_elsewhere) {
        let place = |seat: usize| {
            let clockwise = (seat + model.seats as usize - first.index()) % model.seats as usize;
            stats.order.iter().position(|other| other.index() == seat).unwrap_or(clockwise)
        };
        found.extend(wins.iter().enumerate().map(|(seat, win)| (Measure::Place(place(seat) as u8), *win)));
    }
    let scores = outcome.standings.iter().map(|standing| standing.score);
    found.push((Measure::Scores, scores.fold(0, i64::saturating_add)));
    let is_tie = outcome.winning_sides() > 1;
    found.push((Measure::Tie, i64::from(is_tie)));
    found.extend(margin(outcome).map(|margin| (Measure::Margin, margin)));
    found.extend(last_gap(outcome).map(|gap| (Measure::LastGap, gap)));
    found.push((Measure::Rounds, outcome.rounds));
    found.push((Measure::Turns, stats.turns as i64));
    found.push((Measure::Decisions, played.decisions as i64));
    for (seat, asked) in stats.asked.iter().enumerate() {
        found.push((Measure::DecisionsOf(seat as u8), *asked as i64));
    }
    let questions = (played.forced + played.decisions) as i64;
    if questions > 0 {
        found.push((Measure::Forced, thousandths(played.forced.into(), questions.into())));
    }
    if played.decisions > 0 {
        found.push((Measure::Options, thousandths(stats.options.into(), played.decisions.into())));
    }
    let of_sides: Vec<i64> = outcome.sides().map(|standing| wins[standing.seat.index()]).collect();
    found.extend(stats.leads(&of_sides, win_unit(model.seats), played.decisions));
    for (at, ending) in model.endings.iter().enumerate() {
        found.push((Measure::Ending(ending.id.clone()), i64::from(at == outcome.ending.index())));
    }
    found.extend(tallies(&played.tallies));
    found
}

/// Sums the tallies of the rules by name and seat. The sum for the game includes the tallies of its seats.
fn tallies(counted: &[(Arc<str>, Option<Seat>, i64)]) -> BTreeMap<Measure, i64> {
    let mut sums: BTreeMap<Measure, i64> = BTreeMap::new();
    for (name, seat, number) in counted {
        let mut add = |seat: Option<Seat>| {
            let sum = sums.entry(Measure::Tally(name.clone(), seat.map(|seat| seat.0))).or_default();
            *sum = sum.saturating_add(*number);
        };
        add(None);
        if seat.is_some() {
            add(*seat);
        }
    }
    sums
}

/// Returns each seat's share of first place, in units of [`win_unit`]. All seats of a team have the share of the team.
pub(super) fn wins(outcome: &Outcome, seats: u8) -> Vec<i64> {
    let part = win_unit(seats) / outcome.winning_sides().max(1) as i64;
    outcome.standings.iter().map(|standing| if standing.rank == 1 { part } else { 0 }).collect()
}

/// Returns the difference between the winner's score and the score of the best loser. 0 if several seats or teams share the first place;
/// `None` if nobody won or nobody lost.
fn margin(outcome: &Outcome) -> Option<i64> {
    let best = outcome.standings.iter().find(|standing| standing.rank == 1)?.score;
    if outcome.winning_sides() > 1 {
        return Some(0);
    }
    let others = outcome.standings.iter().filter(|standing| standing.rank > 1);
    others.map(|standing| best.saturating_sub(standing.score).saturating_abs()).min()
}

/// Returns the difference between the winner's score and the score of the last-ranked seat. `None` if nobody won or nobody lost.
fn last_gap(outcome: &Outcome) -> Option<i64> {
    let best = outcome.standings.iter().find(|standing| standing.rank == 1)?.score;
    let last = outcome.standings.iter().max_by_key(|standing| standing.rank).filter(|last| last.rank > 1)?;
    Some(best.saturating_sub(last.score).saturating_abs())
}

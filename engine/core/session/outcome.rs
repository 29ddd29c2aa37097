//! Outcomes of games: ranks, and scores with their breakdown.

use crate::decision::Choice;
use crate::diagnostic::Diagnostic;
use crate::library::{ScoreTotal, Scored, State, Term, evaluate_per_seat, number};
use crate::model::{ComponentId, EndingId, RANK, SCORE, STANDING_FUNCTION, Seat, Winners};
use crate::script::{self, Host};
use std::sync::Arc;

/// Result of one seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The seat.
    pub seat: Seat,
    /// Team of the seat in a game with teams. All seats of a team have equal results.
    pub team: Option<ComponentId>,
    /// Score as shown to people.
    pub score: i64,
    /// Rank, counted from 1. Equal seats share a rank. In games with teams, this is the rank of the seat's team among the teams.
    pub rank: u8,
    /// Parts of the score, if the rules name them.
    pub breakdown: Vec<(Arc<str>, i64)>,
    /// Summands of each part of the score, for parts that the rules give as a formula.
    pub workings: Vec<(Arc<str>, Vec<Term>)>,
    /// Ranking criteria, most important first; larger is better. Each has a name if the rules give it one.
    pub ranked_by: Vec<(Option<Arc<str>>, i64)>,
}

/// Criterion that ranked two seats with equal scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TieBreak {
    /// The better seat.
    pub before: Seat,
    /// The other seat.
    pub after: Seat,
    /// Name of the criterion, if the rules give one.
    pub by: Option<Arc<str>>,
    /// The two seats' amounts, better seat first. If neither is positive, both are negated, because rules negate an amount where less is
    /// better.
    pub numbers: [i64; 2],
}

/// Outcome of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The declared ending.
    pub ending: EndingId,
    /// One entry for each seat, in order.
    pub standings: Vec<Standing>,
    /// Number of rounds that began.
    pub rounds: i64,
}

impl Outcome {
    /// Iterates over the seats with rank 1. There are none if the ending lets nobody win.
    pub fn winners(&self) -> impl Iterator<Item = Seat> + '_ {
        self.standings.iter().filter(|standing| standing.rank == 1).map(|standing| standing.seat)
    }

    /// Iterates over the standings of the sides. A team is represented by its first seat. In games without teams, each seat is a side.
    pub fn sides(&self) -> impl Iterator<Item = &Standing> {
        let is_first = |(at, one): &(usize, &Standing)| {
            one.team.is_none() || self.standings[..*at].iter().all(|before| before.team != one.team)
        };
        self.standings.iter().enumerate().filter(is_first).map(|(_, one)| one)
    }

    /// Returns the number of sides with rank 1. A side is a team or, in games without teams, a seat. Returns 0 if the ending lets nobody
    /// win.
    pub fn winning_sides(&self) -> usize {
        self.sides().filter(|standing| standing.rank == 1).count()
    }

    /// Returns the criteria that decided between sides with equal scores. Only sides next to each other in the ranking are compared. A team
    /// is represented by its first seat.
    pub fn tie_breaks(&self) -> Vec<TieBreak> {
        let mut ranked: Vec<&Standing> = self.sides().collect();
        ranked.sort_by_key(|standing| (standing.rank, standing.seat));
        ranked.windows(2).filter_map(|pair| tie_break(pair[0], pair[1])).collect()
    }
}

fn tie_break(before: &Standing, after: &Standing) -> Option<TieBreak> {
    if before.score != after.score || before.rank == after.rank {
        return None;
    }
    let mut both = before.ranked_by.iter().zip(&after.ranked_by);
    let ((by, more), (_, less)) = both.find(|((_, more), (_, less))| more != less)?;
    let numbers = if *more <= 0 && *less <= 0 { [-more, -less] } else { [*more, *less] };
    Some(TieBreak { before: before.seat, after: after.seat, by: by.clone(), numbers })
}

impl Outcome {
    /// Returns a warning if a seat wins although its score is not the best.
    pub(super) fn warn_of_odd_winner(&self, host: &Host) -> Option<Diagnostic> {
        if host.model.endings[self.ending.index()].winners != Winners::Best || !host.has(SCORE) || !host.has(RANK) {
            return None;
        }
        let (sign, best_is) = if host.model.least_score_wins { (-1, "least") } else { (1, "most") };
        let best = self.standings.iter().max_by_key(|standing| sign * standing.score)?;
        let winner = self.standings.iter().find(|one| one.rank == 1 && one.score != best.score)?;
        let (won, ahead) = (winner.seat.number(), best.seat.number());
        let message = format!(
            "player {won} wins with a score of {}, but player {ahead} has {}, and the {best_is} is best",
            winner.score, best.score
        );
        let mut found = Diagnostic::warning("odd-winner", message);
        if let Some(place) = host.place_of(RANK) {
            found = found.mark(place, "determines the winner");
        }
        if let Some(place) = host.place_of(SCORE) {
            found = found.mark(place, "implies another order");
        }
        Some(found.help("begin `rank` with the result of `score`, or set `score = \"least\"` in `[game]`; `score` may also return what decides"))
    }
}

/// Computes the outcome of a game: the score and rank of every seat or team.
pub(super) fn score(host: &Host, state: &mut State) -> Result<Outcome, Diagnostic> {
    let mut scored = evaluate_per_seat(&host.model, |side| score_side(host, state, side))?;
    for (seat, (standing, _)) in host.model.all_seats().zip(&mut scored) {
        standing.seat = seat;
    }
    let (standings, keys): (Vec<Standing>, Vec<Vec<i64>>) = scored.into_iter().unzip();
    let position = &state.table.position;
    let ending = position.ending.unwrap_or(host.model.flow.ending);
    let winners = host.model.endings[ending.index()].winners;
    let mut outcome = Outcome { ending, standings, rounds: position.round };
    let sides: Vec<usize> = outcome.sides().map(|standing| standing.seat.index()).collect();
    for (standing, key) in outcome.standings.iter_mut().zip(&keys) {
        let better = sides.iter().filter(|side| keys[**side] > *key).count() as u8;
        standing.rank = match winners {
            Winners::Best => 1 + better,
            Winners::Everybody => 1,
            Winners::Nobody => 2 + better,
        };
    }
    Ok(outcome)
}

/// Computes the standing of every seat (or its team) during a game; larger is better. Uses `standing`, or `score` if
/// the rules have no `standing`. Returns `None` if the rules cannot determine the standings yet.
pub(super) fn standings(host: &Host, state: &mut State) -> Option<Vec<i64>> {
    let function = if host.has(STANDING_FUNCTION) { STANDING_FUNCTION } else { SCORE };
    if !host.has(function) {
        return None;
    }
    let sign = if function == SCORE && host.model.least_score_wins { -1 } else { 1 };
    let standing = |side: Scored| {
        let score = script::call(host, state, function, Some(&side.to_value())).map_err(drop)?;
        ScoreTotal::parse(&score).map(|total| sign * total.number).ok_or(())
    };
    evaluate_per_seat(&host.model, standing).ok()
}

/// Like [`standings`], but for a finished game. Reuses the scores of the outcome if the rules have no `standing`.
pub(super) fn last_standings(host: &Host, state: &mut State, outcome: &Outcome) -> Option<Vec<i64>> {
    if host.has(STANDING_FUNCTION) || !host.has(SCORE) {
        return standings(host, state);
    }
    let sign = if host.model.least_score_wins { -1 } else { 1 };
    Some(outcome.standings.iter().map(|standing| sign * standing.score).collect())
}

/// Computes the result of a seat or team without its rank, and its ranking criteria.
fn score_side(host: &Host, state: &mut State, side: Scored) -> Result<(Standing, Vec<i64>), Diagnostic> {
    let score = asked(host, state, SCORE, side)?;
    let rank = asked(host, state, RANK, side)?;
    let (seat, team) = match side {
        Scored::Seat(seat) => (seat, None),
        Scored::Team(team) => (Seat(0), Some(team)),
    };
    let ScoreTotal { number: total, mut breakdown, mut workings } = match score {
        Some(score) => ScoreTotal::parse(&score).ok_or_else(|| bad_score(host))?,
        None => ScoreTotal::default(),
    };
    let written = host.part_order();
    let written_at = |name: &str| written.iter().position(|part| *part == *name);
    breakdown.sort_by_key(|(name, _)| written_at(name));
    workings.sort_by_key(|(name, _)| written_at(name));
    // Named terms keep the order in which the rules write them. Terms about components are in the order of the
    // components.
    let rank_of = |term: &Term| {
        let name = term.name.as_deref()?;
        let component = host.model.components.iter().position(|component| *component.id == *name);
        Some((written_at(name).unwrap_or(usize::MAX), component))
    };
    for (_, terms) in &mut workings {
        terms.sort_by_key(rank_of);
    }
    let ranked_by = match rank {
        None => vec![(None, if host.model.least_score_wins { -total } else { total })],
        Some(Choice::Many(all)) => all.iter().map(criterion).collect::<Option<_>>().ok_or_else(|| bad_rank(host))?,
        Some(single) => vec![criterion(&single).ok_or_else(|| bad_rank(host))?],
    };
    let key = ranked_by.iter().map(|(_, number)| *number).collect();
    Ok((Standing { seat, team, score: total, rank: 0, breakdown, workings, ranked_by }, key))
}

/// Calls a function for a seat or a team; `None` if the rules do not define it.
fn asked(host: &Host, state: &mut State, function: &str, side: Scored) -> Result<Option<Choice>, Diagnostic> {
    if !host.has(function) {
        return Ok(None);
    }
    script::call(host, state, function, Some(&side.to_value())).map(Some)
}

/// Parses a ranking criterion: a number, or a number with a name. Returns `None` for anything else.
fn criterion(choice: &Choice) -> Option<(Option<Arc<str>>, i64)> {
    match choice {
        Choice::Parts(parts) => match &parts[..] {
            [(name, value)] => Some((Some(name.as_str().into()), number(value)?)),
            _ => None,
        },
        other => Some((None, number(other)?)),
    }
}

fn bad_score(host: &Host) -> Diagnostic {
    host.wrong_result(SCORE, "not a number or a map of numbers").help(
        "give a number, or its parts as `#{ cash: 3, bonus: 2 }`; a part may be calculated as `[[3, 4], 5]`, which is 3 × 4 + 5",
    )
}

fn bad_rank(host: &Host) -> Diagnostic {
    host.wrong_result(RANK, "not a number or a list of numbers").help(
        "give the numbers to compare, most important first, larger is better; with a name as `[total, #{ cash: 3 }]`",
    )
}

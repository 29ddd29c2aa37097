//! How a game ended: scores, ranks and breakdown.

use crate::diagnostic::Diagnostic;
use crate::model::{EndingId, Seat};
use crate::script::{self, Choice, Host, Stage};
use std::rc::Rc;
use std::sync::Arc;

/// How one seat came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Which seat.
    pub seat: Seat,
    /// The number shown and charted.
    pub score: i64,
    /// 1 for the winners; seats that are equal share a rank.
    pub rank: u8,
    /// What the score is made of, where the game says so.
    pub breakdown: Vec<(Arc<str>, i64)>,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The declared way.
    pub ending: EndingId,
    /// Every seat, in order of seats.
    pub standings: Vec<Standing>,
    /// How many rounds began.
    pub rounds: i64,
}

impl Outcome {
    /// The seats with the best rank.
    pub fn winners(&self) -> impl Iterator<Item = Seat> + '_ {
        self.standings.iter().filter(|standing| standing.rank == 1).map(|standing| standing.seat)
    }
}

type Scored = (Box<Stage>, Result<Outcome, Diagnostic>);

/// Asks the rules for every seat's score and rank.
pub(super) fn score(host: &Rc<Host>, mut stage: Box<Stage>) -> Scored {
    let mut standings = Vec::new();
    let mut keys = Vec::new();
    for seat in host.model.all_seats() {
        let (back, result) = score_seat(host, stage, seat);
        stage = back;
        match result {
            Ok((standing, key)) => {
                standings.push(standing);
                keys.push(key);
            }
            Err(diagnostic) => return (stage, Err(diagnostic)),
        }
    }
    for (at, standing) in standings.iter_mut().enumerate() {
        standing.rank = 1 + keys.iter().filter(|other| **other > keys[at]).count() as u8;
    }
    let position = &stage.table.position;
    let ending = position.ending.unwrap_or(host.model.flow.ending);
    let outcome = Outcome { ending, standings, rounds: position.round };
    (stage, Ok(outcome))
}

/// How well every seat stands in the middle of a game, larger is better: by `standing`, or by `score` if the rules have only
/// that. Nothing where the rules cannot tell yet.
pub(super) fn standings(host: &Rc<Host>, mut stage: Box<Stage>) -> (Box<Stage>, Option<Vec<i64>>) {
    let function = if host.has("standing") { "standing" } else { "score" };
    if !host.has(function) {
        return (stage, None);
    }
    let sign = if function == "score" && host.model.least_score_wins { -1 } else { 1 };
    let mut standings = Vec::new();
    for seat in host.model.all_seats() {
        let (back, result) = script::call(host, stage, function, Some(seat));
        stage = back;
        match result.and_then(|score| total(&score)) {
            Ok((total, _)) => standings.push(sign * total),
            Err(_) => return (stage, None),
        }
    }
    (stage, Some(standings))
}

fn score_seat(
    host: &Rc<Host>,
    stage: Box<Stage>,
    seat: Seat,
) -> (Box<Stage>, Result<(Standing, Vec<i64>), Diagnostic>) {
    let (stage, score) =
        if host.has("score") { script::call(host, stage, "score", Some(seat)) } else { (stage, Ok(Choice::Nothing)) };
    let (stage, rank) =
        if host.has("rank") { script::call(host, stage, "rank", Some(seat)) } else { (stage, Ok(Choice::Nothing)) };
    let result = score.and_then(|score| {
        let (total, breakdown) = total(&score)?;
        let key = match rank? {
            Choice::Nothing => vec![if host.model.least_score_wins { -total } else { total }],
            Choice::Number(number) => vec![number],
            Choice::Many(all) => all.iter().map(number_in_rank).collect::<Result<_, _>>()?,
            _ => return Err(bad_rank()),
        };
        Ok((Standing { seat, score: total, rank: 0, breakdown }, key))
    });
    (stage, result)
}

type Total = (i64, Vec<(Arc<str>, i64)>);

fn total(score: &Choice) -> Result<Total, Diagnostic> {
    match score {
        Choice::Nothing => Ok((0, Vec::new())),
        Choice::Number(number) => Ok((*number, Vec::new())),
        Choice::Parts(parts) => {
            let breakdown: Vec<(Arc<str>, i64)> = parts
                .iter()
                .map(|(name, part)| match part {
                    Choice::Number(number) => Ok((name.clone(), *number)),
                    _ => Err(bad_score()),
                })
                .collect::<Result<_, _>>()?;
            Ok((breakdown.iter().map(|(_, number)| number).sum(), breakdown))
        }
        _ => Err(bad_score()),
    }
}

fn number_in_rank(entry: &Choice) -> Result<i64, Diagnostic> {
    match entry {
        Choice::Number(number) => Ok(*number),
        _ => Err(bad_rank()),
    }
}

fn bad_score() -> Diagnostic {
    Diagnostic::error("wrong-result", "`score` gives neither a number nor a map of numbers")
        .help("give a number, or its parts as `#{ cash: 3, bonus: 2 }`")
}

fn bad_rank() -> Diagnostic {
    Diagnostic::error("wrong-result", "`rank` gives neither a number nor a list of numbers")
        .help("give the numbers to compare, most important first, larger is better")
}

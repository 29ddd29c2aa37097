//! What a batch of games comes to.

use super::fault::FaultGroup;
use super::spread::{Interval, Spread, wilson};
use crate::diagnostic::Diagnostic;
use crate::model::{EndingId, Seat};
use crate::session::{Outcome, Played};

/// One game of a batch, as far as the figures need it.
#[derive(Debug)]
pub(super) struct Record {
    outcome: Result<Outcome, Box<Diagnostic>>,
    decisions: u64,
    forced: u64,
}

impl From<Played> for Record {
    fn from(played: Played) -> Self {
        Self { outcome: played.outcome, decisions: played.decisions, forced: played.forced }
    }
}

/// The figures of one seat.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SeatFigures {
    /// Games won; a tie of several seats counts as a fraction for each.
    pub wins: f64,
    /// Scores.
    pub scores: Spread,
}

/// The figures of a batch.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figures {
    /// Games played, those with a fault included.
    pub games: u64,
    /// Games that came to an ending.
    pub finished: u64,
    /// By seat, in order.
    pub seats: Vec<SeatFigures>,
    /// Games that several seats won together.
    pub ties: u64,
    /// By how much the winner's score is better than the next one.
    pub margin: Spread,
    /// Rounds of a game.
    pub rounds: Spread,
    /// Questions put to agents in a game.
    pub decisions: Spread,
    /// Questions put to agents, over all games.
    pub asked: u64,
    /// Questions with one answer, over all games.
    pub forced: u64,
    /// How many games came to each ending, in the order of the game's endings.
    pub endings: Vec<u64>,
    /// What went wrong.
    pub faults: Vec<FaultGroup>,
}

impl Figures {
    /// Nothing played yet.
    pub(super) fn new(seats: u8, endings: usize) -> Self {
        Self { seats: vec![SeatFigures::default(); seats as usize], endings: vec![0; endings], ..Self::default() }
    }

    /// The share of games a seat won, with its 95 % interval.
    #[allow(clippy::cast_precision_loss, reason = "a share needs no more digits")]
    pub fn win_share(&self, seat: usize) -> (f64, Interval) {
        let wins = self.seats[seat].wins;
        (wins / self.finished.max(1) as f64, wilson(wins, self.finished))
    }

    /// The share each seat would win if seats made no difference.
    #[allow(clippy::cast_precision_loss, reason = "there are few seats")]
    pub fn fair_share(&self) -> f64 {
        1.0 / self.seats.len().max(1) as f64
    }

    /// The share of questions that had only one answer.
    #[allow(clippy::cast_precision_loss, reason = "a share needs no more digits")]
    pub fn forced_share(&self) -> f64 {
        self.forced as f64 / (self.forced + self.asked).max(1) as f64
    }

    /// How many games came to an ending.
    pub fn ending(&self, ending: EndingId) -> u64 {
        self.endings[ending.index()]
    }

    /// The share of finished games that came to an ending.
    #[allow(clippy::cast_precision_loss, reason = "a share needs no more digits")]
    pub fn ending_share(&self, ending: EndingId) -> f64 {
        self.ending(ending) as f64 / self.finished.max(1) as f64
    }

    /// One more game; games are added in their order.
    pub(super) fn add(&mut self, game: u64, seed: u64, record: Record) {
        self.games += 1;
        self.asked += record.decisions;
        self.forced += record.forced;
        match record.outcome {
            Ok(outcome) => {
                self.decisions.add(record.decisions as i64);
                self.finish(&outcome);
            }
            Err(diagnostic) => self.fail(game, seed, *diagnostic),
        }
    }

    fn finish(&mut self, outcome: &Outcome) {
        self.finished += 1;
        self.endings[outcome.ending.index()] += 1;
        self.rounds.add(outcome.rounds);
        let winners: Vec<usize> = outcome.winners().map(Seat::index).collect();
        self.ties += u64::from(winners.len() > 1);
        for standing in &outcome.standings {
            self.seats[standing.seat.index()].scores.add(standing.score);
        }
        for winner in &winners {
            self.seats[*winner].wins += 1.0 / winners.len() as f64;
        }
        self.margin.extend(margin(outcome));
    }

    fn fail(&mut self, game: u64, seed: u64, diagnostic: Diagnostic) {
        match self.faults.iter_mut().find(|group| group.is_like(&diagnostic)) {
            Some(group) => group.count += 1,
            None => self.faults.push(FaultGroup { first: diagnostic, game, seed, count: 1 }),
        }
    }
}

impl Extend<i64> for Spread {
    fn extend<I: IntoIterator<Item = i64>>(&mut self, numbers: I) {
        numbers.into_iter().for_each(|number| self.add(number));
    }
}

/// How far the winner's score lies from the nearest of those who lost; 0 for a tie, nothing where nobody lost.
fn margin(outcome: &Outcome) -> Option<i64> {
    let winners = || outcome.standings.iter().filter(|standing| standing.rank == 1);
    let best = winners().next()?.score;
    if winners().count() > 1 {
        return Some(0);
    }
    let others = outcome.standings.iter().filter(|standing| standing.rank > 1);
    others.map(|standing| (best - standing.score).abs()).min()
}

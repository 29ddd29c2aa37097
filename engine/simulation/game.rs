//! Plays one game of a batch and records its statistics.

use super::game_measures;
use super::game_observer::{GameObserver, GameStats};
use super::measure::Measure;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::Seat;
use crate::session::{Game, Outcome, Player, Setup, WorldCounts};

/// Result of one game of a batch.
#[derive(Debug)]
pub struct Record {
    /// Number of the game in the batch, from 0.
    pub game: u64,
    /// Seed of the game.
    pub seed: u64,
    /// Outcome, if the game ended.
    pub outcome: Option<Outcome>,
    /// The fault, if the game failed.
    pub fault: Option<Box<Diagnostic>>,
    /// Number of decisions that agents were asked to make.
    pub decisions: u64,
    /// Number of decisions with only one option.
    pub forced: u64,
    /// Value of each measure, in the measure's unit.
    pub numbers: Vec<(Measure, i64)>,
    /// Fingerprint of the table at the end.
    pub fingerprint: u64,
    /// Counts of the worlds that agents imagined.
    pub worlds: WorldCounts,
    /// Whether the record describes a whole campaign. Its outcome is then the outcome of the last game.
    pub is_campaign: bool,
    /// Setup of the next game of the campaign, if there is one.
    pub(super) next: Option<Setup>,
    /// Each seat's share of first place, in units of [`win_unit`](super::win_unit).
    pub(super) wins: Vec<i64>,
    pub(super) observer: GameObserver,
}

impl Record {
    /// Returns the raw statistics of the game.
    pub(super) fn stats(&self) -> &GameStats {
        &self.observer.stats
    }

    /// Returns the id of the ending in an outcome of this game. The scenarios of a campaign may have different endings.
    pub fn ending(&self, outcome: &Outcome) -> &str {
        &self.observer.context.model.endings[outcome.ending.index()].id
    }

    /// Returns the index of each seat's team; empty without teams.
    pub(super) fn sides(&self) -> &[u8] {
        &self.observer.context.sides
    }
}

/// Plays one game, observed by `observer`.
pub(super) fn play(
    game: &Game,
    setup: &Setup,
    at: u64,
    players: Vec<Box<dyn Player>>,
    observer: GameObserver,
) -> Result<Record, Diagnostics> {
    let context = observer.context.clone();
    let (played, observer) = game.watch(setup, players, observer, false)?;
    let observer = observer.unwrap_or_else(|| GameObserver::new(context));
    let (mut numbers, mut wins) = (Vec::new(), Vec::new());
    if let Ok(outcome) = &played.outcome {
        wins = game_measures::wins(outcome, setup.seats);
        numbers = game_measures::game_measures(&observer.context, outcome, &wins, &played, &observer.stats);
    }
    let (decisions, forced, fingerprint) = (played.decisions, played.forced, played.fingerprint);
    let (outcome, fault) = match played.outcome {
        Ok(outcome) => (Some(outcome), None),
        Err(fault) => (None, Some(fault)),
    };
    let (seed, next, worlds) = (setup.seed, played.next, played.worlds);
    let is_campaign = false;
    Ok(Record {
        is_campaign,
        game: at,
        seed,
        outcome,
        fault,
        decisions,
        forced,
        numbers,
        fingerprint,
        worlds,
        next,
        wins,
        observer,
    })
}

/// Callback that creates the player of a seat. The arguments are the seed of the game and the seat.
pub type SeatPlayer<'a> = &'a (dyn Fn(u64, Seat) -> Box<dyn Player> + Sync);

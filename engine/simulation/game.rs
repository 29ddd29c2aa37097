//! One game of a batch: played, and written down.

use super::measure::Measure;
use super::notebook::{Notebook, Notes};
use super::numbers;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::Seat;
use crate::session::{Game, Outcome, Player, Setup, WorldCounts};

/// One game of a batch.
#[derive(Debug)]
pub struct Record {
    /// Which game, from 0.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// How it ended, if it did.
    pub outcome: Option<Outcome>,
    /// What went wrong, if anything did.
    pub fault: Option<Box<Diagnostic>>,
    /// Questions put to agents.
    pub decisions: u64,
    /// Questions with one answer.
    pub forced: u64,
    /// Every measure, in its units.
    pub numbers: Vec<(Measure, i64)>,
    /// One stable number computed from the table at the end.
    pub fingerprint: u64,
    /// The worlds that agents imagined.
    pub worlds: WorldCounts,
    /// The game that follows in the campaign.
    pub(super) next: Option<Setup>,
    /// What every seat got of the first place, in units.
    pub(super) wins: Vec<i64>,
    pub(super) notebook: Notebook,
}

impl Record {
    /// What was written down of it.
    pub(super) fn notes(&self) -> &Notes {
        &self.notebook.notes
    }

    /// In a game of teams, the number of each seat's team.
    pub(super) fn sides(&self) -> &[u8] {
        &self.notebook.scheme.sides
    }
}

/// Plays one game and writes it down in a notebook.
pub(super) fn play(
    game: &Game,
    setup: &Setup,
    at: u64,
    players: Vec<Box<dyn Player>>,
    notebook: Notebook,
) -> Result<Record, Diagnostics> {
    let scheme = notebook.scheme.clone();
    let (played, notebook) = game.watch(setup, players, notebook, false)?;
    let notebook = notebook.unwrap_or_else(|| Notebook::new(scheme));
    let (mut numbers, mut wins) = (Vec::new(), Vec::new());
    if let Ok(outcome) = &played.outcome {
        wins = numbers::wins(outcome, setup.seats);
        numbers = numbers::numbers(&notebook.scheme, outcome, &wins, &played, &notebook.notes);
    }
    let (decisions, forced, fingerprint) = (played.decisions, played.forced, played.fingerprint);
    let (outcome, fault) = match played.outcome {
        Ok(outcome) => (Some(outcome), None),
        Err(fault) => (None, Some(fault)),
    };
    let (seed, next, worlds) = (setup.seed, played.next, played.worlds);
    Ok(Record { game: at, seed, outcome, fault, decisions, forced, numbers, fingerprint, worlds, next, wins, notebook })
}

/// Gives the players of a game, by its seed and the seat.
pub type SeatPlayer<'a> = &'a (dyn Fn(u64, Seat) -> Box<dyn Player> + Sync);

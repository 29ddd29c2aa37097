//! One game of a batch: played, and written down.

use super::measure::Measure;
use super::notebook::{Notebook, Notes, Scheme, Traces};
use super::numbers;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::{MAX_SEATS, Seat};
use crate::session::{Game, Outcome, Player, Setup};
use rustc_hash::FxHashMap;
use std::sync::Arc;

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
    /// The game that follows in the campaign.
    pub(super) next: Option<Setup>,
    /// What every seat got of the first place, in units.
    pub(super) wins: Vec<i64>,
    /// In a game of teams, the number of each seat's team.
    pub(super) sides: Vec<u8>,
    /// For each kind that seats acquired, how many of its pieces each did.
    pub(super) kinds: FxHashMap<u16, [u32; MAX_SEATS]>,
    /// The kind of each component that seats acquired.
    pub(super) kind_of: FxHashMap<u16, u16>,
    pub(super) notes: Notes,
    pub(super) traces: Traces,
}

impl Record {
    /// What is counted of seats, put together for those who win and lose as one.
    pub(super) fn by_side(&self, of_seats: &[u32]) -> Vec<u32> {
        if self.sides.is_empty() {
            return of_seats.to_vec();
        }
        let mut found = vec![0; usize::from(self.sides.iter().copied().max().unwrap_or(0)) + 1];
        for (side, number) in self.sides.iter().zip(of_seats) {
            found[usize::from(*side)] += number;
        }
        found
    }

    /// What each who wins and loses as one got of the first place, in units.
    pub(super) fn wins_by_side(&self) -> Vec<i64> {
        if self.sides.is_empty() {
            return self.wins.clone();
        }
        let sides = 0..=self.sides.iter().copied().max().unwrap_or(0);
        let first = |side: u8| self.sides.iter().position(|of| *of == side);
        sides.map(|side| first(side).and_then(|seat| self.wins.get(seat).copied()).unwrap_or(0)).collect()
    }
}

/// Plays one game and writes it down.
pub(super) fn play(
    game: &Game,
    setup: &Setup,
    at: u64,
    players: Vec<Box<dyn Player>>,
    scheme: &Arc<Scheme>,
) -> Result<Record, Diagnostics> {
    let (played, notebook) = game.watch(setup, players, Notebook::new(scheme.clone()), false)?;
    let (notes, traces) = match notebook {
        Some(notebook) => (notebook.notes, notebook.traces),
        None => (Notes::new(setup.seats), Traces::default()),
    };
    let model = &scheme.model;
    let moves_first = game.host(setup)?.1.moves_first();
    let (numbers, wins) = match &played.outcome {
        Ok(outcome) => {
            (numbers::numbers((model, moves_first), outcome, &played, &notes), numbers::wins(outcome, model.seats))
        }
        Err(_) => (Vec::new(), Vec::new()),
    };
    let (decisions, forced, fingerprint) = (played.decisions, played.forced, played.fingerprint);
    let (outcome, fault) = match played.outcome {
        Ok(outcome) => (Some(outcome), None),
        Err(fault) => (None, Some(fault)),
    };
    let (mut kinds, mut kind_of): (FxHashMap<u16, [u32; MAX_SEATS]>, FxHashMap<u16, u16>) = Default::default();
    for (component, copies) in &traces.acquired {
        let kind = model.components[*component as usize].kind.0;
        kind_of.insert(*component, kind);
        kinds.entry(kind).or_default().iter_mut().zip(copies).for_each(|(total, copies)| *total += copies);
    }
    Ok(Record {
        game: at,
        seed: setup.seed,
        outcome,
        fault,
        decisions,
        forced,
        numbers,
        fingerprint,
        next: played.next,
        wins,
        sides: scheme.sides.clone(),
        kinds,
        kind_of,
        notes,
        traces,
    })
}

/// Gives the players of a game, by its seed and the seat.
pub type SeatPlayer<'a> = &'a (dyn Fn(u64, Seat) -> Box<dyn Player> + Sync);

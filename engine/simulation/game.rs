//! One game of a batch: played, and written down.

use super::measure::{self, Measure};
use super::notebook::{Notebook, Notes, Traces, Watched};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::{MAX_SEATS, Model, Seat};
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
    /// What every seat got of the first place, in units.
    pub(super) wins: Vec<i64>,
    /// Decisions that came up, and how often without asking.
    pub(super) questions: FxHashMap<u16, u32>,
    pub(super) kinds: FxHashMap<u16, (i64, i64)>,
    /// For each component that seats acquired: how many more of it each seat has than its part of the kind would be, and what
    /// it won.
    pub(super) kin: FxHashMap<u16, Vec<(f64, f64)>>,
    pub(super) notes: Notes,
    pub(super) traces: Traces,
}

impl Record {
    /// How many pieces seats acquired, and what these seats won, each counted once for each piece.
    pub(super) fn won_with(&self, copies: &[u32]) -> (i64, i64) {
        let each = self.wins.iter().zip(copies).map(|(win, copies)| (i64::from(*copies), win * i64::from(*copies)));
        each.fold((0, 0), |(count, won), (copies, win)| (count + copies, won + win))
    }
}

/// Plays one game and writes it down.
pub(super) fn play(
    game: &Game,
    setup: &Setup,
    at: u64,
    players: Vec<Box<dyn Player>>,
    (model, watched): (&Model, &Arc<[Watched]>),
) -> Result<Record, Diagnostics> {
    let notebook = Notebook::new(setup.seats, watched.clone());
    let (played, notebook) = game.watch(setup, players, notebook)?;
    let notes = notebook.map_or_else(|| Notes::new(setup.seats), |notebook| notebook.notes);
    let traces = Traces::of(model, &played.events);
    let mut questions: FxHashMap<u16, u32> = FxHashMap::default();
    for chosen in &played.chosen {
        *questions.entry(chosen.decision.0).or_default() += u32::from(chosen.offered == 1);
    }
    let (numbers, wins) = match &played.outcome {
        Ok(outcome) => (measure::numbers(model, outcome, &played, &notes), measure::wins(outcome, model.seats)),
        Err(_) => (Vec::new(), Vec::new()),
    };
    let (decisions, forced, fingerprint) = (played.decisions, played.forced, played.fingerprint);
    let (outcome, fault) = match played.outcome {
        Ok(outcome) => (Some(outcome), None),
        Err(fault) => (None, Some(fault)),
    };
    let (kinds, kin) = (FxHashMap::default(), FxHashMap::default());
    let mut record = Record {
        game: at,
        seed: setup.seed,
        outcome,
        fault,
        decisions,
        forced,
        numbers,
        fingerprint,
        wins,
        questions,
        kinds,
        kin,
        notes,
        traces,
    };
    record.kinds = kinds_of(model, &record);
    if record.outcome.is_some() {
        record.kin = kin_of(model, &record);
    }
    Ok(record)
}

/// Pieces of each kind that seats acquired, and what those seats won, each counted once for each piece.
fn kinds_of(model: &Model, record: &Record) -> FxHashMap<u16, (i64, i64)> {
    let mut kinds: FxHashMap<u16, (i64, i64)> = FxHashMap::default();
    for (component, copies) in &record.traces.acquired {
        let (count, won) = record.won_with(copies);
        let sums = kinds.entry(model.components[*component as usize].kind.0).or_default();
        sums.0 += count;
        sums.1 += won;
    }
    kinds
}

/// How many more of each component every seat acquired than its part of the kind would be, with what the seat won.
fn kin_of(model: &Model, record: &Record) -> FxHashMap<u16, Vec<(f64, f64)>> {
    let seats = model.seats as usize;
    let whole = measure::whole_win(model.seats) as f64;
    let mut totals: FxHashMap<u16, Vec<u64>> = FxHashMap::default();
    for (component, copies) in &record.traces.acquired {
        let total = totals.entry(model.components[*component as usize].kind.0).or_insert_with(|| vec![0; seats]);
        total.iter_mut().zip(copies).for_each(|(total, copies)| *total += u64::from(*copies));
    }
    let of = |(component, copies): (&u16, &[u32; MAX_SEATS])| {
        let total = &totals[&model.components[*component as usize].kind.0];
        let part = f64::from(copies[..seats].iter().sum::<u32>()) / total.iter().sum::<u64>().max(1) as f64;
        let each = (0..seats)
            .map(|seat| (f64::from(copies[seat]) - part * total[seat] as f64, record.wins[seat] as f64 / whole));
        (*component, each.collect())
    };
    record.traces.acquired.iter().map(of).collect()
}

/// Whoever gives the players of a game: by its seed and the seat.
pub type SeatPlayer<'a> = &'a (dyn Fn(u64, Seat) -> Box<dyn Player> + Sync);

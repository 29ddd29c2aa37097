//! The record of a game in progress.

use super::fault::{Answer, Fault};
use crate::decision::{Event, EventKind, Log, ObserverHandle};
use crate::model::{ComponentId, FamilyId, PieceId, Seat};
use crate::table::{Layout, SeatSet};
use std::sync::Arc;

/// Receiver of the indices of events as they are recorded. It links each event to the statement that caused it.
pub(crate) trait CauseRecorder: Send + Sync {
    /// Records that the current statement caused the event with this index.
    fn record_cause(&self, event: usize);
}

/// A conflict between two pieces in force: they set the same quantity to different values, and chance decided which of them was laid last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaidByChance {
    /// The quantity, as declared under `[altered]`.
    pub what: Arc<str>,
    /// The two components. The second one was laid last.
    pub components: [ComponentId; 2],
}

/// The record of a game in progress.
#[derive(Clone, Default)]
pub struct Journal {
    /// Events so far.
    pub events: Log<Event>,
    /// Indices of events that are answers in an open simultaneous decision. They are hidden from the other seats until
    /// all seats have answered.
    pub pending: Vec<usize>,
    /// Size of the record, in entries. It is counted even if recording is off.
    pub(crate) weight: usize,
    /// Whether events are recorded.
    pub is_kept: bool,
    /// The observer, if there is one.
    pub observed: Option<ObserverHandle>,
    /// Piles whose order was at least partly known to some seat right after a shuffle.
    pub seen_orders: Vec<FamilyId>,
    /// Pairs of pieces in force that were laid together, in an order that nobody chose, and have not moved since.
    pub(crate) laid_together: Vec<[PieceId; 2]>,
    /// Conflicts between pieces in force whose order was decided by chance, at most one for each quantity.
    pub laid_by_chance: Vec<LaidByChance>,
    /// Recorder of the statement that caused each event, if coverage is recorded.
    pub(super) cause_recorder: Option<Arc<dyn CauseRecorder>>,
}

/// Maximum of [`Journal::weight`]. An entry takes at most 48 bytes, so a record stays below 100 MB.
const MAX_WEIGHT: usize = 2_000_000;

/// Number of entries counted for each event, in addition to the entries that it contains.
const ENTRIES_PER_EVENT: usize = 2;

impl Journal {
    /// Checks that the record does not exceed its maximum size.
    pub(crate) fn check_room(&self) -> Answer<()> {
        if self.weight <= MAX_WEIGHT {
            return Ok(());
        }
        let fault = Fault::new("too-large", "the log of this game is full", "would add one more event");
        Err(fault.help("use shorter texts, or make sure that the game ends").into())
    }

    /// Creates the record of a new game.
    pub(crate) fn new(cause_recorder: Option<Arc<dyn CauseRecorder>>) -> Self {
        Self { is_kept: true, cause_recorder, ..Self::default() }
    }

    /// Records an event that the seats in `to` may see.
    pub(crate) fn note(&mut self, to: SeatSet, what: EventKind) {
        if let Some(cause_recorder) = &self.cause_recorder {
            cause_recorder.record_cause(self.events.len());
        }
        self.events.push(Event { kind: what, audience: to });
    }

    /// Adds an event with `entries` additional entries to the size of the record. The event is counted even if it is not recorded: a game
    /// must reach the limit at the same point with and without recording.
    pub(crate) fn count(&mut self, entries: usize) {
        self.weight = self.weight.saturating_add(ENTRIES_PER_EVENT + entries);
    }

    /// Removes other seats' answers in an open simultaneous decision, since these answers are still hidden from `seat`.
    pub fn forget_pending(&mut self, seat: Seat) {
        let is_own = |at: &usize| self.events[*at].audience == Layout::only(seat);
        let (own, others): (Vec<usize>, Vec<usize>) = self.pending.iter().partition(|at| is_own(at));
        self.events.remove(&others);
        self.pending = own.iter().map(|at| at - others.partition_point(|other| other < at)).collect();
    }

    /// Discards the record and turns recording off.
    pub fn close(&mut self) {
        self.is_kept = false;
        self.events = Log::default();
        self.pending = Vec::new();
    }
}

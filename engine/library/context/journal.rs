//! What is noted of a game in progress, and who is shown it.

use super::fault::{Answer, Fault};
use crate::decision::{Event, EventKind, Log, ObserverHandle};
use crate::model::{FamilyId, Seat};
use crate::table::{Layout, SeatSet};
use std::sync::Arc;

/// A watcher, which knows which line of the rules runs.
pub(crate) trait Watcher: Send + Sync {
    /// The event with a number is brought about by what ran last.
    fn causes(&self, event: usize);
}

/// What is noted of a game in progress.
#[derive(Clone, Default)]
pub struct Journal {
    /// What has happened.
    pub events: Log<Event>,
    /// Which of these are answers of seats that are asked together: nobody else learns of them before all have answered.
    pub pending: Vec<usize>,
    /// The size of all that has happened, noted or not: entries of a list, as values count them.
    pub(crate) weight: usize,
    /// Whether what happens is noted.
    pub is_kept: bool,
    /// Who observes the game, if anybody.
    pub observed: Option<ObserverHandle>,
    /// The piles of which a seat knew the order as soon as they had been shuffled.
    pub seen_orders: Vec<FamilyId>,
    /// Who notes what brings an event about, if anybody does.
    pub(super) watcher: Option<Arc<dyn Watcher>>,
}

/// Limit of [`Journal::weight`]: what is noted of a game stays below 100 MB, since no entry takes more than 48 bytes.
const MOST_NOTED: usize = 2_000_000;

/// Entries that an event takes.
const EVENT: usize = 2;

impl Journal {
    /// Refuses to note more of a game than its log has room for.
    pub(crate) fn check_room(&self) -> Answer<()> {
        if self.weight <= MOST_NOTED {
            return Ok(());
        }
        let fault =
            Fault::new("too-large", "more has happened in this game than its log holds", "would be one event more");
        Err(fault.help("tell and offer short texts, and let a rule end the game").into())
    }

    /// The journal of a game that begins; what brings an event about is noted too where the rules are watched.
    pub(crate) fn new(watcher: Option<Arc<dyn Watcher>>) -> Self {
        Self { is_kept: true, watcher, ..Self::default() }
    }

    /// Notes an event for some seats.
    pub(crate) fn note(&mut self, to: SeatSet, what: EventKind) {
        if let Some(watcher) = &self.watcher {
            watcher.causes(self.events.len());
        }
        self.events.push(Event { what, to });
    }

    /// Counts an event, whether it is noted or not, and so many entries that it holds beside itself: a game faults at the same
    /// operation however it is played.
    pub(crate) fn count(&mut self, entries: usize) {
        self.weight = self.weight.saturating_add(EVENT + entries);
    }

    /// Takes the answers that others gave while a seat is asked together with them out of what happened.
    pub fn forget_pending(&mut self, seat: Seat) {
        let is_own = |at: &usize| self.events[*at].to == Layout::only(seat);
        let (own, others): (Vec<usize>, Vec<usize>) = self.pending.iter().partition(|at| is_own(at));
        self.events.remove(&others);
        self.pending = own.iter().map(|at| at - others.partition_point(|other| other < at)).collect();
    }

    /// Forgets what was noted, and notes nothing from here on.
    pub fn close(&mut self) {
        self.is_kept = false;
        self.events = Log::default();
        self.pending = Vec::new();
    }
}

//! Parameters of a search: budget, cores, aim and knowledge.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a budget in milliseconds is asked for")]

use crate::diagnostic::Source;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Parameters of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Time or number of playouts.
    pub budget: Budget,
    /// Number of processor cores; `None` means one.
    pub cores: Option<Cores>,
    /// Objective of the search.
    pub aim: SearchObjective,
    /// Knowledge of the game besides the rules.
    pub knowledge: Knowledge,
    /// Whether imagined worlds are weighted by the likelihood of the other seats' past choices. The likelihood assumes that these seats
    /// follow the same script.
    pub weighs: bool,
}

/// Budget of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// Number of playouts. The result is the same on every computer.
    Playouts(u32),
    /// Time in milliseconds.
    Milliseconds(u32),
}

/// Minimum number of playouts per tree if several trees are grown.
const MIN_PLAYOUTS_PER_TREE: u32 = 40;

/// Maximum number of trees for a budget in playouts. With more trees, splitting the playouts costs more than it gains.
const MAX_TREES: u32 = 8;

/// Number of processor cores that a search uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cores {
    /// Fixed number of threads, regardless of the hardware.
    Count(usize),
    /// The number of threads that the hardware supports, or one if that number is unknown.
    All,
}

/// Objective that a search maximizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchObjective {
    /// Winning, and secondarily the lead over the others.
    Win,
    /// The seat's own score.
    Score,
}

/// Knowledge of a game besides its rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Knowledge {
    /// Nothing but the rules.
    None,
    /// An agent's script.
    File(Arc<Source>),
}

impl Cores {
    /// Returns the number of threads.
    pub(super) fn count(self) -> usize {
        match self {
            Self::Count(count) => count,
            Self::All => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// Running budget of a search: the total number of playouts, or the deadline.
pub(super) enum Clock {
    Playouts(u32),
    Until(Instant),
}

impl Budget {
    /// Starts the clock. A time budget begins now.
    pub(super) fn start(self) -> Clock {
        match self {
            Self::Playouts(count) => Clock::Playouts(count),
            Self::Milliseconds(count) => Clock::Until(Instant::now() + Duration::from_millis(u64::from(count))),
        }
    }

    /// Returns the number of trees to grow. For a budget in playouts it does not depend on the number of threads.
    pub(super) fn tree_count(self, threads: usize) -> usize {
        match self {
            Self::Playouts(count) => (count / MIN_PLAYOUTS_PER_TREE).clamp(1, MAX_TREES) as usize,
            Self::Milliseconds(_) => threads.max(1),
        }
    }

    /// Returns the budget of one of `count` parallel searches. Time is not divided.
    pub(super) fn share(self, count: usize) -> Self {
        match self {
            Self::Playouts(playouts) => Self::Playouts(playouts.div_ceil(count as u32)),
            time @ Self::Milliseconds(_) => time,
        }
    }
}

impl Clock {
    /// Returns whether another playout may begin after `playouts` playouts. A time budget always allows the first playout.
    pub(super) fn has_budget(&self, playouts: u32) -> bool {
        match self {
            Self::Playouts(most) => playouts < *most,
            Self::Until(end) => playouts == 0 || Instant::now() < *end,
        }
    }

    /// Returns the total number of playouts, or `None` for a budget in time.
    pub(super) fn total_playouts(&self) -> Option<u32> {
        self.playouts_left(0)
    }

    /// Returns the budget of the next of `phases` remaining phases: an equal share of the budget that is left after `playouts` playouts.
    pub(super) fn share(&self, playouts: u32, phases: u32) -> Self {
        match self {
            Self::Playouts(most) => Self::Playouts(most.saturating_sub(playouts) / phases),
            Self::Until(end) => {
                let now = Instant::now();
                Self::Until(now + end.saturating_duration_since(now) / phases)
            }
        }
    }

    /// Returns the number of playouts left after `playouts` playouts, or `None` for a budget in time.
    pub(super) fn playouts_left(&self, playouts: u32) -> Option<u32> {
        match self {
            Self::Playouts(most) => Some(most.saturating_sub(playouts)),
            Self::Until(_) => None,
        }
    }
}

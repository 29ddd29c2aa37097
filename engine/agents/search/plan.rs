//! How long and for what a search looks ahead.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a budget in milliseconds is asked for")]

use crate::diagnostic::Source;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How a search is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// How long it goes on.
    pub budget: Budget,
    /// On how many processors; on one, where nothing is said.
    pub cores: Option<Cores>,
    /// What it is for.
    pub aim: Aim,
    /// What it knows of the game besides the rules.
    pub knowledge: Knowledge,
    /// Whether worlds are weighed by what others chose before, if they go by the same file.
    pub weighs: bool,
}

/// How long a search goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// So many playouts: the same on every computer.
    Playouts(u32),
    /// So many milliseconds.
    Milliseconds(u32),
}

/// A tree of fewer playouts than this is not worth growing.
const LEAST_PLAYOUTS: u32 = 40;

/// More trees than this know no more of the game than so many.
const MOST_TREES: u32 = 8;

/// On how many processors a search goes on at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cores {
    /// So many, whether there are as many or not.
    Count(usize),
    /// All there are.
    All,
}

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// Winning, and by a good lead.
    Win,
    /// As many points as possible.
    Score,
}

/// What a search knows of a game besides its rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Knowledge {
    /// Nothing.
    None,
    /// What a file of an agent says.
    File(Arc<Source>),
}

impl Cores {
    /// How many there are.
    pub(super) fn count(self) -> usize {
        match self {
            Self::Count(count) => count,
            Self::All => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// When a search began, and when it is to end.
pub(super) enum Clock {
    Playouts(u32),
    Until(Instant),
}

impl Budget {
    pub(super) fn start(self) -> Clock {
        match self {
            Self::Playouts(count) => Clock::Playouts(count),
            Self::Milliseconds(count) => Clock::Until(Instant::now() + Duration::from_millis(u64::from(count))),
        }
    }

    /// How many trees are grown beside each other on several threads; of a number of playouts on however many.
    pub(super) fn trees(self, threads: usize) -> usize {
        match self {
            Self::Playouts(count) => (count / LEAST_PLAYOUTS).clamp(1, MOST_TREES) as usize,
            Self::Milliseconds(_) => threads.max(1),
        }
    }

    /// A share of it for one of several who search at the same time.
    pub(super) fn share(self, of: usize) -> Self {
        match self {
            Self::Playouts(count) => Self::Playouts(count.div_ceil(of as u32)),
            time @ Self::Milliseconds(_) => time,
        }
    }
}

impl Clock {
    /// Whether there is time for one more playout after so many.
    pub(super) fn goes_on(&self, playouts: u32) -> bool {
        match self {
            Self::Playouts(most) => playouts < *most,
            Self::Until(end) => playouts == 0 || Instant::now() < *end,
        }
    }

    /// How many playouts there may be in all, where their number is what counts.
    pub(super) fn playouts(&self) -> Option<u32> {
        self.left(0)
    }

    /// What is left of it for the next of so many shares alike, after so many playouts.
    pub(super) fn share(&self, playouts: u32, of: u32) -> Self {
        match self {
            Self::Playouts(most) => Self::Playouts(most.saturating_sub(playouts) / of),
            Self::Until(end) => {
                let now = Instant::now();
                Self::Until(now + end.saturating_duration_since(now) / of)
            }
        }
    }

    /// How many more playouts there may be after so many, where their number is what counts.
    pub(super) fn left(&self, playouts: u32) -> Option<u32> {
        match self {
            Self::Playouts(most) => Some(most.saturating_sub(playouts)),
            Self::Until(_) => None,
        }
    }
}

//! Counts the lines of play from a position, ply by ply. Computer chess calls this *perft* and uses it to test move
//! generators.
//!
//! A ply is one answer of one seat, including an answer to a question with a single option. A line is a sequence of
//! answers. Lines do not branch over chance: each line draws the results that its seed determines, and hidden pieces
//! stay as they were dealt.

use crate::diagnostic::Diagnostic;
use crate::session::{Decision, Halt, MAX_MEMORY, Session, Status};
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::BuildHasher;
use std::iter::Sum;
use std::ops::Add;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Maximum number of different positions that are counted for one ply. Each takes about 16 bytes.
pub const MAX_POSITIONS: usize = 10_000_000;

/// Maximum number of first answers for which lines are counted separately.
pub const MAX_FIRST_ANSWERS: usize = 10_000;

/// Number of plies whose answers are distributed over threads. With two plies, all threads are busy even if the first
/// question has few options.
const PARALLEL_PLIES: u64 = 2;

/// Details that a count collects besides the number of lines.
#[derive(Debug, Clone, Copy, Default)]
pub struct CountDetails {
    /// Whether to count the different positions at the ends of lines. The last ply must then be played rather than just
    /// counted, which takes about as long as counting one more ply.
    pub positions: bool,
    /// Whether to count separately the lines that begin with each option of the first question.
    pub first_answers: bool,
}

/// Counts of the lines of one length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlyCount {
    /// Length of the lines in plies, from 1.
    pub ply: u64,
    /// Number of lines of this length.
    pub lines: u64,
    /// Number of shorter lines that ended with the end of the game.
    pub ended: u64,
    /// Number of different positions at the ends of the lines. Two positions are the same if they agree in the table,
    /// all values, and the next question with its seat.
    pub positions: Option<u64>,
    /// Number of lines that begin with each option of the first open question, in the order of the options. Empty if not requested, if no
    /// question is open, or if the lines are too short to reach one.
    pub first_answers: Vec<u64>,
}

/// Reason why a count stopped.
#[derive(Debug)]
pub enum CountError {
    /// The halt signal was set.
    Halted,
    /// The rules failed after these answers.
    Fault(Box<Diagnostic>, Vec<u64>),
    /// The positions along one line take more than [`MAX_MEMORY`].
    Memory,
    /// There are more than [`MAX_POSITIONS`] different positions.
    Positions,
    /// The first question has this many options, which is more than [`MAX_FIRST_ANSWERS`].
    FirstAnswers(usize),
}

/// The lines of play from a position.
pub struct GameTree {
    root: Session,
    /// Number of answers before the root.
    start: u64,
    drew: AtomicBool,
}

impl GameTree {
    /// Creates the tree of a new game, or of any later position in a game.
    ///
    /// Questions with a single option, which a new game has already answered automatically, count as plies: they are
    /// moves too.
    pub fn new(mut root: Session) -> Self {
        let is_new = root.answers().is_empty();
        let start = if is_new { 0 } else { root.answered() };
        root.keep_nothing();
        let drew = AtomicBool::new(root.table().chance.has_drawn());
        Self { root, start, drew }
    }

    /// Returns whether anything has been decided by chance, either before the root or on a line that was counted.
    pub fn has_drawn(&self) -> bool {
        self.drew.load(Ordering::Relaxed)
    }

    /// Counts the lines of a given length, on all threads of the current pool.
    ///
    /// # Errors
    /// Returns an error if the count was halted, the rules fail on one of the lines, or a limit is exceeded.
    pub fn count(&self, ply: u64, details: CountDetails, halt: &Halt) -> Result<PlyCount, CountError> {
        let positions = details.positions.then(|| Mutex::new(FxHashSet::default()));
        let walk = Walk { tree: self, last: self.start + ply, positions: positions.as_ref(), halt };
        // A first question that was answered automatically has no options to distinguish.
        let is_asked = self.root.decision().is_some() && self.root.answered() < walk.last;
        let (tally, first_answers) = if details.first_answers && is_asked {
            let tallies = walk.count_by_option(&self.root)?;
            (tallies.iter().copied().sum(), tallies.iter().map(|tally| tally.lines).collect())
        } else {
            (walk.lines(&self.root, 0)?, Vec::new())
        };
        let positions = positions.map(|known| known.into_inner().unwrap_or_else(PoisonError::into_inner).len() as u64);
        Ok(PlyCount { ply, lines: tally.lines, ended: tally.ended, positions, first_answers })
    }
}

/// Results of a subtree.
#[derive(Clone, Copy, Default)]
struct Tally {
    lines: u64,
    ended: u64,
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { lines: self.lines.saturating_add(other.lines), ended: self.ended.saturating_add(other.ended) }
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), Add::add)
    }
}

/// Depth-first walk over the lines down to one ply.
struct Walk<'a> {
    tree: &'a GameTree,
    /// Number of answers in a complete line, counted from the beginning of the game.
    last: u64,
    positions: Option<&'a Mutex<FxHashSet<u64>>>,
    halt: &'a Halt,
}

impl Walk<'_> {
    /// Counts the lines that continue from a position. `held` is the number of bytes that the positions above it take.
    fn lines(&self, session: &Session, held: usize) -> Result<Tally, CountError> {
        if session.table().chance.has_drawn() {
            self.tree.drew.store(true, Ordering::Relaxed);
        }
        if let Status::Failed(fault) = session.status() {
            return Err(CountError::Fault(Box::new(fault.clone()), session.answers().to_vec()));
        }
        let reached = session.answered();
        if reached >= self.last {
            self.keep_position(session)?;
            return Ok(Tally { lines: 1, ended: 0 });
        }
        let Some(decision) = session.decision() else { return Ok(Tally { lines: 0, ended: 1 }) };
        if reached + 1 == self.last && self.positions.is_none() {
            return Ok(Tally { lines: decision.count() as u64, ended: 0 });
        }
        let held = check_memory(session, held)?;
        let after = |at| self.after(session, at, held);
        if reached < self.tree.root.answered() + PARALLEL_PLIES {
            (0..decision.count()).into_par_iter().map(after).try_reduce(Tally::default, |one, other| Ok(one + other))
        } else {
            (0..decision.count()).try_fold(Tally::default(), |sum, at| Ok(sum + after(at)?))
        }
    }

    /// Counts the lines that begin with each option of the open question, in order.
    fn count_by_option(&self, session: &Session) -> Result<Vec<Tally>, CountError> {
        let count = session.decision().map_or(0, Decision::count);
        if count > MAX_FIRST_ANSWERS {
            return Err(CountError::FirstAnswers(count));
        }
        let held = check_memory(session, 0)?;
        (0..count).into_par_iter().map(|at| self.after(session, at, held)).collect()
    }

    /// Counts the lines that continue with the option at index `at`.
    fn after(&self, session: &Session, at: usize, held: usize) -> Result<Tally, CountError> {
        if self.halt.is_called() {
            return Err(CountError::Halted);
        }
        let mut fork = session.fork();
        fork.choose(at).expect("the option is offered");
        self.lines(&fork, held)
    }

    fn keep_position(&self, session: &Session) -> Result<(), CountError> {
        let Some(positions) = self.positions else { return Ok(()) };
        let asked = session.decision().map(|decision| (decision.seat, decision.id));
        let position = FxBuildHasher.hash_one((session.fingerprint(), asked));
        let mut positions = positions.lock().unwrap_or_else(PoisonError::into_inner);
        positions.insert(position);
        if positions.len() > MAX_POSITIONS { Err(CountError::Positions) } else { Ok(()) }
    }
}

/// Adds the size of a position to the size of the positions above it.
///
/// # Errors
/// Returns [`CountError::Memory`] if the sum exceeds [`MAX_MEMORY`].
fn check_memory(session: &Session, held: usize) -> Result<usize, CountError> {
    let held = held + session.table().size();
    if held > MAX_MEMORY { Err(CountError::Memory) } else { Ok(held) }
}

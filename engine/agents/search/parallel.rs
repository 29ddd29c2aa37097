//! Searching on several processors. Where a tree is grown, several are, and what they know of the options is added up; where options are
//! tried in worlds, each thread plays a part of the worlds. How many trees there are goes by the budget, so that the choice is the same on
//! however many threads.
//!
//! Root parallelization: Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search" (2008).

use super::question::SearchTask;
use super::task::{Outcomes, Task};
use super::tree::{Arm, Tree};
use crate::session::{Halt, NoAnswer};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

type GrownArms = Result<Vec<Arm>, NoAnswer>;
type PlayedWorlds = Result<Vec<Result<Outcomes, NoAnswer>>, NoAnswer>;

/// What a thread is asked for.
enum Order {
    /// To search with a tree of its own.
    Tree(Box<SearchTask>, Tree),
    /// To play worlds.
    Worlds(Box<Task>),
}

/// What a thread has found.
enum WorkerAnswer {
    Tree(GrownArms, Tree),
    Worlds(PlayedWorlds),
}

/// Threads that search, as long as the player is there.
pub(super) struct Crew {
    workers: Vec<(Sender<Order>, Receiver<WorkerAnswer>, JoinHandle<()>)>,
}

impl Crew {
    /// So many threads; none of its own where one is enough.
    pub(super) fn new(count: usize) -> Self {
        let count = if count > 1 { count } else { 0 };
        Self { workers: (0..count).filter_map(|_| worker().ok()).collect() }
    }

    /// How many threads there are.
    pub(super) fn count(&self) -> u32 {
        self.workers.len().max(1) as u32
    }

    /// What all of them know of each option in the end. Nothing depends on which is done first. Trees are kept from search to search.
    pub(super) fn search(&self, question: &SearchTask, trees: &mut Vec<Tree>) -> GrownArms {
        let count = question.plan.budget.trees(self.workers.len());
        trees.resize_with(count, Tree::default);
        let mut chance = question.chance.clone();
        let shares = (0..count).map(|_| {
            let mut share = SearchTask { chance: chance.fork(), alone: false, ..question.clone() };
            share.plan.budget = question.plan.budget.share(count);
            share
        });
        let answers: Vec<GrownArms> = if self.workers.is_empty() {
            shares.zip(trees).map(|(share, tree)| share.search(tree)).collect()
        } else {
            for ((share, tree), (sender, ..)) in shares.zip(&mut *trees).zip(self.workers.iter().cycle()) {
                // Of a thread that is gone there will be no answer.
                let _ = sender.send(Order::Tree(Box::new(share), std::mem::take(tree)));
            }
            // Each answer is fetched, also behind a fault: none is left over for the next decision.
            let found = trees.iter_mut().zip(self.workers.iter().cycle());
            found.map(|(tree, (_, found, _))| grown(found, &question.halt, tree)).collect()
        };
        let mut sums = vec![Arm::default(); question.codes.len()];
        for arms in answers {
            for (sum, arm) in sums.iter_mut().zip(arms?) {
                sum.visits += arm.visits;
                sum.sum += arm.sum;
            }
        }
        Ok(sums)
    }

    /// Plays worlds, a part of them on each thread; what comes of them stands in their order, however many threads there are.
    pub(super) fn play(&self, task: &Task) -> PlayedWorlds {
        if self.workers.is_empty() {
            return task.played();
        }
        let parts: Vec<_> = task.worlds.chunks(task.worlds.len().div_ceil(self.workers.len()).max(1)).collect();
        for (worlds, (sender, ..)) in parts.iter().zip(&self.workers) {
            let part = Task { worlds: worlds.to_vec(), ..task.clone() };
            let _ = sender.send(Order::Worlds(Box::new(part)));
        }
        let halt = &task.question.halt;
        let answers: Vec<_> = parts.iter().zip(&self.workers).map(|(_, (_, found, _))| waited(found, halt)).collect();
        let mut all = Vec::with_capacity(task.worlds.len());
        for answer in answers {
            let Some(WorkerAnswer::Worlds(played)) = answer else { return Err(gone()) };
            all.extend(played?);
        }
        Ok(all)
    }
}

/// How often the thread that waits looks whether the search is given up: those that search do so too, and answer then.
const LOOKS: Duration = Duration::from_millis(50);

/// What a thread has found; nothing where it is gone.
fn waited(found: &Receiver<WorkerAnswer>, halt: &Halt) -> Option<WorkerAnswer> {
    loop {
        match found.recv_timeout(LOOKS) {
            Ok(answer) => return Some(answer),
            Err(RecvTimeoutError::Timeout) => _ = halt.is_called(),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// What a thread knows of the next of its trees, which comes back with it.
fn grown(found: &Receiver<WorkerAnswer>, halt: &Halt, tree: &mut Tree) -> GrownArms {
    match waited(found, halt) {
        Some(WorkerAnswer::Tree(arms, grown)) => {
            *tree = grown;
            arms
        }
        _ => Err(gone()),
    }
}

fn gone() -> NoAnswer {
    "a thread that searched is gone".to_owned().into()
}

fn worker() -> std::io::Result<(Sender<Order>, Receiver<WorkerAnswer>, JoinHandle<()>)> {
    let (orders, asked) = channel::<Order>();
    let (answers, found) = channel();
    let handle = Builder::new().name("search".to_owned()).spawn(move || {
        let mut game = None;
        for order in asked {
            let answer = match order {
                Order::Tree(question, mut tree) => WorkerAnswer::Tree(question.on(&mut game).search(&mut tree), tree),
                Order::Worlds(task) => {
                    let Task { question, base, worlds, codes } = *task;
                    WorkerAnswer::Worlds(Task { question: question.on(&mut game), base, worlds, codes }.played())
                }
            };
            if answers.send(answer).is_err() {
                return;
            }
        }
    })?;
    Ok((orders, found, handle))
}

impl Drop for Crew {
    fn drop(&mut self) {
        for (sender, _, handle) in self.workers.drain(..) {
            drop(sender);
            // A thread that panicked has nothing left to report.
            let _ = handle.join();
        }
    }
}

//! Parallel search.
//!
//! Tree search grows several trees and adds up their statistics. Trials distribute the worlds among threads. With a budget in playouts, the
//! number of trees does not depend on the number of threads, so that the choice is the same with any number of threads.
//!
//! Root parallelization: Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search" (2008).

use super::search_task::SearchTask;
use super::tree::{Arm, Tree};
use super::world_task::{Outcomes, WorldTask};
use crate::session::{Halt, NoAnswer};
use crate::system;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

type GrownArms = Result<Vec<Arm>, NoAnswer>;
type PlayedWorlds = Result<Vec<Result<Outcomes, NoAnswer>>, NoAnswer>;

/// Job for a worker thread.
enum Job {
    /// A tree to grow.
    Tree(Box<SearchTask>, Tree),
    /// Worlds to play.
    Worlds(Box<WorldTask>),
}

/// Result of a job.
enum WorkerAnswer {
    Tree(GrownArms, Tree),
    Worlds(PlayedWorlds),
}

/// Worker threads of a search agent. They live as long as the agent.
pub(super) struct WorkerPool {
    workers: Vec<(Sender<Job>, Receiver<WorkerAnswer>, JoinHandle<()>)>,
}

impl WorkerPool {
    /// Spawns `count` threads. If `count` is at most 1, spawns none, and the caller's thread does the work.
    pub(super) fn new(count: usize) -> Self {
        let count = if count > 1 { count } else { 0 };
        Self { workers: (0..count).filter_map(|_| spawn_worker().ok()).collect() }
    }

    /// Returns the number of threads that do the work, which is at least 1.
    pub(super) fn count(&self) -> u32 {
        self.workers.len().max(1) as u32
    }

    /// Searches with several trees and returns the summed statistics of each option. With a budget in playouts, the result does not depend
    /// on timing. Trees are kept for the next search.
    pub(super) fn search(&self, question: &SearchTask, trees: &mut Vec<Tree>) -> GrownArms {
        let count = question.plan.budget.tree_count(self.workers.len());
        trees.resize_with(count, Tree::default);
        let mut chance = question.chance.clone();
        let shares = (0..count).map(|_| {
            let mut share = SearchTask { chance: chance.fork(), is_alone: false, ..question.clone() };
            share.plan.budget = question.plan.budget.share(count);
            share
        });
        let answers: Vec<GrownArms> = if self.workers.is_empty() {
            shares.zip(trees).map(|(share, tree)| share.search(tree)).collect()
        } else {
            for ((share, tree), (sender, ..)) in shares.zip(&mut *trees).zip(self.workers.iter().cycle()) {
                // Sending fails if the worker is gone, which is reported when its answer is missing.
                let _ = sender.send(Job::Tree(Box::new(share), std::mem::take(tree)));
            }
            // Receive all answers even after an error, so that none is left over for the next search.
            let found = trees.iter_mut().zip(self.workers.iter().cycle());
            found.map(|(tree, (_, found, _))| receive_tree(found, &question.halt, tree)).collect()
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

    /// Plays the worlds of a task, divided among the threads. Returns the results in the order of the worlds.
    pub(super) fn play(&self, task: &WorldTask) -> PlayedWorlds {
        if self.workers.is_empty() {
            return task.play_worlds();
        }
        let parts: Vec<_> = task.worlds.chunks(task.worlds.len().div_ceil(self.workers.len()).max(1)).collect();
        for (worlds, (sender, ..)) in parts.iter().zip(&self.workers) {
            let part = WorldTask { worlds: worlds.to_vec(), ..task.clone() };
            let _ = sender.send(Job::Worlds(Box::new(part)));
        }
        let halt = &task.question.halt;
        let answers: Vec<_> =
            parts.iter().zip(&self.workers).map(|(_, (_, found, _))| receive_answer(found, halt)).collect();
        let mut all = Vec::with_capacity(task.worlds.len());
        for answer in answers {
            let Some(WorkerAnswer::Worlds(played)) = answer else { return Err(worker_lost()) };
            all.extend(played?);
        }
        Ok(all)
    }
}

/// Interval at which the waiting thread polls the halt signal.
const HALT_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Waits for the answer of a worker. Returns `None` if the worker is gone.
fn receive_answer(found: &Receiver<WorkerAnswer>, halt: &Halt) -> Option<WorkerAnswer> {
    loop {
        match found.recv_timeout(HALT_POLL_INTERVAL) {
            Ok(answer) => return Some(answer),
            // Evaluated for its side effect: an interrupt in Python is noticed on the calling thread only. The workers then see the
            // signal and answer.
            Err(RecvTimeoutError::Timeout) => _ = halt.is_called(),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// Waits for a worker's statistics, and moves the tree that the worker returns to `tree`.
fn receive_tree(found: &Receiver<WorkerAnswer>, halt: &Halt, tree: &mut Tree) -> GrownArms {
    match receive_answer(found, halt) {
        Some(WorkerAnswer::Tree(arms, grown)) => {
            *tree = grown;
            arms
        }
        _ => Err(worker_lost()),
    }
}

fn worker_lost() -> NoAnswer {
    "a thread that searched is gone".to_owned().into()
}

fn spawn_worker() -> std::io::Result<(Sender<Job>, Receiver<WorkerAnswer>, JoinHandle<()>)> {
    let (sender, jobs) = channel::<Job>();
    let (answers, found) = channel();
    let handle = system::thread("search").spawn(move || {
        let mut game = None;
        for job in jobs {
            let answer = match job {
                Job::Tree(question, mut tree) => {
                    WorkerAnswer::Tree(question.with_thread_game(&mut game).search(&mut tree), tree)
                }
                Job::Worlds(task) => {
                    let WorldTask { question, base, worlds, codes } = *task;
                    let question = question.with_thread_game(&mut game);
                    WorkerAnswer::Worlds(WorldTask { question, base, worlds, codes }.play_worlds())
                }
            };
            if answers.send(answer).is_err() {
                return;
            }
        }
    })?;
    Ok((sender, found, handle))
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        for (sender, _, handle) in self.workers.drain(..) {
            drop(sender);
            // The result is an error if the thread panicked; there is nothing to do about it.
            let _ = handle.join();
        }
    }
}

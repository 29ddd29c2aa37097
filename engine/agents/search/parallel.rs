//! Searching on several processors: each has a tree of its own, and what they know of the options is added up.
//!
//! Root parallelization: Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search" (2008).

use super::question::Question;
use super::tree::Arm;
use crate::session::NoAnswer;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

type Found = Result<Vec<Arm>, NoAnswer>;

/// Threads that search, as long as the player is there.
pub(super) struct Crew {
    workers: Vec<(Sender<Question>, Receiver<Found>, JoinHandle<()>)>,
}

impl Crew {
    pub(super) fn new(count: usize) -> Self {
        Self { workers: (0..count).filter_map(|_| worker().ok()).collect() }
    }

    /// What all of them know of each option in the end. Nothing depends on which is done first.
    pub(super) fn search(&self, question: &Question) -> Found {
        let mut chance = question.chance.clone();
        let mut count = 0;
        for (sender, ..) in &self.workers {
            let mut share = Question { chance: chance.fork(), alone: false, ..question.clone() };
            share.plan.budget = question.plan.budget.share(self.workers.len());
            count += usize::from(sender.send(share).is_ok());
        }
        if count == 0 {
            return question.search();
        }
        let mut sums = vec![Arm::default(); question.codes.len()];
        for (_, receiver, _) in &self.workers {
            let arms = receiver.recv().map_err(|_| "a thread that searched is gone".to_owned())??;
            for (sum, arm) in sums.iter_mut().zip(arms) {
                sum.visits += arm.visits;
                sum.sum += arm.sum;
            }
        }
        Ok(sums)
    }
}

fn worker() -> std::io::Result<(Sender<Question>, Receiver<Found>, JoinHandle<()>)> {
    let (questions, asked) = channel::<Question>();
    let (answers, found) = channel();
    let handle = Builder::new().name("search".to_owned()).spawn(move || {
        for question in asked {
            if answers.send(question.search()).is_err() {
                return;
            }
        }
    })?;
    Ok((questions, found, handle))
}

impl Drop for Crew {
    fn drop(&mut self) {
        for (sender, _, handle) in self.workers.drain(..) {
            drop(sender);
            // A thread that panicked has nothing left to tell.
            let _ = handle.join();
        }
    }
}

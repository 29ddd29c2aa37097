//! Search agents, for any number of players, hidden information, simultaneous decisions and chance.
//!
//! If the agent's script rates options, the best-rated options are tried in imagined worlds, in which the same script then makes the
//! choices (`trials.rs`).
//!
//! Otherwise the search is information-set Monte Carlo tree search. Each iteration imagines a world from what the seat knows, plays it
//! through the known information sets, adds a new one, and finishes the game at random (rollout). The result is added to every information
//! set on the way, from the point of view of the seat that chose there. An information set contains only what its seat knows, so simulated
//! opponents know neither the searching seat's cards nor answers given at the same time.
//!
//! If the script estimates positions, games are not always played to their end: they may be cut off and estimated at the end of a round.
//!
//! Multiple-observer information set MCTS: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Transactions on
//! Computational Intelligence and AI in Games 4 (2012). Simultaneous decisions are decoupled as in Tak, Lanctot and Winands, "Monte Carlo
//! Tree Search Variants for Simultaneous Move Games" (2014).

mod parallel;
mod plan;
mod search_task;
mod tree;
mod trials;
mod world_task;

pub use plan::{Budget, Cores, Knowledge, Plan, SearchObjective};

use crate::diagnostic::Source;
use crate::session::{ESTIMATE, Halt, NoAnswer, Observation, Player, functions_of};
use crate::table::Chance;
use parallel::WorkerPool;
use search_task::SearchTask;
use std::sync::Arc;
use tree::Tree;

/// Agent that chooses by search.
pub struct Search {
    plan: Plan,
    chance: Chance,
    pool: Option<WorkerPool>,
    /// Search trees kept from earlier decisions. There is one tree unless the plan sets a number of cores.
    trees: Vec<Tree>,
    halt: Halt,
}

impl Search {
    /// Creates the agent. Its random numbers depend only on `seed` and `stream`.
    pub fn new(plan: Plan, seed: u64, stream: &str) -> Self {
        Self { plan, chance: Chance::new(seed, stream), pool: None, trees: Vec::new(), halt: Halt::default() }
    }
}

impl Player for Search {
    fn choose(&mut self, observation: &Observation<'_>) -> Result<usize, NoAnswer> {
        let imagination = observation.imagination().ok_or_else(|| "nothing can be imagined here".to_owned())?;
        let considered = observation.decision().considered();
        let question = SearchTask {
            imagination,
            codes: observation.option_codes(),
            least_wins: observation.model().least_score_wins,
            sides: observation.model().side_indices(),
            plan: self.plan.clone(),
            chance: self.chance.fork(),
            is_alone: true,
            halt: self.halt.clone(),
        };
        let pool = self.plan.cores.map(|cores| &*self.pool.get_or_insert_with(|| WorkerPool::new(cores.count())));
        if let Some(advice) = question.knowledge()?.filter(|advice| advice.rates_any()) {
            return Ok(considered.position(trials::choice(question, observation, &advice, pool)?));
        }
        let arms = if let Some(pool) = pool {
            pool.search(&question, &mut self.trees)?
        } else {
            self.trees.resize_with(1, Tree::default);
            question.search(&mut self.trees[0])?
        };
        if arms.iter().all(|arm| arm.visits == 0) {
            return Err("nothing was searched: no world was imagined".to_owned().into());
        }
        Ok(considered.position(tree::choice(&arms)))
    }

    fn taken_up(&mut self, _answered: usize) {
        self.trees.clear();
    }

    fn chance(&mut self) -> Option<&mut Chance> {
        Some(&mut self.chance)
    }

    fn imagines(&self) -> bool {
        true
    }

    fn looks_back(&self) -> bool {
        self.plan.weighs
    }

    fn heeds(&mut self, halt: &Halt) {
        self.halt = halt.clone();
    }
}

/// Returns the agent script that search uses by default: the first one that estimates positions.
pub(crate) fn usual_knowledge(agents: &[Arc<Source>]) -> Option<Arc<Source>> {
    agents.iter().find(|source| functions_of(source).iter().any(|function| function == ESTIMATE)).cloned()
}

#[cfg(test)]
mod tests {
    use super::usual_knowledge;
    use crate::diagnostic::Source;
    use std::sync::Arc;

    #[test]
    fn a_function_in_a_comment_does_not_count() {
        let file =
            |name: &str, text: &str| Arc::new(Source { path: format!("agents/{name}.rhai"), text: text.to_owned() });
        let agents = [
            file("later", "// Later: fn estimate(seat)\nfn rate_bid(seat, option) { 1 }"),
            file("now", "fn  estimate (seat) { 1 }"),
        ];
        assert_eq!(usual_knowledge(&agents), Some(agents[1].clone()));
    }
}

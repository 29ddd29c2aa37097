//! Search, for any number of players, with hidden information, simultaneous decisions and chance.
//!
//! Where an agent's file rates options, the best of them are tried in imagined worlds and played on by that file (`trials.rs`).
//! Elsewhere it is information-set Monte Carlo tree search: each iteration imagines a world from what the seat knows, plays it forward
//! through the information sets that were reached before, adds one more, plays on at random (a rollout), and reports the result to every information
//! set on the way what came of it for the seat that chose there. An information set is what that seat knows, so that opponents do not
//! know the seat's cards in the worlds it imagines, nor answers that are given at the same time.
//!
//! Multiple-observer information set MCTS: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE
//! Transactions on Computational Intelligence and AI in Games 4 (2012). Simultaneous decisions are decoupled as in Tak,
//! Lanctot and Winands, "Monte Carlo Tree Search Variants for Simultaneous Move Games" (2014).

mod parallel;
mod plan;
mod question;
mod task;
mod tree;
mod trials;

pub use plan::{Aim, Budget, Cores, Knowledge, Plan};

use crate::diagnostic::Source;
use crate::session::{ESTIMATE, Halt, NoAnswer, Observation, Player, functions_of};
use crate::table::Chance;
use parallel::Crew;
use question::SearchTask;
use std::sync::Arc;
use tree::Tree;

/// Looks ahead before it chooses.
pub struct Search {
    plan: Plan,
    chance: Chance,
    crew: Option<Crew>,
    /// What was found out at the decisions before; several, where several are grown beside each other.
    trees: Vec<Tree>,
    halt: Halt,
}

impl Search {
    /// A player who searches by a plan; its random numbers depend on a seed and a name alone.
    pub fn new(plan: Plan, seed: u64, stream: &str) -> Self {
        Self { plan, chance: Chance::new(seed, stream), crew: None, trees: Vec::new(), halt: Halt::default() }
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
            sides: observation.model().side_of_each(),
            plan: self.plan.clone(),
            chance: self.chance.fork(),
            alone: true,
            halt: self.halt.clone(),
        };
        let crew = self.plan.cores.map(|cores| &*self.crew.get_or_insert_with(|| Crew::new(cores.count())));
        if let Some(advice) = question.knowledge()?.filter(|advice| advice.rates_any()) {
            return Ok(considered.position(trials::choice(question, observation, &advice, crew)?));
        }
        let arms = if let Some(crew) = crew {
            crew.search(&question, &mut self.trees)?
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

/// The file of a game's agents that search uses when none is named: the first that says what a position is worth.
pub(crate) fn usual_knowledge(agents: &[Arc<Source>]) -> Option<Arc<Source>> {
    agents.iter().find(|source| functions_of(source).iter().any(|function| function == ESTIMATE)).cloned()
}

#[cfg(test)]
mod tests {
    use super::usual_knowledge;
    use crate::diagnostic::Source;
    use std::sync::Arc;

    #[test]
    fn a_comment_is_no_function() {
        let file =
            |name: &str, text: &str| Arc::new(Source { path: format!("agents/{name}.rhai"), text: text.to_owned() });
        let agents = [
            file("later", "// Later: fn estimate(seat)\nfn rate_bid(seat, option) { 1 }"),
            file("now", "fn  estimate (seat) { 1 }"),
        ];
        assert_eq!(usual_knowledge(&agents), Some(agents[1].clone()));
    }
}

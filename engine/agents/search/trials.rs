//! Search with a script that rates options: the best-rated options are tried in imagined worlds, in which the same script then makes all
//! choices.
//!
//! Each world is played once with every remaining option, with the same random numbers afterwards, so that differences are due to the
//! options (common random numbers). After each phase the worse half of the options is dropped: sequential halving, Karnin, Koren
//! and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits" (2013). Trying each option and continuing with a policy
//! improves that policy: Tesauro and Galperin, "On-line Policy Improvement using Monte-Carlo Search" (1996). The best-rated option
//! is chosen unless another one is significantly better.

use super::parallel::WorkerPool;
use super::plan::Clock;
use super::search_task::{Margins, SearchTask};
use super::world_task::WorldTask;
use crate::agents::rating::rate_in_worlds;
use crate::session::{Advice, Finish, NoAnswer, Observation};
use std::sync::Arc;

/// Number of playouts per option that determines how many options are tried: the budget is divided by this number.
const PLAYOUTS_PER_OPTION: u32 = 10;

/// Minimum and maximum number of options that are tried.
const OPTION_BOUNDS: (u32, u32) = (3, 24);

/// Number of playouts assumed for a budget in time, to calculate the number of options.
const ASSUMED_PLAYOUTS: u32 = 100;

/// An option that is tried.
struct TriedOption {
    /// Position among the considered options.
    at: usize,
    /// Code of the option.
    code: u64,
    /// Finish in each world that did not fail; `None` if the option was not offered in that world.
    found: Vec<Option<Finish>>,
}

/// Returns the index of the option to choose, among the considered options.
pub(super) fn choice(
    mut question: SearchTask,
    observation: &Observation<'_>,
    advice: &Arc<Advice>,
    pool: Option<&WorkerPool>,
) -> Result<usize, NoAnswer> {
    let mut chance = question.chance.clone();
    let clock = question.plan.budget.start();
    if question.plan.weighs {
        question.imagination.look_back(advice, &mut chance.clone().fork());
        question.halt.check()?;
    }
    let (decision, codes) = (observation.decision(), observation.rated_codes());
    let rated = rate_in_worlds(&question.imagination, advice, &codes, &mut chance)?;
    let ratings = rated.map(|rated| decision.option_ratings(rated.ratings));
    let ratings = ratings.unwrap_or_else(|| vec![0; question.codes.len()]);
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    chance.shuffle(&mut order);
    order.sort_by_key(|at| std::cmp::Reverse(ratings[*at]));
    let most = clock.total_playouts().unwrap_or(ASSUMED_PLAYOUTS) / PLAYOUTS_PER_OPTION;
    let most = most.clamp(OPTION_BOUNDS.0, OPTION_BOUNDS.1);
    order.truncate(most as usize);
    let base = chance.next_bits();
    let trial = |at: &usize| TriedOption { at: *at, code: question.codes[*at], found: Vec::new() };
    let mut run = TrialsRun {
        question: &question,
        pool,
        base,
        trials: order.iter().map(trial).collect(),
        worlds: 0,
        playouts: 0,
        first_fault: None,
    };
    let mut phases = (order.len() as u32).next_power_of_two().ilog2();
    while run.trials.len() > 1 && phases > 0 {
        let share = clock.share(run.playouts, phases);
        run.play(&share)?;
        phases -= 1;
        if phases > 0 {
            run.drop_worse_half();
        }
    }
    Ok(run.best())
}

/// State of the trials.
struct TrialsRun<'a> {
    question: &'a SearchTask,
    pool: Option<&'a WorkerPool>,
    base: u64,
    /// Remaining options; the first is the best-rated one.
    trials: Vec<TriedOption>,
    worlds: u32,
    playouts: u32,
    first_fault: Option<NoAnswer>,
}

impl TrialsRun<'_> {
    /// Plays worlds with all remaining options until the budget `share` is spent or does not suffice for another world.
    fn play(&mut self, share: &Clock) -> Result<(), NoAnswer> {
        let each = self.trials.len() as u32;
        let begun = self.playouts;
        while share.has_budget(self.playouts - begun) {
            self.question.halt.check()?;
            let count = share
                .playouts_left(self.playouts - begun)
                .map_or_else(|| self.pool.map_or(1, WorkerPool::count), |left| (left / each).max(1));
            let task = WorldTask {
                question: self.question.clone(),
                base: self.base,
                worlds: (self.worlds..self.worlds + count).collect(),
                codes: self.trials.iter().map(|trial| trial.code).collect(),
            };
            let found = match self.pool {
                Some(pool) => pool.play(&task)?,
                None => task.play_worlds()?,
            };
            self.worlds += count;
            self.playouts += count * each;
            for outcomes in found {
                match outcomes {
                    Ok(outcomes) => {
                        for (trial, outcome) in self.trials.iter_mut().zip(outcomes) {
                            trial.found.push(outcome);
                        }
                    }
                    Err(fault) => {
                        self.first_fault.get_or_insert(fault);
                    }
                }
            }
            if share.playouts_left(self.playouts - begun).is_some_and(|left| left < each) {
                break;
            }
        }
        // Failed worlds are ignored, unless no world succeeded.
        let is_empty = self.trials[0].found.is_empty();
        self.first_fault.take_if(|_| is_empty).map_or(Ok(()), Err)
    }

    /// Returns the result of each remaining option in each world.
    fn results(&self) -> Vec<Vec<Option<i64>>> {
        let mut margins = Margins::default();
        for finish in self.trials.iter().flat_map(|trial| trial.found.iter().flatten()) {
            margins.add(finish, self.question);
        }
        let seat = self.question.imagination.seat().index();
        let result =
            |finish: &Option<Finish>| finish.as_ref().map(|finish| margins.result(finish, self.question, seat));
        self.trials.iter().map(|trial| trial.found.iter().map(result).collect()).collect()
    }

    /// Drops the worse half of the options, but never the best-rated one.
    fn drop_worse_half(&mut self) {
        let results = self.results();
        let mut order: Vec<usize> = (1..self.trials.len()).collect();
        order.sort_by_key(|at| (std::cmp::Reverse(lead(&results[*at], &results[0]).mean()), *at));
        order.truncate((self.trials.len() / 2).max(1));
        let mut at = 0;
        self.trials.retain(|_| {
            at += 1;
            at == 1 || order.contains(&(at - 1))
        });
    }

    /// Returns the index of the option to choose, among the considered options.
    fn best(&self) -> usize {
        let results = self.results();
        let better = (1..self.trials.len())
            .map(|at| (lead(&results[at], &results[0]), at))
            .filter(|(lead, _)| lead.is_significant())
            .max_by_key(|(lead, at)| (lead.mean(), std::cmp::Reverse(*at)));
        self.trials[better.map_or(0, |(_, at)| at)].at
    }
}

/// Lead of one option over another, in the worlds in which both were tried.
#[derive(Default)]
struct OptionLead {
    worlds: i128,
    sum: i128,
    squares: i128,
}

/// Minimum number of worlds for a significant lead.
const MIN_WORLDS: i128 = 4;

/// Maximum absolute lead. Larger leads are clamped, so that sums of their squares do not overflow.
const MAX_LEAD: i128 = 1 << 48;

/// Returns the lead of one option over another, given the result of each in every world.
fn lead(one: &[Option<i64>], other: &[Option<i64>]) -> OptionLead {
    let mut lead = OptionLead::default();
    for (one, other) in one.iter().zip(other) {
        if let (Some(one), Some(other)) = (one, other) {
            let by = (i128::from(*one) - i128::from(*other)).clamp(-MAX_LEAD, MAX_LEAD);
            lead.worlds += 1;
            lead.sum += by;
            lead.squares += by * by;
        }
    }
    lead
}

impl OptionLead {
    /// Returns the mean lead in thousandths, or `i128::MIN` if the options were never tried in the same world.
    fn mean(&self) -> i128 {
        if self.worlds == 0 { i128::MIN } else { self.sum * 1_000 / self.worlds }
    }

    /// Returns whether the mean lead is positive and at least its standard error, over enough worlds.
    fn is_significant(&self) -> bool {
        if self.worlds < MIN_WORLDS {
            return false;
        }
        let spread = self.worlds * self.squares - self.sum * self.sum;
        self.sum > 0 && self.sum * self.sum * (self.worlds - 1) >= spread
    }
}

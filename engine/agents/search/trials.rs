//! Searching where an agent's file rates options: the best of them are tried in the same imagined worlds, and played on by the same file.
//!
//! Each world is played once with every option that is still in question, and all that happens by chance afterwards comes from the same
//! numbers, so that what tells options apart is what is compared (common random numbers). After a share of the worlds the worse half
//! is left out: sequential halving, Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits" (2013). That a policy
//! is bettered by trying each option and playing on by it: Tesauro and Galperin, "On-line Policy Improvement using Monte-Carlo Search"
//! (1996). What the file rates highest is chosen unless another option has done better for certain enough.

use super::parallel::Crew;
use super::plan::Clock;
use super::question::{Margins, SearchTask};
use super::task::Task;
use crate::agents::rating::rated;
use crate::session::{Advice, Finish, NoAnswer, Observation};
use std::sync::Arc;

/// For so many playouts one more option is tried.
const PLAYOUTS_FOR_EACH: u32 = 10;

/// At least so many options are tried, and at most so many.
const TRIED: (u32, u32) = (3, 24);

/// Where time is what counts, as many options are tried as for so many playouts.
const PLAYOUTS_IN_TIME: u32 = 100;

/// One option that is tried.
struct TriedOption {
    /// Its position among the options, and its code.
    at: usize,
    code: u64,
    /// What came of it, world by world.
    found: Vec<Option<Finish>>,
}

/// The position of the option to choose among those that are considered.
pub(super) fn choice(
    mut question: SearchTask,
    observation: &Observation<'_>,
    advice: &Arc<Advice>,
    crew: Option<&Crew>,
) -> Result<usize, NoAnswer> {
    let mut chance = question.chance.clone();
    let clock = question.plan.budget.start();
    if question.plan.weighs {
        question.imagination.look_back(advice, &mut chance.clone().fork());
        question.halt.check()?;
    }
    let (decision, codes) = (observation.decision(), observation.rated_codes());
    let rated = rated(&question.imagination, advice, &codes, &mut chance)?;
    let ratings = rated.map(|rated| decision.option_ratings(rated.ratings));
    let ratings = ratings.unwrap_or_else(|| vec![0; question.codes.len()]);
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    chance.shuffle(&mut order);
    order.sort_by_key(|at| std::cmp::Reverse(ratings[*at]));
    let most = (clock.playouts().unwrap_or(PLAYOUTS_IN_TIME) / PLAYOUTS_FOR_EACH).clamp(TRIED.0, TRIED.1);
    order.truncate(most as usize);
    let base = chance.next_bits();
    let trial = |at: &usize| TriedOption { at: *at, code: question.codes[*at], found: Vec::new() };
    let mut run = TrialsRun {
        question: &question,
        crew,
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
            run.halve();
        }
    }
    Ok(run.best())
}

/// A search under way.
struct TrialsRun<'a> {
    question: &'a SearchTask,
    crew: Option<&'a Crew>,
    base: u64,
    /// What is still tried; the first is what is rated highest.
    trials: Vec<TriedOption>,
    worlds: u32,
    playouts: u32,
    first_fault: Option<NoAnswer>,
}

impl TrialsRun<'_> {
    /// Plays worlds with all options that are tried.
    fn play(&mut self, share: &Clock) -> Result<(), NoAnswer> {
        let each = self.trials.len() as u32;
        let begun = self.playouts;
        while share.goes_on(self.playouts - begun) {
            self.question.halt.check()?;
            let count = share
                .left(self.playouts - begun)
                .map_or_else(|| self.crew.map_or(1, Crew::count), |left| (left / each).max(1));
            let task = Task {
                question: self.question.clone(),
                base: self.base,
                worlds: (self.worlds..self.worlds + count).collect(),
                codes: self.trials.iter().map(|trial| trial.code).collect(),
            };
            let found = match self.crew {
                Some(crew) => crew.play(&task)?,
                None => task.played()?,
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
            if share.left(self.playouts - begun).is_some_and(|left| left < each) {
                break;
            }
        }
        let is_empty = self.trials[0].found.is_empty();
        self.first_fault.take_if(|_| is_empty).map_or(Ok(()), Err)
    }

    /// What each option that is tried was worth in each world.
    fn results(&self) -> Vec<Vec<Option<i64>>> {
        let mut margins = Margins::default();
        for finish in self.trials.iter().flat_map(|trial| trial.found.iter().flatten()) {
            margins.see(finish, self.question);
        }
        let seat = self.question.imagination.seat().index();
        let result =
            |finish: &Option<Finish>| finish.as_ref().map(|finish| margins.result(finish, self.question, seat));
        self.trials.iter().map(|trial| trial.found.iter().map(result).collect()).collect()
    }

    /// Leaves out the worse half, but not what is rated highest.
    fn halve(&mut self) {
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

    /// The position of the option to choose.
    fn best(&self) -> usize {
        let results = self.results();
        let better = (1..self.trials.len())
            .map(|at| (lead(&results[at], &results[0]), at))
            .filter(|(lead, _)| lead.is_certain())
            .max_by_key(|(lead, at)| (lead.mean(), std::cmp::Reverse(*at)));
        self.trials[better.map_or(0, |(_, at)| at)].at
    }
}

/// How far one option is ahead of another, over the worlds in which both were tried.
#[derive(Default)]
struct Lead {
    worlds: i128,
    sum: i128,
    squares: i128,
}

/// In fewer worlds nothing is found out against what is rated highest.
const FEWEST_WORLDS: i128 = 4;

/// Longer leads are as good as this one: their squares still fit.
const LONGEST: i128 = 1 << 48;

fn lead(one: &[Option<i64>], other: &[Option<i64>]) -> Lead {
    let mut lead = Lead::default();
    for (one, other) in one.iter().zip(other) {
        if let (Some(one), Some(other)) = (one, other) {
            let by = (i128::from(*one) - i128::from(*other)).clamp(-LONGEST, LONGEST);
            lead.worlds += 1;
            lead.sum += by;
            lead.squares += by * by;
        }
    }
    lead
}

impl Lead {
    fn mean(&self) -> i128 {
        if self.worlds == 0 { i128::MIN } else { self.sum * 1_000 / self.worlds }
    }

    /// Whether it is at least as long as its standard error, and seen in worlds enough to say so.
    fn is_certain(&self) -> bool {
        if self.worlds < FEWEST_WORLDS {
            return false;
        }
        let spread = self.worlds * self.squares - self.sum * self.sum;
        self.sum > 0 && self.sum * self.sum * (self.worlds - 1) >= spread
    }
}

//! Weights of imagined worlds. The weight of a world is the probability that, in this world, other seats would have made the choices that
//! they made. A choice reveals something about the knowledge of the seat that made it.
//!
//! For each choice, its step is run again with the faces of the world, up to the choice. An agent's file then rates the options as the
//! choosing seat saw them. Steps count only if nobody has lost track of a piece since. After a shuffle, no seat knows which piece is which,
//! so weighing by an earlier step would use hidden information.

use super::imagine::Imagination;
use super::past::PastStep;
use super::world::{World, drawn, option_codes};
use crate::decision::{Imagining, Rerun, StepAnswer};
use crate::diagnostic::Diagnostic;
use crate::library::State;
use crate::script::{self, Advice, Ended, Host, Step};
use crate::table::Chance;
use std::sync::Arc;

/// Maximum number of options rated for a choice. If there are more, the chosen option is rated together with a random
/// sample.
const MAX_RATED: usize = 8;

/// Fixed-point representation of probability 1.
const CERTAIN: u128 = 1 << 8;

/// Lower bound of the probability of a choice, as a numerator over [`CERTAIN`]. It is positive because no player chooses only by the
/// ratings of a file.
const MIN_PROBABILITY: u128 = 1 << 3;

/// Number of worlds in which the probability of a choice is computed to find whether it differs between worlds.
const PROBED_WORLDS: u32 = 8;

/// Number of worlds that are weighed for each world that is played.
const WORLDS: u32 = 4;

/// Weight of a world in which all choices are certain. It is so large that a weight stays positive even after many choices of the lowest
/// probability.
const ALL: u128 = 1 << 120;

/// Probability of a choice in a world.
struct Likelihood {
    /// Numerator of the probability; [`CERTAIN`] is the denominator. At least [`MIN_PROBABILITY`].
    part: u128,
    /// Whether the rating of the options reads something that the imagining seat does not know.
    is_telling: bool,
}

/// Range of the probability of one choice over several worlds, as numerators over [`CERTAIN`].
struct LikelihoodRange {
    least: u128,
    most: u128,
    is_telling: bool,
    /// Whether two evaluations in the same world gave different probabilities.
    is_drawn: bool,
}

impl Default for LikelihoodRange {
    fn default() -> Self {
        Self { least: CERTAIN, most: MIN_PROBABILITY, is_telling: false, is_drawn: false }
    }
}

impl LikelihoodRange {
    fn differs(&self) -> bool {
        self.is_telling && !self.is_drawn && self.most >= 2 * self.least
    }
}

impl Imagination {
    /// Finds the earlier choices of others whose probability, according to an agent's file, differs between worlds by a factor of at least
    /// 2. [`Self::likely_world`] weighs worlds by these choices. Choices are left out as noise if they depend on values, dice or answers
    /// that are drawn anew in each world.
    pub fn look_back(&mut self, advice: &Arc<Advice>, chance: &mut Chance) {
        let (Ok((_, host)), Some(past)) = (self.game.host(&self.setup), &self.past) else { return };
        let mut answers = past.public_answers(self.open_step.as_ref(), self.seat);
        answers.retain(|(step, at)| advice.rates(&host.model.decisions[step.given[*at].decision.index()].id));
        if answers.is_empty() {
            return;
        }
        let mut found: Vec<LikelihoodRange> = answers.iter().map(|_| LikelihoodRange::default()).collect();
        for _ in 0..PROBED_WORLDS {
            let Ok(world) = self.world(chance) else { return };
            for (found, choice) in found.iter_mut().zip(&answers) {
                let [one, other] = [(); 2].map(|()| self.likelihood(&host, choice, &world, advice, chance));
                found.least = found.least.min(one.part);
                found.most = found.most.max(one.part);
                found.is_telling |= one.is_telling;
                found.is_drawn |= one.part != other.part;
            }
        }
        let weighed = answers.into_iter().zip(found).filter(|(_, found)| found.differs());
        self.weighed = weighed.map(|(choice, _)| choice).collect();
    }

    /// Draws one of a few worlds with a probability proportional to its weight.
    ///
    /// Uses importance resampling: Rubin, "Using the SIR Algorithm to Simulate Posterior Distributions" (1988).
    ///
    /// # Errors
    /// Returns the errors of [`Self::world`].
    pub fn likely_world(&self, advice: &Arc<Advice>, chance: &mut Chance) -> Result<World, Box<Diagnostic>> {
        let mut likely = self.world(chance)?;
        if self.weighed.is_empty() {
            return Ok(likely);
        }
        let Ok((_, host)) = self.game.host(&self.setup) else { return Ok(likely) };
        let mut sum = self.weight(&host, &likely, advice, chance);
        for _ in 1..WORLDS {
            let Ok(world) = self.world(chance) else { break };
            let weight = self.weight(&host, &world, advice, chance);
            sum += weight;
            let shift = (u128::BITS - sum.leading_zeros()).saturating_sub(u32::BITS);
            if u128::from(chance.below((sum >> shift) as u32)) < weight >> shift {
                likely = world;
            }
        }
        Ok(likely)
    }

    /// Returns the product of the probabilities of all weighed choices in a world, as a numerator over [`ALL`].
    fn weight(&self, host: &Arc<Host>, world: &World, advice: &Arc<Advice>, chance: &mut Chance) -> u128 {
        let part = |choice| self.likelihood(host, choice, world, advice, chance).part;
        self.weighed.iter().map(part).fold(ALL, |weight, part| weight / CERTAIN * part)
    }

    /// Returns the probability of one choice in a world, according to an agent's file. It is [`MIN_PROBABILITY`] if the step does
    /// not lead to the choice in this world.
    fn likelihood(
        &self,
        host: &Arc<Host>,
        choice: &(PastStep, usize),
        world: &World,
        advice: &Arc<Advice>,
        chance: &mut Chance,
    ) -> Likelihood {
        let found = self.found_likelihood(host, choice, world, advice, chance);
        found.unwrap_or(Likelihood { part: MIN_PROBABILITY, is_telling: true })
    }

    fn found_likelihood(
        &self,
        host: &Arc<Host>,
        (step, at): &(PastStep, usize),
        world: &World,
        advice: &Arc<Advice>,
        chance: &mut Chance,
    ) -> Option<Likelihood> {
        let (before, given) = (&step.given[..*at], &step.given[*at]);
        let mut state = State::new(step.before.table.as_in_world(world.table(), self.seat, chance));
        let is_remembered = |given: &&StepAnswer| given.seat == self.seat || given.is_public;
        state.answers.replay = before.iter().filter(is_remembered).cloned().collect();
        let imagining = Imagining {
            seat: self.seat,
            asked: (given.seat, given.decision),
            together: None,
            has_nothing: false,
            chosen: Arc::default(),
            chance: chance.fork(),
            keeps_picks: false,
        };
        state.answers.rerun = Some(Box::new(Rerun { imagining: Some(imagining), chance_after: chance.fork() }));
        let Ended::Asked(open) = Step::begin(host, &mut state, &step.before.call) else { return None };
        let decision = open.decision();
        let is_there = (decision.seat, decision.id) == (given.seat, given.decision) && state.answers.replay.is_empty();
        if !is_there {
            return None;
        }
        let code = given.choice.as_ref()?.code(&state.table, decision.seat);
        let considered = decision.considered();
        let is_it = option_codes(&state.table, decision).iter().position(|known| *known == code);
        let chosen = match is_it.map(|number| considered.position(number)) {
            // The considered options are only a sample, which may not contain the choice.
            None if considered.is_sample() => decision.position(given.choice.as_ref()?)?,
            found => found?,
        };
        // The seed depends only on the choice, so that the same other options are rated in every world.
        let mut rated = drawn(decision.count(), MAX_RATED, &mut Chance::new(*at as u64, "rated"));
        let among = rated.iter().position(|at| *at == chosen).unwrap_or(0);
        rated[among] = chosen;
        let options: Vec<_> = rated.iter().map(|at| decision.option(*at)).collect();
        let mut aside = State::new(state.table);
        let ratings = script::advise(&mut aside, advice, Some((decision, &options))).ok()?;
        Some(Likelihood {
            part: part_of(&ratings, among).max(MIN_PROBABILITY),
            is_telling: !aside.table.is_read_as_known(self.seat),
        })
    }
}

/// Returns the probability that a player who roughly follows the ratings chooses the option at index `at`, as a numerator over [`CERTAIN`].
/// An option with `n` better ones gets a share of `1 / (n + 1)²` before scaling.
fn part_of(ratings: &[i64], at: usize) -> u128 {
    let share = |rating: &i64| {
        let above = ratings.iter().filter(|other| *other > rating).count() as u128;
        (1 << 16) / ((1 + above) * (1 + above))
    };
    share(&ratings[at]) * CERTAIN / ratings.iter().map(share).sum::<u128>()
}

#[cfg(test)]
mod tests {
    use super::{CERTAIN, part_of};

    #[test]
    fn options_rated_higher_are_more_probable() {
        let parts = [0, 1, 2].map(|at| part_of(&[9, 4, 4], at));
        assert!(parts[0] > parts[1] && parts[1] == parts[2], "{parts:?}");
        assert_eq!([0, 1].map(|at| part_of(&[3, 3], at)), [CERTAIN / 2; 2]);
        assert_eq!(part_of(&[-7], 0), CERTAIN);
    }
}

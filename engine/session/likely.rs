//! How likely it is in an imagined world that others chose as they did: what they chose tells of what they knew.
//!
//! Each step is run again up to the choice, with the faces that lie in the world, and the options are rated by an agent's file as the seat
//! that chose saw them. Only steps are looked back at since which nobody has lost track of anything: after a shuffle no seat knows which
//! piece is which, and to go by it would be to peek.

use super::imagine::Imagination;
use super::past::PastStep;
use super::world::{World, drawn, option_codes};
use crate::decision::{Given, Imagining, Rerun};
use crate::diagnostic::Diagnostic;
use crate::library::State;
use crate::script::{self, Advice, Ended, Host, Step};
use crate::table::Chance;
use std::sync::Arc;

/// Of more options than these, some are drawn to be rated beside the one that was chosen.
const RATED: usize = 8;

/// A choice that is certain; no choice is less likely than the least, for nobody goes by a file alone.
const CERTAIN: u128 = 1 << 8;
const LEAST: u128 = 1 << 3;

/// In so many worlds it is looked whether a choice was more likely in one than in another.
const LOOKED_AT: u32 = 8;

/// So many worlds are weighed for one that is played.
const WORLDS: u32 = 4;

/// All choices together, if each is certain: so many of the least still leave something.
const ALL: u128 = 1 << 120;

/// A choice as it comes about in a world.
struct Likelihood {
    /// In parts of [`CERTAIN`], no fewer than [`LEAST`].
    part: u128,
    /// Whether it hangs on something that the seat which imagines did not know.
    is_telling: bool,
}

/// How likely a choice is in several worlds, in parts of [`CERTAIN`].
struct LikelihoodRange {
    least: u128,
    most: u128,
    is_telling: bool,
    /// Whether it is not the same each time in one world.
    is_drawn: bool,
}

impl Default for LikelihoodRange {
    fn default() -> Self {
        Self { least: CERTAIN, most: LEAST, is_telling: false, is_drawn: false }
    }
}

impl LikelihoodRange {
    fn differs(&self) -> bool {
        self.is_telling && !self.is_drawn && self.most >= 2 * self.least
    }
}

impl Imagination {
    /// Looks back at what others chose before, as far as it tells something of what this seat does not know: worlds are weighed by that
    /// from here on, if others go by a file of an agent. What hangs on values, dice or answers that are drawn anew tells nothing.
    pub fn look_back(&mut self, advice: &Arc<Advice>, chance: &mut Chance) {
        let (Ok((_, host)), Some(past)) = (self.game.host(&self.setup), &self.past) else { return };
        let mut answers = past.public_answers(self.open_step.as_ref(), self.seat);
        answers.retain(|(step, at)| advice.rates(&host.model.decisions[step.given[*at].decision.index()].id));
        if answers.is_empty() {
            return;
        }
        let mut found: Vec<LikelihoodRange> = answers.iter().map(|_| LikelihoodRange::default()).collect();
        for _ in 0..LOOKED_AT {
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

    /// One of a few worlds, drawn by how likely what others chose before was in each.
    ///
    /// Sampling, importance resampling: Rubin, "Using the SIR Algorithm to Simulate Posterior Distributions" (1988).
    ///
    /// # Errors
    /// As [`Self::world`].
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

    /// How likely what others chose before was in a world, in parts of [`ALL`].
    fn weight(&self, host: &Arc<Host>, world: &World, advice: &Arc<Advice>, chance: &mut Chance) -> u128 {
        let part = |choice| self.likelihood(host, choice, world, advice, chance).part;
        self.weighed.iter().map(part).fold(ALL, |weight, part| weight / CERTAIN * part)
    }

    /// How likely one choice was in a world by an agent's file; hardly, where the seat would not have come to it, or not been offered it.
    fn likelihood(
        &self,
        host: &Arc<Host>,
        choice: &(PastStep, usize),
        world: &World,
        advice: &Arc<Advice>,
        chance: &mut Chance,
    ) -> Likelihood {
        let found = self.found_likelihood(host, choice, world, advice, chance);
        found.unwrap_or(Likelihood { part: LEAST, is_telling: true })
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
        let is_remembered = |given: &&Given| given.seat == self.seat || given.is_public;
        state.answers.replay = before.iter().filter(is_remembered).cloned().collect();
        let imagining = Imagining {
            seat: self.seat,
            asked: (given.seat, given.decision),
            together: None,
            has_nothing: false,
            chosen: Arc::default(),
            chance: chance.fork(),
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
            // The choice may have been none of a sample.
            None if considered.is_sample() => decision.position(given.choice.as_ref()?)?,
            found => found?,
        };
        // The same options are rated beside it each time.
        let mut rated = drawn(decision.count(), RATED, &mut Chance::new(*at as u64, "rated"));
        let among = rated.iter().position(|at| *at == chosen).unwrap_or(0);
        rated[among] = chosen;
        let options: Vec<_> = rated.iter().map(|at| decision.option(*at)).collect();
        let mut aside = State::new(state.table);
        let ratings = script::advise(&mut aside, advice, Some((decision, &options))).ok()?;
        Some(Likelihood {
            part: part_of(&ratings, among).max(LEAST),
            is_telling: !aside.table.is_read_as_known(self.seat),
        })
    }
}

/// How likely it is that somebody who goes by ratings, though not strictly, chooses the one at a position, in parts of [`CERTAIN`]: an
/// option that so many others are rated above is as much less likely as the square of their number.
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
    fn what_is_rated_higher_is_chosen_more_likely() {
        let parts = [0, 1, 2].map(|at| part_of(&[9, 4, 4], at));
        assert!(parts[0] > parts[1] && parts[1] == parts[2], "{parts:?}");
        assert_eq!([0, 1].map(|at| part_of(&[3, 3], at)), [CERTAIN / 2; 2]);
        assert_eq!(part_of(&[-7], 0), CERTAIN);
    }
}

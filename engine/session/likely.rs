//! How likely it is in an imagined world that others chose as they did: what they chose tells of what they knew.
//!
//! A world says of each piece what its face is now; shuffles undone, it says what lay where before each step. The step is run again
//! there up to the choice, and the options are rated by an agent's file as the seat that chose saw them.

use super::imagine::Imagination;
use super::world::{World, drawn, option_codes};
use crate::decision::{Given, Imagining, Rerun};
use crate::diagnostic::Diagnostic;
use crate::library::State;
use crate::script::{self, Advice, Ended, Host, Step};
use crate::table::{Chance, Table};
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
    /// In parts of [`CERTAIN`].
    part: u128,
    /// Whether it hangs on something that the seat which imagines did not know.
    is_telling: bool,
}

impl Imagination {
    /// Looks back at what others chose before, as far as it tells something of what this seat does not know: worlds are weighed by that
    /// from here on, if others go by a file of an agent.
    pub fn look_back(&mut self, advice: &Arc<Advice>, chance: &mut Chance) {
        let (Ok((_, host)), false) = (self.game.host(&self.setup), self.told.choices.is_empty()) else { return };
        let worlds: Vec<World> = (0..LOOKED_AT).map_while(|_| self.world(chance).ok()).collect();
        let mut parts: Vec<Option<(u128, u128)>> = vec![Some((CERTAIN, LEAST)); self.told.choices.len()];
        for world in &worlds {
            let tables = self.told.tables(&self.told.choices, world.table(), self.seat, chance);
            for (parts, choice) in parts.iter_mut().zip(&self.told.choices) {
                let found = parts.and_then(|_| self.likelihood(&host, *choice, &tables, advice, chance));
                *parts = parts
                    .zip(found)
                    .filter(|(_, found)| found.is_telling)
                    .map(|((least, most), found)| (least.min(found.part), most.max(found.part)));
            }
        }
        let is_telling = |parts: &Option<(u128, u128)>| parts.is_some_and(|(least, most)| most >= least.max(LEAST) * 2);
        let told = self.told.choices.iter().zip(&parts).filter(|(_, parts)| is_telling(parts));
        self.told.telling = told.map(|(choice, _)| *choice).collect();
    }

    /// One of a few worlds, drawn by how likely what others chose before was in each.
    ///
    /// Sampling, importance resampling: Rubin, "Using the SIR Algorithm to Simulate Posterior Distributions" (1988).
    ///
    /// # Errors
    /// As [`Self::world`].
    pub fn likely_world(&self, advice: &Arc<Advice>, chance: &mut Chance) -> Result<World, Box<Diagnostic>> {
        let mut likely = self.world(chance)?;
        if self.told.telling.is_empty() {
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
        let tables = self.told.tables(&self.told.telling, world.table(), self.seat, chance);
        self.told.telling.iter().fold(ALL, |weight, &choice| {
            let found = self.likelihood(host, choice, &tables, advice, chance);
            weight / CERTAIN * found.map_or(LEAST, |found| found.part.max(LEAST))
        })
    }

    /// How likely one choice was by an agent's file, at the tables before each step; nothing where the step does not come to it.
    fn likelihood(
        &self,
        host: &Arc<Host>,
        (step, at): (usize, usize),
        tables: &[Option<Table>],
        advice: &Arc<Advice>,
        chance: &mut Chance,
    ) -> Option<Likelihood> {
        let step_before = &self.told.steps[step];
        let (before, given) = (step_before.given.get(..at)?, step_before.given.get(at)?);
        let mut state = State::new(tables[step].clone()?);
        let is_remembered = |given: &&Given| given.seat == self.seat || given.told;
        state.answers.replay = before.iter().filter(is_remembered).cloned().collect();
        let imagining = Imagining {
            seat: self.seat,
            asked: (given.seat, given.decision),
            together: None,
            has_nothing: false,
            chance: chance.fork(),
        };
        state.answers.rerun = Some(Box::new(Rerun { imagining: Some(imagining), chance_after: chance.fork() }));
        let Ended::Asked(open) = Step::begin(host, &mut state, &step_before.before.call) else { return None };
        let decision = open.decision();
        let is_there = (decision.seat, decision.id) == (given.seat, given.decision) && state.answers.replay.is_empty();
        if !is_there || !advice.rates(&state.table.model().decisions[decision.id.index()].id) {
            return None;
        }
        let code = given.choice.as_ref()?.code(&state.table, decision.seat);
        let chosen = option_codes(&state.table, decision).iter().position(|known| *known == code)?;
        let mut rated = drawn(decision.count(), RATED, chance);
        let among = rated.iter().position(|at| *at == chosen).unwrap_or(0);
        rated[among] = chosen;
        let mut aside = State::new(state.table);
        let ratings = script::advise(&mut aside, advice, Some((decision, &rated))).ok()?;
        Some(Likelihood { part: part_of(&ratings, among), is_telling: !aside.table.is_read_as_known(self.seat) })
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
